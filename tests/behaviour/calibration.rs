//! The words of accusations against the truth: what is called certain has to be true.
//!
//! Of those called certain none may be false, and of those called likely at most one in ten, though most rows are of boards and lines
//! that no event would go on with.
//!
//! Plays all rows of the table with seeds of its own, which nothing is tuned with. `SEED` and `SEEDS` try others, for
//! tuning; `ROW` chooses rows.

use std::env;

use jadoube_core::alert::Confidence;

use crate::{play_all, rows};

/// First seed of a usual run; tuning uses those from 1,000 to 99,999.
const SEED: u64 = 700_000;

/// Games of each row.
const SEEDS: u64 = 44;

fn number(key: &str, usual: u64) -> u64 {
    env::var(key).map_or(usual, |value| value.parse().unwrap())
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation; tests/run runs it optimised")]
fn accusations_are_as_true_as_their_words() {
    let mut rows = rows::all();
    if let Ok(wanted) = env::var("ROW") {
        rows.retain(|row| row.name.starts_with(wanted.as_str()));
    }
    let (first, seeds) = (number("SEED", SEED), number("SEEDS", SEEDS));
    let scores = play_all(&rows, first, seeds);
    let mut wrong = Vec::new();
    let mut counts = [(0_usize, 0_usize); 3];
    for (row, games) in rows.iter().zip(&scores) {
        let mut of_row = [(0_usize, 0_usize); 3];
        for (seed, score) in (first..).zip(games) {
            for (confidence, is_true) in &score.stated {
                let word = match confidence {
                    Confidence::Possible => 0,
                    Confidence::Likely => 1,
                    Confidence::Certain => 2,
                };
                for (stated, right) in [&mut of_row[word], &mut counts[word]] {
                    *stated += 1;
                    *right += usize::from(*is_true);
                }
            }
            let certain = score.complaints.iter().filter(|complaint| complaint.contains("though certain"));
            wrong.extend(certain.map(|complaint| format!("{} seed {seed}: {complaint}", row.name)));
        }
        let [possible, likely, certain] = of_row.map(|(stated, right)| format!("{right}/{stated}"));
        println!("{:36}{possible:>8}{likely:>8}{certain:>8}", row.name);
    }
    println!("{} games", scores.iter().map(Vec::len).sum::<usize>());
    for (word, (stated, right)) in ["possible", "likely", "certain"].iter().zip(counts) {
        println!("{word:10}{stated:6} stated{right:6} true");
    }
    println!("{wrong:#?}");
    let [_, (likely, likely_true), (certain, certain_true)] = counts;
    assert!(
        certain_true == certain,
        "{certain_true} of {certain} accusations called certain are true: {wrong:#?}"
    );
    assert!(likely_true * 10 >= likely * 9, "{likely_true} of {likely} accusations called likely are true");
}
