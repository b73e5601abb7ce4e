//! When a press is judged: as soon as the board can report nothing more of what happened before it.

use std::time::Duration;

use shakmaty::{Board, Color};

use super::super::{Tracker, cost, hypothesis::Hypothesis, window::Press};
use crate::{
    model::{decision, wait},
    time::Timestamp,
};

impl Tracker {
    /// Returns when the first press of the window is judged first.
    pub(super) fn first_due(&self) -> Option<Timestamp> {
        self.window.presses().first().map(|press| self.first_look(*press))
    }

    /// Returns when a press is judged first.
    ///
    /// Where all pieces of its side stand on the board, nothing has moved since, and the scan of the board is known, what happened
    /// before the press has been reported one scan later.
    pub(in crate::tracker) fn first_look(&self, press: Press) -> Timestamp {
        let patience = self.patience();
        let measured = self.tuning.measured.filter(|_| !self.reporting.is_polled_by_dumps());
        match measured.filter(|_| self.is_at_rest_since(press) && self.shows_all_pieces_of(press.side)) {
            Some(scan) => press.at + patience.min(scan + wait::FIRST_LOOK),
            None => press.at + patience,
        }
    }

    /// Returns whether this is the only press to be judged, after one ply at most, and no hand has moved anything since.
    fn is_at_rest_since(&self, press: Press) -> bool {
        self.window.presses().len() <= 1
            && self.progress.shown.made.len() <= 1
            && self.window.last_change().is_none_or(|at| at <= press.at)
    }

    /// Returns whether no piece of a side is in a hand, and the opponent lacks one at most.
    fn shows_all_pieces_of(&self, side: Color) -> bool {
        let Some(best) = self.hypotheses.first().filter(|best| best.faulty.is_empty()) else { return false };
        let (expected, shown) = (best.position.board(), self.window.board());
        let pieces = |board: &Board, side: Color| board.by_color(side).count();
        pieces(shown, side) >= pieces(expected, side) && pieces(shown, !side) + 1 >= pieces(expected, !side)
    }

    /// Returns how long after a press the board may go on reporting what happened before it: until the next dump, if it
    /// is only seen through dumps.
    pub(in crate::tracker) fn patience(&self) -> Duration {
        let settle = self.tuning.settle;
        if self.reporting.is_polled_by_dumps() {
            settle.max(self.reporting.dump_pace + self.tuning.scan)
        } else {
            settle
        }
    }

    /// Returns whether a press should not be judged yet: pieces are on their way, or a dump is.
    ///
    /// A board that loses much is not believed about a press that completed `nothing` before a dump has shown the same, and no
    /// board about what may be `misread`.
    pub(super) fn may_learn_more(&self, press: Press, nothing: bool, misread: bool, now: Timestamp) -> bool {
        let waited = now.since(press.at);
        let next_dump = match (self.reporting.updates, self.reporting.damage) {
            (false, _) if self.reporting.is_polled_by_dumps() => wait::NEXT_DUMP,
            // Nothing has changed yet: there is nothing that a dump would show.
            (false, _) => Duration::ZERO,
            (true, _) if misread || nothing && self.loses_much() => wait::NEXT_DUMP_IN_HEAVY_NOISE,
            (true, 0) if !self.reporting.noisy => Duration::ZERO,
            (true, 0 | 1) if !self.reporting.noisy => wait::NEXT_DUMP_IN_NOISE,
            (true, _) => wait::NEXT_DUMP_IN_HEAVY_NOISE,
        };
        // A dump has been asked for: it shows whether nothing was reported of a move.
        let asked = nothing && self.reporting.dumps_come && waited < self.patience();
        // A lever that has come back may go on to and fro.
        waited < wait::PATIENCE && !self.window.quiet_for(wait::QUIET, now)
            || nothing && waited < wait::KNOCKED && self.is_pressed_back(press)
            || self.is_unconfirmed(press, nothing) && (waited < next_dump || asked)
    }

    /// Returns whether no dump has shown what stood on the board at a press.
    pub(super) fn is_unconfirmed(&self, press: Press, nothing: bool) -> bool {
        // What changed within a scan before the press may come after a dump that shows the board as it was.
        let dumped = self.reporting.dumped_at >= press.at + self.tuning.scan;
        let same = |best: &Hypothesis| self.is_confirmed_by_dump(&best.position, press);
        !dumped && (nothing || !self.hypotheses.first().is_some_and(same))
    }

    /// Returns whether the board loses so many changes that a press without a move is not much likelier than a move of which
    /// nothing was reported.
    fn loses_much(&self) -> bool {
        2 * self.sensor_faults.cost_of_loss() < cost::NULL_PRESS + decision::CERTAIN
    }
}
