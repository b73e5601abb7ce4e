//! Known weaknesses of the crates in `Cargo.lock`, by the dated copy of what the list of `RustSec` says of them, `tests/advisories.txt`.
//!
//! `tests/advisories` brings the copy up to date. What `deny.toml` ignores is ignored here.

use std::{collections::BTreeSet, env, fmt::Write as _, fs, path::Path, process::Command};

use semver::{Version, VersionReq};
use toml::{Table, Value};

const COPY: &str = "tests/advisories.txt";

/// What the list says of one weakness.
struct Advisory {
    id: String,
    name: String,
    /// Versions that do not have it: those that are mended, and those that never had it.
    free: Vec<VersionReq>,
}

impl Advisory {
    /// Reads a line of the copy: identifier, crate, and the versions without the weakness.
    fn parse(line: &str) -> Self {
        let mut words = line.splitn(3, ' ');
        let mut word = || words.next().unwrap_or_default();
        let (id, name, free) = (word().to_owned(), word().to_owned(), word());
        let free = free.split(" | ").filter(|range| !range.is_empty());
        Self { id, name, free: free.map(|range| range.parse().expect(line)).collect() }
    }

    fn is_in(&self, (name, version): &(String, Version)) -> bool {
        self.name == *name && !self.free.iter().any(|range| range.matches(version))
    }
}

fn table(path: &str) -> Table {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Returns names and versions of the crates that come from elsewhere.
fn locked() -> Vec<(String, Version)> {
    let lock = table("Cargo.lock");
    let packages =
        lock["package"].as_array().unwrap().iter().filter(|package| package.get("source").is_some());
    let text = |package: &Value, key: &str| package[key].as_str().unwrap().to_owned();
    packages.map(|package| (text(package, "name"), text(package, "version").parse().unwrap())).collect()
}

#[test]
fn no_crate_has_a_known_weakness() {
    let locked = locked();
    let names: BTreeSet<&str> = locked.iter().map(|(name, _)| name.as_str()).collect();
    if let Some(list) = env::var_os("ADVISORY_DB") {
        fs::write(COPY, copied(Path::new(&list), &names)).unwrap();
    }
    let copy = fs::read_to_string(COPY).unwrap();
    let known: BTreeSet<&str> =
        copy.lines().filter_map(|line| line.strip_prefix("# of: ")).flat_map(str::split_whitespace).collect();
    let missing: Vec<&&str> = names.difference(&known).collect();
    assert!(missing.is_empty(), "the copy does not know of {missing:?}: tests/advisories asks for them");
    let deny = table("deny.toml");
    let ignored = deny["advisories"]["ignore"].as_array().unwrap().iter();
    let mut ignored: BTreeSet<&str> = ignored.map(|entry| entry["id"].as_str().unwrap()).collect();
    let mut found = Vec::new();
    for advisory in copy.lines().filter(|line| !line.starts_with('#')).map(Advisory::parse) {
        for krate in locked.iter().filter(|krate| advisory.is_in(krate)) {
            if !ignored.contains(&*advisory.id) {
                found.push(format!("{} {}: {}", krate.0, krate.1, advisory.id));
            }
        }
        if locked.iter().any(|krate| advisory.is_in(krate)) {
            ignored.remove(&*advisory.id);
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
    assert!(ignored.is_empty(), "deny.toml ignores what no crate has: {ignored:?}");
}

/// Returns what a clone of the list says of these crates.
fn copied(list: &Path, names: &BTreeSet<&str>) -> String {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").arg("-C").arg(list).args(arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let date = git(&["log", "-1", "--format=%cs, commit %H"]);
    let mut copy = format!(
        "# What RustSec's list says of the crates in Cargo.lock; {date}# Written by tests/advisories.\n"
    );
    let mut line = String::new();
    for name in names {
        if line.len() + name.len() > 130 {
            writeln!(copy, "# of:{}", std::mem::take(&mut line)).unwrap();
        }
        write!(line, " {name}").unwrap();
    }
    writeln!(copy, "# of:{line}").unwrap();
    for path in git(&["ls-tree", "-r", "--name-only", "HEAD", "crates"]).lines() {
        let name = path.split('/').nth(1).unwrap_or_default();
        if !names.contains(name) {
            continue;
        }
        let text = git(&["show", &format!("HEAD:{path}")]);
        let head: Table = text.split("```").nth(1).unwrap().trim_start_matches("toml").parse().unwrap();
        if head["advisory"].get("withdrawn").is_some() {
            continue;
        }
        let ranges =
            ["patched", "unaffected"].into_iter().filter_map(|key| head["versions"].get(key)?.as_array());
        let ranges: Vec<&str> = ranges.flatten().filter_map(Value::as_str).collect();
        let line = format!("{} {name} {}", head["advisory"]["id"].as_str().unwrap(), ranges.join(" | "));
        writeln!(copy, "{}", line.trim_end()).unwrap();
    }
    copy
}

#[test]
fn a_weakness_is_in_versions_that_are_not_mended() {
    let advisory = Advisory::parse("RUSTSEC-2026-0097 rand >= 0.10.1 | < 0.10.0, >= 0.9.3 | < 0.7.0");
    let has = |version: &str| advisory.is_in(&("rand".to_owned(), version.parse().unwrap()));
    assert!(has("0.7.3") && has("0.10.0"));
    assert!(!has("0.6.9") && !has("0.9.3") && !has("0.10.1"));
    assert!(
        Advisory::parse("RUSTSEC-2020-0036 failure").is_in(&("failure".to_owned(), Version::new(1, 0, 0)))
    );
}
