//! The numbers by which reports are judged stand in one place, with their meaning.

use std::fs;

use super::{before_tests, relative, root, sources};

/// Numbers of algorithms, buffers and lines, which no probability and no judgement rests on.
const OTHERS: [(&str, &str); 8] = [
    ("src/core/board.rs", "IN_PLAY"),
    ("src/core/board/damage_filter.rs", "WAIT"),
    ("src/core/board/damage_filter.rs", "MEMORY"),
    ("src/core/board/identity.rs", "SPAN"),
    ("src/core/board/identity.rs", "MOST"),
    ("src/core/board/scan_meter.rs", "NO_FRACTION"),
    ("src/core/tracker/gap_search/distance.rs", "CASTLING_SAVES"),
    ("src/core/tracker/gap_search/distance.rs", "NEVER"),
];

/// Kinds of numbers.
const KINDS: [&str; 8] = ["u8", "u16", "u32", "u64", "usize", "i32", "f64", "Duration"];

#[test]
fn every_number_of_the_model_stands_in_the_model() {
    let mut outside = Vec::new();
    for directory in ["src/core/tracker", "src/core/board"] {
        let mut files = sources(directory);
        files.push(root().join(format!("{directory}.rs")));
        for file in files {
            let name = relative(&file);
            let text = fs::read_to_string(&file).unwrap();
            if super::is_test(&name) {
                continue;
            }
            for line in before_tests(&text).lines() {
                let Some((name_of, kind)) = constant(line) else { continue };
                let known = OTHERS.contains(&(name.as_str(), name_of)) || name_of == "LONGEST";
                if KINDS.contains(&kind) && !known {
                    outside.push(format!("{name}: {name_of}"));
                }
            }
        }
    }
    assert!(outside.is_empty(), "to src/core/model: {outside:#?}");
}

#[test]
fn every_number_of_the_model_says_what_it_means() {
    let mut count = 0;
    for file in sources("src/core/model") {
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            let Some((name, _)) = constant(pair[1]).filter(|_| pair[1].starts_with("pub(crate)")) else {
                continue;
            };
            assert!(pair[0].starts_with("///"), "{}: {name} says nothing", relative(&file));
            count += 1;
        }
    }
    assert!(count > 100, "only {count} numbers were found");
}

/// Returns the name and the type of a constant.
fn constant(line: &str) -> Option<(&str, &str)> {
    let (_, rest) = line.split_once("const ")?;
    let (name, rest) = rest.split_once(": ")?;
    let (kind, _) = rest.split_once(" =")?;
    name.chars().all(|c| c.is_ascii_uppercase() || c == '_').then_some((name, kind))
}
