//! Reports that say no more than that time has passed, as nearly all of them do.

use dgt_protocol::{ClockReport, Lever, Side};
use shakmaty::ByColor;

use super::{
    ChessClock, ClockView, color,
    plausible::{Reading, SLACK_S},
};
use crate::{event::Times, time::Timestamp};

/// A clock that counts down, and what it shows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Countdown {
    /// Whose time runs, in clock sides.
    pub side: Side,
    /// What it shows.
    pub view: ClockView,
}

impl Countdown {
    /// Notes that the running time shows so many seconds less.
    pub const fn advance(&mut self, seconds: u32) {
        if let (Some(times), Some(running)) = (&mut self.view.times, self.view.running) {
            let time = if running.is_white() { &mut times.white } else { &mut times.black };
            *time = time.saturating_sub(seconds);
        }
    }
}

impl ChessClock {
    /// Handles the report of a clock that has done nothing since the last one but run, and returns whether it shows another time,
    /// and what it shows, with White at this side.
    ///
    /// Handles nothing and returns `None` if the report may say more. Otherwise it comes to what [`ChessClock::handle_report`]
    /// makes of it, for a comparison: a clock reports its time every second, and does something every ten.
    #[inline]
    pub fn count_down(
        &mut self,
        report: &ClockReport,
        white: Side,
        now: Timestamp,
    ) -> Option<(bool, Countdown)> {
        let before = self.shown?.report;
        let turn = self.turns.get(usize::from(before.lever == Lever::RightUp)).copied().flatten();
        let runs = before.running && before.connected && turn == Some(before.turn);
        if !runs || self.doubted.is_some() || self.in_silence.is_some() {
            return None;
        }
        let active = before.lever.active();
        let mut expected = before;
        let side = if self.inverted { active.other() } else { active };
        let (running, is) = match side {
            Side::Left => (&mut expected.left.time, report.left.time),
            Side::Right => (&mut expected.right.time, report.right.time),
        };
        let was = std::mem::replace(running, is);
        if expected != *report {
            return None;
        }
        let (left, right) = (report.left.seconds(), report.right.seconds());
        let fallen = was.total_seconds().checked_sub(if side == Side::Left { left } else { right })?;
        if fallen > SLACK_S {
            return None;
        }
        self.shown = Some(Reading { report: *report, at: now });
        self.doubts_battery = false;
        if fallen > 0 {
            self.contradictions = 0;
        }
        let (white_s, black_s) = if white == Side::Left { (left, right) } else { (right, left) };
        let (white_flag, black_flag) = (report.side(white).flag(), report.side(white.other()).flag());
        let view = ClockView {
            times: Some(Times { white: white_s, black: black_s }),
            running: Some(color(side, white)),
            connected: true,
            low_battery: report.battery_low,
            flags: ByColor { white: white_flag, black: black_flag },
        };
        Some((fallen > 0, Countdown { side, view }))
    }

    /// Notes that since [`ChessClock::count_down`], or since the last call, the running time, which is on this side, has lost so many
    /// seconds within its minute, at most as many as that takes, and that nothing else has happened.
    pub const fn count_on(&mut self, side: Side, seconds: u8, now: Timestamp) {
        if let Some(shown) = &mut self.shown {
            let side = match side {
                Side::Left => &mut shown.report.left,
                Side::Right => &mut shown.report.right,
            };
            debug_assert!(seconds <= side.time.seconds, "the seconds lost are within the minute");
            side.time.seconds = side.time.seconds.saturating_sub(seconds);
            shown.at = now;
            self.contradictions = 0;
        }
    }
}
