//! Counts wrong tokens, of each network and of all, and how many lines of the journal they take.
//!
//! One network waits for its own guesses. Whoever has many networks would guess a short token as fast as there are networks: for such a
//! token all networks together have a limit, except those from which the right one has come.

use std::{
    collections::VecDeque,
    net::IpAddr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use super::limit::Limit;

/// Wrong tokens that a network may send in a row, and how long it takes until one of them is forgotten.
const OF_NETWORK: (u32, Duration) = (8, Duration::from_secs(8));

/// The same of all networks together.
const OF_ALL: (u32, Duration) = (32, Duration::from_secs(4));

/// Lines about wrong tokens in a row, and how long it takes until there may be one more.
const LINES: (u32, Duration) = (20, Duration::from_secs(1));

/// Networks from which the right token has come that are remembered.
const KNOWN: usize = 64;

/// Wrong tokens that were sent.
#[derive(Debug)]
pub(super) struct Guesses {
    of_network: Limit<IpAddr>,
    of_all: Limit<()>,
    lines: Limit<()>,
    unsaid: AtomicU64,
    /// Networks from which the right token has come, the latest last.
    known: Mutex<VecDeque<IpAddr>>,
}

impl Guesses {
    pub(super) fn new() -> Self {
        Self {
            of_network: Limit::new(OF_NETWORK.0, OF_NETWORK.1),
            of_all: Limit::new(OF_ALL.0, OF_ALL.1),
            lines: Limit::new(LINES.0, LINES.1),
            unsaid: AtomicU64::new(0),
            known: Mutex::default(),
        }
    }

    /// Returns how long a network has to wait for its guesses, or for those of all if the token is short.
    pub(super) fn wait(&self, network: IpAddr, is_short: bool) -> Option<Duration> {
        let own = self.of_network.wait(&network);
        let is_known = || self.known().contains(&network);
        own.or_else(|| self.of_all.wait(&()).filter(|_| is_short && !is_known()))
    }

    /// Counts a wrong token.
    pub(super) fn note(&self, network: IpAddr) {
        self.of_network.note(network);
        self.of_all.note(());
    }

    /// Notes that the right token has come; returns how many wrong ones there were before it, if some were refused.
    pub(super) fn succeed(&self, network: IpAddr) -> Option<u32> {
        let mut known = self.known();
        known.retain(|one| *one != network);
        known.push_back(network);
        if known.len() > KNOWN {
            known.pop_front();
        }
        drop(known);
        self.of_network.refused_before(&network)
    }

    /// Returns how many wrong tokens have had no line, if there may be one more line about them.
    pub(super) fn may_say(&self) -> Option<u64> {
        if self.lines.wait(&()).is_some() {
            self.unsaid.fetch_add(1, Ordering::Relaxed);
            return None;
        }
        self.lines.note(());
        Some(self.unsaid.swap(0, Ordering::Relaxed))
    }

    fn known(&self) -> std::sync::MutexGuard<'_, VecDeque<IpAddr>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_networks_guess_a_short_token_no_faster_than_a_few() {
        let guesses = Guesses::new();
        let arbiter = IpAddr::from([10, 0, 0, 1]);
        assert_eq!(guesses.succeed(arbiter), None);
        let compared = |is_short| {
            let from = (0..1500).map(u16::to_be_bytes).map(|[a, b]| IpAddr::from([10, 1, a, b]));
            let compared = from.filter(|network| {
                let is_compared = guesses.wait(*network, is_short).is_none();
                if is_compared {
                    guesses.note(*network);
                }
                is_compared
            });
            compared.count()
        };
        let few = compared(true);
        assert!((32..36).contains(&few), "{few}");
        assert_eq!(guesses.wait(arbiter, true), None, "who has it goes on");
        assert!(guesses.wait([10, 0, 0, 2].into(), true).is_some());
        assert_eq!(compared(false), 1500, "one that nobody guesses is compared");
        let said = (0..1500).filter(|_| guesses.may_say().is_some()).count();
        assert!((20..24).contains(&said), "{said}");
    }
}
