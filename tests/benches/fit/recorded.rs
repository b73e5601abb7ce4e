//! Counts in captures with their truth.

use std::{fs, fs::File, io::BufReader, path::Path};

use dgt_protocol::Decoder;
use jadoube_core::capture::{Entry, Reader};
use serde_json::Value;
use shakmaty::Color;

use super::{
    counted::Tally,
    observed::{Observed, Ply},
};

/// Counts in the files of a directory that do not judge.
pub(super) fn tally(directory: &str) -> Result<Tally, String> {
    let mut tally = Tally::default();
    let entries = fs::read_dir(directory).map_err(|error| format!("{directory}: {error}"))?;
    let mut truths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    truths.retain(|path| path.to_string_lossy().ends_with(".truth.json") && fits(path));
    truths.sort();
    for path in &truths {
        let name = path.to_string_lossy();
        let text = fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        let truth = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        let capture = name.replace(".truth.json", ".dgtcap");
        count(&truth, &capture, &mut tally)?;
    }
    if truths.is_empty() {
        Err(format!("{directory}: no NAME.truth.json with an even number"))
    } else {
        Ok(tally)
    }
}

/// Returns whether a file is one to fit with: its last digit is even.
fn fits(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let digit = name.chars().rev().find_map(|letter| letter.to_digit(10));
    digit.is_some_and(|digit| digit % 2 == 0)
}

fn count(truth: &Value, capture: &str, tally: &mut Tally) -> Result<(), String> {
    let plies = plies(truth);
    count_offences(truth, plies.len().max(moves(truth)), tally);
    if plies.is_empty() {
        return Ok(());
    }
    let rotated = truth.get("rotated").and_then(Value::as_bool).unwrap_or_default();
    let mut observed = Observed::new(rotated);
    let mut decoder = Decoder::new();
    let failed = |error: &dyn std::fmt::Display| format!("{capture}: {error}");
    let file = File::open(capture).map_err(|error| failed(&error))?;
    let mut reader = Reader::new(capture, BufReader::new(file)).map_err(|error| failed(&error))?;
    while let Some(record) = reader.next_record().map_err(|error| failed(&error))? {
        match record.entry {
            Entry::Open(_) => decoder = Decoder::new(),
            Entry::Received(bytes) => observed.receive(&mut decoder, bytes, record.at),
            Entry::Close(_) | Entry::Sent(_) | Entry::Order(_) => {}
        }
    }
    observed.count(&plies, tally);
    Ok(())
}

/// Returns how many moves a truth has that reports no times.
fn moves(truth: &Value) -> usize {
    truth.get("moves").and_then(Value::as_array).map_or(0, Vec::len)
}

/// Returns the plies of a truth that reports when they were made.
fn plies(truth: &Value) -> Vec<Ply> {
    let began = truth.get("t0").and_then(Value::as_f64).unwrap_or_default();
    let games = truth.get("games").and_then(Value::as_array);
    let moves = games.into_iter().flatten().filter_map(|game| game.get("moves")?.as_array()).flatten();
    let ply = |m: &Value| {
        let uci = m.get("uci")?.as_str()?;
        let instant = |key: &str| m.get(key)?.as_f64().map(|at| at - began);
        Some(Ply {
            from: uci.get(0..2)?.parse().ok()?,
            to: uci.get(2..4)?.parse().ok()?,
            side: if m.get("side")?.as_str()? == "white" { Color::White } else { Color::Black },
            made: instant("made")?,
            pressed: instant("press"),
        })
    };
    moves.filter_map(ply).collect()
}

fn count_offences(truth: &Value, plies: usize, tally: &mut Tally) {
    let list = |key: &str| truth.get(key).and_then(Value::as_array).into_iter().flatten();
    let reported = |code: &str| {
        let in_codes = list("offences")
            .filter(|offence| offence.get("codes").and_then(|codes| codes.get(0)?.as_str()) == Some(code));
        let in_alerts =
            list("alerts").filter(|alert| alert.get("code").and_then(Value::as_str) == Some(code));
        in_codes.count() + in_alerts.count()
    };
    let innocent = |kind: &str| {
        list("innocent").filter(|what| what.get(2).and_then(Value::as_str) == Some(kind)).count()
    };
    let noted =
        |kind: &str| list("notes").filter(|note| note.get(0).and_then(Value::as_str) == Some(kind)).count();
    tally.add("moves.illegal", reported("illegal-move"), plies);
    tally.add("clock.nothing", reported("press-without-move"), plies);
    tally.add(
        "hands.fallen",
        innocent("putup") + innocent("adjust") + noted("adjust") + noted("swept"),
        plies,
    );
    if truth.get("innocent").is_some() {
        tally.add("clock.back", innocent("pressback"), innocent("putup") + innocent("pressback"));
    }
}
