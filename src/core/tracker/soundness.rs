//! Owns whether the decoder may say by itself that there was an offence: nothing is known against the board, and everything was heard.

use super::{Tracker, position_trust::Trust};
use crate::{model::decision, time::Timestamp};

impl Tracker {
    /// Returns whether nothing is known against the board: no dump has shown that it loses changes, and its squares work, but for one that has
    /// never shown anything. Pieces that come late say nothing against it: offences look like that, too.
    pub(crate) fn is_sound_board(&self) -> bool {
        !self.reporting.polled
            && !self.sensor_faults.loses_updates()
            && self.progress.trust != Trust::Lost
            && self.dead_squares().count() <= decision::MOST_DEAD
            && self.faulty_squares().is_subset(self.dead_squares())
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
