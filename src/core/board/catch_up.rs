//! What the line has to know of a board to catch up with what nobody saw, and what its event log adds.
//!
//! The log has no dates: the line plays its records one after another, as if they happened now.

use dgt_protocol::{ClockReport, ClockTime, Placement, Side};

use super::Board;
use crate::{event::EventKind, time::Timestamp};

impl Board {
    /// Returns what each field shows, if a dump has come since the link did.
    #[must_use]
    pub fn codes(&self) -> Option<Placement> {
        self.sensing.known.then_some(self.sensing.codes)
    }

    /// Returns the last report of the clock that is believed.
    #[must_use]
    pub fn clock_report(&self) -> Option<ClockReport> {
        self.clock.report()
    }

    /// Returns whether a game is on and has no result.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.tracker.is_playing()
    }

    /// Notes that up to an instant changes come quicker than hands made them, as a long log is replayed in a short time.
    pub fn ignore_timing_until(&mut self, until: Timestamp) {
        self.tracker.ignore_timing_until(until);
    }

    /// Notes that the log reports all that was played since the board was heard last.
    pub fn go_on_without_gap(&mut self) {
        self.tracker.end_gap();
    }

    /// Emits something that only the line knows.
    pub fn emit_event(&mut self, kind: EventKind, now: Timestamp) {
        self.emit(now, kind);
    }

    /// Notes that the pieces stood where a game begins, as the log says, which does not say for how long: a game that they left for that is
    /// over, and the clock stood as they were set up.
    pub(crate) fn handle_set_up(&mut self, now: Timestamp) {
        if self.begin_standing(now) {
            let ticks = self.clock.stand(now);
            self.handle_ticks(&ticks, now);
            self.settle(now);
        }
    }

    /// Notes that a press of this instant was not made then: only its place among the changes is known.
    pub fn doubt_press(&mut self, now: Timestamp) {
        self.tracker.note_logged_press(now);
    }

    /// Handles a clock record of the event log: this side was stopped by the lever, and showed this time (protocol
    /// section 4.3).
    pub fn handle_stop_record(&mut self, side: Side, time: ClockTime, now: Timestamp) {
        self.tracker.note_logged_press(now);
        let ticks = self.clock.handle_stop_record(side, time, now);
        for ticks in ticks {
            self.handle_ticks(&ticks, now);
        }
        self.settle(now);
    }
}
