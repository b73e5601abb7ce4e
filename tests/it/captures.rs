//! Captures of `tests/captures`, each with its expected result beside it.
//!
//! `NAME.expected` holds a summary of the replay; `NAME.events`, if it exists, every event. A capture
//! without `.expected` is a failure. `UPDATE_EXPECT=1` rewrites both. The header line `# options:` holds options of
//! `jadoube replay`. To make a test of another capture, copy it here.

use std::{
    env,
    fmt::{self, Write as _},
    fs,
    io::Cursor,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use jadoube::config::Config;
use jadoube_core::{capture::Reader, event::Event, replay, time::Timestamp};
use serde_json::Value;

use super::support::{Hall, PROGRAM, eventually, run};

#[test]
fn captures_give_what_is_expected() {
    let mut failures = Vec::new();
    for path in captures() {
        let (events, remarks) = replayed(&path);
        compare(&path.with_extension("expected"), &summary(&events, &remarks), &mut failures);
        let every = path.with_extension("events");
        if every.exists() {
            compare(&every, &lines(&events), &mut failures);
        }
    }
    for path in files("expected").into_iter().chain(files("events")) {
        if !path.with_extension("dgtcap").exists() {
            failures.push(format!("{}: there is no such capture", path.display()));
        }
    }
    assert!(failures.is_empty(), "UPDATE_EXPECT=1 writes them anew:\n{}", failures.join("\n"));
}

#[test]
fn chunks_do_not_matter() {
    for path in captures() {
        let text = fs::read_to_string(&path).unwrap();
        let config = options(&text);
        let expected = by_instant(&events_of(&text, &config));
        for (how, cut) in [
            ("byte by byte", cut(&text, |_, _| 1)),
            ("in twos and threes", cut(&text, |number, _| 2 + number % 2)),
            ("at random", cut(&text, |number, left| 1 + scatter(number) % left)),
            ("all at once", join(&text)),
        ] {
            let events = by_instant(&events_of(&cut, &config));
            let differs = expected.iter().zip(&events).find(|(expected, came)| expected != came);
            assert!(differs.is_none(), "{}, {how}: {differs:#?}", path.display());
            assert_eq!(events.len(), expected.len(), "{}, {how}", path.display());
        }
    }
}

#[test]
fn a_live_runs_capture_gives_its_events() {
    let boards = tempfile::tempdir().unwrap();
    let mut hall = Hall::new("[event]\ncontrol = 'blitz'");
    let players = Players::sit_down(boards.path());
    let config =
        format!("[event]\ncontrol = 'blitz'\n[ports]\nscan = ['{}/board-*']\n", boards.path().display());
    hall.configure(&config);
    hall.start();
    let what = fmt::from_fn(|f| write!(f, "the boards are played on:\n{}", hall.log("events.jsonl")));
    eventually(what, || (completed(&hall.log("events.jsonl")) >= 12).then_some(()));
    assert_eq!(hall.stop(), 0);
    drop(players);
    let live = hall.log("events.jsonl");
    let captures = hall.captures();
    assert!(captures.len() >= 3, "one capture a board: {captures:?}");
    for capture in captures {
        let name = capture.display().to_string();
        let (status, replayed, errors) =
            run(&["replay", "--format", "jsonl", "--control", "blitz", &name], "");
        assert_eq!((status, errors.as_str()), (0, ""));
        let replayed = timeless(&replayed);
        let board =
            replayed.iter().find_map(|event| event["board"].as_str().filter(|it| it.parse::<u32>().is_ok()));
        let board = board.unwrap().to_owned();
        let reported = timeless(&live);
        let reported: Vec<&Value> =
            reported.iter().filter(|event| event["board"] == board.as_str()).collect();
        assert!(reported.len() > 10, "{board}: {reported:?}");
        // A replay continues for a few seconds after the last line and reports the game.
        let replayed: Vec<&Value> =
            replayed.iter().filter(|event| event["board"] == board.as_str()).collect();
        assert_eq!(replayed.get(..reported.len()), Some(reported.as_slice()), "{board}");
    }
}

/// Compares what came out with a file, or writes the file.
fn compare(path: &Path, text: &str, failures: &mut Vec<String>) {
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    match fs::read_to_string(path) {
        Ok(expected) if expected == text => {}
        Ok(expected) => {
            let changed = expected.lines().zip(text.lines()).position(|(old, new)| old != new);
            let line = changed.unwrap_or_else(|| expected.lines().count().min(text.lines().count()));
            let (old, new) = (expected.lines().nth(line).unwrap_or(""), text.lines().nth(line).unwrap_or(""));
            failures.push(format!("{}:{}:\n  expected {old}\n  came     {new}", path.display(), line + 1));
        }
        Err(error) => failures.push(format!("{}: {error}", path.display())),
    }
}

/// Returns the events of a capture and the remarks of the replay.
fn replayed(path: &Path) -> (Vec<Event>, replay::Remarks) {
    let text = fs::read_to_string(path).unwrap();
    let mut reader = Reader::new(path.display().to_string(), Cursor::new(&text)).unwrap();
    let mut events = Vec::new();
    let remarks = replay::replay(&mut reader, options(&text).line_settings(""), Timestamp::MAX, |event| {
        events.push(event);
    })
    .unwrap();
    (events, remarks)
}

fn events_of(text: &str, config: &Config) -> Vec<Event> {
    let mut reader = Reader::new("capture", Cursor::new(text)).unwrap();
    let mut events = Vec::new();
    replay::replay(&mut reader, config.line_settings(""), Timestamp::MAX, |event| events.push(event))
        .unwrap();
    events
}

/// Returns the configuration from the options in the header of the capture, read as `jadoube replay` reads them.
fn options(text: &str) -> Config {
    let line = text.lines().find_map(|line| line.strip_prefix("# options: ")).unwrap_or("--control blitz");
    let mut settings = Vec::new();
    let mut words = line.split_whitespace();
    while let Some(word) = words.next() {
        let key = match word {
            "--set" => "",
            "--control" => "event.control=",
            "--rules" => "event.rules=",
            "--supervised" => {
                settings.push("event.supervised=true".to_owned());
                continue;
            }
            other => panic!("the tests know no option {other}"),
        };
        settings.push(format!("{key}{}", words.next().unwrap()));
    }
    Config::parse("options", "", &settings).unwrap()
}

/// Summarises the events for an arbiter, in order.
fn summary(events: &[Event], remarks: &replay::Remarks) -> String {
    let mut text = String::new();
    for event in events {
        let event = serde_json::to_value(event).unwrap();
        let at = event["t"].as_f64().unwrap();
        let say = |key: &str| match &event[key] {
            Value::String(text) => text.clone(),
            Value::Null => "-".to_owned(),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => event[key].to_string(),
        };
        let keys: &[&str] = match event["event"].as_str().unwrap() {
            "link" => &["state", "port"],
            "board" => &["serial", "long_serial", "version", "rotated", "white_clock", "seats"],
            "game-start" => &["game", "fen"],
            "retract" => &["game", "ply"],
            "alert" => &["id", "code", "article", "side", "ply", "confidence", "state"],
            "alert-update" => &["id", "state"],
            "result" => &["game", "result", "by"],
            "game" => {
                let moves: Vec<String> = event["moves"].as_array().unwrap().iter().map(played).collect();
                writeln!(text, "{at:.1} game {}: {}", say("game"), moves.join(" ")).unwrap();
                continue;
            }
            // Squares, presses and times are the input of all other events.
            _ => continue,
        };
        let values: Vec<String> = keys.iter().map(|key| say(key)).collect();
        writeln!(text, "{at:.1} {} {}", say("event"), values.join(" ")).unwrap();
    }
    for (line, reason) in &remarks.refused {
        writeln!(text, "line {line} refused: {reason}").unwrap();
    }
    if remarks.damaged > 0 {
        writeln!(text, "damaged bytes: {}", remarks.damaged).unwrap();
    }
    if remarks.torn {
        text.push_str("torn\n");
    }
    text
}

/// Returns a ply as the list of a game holds it.
fn played(ply: &Value) -> String {
    let san = ply["san"].as_str().unwrap();
    if ply["legal"] == Value::Bool(false) { format!("{san}(illegal)") } else { san.to_owned() }
}

fn lines(events: &[Event]) -> String {
    events.iter().map(|event| serde_json::to_string(event).unwrap() + "\n").collect()
}

/// Returns events as lines; what happens in one instant has no order.
fn by_instant(events: &[Event]) -> Vec<String> {
    let mut events: Vec<(Timestamp, String)> =
        events.iter().map(|event| (event.at, serde_json::to_string(event).unwrap())).collect();
    events.sort();
    events.into_iter().map(|(_, line)| line).collect()
}

/// Splits received bytes into chunks; `length` gives their lengths by number and remaining bytes.
fn cut(text: &str, length: impl Fn(usize, usize) -> usize) -> String {
    let mut cut = String::new();
    let mut number = 0;
    for line in text.split_inclusive('\n') {
        let Some((at, bytes)) = line.split_once(" < ").filter(|_| line.ends_with('\n')) else {
            cut.push_str(line);
            continue;
        };
        let bytes: Vec<&str> = bytes.split_whitespace().collect();
        let mut left = bytes.as_slice();
        while !left.is_empty() {
            let (piece, rest) = left.split_at(length(number, left.len()).clamp(1, left.len()));
            writeln!(cut, "{at} < {}", piece.join(" ")).unwrap();
            left = rest;
            number += 1;
        }
    }
    cut
}

/// Joins what came from the board in the same instant.
fn join(text: &str) -> String {
    let mut joined = String::new();
    let mut last: Option<&str> = None;
    for line in text.split_inclusive('\n') {
        match line.split_once(" < ").filter(|_| line.ends_with('\n')) {
            Some((at, bytes)) if last == Some(at) => {
                joined.pop();
                joined.push(' ');
                joined.push_str(bytes);
            }
            Some((at, _)) => {
                last = Some(at);
                joined.push_str(line);
            }
            None => {
                last = None;
                joined.push_str(line);
            }
        }
    }
    joined
}

/// Returns pseudo-random numbers, the same in each run.
const fn scatter(number: usize) -> usize {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// Returns events without what differs from run to run: times count from the start of the program or of the capture.
fn timeless(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| {
            let mut event: Value = serde_json::from_str(line).unwrap();
            for key in ["t", "at", "seq", "capture", "nth"] {
                event.as_object_mut().unwrap().remove(key);
            }
            event
        })
        .collect()
}

fn completed(events: &str) -> usize {
    events.lines().filter(|line| line.contains(r#""completed":true"#)).count()
}

/// An emulated hall.
struct Players(Child);

impl Players {
    fn sit_down(directory: &Path) -> Self {
        let child = Command::new(PROGRAM)
            .args(["emulate", "--boards", "3", "--speed", "6", "--incident", "adjust", "--dir"])
            .arg(directory)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        Self(child)
    }
}

impl Drop for Players {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

fn captures() -> Vec<PathBuf> {
    let captures = files("dgtcap");
    assert!(captures.len() >= 20, "{captures:?}");
    captures
}

fn files(extension: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/captures");
    let mut files: Vec<PathBuf> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .collect();
    files.sort();
    files
}
