//! How long the alerts on offences take after their presses, in the time of the simulated boards: what the program waits for, not
//! how fast it computes. `tests/latency.txt` holds it, by code.

use std::{collections::BTreeMap, fs};

use crate::{rows, score::Score};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/latency.txt");

/// Compares the figures with the file.
pub(crate) fn check(scores: &[Vec<Score>]) {
    let known = fs::read_to_string(TABLE).unwrap_or_default();
    assert_eq!(known, written(scores), "UPDATE_EXPECT=1 writes it");
}

/// Writes the file.
pub(crate) fn write(scores: &[Vec<Score>]) {
    fs::write(TABLE, written(scores)).unwrap();
}

fn written(scores: &[Vec<Score>]) -> String {
    let (sound, _) = scores.split_at(rows::count_sound());
    let (sound, all) = (waits(sound), waits(scores));
    let mut lines = vec![
        "Seconds from a press to its alert, on the boards of tests/behaviour.txt.".to_owned(),
        String::new(),
        format!("{:26}{:^24}{:^24}", "", "sound boards and lines", "all rows"),
        format!("{:26}{}", "", "  alerts  median    95 %".repeat(2)),
    ];
    lines.extend(all.iter().map(|(code, all)| {
        let sound = sound.get(code).map_or_else(String::new, |waits| figures(waits));
        format!("{code:26}{sound:24}{}", figures(all))
    }));
    lines.join("\n") + "\n"
}

/// Returns the waits by code, in order.
fn waits(scores: &[Vec<Score>]) -> BTreeMap<&'static str, Vec<f64>> {
    let mut waits: BTreeMap<&'static str, Vec<f64>> = BTreeMap::new();
    for (code, wait) in scores.iter().flatten().flat_map(|score| &score.waits) {
        waits.entry(code.name()).or_default().push(*wait);
    }
    for waits in waits.values_mut() {
        waits.sort_by(f64::total_cmp);
    }
    waits
}

/// Writes number, median and 95th percentile of sorted waits.
fn figures(waits: &[f64]) -> String {
    let at = |share: usize| waits[(waits.len() * share / 100).min(waits.len() - 1)];
    format!("{:8}{:8.2}{:8.2}", waits.len(), at(50), at(95))
}
