//! The incidents that can be simulated, and their names.

use std::{fmt, str::FromStr};

use thiserror::Error;

/// An offence, a fault, or an unusual event.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Incident {
    /// A piece is moved as it cannot move (Art. 7.5.1).
    IllegalMove,
    /// The own king is left or put in check (Art. 7.5.1).
    KingLeftInCheck,
    /// A pawn is left on its last rank (Art. 7.5.2).
    PawnLeft,
    /// The clock is pressed without a move (Art. 7.5.3).
    PressWithoutMove,
    /// The clock is pressed while the piece is in the air (Art. 6.2.4).
    PressBeforeMade,
    /// King and rook are lifted and put down at the same time (Art. 7.5.4).
    TwoHandedCastling,
    /// The rook is moved before the king (Art. 4.4.2).
    RookFirst,
    /// A move is taken back by agreement, and another one played.
    TakeBack,
    /// A piece is slid slowly, and rests on its way.
    Slide,
    /// A piece is lifted and put back, and another one moved (Art. 4.3).
    TouchMove,
    /// Pieces are put right (Art. 4.2).
    Adjust,
    /// Pieces are displaced by accident and put back (Art. 7.4).
    Swept,
    /// The board's cable is pulled out for a while.
    Unplugged,
    /// The line is noisy for a while.
    Noise,
    /// One field update gets lost.
    LostUpdate,
    /// A square stops showing what stands on it.
    DeadSquare,
    /// A flag falls (Art. 6.8).
    Flag,
    /// The game begins with two pieces exchanged (Art. 7.2.1).
    WrongStart,
    /// The result is shown with the kings, the first of them on a legal move.
    KingsInCentre,
    /// The same position appears again and again (Art. 9.2, 9.6.1).
    Repetition,
    /// A piece beside the one that is moved is shoved to the next square, and put back before the press (Art. 7.4.1).
    Shoved,
    /// A piece is shoved to the next square, and play goes on from there, because nobody notices.
    ShoveAccepted,
    /// A piece is shoved to the next square, and put back some moves later.
    ShoveLeft,
    /// Pieces of either side are knocked over while another one is moved, and put up before the press (Art. 7.4.1).
    KnockedOver,
    /// Pieces are knocked over, and put up in the opponent's time (Art. 7.4.2).
    KnockedOverPressed,
    /// Pieces are knocked over, and put up only where a move needs them or their square.
    KnockedOverLeft,
    /// Pieces are knocked over, the opponent presses the clock back, the player puts them up and presses again (Art. 7.4.2).
    PressBack,
    /// Pieces are displaced by accident, and not put back as they stood.
    WronglyRestored,
    /// A moved piece stands beside the middle of its square, and is read seconds later.
    OffCentre,
    /// The lever of the clock swings back within 0.2 s of a press.
    LeverBounce,
    /// A moved piece is held over a square beside its target, which reads it.
    Hover,
    /// A piece in the hand is read for a moment on an empty square beside a move.
    GhostBeside,
    /// A king is left in check, and the opponent captures it (Art. 7.5.1).
    KingCaptured,
    /// An own piece is captured (Art. 3.1, 7.5.1).
    OwnCaptured,
    /// A piece of the opponent is moved (Art. 3.1, 7.5.1).
    OpponentMoved,
    /// The game begins with a piece less, as agreed.
    Handicap,
    /// The clock is not connected to the board.
    NoClock,
}

impl Incident {
    /// All of them.
    pub const ALL: [Self; 37] = [
        Self::IllegalMove,
        Self::KingLeftInCheck,
        Self::PawnLeft,
        Self::PressWithoutMove,
        Self::PressBeforeMade,
        Self::TwoHandedCastling,
        Self::RookFirst,
        Self::TakeBack,
        Self::Slide,
        Self::TouchMove,
        Self::Adjust,
        Self::Swept,
        Self::Unplugged,
        Self::Noise,
        Self::LostUpdate,
        Self::DeadSquare,
        Self::Flag,
        Self::WrongStart,
        Self::KingsInCentre,
        Self::Repetition,
        Self::Shoved,
        Self::ShoveAccepted,
        Self::ShoveLeft,
        Self::KnockedOver,
        Self::KnockedOverPressed,
        Self::KnockedOverLeft,
        Self::PressBack,
        Self::WronglyRestored,
        Self::OffCentre,
        Self::LeverBounce,
        Self::Hover,
        Self::GhostBeside,
        Self::KingCaptured,
        Self::OwnCaptured,
        Self::OpponentMoved,
        Self::Handicap,
        Self::NoClock,
    ];

    /// Returns those that a hall shows its visitors: offences, faults, and what ends a game, but no pieces that lie amiss.
    #[must_use]
    pub fn common() -> Vec<Self> {
        Self::ALL.into_iter().filter(|incident| *incident < Self::Shoved).collect()
    }

    /// Returns the name that the command line knows it by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::IllegalMove => "illegal-move",
            Self::KingLeftInCheck => "king-left-in-check",
            Self::PawnLeft => "pawn-left",
            Self::PressWithoutMove => "press-without-move",
            Self::PressBeforeMade => "press-before-made",
            Self::TwoHandedCastling => "two-handed-castling",
            Self::RookFirst => "rook-first",
            Self::TakeBack => "take-back",
            Self::Slide => "slide",
            Self::TouchMove => "touch-move",
            Self::Adjust => "adjust",
            Self::Swept => "swept",
            Self::Unplugged => "unplugged",
            Self::Noise => "noise",
            Self::LostUpdate => "lost-update",
            Self::DeadSquare => "dead-square",
            Self::Flag => "flag",
            Self::WrongStart => "wrong-start",
            Self::KingsInCentre => "kings-in-centre",
            Self::Repetition => "repetition",
            Self::Shoved => "shoved",
            Self::ShoveAccepted => "shove-accepted",
            Self::ShoveLeft => "shove-left",
            Self::KnockedOver => "knocked-over",
            Self::KnockedOverPressed => "knocked-over-pressed",
            Self::KnockedOverLeft => "knocked-over-left",
            Self::PressBack => "press-back",
            Self::WronglyRestored => "wrongly-restored",
            Self::OffCentre => "off-centre",
            Self::LeverBounce => "lever-bounce",
            Self::Hover => "hover",
            Self::GhostBeside => "ghost-beside",
            Self::KingCaptured => "king-captured",
            Self::OwnCaptured => "own-captured",
            Self::OpponentMoved => "opponent-moved",
            Self::Handicap => "handicap",
            Self::NoClock => "no-clock",
        }
    }
}

impl fmt::Display for Incident {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no incident has.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("no incident '{name}'; there are {}", Incident::ALL.map(Incident::name).join(", "))]
pub struct ParseIncidentError {
    name: String,
}

impl FromStr for Incident {
    type Err = ParseIncidentError;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let found = Self::ALL.into_iter().find(|incident| incident.name() == name);
        found.ok_or_else(|| ParseIncidentError { name: name.to_owned() })
    }
}

/// What follows from an offence.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RulingStyle {
    /// An arbiter stops the clock, has the position put right, and adds time.
    Arbiter,
    /// Nobody intervenes, and play continues from the position on the board.
    Stands,
}

/// An incident, and when it should happen.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PlannedIncident {
    /// What.
    pub incident: Incident,
    /// From which ply on, from 1: it happens at the first one that suits.
    pub from_ply: u32,
    /// What follows from it.
    pub ruling: RulingStyle,
}
