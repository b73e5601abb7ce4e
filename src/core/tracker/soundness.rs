//! Owns whether the decoder may say by itself that there was an offence: nothing is known against the board, and everything was heard.

use shakmaty::Bitboard;

use super::{Tracker, position_trust::Trust};
use crate::{model::decision, position::differences, time::Timestamp};

impl Tracker {
    /// Returns whether nothing is known against the board: no dump has shown that it loses changes, and its squares work, but for one that has
    /// never shown anything: where a piece was never seen at all, none may have stood. Pieces that come late say nothing against it:
    /// offences look like that, too.
    pub(crate) fn is_sound_board(&self) -> bool {
        let dead = self.dead_squares();
        let unmoved = self.game.as_ref().map_or(Bitboard::EMPTY, |game| {
            let (start, stands) = (game.start().board(), game.position().board());
            start.occupied() & !differences(start, stands)
        });
        !self.reporting.polled
            && !self.sensor_faults.loses_updates()
            && self.progress.trust != Trust::Lost
            && dead.count() <= decision::MOST_DEAD
            && (dead & unmoved).is_empty()
            && self.faulty_squares().is_subset(dead)
    }

    /// Returns whether the line has damaged nothing that anybody noticed.
    pub(crate) const fn is_undamaged(&self) -> bool {
        self.reporting.damage == 0 && self.reporting.damaged_at.is_none()
    }

    /// Returns whether the line has damaged nothing since an instant, and not much before, and everything was seen since.
    pub(crate) fn is_undamaged_since(&self, since: Timestamp) -> bool {
        let reporting = &self.reporting;
        let undamaged = |at: Timestamp| at < since && !reporting.was_damaged_before(since);
        reporting.updates
            && !reporting.noisy
            && !reporting.corrupted
            && reporting.damage == 0
            && reporting.damaged_at.is_none_or(undamaged)
            && reporting.logged_at < since
            && !self.window.gap
    }
}
