//! From a lead to a word, and what has to hold before a word is said. Costs are those of [`super::cost`]; all else counts.

use super::cost;
use crate::alert::Confidence;

/// A lead by which no other explanation is left for practical purposes: one in 45 that another one is true, before what
/// lowers the word otherwise; fitted, with the words of `tests/behaviour/calibration.rs`.
pub(crate) const CERTAIN: u32 = 38;

/// A lead by which the other explanations need a quirk of the sensors: one in four; fitted likewise.
pub(crate) const LIKELY: u32 = 14;

/// An explanation that costs more than this is looked at twice: one in twenty.
pub(crate) const TROUBLE: u32 = 30;

/// What another story has to save to take the place of plies that the board showed exactly: one in twenty. Below 20, a queen that went on
/// from a check was said to have stayed where it had been slid over, which excused the illegal reply; 30, 45 and 60 are alike.
pub(crate) const SHOWN_EXACTLY: u32 = 30;

/// No explanation that costs more than this is believed; the position is taken as it stands.
pub(crate) const HOPELESS: u32 = 260;

/// What the explanations of the last plies may cost together, offences left out, before nobody is accused on the position that they
/// lead to: one in 160,000. Fitted: of 27 false accusations 6 are gone, and 5 of 1,100 true ones; on other seeds 2 of 27, and 2.
pub(crate) const HIGH_RESIDUAL: u32 = 120;

/// By how much less they count for each ply that the board shows exactly; fitted likewise.
pub(crate) const RESIDUAL_DECAY: u32 = 20;

/// In a silence of some seconds more plies than this, for each one that the pace of the game makes expect and one more, are less likely than
/// one that breaks the rules.
pub(crate) const MOST_IN_SILENCE: f64 = 2.0;

/// Numbers of unseen plies that are this much less likely than the likeliest with a path are not looked at: one in twenty.
pub(crate) const GAP_LENGTHS: u32 = 30;

/// Searches among the last eight judgements on a line with damage: with more of them, accusations were wrong in one of three
/// (`tests/behaviour`, seeds 1,000 to 1,059).
pub(crate) const MOST_SEARCHED: u32 = 3;

/// Dumps in a row that are asked for before a board has reported its first change: those of the handshake, and one after a
/// press (`line/host.rs`).
pub(crate) const MOST_ASKED: u8 = 3;

/// Where only dumps show what is played, so many between two presses show whose move the second one completes: the first may show a
/// reply that was made before it, the next after the press shows the move.
pub(crate) const DUMPS_BETWEEN: u8 = 2;

/// Plies after which one that nobody saw has proven right: had another one been made, play would have shown it.
pub(crate) const LATELY: usize = 24;

/// Plies before one that ends the game without which its word says little of the position: a search often makes up several at once.
pub(crate) const LEADS_TO: u32 = 3;

/// Irregular plies of one side that may stand among the [`LATELY`] last ones, none of them shown by a dump, before another one is less
/// than certain; none if its king seems to stay in check.
pub(crate) const MOST_STANDING: usize = 1;

/// Plies that the board may show without a press; then the first is taken as completed by what followed (Art. 6.2.1.2).
pub(crate) const MOST_SHOWN: usize = 3;

/// The same while the clock has not been read since the second of them.
pub(crate) const MOST_SHOWN_UNREAD: usize = 6;

/// The same without a running clock.
pub(crate) const MOST_SHOWN_UNCLOCKED: usize = 2;

/// Presses in turn after a mate that show that there was none, if legal moves explain them.
pub(crate) const PRESSES_AFTER_MATE: usize = 3;

/// More squares than this are not a move but a heap.
pub(crate) const MOST_SQUARES: usize = 8;

/// A dump that differs from the updates on more squares than this is believed only when a second one says the same.
pub(crate) const MOST_DUMPED: usize = 12;

/// Pieces of a start position that may be missing: squares show nothing, or a hand has taken a piece. Nobody plays a game at
/// odds in a tournament, and no play leaves all others where they began.
pub(crate) const MOST_HIDDEN: usize = 4;

/// Pieces that are given as odds before a game, at most.
pub(crate) const MOST_ODDS: usize = 8;

/// Squares on which a position of the opening's first moves differs from the initial one, at most: two moves.
pub(crate) const OPENING: usize = 4;

/// Dead squares of a board that the decoder may be asked about where the tracker accuses nobody: what goes from one to another is not seen.
pub(crate) const MOST_DEAD: usize = 1;

/// Pieces of the wrong kind with which a game begins, at most: more are no slip. Assumed.
pub(crate) const MOST_WRONG_KINDS: usize = 2;

/// More pieces than these that stand where a game begins, and did not before, have been set up: a move and its reply bring fewer.
pub(crate) const MOST_BROUGHT: usize = 4;

/// More pieces than these that are off the board, or have come to where they stand when a game begins, while nobody presses, may be set up
/// for the next game: a captor, its victim and no more are in hands, and a move and its reply bring two.
pub(crate) const MOST_HANDLED: usize = 2;

/// Legal moves of both sides in turn that show play where no clock runs: who sets up pieces or shows something moves as he likes. Assumed.
pub(crate) const MOVES_IN_TURN: usize = 4;

/// A start position that stands again after an illegal move among so many plies is the same game, taken back.
pub(crate) const SAME_GAME: u32 = 2;

/// Plies after castling was pressed for, its rook left behind, in which the rook may follow.
pub(crate) const CASTLED_LATE: u32 = 4;

/// Own plies before a move in which it may have been prepared by a detour.
pub(crate) const DETOURS: usize = 3;

/// As many of the remembered increments must be the same before the clock is taken to add it.
pub(crate) const SAME_RISES: usize = 3;

/// Returns by how much an explanation leads the `next` one; where none is left, or one that costs more, it leads what makes the
/// board be taken as it stands.
pub(crate) fn lead(cost: u32, next: Option<u32>) -> u32 {
    next.map_or(HOPELESS, |next| next.min(HOPELESS)).saturating_sub(cost)
}

/// Returns what a lead over the next explanation is worth.
pub(crate) const fn word(lead: Option<u32>) -> Confidence {
    match lead {
        None => Confidence::Certain,
        Some(lead) if lead >= CERTAIN => Confidence::Certain,
        Some(lead) if lead >= LIKELY => Confidence::Likely,
        Some(_) => Confidence::Possible,
    }
}

/// Returns how sure a ply can be at most that nobody saw, where so many other paths remain: in own halls with outages the path that was reported
/// was the right one in about seven of ten.
pub(crate) const fn word_among(others: Option<u32>) -> Confidence {
    match others {
        None | Some(0) => Confidence::Certain,
        Some(_) => Confidence::Possible,
    }
}

/// Pieces of a side at the start of a game without odds (Art. 2.2).
pub(crate) const PIECES: usize = 16;

const _: () = assert!(LIKELY < CERTAIN && CERTAIN < cost::MARGIN, "words need leads that are looked at");
