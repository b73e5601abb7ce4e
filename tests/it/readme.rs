//! The README and the pages beside the code, compared with the program. `UPDATE_EXPECT=1` rewrites them.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use super::support::run;

/// The page with the table of rules.
const RULES: &str = "src/core/rules/README.md";

/// The capture whose alerts that page shows.
const SHOWN: &str = "tests/captures/pawn-left.dgtcap";

/// Lines that the README may have.
const SCREENFUL: usize = 110;

#[test]
fn the_rule_table_is_that_of_the_program() {
    check_part(RULES, "rules", &jadoube_core::rules::readme_table());
}

#[test]
fn the_log_is_one_that_was_produced() {
    let capture = root().join(SHOWN);
    let (status, log, _) = run(&["replay", "--control", "blitz", &capture.display().to_string()], "");
    assert_eq!(status, 0);
    assert!(page(RULES).contains(SHOWN));
    check_part(RULES, "log", &format!("```text\n{}\n```", log.trim_end()));
}

#[test]
fn every_command_it_names_is_there() {
    let readme = page("README.md");
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
    assert!(count > 5, "the README says how to use the program");
}

#[test]
fn every_file_that_is_installed_is_there() {
    let readme = page("systemd/README.md");
    let files: Vec<&str> = readme.split('`').filter(|text| text.starts_with("systemd/")).collect();
    let missing: Vec<&&str> = files.iter().filter(|file| !root().join(file).exists()).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for entry in fs::read_dir(root().join("systemd")).unwrap() {
        let name = format!("systemd/{}", entry.unwrap().file_name().to_string_lossy());
        let is_page = is_page(Path::new(&name));
        assert!(
            is_page || files.contains(&name.as_str()),
            "systemd/README.md does not say where {name} goes"
        );
    }
}

#[test]
fn the_configuration_it_shows_is_valid() {
    let readme = page("README.md");
    let (_, rest) = readme.split_once("```toml\n").unwrap();
    let (config, _) = rest.split_once("```").unwrap();
    assert_eq!(config.lines().count(), 5, "a first configuration is short");
    let (status, remarks, errors) = run(&["check", "--config", "-"], config);
    assert_eq!((status, errors.as_str()), (0, ""), "{remarks}");
}

#[test]
fn it_is_one_screenful() {
    let lines = page("README.md").lines().count();
    assert!(lines <= SCREENFUL, "README.md has {lines} lines; what is long goes into a page beside its code");
}

#[test]
fn every_page_is_linked_and_packaged() {
    let linked = links("README.md");
    let manifest = page("Cargo.toml");
    for link in linked.iter().filter(|link| is_page(Path::new(link)) || link.contains("/screenshots/")) {
        let is_packaged = manifest.contains(&format!("[\"{link}\", "))
            || link.contains("/screenshots/") && manifest.contains("\"src/desk/screenshots/*\"");
        assert!(is_packaged, "{link} is not in the Debian package, see Cargo.toml");
    }
    for directory in ["src", "systemd", "tests"] {
        for file in pages(&root().join(directory)) {
            let name = file.strip_prefix(root()).unwrap().display().to_string();
            assert!(linked.contains(&name), "README.md has no link to {name}");
        }
    }
}

/// Returns the files that a page at the top of the tree links to.
fn links(name: &str) -> BTreeSet<String> {
    let text = page(name);
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split([')', '#']).next());
    targets.filter(|target| !target.is_empty() && !target.contains("://")).map(str::to_owned).collect()
}

/// Returns the pages below a directory.
fn pages(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let (directories, files): (Vec<_>, Vec<_>) = entries.partition(|path| path.is_dir());
    let below = directories.iter().flat_map(|directory| pages(directory));
    files.into_iter().filter(|file| is_page(file)).chain(below).collect()
}

fn is_page(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "md")
}

/// Compares a part of a page, between `<!-- name -->` and `<!-- /name -->`, with what it has to be.
#[track_caller]
fn check_part(file: &str, name: &str, expected: &str) {
    let text = page(file);
    let (begin, end) = (format!("<!-- {name} -->\n"), format!("\n<!-- /{name} -->"));
    let (before, rest) = text.split_once(&begin).unwrap();
    // An empty part has no line of its own.
    let (shown, after) = rest.split_once(end.trim_start()).unwrap();
    let shown = shown.trim_end_matches('\n');
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(root().join(file), format!("{before}{begin}{expected}{end}{after}")).unwrap();
        return;
    }
    assert_eq!(shown, expected, "{file}, part '{name}'; UPDATE_EXPECT=1 rewrites it");
}

fn page(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap()
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
