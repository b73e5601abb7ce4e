//! How the board reports its squares: one by one or in dumps, and what the line damages of it.

use std::time::Duration;

use crate::{
    model::{decision, sensors, wait},
    time::Timestamp,
};

/// How the board reports its squares; it outlives the game.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of one another")]
pub(super) struct Reporting {
    /// Whether the board reports changes, or is only seen through dumps.
    pub(super) updates: bool,
    /// Whether the board is asked for its changes, as on a bus, so that a dump may well be the first to show one.
    pub(super) polled: bool,
    /// Whether a clock reports who presses.
    pub(super) clock: bool,
    /// When it was heard again after it had reported nothing for a while; the end of time, if it has not been yet.
    pub(super) clock_back_at: Option<Timestamp>,
    /// When the board was heard again after its last silence.
    pub(super) up_since: Timestamp,
    /// Reports damaged since the board last showed just what was played.
    pub(super) damage: u8,
    /// How often the line has damaged something.
    damages: u8,
    /// When the line damaged something last.
    pub(super) damaged_at: Option<Timestamp>,
    /// Which of the last eight judgements needed a search, a bit each: the board did not show just what was played.
    pub(super) searched: u8,
    /// Whether the line damages more than a sound line does.
    pub(super) noisy: bool,
    /// Whether it has changed a byte of a message that kept its form: whatever is reported only once may be wrong.
    pub(super) corrupted: bool,
    /// Whether a dump has come after the one that a board begins with.
    pub(super) dumps_come: bool,
    /// When a dump came last.
    pub(super) dumped_at: Timestamp,
    /// How long that was after the one before, at most [`SLOWEST_DUMPS`].
    pub(super) dump_pace: Duration,
    /// Until then changes come quicker than hands made them, as a long log is caught up with.
    pub(super) timing_ignored_until: Timestamp,
    /// When a log reported a press last.
    pub(super) logged_at: Timestamp,
    /// Dumps in a row that came soon after the one before.
    soon: u8,
}

impl Reporting {
    /// Notes that a dump has come.
    pub(super) fn note_dump(&mut self, now: Timestamp) {
        self.dump_pace = now.since(self.dumped_at).min(wait::SLOWEST_DUMPS);
        self.dumps_come |= self.dumped_at > Timestamp::ZERO;
        self.soon = if self.dump_pace < wait::SLOWEST_DUMPS { self.soon.saturating_add(1) } else { 0 };
        self.dumped_at = now;
    }

    /// Returns whether the board is only seen through dumps; one that is asked after a press is no sign of it.
    pub(super) const fn is_polled_by_dumps(&self) -> bool {
        !self.updates && self.soon >= decision::MOST_ASKED
    }

    /// Notes that a report was damaged.
    pub(super) fn note_damage(&mut self, now: Timestamp) {
        self.damage = self.damage.saturating_add(1);
        self.damaged_at = Some(now);
        self.damages = self.damages.saturating_add(1);
    }

    /// Returns whether the line has lately damaged anything: a report that stayed in its form may be wrong, too.
    pub(super) fn was_damaged_before(&self, at: Timestamp) -> bool {
        let lasts = if self.damages > 1 { wait::DAMAGE_LASTS } else { wait::ONE_DAMAGE_LASTS };
        self.damaged_at.is_some_and(|damaged_at| at.since(damaged_at) < lasts)
    }

    /// Returns whether what happened at this time may have followed what was before it more slowly than it seems.
    pub(super) fn ignored_timing_at(&self, at: Timestamp) -> bool {
        self.timing_ignored_until > Timestamp::ZERO && at.since(self.timing_ignored_until) < sensors::MOMENT
    }

    /// Notes that presses were judged, either at once or by a search.
    pub(super) fn note_judged(&mut self, searched: bool) {
        self.searched = self.searched << 1 | u8::from(searched);
    }

    /// Returns whether the line damages so much of what the board reports that the position may be another one.
    pub(super) const fn hides_play(&self) -> bool {
        (self.noisy || self.damage > 0) && self.searched.count_ones() > decision::MOST_SEARCHED
    }

    /// Returns what remains of it when the same board is read from the beginning.
    pub(super) fn of_successor(&self) -> Self {
        Self {
            noisy: self.noisy,
            corrupted: self.corrupted,
            polled: self.polled,
            clock: self.clock,
            damaged_at: self.damaged_at,
            timing_ignored_until: self.timing_ignored_until,
            logged_at: self.logged_at,
            ..Self::default()
        }
    }
}

impl super::Tracker {
    /// Notes that a press of this instant comes out of a log.
    pub(crate) const fn note_logged_press(&mut self, now: Timestamp) {
        self.reporting.logged_at = now;
    }

    /// Returns whether the line damages so much of what the board reports that nobody can say what was played.
    pub(crate) const fn hides_play(&self) -> bool {
        self.reporting.hides_play()
    }
}
