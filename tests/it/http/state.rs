//! Files of the state directory that were cut off or overwritten: the daemon starts, says what is lost, and loses no more.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use serde_json::Value;

use super::{ASK_SERIAL, Answer, Desk, ordering};
use crate::support::{Board, run};

/// What the daemon overwrites: it keeps a damaged one as `NAME.damaged`.
const OVERWRITTEN: [&str; 5] = ["attention.json", "boards.json", "format", "mqtt.json", "sessions.json"];

/// What people have made: it stays where it is until they have mended it.
const MADE: [&str; 4] = ["arbiters.json", "push.json", "push.key", "tables.toml"];

/// What has no content, or tests of its own (`audit/tests.rs`, `port/session/tests.rs`, `core/capture/mend.rs`).
const OTHERS: [&str; 3] = ["audit.last", "captures", "lock"];

/// A desk with the whole content of its state.
struct Kept {
    desk: Desk,
    state: PathBuf,
    whole: BTreeMap<&'static str, Vec<u8>>,
    /// The token of an arbiter.
    token: String,
}

fn chief(desk: &Desk, what: &str, body: &str) -> Answer {
    let token = ordering::TOKEN;
    desk.ask(&format!("{what} HTTP/1.1\nhost: {}\nauthorization: Bearer {token}", desk.address), body)
}

/// Plugs a board in and waits until it is known.
fn plug(desk: &Desk) -> Board<TcpStream> {
    let mut board = desk.socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    desk.wait_json("/api/hall", |hall| {
        hall["boards"][0]["up"] == true && hall["boards"][0]["serial"] == "23946"
    });
    board
}

impl Kept {
    /// Makes everything that the daemon keeps, and stops it.
    fn new() -> Self {
        let mut desk = Desk::start("[mqtt]\nurl = 'mqtt://127.0.0.1:1'\n");
        ordering::write_token(&desk.hall, 0o600);
        let _board = plug(&desk);
        let made = chief(&desk, "POST /api/arbiters", r#"{"name":"Ada"}"#).json();
        let token = made["token"].as_str().unwrap().to_owned();
        chief(&desk, "POST /api/arbiters", r#"{"name":"Bob"}"#);
        let signed = desk.ask(
            &format!("POST /api/session HTTP/1.1\nhost: {}", desk.address),
            &format!("{{\"token\":\"{token}\"}}"),
        );
        assert_eq!(signed.status, 200, "{signed:?}");
        assert_eq!(chief(&desk, "POST /api/handover", r#"{"from":"Ada","to":"Bob"}"#).status, 200);
        desk.hall.stop();
        let state = desk.hall.dir.path().join("state");
        // A walk, phones and a broker have been there.
        fs::write(state.join("push.json"), "[]\n").unwrap();
        fs::write(state.join("push.key"), [0x30; 138]).unwrap();
        fs::write(state.join("tables.toml"), "[[table]]\nnumber = 7\nserial = \"23946\"\n").unwrap();
        fs::write(
            state.join("mqtt.json"),
            r#"{"root":"dgt","acknowledged":7,"at":null,"retained":["dgt/x"]}"#,
        )
        .unwrap();
        let names = OVERWRITTEN.into_iter().chain(MADE);
        let whole = names.map(|name| (name, fs::read(state.join(name)).unwrap())).collect();
        let kept = Self { desk, state, whole, token };
        let known: BTreeSet<&str> = kept.whole.keys().copied().chain(OTHERS).collect();
        let unknown: Vec<String> = fs::read_dir(&kept.state)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| !known.contains(name.as_str()))
            .collect();
        assert!(
            unknown.is_empty(),
            "a state file needs a reader that survives damage, and a place here: {unknown:?}"
        );
        kept
    }

    /// Returns where a damaged file is kept: beside it, and further on if a directory lies there.
    fn aside(&self, name: &str) -> PathBuf {
        let aside = self.state.join(format!("{name}.damaged"));
        if aside.is_dir() { aside.with_file_name(format!("{name}.damaged-2")) } else { aside }
    }

    /// Starts the daemon on damaged files, and looks at what became of them.
    fn check(&mut self, damage: impl Fn(&[u8]) -> Vec<u8>, what: &str) {
        let damaged: BTreeMap<&str, Vec<u8>> =
            self.whole.iter().map(|(name, bytes)| (*name, damage(bytes))).collect();
        for (name, bytes) in &damaged {
            // As secret as it was: others' files count for nothing anyway.
            let path = self.state.join(name);
            fs::write(&path, bytes).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
            fs::remove_file(self.aside(name)).unwrap_or_default();
        }
        self.desk.hall.start();
        // Each is reported by the part that reads it; the parts do not wait for each other.
        let mut messages: Vec<String> = Vec::new();
        let reported = OVERWRITTEN.into_iter().chain(["arbiters.json"]).map(|name| format!("/{name}"));
        for text in reported.chain(["listens".to_owned()]) {
            if !messages.iter().any(|message| message.contains(&text)) {
                messages.extend(self.desk.hall.wait_message(&text));
            }
        }
        // Nobody gets in whose account cannot be read, and no new list takes the place of the old one.
        let body = format!("{{\"token\":\"{}\"}}", self.token);
        let desk = &self.desk;
        let signed = desk.ask(&format!("POST /api/session HTTP/1.1\nhost: {}", desk.address), &body);
        assert_eq!(signed.status, 401, "{what}");
        assert_eq!(chief(desk, "POST /api/arbiters", r#"{"name":"Eve"}"#).status, 500, "{what}");
        assert_eq!(chief(desk, "GET /api/arbiters", "").json(), Value::Array(Vec::new()), "{what}");
        assert_eq!(desk.get("/api/hall").status, 200, "{what}");
        let _board = plug(desk);
        assert_eq!(self.desk.hall.stop(), 0, "{what}");
        for name in OVERWRITTEN {
            assert_eq!(fs::read(self.aside(name)).unwrap(), damaged[name], "{what}: {name}");
        }
        for name in MADE {
            assert_eq!(fs::read(self.state.join(name)).unwrap(), damaged[name], "{what}: {name}");
        }
        assert_eq!(fs::read_to_string(self.state.join("format")).unwrap().trim(), "1", "{what}");
        let config = self.desk.hall.dir.path().join("jadoube.toml");
        let (status, boards, stderr) = run(&["boards", "--config", config.to_str().unwrap()], "");
        assert!(status == 0 && boards.contains("23946"), "{what}: {boards}{stderr}");
    }
}

/// Sources that write whole files: what lies in the state directory has to survive damage, and says where that is tried.
const WRITERS: [(&str, &str); 17] = [
    ("src/accounts.rs", "arbiters.json, here and in accounts/tests.rs"),
    ("src/accounts/push.rs", "push.json, here and beside it"),
    ("src/audit/list.rs", "audit.head and audit.last, in audit/tests.rs"),
    ("src/cli/certificate.rs", "certificates, which are made and renewed by hand"),
    ("src/cli/open.rs", "the configuration"),
    ("src/daemon/format.rs", "format, here and beside it"),
    ("src/http/persistence.rs", "attention.json and sessions.json, here and beside it"),
    ("src/mqtt/memory.rs", "mqtt.json, here and beside it"),
    ("src/notify/push.rs", "push.key, here and beside it"),
    ("src/pairings/assignment.rs", "tables.toml, here and beside it"),
    ("src/pgn/folder.rs", "games, which are made anew"),
    ("src/pgn/folder/ledger.rs", ".written of a folder of games; damaged, it is empty"),
    ("src/port/files.rs", "captures, in port/session/tests/damage.rs"),
    ("src/port/history.rs", "untold.json of each port, beside it"),
    ("src/port/session/damaged.rs", "captures, in port/session/tests/damage.rs"),
    ("src/rounds.rs", "rounds/round-N.json, in rounds/book/tests.rs"),
    ("src/sinks/boards.rs", "boards.json, here and in boards/tests.rs"),
];

#[test]
fn whatever_writes_a_whole_file_is_known_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut directories = vec![root.join("src")];
    let mut found = BTreeSet::new();
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.strip_prefix(root).unwrap().display().to_string();
            let is_code = entry.extension().is_some_and(|extension| extension == "rs");
            if entry.is_dir() {
                directories.push(entry);
            } else if is_code && !name.starts_with("src/runtime/") && !name.contains("/tests") {
                let text = fs::read_to_string(&entry).unwrap();
                if text.lines().any(|line| line.contains(" replace::")) {
                    found.insert(name);
                }
            }
        }
    }
    let known: BTreeSet<String> = WRITERS.iter().map(|(file, _)| (*file).to_owned()).collect();
    assert_eq!(found, known, "a state file needs a reader that survives damage, and a place here");
}

#[test]
fn damaged_state_costs_what_the_messages_say_and_no_more() {
    let mut kept = Kept::new();
    // Every length of every file is tried beside its reader; here are the ends, and what lies between.
    for tenth in [0, 3, 7, 10] {
        let cut =
            |bytes: &[u8]| bytes[..bytes.trim_ascii_end().len().saturating_sub(1) * tenth / 10].to_vec();
        kept.check(cut, &format!("{tenth} tenths"));
    }
    kept.check(|bytes| vec![0; bytes.len()], "zeros");
    kept.check(|bytes| bytes.iter().map(|byte| byte ^ 0xa5).collect(), "noise");
    kept.check(|bytes| [bytes, b"}\x1b[2J"].concat(), "something behind it");
    for name in OVERWRITTEN {
        fs::remove_file(kept.aside(name)).unwrap();
        fs::create_dir_all(kept.aside(name).join("mine")).unwrap();
    }
    kept.check(|_| b"{".to_vec(), "directories in the places of the damaged files");
}
