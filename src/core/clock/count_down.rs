//! Reports that tell no more than that time has passed, as nearly all of them do.

use dgt_protocol::{ClockReport, Lever, Side};

use super::{
    ChessClock,
    plausible::{Reading, SLACK_S},
};
use crate::time::Timestamp;

impl ChessClock {
    /// Takes the report of a clock that has done nothing since the last one but run, and returns whether it shows another time.
    ///
    /// Takes nothing and returns `None` if the report may say more. Otherwise it comes to what [`ChessClock::handle_report`]
    /// makes of it, for a comparison: a clock tells its time every second, and does something every ten.
    pub fn count_down(&mut self, report: &ClockReport, now: Timestamp) -> Option<bool> {
        let before = self.shown?.report;
        let turn = self.turns.get(usize::from(before.lever == Lever::RightUp)).copied().flatten();
        let runs = before.running && before.connected && turn == Some(before.turn);
        if !runs || self.doubted.is_some() || self.in_silence.is_some() {
            return None;
        }
        let active = before.lever.active();
        let mut expected = before;
        let (running, is) = match if self.inverted { active.other() } else { active } {
            Side::Left => (&mut expected.left.time, report.left.time),
            Side::Right => (&mut expected.right.time, report.right.time),
        };
        let was = std::mem::replace(running, is);
        if expected != *report {
            return None;
        }
        let fallen =
            was.total_seconds().checked_sub(is.total_seconds()).filter(|fallen| *fallen <= SLACK_S)?;
        self.shown = Some(Reading { report: *report, at: now });
        self.doubts_battery = false;
        if fallen > 0 {
            self.contradictions = 0;
        }
        Some(fallen > 0)
    }
}
