//! Tracker and decoder on the same capture: what one reports and the other does not.

use std::{sync::Arc, time::Instant};

use jadoube_core::{replay, settings::LineSettings, time::Timestamp};
use serde_json::Value;

use super::{Job, follow, open};

/// Codes that are compared: those that follow from a press.
const CODES: [&str; 6] = [
    "illegal-move",
    "promotion-not-replaced",
    "press-before-made",
    "press-without-move",
    "two-hands-suspect",
    "illegal-position-draw",
];

/// How far apart both may report the same, seconds.
const NEAR: f64 = 12.0;

/// Prints the differences, and how long each took.
pub(super) fn run(job: &Job, file: &str) -> Result<(), String> {
    #[expect(clippy::disallowed_methods, reason = "a bench measures time")]
    let began = Instant::now();
    let tracked = tracked(job, file)?;
    let between = began.elapsed();
    let followed = follow::events(job, file)?;
    let (by_tracker, by_decoder) = (moves(&tracked), moves(&followed));
    let alike = by_tracker.iter().zip(&by_decoder).take_while(|(a, b)| a == b).count();
    if by_tracker != by_decoder {
        let from = |moves: &[String]| moves.iter().skip(alike).take(3).cloned().collect::<Vec<_>>().join(" ");
        println!(
            "{file}: ply {} of {}, {}: tracker {} decoder {}",
            alike + 1,
            by_tracker.len(),
            by_decoder.len(),
            from(&by_tracker),
            from(&by_decoder)
        );
    }
    for (name, these, those) in [("tracker", &tracked, &followed), ("decoder", &followed, &tracked)] {
        for alert in these.iter().filter(|event| is_claim(event)) {
            if !those.iter().filter(|event| is_claim(event)).any(|other| is_same(alert, other)) {
                println!(
                    "{file}: only the {name}: {} {} {} {}",
                    alert["t"], alert["code"], alert["side"], alert["confidence"]
                );
            }
        }
    }
    println!(
        "{file}: tracker {:.1} ms, decoder {:.1} ms",
        between.as_secs_f64() * 1e3,
        began.elapsed().saturating_sub(between).as_secs_f64() * 1e3
    );
    Ok(())
}

fn tracked(job: &Job, file: &str) -> Result<Vec<Value>, String> {
    let mut settings = LineSettings::default();
    let event = Arc::make_mut(&mut settings.event);
    (event.rules, event.control) = (job.edition, job.control);
    let mut events = Vec::new();
    replay::replay(&mut open(file)?, Arc::new(settings), Timestamp::MAX, |event| {
        events.extend(serde_json::to_value(&event).ok());
    })
    .map_err(|error| error.to_string())?;
    Ok(events)
}

fn moves(events: &[Value]) -> Vec<String> {
    let games =
        events.iter().filter(|event| event["event"] == "game").filter_map(|event| event["moves"].as_array());
    let longest = games.max_by_key(|moves| moves.len());
    longest.into_iter().flatten().filter_map(|made| made["uci"].as_str()).map(str::to_owned).collect()
}

fn is_claim(event: &Value) -> bool {
    event["event"] == "alert" && CODES.iter().any(|code| event["code"] == *code)
}

fn is_same(a: &Value, b: &Value) -> bool {
    let apart = a["t"].as_f64().unwrap_or(0.0) - b["t"].as_f64().unwrap_or(0.0);
    a["code"] == b["code"] && a["side"] == b["side"] && apart.abs() < NEAR
}
