//! Layers of the modules inside a crate: imports go down, and never back up or in a circle.
//!
//! Between crates cargo sees to that.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use super::{before_tests, is_test, relative, root, sources, without_comments};

/// An import, by file and the top-level modules on both sides.
type Import = (String, String, String);

/// The modules of the program, the lowest layer first; modules of one layer do not know each other.
const PROGRAM: [&[&str]; 11] = [
    &["config", "published"],
    &["metrics"],
    &["accounts", "audit", "desk", "pairings", "view"],
    &["rounds"],
    &["service", "sinks"],
    &["port"],
    &["lichess", "mqtt", "notify", "pgn"],
    &["http"],
    &["hub", "livechess"],
    &["daemon"],
    &["cli"],
];

/// The modules of the core, likewise.
const CORE: [&[&str]; 14] = [
    &["code", "printable", "score", "side", "time"],
    &["laws", "position"],
    &["words"],
    &["alert"],
    &["model", "order", "settings"],
    &["event"],
    &["capture", "clock", "fact"],
    &["game"],
    &["decoder"],
    &["tracker"],
    &["rules"],
    &["board"],
    &["line"],
    &["replay"],
];

/// The modules of the virtual boards, likewise.
const EMULATOR: [&[&str]; 7] = [
    &["incident", "random", "wire"],
    &["clock", "games", "hostile"],
    &["truth"],
    &["board", "people"],
    &["table"],
    &["simulate"],
    &["hall"],
];

/// The directories of the crates, and those of other crates inside them.
const CRATES: [(&str, &[&str]); 5] = [
    ("src", &["src/core", "src/emulate", "src/runtime"]),
    ("src/core", &[]),
    ("src/emulate", &[]),
    ("src/runtime", &[]),
    ("protocol/src", &[]),
];

#[test]
fn imports_of_the_program_go_down() {
    let [(directory, foreign), ..] = CRATES;
    check(directory, foreign, &PROGRAM);
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
fn the_layers_are_those_of_the_map() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let map = map.split_whitespace().collect::<Vec<_>>().join(" ");
    for (name, layers) in
        [("jadoube", PROGRAM.as_slice()), ("jadoube-core", &CORE), ("jadoube-emulate", &EMULATOR)]
    {
        let drawn: Vec<String> = layers.iter().map(|modules| modules.join(", ")).collect();
        let drawn = format!("{name} {}", drawn.join(" → "));
        assert!(map.contains(&drawn), "ARCHITECTURE.md does not draw: {drawn}");
    }
}

#[test]
fn an_import_upwards_is_found() {
    let import = |from: &str, to: &str| ("file.rs".to_owned(), from.to_owned(), to.to_owned());
    let layers: [&[&str]; 2] = [&["low", "beside"], &["high"]];
    assert_eq!(upwards("src", vec![import("high", "low")], &layers), Vec::<String>::new());
    assert_eq!(upwards("src", vec![import("low", "high")], &layers), ["file.rs imports high"]);
    assert_eq!(upwards("src", vec![import("low", "beside")], &layers), ["file.rs imports beside"]);
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    for (directory, foreign) in CRATES {
        let circles = circles(&siblings(directory, foreign));
        assert!(
            circles.is_empty(),
            "{directory}: what both need belongs into a third:\n{}",
            circles.join("\n")
        );
    }
}

#[test]
fn circles_are_found() {
    let import = |from: &str, to: &str| (from.to_owned(), to.to_owned());
    let imports: BTreeSet<_> =
        [import("a", "b"), import("b", "c"), import("c", "b"), import("c", "d")].into();
    assert_eq!(circles(&imports), ["b imports c", "c imports b"]);
}

#[test]
fn imports_are_found_however_they_are_written() {
    let found = |code: &str| -> Vec<String> { paths(code).iter().map(|path| path.join("::")).collect() };
    assert_eq!(found("use crate::view::{Boards, View};"), ["crate::view::Boards", "crate::view::View"]);
    assert_eq!(
        found("use crate::{\n    config::{Config, self},\n    http,\n};"),
        ["crate::config::Config", "crate::config::self", "crate::http"]
    );
    assert_eq!(
        found("let x = crate::pgn::run(crate::audit::NAME);"),
        ["crate::pgn::run", "crate::audit::NAME"]
    );
    assert_eq!(
        found("use super::{super::text::Phrase, Rule};"),
        ["super::super::text::Phrase", "super::Rule"]
    );
    assert_eq!(found("pub(crate) fn f() {}"), Vec::<String>::new());
}

/// Checks one crate.
#[track_caller]
fn check(directory: &str, foreign: &[&str], layers: &[&[&str]]) {
    let upwards = upwards(directory, imports(directory, foreign), layers);
    assert!(
        upwards.is_empty(),
        "imports go down the layers; what both need belongs below:\n{}",
        upwards.join("\n")
    );
}

/// Returns the imports that do not lead to a lower layer.
#[track_caller]
fn upwards(directory: &str, imports: Vec<Import>, layers: &[&[&str]]) -> Vec<String> {
    let ranks: BTreeMap<&str, usize> = layers
        .iter()
        .enumerate()
        .flat_map(|(rank, modules)| modules.iter().map(move |module| (*module, rank)))
        .collect();
    let rank = |module: &str| {
        let found = ranks.get(module).copied();
        found.unwrap_or_else(|| panic!("{directory}: the module {module} is in no layer of this test"))
    };
    let up = imports.into_iter().filter(|(_, from, to)| rank(from) <= rank(to));
    up.map(|(file, _, to)| format!("{file} imports {to}")).collect()
}

/// Returns the imports of a crate that lead from one of its top-level modules to another.
fn imports(directory: &str, foreign: &[&str]) -> Vec<Import> {
    let mut found = Vec::new();
    for (file, module, code) in modules(directory, foreign) {
        let Some(own) = module.first().filter(|own| !["lib", "main"].contains(&own.as_str())) else {
            continue;
        };
        let absolute =
            paths(&code).into_iter().filter(|path| path.first().is_some_and(|root| root == "crate"));
        let others = absolute.filter_map(|path| path.into_iter().nth(1)).filter(|to| to != own);
        found.extend(others.map(|to| (file.clone(), own.clone(), to)));
    }
    found
}

/// Returns the imports of a crate between modules with the same parent, by their paths in the crate.
fn siblings(directory: &str, foreign: &[&str]) -> BTreeSet<(String, String)> {
    let modules = modules(directory, foreign);
    let known: BTreeSet<&[String]> = modules.iter().map(|(_, module, _)| module.as_slice()).collect();
    let mut found = BTreeSet::new();
    for (_, module, code) in &modules {
        for path in paths(code) {
            let ups = path.iter().take_while(|name| *name == "super").count();
            let base = if ups == 0 { 0 } else { module.len().saturating_sub(ups) };
            let names = path.into_iter().skip(ups.max(1));
            let target: Vec<String> = module.iter().take(base).cloned().chain(names).collect();
            let shared = module.iter().zip(&target).take_while(|(a, b)| a == b).count();
            let (Some(from), Some(to)) = (module.get(..=shared), target.get(..=shared)) else { continue };
            if known.contains(to) {
                found.insert((from.join("::"), to.join("::")));
            }
        }
    }
    found
}

/// Returns the imports that are part of a circle, or lie between circles.
fn circles(imports: &BTreeSet<(String, String)>) -> Vec<String> {
    let mut left = imports.clone();
    loop {
        let importing: BTreeSet<String> = left.iter().map(|(from, _)| from.clone()).collect();
        let imported: BTreeSet<String> = left.iter().map(|(_, to)| to.clone()).collect();
        let before = left.len();
        left.retain(|(from, to)| importing.contains(to) && imported.contains(from));
        if left.len() == before {
            return left.into_iter().map(|(from, to)| format!("{from} imports {to}")).collect();
        }
    }
}

/// Returns the files of a crate without their tests: name, path of the module, code.
fn modules(directory: &str, foreign: &[&str]) -> Vec<(String, Vec<String>, String)> {
    let mut found = Vec::new();
    for file in sources(directory) {
        let path = relative(&file);
        if foreign.iter().any(|other| Path::new(&path).starts_with(other)) || is_test(&path) {
            continue;
        }
        let module = path.trim_start_matches(directory).trim_matches('/').trim_end_matches(".rs");
        let module = module.split('/').map(str::to_owned).collect();
        let text = fs::read_to_string(root().join(&file)).unwrap();
        found.push((path, module, without_comments(before_tests(&text))));
    }
    found
}

/// Returns the paths in code that begin with `crate` or `super`, one for each name in braces.
fn paths(code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut rest = code;
    let mut inside = false;
    while let Some(c) = rest.chars().next() {
        if !inside && ["crate::", "super::"].iter().any(|start| rest.starts_with(start)) {
            rest = tree(rest, &[], &mut found);
            continue;
        }
        inside = c.is_ascii_alphanumeric() || c == '_';
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    found
}

/// Reads one path, or the paths in braces, after what comes before them; returns the rest of the code.
fn tree<'a>(code: &'a str, before: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let code = code.trim_start();
    if let Some(mut rest) = code.strip_prefix('{') {
        loop {
            rest = rest.trim_start_matches([',', ' ', '\n']);
            if rest.is_empty() {
                return rest;
            }
            if let Some(after) = rest.strip_prefix('}') {
                return after;
            }
            let after = tree(rest, before, found);
            // What is no path, as the body of a macro, is passed over.
            rest = if after.len() == rest.len() { rest.get(1..).unwrap_or_default() } else { after };
        }
    }
    let end = code.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(code.len());
    let (name, rest) = code.split_at(end);
    let mut path = before.to_vec();
    if !name.is_empty() {
        path.push(name.to_owned());
    }
    if let Some(rest) = rest.strip_prefix("::") {
        return tree(rest, &path, found);
    }
    found.push(path);
    rest
}
