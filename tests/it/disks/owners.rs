//! Files that belong to another user, as after a run of the daemon as root.

use super::*;
use crate::support::PROGRAM;

use std::os::unix::fs::chown;

/// Denies a file to whoever runs the daemon; returns whether that is possible here.
///
/// Root may read everything, but only as far as the users of its name space go.
fn take_away(file: &Path) -> bool {
    let tried = Command::new("unshare").args(["-r", "true"]).status();
    if rustix::process::geteuid().is_root() && !tried.is_ok_and(|status| status.success()) {
        println!("skipped: this machine has no name spaces of users");
        return false;
    }
    if rustix::process::geteuid().is_root() {
        chown(file, Some(1), Some(1)).unwrap();
    }
    let mode = if rustix::process::geteuid().is_root() { 0o600 } else { 0 };
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
    true
}

/// What runs a program where other users are others to root, too.
const INSIDE: &str = "[ $(id -u) != 0 ] || exec unshare -r \"$0\" run --config \"$1\"";

#[test]
fn a_capture_that_may_not_be_read_is_named_and_comes_by_the_log() {
    let socket = Socket::new();
    let mut hall = hall(&socket);
    hall.start();
    let mut board = plug(&mut hall, &socket);
    board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1]);
    eventually("e4", || hall.log("events.jsonl").contains("\"san\":\"e4\"").then_some(()));
    hall.kill();
    drop(board);
    let capture = hall.captures().remove(0);
    let before = fs::read(&capture).unwrap();
    if !take_away(&capture) {
        return;
    }
    hall.start_after(INSIDE, &[]);
    let reported = hall.wait_message("the capture cannot be read").pop().unwrap();
    assert!(
        reported.contains("Permission denied") && reported.contains(&capture.display().to_string()),
        "{reported}"
    );
    assert_eq!(hall.stop(), 0);
    let log = hall.log("events.jsonl");
    assert_eq!(log.matches("\"event\":\"game-start\"").count(), 1, "{log}");
    let kept = capture.with_added_extension("damaged");
    assert_eq!(fs::read(kept).ok(), rustix::process::geteuid().is_root().then_some(before));
    assert!(fs::read_to_string(&capture).unwrap().contains("put back from the event log"));
}

#[test]
fn a_state_that_another_user_has_begun_is_named_by_its_file() {
    let socket = Socket::new();
    let mut hall = hall(&socket);
    hall.start();
    assert_eq!(hall.stop(), 0);
    let lock = hall.dir.path().join("state/lock");
    if !take_away(&lock) {
        return;
    }
    let config = hall.dir.path().join("jadoube.toml");
    let inside = format!("{INSIDE}; exec \"$0\" run --config \"$1\"");
    let output = Command::new("sh").args(["-c", &inside, PROGRAM]).arg(&config).output().unwrap();
    let reported = String::from_utf8(output.stderr).unwrap();
    assert!(reported.contains(&format!("{}: Permission denied", lock.display())), "{reported}");
    assert!(reported.contains("chown -R"), "{reported}");
    assert_eq!(output.status.code(), Some(77));
}
