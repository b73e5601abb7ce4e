//! Owns random numbers: a generator that gives the same numbers from the same seed on every machine.
//!
//! For simulation only: not cryptographically secure. It is not taken from a library: the seeds of tests, captures and truth
//! files stand for the games that this generator gives, and would stand for others with another one.

use std::time::Duration;

/// A stream of numbers that its seed determines (`SplitMix64`).
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Random(u64);

impl Random {
    /// Starts the stream of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Starts a second stream, so that its draws do not change this one.
    #[must_use]
    pub const fn fork(&mut self) -> Self {
        Self(self.number())
    }

    /// Draws 64 bits.
    pub const fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Draws a byte.
    pub const fn byte(&mut self) -> u8 {
        self.number().to_le_bytes()[7]
    }

    /// Draws from 0 up to, not including, `end`; 0 if there is nothing to draw from.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u128::try_from(end).unwrap_or(u128::MAX);
        usize::try_from((u128::from(self.number()) * end) >> 64).unwrap_or(0)
    }

    /// Draws from 0 up to, not including, 1.
    pub fn unit(&mut self) -> f64 {
        let high = u32::try_from(self.number() >> 32).unwrap_or(0);
        f64::from(high) / 4_294_967_296.0
    }

    /// Returns `true` with this probability, 0 to 1. Draws one number in either case.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Draws evenly from an interval.
    pub fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    /// Draws a time evenly from an interval in seconds.
    pub fn seconds(&mut self, from: f64, to: f64) -> Duration {
        span(self.between(from, to))
    }

    /// Draws a time evenly from an interval in milliseconds.
    pub fn millis(&mut self, [from, to]: [i32; 2]) -> Duration {
        self.seconds(f64::from(from) / 1000.0, f64::from(to) / 1000.0)
    }

    /// Draws one element; `None` from an empty slice.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }

    /// Draws an index with the given weights; the last index if all weights are zero.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let mut rest = self.between(0.0, weights.iter().sum());
        for (number, weight) in weights.iter().enumerate() {
            if rest < *weight {
                return number;
            }
            rest -= weight;
        }
        weights.len().saturating_sub(1)
    }

    /// Draws a span whose logarithm is normal, the shape of human reaction times.
    pub fn log_normal(&mut self, shape: LogNormal) -> Duration {
        // Twelve uniform draws approximate a normal distribution, without functions that differ between machines.
        let normal = (0..12).fold(-6.0, |sum, _| sum + self.unit());
        span(shape.median_s * (shape.sigma * normal).exp())
    }
}

/// A log-normal distribution of times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogNormal {
    /// Median, seconds.
    pub median_s: f64,
    /// Standard deviation of the logarithm: 0 always gives the median, with 0.55 nine of ten are below its double.
    pub sigma: f64,
}

impl LogNormal {
    /// Makes a distribution.
    #[must_use]
    pub const fn new(median_s: f64, sigma: f64) -> Self {
        Self { median_s, sigma }
    }
}

/// Converts seconds; negative values and NaN give zero.
#[must_use]
pub fn span(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.min(1e9)).unwrap_or(Duration::ZERO)
}

#[cfg(test)]
mod tests;
