//! Every reason with which the daemon refuses an order has a German text in the desk.

use std::{collections::BTreeSet, fs};

use super::{before_tests, is_test, relative, root, sources};

/// Directories and files whose refusals reach the desk.
const PLACES: [&str; 12] = [
    "src/core/rules",
    "src/core/board",
    "src/core/line",
    "src/port/session.rs",
    "src/service.rs",
    "src/daemon/supervisor",
    "src/hub",
    "src/http/orders.rs",
    "src/http/arbiters.rs",
    "src/http/attention.rs",
    "src/http/identity.rs",
    "src/http/session.rs",
];

/// Words before the text of a refusal.
const BEFORE: [&str; 6] =
    ["OrderError::Refused(", "refuse(", "refused(", "unprocessable(", "let reason = ", "(reply, format!("];

#[test]
fn every_refusal_is_told_in_german_as_well() {
    let words = fs::read_to_string(root().join("src/desk/refusal-words.js")).unwrap();
    let known: BTreeSet<String> = words
        .lines()
        .filter_map(|line| line.strip_prefix("  [\""))
        .map(|line| without_names(line.split("\", \"").next().unwrap_or_default()))
        .collect();
    let files = PLACES.into_iter().flat_map(|place| {
        let path = root().join(place);
        if path.is_file() { vec![path] } else { sources(place) }
    });
    let mut missing = Vec::new();
    let mut found = 0;
    for file in files {
        let path = relative(&file);
        if is_test(&path) {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        for sentence in refusals(before_tests(&text)) {
            found += 1;
            if !known.contains(&without_names(&sentence)) {
                missing.push(format!("{path}: {sentence}"));
            }
        }
    }
    assert!(found > 25, "only {found} refusals were found");
    assert!(missing.is_empty(), "add to src/desk/refusal-words.js:\n{}", missing.join("\n"));
}

#[test]
fn a_refusal_is_found_in_every_form() {
    let code = "return refuse(format!(\"{name} is no \\\n        move\"));\n\
                fn refused(reason: impl Into<String>) -> OrderError { todo(\"x\") }\n\
                OrderError::Refused(reason.into());\nlet a = \"b\";";
    assert_eq!(refusals(code).collect::<Vec<_>>(), ["{name} is no move"]);
    assert_eq!(without_names("there is no {} of {name:?}"), "there is no {} of {}");
}

/// Returns the texts of refusals in code.
fn refusals(code: &str) -> impl Iterator<Item = String> {
    BEFORE.into_iter().flat_map(move |word| code.match_indices(word)).filter_map(|(at, word)| {
        let rest = &code[at + word.len()..];
        let begin = rest.find('"')?;
        // What comes first is a variable, or the definition of a function.
        if rest[..begin].contains([';', '}', '{']) {
            return None;
        }
        let literal = rest[begin + 1..].split('"').next()?;
        // A word alone is a key.
        let literal = Some(literal).filter(|literal| literal.contains(' '))?;
        let lines: Vec<&str> = literal.split("\\\n").map(str::trim_start).collect();
        Some(lines.concat())
    })
}

/// Replaces what varies in a text: `{side}` and `{}` are the same.
fn without_names(text: &str) -> String {
    let mut parts = text.split('{');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + "{}" + part.split_once('}').map_or("", |(_, rest)| rest))
}
