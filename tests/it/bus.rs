//! The daemon with several boards on one line, over a socket and a terminal.

use std::{collections::BTreeSet, fmt};

use serde_json::Value;

use crate::{
    support::Emulator,
    support::{Hall, eventually, run},
};

#[track_caller]
fn check_bus(boards: usize, venue: &[&str]) {
    let emulator =
        Emulator::start(boards, &[&["--bus", "--speed", "2", "--handling", "plain"], venue].concat());
    let (serials, address) = &emulator.boards[0];
    let serials: Vec<String> = serials.split(',').map(str::to_owned).collect();
    assert_eq!(serials.len(), boards);
    let mut hall = Hall::new(&format!("[ports]\nscan = []\n[[port]]\npath = '{address}'\nbus = {serials:?}"));
    hall.start();
    let played = |events: &[Value], board: &str| {
        events.iter().filter(|event| event["board"] == board && event["event"] == "move").count()
    };
    let what = fmt::from_fn(|f| write!(f, "two moves on each board: {}", hall.log("events.jsonl")));
    let live = eventually(what, || {
        let events = parse(&hall.log("events.jsonl"));
        serials.iter().all(|serial| played(&events, serial) >= 2).then_some(events)
    });
    let up = live.iter().filter(|event| event["event"] == "link" && event["state"] == "up");
    let up: BTreeSet<&str> = up.map(|event| event["board"].as_str().unwrap()).collect();
    assert_eq!(up, serials.iter().map(String::as_str).collect());
    assert_eq!(hall.stop(), 0);
    // The capture of the line gives the same events as the line, without any configuration.
    let capture = &hall.captures()[0];
    let (status, replayed, _) = run(&["replay", "--format", "jsonl", capture.to_str().unwrap()], "");
    assert_eq!(status, 0);
    let replayed = parse(&replayed);
    for serial in &serials {
        let moves = |events: &[Value]| {
            let own = events.iter().filter(|event| event["board"] == **serial && event["event"] == "move");
            own.map(|event| (event["ply"].clone(), event["uci"].clone(), event["t"].clone()))
                .collect::<Vec<_>>()
        };
        let live = moves(&live);
        assert_eq!(moves(&replayed)[..live.len()], live);
    }
}

fn parse(lines: &str) -> Vec<Value> {
    // The last line may be incomplete.
    lines.lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn boards_on_a_serial_server_are_followed() {
    check_bus(5, &["--tcp", "127.0.0.1:0"]);
}

#[test]
fn boards_on_a_terminal_are_followed() {
    let dir = tempfile::tempdir().unwrap();
    check_bus(2, &["--dir", dir.path().to_str().unwrap()]);
}
