//! Reads that are one report of a clock that counts down, as most are: of all that bytes may mean nothing else has to be asked.

use dgt_protocol::{ClockReport, Message, id};

use super::{Outage, Single};
use crate::time::Timestamp;

impl Single {
    /// Takes bytes that are the report of a clock that has done nothing since the last one but run, if nothing is amiss with the line
    /// and the board; otherwise takes nothing. Returns whether it did: then what is due, and when, is as before.
    ///
    /// It comes to what [`Single::handle_bytes`] makes of them.
    pub(in crate::line) fn count_down(&mut self, bytes: &[u8], now: Timestamp) -> bool {
        let Ok([id::CLOCK, 0, 10, data @ ..]) = <&[u8; 10]>::try_from(bytes) else { return false };
        let Some(decoder) = &mut self.decoder else { return false };
        let is_sound = decoder.pending() == 0
            && self.headless == 0
            && self.noise.is_settled(decoder.tally().noise_bytes, now)
            && self.host.is_answered()
            && matches!(self.outage, Outage::None)
            && !self.feed.board().is_in_doubt();
        if !is_sound || !data.is_ascii() {
            return false;
        }
        // What is an acknowledgement of the clock, or says nothing, is no report of one that runs.
        let Some(report) = ClockReport::decode(data) else { return false };
        if !self.feed.count_down(&report, now) {
            return false;
        }
        // It was looked at without the decoder, which counts what comes.
        decoder.whole_frame(&mut &*bytes);
        self.heard = now;
        self.counter.message(&Message::Clock(report));
        true
    }
}
