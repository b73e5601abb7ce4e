//! Whether a token could be guessed.

/// Bits of a token that nobody guesses.
const BITS: f64 = 64.0;

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
    let length = u32::try_from(token.chars().count()).unwrap_or(u32::MAX);
    f64::from(length) * signs.max(1.0).log2() < BITS
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
            ("correcthorse", true),
            ("correcthorsebattery", false),
            ("Tr0ub4dor&3", false),
            ("Tr0ub4dor", true),
        ] {
            assert_eq!(is_short(token), expected, "{token}");
        }
    }
}
