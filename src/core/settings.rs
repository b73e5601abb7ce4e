//! Owns the settings of boards and lines: plain data with defaults, made by whoever has read a configuration.
//!
//! Keys, ranges and defaults are those of the tables `[event]`, `[board]`, `[game]`, `[[table]]` and `[[port]]` of the
//! configuration; reading files, and saying what is wrong in them, is left to the program.

mod table;

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use shakmaty::{Color, fen::Fen};

pub use table::{PlayerSettings, TableSettings, check_addressee, is_serial, plain_serial, same_serial};

use crate::laws::EventSettings;

/// What a line and its boards have to know. What is long is shared by all lines of a hall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineSettings {
    /// What is played, by which rules.
    pub event: Arc<EventSettings>,
    /// How the boards behave.
    pub board: BoardSettings,
    /// What a game begins with.
    pub game: GameSettings,
    /// Which board stands on which table, and who plays there.
    pub tables: Arc<Vec<TableSettings>>,
    /// Serial numbers of the boards that share the line in bus mode; empty for a single board.
    pub bus: Vec<String>,
}

impl LineSettings {
    /// Returns the table on which the board with this serial number stands.
    #[must_use]
    pub fn table(&self, serial: &str) -> Option<&TableSettings> {
        TableSettings::of_board(&self.tables, serial)
    }

    /// Returns how the board with this serial number lies.
    #[must_use]
    pub fn orientation(&self, serial: &str) -> Orientation {
        self.table(serial).and_then(|table| table.orientation).unwrap_or(self.board.orientation)
    }

    /// Returns which side of its clock White has at the board with this serial number.
    #[must_use]
    pub fn white_clock(&self, serial: &str) -> WhiteClock {
        self.table(serial).and_then(|table| table.white_clock).unwrap_or(self.board.white_clock)
    }
}

/// How the boards behave.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardSettings {
    /// One pass over the 64 squares, milliseconds; over Bluetooth about twice that of a cable.
    #[serde(deserialize_with = "within::<_, 10, 5_000>")]
    pub scan_ms: u32,
    /// How long a press waits for what the board senses late, milliseconds.
    #[serde(deserialize_with = "within::<_, 0, 10_000>")]
    pub settle_ms: u32,
    /// How the boards lie.
    pub orientation: Orientation,
    /// Which side of the clocks White has.
    pub white_clock: WhiteClock,
}

/// How a board lies.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// As the start position shows it.
    #[default]
    Auto,
    /// As the board numbers its squares.
    Normal,
    /// Turned by half a turn.
    Rotated,
}

/// Which side of the clock White has, seen from its front.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum WhiteClock {
    /// As the first presses show it.
    #[default]
    Auto,
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// What a game begins with.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameSettings {
    /// Whether kings and rooks may start on other squares of the first rank.
    pub chess960: bool,
    /// The start position; empty to wait for one on the board.
    #[serde(deserialize_with = "fen")]
    pub fen: String,
}

impl Default for BoardSettings {
    fn default() -> Self {
        Self {
            scan_ms: 225,
            settle_ms: 500,
            orientation: Orientation::default(),
            white_clock: WhiteClock::default(),
        }
    }
}

/// Reads a number and refuses one outside of its range.
///
/// # Errors
///
/// Returns an error that names the range.
pub fn within<'de, D: Deserializer<'de>, const MIN: u32, const MAX: u32>(
    deserializer: D,
) -> Result<u32, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if (MIN..=MAX).contains(&number) {
        Ok(number)
    } else {
        Err(D::Error::custom(format_args!("{number} is out of range, expected {MIN} to {MAX}")))
    }
}

/// Checks a position from which games are to start: without a king no board will ever show it. No text stands for no position.
///
/// # Errors
///
/// Returns an error that says what is wrong with it.
pub fn check_start(fen: &str) -> Result<(), String> {
    if fen.is_empty() {
        return Ok(());
    }
    let board = fen.parse::<Fen>().map_err(|error| error.to_string())?.into_setup().board;
    if Color::ALL.iter().any(|color| board.by_piece(color.king()).count() != 1) {
        return Err("a game needs one king a side".to_owned());
    }
    Ok(())
}

fn fen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    check_start(&text)
        .map_err(|error| D::Error::custom(format_args!("'{text}' is no start position: {error}")))?;
    Ok(text)
}

#[cfg(test)]
impl LineSettings {
    /// Makes settings of `table.key=value` as a test writes them.
    pub(crate) fn of_keys(keys: &[&str]) -> Self {
        let mut settings = Self::default();
        for key in keys {
            match key.split_once('=').unwrap() {
                ("board.scan_ms", value) => settings.board.scan_ms = value.parse().unwrap(),
                ("board.settle_ms", value) => settings.board.settle_ms = value.parse().unwrap(),
                ("event.control", value) => {
                    Arc::make_mut(&mut settings.event).control =
                        serde_json::from_value(value.into()).unwrap();
                }
                ("game.chess960", value) => settings.game.chess960 = value.parse().unwrap(),
                (key, _) => panic!("of_keys does not know {key}"),
            }
        }
        settings
    }
}
