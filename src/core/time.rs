//! Owns time: the timeline that everything inside runs on.
//!
//! Nothing in the crate asks what time it is; time is an argument.

use std::{fmt, ops::Add, str::FromStr, time::Duration};

use serde::{Serialize, Serializer};
use thiserror::Error;

const SECOND: u64 = 1_000_000;

/// Microseconds since the capture, or the daemon, began.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The instant at which the timeline begins.
    pub const ZERO: Self = Self(0);

    /// The end of time: no deadline lies after it.
    pub const MAX: Self = Self(u64::MAX);

    /// Reads seconds with at most six decimals.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is something else.
    pub fn from_ascii(text: &[u8]) -> Result<Self, ParseTimestampError> {
        let mut micros = 0u64;
        let (mut digits, mut decimals) = (0, None::<u32>);
        for byte in text {
            match (byte, decimals) {
                (b'0'..=b'9', None | Some(0..6)) => {
                    let digit = u64::from(byte - b'0');
                    micros = micros
                        .checked_mul(10)
                        .and_then(|micros| micros.checked_add(digit))
                        .ok_or(ParseTimestampError)?;
                    digits += 1;
                    decimals = decimals.map(|decimals| decimals + 1);
                }
                (b'.', None) if digits > 0 => decimals = Some(0),
                _ => return Err(ParseTimestampError),
            }
        }
        let scale = 10u64.pow(6 - decimals.unwrap_or(0));
        micros.checked_mul(scale).filter(|_| digits > 0).map(Self).ok_or(ParseTimestampError)
    }

    /// Splits off the time that a line begins with, as captures have it: six digits at most, six decimals and a space.
    ///
    /// Returns `None` for all else, which [`Timestamp::from_ascii`] may be able to read.
    pub(crate) fn split_off(line: &[u8]) -> Option<(Self, &[u8])> {
        let digit = |byte: u8| Some(u64::from(byte.wrapping_sub(b'0'))).filter(|digit| *digit <= 9);
        let (mut seconds, mut rest) = (0, line);
        for _ in 0..6 {
            let Some(value) = rest.first().and_then(|byte| digit(*byte)) else { break };
            seconds = seconds * 10 + value;
            rest = rest.get(1..)?;
        }
        let (decimals, text) = rest.split_first_chunk()?;
        let micros = decimals_of(*decimals).filter(|_| rest.len() < line.len())?;
        Some((Self(seconds * SECOND + micros), text))
    }

    /// Makes a timestamp of microseconds since the beginning.
    #[must_use]
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Returns the microseconds since the beginning.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Returns the seconds since the beginning, exact to the microsecond for the first 285 years.
    #[must_use]
    #[expect(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "there is no TryFrom from u64 to f64"
    )]
    pub const fn as_secs(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// Returns the time from `earlier` to this instant, zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }

    /// Returns the instant `span` before this one, at the earliest the beginning.
    #[must_use]
    pub fn before(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(micros(span)))
    }
}

/// When something is due, and why.
pub type Due = Option<(Timestamp, &'static str)>;

/// Returns which of these is due first, of several at once the one named first.
#[must_use]
#[inline]
pub fn soonest<const N: usize>(dues: [Due; N]) -> Due {
    let mut first = None;
    for due in &dues {
        if let Some((at, _)) = due
            && first.is_none_or(|(soonest, _)| *at < soonest)
        {
            first = *due;
        }
    }
    first
}

/// Returns what is due first: this, or what was due already, which comes first of two at once.
#[must_use]
#[inline]
pub const fn sooner(due: Due, at: Option<Timestamp>, why: &'static str) -> Due {
    match (due, at) {
        (Some((soonest, _)), Some(at)) if soonest.0 <= at.0 => due,
        (_, Some(at)) => Some((at, why)),
        (_, None) => due,
    }
}

/// Seconds as a chess clock shows them, `h:mm:ss`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClockFace(pub u64);

impl fmt::Display for ClockFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(seconds) = self;
        write!(f, "{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(micros(span)))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = itoa::Buffer::new();
        f.write_str(digits.format(self.0 / SECOND))?;
        f.write_str(".")?;
        // The digit of the second before keeps the zeros that the decimals begin with.
        f.write_str(digits.format(SECOND + self.0 % SECOND).strip_prefix('1').unwrap_or_default())
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_secs())
    }
}

/// A text that is no number of seconds with at most six decimals.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("not a number of seconds such as 12.345678")]
pub struct ParseTimestampError;

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_ascii(text.as_bytes())
    }
}

/// Reads a point, six decimals and a space, all at once.
fn decimals_of(text: [u8; 8]) -> Option<u64> {
    // A digit becomes its value, point and space become 0.
    let digits = u64::from_le_bytes(text) ^ u64::from_le_bytes(*b".000000 ");
    // More than 9 carries into the top bit.
    let carried = (digits & u64::from_le_bytes([0x7F; 8]))
        + u64::from_le_bytes([0, 0x76, 0x76, 0x76, 0x76, 0x76, 0x76, 0]);
    let odd = (digits | carried) & u64::from_le_bytes([0xFF, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0xFF]);
    // The first digit lies lowest: each odd byte of this is one digit and ten times the one before it.
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    let pair = |byte: u32| pairs >> (8 * byte) & 0xFF;
    (odd == 0).then(|| pair(1) * 10_000 + pair(3) * 100 + pair(5))
}

fn micros(span: Duration) -> u64 {
    u64::try_from(span.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests;
