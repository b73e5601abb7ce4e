//! The words that orders are made of: sides, claims, rulings.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::Ground;

/// The players of a new game.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Players {
    /// White's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Black's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
}

/// What a player claims.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Claim {
    /// The same position for the third time (Art. 9.2).
    Threefold,
    /// Fifty moves without a capture or a pawn move (Art. 9.3).
    Fifty,
    /// Either of them, after this intended move.
    Intended {
        /// The move written down, UCI or algebraic.
        #[serde(rename = "move")]
        intended: String,
    },
    /// A win on time (Art. 6.8, A.4.3).
    Time,
    /// Quickplay finish (Guidelines III, Appendix G, Art. 10).
    Qpf {
        /// The ground of the claim.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        ground: Option<Ground>,
    },
}

/// What becomes of a request or a claim in the quickplay finish.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ruling {
    /// The opponent accepts the draw that goes with the request.
    Accepted,
    /// Five seconds a move for both from now on, two minutes for the opponent (since 2014).
    Increment,
    /// No increment; two minutes for the opponent (since 2014).
    Refused,
    /// The claim is right: a draw.
    Drawn,
    /// The claim is rejected; two minutes for the opponent.
    Rejected,
    /// The decision is postponed; the opponent may get two minutes.
    Postponed,
    /// There is no arbiter: the claim ends the game, the final position is written down and signed.
    NoArbiter,
}

/// What is taken back if it is not the ruling on an alert.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Undone {
    /// The last penalty of a player.
    Penalty,
    /// The result: the game goes on.
    Result,
    /// The muting: alerts are reported again.
    Mute,
}

/// A side as the interface writes it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SideName {
    /// White.
    White,
    /// Black.
    Black,
}

impl From<SideName> for Color {
    fn from(side: SideName) -> Self {
        match side {
            SideName::White => Self::White,
            SideName::Black => Self::Black,
        }
    }
}
