//! What a board says of itself, and which of it is believed.
//!
//! A board has one serial number. Another one has to be sent twice, since a damaged message is no other board, and only
//! a few are taken within an hour: every number is a board in lists, files and topics.

use std::time::Duration;

use crate::{settings::is_serial, time::Timestamp};

/// Time over which new numbers are counted.
const SPAN: Duration = Duration::from_hours(1);

/// Other numbers that are taken within [`SPAN`].
const MOST: u8 = 6;

/// What a board says of itself.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct BoardIdentity {
    pub(super) serial: Option<String>,
    pub(super) long_serial: Option<String>,
    pub(super) version: Option<String>,
    /// Charge of its battery, percent.
    pub(super) battery: Option<u8>,
    serial_doubt: Doubt,
    long_serial_doubt: Doubt,
}

/// Another number than the one that is believed.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Doubt {
    /// What was reported last, if it is not what is believed.
    reported: Option<String>,
    /// When the present count of changes began.
    since: Timestamp,
    changes: u8,
}

impl BoardIdentity {
    /// Handles a serial number that the board has reported.
    pub(super) fn take_serial(&mut self, reported: &str, now: Timestamp) {
        if is_serial(reported) && self.serial_doubt.believes(self.serial.as_deref(), reported, now) {
            self.serial = Some(reported.to_owned());
        }
    }

    /// Handles a long serial number, which may also hold a version.
    pub(super) fn take_long_serial(&mut self, reported: &str, now: Timestamp) {
        if self.long_serial_doubt.believes(self.long_serial.as_deref(), reported, now) {
            self.long_serial = Some(reported.to_owned());
        }
    }

    /// Returns the number by which the board is called, if it has one.
    pub(super) fn number(&self) -> Option<&str> {
        let long = self.long_serial.as_deref().filter(|long| is_serial(long));
        self.serial.as_deref().or(long)
    }

    /// Returns whether everything that is reported of the board is the same.
    pub(super) fn is_reported_as(&self, other: &Self) -> bool {
        (&self.serial, &self.long_serial, &self.version, self.battery)
            == (&other.serial, &other.long_serial, &other.version, other.battery)
    }
}

impl Doubt {
    /// Returns whether a number that was reported is the board's.
    fn believes(&mut self, own: Option<&str>, reported: &str, now: Timestamp) -> bool {
        if own.is_none_or(|own| own == reported) {
            self.reported = None;
            return true;
        }
        if self.reported.as_deref() != Some(reported) {
            self.reported = Some(reported.to_owned());
            return false;
        }
        if self.changes == 0 || now.since(self.since) >= SPAN {
            (self.since, self.changes) = (now, 0);
        }
        let is_believed = self.changes < MOST;
        if is_believed {
            self.changes += 1;
            self.reported = None;
        }
        is_believed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> Timestamp {
        Timestamp::from_micros(second * 1_000_000)
    }

    #[test]
    fn another_serial_has_to_be_reported_twice() {
        let mut identity = BoardIdentity::default();
        for (reported, believed) in [
            ("23946", "23946"),
            ("23947", "23946"),
            ("23946", "23946"),
            ("11111", "23946"),
            ("11111", "11111"),
        ] {
            identity.take_serial(reported, at(1));
            assert_eq!(identity.number(), Some(believed), "{reported}");
        }
    }

    #[test]
    fn blank_numbers_and_texts_are_no_numbers() {
        let mut identity = BoardIdentity::default();
        for reported in ["", "     ", "?????", "a/#+b", "../..", "\u{1b}[2J", "00001 1.0"] {
            identity.take_serial(reported, at(1));
            identity.take_long_serial(reported, at(1));
            identity.take_long_serial(reported, at(2));
            assert_eq!(identity.number(), None, "{reported}");
        }
        identity.take_serial("23946", at(3));
        assert_eq!(identity.number(), Some("23946"));
    }

    #[test]
    fn a_board_that_keeps_changing_its_number_gets_few_names() {
        let mut identity = BoardIdentity::default();
        let mut names = std::collections::BTreeSet::new();
        for number in 0..100_000_u32 {
            let reported = format!("{:05}", number / 2 % 99_999);
            identity.take_serial(&reported, at(u64::from(number / 100)));
            identity.take_long_serial(&format!("30000{reported}"), at(u64::from(number / 100)));
            names.extend(identity.number().map(str::to_owned));
        }
        // A long number before the first short one, that one, and six others.
        assert_eq!(names.len(), 8);
        identity.take_serial("77777", at(5000));
        identity.take_serial("77777", at(5001));
        assert_eq!(identity.number(), Some("77777"), "an hour later others are taken");
    }
}
