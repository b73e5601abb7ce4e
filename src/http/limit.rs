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
const REMEMBERED: usize = 1024;

/// How long it is remembered that some were refused.
const REFUSED: Duration = Duration::from_hours(1);

/// What somebody has done.
#[derive(Debug)]
struct Acts {
    /// When the last of them is forgotten.
    until: Timestamp,
    /// How many there were.
    count: u32,
    /// How many were refused.
    refused: u32,
}

/// A limit that holds for every name by itself: of an account, or the address of a client.
#[derive(Debug)]
pub(super) struct Limit<K> {
    clock: SystemClock,
    in_a_row: u32,
    forget: Duration,
    acts: Mutex<BTreeMap<K, Acts>>,
}

impl<K: Clone + Ord> Limit<K> {
    /// Allows `in_a_row` acts, and one more after each time `forget`.
    pub(super) fn new(in_a_row: u32, forget: Duration) -> Self {
        Self { clock: SystemClock::start(), in_a_row, forget, acts: Mutex::default() }
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
        let mut all = self.acts.lock().unwrap_or_else(PoisonError::into_inner);
        let acts = all.get_mut(name)?;
        let busy = acts.until.since(now);
        let most = self.forget * self.in_a_row.saturating_sub(1);
        if busy <= most {
            return None;
        }
        acts.refused = acts.refused.saturating_add(1);
        Some(busy.saturating_sub(most))
    }

    /// Forgets that acts of a name were refused; returns how many there were of all kinds, if some were.
    pub(super) fn refused_before<N: Ord + ?Sized>(&self, name: &N) -> Option<u32>
    where
        K: Borrow<N>,
    {
        let mut all = self.acts.lock().unwrap_or_else(PoisonError::into_inner);
        let acts = all.get_mut(name)?;
        // The time goes on: whoever has the token by luck does not clear the way for others at this address.
        let refused = std::mem::take(&mut acts.refused);
        (refused > 0).then(|| acts.count.saturating_add(refused))
    }

    pub(super) fn note_at(&self, name: K, now: Timestamp) {
        let mut all = self.acts.lock().unwrap_or_else(PoisonError::into_inner);
        // What was refused is said when the right one comes, which may be later.
        all.retain(|_, acts| acts.until > now || acts.refused > 0 && acts.until + REFUSED > now);
        if all.len() >= REMEMBERED && !all.contains_key(&name) {
            // Whoever has been quiet for longest; those who have to wait are the last to be forgotten.
            let quiet = all.iter().min_by_key(|(_, acts)| acts.until).map(|(name, _)| name.clone());
            quiet.and_then(|name| all.remove(&name));
        }
        let acts = all.entry(name).or_insert(Acts { until: now, count: 0, refused: 0 });
        acts.until = acts.until.max(now) + self.forget;
        acts.count = acts.count.saturating_add(1);
    }

    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.acts.lock().unwrap().len()
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
        assert_eq!(
            (limit.refused_before("a"), limit.refused_before("a"), limit.refused_before("b")),
            (Some(4), None, None)
        );
        for last in 0..2000_u16 {
            limit.note_at(Box::leak(last.to_string().into_boxed_str()), now);
        }
        assert!(limit.remembered() <= REMEMBERED);
    }
}
