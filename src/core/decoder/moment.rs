//! Owns instants inside the decoder: milliseconds since a game was first heard of, which fit into four bytes.

use crate::time::Timestamp;

/// Milliseconds since the origin of a game.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Moment(i32);

impl Moment {
    /// Long before the first observation.
    pub(crate) const LONG_AGO: Self = Self(i32::MIN / 2);

    /// Makes one of a timestamp; a game that lasts for more than three weeks stays at its last instant.
    pub(crate) fn new(at: Timestamp, origin: Timestamp) -> Self {
        let micros = at.as_micros().saturating_sub(origin.as_micros());
        Self(i32::try_from(micros / 1000).unwrap_or(i32::MAX / 2))
    }

    /// Returns milliseconds from an earlier instant to this one, negative if it is later.
    pub(crate) const fn since(self, earlier: Self) -> i32 {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the instant so many milliseconds later.
    pub(crate) const fn after(self, ms: i32) -> Self {
        Self(self.0.saturating_add(ms))
    }

    /// Returns the timestamp that it stands for.
    pub(crate) fn timestamp(self, origin: Timestamp) -> Timestamp {
        let ms = u64::try_from(self.0).unwrap_or(0);
        Timestamp::from_micros(origin.as_micros().saturating_add(ms.saturating_mul(1000)))
    }
}
