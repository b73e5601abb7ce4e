//! Limits how often somebody may do something: so many in a row, then one whenever one is forgotten.

use std::{
    borrow::Borrow,
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use jadoube_core::time::Timestamp;
use jadoube_runtime::clock::SystemClock;

/// Names that are remembered.
pub(super) const REMEMBERED: usize = 1024;

/// A limit that holds for every name by itself: of an account, or the address of a client.
#[derive(Debug)]
pub(super) struct Limit<K> {
    clock: SystemClock,
    in_a_row: u32,
    forget: Duration,
    /// When the last of a name's acts is forgotten.
    until: Mutex<BTreeMap<K, Timestamp>>,
}

impl<K: Ord> Limit<K> {
    /// Allows `in_a_row` acts, and one more after each time `forget`.
    pub(super) fn new(in_a_row: u32, forget: Duration) -> Self {
        Self { clock: SystemClock::start(), in_a_row, forget, until: Mutex::default() }
    }

    /// Returns how long a name has to wait until it may act, if it has to.
    pub(super) fn wait<N: Ord + ?Sized>(&self, name: &N) -> Option<Duration>
    where
        K: Borrow<N>,
    {
        self.wait_at(name, self.clock.now())
    }

    /// Counts an act.
    pub(super) fn note(&self, name: K) {
        self.note_at(name, self.clock.now());
    }

    pub(super) fn wait_at<N: Ord + ?Sized>(&self, name: &N, now: Timestamp) -> Option<Duration>
    where
        K: Borrow<N>,
    {
        let until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        let busy = until.get(name)?.since(now);
        let most = self.forget * self.in_a_row.saturating_sub(1);
        (busy > most).then(|| busy.saturating_sub(most))
    }

    pub(super) fn note_at(&self, name: K, now: Timestamp) {
        let mut until = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        until.retain(|_, until| *until > now);
        if until.len() >= REMEMBERED && !until.contains_key(&name) {
            until.pop_first();
        }
        let last = until.entry(name).or_insert(now);
        *last = (*last).max(now) + self.forget;
    }

    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.until.lock().unwrap().len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_waits_and_others_do_not() {
        let limit = Limit::new(3, Duration::from_secs(10));
        let now = Timestamp::from_micros(1_000_000);
        for _ in 0..3 {
            assert_eq!(limit.wait_at("a", now), None);
            limit.note_at("a", now);
        }
        assert_eq!(limit.wait_at("a", now), Some(Duration::from_secs(10)));
        assert_eq!(limit.wait_at("b", now), None);
        assert_eq!(limit.wait_at("a", now + Duration::from_secs(10)), None);
    }
}
