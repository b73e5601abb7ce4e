//! From a posterior to a word, and how much is searched and kept.

use std::time::Duration;

use super::Price;

/// The table of losses, applied once: when a claim is reported or withdrawn.
///
/// A false `certain` costs a thousand late true ones, a false `likely` ten, a false `possible` one: the words follow from these.
/// What another 0.2 s of waiting is worth is in the instants at which a claim is looked at.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClaimParams {
    /// Probability from which a claim is `certain`, 1/65536: 0.999.
    pub certain: u32,
    /// `likely`: 0.9.
    pub likely: u32,
    /// `possible`: 0.5.
    pub possible: u32,
    /// A claim below this is withdrawn: 0.3.
    pub withdrawn: u32,
    /// When a press is looked at after it, milliseconds.
    pub looks_ms: [i32; 6],
    /// From which of these on `likely` may be said first.
    pub likely_from: u8,
    /// From which of these on `possible` may be said first.
    pub possible_from: u8,
    /// From which of these on a word may rise or fall, and castling is looked at for a second hand.
    pub changes_from: u8,
    /// When an accusation that was made, or not made yet, is weighed again, after the press.
    pub again: [Duration; 3],
    /// After how many of these the decoder alone may say `possible` first.
    pub possible_again_from: usize,
    /// Odds by which an accusation is more probable where the tracker is certain of it; counted on emulated games.
    pub odds_of_certain: u32,
    /// The same where it finds it likely.
    pub odds_of_likely: u32,
    /// Whatever is not in the list of actions, once a press: one in a million.
    pub something_else: Price,
    /// Two hands are suspected from this probability on: 0.8.
    pub two_hands: u32,
    /// What was paid from so long before a press is held against the stories about it, milliseconds.
    pub look_back_ms: i32,
}

impl ClaimParams {
    pub(super) const DEFAULT: Self = Self {
        certain: 65_470,
        likely: 58_982,
        possible: 32_768,
        withdrawn: 19_661,
        looks_ms: [300, 600, 900, 1800, 3500, 7000],
        likely_from: 2,
        possible_from: 4,
        changes_from: 3,
        again: [Duration::from_millis(1800), Duration::from_millis(3500), Duration::from_secs(7)],
        possible_again_from: 2,
        odds_of_certain: 30,
        odds_of_likely: 6,
        something_else: Price::tenths(138),
        two_hands: 52_429,
        look_back_ms: 3000,
    };
}

/// Bounds of time and memory, which no probability rests on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SearchParams {
    /// Tokens that are kept.
    pub beam: usize,
    /// Tokens that are this much worse than the best are dropped.
    pub margin: Price,
    /// Tokens that are this much worse than the best are kept, and gone on from only when they come nearer.
    pub reach: Price,
    /// Tokens that are made at once, about; what is left is gone on from with the next observation.
    pub most_made: u64,
    /// Actions at once after a change of a square.
    pub depth_at_change: u8,
    /// Actions at once after a press.
    pub depth_at_press: u8,
    /// Actions at once when time has passed.
    pub depth_at_rest: u8,
    /// Plies that are searched for in an outage.
    pub gap_plies: u8,
    /// Positions from which plies are searched there, in all.
    pub gap_positions: usize,
    /// By how much a story may be worse than the best before the outage.
    pub gap_from: Price,
    /// By how much a story may be worse there while plies are searched.
    pub gap_margin: Price,
    /// By how much one may be that is kept.
    pub gap_kept: Price,
}

impl SearchParams {
    pub(super) const DEFAULT: Self = Self {
        beam: 120,
        margin: Price::tenths(110),
        reach: Price::tenths(70),
        most_made: 1000,
        depth_at_change: 3,
        depth_at_press: 2,
        depth_at_rest: 1,
        gap_plies: 18,
        gap_positions: 800,
        gap_from: Price::tenths(40),
        gap_margin: Price::tenths(80),
        gap_kept: Price::tenths(60),
    };

    /// Measured on emulated hands: the moves are as right as with all of them, at two fifths of the time.
    pub(super) const BRIEF: Self = Self { beam: 60, margin: Price::tenths(80), ..Self::DEFAULT };
}
