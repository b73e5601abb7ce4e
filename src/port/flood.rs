//! Decides when a line says more than a board can: a terminal server that floods, a device that is no board.
//!
//! Boards say some hundred bytes a second. A burst is let pass, as a terminal server delivers at once what it has kept
//! during an outage; a line that goes on at more than ten times its nominal rate is not listened to until it is calm.

use std::time::Duration;

use jadoube_core::time::Timestamp;

/// Bytes of a burst, beyond what the rate allows.
const BURST: u64 = 128 * 1024;

/// How long a line has to be calm after the worst flood.
const CALM: u64 = 10;

/// The least rate that is too much, bytes a second.
const LEAST: u64 = 9600;

/// What a read has changed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Rate {
    /// The line says what a board says.
    Normal,
    /// The line has said too much just now.
    TooMuch,
    /// It has done so before, and is not calm.
    Dropped,
    /// It is calm again, after this many bytes were dropped.
    Calm(u64),
}

/// How much a line has said lately.
#[derive(Debug)]
pub(super) struct Flood {
    /// Bytes a second that are too much: ten times the nominal rate.
    rate: u64,
    /// Bytes beyond the rate.
    level: u64,
    at: Timestamp,
    /// Bytes dropped, while the line says too much.
    dropped: Option<u64>,
    /// Reads since it was left alone last.
    reads: u32,
}

impl Flood {
    /// Watches a line of this speed, bits a second; a byte takes ten.
    pub(super) fn new(baud: u32) -> Self {
        Self { rate: u64::from(baud).max(LEAST), level: 0, at: Timestamp::ZERO, dropped: None, reads: 0 }
    }

    /// Notes that so many bytes were read, or none.
    pub(super) fn take(&mut self, count: usize, now: Timestamp) -> Rate {
        let since = u64::try_from(now.since(self.at).as_millis()).unwrap_or(u64::MAX);
        let drained = self.rate.saturating_mul(since) / 1000;
        if drained > 0 {
            self.at = now;
        }
        let count = u64::try_from(count).unwrap_or(u64::MAX);
        let most = BURST.saturating_add(self.rate.saturating_mul(CALM));
        self.level = self.level.saturating_sub(drained).saturating_add(count).min(most);
        match &mut self.dropped {
            None if self.level <= BURST => Rate::Normal,
            None => {
                self.dropped = Some(count);
                Rate::TooMuch
            }
            Some(dropped) if self.level > 0 => {
                *dropped = dropped.saturating_add(count);
                Rate::Dropped
            }
            Some(dropped) => {
                let dropped = *dropped;
                self.dropped = None;
                Rate::Calm(dropped)
            }
        }
    }

    /// Returns whether a line that is not listened to is left alone now, after a read.
    pub(super) const fn is_left_alone(&mut self) -> bool {
        self.reads = (self.reads + 1) % READS;
        self.reads == 0
    }

    /// Returns whether the line is not listened to.
    pub(super) const fn is_on(&self) -> bool {
        self.dropped.is_some()
    }
}

/// How long a line that floods is left alone after some reads, so that it costs no time of others.
pub(super) const PAUSE: Duration = Duration::from_millis(100);

/// Reads between two such times: what waits on the way of a network when a flood is over, some megabytes, is worked off in seconds.
const READS: u32 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_micros(millis * 1000)
    }

    #[test]
    fn a_line_at_its_nominal_rate_is_heard_for_ever() {
        let mut flood = Flood::new(9600);
        for millis in (0..3_600_000).step_by(50) {
            assert_eq!(flood.take(48, at(millis)), Rate::Normal);
        }
    }

    #[test]
    fn what_a_terminal_server_has_kept_is_heard_at_once() {
        let mut flood = Flood::new(9600);
        for _ in 0..64 {
            assert_eq!(flood.take(1024, at(1000)), Rate::Normal);
        }
    }

    #[test]
    fn a_line_that_floods_is_cut_and_heard_again_once_it_is_calm() {
        let mut flood = Flood::new(9600);
        let rates: Vec<Rate> = (0..1000).map(|n| flood.take(1024, at(n))).collect();
        let heard = rates.iter().filter(|rate| **rate == Rate::Normal).count();
        assert!((128..140).contains(&heard), "{heard}");
        assert_eq!(rates.iter().filter(|rate| **rate == Rate::TooMuch).count(), 1);
        assert!(flood.is_on());
        let calm = (1..60).find_map(|second| match flood.take(0, at(1000 + 1000 * second)) {
            Rate::Calm(dropped) => Some((second, dropped)),
            Rate::Normal | Rate::TooMuch | Rate::Dropped => None,
        });
        let (second, dropped) = calm.unwrap();
        assert!((10..=25).contains(&second), "{second}");
        assert_eq!(dropped, (1000 - u64::try_from(heard).unwrap()) * 1024);
        assert_eq!(flood.take(48, at(62_000)), Rate::Normal);
    }
}
