//! Owns logarithms and exponentials of costs, as integers: no machine rounds them otherwise than another.

use super::price::Price;

/// 1 as a [`Weight`].
const ONE: u64 = 1 << 40;

/// e^(−1/256), in 2^−64.
const STEP: u128 = 18_374_827_034_086_858_296;

/// 256·ln 2, in 2^−16.
const LN_2: i64 = 11_629_079;

/// e^(−k/256) for k from 0 to 255, in 2^−32.
const FRACTIONS: [u64; 256] = powers();

/// Largest number whose logarithm is computed bit by bit.
const BITS: u32 = 16;

const fn powers() -> [u64; 256] {
    let mut table = [0; 256];
    let mut power: u128 = 1 << 64;
    let mut index = 0;
    #[expect(
        clippy::indexing_slicing,
        clippy::as_conversions,
        clippy::cast_possible_truncation,
        reason = "at compile time"
    )]
    while index < table.len() {
        table[index] = (power >> 32) as u64;
        power = (power * STEP) >> 64;
        index += 1;
    }
    table
}

/// Returns e^(−cost) in 2^−40; no more than e^10, for costs below 0.
pub(crate) fn weight(cost: Price) -> u64 {
    if cost < Price::FREE {
        let inverse = weight(Price::new(cost.units().saturating_neg().min(10 * 256))).max(1);
        return u64::try_from(u128::from(ONE) * u128::from(ONE) / u128::from(inverse)).unwrap_or(ONE);
    }
    let units = u32::try_from(cost.units()).unwrap_or(0);
    let fraction = FRACTIONS.get(usize::try_from(units % 256).unwrap_or(0)).copied().unwrap_or(0);
    let mut weight = (ONE >> 32) * fraction;
    // e^(−1) once for each whole nat: after 28 of them nothing is left.
    for _ in 0..(units / 256).min(32) {
        weight = (weight >> 16) * 24_109 + (((weight & 0xFFFF) * 24_109) >> 16);
    }
    weight
}

/// Returns a share of a sum, in 1/65536.
pub(crate) fn share(part: u64, all: u64) -> u32 {
    debug_assert!(part <= all, "{part} is no part of {all}");
    u32::try_from((part << 16) / all.max(1)).unwrap_or(0).min(1 << 16)
}

/// Returns 256·ln(n), rounded down; 0 for 0.
pub(crate) fn ln(n: u32) -> Price {
    let Some(whole) = n.checked_ilog2() else { return Price::FREE };
    // The mantissa, from 1 to 2 in 2^−31; each squaring gives another bit.
    let mut mantissa = u64::from(n) << (31 - whole);
    let mut bits = i64::from(whole);
    for _ in 0..BITS {
        mantissa = (mantissa * mantissa) >> 31;
        bits <<= 1;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            bits |= 1;
        }
    }
    Price::new(i32::try_from((bits * LN_2) >> 32).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_book() {
        for n in [1_u32, 2, 3, 10, 500, 1_000, 65_537, u32::MAX] {
            assert!((f64::from(ln(n).units()) - 256.0 * f64::from(n).ln()).abs() <= 1.0, "{n}");
        }
    }

    #[test]
    fn weights_are_those_of_the_book() {
        for tenths in [0, 1, 7, 23, 46, 69, 100] {
            let share = f64::from(share(weight(Price::tenths(tenths)), ONE)) / 65_536.0;
            assert!((share - Price::tenths(tenths).probability()).abs() < 0.0002, "{tenths}: {share}");
        }
        assert_eq!(weight(Price::NEVER), 0);
    }
}
