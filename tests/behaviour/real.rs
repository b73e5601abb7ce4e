//! A real game on a real board, with faults added. The recording is no part of this repository: these tests do
//! nothing without it (`JADOUBE_SHARED`, or `../shared` beside the checkout).

use std::{env, fs, path::PathBuf, sync::Arc, time::Duration};

use jadoube_core::{
    capture::{Entry, Header, Reader, Writer},
    event::EventKind,
    laws::{Control, EventSettings},
    replay,
    settings::LineSettings,
    time::Timestamp,
};
use jadoube_emulate::{random::Random, simulate::Recorded};

use crate::tamper::{self, Lines};

/// A recorded game and the moves that were played.
struct Real {
    lines: Lines,
    moves: Vec<String>,
}

fn real() -> Option<Real> {
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared"));
    let shared = env::var_os("JADOUBE_SHARED").map_or(beside, PathBuf::from);
    let capture = fs::read(shared.join("captures/real-blitz-1.dgtcap")).ok()?;
    let moves = fs::read_to_string(shared.join("captures/real-blitz-1.moves")).ok()?;
    let mut reader = Reader::new("real", &capture[..]).unwrap();
    let mut lines = Lines::new();
    while let Some(record) = reader.next_record().unwrap() {
        let line = match record.entry {
            Entry::Open(_) => Recorded::Open,
            Entry::Close(_) => Recorded::Close,
            Entry::Sent(bytes) => Recorded::Sent(bytes.to_vec()),
            Entry::Received(bytes) => Recorded::Received(bytes.to_vec()),
            Entry::Order(json) => Recorded::Order(json.to_owned()),
        };
        lines.push((record.at, line));
    }
    Some(Real { lines, moves: moves.split_whitespace().map(str::to_owned).collect() })
}

/// Replays lines; returns the moves and the codes of all alerts that are about players.
fn replayed(lines: &Lines) -> (Vec<String>, Vec<String>) {
    let mut capture = Vec::new();
    let mut writer = Writer::new("real", &mut capture, &Header::new()).unwrap();
    for (at, line) in lines {
        let entry = match line {
            Recorded::Open => Entry::Open("real"),
            Recorded::Close => Entry::Close(""),
            Recorded::Sent(bytes) => Entry::Sent(bytes),
            Recorded::Received(bytes) => Entry::Received(bytes),
            Recorded::Order(json) => Entry::Order(json),
        };
        writer.write(*at, entry).unwrap();
    }
    drop(writer);
    let event = Arc::new(EventSettings { control: Control::Blitz, ..EventSettings::default() });
    let settings = Arc::new(LineSettings { event, ..LineSettings::default() });
    let (mut moves, mut alerts) = (Vec::new(), Vec::new());
    let mut reader = Reader::new("real", &capture[..]).unwrap();
    replay::replay(&mut reader, settings, Timestamp::MAX, |event| {
        if let EventKind::Game(game) = event.kind {
            moves = game.moves.into_iter().map(|m| m.uci.to_string()).collect();
        } else if let EventKind::Alert(alert) = event.kind
            && !alert.article.is_empty()
        {
            alerts.push(format!("{:?} at {}", alert.code, event.at));
        }
    })
    .unwrap();
    (moves, alerts)
}

/// Expects all moves and no accusation; what is wrong with the board may be said, once.
fn expect_exact(lines: &Lines, moves: &[String], what: &str) {
    let (got, mut alerts) = replayed(lines);
    assert_eq!(got, moves, "{what}");
    if let Some(named) = alerts.iter().position(|alert| alert.starts_with("BoardMismatch")) {
        alerts.remove(named);
    }
    assert_eq!(alerts, Vec::<String>::new(), "{what}");
}

#[test]
fn a_real_game_is_exact_with_any_square_dead() {
    let Some(real) = real() else { return };
    expect_exact(&real.lines, &real.moves, "as it was");
    for field in 0..64 {
        let mut lines = real.lines.clone();
        tamper::kill(&mut lines, &[field]);
        expect_exact(&lines, &real.moves, &format!("field {field} dead"));
    }
}

#[test]
fn a_real_game_with_updates_lost_is_exact_by_some_dumps() {
    let Some(real) = real() else { return };
    let dumps = seen_every(&real.lines, Duration::from_secs(10));
    let dumps = dumps.into_iter().filter(|(_, line)| tamper::is_dump(line));
    let mut reported = real.lines.clone();
    reported.extend(dumps);
    reported.sort_by_key(|(at, _)| *at);
    let exact = (0..40).filter(|seed| {
        let mut random = Random::new(*seed);
        let mut lines = reported.clone();
        lines.retain(|(_, line)| tamper::update(line).is_none() || !random.chance(0.01));
        replayed(&lines).0 == real.moves
    });
    // A piece that was put down unseen and taken between two dumps leaves no trace.
    let exact = exact.count();
    assert!(exact >= 36, "{exact} of 40 games exact");
}

#[test]
fn a_real_game_is_exact_if_it_is_only_seen_through_dumps() {
    let Some(real) = real() else { return };
    for millis in [1000, 2000] {
        let lines = seen_every(&real.lines, Duration::from_millis(millis));
        expect_exact(&lines, &real.moves, &format!("a dump every {millis} ms"));
    }
}

/// Puts dumps in the place of updates.
fn seen_every(lines: &Lines, pace: Duration) -> Lines {
    let mut seen = Lines::new();
    let mut due = Timestamp::ZERO + pace;
    for (index, (at, line)) in lines.iter().enumerate() {
        while due <= *at {
            let mut before = lines[..index].to_vec();
            let mut bytes = vec![tamper::DUMP, 0, 67];
            bytes.extend((0..64).map(|field| tamper::shown(&mut before, field)));
            // Before the first dump nothing is known.
            if bytes[3..].iter().any(|code| *code != 0) {
                seen.push((due, Recorded::Received(bytes)));
            }
            due = due + pace;
        }
        if tamper::update(line).is_none() {
            seen.push((*at, line.clone()));
        }
    }
    seen
}
