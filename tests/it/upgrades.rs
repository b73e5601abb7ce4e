//! State that earlier versions have left is read, and what a newer one has left is not touched.

use std::{collections::BTreeMap, fs, os::unix::fs::PermissionsExt as _, path::Path};

use jadoube::config::Config;

use crate::support::{Hall, Reserved, run};

/// States, each as the version in its name has left it.
const STATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/state");

/// The TCP ports of its boards.
const PORTS: [&str; 2] = ["47301", "47302"];

/// A hall with the kept state, at whose ports nobody answers.
struct Kept {
    hall: Hall,
    /// In the place of the ports that the state names, which another program may use.
    ports: [Reserved; 2],
}

impl Kept {
    fn new() -> Self {
        Self::of("0.1.0")
    }

    fn of(version: &str) -> Self {
        let ports = [Reserved::new(), Reserved::new()];
        let listed =
            ports.each_ref().map(|port| format!("[[port]]\npath = 'tcp://{}'\n", port.address)).concat();
        let hall = Hall::new(&format!("[event]\ncontrol = 'blitz'\n[ports]\nscan = []\n{listed}"));
        let kept = Self { hall, ports };
        kept.copy(&Path::new(STATES).join(version), kept.hall.dir.path());
        kept
    }

    fn copy(&self, from: &Path, to: &Path) {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let target = to.join(self.at_our_ports(entry.file_name().to_str().unwrap()));
            if entry.path().is_dir() {
                self.copy(&entry.path(), &target);
            } else {
                fs::copy(entry.path(), &target).unwrap();
                fs::write(&target, self.at_our_ports(&fs::read_to_string(entry.path()).unwrap())).unwrap();
                // Which git does not keep: secrets that others could read count for nothing.
                fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
            }
        }
    }

    fn at_our_ports(&self, text: &str) -> String {
        PORTS
            .iter()
            .zip(&self.ports)
            .fold(text.to_owned(), |text, (old, port)| text.replace(old, &port.address.port().to_string()))
    }
}

#[test]
fn the_state_of_0_1_0_is_read() {
    let mut kept = Kept::new();
    let hall = &mut kept.hall;
    let before = hall.log("events.jsonl");
    let config = hall.dir.path().join("jadoube.toml");
    let (status, boards, stderr) = run(&["boards", "--config", config.to_str().unwrap()], "");
    assert_eq!(status, 0, "{stderr}");
    assert!(boards.contains("01025") && boards.contains("01026"), "{boards}");
    for capture in hall.captures() {
        let capture = capture.to_str().unwrap();
        let (status, events, _) = run(&["replay", "--format", "jsonl", "--control", "blitz", capture], "");
        assert_eq!(status, 0);
        for event in events.lines().filter(|line| line.contains("\"completed\":true")) {
            // The log has the same, and when it became known.
            let reported = event.trim_start_matches('{').trim_end_matches('}');
            let (_, content) = reported.split_once(',').unwrap();
            assert!(before.contains(content), "{content}");
        }
    }
    hall.start();
    assert_eq!(hall.stop(), 0);
    assert!(hall.log("events.jsonl").starts_with(&before), "what was logged stays");
    assert_eq!(fs::read_to_string(hall.dir.path().join("state/format")).unwrap(), "1\n");
}

#[test]
fn the_state_of_0_2_0_is_read() {
    let mut kept = Kept::of("0.2.0");
    let hall = &mut kept.hall;
    let before = hall.log("events.jsonl");
    hall.start();
    assert_eq!(hall.stop(), 0);
    assert!(hall.log("events.jsonl").starts_with(&before), "what was logged stays");
    let config = hall.dir.path().join("jadoube.toml").display().to_string();
    let check = |args: &[&str], expected: &[&str]| {
        let (status, said, stderr) = run(&[args, &["--config", &config]].concat(), "");
        assert!(status == 0 && expected.iter().all(|text| said.contains(text)), "{args:?}: {said}{stderr}");
    };
    check(&["boards"], &["01025", "01026"]);
    check(
        &["arbiter", "list"],
        &["Ada                      sector  tables 1 ", "Bob                      chief   tables all"],
    );
    check(&["audit"], &["6 entries are as they were written"]);
    let state = hall.dir.path().join("state");
    let round = fs::read_to_string(state.join("rounds/round-1.json")).unwrap();
    assert!(round.contains("Doe, J") && round.contains("Coe, C"), "{round}");
    let damaged = fs::read_dir(&state).unwrap().map(|entry| entry.unwrap().file_name());
    let damaged: Vec<_> = damaged.filter(|name| name.to_string_lossy().contains("damaged")).collect();
    assert!(damaged.is_empty(), "{damaged:?}");
}

#[test]
fn what_a_log_of_0_1_0_lacks_is_written_once() {
    let mut kept = Kept::new();
    let hall = &mut kept.hall;
    let log = hall.dir.path().join("log/events.jsonl");
    let whole = hall.log("events.jsonl");
    // 0.1.0 was killed, and the next start is one of this version.
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    let kept = lines.len() - 40;
    fs::write(&log, lines[..kept].concat()).unwrap();
    // Nobody answers at the ports, so the captures end where they did.
    for _ in 0..2 {
        hall.start();
        assert_eq!(hall.stop(), 0);
    }
    let contents = |text: &str| -> BTreeMap<String, usize> {
        let mut contents = BTreeMap::new();
        for line in text.lines().filter(|line| {
            ["lift", "place", "move", "alert"]
                .iter()
                .any(|name| line.contains(&format!("\"event\":\"{name}\"")))
        }) {
            let content = line.rsplit_once(",\"at\":").unwrap().0;
            let content = content.split_once(",\"capture\":").map_or(content, |(content, _)| content);
            *contents.entry(content.to_owned()).or_default() += 1;
        }
        contents
    };
    assert_eq!(contents(&hall.log("events.jsonl")), contents(&whole));
}

#[test]
fn a_configuration_of_0_1_0_is_read() {
    // The example has every key that 0.1.0 knew, in a comment; a package that is updated keeps the configuration.
    let example = fs::read_to_string(Path::new(STATES).join("0.1.0/etc/jadoube.toml")).unwrap();
    let is_key = |text: &str| {
        text.starts_with('[')
            || text.split_once(" = ").is_some_and(|(key, _)| {
                key.chars().all(|c| c.is_ascii_lowercase() || matches!(c, '0'..='9' | '_'))
            })
    };
    let uncommented = |line: &str| match line.strip_prefix('#') {
        Some(text) if is_key(text) => text.to_owned() + "\n",
        _ => line.to_owned() + "\n",
    };
    let all: String = example.lines().map(uncommented).collect();
    for text in [&example, &all] {
        Config::parse("jadoube.toml", text, &[]).unwrap();
    }
    let config = Config::parse("jadoube.toml", &all, &[]).unwrap();
    assert!(config.event.time_control.is_some(), "the comments are keys");
    assert!(config.mqtt.is_some() && config.lichess.is_some() && config.pgn.is_some());
}

#[test]
fn a_downgrade_is_refused_with_a_reason() {
    let kept = Kept::new();
    let hall = &kept.hall;
    let before = hall.log("events.jsonl");
    fs::write(hall.dir.path().join("state/format"), "2\n").unwrap();
    let config = hall.dir.path().join("jadoube.toml");
    let (status, _, stderr) = run(&["run", "--config", config.to_str().unwrap()], "");
    assert_eq!(status, 78, "{stderr}");
    assert!(stderr.contains("a newer jadoube has written this (format 2, this one knows 1)"), "{stderr}");
    assert_eq!(hall.log("events.jsonl"), before);
}
