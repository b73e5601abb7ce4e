//! Owns the unit of all costs: 1/256 nat, as integers, so that sums are the same on every machine.

use std::{iter::Sum, ops};

/// What an explanation pays for something that nobody reported: −ln p, in 1/256 nat.
///
/// Prices add up where probabilities multiply. 177 is one in two, 589 one in ten, 1179 one in a hundred, 1768 one in a thousand.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Price(i32);

impl Price {
    /// What happens always.
    pub const FREE: Self = Self(0);

    /// More than any story can cost.
    pub const NEVER: Self = Self(i32::MAX / 4);

    /// One nat.
    pub const NAT: Self = Self(256);

    /// Makes a price of 1/256 nat.
    #[must_use]
    pub const fn new(units: i32) -> Self {
        Self(units)
    }

    /// Makes a price of tenths of a nat, −10·ln p: 23 is one in ten, 46 one in a hundred, 69 one in a thousand.
    #[must_use]
    pub const fn tenths(tenths: i32) -> Self {
        Self(tenths * 256 / 10)
    }

    /// Returns the price in 1/256 nat.
    #[must_use]
    pub const fn units(self) -> i32 {
        self.0
    }

    /// Returns the probability that it stands for: to sample from, never to decode with.
    #[must_use]
    pub fn probability(self) -> f64 {
        (-f64::from(self.0) / 256.0).exp()
    }

    /// Returns the price times a number of milliseconds, as a price for each second.
    #[must_use]
    pub fn for_ms(self, ms: i32) -> Self {
        let units = i64::from(self.0) * i64::from(ms) / 1000;
        Self(i32::try_from(units).unwrap_or(i32::MAX / 4).min(i32::MAX / 4))
    }

    /// Returns the difference to another price, zero if that is larger.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        let rest = self.0.saturating_sub(other.0);
        Self(if rest < 0 { 0 } else { rest })
    }
}

impl ops::Add for Price {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl ops::Sub for Price {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl ops::AddAssign for Price {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl ops::SubAssign for Price {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Sum for Price {
    fn sum<I: Iterator<Item = Self>>(prices: I) -> Self {
        prices.fold(Self::FREE, ops::Add::add)
    }
}

/// A price that grows with time: `base` up to `after_ms`, then by `per_second`, by `most` in all.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Growth {
    /// What it costs at once.
    pub base: Price,
    /// How long it costs no more, milliseconds.
    pub after_ms: i32,
    /// By how much it grows in a second.
    pub per_second: Price,
    /// By how much it grows at most.
    pub most: Price,
}

impl Growth {
    /// A price that stays what it is.
    #[must_use]
    pub const fn constant(base: Price) -> Self {
        Self { base, after_ms: 0, per_second: Price::FREE, most: Price::FREE }
    }

    /// Makes a price of tenths of a nat and milliseconds.
    #[must_use]
    pub const fn tenths(base: i32, after_ms: i32, per_second: i32, most: i32) -> Self {
        let [base, per_second, most] = [Price::tenths(base), Price::tenths(per_second), Price::tenths(most)];
        Self { base, after_ms, per_second, most }
    }

    /// Returns the price after so many milliseconds.
    #[must_use]
    pub fn at(self, age_ms: i32) -> Price {
        let grown = self.per_second.for_ms(age_ms.saturating_sub(self.after_ms).max(0));
        self.base + grown.min(self.most)
    }

    /// Returns the price after so many milliseconds, if it costs `top` in the end.
    #[must_use]
    pub fn at_most(self, age_ms: i32, top: Price) -> Price {
        (self.base + self.per_second.for_ms(age_ms.saturating_sub(self.after_ms).max(0))).min(top)
    }
}
