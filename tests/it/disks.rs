//! Disks that are full, read-only or cut off in the middle of a line, and changes of the system time.

use std::{fmt, fs, os::unix::fs::PermissionsExt as _, path::Path, process::Command};

use rustix::{
    fs::{CWD, Mode, mkfifoat},
    process::{Resource, Rlimit, Signal, prlimit},
};
use serde_json::Value;

use crate::support::{Board, Hall, Socket, eventually, records, run};

mod full;
mod owners;

const ASK_SERIAL: u8 = 0x45;

/// A board in its initial position, and its clock.
const BOARD: &str = "86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07";

/// The update that corrects an alert about the service.
const CORRECTED: &str = "\"state\":\"corrected\"";

fn hall(socket: &Socket) -> Hall {
    Hall::new(&format!("[ports]\nscan = []\n[[port]]\npath = '{}'\n", socket.port()))
}

/// Plugs a board in that shows the initial position.
fn plug(hall: &mut Hall, socket: &Socket) -> Board<std::net::TcpStream> {
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    board.send(&initial());
    hall.wait_notification("STATUS=1 board");
    board
}

fn initial() -> Vec<u8> {
    let ranks = BOARD.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap());
    let mut dump: Vec<u8> = ranks.collect();
    dump.extend([0; 32]);
    dump.extend([1; 8]);
    dump.extend([2, 3, 4, 6, 5, 4, 3, 2]);
    dump
}

/// Lifts the pawn on e2 and puts it back, so many times; waits until the daemon has seen it.
fn shuffle(hall: &Hall, board: &mut Board<std::net::TcpStream>, times: usize) {
    let before = lifts(hall);
    for _ in 0..times {
        board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x34, 1]);
    }
    let what = fmt::from_fn(|f| write!(f, "{times} lifts, only {}", lifts(hall) - before));
    eventually(what, || (lifts(hall) >= before + times).then_some(()));
}

/// Returns whether an alert about a part of the service was raised and taken back.
fn is_corrected(hall: &Hall, part: &str) -> bool {
    // The last line may be incomplete.
    let log = hall.log("alerts.jsonl");
    let alerts: Vec<Value> = log.lines().map_while(|line| serde_json::from_str(line).ok()).collect();
    let raised = alerts.iter().find(|alert| alert["event"] == "alert" && alert["facts"]["part"] == *part);
    raised.is_some_and(|raised| {
        alerts.iter().any(|update| update["id"] == raised["id"] && update["state"] == "corrected")
    })
}

fn lifts(hall: &Hall) -> usize {
    hall.log("events.jsonl").matches("\"event\":\"lift\"").count()
}

fn seqs(hall: &Hall) -> Vec<u64> {
    let lines = hall.log("events.jsonl");
    lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["seq"].as_u64().unwrap()).collect()
}

/// Checks that all events are numbered without a gap, and that captures and log contain the same number of lifts.
#[track_caller]
fn check_whole(hall: &Hall, lifted: usize) {
    let seqs = seqs(hall);
    let last = u64::try_from(seqs.len()).unwrap();
    assert!(seqs.iter().copied().eq(1..=last), "{seqs:?}");
    assert_eq!(lifts(hall), lifted);
    let captures: String = hall.captures().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    // Independent of how the bytes were split into reads.
    let received = captures.lines().filter_map(|line| line.split_once(" < "));
    let received: Vec<&str> = received.map(|(_, bytes)| bytes).collect();
    assert_eq!(received.join(" ").matches("8e 00 05 34 00").count(), lifted);
}

#[test]
fn a_disk_that_was_full_for_a_while_lacks_nothing() {
    let socket = Socket::new();
    let mut hall = hall(&socket);
    // 8 KiB a file; a write beyond that is an error and no signal.
    hall.start_after("trap '' XFSZ && ulimit -S -f 16", &[("WATCHDOG_USEC", "900000")]);
    let mut board = plug(&mut hall, &socket);
    for _ in 0..40 {
        board.send(&[0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x34, 1].repeat(10));
    }
    let messages = hall.wait_message("games go on");
    assert!(messages.iter().any(|line| line.contains("cannot write")), "{messages:?}");
    hall.wait_status(&["; captures: cannot write", "; logs: cannot write"]);
    prlimit(Some(hall.process()), Resource::Fsize, Rlimit { current: None, maximum: None }).unwrap();
    hall.wait_notification("STATUS=1 board");
    let what = fmt::from_fn(|f| write!(f, "all is well: {}", hall.log("alerts.jsonl")));
    let are_corrected = || ["logs", "captures"].iter().all(|part| is_corrected(&hall, part));
    eventually(what, || are_corrected().then_some(()));
    assert_eq!(hall.stop(), 0);
    check_whole(&hall, 400);
    let alerts = hall.log("alerts.jsonl");
    for part in ["logs", "captures"] {
        assert_eq!(alerts.matches(&format!("\"part\":\"{part}\"")).count(), 1, "{alerts}");
    }
    assert!(["logs", "captures"].iter().all(|part| is_corrected(&hall, part)), "{alerts}");
}

#[test]
fn a_directory_that_is_read_only_stops_no_game() {
    let socket = Socket::new();
    let mut hall = hall(&socket);
    let state = hall.dir.path().join("state");
    fs::create_dir(&state).unwrap();
    let mount = format!("mount -t tmpfs none '{0}' && mount -o remount,ro '{0}'", state.display());
    if !Command::new("unshare")
        .args(["-rm", "sh", "-c", &mount])
        .status()
        .is_ok_and(|status| status.success())
    {
        eprintln!("this machine lets nobody mount anything; not tried");
        return;
    }
    let inside = format!(
        "exec unshare -rm sh -c '{} && exec \"$0\" run --config \"$1\"' \"$0\" \"$1\"; false",
        mount.replace('\'', "\"")
    );
    hall.start_after(&inside, &[]);
    let mut board = plug_to(&mut hall, &socket);
    hall.wait_status(&["; captures: cannot write"]);
    shuffle(&hall, &mut board, 3);
    assert_eq!(hall.stop(), 0);
    assert_eq!(lifts(&hall), 3);
}

/// As [`plug`], on a daemon with an open alert about the service.
fn plug_to(_hall: &mut Hall, socket: &Socket) -> Board<std::net::TcpStream> {
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    board.send(&initial());
    board
}

#[test]
fn files_that_power_loss_has_cut_are_mended() {
    let socket = Socket::new();
    let mut hall = hall(&socket);
    hall.start();
    let mut board = plug(&mut hall, &socket);
    shuffle(&hall, &mut board, 5);
    hall.kill();
    drop(board);
    // The log lacks what was not on disk; of the next capture nothing is on disk.
    let log = hall.dir.path().join("log/events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let kept = text.len() * 2 / 3;
    fs::write(&log, &text[..kept]).unwrap();
    for name in ["alerts.log", "alerts.jsonl"] {
        fs::write(hall.dir.path().join("log").join(name), "{\"half").unwrap();
    }
    let capture = &hall.captures()[0];
    let next =
        capture.file_name().unwrap().to_str().unwrap().replace("-g001", "-g002").replacen("20", "21", 1);
    let next = capture.with_file_name(next);
    fs::write(&next, "# dgt-ca").unwrap();
    hall.start();
    let mut board = plug(&mut hall, &socket);
    shuffle(&hall, &mut board, 5);
    assert_eq!(hall.stop(), 0);
    assert_eq!(fs::read_to_string(&next).unwrap(), "# dgt-ca", "nobody writes to what is no capture");
    check_whole(&hall, 10);
}

#[test]
fn a_calendar_set_back_between_two_runs_repeats_nothing() {
    let socket = Socket::new();
    let mut hall = hall(&socket);
    for _ in 0..2 {
        hall.start();
        let mut board = plug(&mut hall, &socket);
        shuffle(&hall, &mut board, 5);
        hall.kill();
        drop(board);
        // All times are moved by an hour.
        delay(&hall.dir.path().join("log/events.jsonl"));
        for capture in hall.captures() {
            delay(&capture);
        }
    }
    hall.start();
    let mut board = plug(&mut hall, &socket);
    shuffle(&hall, &mut board, 5);
    hall.signal(Signal::TERM);
    assert_eq!(hall.wait(), 0);
    assert_eq!(hall.captures().len(), 1, "the game goes on: {:?}", hall.captures());
    check_whole(&hall, 15);
    let capture = hall.capture();
    assert_eq!(records(&capture, '!').len(), 6, "{capture}");
    let (status, _, error) = run(&["replay", hall.captures()[0].to_str().unwrap()], "");
    assert_eq!((status, error.as_str()), (0, ""));
}

/// Moves the calendar times in a file an hour ahead, and that of its last change.
fn delay(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let hour = jiff::SignedDuration::from_hours(1);
    let later = |line: &str, before: &str, after: char| {
        let Some((head, rest)) = line.split_once(before) else { return line.to_owned() };
        let (time, tail) = rest.split_at(rest.find(after).unwrap_or(rest.len()));
        let time: jiff::Timestamp = time.parse().unwrap();
        format!("{head}{before}{}{tail}", time + hour)
    };
    let later_capture = |line: String| {
        let Some((head, rest)) = line.split_once("\"capture\":") else { return line };
        let (micros, tail) = rest.split_once(',').unwrap();
        let micros = micros.parse::<i128>().unwrap() + hour.as_micros();
        format!("{head}\"capture\":{micros},{tail}")
    };
    let lines = text
        .lines()
        .map(|line| later_capture(later(&later(line, "\"at\":\"", '"'), "# started: ", '\n')) + "\n");
    let text: String = lines.collect();
    let written = fs::metadata(path).unwrap().modified().unwrap();
    fs::write(path, text).unwrap();
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(written + std::time::Duration::from_hours(1)).unwrap();
}

#[test]
fn what_is_written_can_be_read_by_nobody_else() {
    let socket = Socket::new();
    let mut hall = Hall::new(&format!("[ports]\nscan = []\n[[port]]\npath = '{}'", socket.port()));
    hall.start();
    let mut board = socket.plug();
    board.wait_command(0x45);
    board.say_serial("23946");
    hall.wait_notification("STATUS=1 board");
    hall.stop();
    let mut found = 0;
    let mut waiting = vec![hall.dir.path().join("state"), hall.dir.path().join("log")];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            let mode = fs::symlink_metadata(&path).unwrap().permissions().mode();
            let most = if path.is_dir() { 0o750 } else { 0o640 };
            assert_eq!(mode & 0o777 & !most, 0, "{}: {mode:o}", path.display());
            found += 1;
            if path.is_dir() {
                waiting.push(path);
            }
        }
    }
    assert!(found >= 6, "captures, logs, state: {found}");
}

#[test]
fn pipes_in_the_places_of_its_files_hold_up_nothing() {
    let socket = Socket::new();
    let games = tempfile::tempdir().unwrap();
    let mut hall = Hall::new(&format!(
        "[ports]\nscan = []\n[[port]]\npath = '{}'\n[pgn]\ndir = '{}'\n",
        socket.port(),
        games.path().display()
    ));
    hall.start();
    let board = plug(&mut hall, &socket);
    assert_eq!(hall.stop(), 0);
    drop(board);
    let dir = hall.dir.path();
    let mut places = vec![
        dir.join("state/attention.json"),
        dir.join("state/sessions.json"),
        dir.join("state/arbiters.json"),
        dir.join("state/push.json"),
        dir.join("state/tables.toml"),
        dir.join("log/audit.jsonl"),
        games.path().join("round-1/game-23946.pgn"),
    ];
    fs::create_dir_all(games.path().join("round-1")).unwrap();
    let mut waiting = vec![dir.join("state"), dir.join("log")];
    while let Some(directory) = waiting.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                waiting.push(path);
            } else if !path.ends_with("lock") {
                places.push(path);
            }
        }
    }
    assert!(places.len() >= 10, "{places:?}");
    places.push(
        places
            .iter()
            .find(|path| path.extension().is_some_and(|end| end == "dgtcap"))
            .unwrap()
            .with_file_name("untold.json"),
    );
    for path in &places {
        fs::remove_file(path).unwrap_or_default();
        mkfifoat(CWD, path, Mode::RUSR | Mode::WUSR).unwrap();
    }
    hall.start();
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial("23946");
    hall.wait_message("board identified");
    assert_eq!(hall.stop(), 0);
}
