//! Keys of a table: the board on it and the two players.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{Orientation, WhiteClock};

/// One table of the hall.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct TableSettings {
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
    pub white_player: PlayerSettings,
    /// What else is known of Black.
    #[serde(default)]
    pub black_player: PlayerSettings,
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
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlayerSettings {
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

impl TableSettings {
    /// Returns the table of a list on which the board with this serial number stands.
    #[must_use]
    pub fn of_board<'a>(tables: &'a [Self], serial: &str) -> Option<&'a Self> {
        tables.iter().find(|table| same_serial(&table.serial, serial))
    }

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
    pub const fn player(&self, side: Color) -> &PlayerSettings {
        match side {
            Color::White => &self.white_player,
            Color::Black => &self.black_player,
        }
    }
}

/// Returns whether two serial numbers are the same: boards report five digits, people leave leading zeros out.
#[must_use]
pub fn same_serial(a: &str, b: &str) -> bool {
    plain_serial(a) == plain_serial(b)
}

/// Checks that an order that names a board is for this one.
///
/// # Errors
///
/// Returns a reason if it is for another one.
pub fn check_addressee(named: Option<&str>, board: &str) -> Result<(), String> {
    match named.filter(|named| !same_serial(named, board)) {
        Some(named) => Err(format!("the order is for board {named}, and this is board {board}")),
        None => Ok(()),
    }
}

/// Returns a serial number as people write it, without leading zeros.
#[must_use]
pub fn plain_serial(serial: &str) -> &str {
    serial.trim().trim_start_matches('0')
}

/// Returns whether this is the serial number of a board: digits that are not all zeros. A board that reports anything else
/// is called by its port.
#[must_use]
pub fn is_serial(text: &str) -> bool {
    !plain_serial(text).is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}
