//! Owns the only reader of the machine's clocks: everything else takes time as an argument.

use std::time::{Duration, Instant};

use jadoube_core::time::Timestamp;

/// Least difference that counts: the system slows and hastens its clocks by less than that.
const DRIFT: jiff::SignedDuration = jiff::SignedDuration::from_secs(1);

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
