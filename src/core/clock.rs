//! Owns the chess clock as the board reports it: whose time runs, what the displays show, who pressed.
//!
//! Knows the two sides of a clock and which colour sits where; knows nothing of moves. Reports that cannot be true
//! (a damaged message has no checksum) are held back until a second one agrees.

mod count_down;
mod plausible;

use arrayvec::ArrayVec;
use dgt_protocol::{ClockReport, ClockTime, Lever, Side, TurnBits};
use shakmaty::{ByColor, Color};

pub use self::count_down::Countdown;
use self::plausible::{LARGEST_INCREMENT_S, Reading, TimeChange, most_fallen, plausible};
use crate::{event::Times, model::wait, time::Timestamp};

/// Ticks against the lever after which the lever is taken to be wired the other way round.
const CONTRADICTIONS: u8 = 3;

/// What is known about the clock, in colours.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ClockView {
    /// What the displays show, unless there is no clock.
    pub times: Option<Times>,
    /// Whose time runs.
    pub running: Option<Color>,
    /// Whether the board has a clock.
    pub connected: bool,
    /// Whether the clock shows its battery sign.
    pub low_battery: bool,
    /// Whose flags are shown as fallen.
    pub flags: ByColor<bool>,
}

/// Something that the clock did, in clock sides.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Tick {
    /// The side whose time ran pressed.
    Pressed {
        /// Who pressed.
        side: Side,
        /// Whether the lever was seen to move; otherwise the times show that it did, and moved back.
        seen: bool,
        /// Seconds by which the presser's time rose.
        increment_s: u32,
    },
    /// The clock began to run.
    Started {
        /// Whose time runs.
        side: Side,
        /// Whether the lever was turned since the clock was seen to stand: it may have been started and pressed since.
        lever_moved: bool,
    },
    /// The clock was stopped.
    Stopped,
    /// A flag fell.
    Flag {
        /// Whose flag.
        side: Side,
        /// The clock blocks: no further period.
        blocked: bool,
    },
    /// The board has found or lost its clock.
    Connected(bool),
    /// The battery sign went on or off.
    LowBattery(bool),
    /// The displays or the running side changed.
    Shows,
}

/// A press that fell into a moment in which the board could not be heard.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PressInSilence {
    /// Who pressed.
    pub side: Side,
    /// Seconds by which the presser's time rose, less what it fell before.
    pub increment_s: u32,
}

/// After so many presses that add as much as the one before, one that adds none is looked at twice.
const STEADY: u8 = 2;

/// Everything one report can say.
pub type Ticks = ArrayVec<Tick, 12>;

/// The chess clock of one board.
#[derive(Clone, Debug, Default)]
pub struct ChessClock {
    shown: Option<Reading>,
    /// What it showed before the board could not be heard, until it reports again, and what both say of a press.
    before_silence: Option<Reading>,
    in_silence: Option<PressInSilence>,
    doubted: Option<Reading>,
    /// The battery sign has changed in the last report of a clock that runs; the next one shows whether it has.
    doubts_battery: bool,
    /// Largest rise seen at a press of late, seconds.
    increment_s: u32,
    /// Presses in a row that added just that.
    steady: u8,
    contradictions: u8,
    inverted: bool,
    /// The turn bits that came with each position of the lever while the clock ran, left up first.
    turns: [Option<TurnBits>; 2],
}

impl ChessClock {
    /// Handles a report.
    pub fn handle_report(&mut self, mut report: ClockReport, now: Timestamp) -> Ticks {
        let Some(shown) = self.shown else {
            let reading = Reading { report, at: now };
            self.compare_with_before_silence(reading);
            self.shown = Some(reading);
            return self.first_ticks(report);
        };
        // A clock that stands may send nothing more.
        let comes = shown.report.connected && report.running;
        let differs = comes && report.battery_low != shown.report.battery_low;
        self.doubts_battery = differs && !self.doubts_battery;
        if self.doubts_battery {
            report.battery_low = shown.report.battery_low;
        }
        let reading = Reading { report, at: now };
        let agrees = self.turns_agree(&report);
        let settles = |doubted: Reading| {
            let same = doubted.report.lever == report.lever && doubted.report.turn == report.turn;
            plausible(doubted, reading) && (agrees || same)
        };
        let settled = self.doubted.take().is_some_and(settles);
        let plausible = plausible(shown, reading) && !self.lacks_increment(shown, reading);
        let believed = settled || plausible && agrees;
        if !believed {
            self.doubted = Some(reading);
            return Ticks::new();
        }
        if let Some(turn) = self.turns.get_mut(usize::from(report.lever == Lever::RightUp))
            && report.running
        {
            *turn = Some(report.turn);
        }
        self.accept(shown, reading)
    }

    /// Handles a record of the board's log: this side was stopped by the lever and showed this time.
    ///
    /// The log keeps the order of what happened and no dates, so that how far a time fell says nothing. A clock that
    /// stood still before and shows another time was started in between.
    pub fn handle_stop_record(&mut self, side: Side, time: ClockTime, now: Timestamp) -> [Ticks; 2] {
        let Some(shown) = self.shown.filter(|shown| shown.report.connected) else {
            return Default::default();
        };
        // It was read before this press.
        self.doubted = None;
        let old = shown.report;
        let lever = |active: Side| Lever::with_active(if self.inverted { active.other() } else { active });
        let (before, stopped) = (lever(side), lever(side.other()));
        let running = old.running || old.side(side).time != time;
        let started = ClockReport { running, lever: if old.running { old.lever } else { before }, ..old };
        let increment_s = self.increment_s;
        let first = if started == old {
            Ticks::new()
        } else {
            self.accept(shown, Reading { report: started, at: now })
        };
        let mut report = ClockReport { lever: stopped, ..started };
        let sides = if side == Side::Left { &mut report.left } else { &mut report.right };
        sides.time = time;
        let second = self.accept(Reading { report: started, at: shown.at }, Reading { report, at: now });
        // What was shown before may be old, so that the rise says little.
        self.increment_s = self.increment_s.max(increment_s);
        [first, second]
    }

    /// Notes that the clock stood before what it shows next, though no report has shown it: whose time ran before says nothing.
    pub fn stand(&mut self, now: Timestamp) -> Ticks {
        self.doubted = None;
        let Some(shown) = self.shown.filter(|shown| shown.report.connected) else { return Ticks::new() };
        self.accept(shown, Reading { report: ClockReport { running: false, ..shown.report }, at: now })
    }

    /// Handles the time: a doubted report that nothing has contradicted is believed.
    pub fn handle_timeout(&mut self, now: Timestamp) -> Ticks {
        match (self.shown, self.doubted) {
            (Some(shown), Some(doubted)) if doubted.doubted_until() <= now => {
                self.doubted = None;
                self.accept(shown, doubted)
            }
            _ => Ticks::new(),
        }
    }

    /// Returns when a doubted report is to be believed.
    #[must_use]
    pub fn deadline(&self) -> Option<Timestamp> {
        self.doubted.map(Reading::doubted_until)
    }

    /// Returns the side whose time runs.
    #[must_use]
    pub fn running(&self) -> Option<Side> {
        self.shown.and_then(|shown| self.running_of(&shown.report))
    }

    /// Returns whether a clock is there.
    #[must_use]
    pub fn connected(&self) -> bool {
        self.shown.is_some_and(|shown| shown.report.connected)
    }

    /// Returns the last report that is believed.
    #[must_use]
    pub fn report(&self) -> Option<ClockReport> {
        self.shown.map(|shown| shown.report)
    }

    /// Returns what is known, with White at this side of the clock.
    #[must_use]
    pub fn view(&self, white: Side) -> ClockView {
        let Some(report) = self.report().filter(|report| report.connected) else {
            return ClockView::default();
        };
        let (left, right) = (report.left, report.right);
        let (white_side, black_side) = if white == Side::Left { (left, right) } else { (right, left) };
        ClockView {
            times: Some(Times { white: white_side.seconds(), black: black_side.seconds() }),
            running: self.running().map(|side| color(side, white)),
            connected: true,
            low_battery: report.battery_low,
            flags: ByColor { white: white_side.flag(), black: black_side.flag() },
        }
    }

    /// Forgets what was shown, as when the link was down: nothing that changed meanwhile is a press but what
    /// [`ChessClock::take_press_in_silence`] returns.
    pub fn forget(&mut self) {
        self.before_silence = self.shown.take().or(self.before_silence);
        self.in_silence = None;
        self.doubted = None;
    }

    /// Notes that pieces were moved, or that somebody has pressed since, so that nobody can know when the lever was turned.
    pub const fn forget_silence(&mut self) {
        self.before_silence = None;
        self.in_silence = None;
    }

    /// Returns the press that turned the lever while the board could not be heard for a moment, once, when the clock has reported since.
    pub const fn take_press_in_silence(&mut self) -> Option<PressInSilence> {
        self.in_silence.take()
    }

    /// Compares the first report after a silence with the last one before it.
    fn compare_with_before_silence(&mut self, after: Reading) {
        let Some(before) = self.before_silence.take() else { return };
        debug_assert!(before.at <= after.at, "the silence was between them");
        let Some(side) = self.running_of(&before.report) else { return };
        let change = TimeChange::between(&before.report, &after.report);
        let increment_s = change.rise(side);
        // It may have been stopped after the press; then only time that rose shows that it was one.
        let counts = after.report.running || self.is_increment(increment_s);
        let lever_moved = after.report.connected && after.report.lever != before.report.lever && counts;
        let silence = after.at.since(before.at);
        // Where each press adds time, more is left on both sides together than has passed.
        let added = silence.as_secs_f64() + f64::from(change.of(Side::Left) + change.of(Side::Right));
        let adds = self.steady < STEADY || 2.0 * added >= f64::from(self.increment_s);
        let sound = adds && plausible(before, after) && self.turns_agree(&after.report);
        let pressed = lever_moved && sound && silence <= wait::UNHEARD;
        self.in_silence = pressed.then_some(PressInSilence { side, increment_s });
    }

    fn running_of(&self, report: &ClockReport) -> Option<Side> {
        let active = report.lever.active();
        (report.connected && report.running).then_some(if self.inverted { active.other() } else { active })
    }

    /// Returns what the first report says, or that after [`ChessClock::forget`].
    fn first_ticks(&self, report: ClockReport) -> Ticks {
        let mut ticks = Ticks::new();
        ticks.push(Tick::Connected(report.connected));
        if report.battery_low {
            ticks.push(Tick::LowBattery(true));
        }
        for side in [Side::Left, Side::Right] {
            // With time left on a clock that stands nothing is lost, and one byte too many looks the same.
            if report.side(side).flag() && (report.running || report.side(side).seconds() == 0) {
                ticks.push(Tick::Flag { side, blocked: report.side(side).flag_blocked });
            }
        }
        if let Some(side) = self.running_of(&report) {
            ticks.push(Tick::Started { side, lever_moved: false });
        }
        ticks.push(Tick::Shows);
        ticks
    }

    /// Nobody knows what the turn bits of a clock mean; but they come with its lever always in the same way.
    fn turns_agree(&self, report: &ClockReport) -> bool {
        let known = self.turns.get(usize::from(report.lever == Lever::RightUp)).copied().flatten();
        !report.running || known.is_none_or(|turn| turn == report.turn)
    }

    fn accept(&mut self, before: Reading, after: Reading) -> Ticks {
        debug_assert!(before.at <= after.at, "reports are believed in their order");
        self.shown = Some(after);
        let mut ticks = Ticks::new();
        let (old, new) = (before.report, after.report);
        if old.connected != new.connected {
            ticks.push(Tick::Connected(new.connected));
        }
        if old.battery_low != new.battery_low {
            ticks.push(Tick::LowBattery(new.battery_low));
        }
        if old.connected && new.connected {
            let change = TimeChange::between(&old, &new);
            self.watch_lever(&old, &new, change);
            self.compare(&old, &new, change, most_fallen(before, after), &mut ticks);
        } else if let Some(side) = self.running_of(&new) {
            ticks.push(Tick::Started { side, lever_moved: false });
        }
        if old != new {
            ticks.push(Tick::Shows);
        }
        ticks
    }

    /// Compares two reports between which no time fell by more than `most` seconds.
    fn compare(
        &mut self,
        old: &ClockReport,
        new: &ClockReport,
        change: TimeChange,
        most: u32,
        ticks: &mut Ticks,
    ) {
        let rise = |side| change.rise(side);
        match (self.running_of(old), self.running_of(new)) {
            (Some(side), Some(now)) if side != now => {
                let other = side.other();
                // The opponent's time rose as well: side, opponent and side again pressed inside one poll.
                let thrice = self.is_increment(rise(other));
                if thrice {
                    ticks.push(Tick::Pressed { side, seen: false, increment_s: self.increment_s });
                    ticks.push(Tick::Pressed { side: other, seen: false, increment_s: rise(other) });
                }
                // Of the two increments each press brought one.
                let increment_s = if thrice { rise(side).div_ceil(2) } else { rise(side) };
                self.steady = if self.is_increment(increment_s) { self.steady.saturating_add(1) } else { 0 };
                if increment_s <= LARGEST_INCREMENT_S {
                    self.increment_s = if increment_s + 1 < self.increment_s {
                        increment_s
                    } else {
                        self.increment_s.max(increment_s)
                    };
                }
                // A tick of the clock between press and report hides a second of it.
                let increment_s = if self.is_increment(increment_s) { self.increment_s } else { increment_s };
                ticks.push(Tick::Pressed { side, seen: true, increment_s });
            }
            (Some(side), Some(_)) => {
                // The time that should stand still has moved: it ran for a moment, between two presses. What fell further was read
                // wrongly before, or has been set.
                let ran = change.fell(side.other()) && change.fall(side.other()) <= most;
                if self.is_increment(rise(side.other())) || ran {
                    ticks.push(Tick::Pressed { side, seen: false, increment_s: rise(side) });
                    ticks.push(Tick::Pressed {
                        side: side.other(),
                        seen: false,
                        increment_s: rise(side.other()),
                    });
                }
            }
            (None, Some(side)) => ticks.push(Tick::Started { side, lever_moved: old.lever != new.lever }),
            (Some(_), None) => ticks.push(Tick::Stopped),
            (None, None) => {}
        }
        for side in [Side::Left, Side::Right] {
            let (was, is) = (old.side(side), new.side(side));
            if is.flag() && (!was.flag() || is.flag_blocked && !was.flag_blocked) {
                ticks.push(Tick::Flag { side, blocked: is.flag_blocked });
            }
        }
    }

    /// Returns whether the lever has moved and the time of the presser has not risen, as it did at each press before.
    fn lacks_increment(&self, before: Reading, after: Reading) -> bool {
        let (Some(side), Some(now)) = (self.running_of(&before.report), self.running_of(&after.report))
        else {
            return false;
        };
        let change = TimeChange::between(&before.report, &after.report);
        let least = i64::from(self.increment_s) - i64::from(most_fallen(before, after));
        side != now && self.steady >= STEADY && i64::from(change.of(side)) < least
    }

    /// A tick may hide in an increment, so one second less is the same increment; and one more, if it hid in all before.
    const fn is_increment(&self, rise: u32) -> bool {
        self.increment_s > 0 && rise > 0 && rise.abs_diff(self.increment_s) <= 1
    }

    /// Some clocks report their lever the other way round: then the wrong side's time falls, again and again.
    fn watch_lever(&mut self, old: &ClockReport, new: &ClockReport, change: TimeChange) {
        if !(old.running && new.running) || old.lever != new.lever {
            return;
        }
        let Some(running) = self.running_of(new) else { return };
        match (change.fell(running), change.fell(running.other())) {
            (false, true) => self.contradictions += 1,
            (true, _) => self.contradictions = 0,
            (false, false) => {}
        }
        if self.contradictions >= CONTRADICTIONS {
            self.inverted = !self.inverted;
            self.contradictions = 0;
        }
    }
}

/// Returns the colour that sits at a side of the clock.
#[must_use]
pub const fn color(side: Side, white: Side) -> Color {
    match (side, white) {
        (Side::Left, Side::Left) | (Side::Right, Side::Right) => Color::White,
        _ => Color::Black,
    }
}

#[cfg(test)]
mod tests;
