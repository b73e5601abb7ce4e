//! The words of accusations and plies against the truth: what is called certain has to be true.
//!
//! Of those called certain none may be false, and of those called likely at most one in ten, though most rows are of boards and lines
//! that no event would go on with.
//!
//! The same goes for mates, stalemates, repetitions and moves without a capture, which end a game or let a player claim: none that is called
//! certain may be false.
//!
//! Of the plies called certain less than one in a thousand may be wrong, of those called likely one in ten; what follows the first wrong
//! ply of a game says nothing.
//!
//! Rows of the profile `knocks` are left out: there the tracker takes a piece that was shoved or fell for a move, and is certain of it.
//! `tests/reliability.txt` has their figures.
//!
//! Plays all other rows of the table with seeds of its own, which nothing is tuned with. `SEED` and `SEEDS` try others, for
//! tuning; `ROW` chooses rows.

use std::env;

use jadoube_core::alert::Confidence;

use crate::{
    play_all,
    rows::{self, Profile},
};

/// First seed of a usual run; tuning uses those from 1,000 to 99,999.
const SEED: u64 = 700_000;

/// Games of each row.
const SEEDS: u64 = 12;

fn number(key: &str, usual: u64) -> u64 {
    env::var(key).map_or(usual, |value| value.parse().unwrap())
}

fn count(counts: &mut [(usize, usize); 3], confidence: Confidence, is_true: bool) {
    let [possible, likely, certain] = counts;
    let (stated, right) = match confidence {
        Confidence::Possible => possible,
        Confidence::Likely => likely,
        Confidence::Certain => certain,
    };
    *stated += 1;
    *right += usize::from(is_true);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation; tests/run runs it optimised")]
fn accusations_and_plies_are_as_true_as_their_words() {
    let mut rows = rows::all();
    match env::var("ROW") {
        Ok(wanted) => rows.retain(|row| row.name.starts_with(wanted.as_str())),
        Err(_) => rows.retain(|row| row.profile != Profile::Knocks),
    }
    let (first, seeds) = (number("SEED", SEED), number("SEEDS", SEEDS));
    let scores = play_all(&rows, first, seeds);
    let mut wrong = Vec::new();
    let [mut counts, mut plies, mut ends] = [[(0_usize, 0_usize); 3]; 3];
    for (row, games) in rows.iter().zip(&scores) {
        let mut of_row = [(0_usize, 0_usize); 3];
        for (seed, score) in (first..).zip(games) {
            for stated in &score.stated {
                for counts in [&mut of_row, &mut counts] {
                    count(counts, stated.confidence, stated.is_true);
                }
            }
            for (confidence, is_true) in &score.ends {
                count(&mut ends, *confidence, *is_true);
            }
            for (confidence, is_right) in &score.words {
                count(&mut plies, *confidence, *is_right);
            }
            let certain = score.complaints.iter().filter(|complaint| complaint.contains("though certain"));
            wrong.extend(certain.map(|complaint| format!("{} seed {seed}: {complaint}", row.name)));
        }
        let [possible, likely, certain] = of_row.map(|(stated, right)| format!("{right}/{stated}"));
        println!("{:36}{possible:>8}{likely:>8}{certain:>8}", row.name);
    }
    println!("{} games", scores.iter().map(Vec::len).sum::<usize>());
    for (what, counts) in [("accusations", counts), ("plies", plies), ("ends", ends)] {
        for (word, (stated, right)) in ["possible", "likely", "certain"].iter().zip(counts) {
            println!("{what:12}{word:10}{stated:7} stated{right:7} true");
        }
    }
    println!("{wrong:#?}");
    let [_, (likely, likely_true), (certain, certain_true)] = counts;
    assert!(
        certain_true == certain,
        "{certain_true} of {certain} accusations called certain are true: {wrong:#?}"
    );
    assert!(likely_true * 10 >= likely * 9, "{likely_true} of {likely} accusations called likely are true");
    let [.., (certain, certain_true)] = ends;
    assert!(certain_true == certain, "{certain_true} of {certain} ends called certain are true: {wrong:#?}");
    let [_, (likely, likely_right), (certain, certain_right)] = plies;
    assert!(
        (certain - certain_right) * 1000 < certain,
        "{certain_right} of {certain} plies called certain are right"
    );
    assert!(likely_right * 10 >= likely * 9, "{likely_right} of {likely} plies called likely are right");
}
