//! Owns the configuration: keys, defaults, errors that name file, key and remedy.
//!
//! A [`Config`] is plain data. Only [`Config::load`] touches the disk, and nothing here knows what a key is used for.

mod check;
mod error;
mod services;
mod strict;
mod table;

use std::{
    io::Read,
    path::{Path, PathBuf},
};

use ::config::{File, FileFormat, Value};
use serde::{Deserialize, Deserializer, de::Error as _};
use shakmaty::fen::Fen;

pub use check::Warning;
pub use error::ConfigError;
pub use services::{HttpConfig, LichessConfig, LiveChessConfig, MqttConfig, PairingsConfig, PgnConfig};
pub use table::{PlayerConfig, TableConfig};

pub use crate::laws::EventConfig;

/// Where the configuration is looked for if nobody says where it is.
pub const DEFAULT_FILE: &str = "/etc/jadoube/jadoube.toml";

/// All that can be configured; every key has a default.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Directory of captures, which recovery reads, and of the state of each board.
    pub state_dir: PathBuf,
    /// Directory of `alerts.log`, `alerts.jsonl` and `events.jsonl`.
    pub log_dir: PathBuf,
    /// What is played, by which rules.
    pub event: EventConfig,
    /// How the boards behave.
    pub board: BoardConfig,
    /// What a game begins with.
    pub game: GameConfig,
    /// Which devices are watched.
    pub ports: PortsConfig,
    /// Ports named one by one, beside the watched ones.
    #[serde(rename = "port")]
    pub listed: Vec<PortConfig>,
    /// Which board stands on which table, and who plays there.
    #[serde(rename = "table")]
    pub tables: Vec<TableConfig>,
    /// The arbiter's desk.
    pub http: Option<HttpConfig>,
    /// The interface for other programs on the same machine.
    pub livechess: Option<LiveChessConfig>,
    /// Games as files.
    pub pgn: Option<PgnConfig>,
    /// Events to a broker.
    pub mqtt: Option<MqttConfig>,
    /// Games to Lichess.
    pub lichess: Option<LichessConfig>,
    /// Who plays at which table, from a file.
    pub pairings: Option<PairingsConfig>,
}

/// How the boards behave.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct BoardConfig {
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
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
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
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq)]
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
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct GameConfig {
    /// Whether kings and rooks may start on other squares of the first rank.
    pub chess960: bool,
    /// The start position; empty to wait for one on the board.
    #[serde(deserialize_with = "fen")]
    pub fen: String,
}

/// Which devices are watched.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct PortsConfig {
    /// Patterns of device names; `*` and `?` stand in the last component only.
    pub scan: Vec<String>,
    /// Seconds between two looks.
    #[serde(deserialize_with = "within::<_, 1, 3_600>")]
    pub rescan_s: u32,
}

/// One port that is always tried.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct PortConfig {
    /// A device, or `tcp://host:port`.
    pub path: String,
    /// Serial numbers of several boards that share the line in bus mode; empty for a single board.
    #[serde(default)]
    pub bus: Vec<String>,
    /// Baud rate; boards with a USB connector of their own ignore it.
    #[serde(default = "default_baud", deserialize_with = "within::<_, 50, 4_000_000>")]
    pub baud: u32,
    /// Level of DTR; left as it is if not given, low on a bus.
    #[serde(default)]
    pub dtr: Option<bool>,
    /// Level of RTS; left as it is if not given, low on a bus.
    #[serde(default)]
    pub rts: Option<bool>,
}

impl Config {
    /// Reads a configuration file, `-` for standard input, and puts single keys (`KEY=VALUE`) over it.
    ///
    /// Without a file name, [`DEFAULT_FILE`] is read if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error with file, key and remedy.
    pub fn load(file: Option<&Path>, settings: &[String]) -> Result<Self, ConfigError> {
        let name = file.unwrap_or(Path::new(DEFAULT_FILE));
        let text = match read(name) {
            Ok(text) => text,
            Err(error) if file.is_none() && error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(ConfigError::Read { file: name.display().to_string(), source }),
        };
        Self::parse(&name.display().to_string(), &text, settings)
    }

    /// Reads a configuration from a text; `file` is the name that errors carry.
    ///
    /// # Errors
    ///
    /// Returns an error with file, key and remedy.
    pub fn parse(file: &str, text: &str, settings: &[String]) -> Result<Self, ConfigError> {
        let mut builder = ::config::Config::builder().add_source(File::from_str(text, FileFormat::Toml));
        for setting in settings {
            let (key, value) = setting.split_once('=').ok_or_else(|| ConfigError::Setting {
                setting: setting.clone(),
                reason: "expected KEY=VALUE".to_owned(),
            })?;
            // The origin tells `strict` that the text is to be read as whatever the key wants.
            let value = Value::new(Some(&strict::COMMAND_LINE.to_owned()), value.trim());
            builder = builder.set_override(key.trim(), value).map_err(|error| ConfigError::Setting {
                setting: setting.clone(),
                reason: error::one_line(&error.to_string()),
            })?;
        }
        let merged = builder.build().map_err(|error| ConfigError::syntax(file, &error))?;
        strict::from_value(&merged.cache).map_err(|error| error.in_file(file))
    }

    /// Returns the table on which the board with this serial number stands.
    #[must_use]
    pub fn table(&self, serial: &str) -> Option<&TableConfig> {
        self.tables.iter().find(|table| same_serial(&table.serial, serial))
    }

    /// Returns what is configured for a port, if it is listed.
    #[must_use]
    pub fn port(&self, path: &str) -> Option<&PortConfig> {
        self.listed.iter().find(|port| port.path == path)
    }

    /// Returns the line with several boards that the board with this serial number is on, if it is listed there.
    #[must_use]
    pub fn port_of_bus_board(&self, serial: &str) -> Option<&PortConfig> {
        self.listed.iter().find(|port| port.bus.iter().any(|listed| same_serial(listed, serial)))
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

impl Default for Config {
    fn default() -> Self {
        Self {
            state_dir: PathBuf::from("/var/lib/jadoube"),
            log_dir: PathBuf::from("/var/log/jadoube"),
            event: EventConfig::default(),
            board: BoardConfig::default(),
            game: GameConfig::default(),
            ports: PortsConfig::default(),
            listed: Vec::new(),
            tables: Vec::new(),
            http: None,
            livechess: None,
            pgn: None,
            mqtt: None,
            lichess: None,
            pairings: None,
        }
    }
}

impl Default for BoardConfig {
    fn default() -> Self {
        Self {
            scan_ms: 225,
            settle_ms: 500,
            orientation: Orientation::default(),
            white_clock: WhiteClock::default(),
        }
    }
}

impl Default for PortsConfig {
    fn default() -> Self {
        let scan = ["/dev/ttyACM*", "/dev/ttyUSB*", "/dev/rfcomm*"];
        Self { scan: scan.map(str::to_owned).to_vec(), rescan_s: 2 }
    }
}

impl PortConfig {
    /// Makes the configuration of a port of which nothing but its path is known.
    #[must_use]
    pub fn of(path: &str) -> Self {
        Self { path: path.to_owned(), bus: Vec::new(), baud: default_baud(), dtr: None, rts: None }
    }
}

fn read(file: &Path) -> std::io::Result<String> {
    if file == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    std::fs::read_to_string(file)
}

/// Boards tell five digits, people leave leading zeros out.
pub(crate) fn same_serial(a: &str, b: &str) -> bool {
    a.trim().trim_start_matches('0') == b.trim().trim_start_matches('0')
}

const fn default_baud() -> u32 {
    9600
}

/// Reads a number and refuses one outside of its range.
fn within<'de, D: Deserializer<'de>, const MIN: u32, const MAX: u32>(
    deserializer: D,
) -> Result<u32, D::Error> {
    let number = u32::deserialize(deserializer)?;
    if (MIN..=MAX).contains(&number) {
        Ok(number)
    } else {
        Err(D::Error::custom(format_args!("{number} is out of range, expected {MIN} to {MAX}")))
    }
}

/// Reads a position and refuses a text that is none.
fn fen<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let text = String::deserialize(deserializer)?;
    match text.parse::<Fen>() {
        Err(error) if !text.is_empty() => {
            Err(D::Error::custom(format_args!("'{text}' is no position: {error}")))
        }
        _ => Ok(text),
    }
}

#[cfg(test)]
mod tests;
