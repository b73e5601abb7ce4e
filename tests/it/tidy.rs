//! What ARCHITECTURE.md says of the tree, checked: layers, modules, lengths, names.

mod advisories;
mod layers;
mod manual;
mod model;
mod names;
mod refusals;
mod words;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};

/// Lines a file may have; beyond that it is two files.
const LONGEST: usize = 450;

/// The same for a file of tests.
const LONGEST_TESTS: usize = 900;

/// What the top of the tree may hold.
const TOP: [&str; 18] = [
    ".ci",
    ".config",
    ".git",
    ".gitignore",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "SECURITY.md",
    "clippy.toml",
    "deny.toml",
    "protocol",
    "rustfmt.toml",
    "src",
    "systemd",
];

#[test]
fn the_core_knows_nothing_of_the_world() {
    let mut found = Vec::new();
    // Cargo prevents imports that the manifest does not name; the standard library has to be checked here.
    for file in sources("src/core") {
        let path = relative(&file);
        // What runs at the build only may read files.
        if is_test(&path) || path == "src/core/build.rs" {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = without_comments(before_tests(&text));
        let mut worldly: Vec<&str> =
            ["Instant", "SystemTime", "println!"].into_iter().filter(|word| code.contains(word)).collect();
        worldly.extend(
            ["fs", "net", "thread", "process", "env", "os"].into_iter().filter(|name| uses_std(&code, name)),
        );
        if !worldly.is_empty() {
            found.push(format!("{path}: {}", worldly.join(", ")));
        }
    }
    assert!(
        found.is_empty(),
        "the core gets time and bytes as arguments and gives events:\n{}",
        found.join("\n")
    );
}

#[test]
fn std_is_found_however_it_is_imported() {
    assert!(uses_std("use std::fs;", "fs"));
    assert!(uses_std("use std::{\n    collections::BTreeMap,\n    fs::{self, File},\n};", "fs"));
    assert!(uses_std("std::net::TcpStream::connect(x)", "net"));
    assert!(!uses_std("use std::{fmt, sync::Arc};", "fs"));
    assert!(!uses_std("use crate::{net, fs};", "fs"));
}

#[test]
fn the_protocol_crate_stands_alone() {
    let manifest = fs::read_to_string(root().join("protocol/Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dependencies]").nth(1).unwrap_or_default();
    let lines = dependencies.lines().take_while(|line| !line.starts_with('['));
    let named: Vec<&str> = lines.filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    assert!(named.is_empty(), "protocol/ depends on nothing, not on {named:?}");
    let lib = fs::read_to_string(root().join("protocol/src/lib.rs")).unwrap();
    assert!(lib.contains("no_std"), "protocol/ does without std");
}

#[test]
fn every_module_says_what_it_owns() {
    // A file of tests belongs to the module beside it.
    let all = ["src", "protocol/src", "tests/it", "protocol/tests"].into_iter().flat_map(sources);
    let silent: Vec<String> = all
        .filter(|file| file.file_name().is_some_and(|name| name != "tests.rs"))
        .filter(|file| !fs::read_to_string(file).unwrap().starts_with("//! "))
        .map(|file| relative(&file))
        .collect();
    assert!(silent.is_empty(), "a file begins with '//!' and what it owns: {silent:?}");
}

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for file in ["src", "protocol/src", "tests/it"].into_iter().flat_map(sources) {
        let path = relative(&file);
        let limit = if is_test(&path) { LONGEST_TESTS } else { LONGEST };
        let lines = fs::read_to_string(&file).unwrap().lines().count();
        if lines > limit {
            long.push(format!("{path}: {lines} lines, {limit} at most"));
        }
    }
    assert!(long.is_empty(), "split by concept, foo.rs and foo/bar.rs:\n{}", long.join("\n"));
}

#[test]
fn every_rule_is_in_the_table() {
    let list = fs::read_to_string(root().join("src/core/rules.rs")).unwrap();
    let files: BTreeSet<String> = sources("src/core/rules")
        .into_iter()
        .filter(|file| fs::read_to_string(file).unwrap().contains("const SPEC:") && !is_test(&relative(file)))
        .map(|file| file.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    let listed: BTreeSet<String> =
        list.lines().filter_map(|line| line.trim().strip_suffix("::SPEC,")).map(str::to_owned).collect();
    assert_eq!(files, listed, "a rule is a file in src/core/rules and a line in ALL");
    assert_eq!(listed.len(), jadoube_core::rules::ALL.len());
}

#[test]
fn the_top_of_the_tree_is_short() {
    let strange: Vec<String> = fs::read_dir(root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .filter(|name| !TOP.contains(&name.as_str()) && !["target", "tests"].contains(&name.as_str()))
        .collect();
    assert!(strange.is_empty(), "what are these for? {strange:?}");
}

#[test]
fn nothing_names_a_place_on_some_machine() {
    // Assembled from parts, so that this file is not found itself.
    let places = [["/wo", "rk/"].concat(), ["/fa", "rm/"].concat(), ["/tmp/ba", "sh_jobs"].concat()];
    let mut found = Vec::new();
    for file in everything() {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        for (number, line) in text.lines().enumerate() {
            if places.iter().any(|place| line.contains(place.as_str())) {
                found.push(format!("{}:{}: {line}", relative(&file), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn nothing_is_left_to_be_done_later() {
    let words = [["to", "do!("].concat(), ["unimple", "mented!("].concat(), ["FIX", "ME"].concat()];
    let mut found = Vec::new();
    for file in ["src", "protocol", "tests"].into_iter().flat_map(sources) {
        for (number, line) in fs::read_to_string(&file).unwrap().lines().enumerate() {
            let ignored = line.trim() == ["#[ig", "nore]"].concat();
            if ignored || words.iter().any(|word| line.contains(word.as_str())) {
                found.push(format!("{}:{}: {line}", relative(&file), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn the_map_is_true() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    assert!(map.lines().count() <= 170, "ARCHITECTURE.md is read in ten minutes");
    let mut wrong: Vec<String> = map.lines().flat_map(wrong_names).collect();
    let modules = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    // What lies elsewhere is of the tests.
    let modules = modules.replace("\"]\nmod ", "\"] ");
    for module in modules.lines().filter_map(|line| line.trim().strip_suffix(';')?.rsplit(' ').next()) {
        if modules.contains(&format!("mod {module};")) && !map.contains(&format!("`src/{module}.rs`")) {
            wrong.push(format!("src/{module}.rs is missing on the map"));
        }
    }
    assert!(wrong.is_empty(), "ARCHITECTURE.md:\n{}", wrong.join("\n"));
}

/// Every promise names the test that keeps it: a file and the test in it, or a step.
#[test]
fn every_promise_has_its_test() {
    let page = fs::read_to_string(root().join("tests/THREATS.md")).unwrap();
    let mut wrong: Vec<String> = page.lines().flat_map(wrong_names).collect();
    let mut promises = 0;
    let mut is_promised = false;
    for line in page.lines() {
        is_promised = if line.starts_with('|') { is_promised || line.ends_with("| test |") } else { false };
        if !is_promised || line.ends_with("| test |") || line.starts_with("|---") {
            continue;
        }
        promises += 1;
        let tests = line.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let named: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        if named.is_empty() {
            wrong.push(format!("no test keeps: {line}"));
        }
        for (index, file) in named.iter().enumerate() {
            let is_code = Path::new(file).extension().is_some_and(|extension| extension == "rs");
            if is_code && !named.get(index + 1).is_some_and(|name| is_function(name)) {
                wrong.push(format!("which test of {file} keeps this? {line}"));
            }
        }
    }
    assert!(promises > 40, "only {promises} promises were found");
    assert!(wrong.is_empty(), "tests/THREATS.md:\n{}", wrong.join("\n"));
}

/// Returns what a line of a page names and is not there: files, and the tests behind them.
fn wrong_names(line: &str) -> Vec<String> {
    let named: Vec<&str> = line.split('`').skip(1).step_by(2).collect();
    let places = ["src/", "tests/", "protocol/", "systemd/"];
    let missing = named.iter().filter(|name| places.iter().any(|place| name.starts_with(place)));
    let missing =
        missing.filter(|name| !root().join(name).exists()).map(|name| format!("there is no {name}"));
    let without = named.windows(2).filter_map(|pair| {
        let [file, name] = pair else { return None };
        let text = fs::read_to_string(root().join(file)).unwrap_or_default();
        let has_tests = file.contains("tests") || text.contains("#[cfg(test)]");
        let is_missing = has_tests && is_function(name) && !text.contains(&format!("fn {name}("));
        is_missing.then(|| format!("{file} has no test {name}"))
    });
    missing.chain(without).collect()
}

fn is_function(name: &str) -> bool {
    name.contains('_') && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

#[test]
fn every_section_that_is_cited_exists() {
    let page = fs::read_to_string(root().join("protocol/PROTOCOL.md")).unwrap();
    let headings: BTreeSet<String> =
        page.lines().filter(|line| line.starts_with('#')).flat_map(section_numbers).collect();
    assert!(headings.contains("4.3"), "no numbered headings: {headings:?}");
    let mut wrong = Vec::new();
    // References inside the page are plain; comments in the code name the protocol.
    for number in page.lines().filter(|line| !line.starts_with('#')).flat_map(|line| cited(line, "section")) {
        if !headings.contains(&number) {
            wrong.push(format!("protocol/PROTOCOL.md: section {number}"));
        }
    }
    for file in ["src", "protocol", "tests"].into_iter().flat_map(sources) {
        // A citation may go on in the next line.
        let text = fs::read_to_string(&file).unwrap();
        let comments: Vec<&str> =
            text.lines().map(|line| line.trim().trim_start_matches(['/', '!', ' '])).collect();
        let comments = comments.join(" ").to_lowercase();
        for number in cited(&comments, "protocol section").into_iter().filter(|it| !headings.contains(it)) {
            wrong.push(format!("{}: protocol section {number}", relative(&file)));
        }
    }
    assert!(wrong.is_empty(), "protocol/PROTOCOL.md has no such section:\n{}", wrong.join("\n"));
}

#[test]
fn citations_are_found() {
    assert_eq!(
        cited("(protocol section 4.3). protocol sections 1.3 and 2,", "protocol section"),
        ["4.3", "1.3", "2"]
    );
    assert!(cited("the protocol section of a file", "protocol section").is_empty());
}

/// Returns the numbers behind a word, such as `4.3` in `section 4.3` and both in `sections 1.3 and 2`.
fn cited(text: &str, word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in text.split(word).skip(1) {
        let mut words = rest.strip_prefix('s').unwrap_or(rest).split_whitespace();
        found.extend(words.next().into_iter().flat_map(section_numbers));
        while words.next() == Some("and") {
            found.extend(words.next().into_iter().flat_map(section_numbers));
        }
    }
    found
}

/// Returns the words of a line that are section numbers.
fn section_numbers(line: &str) -> Vec<String> {
    let words = line.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_ascii_digit()));
    words
        .filter(|word| {
            word.split('.')
                .all(|part| !part.is_empty() && part.len() < 3 && part.bytes().all(|b| b.is_ascii_digit()))
        })
        .map(str::to_owned)
        .collect()
}

/// Returns whether code names a module of the standard library, by its path or in a list of imports.
fn uses_std(code: &str, module: &str) -> bool {
    if code.contains(&format!("std::{module}::")) || code.contains(&format!("use std::{module};")) {
        return true;
    }
    code.match_indices("use std::{").any(|(start, _)| {
        let list = code.get(start..).unwrap_or_default();
        let list = list.split(';').next().unwrap_or_default();
        // Names after an inner brace belong to another module.
        let mut depth = 0_u32;
        let mut name = String::new();
        let mut names = Vec::new();
        for c in list.chars().skip("use std::".len()) {
            match c {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                ',' if depth == 1 => names.push(std::mem::take(&mut name)),
                c if depth == 1 => name.push(c),
                _ => {}
            }
        }
        names.push(name);
        names.iter().any(|name| name.trim().split("::").next() == Some(module))
    })
}

fn without_comments(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// Returns what stands before the tests in a file.
fn before_tests(text: &str) -> &str {
    text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text)
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.ends_with("/tests.rs") || path.contains("/tests/")
}

fn sources(directory: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join(directory), &mut files);
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    files
}

/// Returns every file that is part of the tree, and not what was built from it.
fn everything() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for top in TOP.iter().chain(["tests"].iter()).filter(|top| !top.starts_with(".git")) {
        collect(&root().join(top), &mut files);
    }
    files
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_file() {
        files.push(path.to_owned());
    }
    let Ok(entries) = fs::read_dir(path) else { return };
    for entry in entries {
        let entry = entry.unwrap().path();
        if entry.file_name().is_none_or(|name| name != "target" && name != "node_modules") {
            collect(&entry, files);
        }
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn relative(file: &Path) -> String {
    file.strip_prefix(root()).unwrap().display().to_string()
}
