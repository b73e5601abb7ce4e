//! Owns a chess clock: two times, a lever, periods, increments, flags.
//!
//! Counts no moves, as most clocks do not: the next period begins when the time of the last one is up. Knows clock
//! sides, not colours, and nothing of moves. It is a value: time is an argument, and runs faster or
//! slower for it where a hall is played at another speed.

use std::{sync::Arc, time::Duration};

use dgt_protocol::{ClockReport, ClockTime, Lever, Side, SideTime, TurnBits};

use jadoube_core::{
    laws::{Period, TimeControl},
    time::Timestamp,
};

/// How long a flag is shown after it fell with another period to follow.
const FLAG_IS_SHOWN: Duration = Duration::from_mins(5);

/// Ratio of the speed of people and clocks to the speed of the line, in thousandths.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Speed(u32);

impl Speed {
    /// Real time.
    pub const REAL: Self = Self(1000);

    /// Makes a speed from a factor, `None` unless it lies between 0.001 and 1000.
    #[must_use]
    pub fn new(factor: f64) -> Option<Self> {
        if !(0.001..=1000.0).contains(&factor) {
            return None;
        }
        let millis = Duration::try_from_secs_f64(factor).ok()?.as_millis();
        u32::try_from(millis).ok().map(Self)
    }

    /// Converts a duration on the line into a duration for people.
    #[must_use]
    pub fn lived(self, on_line: Duration) -> Duration {
        on_line.saturating_mul(self.0) / 1000
    }

    /// Converts a duration for people into a duration on the line.
    #[must_use]
    pub fn on_line(self, lived: Duration) -> Duration {
        lived.saturating_mul(1000) / self.0.max(1)
    }
}

/// A digital chess clock.
#[derive(Clone, Debug)]
pub struct ChessClock {
    periods: Arc<[Period]>,
    speed: Speed,
    state: ClockState,
    /// Instant up to which the times are computed.
    since: Timestamp,
}

#[derive(Clone, Copy, Debug)]
struct ClockState {
    left: ClockSide,
    right: ClockSide,
    lever: Lever,
    running: bool,
}

#[derive(Clone, Copy, Debug)]
struct ClockSide {
    rest: Duration,
    period: usize,
    flag: Flag,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Flag {
    Up,
    /// Fallen, with another period running; how much of the side's own time has passed since.
    Shown(Duration),
    /// Fallen for good; both times stand still.
    Blocked,
}

impl ChessClock {
    /// Returns a clock that is set and stopped, with the side of the first player up.
    #[must_use]
    pub fn new(control: &TimeControl, first: Side, speed: Speed, now: Timestamp) -> Self {
        let half = ClockSide { rest: initial_time(control), period: 0, flag: Flag::Up };
        let state = ClockState { left: half, right: half, lever: Lever::with_active(first), running: false };
        Self { periods: Arc::from(control.periods()), speed, state, since: now }
    }

    /// Starts the clock: the time of the side that is up runs.
    pub fn start(&mut self, now: Timestamp) {
        self.settle(now);
        self.state.running = !self.is_blocked();
    }

    /// Stops both times (Art. 6.11.2).
    pub fn stop(&mut self, now: Timestamp) {
        self.settle(now);
        self.state.running = false;
    }

    /// Presses a side. Returns whether the lever moved: a side that is down stays down.
    pub fn press(&mut self, side: Side, now: Timestamp) -> bool {
        self.settle(now);
        if self.state.lever.active() != side {
            return false;
        }
        self.state.lever = Lever::with_active(side.other());
        if self.state.running {
            let increment = self.periods.get(self.half(side).period).map_or(0, |period| period.increment_s);
            self.half_mut(side).rest += seconds(increment);
        }
        true
    }

    /// Sets a side's time, as an arbiter does.
    pub fn set(&mut self, side: Side, rest: Duration, now: Timestamp) {
        self.settle(now);
        let half = self.half_mut(side);
        half.rest = rest;
        half.flag = if rest.is_zero() { half.flag } else { Flag::Up };
    }

    /// Sets the lever so that a side is up, without an increment.
    pub fn set_lever(&mut self, active: Side, now: Timestamp) {
        self.settle(now);
        self.state.lever = Lever::with_active(active);
    }

    /// Returns the time a side has left.
    #[must_use]
    pub fn rest(&self, side: Side, now: Timestamp) -> Duration {
        self.at(now).half(side).rest
    }

    /// Returns the side whose time runs.
    #[must_use]
    pub fn running(&self, now: Timestamp) -> Option<Side> {
        let clock = self.at(now);
        clock.state.running.then(|| clock.state.lever.active())
    }

    /// Returns when the flag of the running side falls for good, if nobody presses.
    #[must_use]
    pub fn flag_fall(&self, now: Timestamp) -> Option<Timestamp> {
        let side = self.running(now)?;
        let clock = self.at(now);
        let half = clock.half(side);
        let more: Duration =
            self.periods.iter().skip(half.period + 1).map(|period| seconds(period.base_s)).sum();
        Some(now + self.speed.on_line(half.rest + more))
    }

    /// Returns the report that the board polls (protocol section 3.4).
    #[must_use]
    pub fn report(&self, now: Timestamp) -> ClockReport {
        let clock = self.at(now);
        let side = |side| {
            let half = clock.half(side);
            SideTime {
                time: displayed(half.rest),
                flag_blocked: half.flag == Flag::Blocked,
                flag_shown: matches!(half.flag, Flag::Shown(_)),
                increment: self.periods.get(half.period).is_some_and(|period| period.increment_s > 0),
            }
        };
        ClockReport {
            right: side(Side::Right),
            left: side(Side::Left),
            running: clock.state.running,
            lever: clock.state.lever,
            battery_low: false,
            connected: true,
            turn: TurnBits::with_active(clock.state.lever.active()),
        }
    }

    fn at(&self, now: Timestamp) -> Self {
        let mut clock = self.clone();
        clock.settle(now);
        clock
    }

    /// Advances the running side's time to `now`.
    fn settle(&mut self, now: Timestamp) {
        let mut passed = self.speed.lived(now.since(self.since));
        self.since = self.since.max(now);
        while self.state.running && !passed.is_zero() {
            let side = self.state.lever.active();
            let half = self.half_mut(side);
            let step = passed.min(half.rest);
            half.rest -= step;
            passed -= step;
            if let Flag::Shown(ago) = half.flag {
                half.flag = if ago + step < FLAG_IS_SHOWN { Flag::Shown(ago + step) } else { Flag::Up };
            }
            if half.rest.is_zero() {
                self.next_period(side);
            }
        }
    }

    fn next_period(&mut self, side: Side) {
        let number = self.half(side).period + 1;
        let next = self.periods.get(number).copied();
        let half = self.half_mut(side);
        if let Some(period) = next.filter(|period| period.base_s > 0) {
            *half =
                ClockSide { rest: seconds(period.base_s), period: number, flag: Flag::Shown(Duration::ZERO) };
            return;
        }
        half.flag = Flag::Blocked;
        self.state.running = false;
    }

    fn is_blocked(&self) -> bool {
        self.state.left.flag == Flag::Blocked || self.state.right.flag == Flag::Blocked
    }

    const fn half(&self, side: Side) -> ClockSide {
        match side {
            Side::Left => self.state.left,
            Side::Right => self.state.right,
        }
    }

    const fn half_mut(&mut self, side: Side) -> &mut ClockSide {
        match side {
            Side::Left => &mut self.state.left,
            Side::Right => &mut self.state.right,
        }
    }
}

/// Returns the initial time of a side, the first increment included.
#[must_use]
pub fn initial_time(control: &TimeControl) -> Duration {
    control.periods().first().map_or(Duration::ZERO, |period| seconds(period.base_s) + increment(control))
}

/// Returns the increment of the first period.
#[must_use]
pub fn increment(control: &TimeControl) -> Duration {
    control.periods().first().map_or(Duration::ZERO, |period| seconds(period.increment_s))
}

fn seconds(seconds: u32) -> Duration {
    Duration::from_secs(u64::from(seconds))
}

/// Returns the displayed time: seconds are rounded up.
fn displayed(rest: Duration) -> ClockTime {
    let seconds = rest.as_secs() + u64::from(rest.subsec_nanos() > 0);
    ClockTime::from_seconds(u32::try_from(seconds).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests;
