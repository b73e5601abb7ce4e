//! What accusations are called against the truth, by the kind of play: `tests/reliability.txt` holds it.
//!
//! Of those called `certain` all should be true, of those called `likely` nine in ten, of those called `possible` half. Where alerts carry a
//! probability, those of each bin are compared with it, too.

use std::fs;

use jadoube_core::alert::Confidence;

use crate::{
    rows::{Profile, Row},
    score::{Score, Stated},
};

const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/reliability.txt");

/// The words.
const WORDS: [Confidence; 3] = [Confidence::Possible, Confidence::Likely, Confidence::Certain];

/// Bounds of the bins of probabilities; the last bin ends at 1.
const BINS: [f64; 10] = [0.0, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999];

/// Compares the figures with the file.
pub(crate) fn check(rows: &[Row], scores: &[Vec<Score>]) {
    let known = fs::read_to_string(TABLE).unwrap_or_default();
    assert_eq!(known, written(rows, scores), "UPDATE_EXPECT=1 writes it");
}

/// Writes the file.
pub(crate) fn write(rows: &[Row], scores: &[Vec<Score>]) {
    fs::write(TABLE, written(rows, scores)).unwrap();
}

/// Returns the text of the file.
pub(crate) fn written(rows: &[Row], scores: &[Vec<Score>]) -> String {
    let mut lines = vec![
        "Accusations on the boards of tests/behaviour.txt: how many were reported with each word, and how many of these are true.".to_owned(),
        String::new(),
        format!("{:20}{:>8}{:>16}{:>16}{:>16}", "", "games", "possible", "likely", "certain"),
    ];
    for profile in Profile::ALL {
        let (games, stated) = of(profile, rows, scores);
        let words = WORDS.map(|word| share(stated.iter().filter(|stated| stated.confidence == word)));
        lines.push(format!(
            "{:20}{games:8}{}",
            profile.name(),
            words.map(|word| format!("{word:>16}")).concat()
        ));
    }
    let carrying: Vec<Stated> = scores
        .iter()
        .flatten()
        .flat_map(|score| &score.stated)
        .filter(|stated| stated.p.is_some())
        .copied()
        .collect();
    if !carrying.is_empty() {
        lines.extend([
            String::new(),
            "The same by the probability that they carry.".to_owned(),
            String::new(),
        ]);
        let names = Profile::ALL.map(|profile| format!("{:>16}", profile.name())).concat();
        lines.push(format!("{:20}{names}", "p from"));
        for (number, from) in BINS.iter().enumerate() {
            let to = BINS.get(number + 1).copied().unwrap_or(f64::INFINITY);
            let shares = Profile::ALL.map(|profile| {
                let (_, stated) = of(profile, rows, scores);
                let of_bin =
                    stated.iter().filter(|stated| stated.p.is_some_and(|p| (*from..to).contains(&p)));
                format!("{:>16}", share(of_bin))
            });
            lines.push(format!("{from:<20}{}", shares.concat()));
        }
    }
    lines.join("\n") + "\n"
}

/// Returns how many games are of a profile, and what was stated in them.
fn of(profile: Profile, rows: &[Row], scores: &[Vec<Score>]) -> (usize, Vec<Stated>) {
    let those = rows.iter().zip(scores).filter(|(row, _)| row.profile == profile);
    let games: Vec<&Score> = those.flat_map(|(_, games)| games).collect();
    (games.len(), games.iter().flat_map(|score| &score.stated).copied().collect())
}

fn share<'a>(stated: impl Iterator<Item = &'a Stated>) -> String {
    let (all, right) = stated
        .fold((0_usize, 0_usize), |(all, right), stated| (all + 1, right + usize::from(stated.is_true)));
    if all == 0 { "-".to_owned() } else { format!("{right} of {all}") }
}
