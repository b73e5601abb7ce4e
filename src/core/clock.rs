//! Owns the chess clock as the board reports it: whose time runs, what the displays show, who pressed.
//!
//! Knows the two sides of a clock and which colour sits where; knows nothing of moves. Reports that cannot be true
//! (a damaged message has no checksum) are held back until a second one agrees.

use std::time::Duration;

use arrayvec::ArrayVec;
use dgt_protocol::{ClockReport, ClockTime, Lever, Side, SideTime, TurnBits};
use shakmaty::{ByColor, Color};

use crate::{event::Times, time::Timestamp};

/// How long an implausible report waits for a second one before it is believed.
const DOUBT: Duration = Duration::from_millis(1500);

/// The same where the clock runs: it tells its time every second, and on a line that damages one report the next may be damaged, too.
const DOUBT_RUNNING: Duration = Duration::from_millis(3500);

/// A time may fall this much faster than real time, seconds: display ticks, polls, a busy line.
const SLACK_S: u32 = 3;

/// Largest rise of a running clock that is taken for an increment or a delay, seconds.
const LARGEST_INCREMENT_S: u32 = 180;

/// A period that follows another one adds at least this much, seconds.
const NEXT_PERIOD_S: u32 = 60;

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
    Started(Side),
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

/// Everything one report can tell.
pub type Ticks = ArrayVec<Tick, 12>;

/// The chess clock of one board.
#[derive(Clone, Debug, Default)]
pub struct ChessClock {
    shown: Option<Reading>,
    doubted: Option<Reading>,
    /// Largest rise seen at a press of late, seconds.
    increment_s: u32,
    contradictions: u8,
    inverted: bool,
    /// The turn bits that came with each position of the lever while the clock ran, left up first.
    turns: [Option<TurnBits>; 2],
}

#[derive(Clone, Copy, Debug)]
struct Reading {
    report: ClockReport,
    at: Timestamp,
}

impl Reading {
    /// Returns until when a second reading is waited for.
    fn doubted_until(self) -> Timestamp {
        self.at + if self.report.running { DOUBT_RUNNING } else { DOUBT }
    }
}

impl ChessClock {
    /// Takes a report.
    pub fn handle_report(&mut self, report: ClockReport, now: Timestamp) -> Ticks {
        let reading = Reading { report, at: now };
        let Some(shown) = self.shown else {
            self.shown = Some(reading);
            return self.first_ticks(report);
        };
        let agrees = self.turns_agree(&report);
        let settles = |doubted: Reading| {
            let same = doubted.report.lever == report.lever && doubted.report.turn == report.turn;
            plausible(doubted, reading) && (agrees || same)
        };
        let settled = self.doubted.take().is_some_and(settles);
        let believed = settled || plausible(shown, reading) && agrees;
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

    /// Takes a record of the board's log: this side was stopped by the lever and showed this time.
    ///
    /// The log keeps the order of what happened and no dates, so that how far a time fell says nothing. A clock that
    /// stood still before and shows another time was started in between.
    pub fn handle_stop_record(&mut self, side: Side, time: ClockTime, now: Timestamp) -> [Ticks; 2] {
        let Some(shown) = self.shown.filter(|shown| shown.report.connected) else {
            return Default::default();
        };
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

    /// Takes the time: a doubted report that nothing has contradicted is believed.
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

    /// Tells whether a clock is there.
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

    /// Forgets what was shown, as when the link was down: nothing that changed meanwhile is a press.
    pub fn forget(&mut self) {
        self.shown = None;
        self.doubted = None;
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
            if report.side(side).flag() {
                ticks.push(Tick::Flag { side, blocked: report.side(side).flag_blocked });
            }
        }
        if let Some(side) = self.running_of(&report) {
            ticks.push(Tick::Started(side));
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
            ticks.push(Tick::Started(side));
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
            (None, Some(side)) => ticks.push(Tick::Started(side)),
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

/// By how many seconds both times have risen from one report to the next; below zero if they fell.
#[derive(Clone, Copy, Debug)]
struct TimeChange {
    left: i32,
    right: i32,
}

impl TimeChange {
    fn between(old: &ClockReport, new: &ClockReport) -> Self {
        // No clock shows ten hours.
        let risen = |old: SideTime, new: SideTime| new.seconds().wrapping_sub(old.seconds()).cast_signed();
        Self { left: risen(old.left, new.left), right: risen(old.right, new.right) }
    }

    const fn of(self, side: Side) -> i32 {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    /// Returns by how much this side's time has risen, if it has.
    fn rise(self, side: Side) -> u32 {
        u32::try_from(self.of(side)).unwrap_or(0)
    }

    /// Returns by how much it has fallen, if it has.
    fn fall(self, side: Side) -> u32 {
        u32::try_from(-self.of(side)).unwrap_or(0)
    }

    const fn fell(self, side: Side) -> bool {
        self.of(side) < 0
    }
}

/// A clock that runs falls with real time, rises by its increment at a press and does nothing else; a clock that
/// stands can be set to anything.
fn plausible(before: Reading, after: Reading) -> bool {
    if !before.report.connected || !after.report.connected {
        return true;
    }
    // A flag falls when no time is left, or more time is added with it.
    let fell = |side| {
        let (old, new) = (before.report.side(side), after.report.side(side));
        new.flag() && !old.flag() && new.seconds() > 0 && new.seconds() < old.seconds() + NEXT_PERIOD_S
    };
    if fell(Side::Left) || fell(Side::Right) {
        return false;
    }
    if !before.report.running {
        return true;
    }
    let most_fallen = most_fallen(before, after);
    let change = TimeChange::between(&before.report, &after.report);
    [Side::Left, Side::Right].into_iter().all(|side| {
        // A new period adds any amount of time and shows a flag while it does.
        change.fall(side) <= most_fallen
            && (change.rise(side) <= LARGEST_INCREMENT_S || after.report.side(side).flag())
    })
}

/// Returns by how many seconds a time may have fallen from one reading to another.
fn most_fallen(before: Reading, after: Reading) -> u32 {
    let elapsed = u32::try_from(after.at.since(before.at).as_secs()).unwrap_or(u32::MAX);
    elapsed.saturating_add(SLACK_S)
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
