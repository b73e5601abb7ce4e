//! Ties the times of one capture to the machine's clocks, also when the capture was begun by an earlier process.

use std::time::{Duration, Instant};

use jadoube_core::time::Timestamp;
use jadoube_runtime::clock::SystemClock;

/// The timeline of one capture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timeline {
    clock: SystemClock,
    started: jiff::Timestamp,
    /// Where on the timeline this process joined it.
    joined: Timestamp,
}

impl Timeline {
    /// Starts a timeline whose zero is this instant.
    pub(crate) fn start() -> Self {
        let clock = SystemClock::start();
        Self { clock, started: clock.started(), joined: Timestamp::ZERO }
    }

    /// Goes on with a timeline that began at `started` and whose last known instant is `last`, known since `written`.
    ///
    /// The calendar says how long it was interrupted; if that was set meanwhile, the timeline still goes on, and does
    /// not leap if the calendar did so before `written`.
    pub(crate) fn resume(
        started: jiff::Timestamp,
        last: Timestamp,
        written: Option<jiff::Timestamp>,
    ) -> Self {
        let clock = SystemClock::start();
        let since = |instant: jiff::Timestamp| {
            Duration::try_from(clock.started().duration_since(instant)).unwrap_or(Duration::ZERO)
        };
        let elapsed = Timestamp::ZERO + since(started);
        let joined = written.map_or(elapsed, |written| elapsed.min(last + since(written)));
        Self { clock, started, joined: joined.max(last) }
    }

    /// Returns the time since the timeline began.
    pub(crate) fn now(&self) -> Timestamp {
        self.joined + self.clock.now().since(Timestamp::ZERO)
    }

    /// Returns the instant at which a timer set for `at` has to ring.
    pub(crate) fn instant(&self, at: Timestamp) -> Instant {
        self.clock.instant(self.own(at))
    }

    /// Returns the calendar time of the timeline's zero.
    pub(crate) const fn started(&self) -> jiff::Timestamp {
        self.started
    }

    /// Returns the calendar time of an instant, UTC.
    pub(crate) fn utc(&self, at: Timestamp) -> jiff::Timestamp {
        if at >= self.joined {
            return self.clock.utc(self.own(at));
        }
        let span =
            jiff::SignedDuration::try_from(at.since(Timestamp::ZERO)).unwrap_or(jiff::SignedDuration::MAX);
        self.started.checked_add(span).unwrap_or(jiff::Timestamp::MAX)
    }

    /// Returns how far the calendar is ahead of what [`Timeline::utc`] says of now.
    pub(crate) fn drift(&self) -> jiff::SignedDuration {
        self.clock.drift()
    }

    /// Returns an instant on the timeline of this process.
    fn own(&self, at: Timestamp) -> Timestamp {
        Timestamp::ZERO + at.since(self.joined)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAST: Timestamp = Timestamp::from_micros(5_000_000);

    #[test]
    fn goes_on_where_the_calendar_is() {
        let started =
            SystemClock::start().started().checked_sub(jiff::SignedDuration::from_secs(60)).unwrap();
        let timeline = Timeline::resume(started, LAST, None);
        assert!(timeline.now() >= Timestamp::from_micros(60_000_000));
        assert_eq!(timeline.utc(Timestamp::ZERO), started);
        let later = timeline.now() + Duration::from_secs(1);
        assert!(timeline.utc(later) > timeline.clock.started());
    }

    #[test]
    fn never_goes_back_when_the_calendar_was_set_back() {
        let started =
            SystemClock::start().started().checked_add(jiff::SignedDuration::from_hours(1)).unwrap();
        assert!(Timeline::resume(started, LAST, None).now() >= LAST);
        let written = started.checked_add(jiff::SignedDuration::from_secs(5)).unwrap();
        assert!(Timeline::resume(started, LAST, Some(written)).now() >= LAST);
    }

    #[test]
    fn does_not_leap_when_the_calendar_did() {
        let now = SystemClock::start().started();
        let before = |seconds| now.checked_sub(jiff::SignedDuration::from_secs(seconds)).unwrap();
        // A machine without a clock of its own began in another year, and learnt the time during the game.
        let timeline = Timeline::resume(before(40_000_000), LAST, Some(before(7)));
        assert!(timeline.now() >= LAST + Duration::from_secs(7));
        assert!(timeline.now() < LAST + Duration::from_hours(1));
    }
}
