//! How far the position of the game can be relied on.

use crate::alert::Confidence;

/// Whether the position that the game has can be relied on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Trust {
    /// It follows from what was seen.
    Sound,
    /// A press seems to have completed nothing; a move of which nothing was reported would look the same, and no dump
    /// has come since.
    Unconfirmed,
    /// The board was taken as it stood, as no play explained it.
    Lost,
}

impl Trust {
    /// Returns what is left of it after a press that seems to have completed nothing.
    pub(super) const fn unconfirmed(self) -> Self {
        match self {
            Self::Sound | Self::Unconfirmed => Self::Unconfirmed,
            Self::Lost => Self::Lost,
        }
    }

    /// Returns how sure an offence can be.
    pub(super) const fn most_of_offence(self) -> Confidence {
        match self {
            Self::Sound => Confidence::Certain,
            Self::Unconfirmed => Confidence::Likely,
            Self::Lost => Confidence::Possible,
        }
    }

    /// Returns how sure it can be that the position is what it is said to be.
    pub(super) const fn most_of_position(self) -> Confidence {
        match self {
            Self::Sound | Self::Unconfirmed => Confidence::Certain,
            Self::Lost => Confidence::Possible,
        }
    }
}
