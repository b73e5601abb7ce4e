//! Owns the only reader of the machine's clocks: everything else takes time as an argument.

use std::{
    env, fmt, fs,
    str::FromStr,
    time::{Duration, Instant},
};

use crate::platform;
use jadoube_core::time::Timestamp;

/// Least difference that counts: the system slows and hastens its clocks by less than that.
const DRIFT: jiff::SignedDuration = jiff::SignedDuration::from_secs(1);

/// The variable in which the service manager passes the number of the machine's start.
const BOOT: &str = "JADOUBE_BOOT";

/// Least difference between two processes that counts: both times are read in whole seconds, one after the other.
const SET_FORTH: jiff::SignedDuration = jiff::SignedDuration::from_mins(1);

/// An instant by the calendar, and by how long the machine has been up, which nobody can set.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Uptime {
    /// The start of the machine, by a number of its own.
    boot: String,
    up_s: i64,
    calendar_s: i64,
}

impl Uptime {
    /// Returns this instant, if the system knows it.
    #[must_use]
    pub fn now() -> Option<Self> {
        // The unit passes it, as it hides the file.
        let file = |_| fs::read_to_string("/proc/sys/kernel/random/boot_id");
        let boot = env::var(BOOT).or_else(file).ok()?.trim().replace('-', "");
        let up_s = platform::uptime_s()?;
        Some(Self { boot, up_s, calendar_s: jiff::Timestamp::now().as_second() })
    }

    /// Returns by how much the calendar was set forth between an earlier instant and this one.
    #[must_use]
    pub fn set_forth_since(&self, earlier: &Self) -> jiff::SignedDuration {
        let by = jiff::SignedDuration::from_secs(self.started_s().saturating_sub(earlier.started_s()));
        if self.boot == earlier.boot && by >= SET_FORTH { by } else { jiff::SignedDuration::ZERO }
    }

    /// Returns whether an earlier instant of the same start of the machine reports as much as this one: the calendar was not set since.
    #[must_use]
    pub fn is_as_reported_by(&self, earlier: &Self) -> bool {
        self.boot == earlier.boot && self.started_s().abs_diff(earlier.started_s()) <= 1
    }

    /// Returns when the machine was started, by the calendar as it is now.
    const fn started_s(&self) -> i64 {
        self.calendar_s.saturating_sub(self.up_s)
    }
}

impl fmt::Display for Uptime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.boot, self.up_s, self.calendar_s)
    }
}

impl FromStr for Uptime {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words = text.split_whitespace();
        let boot = words.next().ok_or(())?.to_owned();
        let mut seconds = || words.next().and_then(|word| word.parse().ok()).ok_or(());
        Ok(Self { boot, up_s: seconds()?, calendar_s: seconds()? })
    }
}

/// Ties a timeline to the machine's clocks: monotonic inside, calendar time only at the edges.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock {
    origin: Instant,
    started: jiff::Timestamp,
}

impl SystemClock {
    /// Starts a timeline whose zero is this instant.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this file is the one reader of the clocks")]
    pub fn start() -> Self {
        Self { origin: Instant::now(), started: jiff::Timestamp::now() }
    }

    /// Returns the time since the timeline began; never goes back, whatever is done to the calendar clock.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this file is the one reader of the clocks")]
    pub fn now(&self) -> Timestamp {
        Timestamp::ZERO + Instant::now().duration_since(self.origin)
    }

    /// Returns the instant at which a timer set for `at` has to ring.
    #[must_use]
    pub fn instant(&self, at: Timestamp) -> Instant {
        self.origin
            .checked_add(at.since(Timestamp::ZERO))
            .unwrap_or(self.origin + Duration::from_hours(24 * 365))
    }

    /// Returns the calendar time of the timeline's zero.
    #[must_use]
    pub const fn started(&self) -> jiff::Timestamp {
        self.started
    }

    /// Returns the calendar time of an instant of the timeline, UTC.
    #[must_use]
    pub fn utc(&self, at: Timestamp) -> jiff::Timestamp {
        let span = jiff::SignedDuration::from_micros(i64::try_from(at.as_micros()).unwrap_or(i64::MAX));
        self.started.checked_add(span).unwrap_or(jiff::Timestamp::MAX)
    }

    /// Returns the calendar time of an instant of the timeline by what the calendar says now, UTC.
    #[must_use]
    pub fn calendar(&self, at: Timestamp) -> jiff::Timestamp {
        let utc = self.utc(at);
        utc.checked_add(self.drift()).unwrap_or(utc)
    }

    /// Returns how far the calendar is ahead of what [`SystemClock::utc`] says; zero below a second.
    ///
    /// It has been set since the timeline began, or the machine has slept, which stops the clock of a timeline.
    #[must_use]
    pub fn drift(&self) -> jiff::SignedDuration {
        let drift = jiff::Timestamp::now().duration_since(self.utc(self.now()));
        if drift.abs() < DRIFT { jiff::SignedDuration::ZERO } else { drift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_calendar_set_forth_is_known_while_the_machine_is_up() {
        let at = |text: &str| text.parse::<Uptime>().unwrap();
        let set_forth = |from, to| at(to).set_forth_since(&at(from)).as_secs();
        assert_eq!(set_forth("a 100 5000", "a 107 5007"), 0);
        assert_eq!(set_forth("a 100 5000", "a 107 91407"), 86_400);
        assert_eq!(set_forth("a 100 5000", "b 7 91407"), 0, "nobody knows how long it was off");
        assert_eq!(set_forth("a 100 5000", "a 107 1400"), 0, "it was set back");
        assert!(at("a 900 5801").is_as_reported_by(&at("a 100 5000")));
        assert!(!at("a 900 5803").is_as_reported_by(&at("a 100 5000")));
        assert!(!at("b 100 5000").is_as_reported_by(&at("a 100 5000")));
        assert_eq!(at("a 100 5000").to_string(), "a 100 5000");
        assert!("a 100".parse::<Uptime>().is_err() && "a b c".parse::<Uptime>().is_err());
        if let Some(now) = Uptime::now() {
            assert_eq!(Uptime::now().unwrap().set_forth_since(&now).as_secs(), 0);
        }
    }
}
