//! Owns the faults of a line: loses, changes and delays bytes at given rates, by a seed.
//!
//! It does not know messages, with one exception: it can lose a whole field update.

mod named;

use std::{collections::VecDeque, time::Duration};

pub use self::named::{NamedFault, ParseFaultError};

use super::random::{Random, span};
use jadoube_core::time::Timestamp;

/// Faults of a line. Rates are shares from 0 to 1, of bytes or of reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Faults {
    /// Bytes that get lost.
    pub drop: f64,
    /// Bytes with one flipped bit.
    pub flip: f64,
    /// Bytes before which a random byte is inserted.
    pub insert: f64,
    /// Bytes that arrive twice.
    pub duplicate: f64,
    /// Reads that are late.
    pub delay: f64,
    /// How late at most, seconds.
    pub delay_s: f64,
    /// Reads that are cut in two.
    pub cut: f64,
    /// Reads after which nothing arrives for a while; then it arrives all at once.
    pub hang: f64,
    /// For how long, seconds.
    pub hang_s: f64,
    /// Field updates that are lost whole, for example by a radio module.
    pub lose_updates: f64,
}

impl Faults {
    /// A line without faults.
    pub const NONE: Self = Self {
        drop: 0.0,
        flip: 0.0,
        insert: 0.0,
        duplicate: 0.0,
        delay: 0.0,
        delay_s: 0.0,
        cut: 0.0,
        hang: 0.0,
        hang_s: 0.0,
        lose_updates: 0.0,
    };

    /// A noisy line.
    pub const NOISY: Self = Self {
        drop: 0.02,
        flip: 0.02,
        insert: 0.01,
        duplicate: 0.01,
        delay: 0.1,
        delay_s: 0.1,
        cut: 0.3,
        hang: 0.0,
        hang_s: 0.0,
        lose_updates: 0.0,
    };

    /// A line without losses that delays and splits reads, as a busy machine does.
    pub const RAGGED: Self = Self { delay: 0.1, delay_s: 0.02, cut: 0.2, ..Self::NONE };
}

/// The line from a board to its host.
#[derive(Debug)]
pub struct Wire {
    faults: Faults,
    noisy: bool,
    /// Number of field updates to lose next.
    lose: u32,
    random: Random,
    on_the_way: VecDeque<(Timestamp, Vec<u8>)>,
    /// When the last bytes in transit arrive: bytes keep their order.
    busy_until: Timestamp,
}

impl Wire {
    /// Makes a line with faults.
    #[must_use]
    pub const fn new(faults: Faults, seed: u64) -> Self {
        Self {
            faults,
            noisy: false,
            lose: 0,
            random: Random::new(seed),
            on_the_way: VecDeque::new(),
            busy_until: Timestamp::ZERO,
        }
    }

    /// Switches the noise on or off.
    pub const fn set_noisy(&mut self, noisy: bool) {
        self.noisy = noisy;
    }

    /// Loses the next field update.
    pub const fn lose_update(&mut self) {
        self.lose = self.lose.saturating_add(1);
    }

    /// Sends bytes.
    pub fn carry(&mut self, bytes: Vec<u8>, now: Timestamp) {
        let faults = if self.noisy { Faults::NOISY } else { self.faults };
        if is_update(&bytes) && self.loses_update(faults) {
            return;
        }
        if faults == Faults::NONE {
            self.send(bytes, now);
            return;
        }
        if faults.hang > 0.0 && self.random.chance(faults.hang) {
            self.busy_until = self.busy_until.max(now + span(faults.hang_s));
        }
        let bytes = self.damage(&bytes, faults);
        let late =
            if self.random.chance(faults.delay) { self.random.between(0.0, faults.delay_s) } else { 0.0 };
        let at = now + span(late);
        if bytes.len() > 1 && self.random.chance(faults.cut) {
            let (first, second) = bytes.split_at(1 + self.random.below(bytes.len() - 1));
            self.send(first.to_vec(), at);
            self.send(second.to_vec(), at + Duration::from_millis(2));
        } else {
            self.send(bytes, at);
        }
    }

    /// Removes and returns the next bytes that have arrived.
    pub fn poll(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        self.on_the_way.pop_front_if(|(at, _)| *at <= now).map(|(_, bytes)| bytes)
    }

    /// Returns when bytes arrive next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        self.on_the_way.front().map(|(at, _)| *at)
    }

    /// Loses what is on its way, as the cable is pulled out.
    pub fn forget(&mut self) {
        self.on_the_way.clear();
    }

    fn send(&mut self, bytes: Vec<u8>, at: Timestamp) {
        if !bytes.is_empty() {
            self.busy_until = self.busy_until.max(at);
            self.on_the_way.push_back((self.busy_until, bytes));
        }
    }

    fn loses_update(&mut self, faults: Faults) -> bool {
        if self.lose > 0 {
            self.lose -= 1;
            return true;
        }
        faults.lose_updates > 0.0 && self.random.chance(faults.lose_updates)
    }

    fn damage(&mut self, bytes: &[u8], faults: Faults) -> Vec<u8> {
        let mut damaged = Vec::with_capacity(bytes.len() + 2);
        for byte in bytes {
            if self.random.chance(faults.insert) {
                damaged.push(self.random.byte());
            }
            if self.random.chance(faults.drop) {
                continue;
            }
            let flip = self.random.chance(faults.flip);
            let bit = 1u8 << self.random.below(8);
            let byte = if flip { byte ^ bit } else { *byte };
            damaged.push(byte);
            if self.random.chance(faults.duplicate) {
                damaged.push(byte);
            }
        }
        damaged
    }
}

/// Returns whether bytes are one field update.
fn is_update(bytes: &[u8]) -> bool {
    bytes.len() == 5 && bytes.first() == Some(&dgt_protocol::id::FIELD_UPDATE)
}

#[cfg(test)]
mod tests;
