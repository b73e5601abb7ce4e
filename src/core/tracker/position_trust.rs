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
    /// An irregular ply was played of which nobody is accused, as the board may not have reported all; no dump has come since.
    Doubted,
    /// The board was taken as it stood, as no play explained it.
    Lost,
}

impl Trust {
    /// Returns what is left of it after a press that seems to have completed nothing.
    pub(super) const fn unconfirmed(self) -> Self {
        match self {
            Self::Sound | Self::Unconfirmed => Self::Unconfirmed,
            Self::Doubted | Self::Lost => self,
        }
    }

    /// Returns what is left of it after an irregular ply that nobody is accused of.
    pub(super) const fn doubted(self) -> Self {
        match self {
            Self::Sound | Self::Unconfirmed | Self::Doubted => Self::Doubted,
            Self::Lost => Self::Lost,
        }
    }

    /// Returns what it is once a dump has shown the position.
    pub(super) const fn confirmed(self) -> Self {
        match self {
            Self::Sound | Self::Unconfirmed | Self::Doubted => Self::Sound,
            Self::Lost => Self::Lost,
        }
    }

    /// Returns how sure an offence can be.
    pub(super) const fn most_of_offence(self) -> Confidence {
        match self {
            Self::Sound => Confidence::Certain,
            Self::Unconfirmed | Self::Doubted => Confidence::Likely,
            Self::Lost => Confidence::Possible,
        }
    }

    /// Returns how sure it can be that a ply breaks the rules, which rests on what stands where.
    pub(super) const fn most_of_irregular_ply(self) -> Confidence {
        match self {
            Self::Doubted => Confidence::Possible,
            Self::Sound | Self::Unconfirmed | Self::Lost => self.most_of_offence(),
        }
    }

    /// Returns how sure it can be that the position is what it is said to be.
    pub(super) const fn most_of_position(self) -> Confidence {
        match self {
            Self::Sound | Self::Unconfirmed | Self::Doubted => Confidence::Certain,
            Self::Lost => Confidence::Possible,
        }
    }
}
