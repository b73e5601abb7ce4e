//! `jadoube watch` and `jadoube boards` with a daemon to ask.

use std::{
    io::{BufRead as _, BufReader},
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

use super::{Desk, ordering};
use crate::support::{PROGRAM, run};

/// A running `jadoube watch`.
struct Watch {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watch {
    fn start(desk: &Desk, args: &[&str]) -> Self {
        let mut child = Command::new(PROGRAM)
            .args(["watch", "--config", "-", "--url", &desk.address.to_string()])
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn watch_shows_alerts_also_over_a_restart() {
    let (mut desk, board) = ordering::after_an_illegal_move();
    let mut watch = Watch::start(&desk, &["--json", "--code", "illegal-move", "--severity", "act"]);
    let alert: Value = serde_json::from_str(&watch.line()).unwrap();
    assert_eq!(alert["code"], "illegal-move");
    assert_eq!(alert["board"], board);
    desk.hall.stop();
    desk.hall.start();
    desk.hall.wait_message("listens");
    let id = alert["id"].as_str().unwrap();
    let order = format!("{{\"order\":\"acknowledge\",\"alert\":\"{id}\"}}");
    assert_eq!(ordering::order(&desk, &board, ordering::TOKEN, &order).status, 200);
    let update: Value = serde_json::from_str(&watch.line()).unwrap();
    assert_eq!((update["id"].as_str(), update["state"].as_str()), (Some(id), Some("acknowledged")));
}

#[test]
fn watch_is_plain_when_piped_and_ends_with_what_is_open() {
    let (desk, board) = ordering::after_an_illegal_move();
    let url = format!("http://{}/", desk.address);
    let watch =
        |args: &[&str]| run(&[&["watch", "--config", "-", "--once", "--url", &url], args].concat(), "");
    let (code, stdout, stderr) = watch(&["--code", "illegal-move"]);
    assert_eq!((code, stdout.lines().count(), stderr.as_str()), (0, 1, ""), "{stdout}");
    assert!(
        stdout.contains(&format!("board {board}  illegal-move 7.5.1  ")) && !stdout.contains('\u{1b}'),
        "{stdout}"
    );
    assert_eq!(watch(&["--table", "99"]), (0, String::new(), String::new()));
    let (code, _, stderr) = watch(&["--severity", "loud"]);
    assert_eq!((code, stderr.lines().count()), (64, 1), "{stderr}");
}

#[test]
fn boards_are_listed_from_a_daemon() {
    let (desk, board) = ordering::after_an_illegal_move();
    let (code, stdout, stderr) = run(&["boards", "--url", &desk.address.to_string()], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let row = stdout.lines().nth(1).unwrap_or_default();
    assert!(row.starts_with(&board) && row.contains("tcp://127.0.0.1"), "{stdout}");
}

#[test]
fn a_daemon_that_is_not_there_is_named() {
    for command in ["watch", "boards"] {
        let (code, _, stderr) = run(&[command, "--url", "http://127.0.0.1:1"], "");
        assert_eq!((code, stderr.lines().count()), (69, 1), "{stderr}");
        assert!(stderr.contains("is the daemon running"), "{stderr}");
    }
}
