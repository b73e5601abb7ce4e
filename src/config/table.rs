//! Keys of a table: the board on it and the two players.

use serde::Deserialize;
use shakmaty::Color;

use super::{Orientation, WhiteClock};

/// One table of the hall.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct TableConfig {
    /// Its number.
    #[serde(default)]
    pub number: Option<u32>,
    /// Serial number of the board on it.
    pub serial: String,
    /// White's name.
    #[serde(default)]
    pub white: String,
    /// Black's name.
    #[serde(default)]
    pub black: String,
    /// What else is known of White.
    #[serde(default)]
    pub white_player: PlayerConfig,
    /// What else is known of Black.
    #[serde(default)]
    pub black_player: PlayerConfig,
    /// How this board lies, if it differs from the others.
    #[serde(default)]
    pub orientation: Option<Orientation>,
    /// Which side of this clock White has, if it differs from the others.
    #[serde(default)]
    pub white_clock: Option<WhiteClock>,
    /// How long moves are held back from the public, seconds, if it differs from `pgn.delay_s`.
    #[serde(default)]
    pub delay_s: Option<u32>,
}

/// What is known of a player besides the name; empty where it is not.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct PlayerConfig {
    /// Title, such as `GM` or `WFM`.
    pub title: String,
    /// Number in FIDE's register.
    pub fide_id: String,
    /// Rating.
    pub elo: Option<u32>,
    /// Federation, three letters.
    pub federation: String,
    /// Team.
    pub team: String,
}

impl TableConfig {
    /// Returns the name of the player on a side; empty if it is not known.
    #[must_use]
    pub fn name(&self, side: Color) -> &str {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// Returns what else is known of the player on a side.
    #[must_use]
    pub const fn player(&self, side: Color) -> &PlayerConfig {
        match side {
            Color::White => &self.white_player,
            Color::Black => &self.black_player,
        }
    }
}
