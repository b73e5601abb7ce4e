//! Keys of what talks to other programs: each table switches its service on.

use std::{
    net::{Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
};

use serde::Deserialize;

/// The arbiter's desk.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct HttpConfig {
    /// Address to listen on.
    pub listen: SocketAddr,
    /// File with the arbiter's token.
    pub token_file: PathBuf,
    /// Names of this machine that browsers may use beside its loopback names and the address.
    pub hosts: Vec<String>,
}

/// The interface for other programs on the same machine.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LiveChessConfig {
    /// Addresses to listen on.
    pub listen: Vec<SocketAddr>,
    /// Web pages that may connect.
    pub origins: Vec<String>,
}

/// Games as files.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct PgnConfig {
    /// Directory of the files.
    pub dir: PathBuf,
    /// How long a move is held back, seconds.
    pub delay_s: u32,
}

/// Events to a broker.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct MqttConfig {
    /// Address of the broker.
    pub url: String,
    /// First part of the topics.
    pub site: String,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            token_file: PathBuf::from("/etc/jadoube/token"),
            hosts: Vec::new(),
        }
    }
}

impl Default for LiveChessConfig {
    fn default() -> Self {
        Self {
            listen: vec![
                SocketAddr::from((Ipv4Addr::LOCALHOST, 1982)),
                SocketAddr::from((Ipv6Addr::LOCALHOST, 1982)),
            ],
            origins: ["https://lichess.org", "https://www.chess.com"].map(str::to_owned).to_vec(),
        }
    }
}

impl Default for PgnConfig {
    fn default() -> Self {
        Self { dir: PathBuf::from("/var/lib/jadoube/pgn"), delay_s: 0 }
    }
}

/// Games to Lichess.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq)]
#[serde(default, deny_unknown_fields)]
pub struct LichessConfig {
    /// Address of the server.
    pub url: String,
    /// Id of the broadcast round.
    pub round: String,
    /// File with the token.
    pub token_file: PathBuf,
}
