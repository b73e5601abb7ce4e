//! Secrets stay where they are: in no message, log, answer, list of processes, check or bundle.

use std::{
    collections::BTreeMap,
    fs,
    io::Read as _,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use rustix::process::Signal;

use super::{ASK_SERIAL, Answer, Desk, ordering::write_token};
use crate::support::run;

/// Tokens and passwords that lie in files which the configuration names.
const FILES: [(&str, &str); 5] = [
    ("token", super::ordering::TOKEN),
    ("metrics-token", "metrics-79d27de1b8"),
    ("mqtt-password", "mqtt-6d6b3f4f21"),
    ("notify-token", "notify-51a9c0c4e2"),
    ("lichess-token", "lichess-e3b0a7d915"),
];

/// What in the addresses of hooks lets whoever knows it send to them: user, path, query, topic, and where the rest cannot be used.
const HOOKS: [&str; 5] =
    ["hook-password-41c2", "hook-path-93fe10", "hook-query-7a55d2", "hook-topic-0be117", "hook-broken-61d0"];

/// Ways with such addresses, at which nobody listens.
fn hooks() -> String {
    let [password, path, query, topic, broken] = HOOKS;
    [
        ("webhook", format!("http://hall:{password}@127.0.0.1:1/{path}?token={query}")),
        ("ntfy", format!("http://127.0.0.1:1/{topic}")),
        ("webhook", format!("http://127.0.0.1:port/{broken}")),
    ]
    .map(|(kind, url)| format!("[[notify]]\nkind = '{kind}'\nurl = '{url}'\n"))
    .concat()
}

/// All that can be read, and where.
#[derive(Default)]
struct Said(BTreeMap<String, String>);

impl Said {
    fn add(&mut self, place: impl Into<String>, text: impl Into<String>) {
        self.0.entry(place.into()).or_default().push_str(&text.into());
    }

    fn add_command(&mut self, args: &[&str]) {
        let (status, output, errors) = run(args, "");
        // Some find faults here, but all know their arguments and have something to say.
        assert!(status != 64 && !(output.is_empty() && errors.is_empty()), "{args:?}: {errors}");
        self.add(args.join(" "), format!("{output}{errors}"));
    }

    /// Adds all files below a directory.
    fn add_files(&mut self, directory: &Path) {
        for entry in fs::read_dir(directory).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                self.add_files(&path);
            } else {
                let bytes = fs::read(&path).unwrap();
                self.add(path.display().to_string(), String::from_utf8_lossy(&bytes));
            }
        }
    }

    #[track_caller]
    fn check(&self, what: &str, secret: &str) {
        assert!(secret.len() >= 8, "{what} is too short to be looked for: {secret}");
        for (place, text) in &self.0 {
            assert!(!text.contains(secret), "{what} is in {place}:\n{text}");
        }
    }
}

#[test]
fn no_secret_is_said_anywhere() {
    let secrets = tempfile::tempdir().unwrap();
    let file = |name: &str| secrets.path().join(name).display().to_string();
    for (name, secret) in FILES {
        fs::write(file(name), format!("{secret}\n")).unwrap();
        fs::set_permissions(file(name), fs::Permissions::from_mode(0o600)).unwrap();
    }
    // Nobody listens at any of these places: what cannot be sent is complained about.
    let mut desk = Desk::start(&format!(
        "metrics_token_file = '{}'\n[mqtt]\nurl = 'mqtt://127.0.0.1:1'\nuser = 'hall'\npassword_file = '{}'\n\
         [pgn]\ndir = '{}'\n[lichess]\nurl = 'http://127.0.0.1:1'\nround = 'abcdefgh'\ntoken_file = '{}'\n\
         [[notify]]\nkind = 'gotify'\nurl = 'http://127.0.0.1:1'\ntoken_file = '{}'\n{}",
        file("metrics-token"),
        file("mqtt-password"),
        secrets.path().join("pgn").display(),
        file("lichess-token"),
        file("notify-token"),
        hooks(),
    ));
    write_token(&desk.hall, 0o600);
    let mut board = desk.socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    desk.wait_json("/api/hall", |hall| hall["boards"][0]["serial"] == "23946");
    let token = super::ordering::TOKEN;
    let ask = |desk: &Desk, what: &str, more: &str, body: &str| -> Answer {
        desk.ask(&format!("{what} HTTP/1.1\nhost: {}{more}", desk.address), body)
    };
    let signed = format!("\nauthorization: Bearer {token}");
    // A token that nobody has may be one with a slip of the pen.
    let slip = "slip-of-the-pen-7c1d";
    ask(&desk, "GET /api/session", &format!("\nauthorization: Bearer {slip}"), "");
    ask(&desk, "POST /api/session", "", &format!("{{\"token\":\"{slip}\"}}"));
    ask(&desk, "GET /api/session", &format!("\nauthorization: Basic {slip}"), "");
    let own = ask(&desk, "POST /api/arbiters", &signed, r#"{"name":"Ada"}"#).json();
    let own = own["token"].as_str().unwrap().to_owned();
    let session = ask(&desk, "POST /api/session", "", &format!("{{\"token\":\"{own}\"}}"));
    assert_eq!(session.status, 200, "{session:?}");
    let cookie = session.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let with_cookie = format!("\ncookie: {cookie}");
    let mut said = Said::default();
    for path in [
        "/api/session",
        "/api/arbiters",
        "/api/attention",
        "/api/audit",
        "/api/report",
        "/api/hall",
        "/api/round",
        "/api/boards",
        "/api/push",
        "/api/tables",
        "/healthz",
        "/metrics",
        "/api/openapi.json",
    ] {
        for who in [&signed, &with_cookie] {
            let answer = ask(&desk, &format!("GET {path}"), who, "");
            said.add(path, format!("{}\n{}", answer.head, answer.body));
        }
    }
    let order = "POST /api/boards/23946/orders";
    ask(&desk, order, &with_cookie, r#"{"order":"dismiss","alert":"none"}"#);
    let tried = ask(&desk, "POST /api/notify/test", &signed, "");
    assert!(tried.body.contains("http://127.0.0.1:1: "), "{tried:?}");
    said.add("notify/test", tried.body);
    let process = format!("/proc/{}", desk.hall.process().as_raw_nonzero());
    for name in ["cmdline", "environ"] {
        let mut text = Vec::new();
        fs::File::open(format!("{process}/{name}")).unwrap().read_to_end(&mut text).unwrap();
        said.add(name, String::from_utf8_lossy(&text));
    }
    desk.hall.signal(Signal::HUP);
    said.add("messages", desk.hall.wait_message("configuration read;").join("\n"));
    let config = desk.hall.dir.path().join("jadoube.toml").display().to_string();
    said.add_command(&["check", "--config", &config]);
    said.add_command(&["doctor", "--json", "--config", &config]);
    said.add_command(&["arbiter", "list", "--config", &config]);
    let bundle = desk.hall.dir.path().join("bundle.tar.gz");
    let name = bundle.display().to_string();
    said.add_command(&["bundle", "--config", &config, "--output", &name, "--since", "1h", "--seconds", "0"]);
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(fs::File::open(&bundle).unwrap()));
    for entry in archive.entries().unwrap() {
        let mut text = Vec::new();
        entry.unwrap().read_to_end(&mut text).unwrap();
        said.add("bundle", String::from_utf8_lossy(&text));
    }
    assert_eq!(desk.hall.stop(), 0);
    let dir = desk.hall.dir.path();
    said.add_files(&dir.join("log"));
    said.add_files(&dir.join("state"));
    for (place, word) in [("messages", "a wrong token"), ("bundle", "[http]"), ("cmdline", "run")] {
        assert!(said.0[place].contains(word), "{place} is looked through: {}", said.0[place]);
    }
    for (name, secret) in FILES {
        said.check(name, secret);
    }
    for secret in HOOKS {
        said.check("an address", secret);
    }
    said.check("a wrong token", slip);
    said.check("an arbiter's token", own.split_once('-').unwrap().1);
    said.check("a session's cookie", cookie.split_once('=').unwrap().1);
}
