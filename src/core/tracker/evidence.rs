//! What a search for explanations is given, and the plies that explanations and the pairing of presses consist of.

use std::time::Duration;

use shakmaty::{Bitboard, Color};

use super::window::{Press, Window};
use crate::{game::Played, position::Position, time::Timestamp};

/// What the search knows besides the position it starts from.
#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of one another")]
pub(super) struct Evidence<'a> {
    pub(super) window: &'a Window,
    /// The press that was judged last.
    pub(super) pressed_last: Option<Press>,
    /// All presses, and how many of them are settled; the others may still wait for their plies.
    pub(super) presses: &'a [Press],
    pub(super) ripe: usize,
    /// Squares that have shown a piece, and so work.
    pub(super) seen_squares: Bitboard,
    /// Whether changes are reported one by one; otherwise the board is only seen through dumps.
    pub(super) updates: bool,
    /// Differences in time below this say nothing about order.
    pub(super) jitter: Duration,
    /// What is sensed within this after a press happened before it.
    pub(super) settle: Duration,
    /// What is sensed within this of a board whose scan is measured did; the same as `settle` of others.
    pub(super) lag: Duration,
    /// Whose time runs.
    pub(super) running: Option<Color>,
    /// Whose opponent has completed an illegal move last: the press back completes nothing.
    pub(super) wronged: Option<Color>,
    /// Whether presses are heard; otherwise nothing follows from there being none.
    pub(super) clocked: bool,
    /// Whether two presses between two readings of the clock leave no trace: it adds no time, and is read at its own pace.
    pub(super) may_hide_presses: bool,
    /// The clock is read so seldom that both players may press between two readings after moves and thought.
    pub(super) reads_seldom: bool,
    /// Whether reports may be missing, or come after what followed them: the line damages some, or the board is polled.
    pub(super) disordered: bool,
}

/// What an explanation starts from.
#[derive(Clone)]
pub(super) struct Root {
    /// Number by which explanations name it.
    pub(super) number: usize,
    pub(super) position: Position,
    /// Squares that this hypothesis holds to be faulty.
    pub(super) faulty: Bitboard,
    /// What starting from here costs.
    pub(super) cost: u32,
    /// Side that has pressed without a move and has it still to make.
    pub(super) offender: Option<Color>,
    /// Side that has pressed back because pieces of the opponent's lay amiss.
    pub(super) pressed_back: Option<Color>,
    /// Whether the pieces were put back while the clock stood still, and the press of the first ply came before that; or an illegal
    /// move was put right while the opponent's time ran, and there is nothing to press.
    pub(super) reinstated: bool,
    /// Whether plies that were completed are taken back: a press by the side that is not to move gives the time back.
    pub(super) taken_back: bool,
    /// Squares of plies taken back that nobody has touched since: they show those plies still.
    pub(super) standing: Bitboard,
}

/// One ply of an explanation.
#[derive(Clone, Debug)]
pub(super) struct ExplainedPly {
    pub(super) played: Played,
    pub(super) side: Color,
    /// Number of changes after which the board had shown it.
    pub(super) shown: usize,
    /// If nobody saw it: how many other paths remain.
    pub(super) inferred: Option<u32>,
}

impl Evidence<'_> {
    /// Returns whether these squares changed last, within so many changes, in the time of a side: it is the one that pressed next. What no
    /// change of the window shows was there before.
    pub(super) fn changed_in_time_of(&self, side: Color, squares: Bitboard, count: usize) -> bool {
        let last = |square| self.window.last_change_within(square, count);
        let at =
            squares.into_iter().filter_map(last).map(|change| change.at).max().unwrap_or(Timestamp::ZERO);
        let mut presses = self.pressed_last.iter().chain(self.presses);
        presses.find(|press| press.at >= at).is_some_and(|press| press.side == side)
    }
}
