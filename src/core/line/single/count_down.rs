//! Reads that are one report of a clock that counts down, as most are: of all that bytes may mean nothing else has to be asked.

use dgt_protocol::id;

use super::{BoardFeed, Outage, Single};
use crate::time::Timestamp;

impl Single {
    /// Handles bytes that are the report of a clock that has done nothing since the last one but run, if nothing is amiss with the line
    /// and the board; otherwise takes nothing. Returns whether it did: then what is due, and when, is as before.
    ///
    /// It comes to what [`Single::handle_bytes`] makes of them.
    pub(in crate::line) fn count_down(&mut self, bytes: &[u8], now: Timestamp) -> bool {
        let Ok([id::CLOCK, 0, 10, data @ ..]) = <&[u8; 10]>::try_from(bytes) else { return false };
        let Some(decoder) = &self.decoder else { return false };
        let is_sound = decoder.pending() == 0
            && self.headless == 0
            && self.noise.is_settled(decoder.tally().noise_bytes, now)
            && self.host.is_answered()
            && matches!(self.outage, Outage::None)
            && !self.feed.board().is_in_doubt();
        if !is_sound || !self.feed.tick(*data, now) {
            return false;
        }
        debug_assert_eq!(self.feed.deadline(), BoardFeed::deadline(&self.feed), "nothing else is due");
        // The decoder has not seen it: only its account of damage counts here.
        self.heard = now;
        self.counter.clock();
        true
    }
}
