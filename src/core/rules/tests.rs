//! Games written as facts, one step a line, with what the referee says to it.
//!
//! ```text
//! e2e4                          a legal move, made and pressed
//! e2e4 by e2- 1.00 e4P 1.40     the same, as the sensors saw it
//! made e2e4                     made, not pressed
//! pressed                       the last move is pressed
//! bad d2d4 check                an illegal move, made and pressed
//! pawn e7e8                     a pawn moved to its last rank and left there, pressed
//! null white                    a press without a move
//! => illegal-move 7.5.1 white   what follows
//! ```
//!
//! `?` behind an alert means possible, `~` likely. `#2 expired` is an update of the second alert, `= 0-1 mate` a
//! result.

mod adopted;
mod claims;
mod ends;
mod equipment;
mod flags;
mod hall;
mod handling;
mod life;
mod offences;
mod positions;
mod random;
mod search;
mod tables;
mod texts;
mod words;

use std::time::Duration;

use shakmaty::{Board, CastlingMode, Color, Piece, Square};

use self::{
    hall::Hall,
    words::{changes, said},
};
use super::*;
use crate::{
    alert::{AlertState, Confidence},
    event::Times,
    fact::{Reason, Verdict},
    game::{Irregular, Played},
    laws::Edition,
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Plays a game and compares what the referee says, step by step.
#[track_caller]
fn check(event: &str, fen: &str, script: &str) {
    let mut hall = Hall::new(event, fen);
    hall.run(script);
}

/// A rule and its alerts are found by its name alone: one file, one line, and no code twice.
#[test]
fn every_rule_is_listed_once() {
    let mut codes: Vec<Code> = ALL.iter().flat_map(|spec| spec.codes).copied().collect();
    let count = codes.len();
    codes.sort_unstable();
    codes.dedup();
    assert_eq!((codes.len(), count), (42, 42));
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut specs = 0;
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let is_rule = path.is_file() && !path.ends_with("tests.rs");
        let text = if is_rule { std::fs::read_to_string(&path).unwrap() } else { continue };
        if text.contains("const SPEC: Spec") {
            specs += 1;
            let id = path.file_stem().unwrap().to_str().unwrap().replace('_', "-");
            assert!(ALL.iter().any(|spec| spec.id == id), "{id} is not listed");
        }
    }
    assert_eq!(specs, ALL.len());
}
