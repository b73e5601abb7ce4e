//! The daemon is killed at random instants: the logs lose no event and repeat none.
//!
//! The captures are the truth: each event of their replay has to be in the event log once.
//!
//! `JADOUBE_KILLS` sets how often (a dozen times if not given), `JADOUBE_SEED` when.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    path::{Path, PathBuf},
    thread,
    time::Duration,
};

use jadoube::config::Config;
use jadoube_core::{
    capture::Reader,
    event::{Event, EventKind},
    line::{Line, Output},
    replay,
};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::{Emulator, Hall, eventually};

mod download;
mod offences;
mod places;

/// Events that are no states; states are published when they change.
const HAPPENINGS: [&str; 8] =
    ["lift", "place", "press", "move", "retract", "result", "alert", "alert-update"];

const EVENT: &str = "[event]\ncontrol = 'blitz'\ntime_control = '3+2'\n";

#[test]
fn random_instants() {
    let number = |name: &str, default: u64| {
        env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(default)
    };
    let (kills, mut seed) = (number("JADOUBE_KILLS", 12), number("JADOUBE_SEED", 1));
    let boards = TempDir::new().unwrap();
    let directory = boards.path().join("boards");
    let arguments = ["--speed", "3", "--incident", "all", "--time", "1+1", "--dir"];
    let emulator = Emulator::start(8, &[arguments.as_slice(), &[directory.to_str().unwrap()]].concat());
    let scan = directory.join("board-??");
    let mut hall = Hall::new(&format!("{EVENT}[ports]\nscan = ['{}']\nrescan_s = 1\n", scan.display()));
    for _ in 0..kills {
        hall.launch(&[]);
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        thread::sleep(Duration::from_millis((seed >> 33) % 2500));
        hall.kill();
    }
    hall.start();
    // It has reported what the captures hold beyond the log, and play goes on.
    let reported = || hall.log("events.jsonl").matches("\"capture\":").count();
    let enough = reported().max(100) + 50;
    eventually("the boards are followed", || (reported() >= enough).then_some(()));
    hall.wait_past();
    assert_eq!(hall.stop(), 0);
    drop(emulator);
    // If the check fails, the files are kept for inspection.
    hall.dir.disable_cleanup(true);
    check(&hall);
    hall.dir.disable_cleanup(false);
}

fn check(hall: &Hall) {
    let log = hall.log("events.jsonl");
    let events: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for (place, event) in events.iter().enumerate() {
        assert_eq!(event["seq"], Value::from(place + 1), "{event}");
    }
    // An event is identified by board, capture, time and number at that time.
    let mut identified = BTreeSet::new();
    for event in events.iter().filter(|event| event.get("capture").is_some()) {
        let identity = ["board", "capture", "t", "nth"].map(|key| event[key].to_string());
        assert!(identified.insert(identity), "{event}");
    }
    assert!(identified.len() > 100, "only {} events have a number", identified.len());
    let mut truth: Vec<(Value, String)> = Vec::new();
    let captures = hall.captures();
    for capture in &captures {
        let name = capture.display().to_string();
        truth.extend(
            replay(capture, &captures)
                .into_iter()
                .map(|event| (serde_json::to_value(event).unwrap(), name.clone())),
        );
    }
    // A restart raises alerts about the link, which are published only if the board does not return.
    let about_restarts = |event: &&Value| event["code"] == "board-link";
    let restarts: BTreeSet<String> = truth
        .iter()
        .map(|(event, _)| event)
        .filter(about_restarts)
        .map(|event| event["id"].to_string())
        .collect();
    // Alerts about equipment and squares end with their capture, of which the capture itself knows nothing.
    let unfit: BTreeSet<String> = truth
        .iter()
        .map(|(event, _)| event)
        .filter(|event| event["severity"] == "equipment" || event["code"] == "board-mismatch")
        .map(|event| event["id"].to_string())
        .collect();
    let is_reported = |event: &Value| {
        HAPPENINGS.contains(&event["event"].as_str().unwrap())
            && !restarts.contains(&event["id"].to_string())
            && !(event["state"] == "ended" && unfit.contains(&event["id"].to_string()))
    };
    let mut balance: BTreeMap<String, (i64, String)> = BTreeMap::new();
    for event in events.iter().filter(|event| is_reported(event)) {
        count(&mut balance, event, -1, "in the log");
    }
    let replayed = truth.len();
    assert!(replayed > 100, "only {replayed} events");
    for (event, place) in truth.iter().filter(|(event, _)| is_reported(event)) {
        count(&mut balance, event, 1, place);
    }
    let wrong: Vec<String> = balance
        .into_iter()
        .filter(|(_, (balance, _))| *balance != 0)
        .map(|(event, (balance, place))| format!("{balance:+} {event} {place}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {replayed}:\n{}", wrong.len(), wrong.join("\n"));
    let alerts = |text: &str| -> Vec<Value> {
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let mut alerts: Vec<Value> =
            lines.filter(|line| line["event"].as_str().unwrap().starts_with("alert")).collect();
        for alert in &mut alerts {
            alert.as_object_mut().unwrap().remove("seq");
        }
        alerts.sort_by_key(ToString::to_string);
        alerts
    };
    let (in_events, in_alerts) = (alerts(&log), alerts(&hall.log("alerts.jsonl")));
    assert_eq!(in_events, in_alerts);
    assert_eq!(hall.log("alerts.log").lines().count(), in_alerts.len());
}

/// Counts events without the fields that differ between the log and a replay.
fn count(balance: &mut BTreeMap<String, (i64, String)>, event: &Value, by: i64, place: &str) {
    let mut event = event.clone();
    let fields = event.as_object_mut().unwrap();
    for key in ["seq", "at", "capture", "nth"] {
        fields.remove(key);
    }
    let entry = balance.entry(event.to_string()).or_default();
    entry.0 += by;
    place.clone_into(&mut entry.1);
}

/// Replays a capture as the daemon does: without what a replay adds at the end, and up to the next game, which has a
/// capture of its own, unless the daemon was stopped before it began one.
fn replay(path: &Path, captures: &[PathBuf]) -> Vec<Event> {
    let config = Config::parse("test", EVENT, &[]).unwrap().line_settings("");
    let name = path.display().to_string();
    let bytes = fs::read(path).unwrap();
    let mut reader = Reader::new(&name, bytes.as_slice()).unwrap();
    let port = reader.header().get("port").unwrap().clone();
    let is_last = !captures.iter().any(|other| {
        let text = fs::read(other).unwrap();
        let later = Reader::new(&name, text.as_slice()).unwrap();
        other.file_name() > path.file_name() && later.header().get("port") == Some(&port)
    });
    let game = reader.header().get(replay::GAME).map_or(1, |game| game.parse().unwrap());
    let mut line = Line::new(config, &port, game);
    let mut events = Vec::new();
    while let Some(record) = reader.next_record().unwrap() {
        replay::feed(&mut line, record).unwrap();
        while let Some(output) = line.poll_output() {
            let Output::Event(event) = output else { continue };
            if !is_last && matches!(event.kind, EventKind::GameStart { game: next, .. } if next > game) {
                return events;
            }
            events.push(event);
        }
    }
    events
}
