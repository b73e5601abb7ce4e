//! Judges the presses of a board that is only seen through dumps: when something changed is known from one dump to the next.

use shakmaty::Board;

use super::Tracker;
use crate::position::differences;

impl Tracker {
    /// Returns whether the board is only seen through dumps.
    pub(crate) const fn is_polled_by_dumps(&self) -> bool {
        self.reporting.is_polled_by_dumps()
    }

    /// Returns whether what changed last was shown by one dump alone, where only dumps show it: a hand may have slid the piece on
    /// since.
    pub(super) fn may_be_on_its_way(&self) -> bool {
        self.is_polled_by_dumps()
            && self.window.last_change().is_some_and(|at| at >= self.reporting.dumped_at)
    }

    /// Judges a press for what the last dump showed, before the next one is taken, if that shows the position before: the move
    /// was made, and taken back after the press.
    pub(crate) fn note_next_dump(&mut self, shown: &Board) {
        let Some(best) = self.hypotheses.first().filter(|_| self.may_be_on_its_way()) else { return };
        let before = best.position.board();
        if (differences(before, self.window.board()) & differences(before, shown)).is_empty() {
            self.judge_by_dump();
        }
    }

    /// Judges a press for what a dump shows, where only dumps show it: by the next one it may be taken back.
    pub(super) fn judge_by_dump(&mut self) {
        if self.is_polled_by_dumps() && self.is_playing() && self.judge_at_once() {
            self.progress.due = None;
        }
    }
}
