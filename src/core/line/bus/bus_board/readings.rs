//! What a board was asked and has answered, until it is passed on or replaced.

use std::time::Duration;

use dgt_protocol::{ClockReport, Field, Lever, Piece, Placement};

use crate::{model::wait, time::Timestamp};

/// The changes that the board reports.
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
    /// Whether nothing has come since.
    pub(super) silent: bool,
    pub(super) until: Timestamp,
}

/// What stands on the board, as read before changes that are not passed on yet.
#[derive(Debug, Default)]
pub(super) struct DumpReading {
    pub(super) wanted: bool,
    pub(super) read: Option<Placement>,
    /// When one came last.
    pub(super) at: Timestamp,
    /// What it showed that no change has reported.
    doubted: Vec<(Field, Piece)>,
    /// When the line has damaged something last.
    damaged_at: Option<Timestamp>,
}

impl DumpReading {
    /// Notes that the line has damaged something.
    pub(super) const fn note_damage(&mut self, now: Timestamp) {
        self.damaged_at = Some(now);
    }

    /// Returns whether what was read is to be passed on: on a line that damages, what no change has reported may be damage, of which one in
    /// 128 has a sum that fits; it is believed if a second dump says it, too.
    pub(super) fn believes(&mut self, read: &Placement, reported: Option<Placement>, now: Timestamp) -> bool {
        let shown = |field| (field, read.get(field));
        // Before the first one nothing is known: all of it is news.
        let news: Vec<_> = match reported {
            Some(reported) => reported.differences(read).map(shown).collect(),
            None => Field::all().map(shown).collect(),
        };
        let sound = self.damaged_at.is_none_or(|at| now.since(at) >= wait::DAMAGE_LASTS);
        let believed = sound || news.iter().all(|news| self.doubted.contains(news));
        self.doubted = if believed { Vec::new() } else { news };
        self.wanted |= !believed;
        believed
    }

    /// Returns whether the next one decides about the last.
    pub(super) const fn is_doubted(&self) -> bool {
        !self.doubted.is_empty()
    }
}

/// What the clock shows, as read before changes that are not passed on yet.
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
    /// Notes that the question went out.
    pub(super) fn handle_sent(&mut self, now: Timestamp) {
        self.asked = Some(now);
        self.times = (self.times + 1).min(MOST_DOUBLINGS + 1);
    }

    /// Returns whether it is to be asked now.
    pub(super) fn is_wanted(&self, now: Timestamp) -> bool {
        let pause = ASKS_AGAIN * (1 << self.times.saturating_sub(1));
        !self.is_known && self.asked.is_none_or(|at| now.since(at) >= pause)
    }
}
