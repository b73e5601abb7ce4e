//! Owns what the displays of the clock say about presses that nobody heard, and about when others were made.

use std::time::Duration;

use arrayvec::ArrayVec;

use super::{gap_search::Presses, progress::Silence, window::Press};
use crate::{
    event::Times,
    model::{decision, effort, wait},
    time::Timestamp,
};

/// What the displays of the clock say about presses that nobody heard.
#[derive(Clone, Debug, Default)]
pub(super) struct Displays {
    latest: Option<(Times, Timestamp)>,
    /// The shortest time between two reports: the clock is read at least so often.
    pace: Option<Duration>,
    /// Increments of the last presses, seconds.
    rises: ArrayVec<u32, { effort::RISES }>,
}

impl Displays {
    pub(super) fn note_times(&mut self, times: Times, now: Timestamp) {
        if let Some((_, before)) = self.latest.replace((times, now)) {
            let since = now.since(before);
            self.pace = Some(self.pace.map_or(since, |pace| pace.min(since)));
        }
    }

    /// Returns the shortest time between two readings.
    pub(super) const fn pace(&self) -> Option<Duration> {
        self.pace
    }

    /// Returns until when a press that the clock reports now had not been made: it was read since it reported something last, and reported
    /// nothing new.
    pub(super) fn up_at(&self, now: Timestamp) -> Option<Timestamp> {
        let read = self.pace.map(|pace| now.before(pace.max(wait::CLOCK_READ)));
        self.latest().max(read)
    }

    /// Returns what they reported last, and when.
    pub(super) const fn shown(&self) -> Option<(Times, Timestamp)> {
        self.latest
    }

    /// Returns when they reported something last.
    pub(super) fn latest(&self) -> Option<Timestamp> {
        self.latest.map(|(_, at)| at)
    }

    pub(super) fn note_press(&mut self, press: Press) {
        if self.rises.is_full() {
            self.rises.remove(0);
        }
        self.rises.push(press.increment_s);
    }

    /// Returns whether the clock shows what it showed before a silence.
    pub(super) fn stood_since(&self, silence: Silence) -> bool {
        silence.before.map(|(times, _)| times) == self.latest.map(|(times, _)| times)
    }

    /// Returns whether it added time at one of the last presses.
    pub(super) fn adds_time(&self) -> bool {
        self.rises.iter().any(|rise| *rise > 0)
    }

    /// Returns the seconds that it adds at each press, if that is known: then it reports every press.
    pub(super) fn increment(&self) -> Option<u32> {
        let times = |rise: u32| self.rises.iter().filter(|other| **other == rise).count();
        self.rises.iter().copied().filter(|rise| *rise > 0 && times(*rise) >= decision::SAME_RISES).max()
    }

    /// Returns what the clock says of the presses since a silence began, if it adds time for each.
    pub(super) fn presses_since(&self, silence: Silence) -> Option<Presses> {
        silence.running?;
        let ((before, began), (after, ended)) = (silence.before?, self.latest?);
        let increment = self.increment()?;
        if ended <= began {
            return None;
        }
        let sum = |times: Times| f64::from(times.white) + f64::from(times.black);
        let added_s = ended.since(began).as_secs_f64() + sum(after) - sum(before);
        Some(Presses { added_s, increment_s: f64::from(increment) })
    }
}
