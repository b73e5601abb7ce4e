//! Counts how often the board on a port has reported another serial number.
//!
//! Each number is a board in lists, files and topics, so a device that makes numbers up may name only a few.

use std::{collections::VecDeque, time::Duration};

use jadoube_core::{settings::same_serial, time::Timestamp};

/// Other numbers that a port may report within [`SPAN`].
pub(super) const MOST: usize = 6;

/// See [`MOST`].
const SPAN: Duration = Duration::from_hours(1);

/// The numbers that a port has reported.
#[derive(Debug)]
pub(super) struct Numbers {
    /// The one that was taken last.
    last: Option<String>,
    /// When another one was taken.
    changes: VecDeque<Timestamp>,
    /// Numbers that were not taken since the last one that was.
    pub(super) refused: u64,
}

impl Numbers {
    /// Begins with the board that the port had before.
    pub(super) fn new(serial: Option<&str>) -> Self {
        Self { last: serial.map(str::to_owned), changes: VecDeque::new(), refused: 0 }
    }

    /// Returns whether a number may be taken, and counts it.
    pub(super) fn admit(&mut self, serial: &str, now: Timestamp) -> bool {
        let is_same = self.last.as_ref().is_none_or(|last| same_serial(last, serial));
        self.changes.retain(|at| now.since(*at) < SPAN);
        if !is_same && self.changes.len() >= MOST {
            self.refused = self.refused.saturating_add(1);
            return false;
        }
        if !is_same {
            self.changes.push_back(now);
        }
        self.last = Some(serial.to_owned());
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minute: u64) -> Timestamp {
        Timestamp::from_micros(minute * 60_000_000)
    }

    #[test]
    fn six_other_numbers_an_hour_are_taken_and_the_last_one_always() {
        let mut numbers = Numbers::new(Some("23946"));
        assert!(numbers.admit("23946", at(0)));
        let taken: Vec<u32> = (0..100).filter(|n| numbers.admit(&format!("1{n:04}"), at(1))).collect();
        assert_eq!(taken, [0, 1, 2, 3, 4, 5]);
        assert_eq!(numbers.refused, 94);
        assert!(numbers.admit("10005", at(2)), "the one that was taken last");
        assert!(!numbers.admit("23946", at(2)));
        assert!(numbers.admit("23946", at(62)), "an hour later");
    }
}
