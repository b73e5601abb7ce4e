//! Owns the results that a game can have: over the board, by a ruling, by forfeit.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// A result of a game.
///
/// ```
/// use jadoube_core::score::Score;
///
/// assert_eq!(Score::parse("-/+").map(Score::points), Some("0-1"));
/// ```
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Score {
    /// `1-0`
    #[serde(rename = "1-0")]
    White,
    /// `0-1`
    #[serde(rename = "0-1")]
    Black,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// `0-0`: both have lost (Art. 11.7, 12.9.5).
    #[serde(rename = "0-0")]
    Neither,
    /// `1/2-0`: half a point for White, none for Black (Art. 12.9.6).
    #[serde(rename = "1/2-0")]
    HalfWhite,
    /// `0-1/2`
    #[serde(rename = "0-1/2")]
    HalfBlack,
    /// `+/-`: White wins as Black did not come, or was not allowed to play.
    #[serde(rename = "+/-")]
    ForfeitWhite,
    /// `-/+`
    #[serde(rename = "-/+")]
    ForfeitBlack,
    /// `-/-`: neither has come.
    #[serde(rename = "-/-")]
    ForfeitBoth,
}

/// All results with their texts, in the order in which sentences list them.
const TEXTS: [(Score, &str); 9] = [
    (Score::White, "1-0"),
    (Score::Black, "0-1"),
    (Score::Draw, "1/2-1/2"),
    (Score::Neither, "0-0"),
    (Score::HalfWhite, "1/2-0"),
    (Score::HalfBlack, "0-1/2"),
    (Score::ForfeitWhite, "+/-"),
    (Score::ForfeitBlack, "-/+"),
    (Score::ForfeitBoth, "-/-"),
];

/// The texts that an order takes, as its error names them.
pub const KNOWN: &str = "1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2, +/-, -/+, -/- and *";

impl Score {
    /// Reads a result; `None` for anything else, `*` too.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        TEXTS.into_iter().find(|(_, known)| *known == text).map(|(score, _)| score)
    }

    /// Returns the result of a game that this side has won; of a drawn one without a side.
    #[must_use]
    pub const fn won_by(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::White,
            Some(Color::Black) => Self::Black,
            None => Self::Draw,
        }
    }

    /// Returns the text: `1-0`, `1/2-0`, `+/-` and so on.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Neither => "0-0",
            Self::HalfWhite => "1/2-0",
            Self::HalfBlack => "0-1/2",
            Self::ForfeitWhite => "+/-",
            Self::ForfeitBlack => "-/+",
            Self::ForfeitBoth => "-/-",
        }
    }

    /// Returns what the header `Result` of a PGN has: points, as PGN knows no forfeits.
    #[must_use]
    pub const fn points(self) -> &'static str {
        match self {
            Self::White | Self::ForfeitWhite => "1-0",
            Self::Black | Self::ForfeitBlack => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Neither | Self::ForfeitBoth => "0-0",
            Self::HalfWhite => "1/2-0",
            Self::HalfBlack => "0-1/2",
        }
    }

    /// Returns how the moves of a PGN end (standard, 8.2.6): readers take `0-0` there for castling.
    #[must_use]
    pub const fn termination(self) -> &'static str {
        match self {
            Self::White | Self::ForfeitWhite => "1-0",
            Self::Black | Self::ForfeitBlack => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Neither | Self::ForfeitBoth | Self::HalfWhite | Self::HalfBlack => "*",
        }
    }

    /// Returns whether it is by forfeit: the game was not played.
    #[must_use]
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Self::ForfeitWhite | Self::ForfeitBlack | Self::ForfeitBoth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_and_expected() {
        for (score, text) in TEXTS {
            assert_eq!((Score::parse(text), score.text()), (Some(score), text));
            assert_eq!(serde_json::to_string(&score).unwrap(), format!("{text:?}"));
            assert!(KNOWN.split([',', ' ']).any(|known| known == text), "{text}");
        }
        for text in ["", "*", "1", "½-½", "1-0 ", "0-0-0"] {
            assert_eq!(Score::parse(text), None, "{text}");
        }
    }
}
