//! What a board was asked and has answered, until it is told or replaced.

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
