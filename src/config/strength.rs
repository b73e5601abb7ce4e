//! Whether a token could be guessed.

use std::collections::BTreeSet;

/// Bits of a token that nobody guesses.
const BITS: f64 = 64.0;

/// What the length and the number of different signs have to come to, bits: of a hundred thousand tokens of 64 bits, four have less.
const DIFFERENT: f64 = 36.0;

/// Returns whether a token could be guessed: whether it has less than 64 bits, if it was made of all signs of its kind.
pub(crate) fn is_short(token: &str) -> bool {
    let has = |kind: fn(&char) -> bool| token.chars().any(|sign| kind(&sign));
    let is_hexadecimal = token.chars().all(|sign| sign.is_ascii_hexdigit());
    let signs: f64 = if token.chars().all(|sign| sign.is_ascii_digit()) {
        10.0
    } else if is_hexadecimal && !(has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase)) {
        16.0
    } else {
        let of = |kind: fn(&char) -> bool, signs| if has(kind) { signs } else { 0.0 };
        of(char::is_ascii_digit, 10.0)
            + of(char::is_ascii_lowercase, 26.0)
            + of(char::is_ascii_uppercase, 26.0)
            + of(|sign| !sign.is_ascii_alphanumeric(), 32.0)
    };
    let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    let length = count(token.chars().count());
    // Whoever has drawn its signs by chance has many different ones.
    let different = count(token.chars().collect::<BTreeSet<_>>().len());
    length * signs.max(1.0).log2() < BITS || length * different.max(1.0).log2() < DIFFERENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_of_64_bits_is_long_enough() {
        for (token, expected) in [
            ("", true),
            ("4711", true),
            ("0123456789012345678", true),
            ("01234567890123456789", false),
            ("0123456789abcde", true),
            ("0123456789abcdef", false),
            ("aaaaaaaaaaaaaaaa", true),
            ("abababababababab", true),
            ("0000000000000001", true),
            ("1111111111111111111111111111111111111111111111111111111111111111", true),
            ("0111010001101000011010010111001101101001011100110110111101101011", false),
            ("correcthorse", true),
            ("correcthorsebattery", false),
            ("Tr0ub4dor&3", false),
            ("Tr0ub4dor", true),
        ] {
            assert_eq!(is_short(token), expected, "{token}");
        }
    }
}
