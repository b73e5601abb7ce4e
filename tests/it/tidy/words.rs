//! Words that have given way to standard terms: a chessman is a *piece*, functions return, note and handle.

use std::fs;

use super::{everything, relative, sources};

/// What no comment of the code says any more, and what it says.
const PHRASES: [(&str, &str); 5] = [
    ("/ Tells", "Returns, Reports"),
    ("/ Takes ", "Handles, Notes, Removes, Adopts"),
    ("told twice", "confirmed by a dump, sent twice"),
    ("think again", "rejudge"),
    ("follow_on", "after the result"),
];

/// Whole words that no code, script or page has a use for, and what it says.
const EVERYWHERE: [(&str, &str); 8] = [
    ("crowd", "connection limit"),
    ("door", "TLS listener"),
    ("fence", "address filter"),
    ("film", "replay"),
    ("tell", "report, say, send, emit, show, distinguish"),
    ("telling", "reporting"),
    ("tells", "reports, says, shows, distinguishes"),
    ("told", "reported, sent, emitted, shown"),
];

/// What keeps its words: licences, what was recorded or released, sentences of the catalogue, and this list.
const AS_IT_IS: [&str; 6] = [
    "LICENSE",
    "Cargo.lock",
    "src/core/rules/SENTENCES.md",
    "tests/captures/",
    "tests/it/tidy/words.rs",
    "tests/state/",
];

/// A sentence for the arbiter that alerts have, and scenarios expect.
const INSTRUCTION: &str = "Do not tell the players";

/// What the comments of the code of chess say no more, and what they say.
const CORE_PHRASES: [(&str, &str); 4] = [
    ("that lie left", "that are faulty left"),
    ("known to lie", "known to be faulty"),
    ("think_again", "rejudge"),
    ("told_twice", "confirmed_by_dump"),
];

/// Whole words that the code of chess has no use for.
const WORDS: [(&str, &str); 20] = [
    ("man", "piece"),
    ("men", "pieces"),
    ("chessman", "piece"),
    ("chessmen", "pieces"),
    ("earned", "refilled"),
    ("hurried", "ignoring timing"),
    ("loud", "noisy"),
    ("outset", "search root"),
    ("spent", "consumed, elapsed"),
    ("strained", "high residual cost"),
    ("teller", "reporter"),
    ("acquit", "retract"),
    ("earn", "refill"),
    ("guilt", "confidence of an offence"),
    ("hurry", "ignore timing until"),
    ("relieve", "decay"),
    ("shield", "filter"),
    ("spend", "consume"),
    ("strain", "residual cost"),
    ("witness", "seat evidence"),
];

#[test]
fn standard_terms() {
    let mut found = Vec::new();
    for file in ["src", "protocol"].into_iter().flat_map(sources) {
        let path = relative(&file);
        let text = fs::read_to_string(&file).unwrap();
        let is_core = path.starts_with("src/core") || path.starts_with("protocol");
        for (number, line) in text.lines().enumerate() {
            let phrases = PHRASES.iter().filter(|(old, _)| line.contains(old));
            let is_word = |old: &str| {
                line.split(|sign: char| !sign.is_ascii_alphanumeric())
                    .any(|word| word.eq_ignore_ascii_case(old))
            };
            let words = WORDS.iter().filter(|(old, _)| is_core && is_word(old));
            let core = CORE_PHRASES.iter().filter(|(old, _)| is_core && line.contains(old));
            for (old, new) in phrases.chain(core).chain(words) {
                found.push(format!("{path}:{}: {} is '{new}'", number + 1, old.trim_start_matches("/ ")));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn standard_terms_in_scripts_and_pages() {
    let mut found = Vec::new();
    for file in everything() {
        let path = relative(&file);
        let is_catalogue = file.extension().is_some_and(|extension| extension == "ftl");
        if is_catalogue || AS_IT_IS.iter().any(|start| path.starts_with(start)) {
            continue;
        }
        let Ok(text) = fs::read_to_string(&file) else { continue };
        // Versions that were released keep their notes.
        let current = if path == "CHANGELOG.md" { text.split("\n## 0.").next() } else { None };
        for (number, line) in current.unwrap_or(&text).lines().enumerate() {
            let line = line.replace(INSTRUCTION, "");
            for word in line.split(|sign: char| !sign.is_ascii_alphanumeric()) {
                for (old, new) in EVERYWHERE.iter().filter(|(old, _)| word.eq_ignore_ascii_case(old)) {
                    found.push(format!("{path}:{}: {old} is '{new}'", number + 1));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
