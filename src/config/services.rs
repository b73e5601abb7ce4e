//! Keys of what talks to other programs: each table switches its service on.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    path::PathBuf,
};

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use super::{ConfigUrl, Network};
use jadoube_core::settings::within;

/// The arbiter's desk.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpConfig {
    /// Whether there is a desk; a daemon without `--config` has one on loopback even without `[http]`.
    pub enabled: bool,
    /// Address to listen on.
    pub listen: SocketAddr,
    /// File with the arbiter's token.
    pub token_file: PathBuf,
    /// File with a token that reads `/metrics` and nothing else.
    pub metrics_token_file: Option<PathBuf>,
    /// Names of this machine that browsers may use beside its loopback names and the address.
    pub hosts: Vec<String>,
    /// Name by which the network of the hall finds the desk, without its `.local`; empty for none.
    #[serde(deserialize_with = "label")]
    pub local_name: String,
    /// Proxies that are believed for whom they ask.
    pub trusted_proxies: Vec<Network>,
    /// Where phones find the desk, as links to it begin.
    pub url: Option<ConfigUrl>,
    /// Certificates in PEM, the desk's own first: with them it speaks HTTPS only.
    pub certificate: Option<PathBuf>,
    /// The key of the first of them, in PEM.
    pub key: Option<PathBuf>,
    /// Hours after which an arbiter who has signed in with an own token has to do so again.
    #[serde(deserialize_with = "within::<_, 1, 720>")]
    pub session_h: u32,
    /// Hours for which a link that signs a phone in can be used, once.
    #[serde(deserialize_with = "within::<_, 1, 720>")]
    pub link_h: u32,
    /// Seconds after which an urgent alert to which nobody goes rings at the chief's, too; 0 for never.
    #[serde(deserialize_with = "within::<_, 0, 3_600>")]
    pub escalate_s: u32,
    /// Beginnings of the addresses of push services beside those of the browsers' makers.
    pub push_services: Vec<ConfigUrl>,
}

/// Games after their delay, for everybody.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PublicConfig {
    /// Address to listen on.
    pub listen: SocketAddr,
}

/// The interface for other programs on the same machine.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct LiveChessConfig {
    /// Addresses to listen on.
    pub listen: Vec<SocketAddr>,
    /// Web pages that may connect, such as `https://lichess.org` or `https://*.tornelo.com`.
    pub origins: Vec<String>,
    /// Names of this machine beside `localhost`, for pages that reach it through a proxy.
    pub hosts: Vec<String>,
}

/// Games as files.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PgnConfig {
    /// Directory of the files.
    pub dir: PathBuf,
    /// How long a move is held back, seconds.
    pub delay_s: u32,
    /// Which moves are published.
    pub publish: Publish,
    /// Seconds after which a move without a clock counts as completed.
    #[serde(deserialize_with = "within::<_, 0, 3_600>")]
    pub rest_s: u32,
}

/// Which moves are published.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Publish {
    /// Those that the board shows.
    #[default]
    Made,
    /// Those that a press has completed, or that rest where there is no clock.
    Completed,
}

/// Events to a broker.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct MqttConfig {
    /// Address of the broker: `mqtt://host`, or `mqtts://host` over TLS.
    #[serde(deserialize_with = "broker")]
    pub url: ConfigUrl,
    /// Name of the hall, second level of the topics.
    #[serde(deserialize_with = "level")]
    pub site: String,
    /// Name of this daemon, third level of the topics; the machine's name if empty.
    #[serde(deserialize_with = "level")]
    pub daemon: String,
    /// Name under which the broker knows the daemon; made of site and daemon if empty.
    pub client_id: String,
    /// User; without one the broker is asked for no rights.
    pub user: String,
    /// File with the user's password.
    pub password_file: Option<PathBuf>,
    /// File with the certificates that the broker's is checked against; the system's if not given.
    pub ca_file: Option<PathBuf>,
    /// Whether orders may come in from the broker.
    pub commands: bool,
}

/// Who plays at which table.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct PairingsConfig {
    /// A pairing PGN, a TRF or a CSV file; it is read again whenever it changes.
    pub file: PathBuf,
}

impl Default for HttpConfig {
    fn default() -> Self {
        Self {
            enabled: true,
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8080)),
            token_file: PathBuf::from("/etc/jadoube/token"),
            metrics_token_file: None,
            hosts: Vec::new(),
            local_name: "jadoube".to_owned(),
            trusted_proxies: Vec::new(),
            url: None,
            certificate: None,
            key: None,
            session_h: 18,
            link_h: 24,
            escalate_s: 120,
            push_services: Vec::new(),
        }
    }
}

impl HttpConfig {
    /// Returns the name that is announced in the network of the hall, such as `jadoube.local`; none where only this machine reaches the desk.
    #[must_use]
    pub fn local_host(&self) -> Option<String> {
        let is_reported = !self.local_name.is_empty() && !self.listen.ip().to_canonical().is_loopback();
        is_reported.then(|| format!("{}.local", self.local_name))
    }

    /// Returns whether an address is that of a trusted proxy.
    #[must_use]
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted_proxies.iter().any(|network| network.has(address))
    }
}

impl Default for PublicConfig {
    fn default() -> Self {
        Self { listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 8082)) }
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
            hosts: Vec::new(),
        }
    }
}

impl Default for PgnConfig {
    fn default() -> Self {
        let publish = Publish::default();
        Self { dir: PathBuf::from("/var/lib/jadoube/pgn"), delay_s: 0, publish, rest_s: 5 }
    }
}

/// Games to Lichess.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct LichessConfig {
    /// Address of the server.
    pub url: ConfigUrl,
    /// Id of the broadcast round.
    pub round: String,
    /// File with the token.
    pub token_file: PathBuf,
    /// Name at Lichess, so that they know whom to ask.
    pub user: String,
}

impl Default for LichessConfig {
    fn default() -> Self {
        Self {
            url: "https://lichess.org".into(),
            round: String::new(),
            token_file: PathBuf::from("/etc/jadoube/lichess-token"),
            user: String::new(),
        }
    }
}

impl Default for MqttConfig {
    fn default() -> Self {
        Self {
            url: "mqtt://localhost".into(),
            site: "hall".to_owned(),
            daemon: String::new(),
            client_id: String::new(),
            user: String::new(),
            password_file: None,
            ca_file: None,
            commands: false,
        }
    }
}

/// Reads the address of a broker.
fn broker<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ConfigUrl, D::Error> {
    let url = String::deserialize(deserializer)?;
    super::BrokerAddress::parse(&url).map_err(D::Error::custom)?;
    Ok(url.into())
}

/// Reads one level of a topic.
fn level<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let level = String::deserialize(deserializer)?;
    let plain = super::topic_level(&level);
    if plain == level {
        Ok(level)
    } else {
        Err(D::Error::custom(format_args!(
            "'{level}' is part of a topic: only a-z, 0-9 and -, as in '{plain}'"
        )))
    }
}

/// Reads one label of a host name (RFC 1123), or none.
fn label<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let label = String::deserialize(deserializer)?;
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if label.len() < 64 && label.bytes().all(is_plain) && !label.starts_with('-') && !label.ends_with('-') {
        return Ok(label);
    }
    Err(D::Error::custom(format_args!(
        "'{label}' is no name: up to 63 of a-z, 0-9 and -, without .local, as in 'hall-a'"
    )))
}
