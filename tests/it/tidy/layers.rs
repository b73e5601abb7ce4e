//! Layers of the modules inside a crate: imports go down, and never back up or in a circle.
//!
//! Between crates cargo sees to that.

use std::{collections::BTreeMap, fs, path::Path};

use super::{before_tests, is_test, relative, root, sources, without_comments};

/// An import, by file and the top-level modules on both sides.
type Import = (String, String, String);

/// The modules of the program, the lowest layer first; modules of one layer do not know each other.
const PROGRAM: [&[&str]; 9] = [
    &["config", "published"],
    &["audit", "desk", "metrics", "pairings", "view"],
    &["service", "sinks"],
    &["port"],
    &["lichess", "mqtt", "pgn"],
    &["http"],
    &["hub", "livechess"],
    &["daemon"],
    &["cli"],
];

/// The modules of the core, likewise.
const CORE: [&[&str]; 12] = [
    &["code", "side", "time"],
    &["laws", "position"],
    &["alert"],
    &["order", "settings"],
    &["event"],
    &["capture", "clock", "fact"],
    &["game"],
    &["tracker"],
    &["rules"],
    &["board"],
    &["line"],
    &["replay"],
];

/// The modules of the virtual boards, likewise.
const EMULATOR: [&[&str]; 7] = [
    &["incident", "random", "wire"],
    &["clock", "games"],
    &["truth"],
    &["board", "people"],
    &["table"],
    &["simulate"],
    &["hall"],
];

#[test]
fn imports_of_the_program_go_down() {
    check("src", &["src/core", "src/emulate", "src/runtime"], &PROGRAM);
}

#[test]
fn imports_of_the_core_go_down() {
    check("src/core", &[], &CORE);
}

#[test]
fn imports_of_the_emulator_go_down() {
    check("src/emulate", &[], &EMULATOR);
}

#[test]
fn imports_are_found_however_they_are_written() {
    let found = |code: &str| imported(code).collect::<Vec<_>>();
    assert_eq!(found("use crate::view::{Boards, View};"), ["view"]);
    assert_eq!(found("use crate::{\n    config::{Config, self},\n    http,\n};"), ["config", "http"]);
    assert_eq!(found("let x = crate::pgn::run(crate::audit::NAME);"), ["pgn", "audit"]);
    assert_eq!(found("pub(crate) fn f() {}"), Vec::<String>::new());
}

/// Checks one crate.
#[track_caller]
fn check(directory: &str, crates: &[&str], layers: &[&[&str]]) {
    let ranks: BTreeMap<&str, usize> = layers
        .iter()
        .enumerate()
        .flat_map(|(rank, modules)| modules.iter().map(move |module| (*module, rank)))
        .collect();
    let rank = |module: &str| {
        let found = ranks.get(module).copied();
        found.unwrap_or_else(|| panic!("{directory}: the module {module} is in no layer of this test"))
    };
    let upwards: Vec<String> = imports(directory, crates)
        .into_iter()
        .filter(|(_, from, to)| rank(from) <= rank(to))
        .map(|(file, _, to)| format!("{file} imports {to}"))
        .collect();
    assert!(
        upwards.is_empty(),
        "imports go down the layers; what both need belongs below:\n{}",
        upwards.join("\n")
    );
}

/// Returns the imports of a crate that lead from one of its top-level modules to another.
fn imports(directory: &str, crates: &[&str]) -> Vec<Import> {
    let mut found = Vec::new();
    for file in sources(directory) {
        let path = relative(&file);
        let foreign = crates.iter().any(|other| Path::new(&path).starts_with(other));
        let module = path.trim_start_matches(directory).trim_matches('/').split(['/', '.']).next();
        let module = module.unwrap_or_default().to_owned();
        if foreign || is_test(&path) || ["lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let text = fs::read_to_string(root().join(&file)).unwrap();
        let code = without_comments(before_tests(&text));
        let others = imported(&code).filter(|to| *to != module);
        found.extend(others.map(|to| (path.clone(), module.clone(), to)));
    }
    found
}

/// Returns the top-level modules that code names after `crate::`.
fn imported(code: &str) -> impl Iterator<Item = String> {
    code.match_indices("crate::").flat_map(|(start, prefix)| {
        let rest = code.get(start + prefix.len()..).unwrap_or_default();
        if !rest.starts_with('{') {
            return vec![first_name(rest)];
        }
        let mut depth = 0_usize;
        let mut names = vec![String::new()];
        for c in rest.chars() {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 1 => names.push(String::new()),
                c if depth == 1 => names.last_mut().unwrap().push(c),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        names.iter().map(|name| first_name(name)).filter(|name| !name.is_empty()).collect()
    })
}

fn first_name(text: &str) -> String {
    text.trim().chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect()
}
