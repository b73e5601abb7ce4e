//! Reads logs of 0.1.0, whose lines have no number within their capture.
//!
//! Such a line belongs to the capture that began when its calendar time and its time say, and the last one of them says how far
//! the log goes: what became known by then was reported. Only alerts are looked for one by one, by their id.

use std::collections::BTreeSet;

use jiff::SignedDuration;

use jadoube_core::{
    event::{Event, EventKind},
    time::Timestamp,
};

/// How much calendar times may differ that say the same: the log's are those of the process that wrote it.
const SLACK: SignedDuration = SignedDuration::from_secs(2);

/// A line without a number within its capture.
#[derive(Debug)]
pub(super) struct UnnumberedLine {
    pub(super) at: jiff::Timestamp,
    /// Time on the timeline of its capture.
    pub(super) t: Timestamp,
    /// The id, if it raises an alert.
    pub(super) alert: Option<String>,
}

/// What such lines report of a board in one capture.
#[derive(Debug, Default)]
pub(super) struct Unnumbered<'a> {
    last: Option<Timestamp>,
    alerts: BTreeSet<&'a str>,
}

impl<'a> Unnumbered<'a> {
    /// Finds what the lines of a board report of the capture that was begun at `started`.
    pub(super) fn of(lines: &'a [UnnumberedLine], started: jiff::Timestamp) -> Self {
        let is_own = |line: &&UnnumberedLine| {
            let begun = line.at.saturating_sub(line.t.since(Timestamp::ZERO));
            begun.is_ok_and(|begun| begun.duration_since(started).abs() <= SLACK)
        };
        let mut reported = Self::default();
        // From the first one on: the calendar may have been set meanwhile.
        for line in lines.iter().skip_while(|line| !is_own(line)) {
            reported.last = reported.last.max(Some(line.t));
            reported.alerts.extend(line.alert.as_deref());
        }
        reported
    }

    /// Returns the time of the last line.
    pub(super) const fn last(&self) -> Option<Timestamp> {
        self.last
    }

    /// Returns whether an alert was raised.
    pub(super) fn has_alert(&self, event: &Event) -> bool {
        matches!(&event.kind, EventKind::Alert(alert) if self.alerts.contains(alert.id.as_str()))
    }
}
