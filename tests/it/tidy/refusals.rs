//! Every reason with which the daemon refuses an order is in the catalogue, for the desk in other languages; and every phrase of the
//! catalogue is one that something says.

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
fn every_refusal_is_in_the_catalogue() {
    let known: BTreeSet<String> =
        texts("refusals").into_iter().map(|(_, text)| without_names(&text)).collect();
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
    assert!(missing.is_empty(), "add to src/core/words/*/refusals.ftl:\n{}", missing.join("\n"));
}

/// The other way round: what nothing says any more leaves the catalogue.
#[test]
fn every_refusal_of_the_catalogue_is_said() {
    // A quote inside of a literal does not end it.
    let parts = |code: String| -> Vec<String> {
        let code = joined(&code).replace("\\\"", "\u{1}").replace("'\"'", "' '");
        code.split('"').filter(|part| part.contains(' ')).map(str::to_owned).collect()
    };
    let said: Vec<String> = code("src").flat_map(parts).collect();
    let is_said = |text: &str| {
        let text = text.replace('"', "\u{1}");
        // A literal of a few letters is part of every sentence.
        said.iter().any(|said| has_parts(said, &text) || said.len() > 16 && has_parts(&text, said))
    };
    let unsaid: Vec<String> = texts("refusals")
        .into_iter()
        .filter(|(_, text)| !is_said(text))
        .map(|(key, text)| format!("{key} = {text}"))
        .collect();
    assert!(unsaid.is_empty(), "nothing says:\n{}", unsaid.join("\n"));
}

#[test]
fn every_phrase_of_the_catalogue_is_said() {
    let code: String = code("src").collect();
    let name = |key: &str| {
        let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
        key.split('.').map(capital).collect::<String>()
    };
    let is_said = |key: &str| {
        code.split(&format!("Phrase::{}", name(key)))
            .skip(1)
            .any(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
    };
    let unsaid: Vec<String> = ["rules", "program"]
        .into_iter()
        .flat_map(texts)
        .map(|(key, _)| key)
        .filter(|key| !is_said(key))
        .collect();
    assert!(unsaid.is_empty(), "nothing says {unsaid:?}");
}

/// Returns keys and texts of a file of the English catalogue, which the build has found to be in order.
fn texts(file: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join(format!("src/core/words/en/{file}.ftl"))).unwrap();
    let mut message = "";
    let mut texts = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let Some((key, text)) = line.split_once('=') else { continue };
        let key = if let Some(attribute) = key.trim().strip_prefix('.') {
            format!("{message}.{attribute}")
        } else {
            message = key.trim();
            message.to_owned()
        };
        let text = text.trim().replace("{ $", "{").replace(" }", "}");
        if !text.is_empty() {
            texts.push((key, text));
        }
    }
    assert!(texts.len() > 40, "{file} is read");
    texts
}

/// Returns the code of the program, without its tests.
fn code(directory: &str) -> impl Iterator<Item = String> {
    let files = sources(directory).into_iter().filter(|file| !is_test(&relative(file)));
    files.map(|file| before_tests(&fs::read_to_string(file).unwrap()).to_owned())
}

/// Returns whether a text has the parts of another one around its names in braces, in order and from its beginning to its end.
fn has_parts(text: &str, other: &str) -> bool {
    let parts = without_names(other);
    let parts: Vec<&str> = parts.split("{}").collect();
    let [first, .., last] = parts.as_slice() else { return text == other };
    let mut rest = Some(text);
    for part in &parts {
        rest = rest.and_then(|rest| rest.split_once(part)).map(|(_, rest)| rest);
    }
    text.starts_with(first) && text.ends_with(last) && rest.is_some()
}

/// Joins literals that go on in the next line.
fn joined(code: &str) -> String {
    let mut parts = code.split("\\\n");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.trim_start())
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
