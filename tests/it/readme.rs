//! What the README shows, compared with what the program does. `UPDATE_EXPECT=1` writes it anew.

use std::{env, fs, path::PathBuf};

use super::support::run;

/// The capture whose alerts the README shows.
const SHOWN: &str = "tests/captures/pawn-left.dgtcap";

#[test]
fn the_rule_table_is_that_of_the_program() {
    check_part("rules", &jadoube_core::rules::readme_table());
}

#[test]
fn the_log_is_one_that_was_produced() {
    let capture = root().join(SHOWN);
    let (status, log, _) = run(&["replay", "--control", "blitz", &capture.display().to_string()], "");
    assert_eq!(status, 0);
    assert!(fs::read_to_string(root().join("README.md")).unwrap().contains(SHOWN));
    check_part("log", &format!("```text\n{}\n```", log.trim_end()));
}

#[test]
fn every_command_it_names_is_there() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let named = readme.split("jadoube ").skip(1).filter_map(|rest| {
        let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
        let commands = [
            "run", "replay", "record", "import", "emulate", "demo", "watch", "boards", "rules", "check",
            "hub",
        ];
        commands.contains(&name.as_str()).then_some(name)
    });
    let mut count = 0;
    for command in named {
        count += 1;
        let (status, help, _) = run(&[&command, "--help"], "");
        assert_eq!(status, 0, "jadoube {command} --help");
        assert!(help.contains("Usage:"), "jadoube {command} --help");
    }
    assert!(count > 5, "the README tells how to use the program");
}

#[test]
fn every_file_it_installs_is_there() {
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let files: Vec<&str> = readme.split('`').filter(|text| text.starts_with("systemd/")).collect();
    let missing: Vec<&&str> = files.iter().filter(|file| !root().join(file).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for entry in fs::read_dir(root().join("systemd")).unwrap() {
        let name = format!("systemd/{}", entry.unwrap().file_name().to_string_lossy());
        assert!(files.contains(&name.as_str()), "the README does not say where {name} goes");
    }
}

/// Compares a part of the README, between `<!-- name -->` and `<!-- /name -->`, with what it has to be.
#[track_caller]
fn check_part(name: &str, expected: &str) {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("\n<!-- /{name} -->"));
    let (before, rest) = readme.split_once(&begin).unwrap();
    // An empty part has no line of its own.
    let (shown, after) = rest.split_once(end.trim_start()).unwrap();
    let shown = shown.trim_end_matches('\n');
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{before}{begin}{expected}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(shown, expected, "README.md, part '{name}'; UPDATE_EXPECT=1 writes it anew");
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
