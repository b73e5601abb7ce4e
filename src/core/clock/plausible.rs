//! Which reports of a clock may be true: a damaged message has no checksum.

use std::time::Duration;

use dgt_protocol::{ClockReport, Side, SideTime};

use crate::time::Timestamp;

/// How long an implausible report waits for a second one before it is believed.
const DOUBT: Duration = Duration::from_millis(1500);

/// The same where the clock runs: it reports its time every second, and on a line that damages one report the next may be damaged, too.
const DOUBT_RUNNING: Duration = Duration::from_millis(3500);

/// A time may fall this much faster than real time, seconds: display ticks, polls, a busy line.
pub(super) const SLACK_S: u32 = 3;

/// Largest rise of a running clock that is taken for an increment or a delay, seconds.
pub(super) const LARGEST_INCREMENT_S: u32 = 180;

/// A period that follows another one adds at least this much, seconds.
const NEXT_PERIOD_S: u32 = 60;

#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    pub(super) report: ClockReport,
    pub(super) at: Timestamp,
}

impl Reading {
    /// Returns until when a second reading is waited for.
    pub(super) fn doubted_until(self) -> Timestamp {
        self.at + if self.report.running { DOUBT_RUNNING } else { DOUBT }
    }
}

/// By how many seconds both times have risen from one report to the next; below zero if they fell.
#[derive(Clone, Copy, Debug)]
pub(super) struct TimeChange {
    left: i32,
    right: i32,
}

impl TimeChange {
    pub(super) fn between(old: &ClockReport, new: &ClockReport) -> Self {
        // No clock shows ten hours.
        let risen = |old: SideTime, new: SideTime| new.seconds().wrapping_sub(old.seconds()).cast_signed();
        Self { left: risen(old.left, new.left), right: risen(old.right, new.right) }
    }

    pub(super) const fn of(self, side: Side) -> i32 {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    /// Returns by how much this side's time has risen, if it has.
    pub(super) fn rise(self, side: Side) -> u32 {
        u32::try_from(self.of(side)).unwrap_or(0)
    }

    /// Returns by how much it has fallen, if it has.
    pub(super) fn fall(self, side: Side) -> u32 {
        u32::try_from(-self.of(side)).unwrap_or(0)
    }

    pub(super) const fn fell(self, side: Side) -> bool {
        self.of(side) < 0
    }
}

/// A clock that runs falls with real time, rises by its increment at a press and does nothing else; a clock that
/// stands can be set to anything.
pub(super) fn plausible(before: Reading, after: Reading) -> bool {
    if !before.report.connected || !after.report.connected {
        // A clock that runs is hardly unplugged; one bit says so.
        return !before.report.running || after.report.connected;
    }
    let most_fallen = most_fallen(before, after);
    // A flag falls on a clock that runs when no time is left, or more time is added with it, and hardly with the other one.
    let flagged = |side| after.report.side(side).flag() && !before.report.side(side).flag();
    let fell_early = |side| {
        let (old, new) = (before.report.side(side), after.report.side(side));
        let left = !before.report.running || old.seconds() > most_fallen;
        flagged(side) && new.seconds() > 0 && (left || new.seconds() < old.seconds() + NEXT_PERIOD_S)
    };
    let both = flagged(Side::Left) && flagged(Side::Right);
    if both || fell_early(Side::Left) || fell_early(Side::Right) {
        return false;
    }
    if !before.report.running {
        return true;
    }
    let change = TimeChange::between(&before.report, &after.report);
    [Side::Left, Side::Right].into_iter().all(|side| {
        // A new period adds any amount of time and shows a flag while it does.
        change.fall(side) <= most_fallen
            && (change.rise(side) <= LARGEST_INCREMENT_S || after.report.side(side).flag())
    })
}

/// Returns by how many seconds a time may have fallen from one reading to another.
pub(super) fn most_fallen(before: Reading, after: Reading) -> u32 {
    let elapsed = u32::try_from(after.at.since(before.at).as_secs()).unwrap_or(u32::MAX);
    elapsed.saturating_add(SLACK_S)
}
