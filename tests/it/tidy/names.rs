//! Names of functions, those of tests above all, say area and change as briefly as titles of commits.

use std::fs;

use super::{relative, sources};

/// Characters a name may have.
const LONGEST: usize = 60;

#[test]
fn names_are_short() {
    let mut long = Vec::new();
    for file in ["src", "protocol", "tests"].into_iter().flat_map(sources) {
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            let Some(name) = name(line).filter(|name| name.len() > LONGEST) else { continue };
            long.push(format!("{}:{}: {name}, {} characters", relative(&file), number + 1, name.len()));
        }
    }
    assert!(long.is_empty(), "at most {LONGEST} characters:\n{}", long.join("\n"));
}

#[test]
fn names_are_found() {
    assert_eq!(name("    fn a_name(of: u8) {"), Some("a_name"));
    assert_eq!(name("pub(crate) async fn another<T>() {"), Some("another"));
    assert_eq!(name("// fn none"), None);
    assert_eq!(name("let function: fn(u8) = f;"), None);
}

/// Returns the name of the function that a line begins.
fn name(line: &str) -> Option<&str> {
    let line = line.split("//").next()?;
    let name = line.split_once("fn ")?.1;
    let end = name.find(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_')?;
    name.get(..end).filter(|name| !name.is_empty())
}
