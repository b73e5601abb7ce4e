//! Owns the configuration: keys, defaults, errors that name file, key and remedy.
//!
//! A [`Config`] is plain data, made of layers: defaults, the file, the files of `conf.d` beside it, variables of the environment and
//! `--set`. Only [`Config::load`] touches the disk, and nothing here knows what a key is used for.

mod arbiters;
mod broker;
mod check;
mod error;
mod exposed;
mod files;
mod layers;
mod network;
mod notify;
pub(crate) mod own_rules;
mod path;
mod read;
mod services;
mod setting;
mod sources;
mod strength;
mod url;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use serde::{Deserialize, Serialize};

use self::read::Parts;
pub use arbiters::{ArbiterConfig, Role, TableSet};
pub(crate) use broker::{BrokerAddress, topic_level};
pub use check::Warning;
pub use error::ConfigError;
pub(crate) use files::files_beside;
use jadoube_core::settings::{same_serial, within};
pub use jadoube_core::{
    laws::EventSettings,
    settings::{
        BoardSettings, GameSettings, LineSettings, Orientation, PlayerSettings, TableSettings, WhiteClock,
    },
};
pub use network::Network;
pub use notify::{NotifyConfig, NotifyKind};
pub use services::{
    HttpConfig, LichessConfig, LiveChessConfig, MqttConfig, PairingsConfig, PgnConfig, PublicConfig, Publish,
};
pub use sources::Sources;
pub(crate) use strength::is_short;
pub use url::ConfigUrl;

/// Where the configuration is looked for if nobody says where it is.
pub const DEFAULT_FILE: &str = "/etc/jadoube/jadoube.toml";

/// Name of the certificate of a local authority, beside the desk's.
pub(crate) const AUTHORITY: &str = "authority.pem";

/// All that can be configured; every key has a default.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Directory of captures, which recovery reads, and of the state of each board.
    pub state_dir: PathBuf,
    /// Directory of `alerts.log`, `alerts.jsonl` and `events.jsonl`.
    pub log_dir: PathBuf,
    /// What is played, by which rules.
    pub event: EventSettings,
    /// How the boards behave.
    pub board: BoardSettings,
    /// What a game begins with.
    pub game: GameSettings,
    /// How long captures are kept.
    pub captures: CapturesConfig,
    /// Which devices are watched.
    pub ports: PortsConfig,
    /// Ports named one by one, beside the watched ones.
    #[serde(rename = "port")]
    pub listed: Vec<PortConfig>,
    /// Which board stands on which table, and who plays there.
    #[serde(rename = "table")]
    pub tables: Arc<Vec<TableSettings>>,
    /// Tables of the pairings that no board stands on.
    #[serde(skip)]
    pub boardless: Arc<Vec<TableSettings>>,
    /// Who the arbiters are.
    #[serde(rename = "arbiter")]
    pub arbiters: Vec<ArbiterConfig>,
    /// Where alerts go, for phones that are locked.
    pub notify: Vec<NotifyConfig>,
    /// The arbiter's desk.
    pub http: Option<HttpConfig>,
    /// Games for everybody.
    pub public: Option<PublicConfig>,
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
    /// Whether `http.enabled` says that there is no desk, and not only nothing that there is one.
    #[serde(skip)]
    pub has_no_desk: bool,
    /// Variables that look like keys and are none.
    #[serde(skip)]
    pub ignored: Vec<Warning>,
}

/// How long captures are kept; 0 is for ever.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct CapturesConfig {
    /// Days since a capture was written to last.
    #[serde(deserialize_with = "within::<_, 0, 36_500>")]
    pub keep_days: u32,
    /// Room for all of them, GiB.
    #[serde(deserialize_with = "within::<_, 0, 1_000_000>")]
    pub keep_gib: u32,
}

impl CapturesConfig {
    /// Returns whether there is a limit at all.
    #[must_use]
    pub fn is_limited(&self) -> bool {
        *self != Self::default()
    }

    /// Returns how old a capture may become.
    pub(crate) fn keep_age(&self) -> Option<jiff::SignedDuration> {
        (self.keep_days > 0).then(|| jiff::SignedDuration::from_hours(24 * i64::from(self.keep_days)))
    }

    /// Returns how many bytes captures may take.
    pub(crate) fn keep_bytes(&self) -> Option<u64> {
        (self.keep_gib > 0).then(|| u64::from(self.keep_gib) << 30)
    }
}

/// Which devices are watched.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PortsConfig {
    /// Patterns of device names; `*` and `?` stand in the last component only.
    pub scan: Vec<String>,
    /// Seconds between two looks.
    #[serde(deserialize_with = "within::<_, 1, 3_600>")]
    pub rescan_s: u32,
}

/// One port that is always tried.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PortConfig {
    /// A device, or `tcp://host:port`.
    pub path: String,
    /// Serial numbers of several boards that share the line in bus mode, above 16383 also with the address after `@`;
    /// empty for a single board.
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

/// Returns `host:port` of a board behind a network, from the name of its port: `tcp://host:port`.
#[must_use]
pub fn remote_address(port: &str) -> Option<&str> {
    port.strip_prefix("tcp://")
}

impl PortConfig {
    /// Returns `host:port` of a board behind a network; `None` for a device.
    #[must_use]
    pub fn address(&self) -> Option<&str> {
        remote_address(&self.path)
    }
}

impl Config {
    /// Reads a configuration file, `-` for standard input, and lays over it `conf.d/*.toml` beside a `jadoube.toml`, the variables
    /// `JADOUBE__SECTION__KEY`, and single keys (`KEY=VALUE`).
    ///
    /// Without a file name, [`DEFAULT_FILE`] is read if there is one.
    ///
    /// # Errors
    ///
    /// Returns the first error, with source, key and remedy.
    pub fn load(file: Option<&Path>, settings: &[String]) -> Result<Self, ConfigError> {
        first_error(Self::load_all(file, settings)).map(|(config, _)| config)
    }

    /// Lists the keys, other than directories, whose change from `old` takes effect after a restart only.
    pub fn restarts_for(&self, old: &Self) -> impl Iterator<Item = &'static str> + use<> {
        let rescan = self.ports.rescan_s != old.ports.rescan_s;
        rescan.then_some("ports.rescan_s").into_iter()
    }

    /// Reads a configuration as [`Config::load`] does, with where its values are from, and names everything that is wrong.
    ///
    /// # Errors
    ///
    /// Returns all errors, at least one, each with source, key and remedy.
    pub fn load_all(file: Option<&Path>, settings: &[String]) -> Result<(Self, Sources), Vec<ConfigError>> {
        let files = files::read_all(file).map_err(|error| vec![error])?;
        read::read(&Parts { files, variables: files::variables(), settings: settings.to_vec(), rules: None })
    }

    /// Reads a configuration from a text and single keys, and from nothing else; `file` is the name that errors carry.
    ///
    /// # Errors
    ///
    /// Returns the first error, with source, key and remedy.
    pub fn parse(file: &str, text: &str, settings: &[String]) -> Result<Self, ConfigError> {
        first_error(read::read(&Parts::of_text(file, text, settings))).map(|(config, _)| config)
    }

    /// Reads the configuration of a bundle, with the text of its file of rules.
    ///
    /// # Errors
    ///
    /// Returns the first error, with source, key and remedy.
    pub fn parse_bundled(
        file: &str,
        text: &str,
        rules: Option<&str>,
        settings: &[String],
    ) -> Result<Self, ConfigError> {
        let parts = Parts { rules: rules.map(str::to_owned), ..Parts::of_text(file, text, settings) };
        first_error(read::read(&parts)).map(|(config, _)| config)
    }

    /// Returns the table on which the board with this serial number stands.
    #[must_use]
    pub fn table(&self, serial: &str) -> Option<&TableSettings> {
        TableSettings::of_board(&self.tables, serial)
    }

    /// Returns how long what happens on a board is held back, seconds; `None` if nothing says so.
    #[must_use]
    pub fn delay_s(&self, serial: &str) -> Option<u32> {
        let table = self.table(serial).and_then(|table| table.delay_s);
        table.or(self.pgn.as_ref().map(|pgn| pgn.delay_s))
    }

    /// Returns whether anything of the event is published with a delay.
    #[must_use]
    pub fn has_delay(&self) -> bool {
        self.pgn.as_ref().is_some_and(|pgn| pgn.delay_s > 0)
            || self.tables.iter().any(|table| table.delay_s.is_some_and(|delay| delay > 0))
    }

    /// Returns what is configured for a port, if it is listed.
    #[must_use]
    pub fn port(&self, path: &str) -> Option<&PortConfig> {
        self.listed.iter().find(|port| port.path == path)
    }

    /// Returns what counts for a port, whether it is listed or was found.
    #[must_use]
    pub fn settings_of_port(&self, path: &str) -> PortConfig {
        self.port(path).cloned().unwrap_or_else(|| PortConfig::of(path))
    }

    /// Returns the line with several boards that the board with this serial number is on, if it is listed there.
    #[must_use]
    pub fn port_of_bus_board(&self, serial: &str) -> Option<&PortConfig> {
        let is_listed = |entry: &String| {
            same_serial(entry.split_once('@').map_or(entry, |(listed, _address)| listed), serial)
        };
        self.listed.iter().find(|port| port.bus.iter().any(is_listed))
    }

    /// Returns what the line on this port and its boards need to know of all this.
    #[must_use]
    pub fn line_settings(&self, port: &str) -> Arc<LineSettings> {
        Arc::new(LineSettings {
            event: Arc::new(self.event.clone()),
            board: self.board.clone(),
            game: self.game.clone(),
            tables: Arc::clone(&self.tables),
            bus: self.port(port).map(|port| port.bus.clone()).unwrap_or_default(),
        })
    }
}

impl Default for Config {
    fn default() -> Self {
        Self {
            state_dir: PathBuf::from("/var/lib/jadoube"),
            log_dir: PathBuf::from("/var/log/jadoube"),
            event: EventSettings::default(),
            board: BoardSettings::default(),
            game: GameSettings::default(),
            captures: CapturesConfig::default(),
            ports: PortsConfig::default(),
            listed: Vec::new(),
            tables: Arc::default(),
            boardless: Arc::default(),
            arbiters: Vec::new(),
            notify: Vec::new(),
            http: None,
            public: None,
            livechess: None,
            pgn: None,
            mqtt: None,
            lichess: None,
            pairings: None,
            has_no_desk: false,
            ignored: Vec::new(),
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

/// Keeps the first of several errors.
fn first_error<T>(read: Result<T, Vec<ConfigError>>) -> Result<T, ConfigError> {
    read.map_err(|errors| {
        let unknown = || ConfigError::Setting {
            setting: "configuration".to_owned(),
            reason: "cannot be read".to_owned(),
        };
        errors.into_iter().next().unwrap_or_else(unknown)
    })
}

const fn default_baud() -> u32 {
    9600
}

#[cfg(test)]
mod layer_tests;
#[cfg(test)]
mod tests;
