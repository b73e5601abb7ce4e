//! Owns whether the decoder may say by itself that there was an offence: nothing is known against the board, and everything was heard.

use shakmaty::Bitboard;

use super::{Tracker, position_trust::Trust};
use crate::time::Timestamp;

impl Tracker {
    /// Returns whether nothing is known against the board: it reports all that it should, and its squares work.
    pub(crate) fn is_sound_board(&self) -> bool {
        !self.reporting.polled
            && !self.sensor_faults.is_late()
            && !self.sensor_faults.loses_updates()
            && !self.sensor_faults.loses_more_than_a_sound_one()
            && self.progress.trust != Trust::Lost
            && self.faulty_squares().is_empty()
            && self.have_shown_pieces()
    }

    /// Returns whether the line has damaged nothing since an instant, and not much before, and everything was seen since.
    pub(crate) fn is_undamaged_since(&self, since: Timestamp) -> bool {
        let reporting = &self.reporting;
        let undamaged = |at: Timestamp| at < since && !reporting.was_damaged_before(since);
        reporting.updates
            && !reporting.loud
            && !reporting.lies
            && reporting.damage == 0
            && reporting.damaged_at.is_none_or(undamaged)
            && reporting.logged_at < since
            && !self.window.gap
    }

    /// Returns whether every square has shown a piece on which one stood when the game began.
    fn have_shown_pieces(&self) -> bool {
        let stood = self.game.as_ref().map_or(Bitboard::EMPTY, |game| game.start().board().occupied());
        (stood & !self.seen_squares).is_empty()
    }
}
