//! Licences of all that is linked into the program, compared with those that deny.toml allows.
//!
//! `cargo deny` does this and more; this test needs nothing to be installed.

use std::{fs, path::PathBuf, process::Command};

use serde_json::Value;

#[test]
fn everything_linked_is_free_enough() {
    let rules = fs::read_to_string(root().join("deny.toml")).unwrap();
    let allowed = strings_after(&rules, "\nallow = [");
    assert!(allowed.contains(&"GPL-3.0-or-later".to_owned()));
    let metadata = metadata();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100, "cargo metadata lists all packages");
    let mut refused = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap();
        let licence = package["license"].as_str().unwrap_or_default();
        let excepted = rules
            .lines()
            .find(|line| line.contains(&format!("crate = \"{name}\"")))
            .map_or_else(Vec::new, |line| strings_after(line, "allow = ["));
        if !is_met(licence, &|one| allowed.iter().chain(&excepted).any(|it| it == one)) {
            refused.push(format!("{name}: '{licence}'"));
        }
    }
    assert!(refused.is_empty(), "deny.toml allows no such licence:\n{}", refused.join("\n"));
}

#[test]
fn the_text_of_the_licence_is_whole() {
    let text = fs::read_to_string(root().join("LICENSE")).unwrap();
    assert!(text.contains("GNU GENERAL PUBLIC LICENSE\n                       Version 3, 29 June 2007"));
    assert!(text.contains("END OF TERMS AND CONDITIONS"));
    for name in ["LICENSE-APACHE", "LICENSE-MIT"] {
        assert!(root().join("protocol").join(name).exists(), "the protocol crate brings its own {name}");
    }
}

#[test]
fn expressions_are_read_as_spdx_says() {
    let allowed = |one: &str| ["MIT", "Unicode-3.0"].contains(&one);
    for (expression, met) in [
        ("MIT", true),
        ("Apache-2.0", false),
        ("MIT OR Apache-2.0", true),
        ("Apache-2.0/MIT", true),
        ("MIT AND BSD-3-Clause", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT", true),
        ("Apache-2.0 AND MIT OR ISC", false),
        ("", false),
    ] {
        assert_eq!(is_met(expression, &allowed), met, "{expression}");
    }
}

/// Returns whether a licence expression can be satisfied; OR binds weaker than AND.
fn is_met(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (met, rest) = any(&words, allowed);
    met && rest.is_empty()
}

fn any<'a>(words: &'a [&'a str], allowed: &dyn Fn(&str) -> bool) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = all(words, allowed);
    while let ["OR", more @ ..] = rest {
        let (other, after) = all(more, allowed);
        (met, rest) = (met || other, after);
    }
    (met, rest)
}

fn all<'a>(words: &'a [&'a str], allowed: &dyn Fn(&str) -> bool) -> (bool, &'a [&'a str]) {
    let (mut met, mut rest) = one(words, allowed);
    while let ["AND", more @ ..] = rest {
        let (other, after) = one(more, allowed);
        (met, rest) = (met && other, after);
    }
    (met, rest)
}

fn one<'a>(words: &'a [&'a str], allowed: &dyn Fn(&str) -> bool) -> (bool, &'a [&'a str]) {
    match words {
        ["(", inner @ ..] => {
            let (met, rest) = any(inner, allowed);
            (met, rest.strip_prefix(&[")"]).unwrap_or(rest))
        }
        // An exception only permits more.
        [licence, "WITH", _, rest @ ..] | [licence, rest @ ..] => (allowed(licence), rest),
        [] => (false, words),
    }
}

/// Returns the strings of the list that begins with these words.
fn strings_after(text: &str, begin: &str) -> Vec<String> {
    let list = text.split(begin).nth(1).unwrap_or_default().split(']').next().unwrap_or_default();
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The packages that are linked on this platform; only these have been downloaded by the build.
fn metadata() -> Value {
    let about = String::from_utf8(cargo(&["--version", "--verbose"])).unwrap();
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo names its host");
    let arguments = ["metadata", "--format-version", "1", "--locked", "--offline", "--quiet"];
    let metadata = cargo(&[&arguments[..], &["--filter-platform", host]].concat());
    serde_json::from_slice(&metadata).unwrap()
}

fn cargo(arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(env!("CARGO")).args(arguments).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
