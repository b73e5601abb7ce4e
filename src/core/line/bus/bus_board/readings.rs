//! What a board was asked and has answered, until it is told or replaced.

use std::time::Duration;

use dgt_protocol::{ClockReport, Lever, Placement};

use crate::time::Timestamp;

/// The changes that the board tells.
#[derive(Debug, Default)]
pub(super) struct Changes {
    /// Whether they were asked for and have not come: they are to be repeated, or they are lost.
    pub(super) unsure: bool,
    /// The last answer.
    pub(super) last: Vec<u8>,
    /// When they came last.
    pub(super) at: Timestamp,
}

/// An answer that did not come in time, and may still come.
#[derive(Debug, Default)]
pub(super) struct Overdue {
    /// Whether what comes next may be that answer.
    pub(super) doubtful: bool,
    pub(super) until: Timestamp,
}

/// What stands on the board, as read before changes that are not told yet.
#[derive(Debug, Default)]
pub(super) struct DumpReading {
    pub(super) wanted: bool,
    pub(super) read: Option<Placement>,
    /// When one came last.
    pub(super) at: Timestamp,
}

/// What the clock shows, as read before changes that are not told yet.
#[derive(Debug, Default)]
pub(super) struct ClockReading {
    pub(super) report: Option<ClockReport>,
    pub(super) at: Option<Timestamp>,
    /// Where the lever has turned to, by the last report.
    pub(super) turned: Option<Lever>,
}

/// A question for the version that nobody has answered is repeated after this, then after twice as long, and so on.
const ASKS_AGAIN: Duration = Duration::from_secs(30);

/// How often that time is doubled; every board knows the question, and a line has time for little else.
const MOST_DOUBLINGS: u32 = 4;

/// Whether the firmware is known.
#[derive(Debug, Default)]
pub(super) struct VersionReading {
    pub(super) is_known: bool,
    asked: Option<Timestamp>,
    times: u32,
}

impl VersionReading {
    /// Takes that the question went out.
    pub(super) fn handle_sent(&mut self, now: Timestamp) {
        self.asked = Some(now);
        self.times = (self.times + 1).min(MOST_DOUBLINGS + 1);
    }

    /// Tells whether it is to be asked now.
    pub(super) fn is_wanted(&self, now: Timestamp) -> bool {
        let pause = ASKS_AGAIN * (1 << self.times.saturating_sub(1));
        !self.is_known && self.asked.is_none_or(|at| now.since(at) >= pause)
    }
}
