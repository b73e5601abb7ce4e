//! The words of accusations against the truth: what is called certain has to be true.
//!
//! Boards that lose or delay so much that two moves in a row may look like one offence are counted, but may be wrong once in
//! a hundred times (see [`BEYOND`]).
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

/// Rows in which the board is so bad that a word cannot be kept without exception.
const BEYOND: [&str; 3] = ["piece off centre, 10 %", "updates lost, 3 %, no dumps", "updates lost, 10 %"];

fn number(key: &str, usual: u64) -> u64 {
    env::var(key).map_or(usual, |value| value.parse().unwrap())
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation; tests/run runs it optimised")]
fn what_is_called_certain_is_true() {
    let mut rows = rows::all();
    if let Ok(wanted) = env::var("ROW") {
        rows.retain(|row| row.name.starts_with(wanted.as_str()));
    }
    let (first, seeds) = (number("SEED", SEED), number("SEEDS", SEEDS));
    let scores = play_all(&rows, first, seeds);
    let (mut wrong, mut beyond) = (Vec::new(), Vec::new());
    let mut counts = [(0_usize, 0_usize); 3];
    for (row, games) in rows.iter().zip(&scores) {
        for (seed, score) in (first..).zip(games) {
            for (confidence, is_true) in &score.stated {
                let (stated, right) = match confidence {
                    Confidence::Possible => &mut counts[0],
                    Confidence::Likely => &mut counts[1],
                    Confidence::Certain => &mut counts[2],
                };
                *stated += 1;
                *right += usize::from(*is_true);
            }
            let certain = score.complaints.iter().filter(|complaint| complaint.contains("though certain"));
            let list = if BEYOND.contains(&row.name) { &mut beyond } else { &mut wrong };
            list.extend(certain.map(|complaint| format!("{} seed {seed}: {complaint}", row.name)));
        }
    }
    println!("{} games", scores.iter().map(Vec::len).sum::<usize>());
    for (word, (stated, right)) in ["possible", "likely", "certain"].iter().zip(counts) {
        println!("{word:10}{stated:6} stated{right:6} true");
    }
    println!("{beyond:#?}");
    assert!(wrong.is_empty(), "{wrong:#?}");
    let [_, (likely, likely_true), (certain, certain_true)] = counts;
    assert!(
        certain_true * 100 >= certain * 99,
        "{certain_true} of {certain} accusations called certain are true: {beyond:#?}"
    );
    assert!(likely_true * 5 >= likely * 4, "{likely_true} of {likely} accusations called likely are true");
}
