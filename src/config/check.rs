//! Finds what is legal but probably not meant in a configuration.

use std::{collections::BTreeMap, fmt, fs, path::Path};

use super::{BrokerAddress, Config, Orientation, TableSettings, WhiteClock, url::without_secrets};
use dgt_protocol::Address;
use jadoube_core::{
    line::ListedBoard,
    settings::{plain_serial, same_serial},
};
use jadoube_runtime::platform;

/// Something that can be read and is probably not meant, with its key.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Warning {
    /// Path of the key; entries of lists are counted from 1.
    pub key: String,
    /// What is wrong with it, and what to do.
    pub text: String,
    /// Whether it cannot be right: `jadoube check` fails, and the daemon goes on with what it can.
    pub is_error: bool,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.key, self.text)
    }
}

/// Warnings as they are found.
#[derive(Default)]
pub(super) struct Warnings(pub(super) Vec<Warning>);

impl Warnings {
    pub(super) fn add(&mut self, key: impl Into<String>, text: impl Into<String>) {
        self.0.push(Warning { key: key.into(), text: without_secrets(&text.into()), is_error: false });
    }

    pub(super) fn add_error(&mut self, key: impl Into<String>, text: impl Into<String>) {
        self.0.push(Warning { key: key.into(), text: without_secrets(&text.into()), is_error: true });
    }

    /// Adds an error unless there is such a file; `remedy` says what its absence costs.
    fn need_file(&mut self, key: &str, file: &Path, remedy: &str) {
        if let Err(error) = fs::metadata(file) {
            self.add_error(key, format!("{}: {error}; {remedy}", file.display()));
        }
    }
}

impl Config {
    /// Returns what is legal but silly, without looking at the disk.
    #[must_use]
    pub fn check(&self) -> Vec<Warning> {
        let mut warnings = Warnings::default();
        self.check_event(&mut warnings);
        self.check_board(&mut warnings);
        self.check_ports(&mut warnings);
        self.check_tables(&mut warnings);
        self.check_services(&mut warnings);
        self.check_exposed(&mut warnings);
        warnings.0.extend(self.ignored.iter().cloned());
        warnings.0
    }

    /// Returns what is silly about the files that the configuration names.
    #[must_use]
    pub fn check_files(&self) -> Vec<Warning> {
        let mut warnings = Warnings::default();
        for (key, dir) in [("state_dir", &self.state_dir), ("log_dir", &self.log_dir)] {
            if fs::metadata(dir).is_ok_and(|meta| !meta.is_dir()) {
                warnings.add(key, format!("{} is no directory", dir.display()));
            }
        }
        if let Some(lichess) = &self.lichess {
            warnings.need_file(
                "lichess.token_file",
                &lichess.token_file,
                "Lichess takes no games without it",
            );
        }
        if let Some(mqtt) = &self.mqtt {
            if let Some(file) = &mqtt.password_file {
                warnings.need_file("mqtt.password_file", file, "the broker asks for the password");
            }
            if let Some(file) = &mqtt.ca_file {
                warnings.need_file("mqtt.ca_file", file, "the broker's certificate is checked against it");
            }
        }
        for (index, way) in self.notify.iter().enumerate() {
            if let Some(file) = &way.token_file {
                let key = field("notify", index, "token_file");
                warnings.need_file(&key, file, "the server asks for the token");
            }
        }
        if let Some(http) = &self.http {
            check_token(&http.token_file, &mut warnings);
            self.check_tokens(&mut warnings);
            for (key, file) in [("http.certificate", &http.certificate), ("http.key", &http.key)] {
                if let Some(file) = file {
                    warnings.need_file(
                        key,
                        file,
                        "the desk cannot be opened without it; 'jadoube certificate' makes it",
                    );
                }
            }
        }
        warnings.0
    }

    fn check_event(&self, warnings: &mut Warnings) {
        let event = &self.event;
        if let Some(own) = &event.own_rules {
            let name = own.name.as_deref().unwrap_or("own rules");
            let changes = own.changes().join("; ");
            warnings.add("event.rules", format!("{name} change the Laws of {}: {changes}", event.rules));
        }
        for doubt in event.doubts() {
            warnings.add("event", doubt);
        }
        if event.default_time_s == Some(0) {
            let text =
                "0 cannot be watched: no board senses who sits at it; leave the key out and look yourself";
            warnings.add_error("event.default_time_s", text);
        }
        if event.first_clock_starts_round && event.default_time_s.is_none() {
            let text = "has no effect without event.default_time_s";
            warnings.add("event.first_clock_starts_round", text.to_owned());
        }
        if let Some(seconds) = event.default_time_s.filter(|seconds| *seconds > 3600) {
            warnings.add("event.default_time_s", format!("{seconds} s is more than an hour"));
        }
    }

    fn check_board(&self, warnings: &mut Warnings) {
        if self.board.settle_ms < self.board.scan_ms {
            let text = format!(
                "{} ms is less than one pass of {} ms over the squares: presses are judged before the board has reported all",
                self.board.settle_ms, self.board.scan_ms
            );
            warnings.add("board.settle_ms", text);
        }
    }

    fn check_ports(&self, warnings: &mut Warnings) {
        if self.ports.scan.is_empty() && self.listed.is_empty() {
            warnings.add("ports.scan", "is empty and there is no [[port]]: no board will ever be found");
        }
        for (index, pattern) in self.ports.scan.iter().enumerate() {
            let directory = pattern.rsplit_once('/').map_or("", |(directory, _)| directory);
            if directory.contains(['*', '?']) {
                warnings.add(
                    entry("ports.scan", index),
                    "has a wildcard in a directory; only the last part may have one",
                );
            } else if !pattern.starts_with('/') {
                warnings.add(entry("ports.scan", index), format!("'{pattern}' does not begin with /"));
            }
        }
        for (index, port) in self.listed.iter().enumerate() {
            let key = |name: &str| field("port", index, name);
            if let Some(address) = port.address() {
                let is_port = |number: &str| number.parse::<u16>().is_ok_and(|number| number > 0);
                let lacks = match address.rsplit_once(':') {
                    Some((_, number)) if !is_port(number) => Some("port number"),
                    None => Some("port number"),
                    Some(("", _)) => Some("host"),
                    Some(_) => None,
                };
                if let Some(lacks) = lacks {
                    warnings.add(key("path"), format!("'{}' has no {lacks}: tcp://host:port", port.path));
                }
            } else if !platform::is_device_name(&port.path) {
                warnings.add(
                    key("path"),
                    format!("'{}' is neither an absolute path nor tcp://host:port", port.path),
                );
            }
            check_bus(&port.bus, &key("bus"), warnings);
        }
        let paths = self
            .listed
            .iter()
            .enumerate()
            .map(|(index, port)| (field("port", index, "path"), port.path.clone()));
        duplicates(paths, warnings, Warnings::add_error);
        let buses = self.listed.iter().enumerate().flat_map(|(index, port)| {
            port.bus.iter().map(move |listed| {
                let serial = listed.split_once('@').map_or(listed.as_str(), |(serial, _)| serial);
                (field("port", index, "bus"), plain_serial(serial).to_owned())
            })
        });
        duplicates(buses, warnings, Warnings::add_error);
    }

    fn check_tables(&self, warnings: &mut Warnings) {
        let keyed = |name: &'static str, value: fn(&TableSettings) -> String| {
            let tables = self.tables.iter().enumerate();
            tables.map(move |(index, table)| (field("table", index, name), value(table)))
        };
        duplicates(
            keyed("number", |table| table.number.map(|number| number.to_string()).unwrap_or_default()),
            warnings,
            Warnings::add_error,
        );
        duplicates(
            keyed("serial", |table| plain_serial(&table.serial).to_owned()),
            warnings,
            Warnings::add_error,
        );
        let players =
            keyed("white", |table| table.white.clone()).chain(keyed("black", |table| table.black.clone()));
        // Two players may have the same name.
        duplicates(players, warnings, Warnings::add);
        for (index, table) in self.tables.iter().enumerate() {
            let serial = table.serial.trim();
            if serial.is_empty() || !serial.bytes().all(|byte| byte.is_ascii_digit()) {
                warnings.add(
                    field("table", index, "serial"),
                    format!("'{serial}' is no serial number; see 'jadoube boards'"),
                );
            }
            if table.orientation == Some(Orientation::Auto) && self.board.orientation == Orientation::Auto {
                warnings
                    .add(field("table", index, "orientation"), "\"auto\" is what all boards have already");
            }
            if table.white_clock == Some(WhiteClock::Auto) && self.board.white_clock == WhiteClock::Auto {
                warnings
                    .add(field("table", index, "white_clock"), "\"auto\" is what all boards have already");
            }
        }
    }

    /// Refuses what would show live moves to others while games are delayed; the web server asks for its token.
    fn check_delay(&self, warnings: &mut Warnings) {
        for (index, address) in self.livechess.iter().flat_map(|livechess| &livechess.listen).enumerate() {
            if !address.ip().to_canonical().is_loopback() {
                let text = format!(
                    "{address} shows live moves without a token while games are delayed: use 127.0.0.1, or set no delay"
                );
                warnings.add_error(entry("livechess.listen", index), text);
            }
        }
        if self.livechess.as_ref().is_some_and(|livechess| !livechess.hosts.is_empty()) {
            let text =
                "a proxy would show live moves without a token while games are delayed: remove the names";
            warnings.add_error("livechess.hosts", text);
        }
        if let Some(mqtt) = &self.mqtt
            && mqtt.user.is_empty()
            && !BrokerAddress::parse(mqtt.url.secret()).is_ok_and(|broker| broker.is_local())
        {
            let text = "live moves leave this machine for a broker that asks for no user while games are delayed: \
                        set mqtt.user and restrict reading at the broker, or use one on this machine";
            warnings.add_error("mqtt.url", text);
        }
    }

    fn check_services(&self, warnings: &mut Warnings) {
        if let Some(lichess) = &self.lichess {
            if self.pgn.is_none() {
                warnings.add(
                    "lichess",
                    "pushes the games that [pgn] writes; without that section there are none",
                );
            }
            if lichess.round.len() != 8 || !lichess.round.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                let text =
                    format!("'{}' is no id of a broadcast round: eight letters and digits", lichess.round);
                warnings.add("lichess.round", text);
            }
        }
        let names = self
            .arbiters
            .iter()
            .enumerate()
            .map(|(index, arbiter)| (field("arbiter", index, "name"), arbiter.name.clone()));
        duplicates(names, warnings, Warnings::add_error);
        for (index, arbiter) in self.arbiters.iter().enumerate() {
            if arbiter.name.trim().is_empty() {
                warnings.add_error(field("arbiter", index, "name"), "is empty; the list of orders shows it");
            }
        }
        for (index, way) in self.notify.iter().enumerate() {
            if let Some((key, text)) = way.lacks() {
                warnings.add_error(field("notify", index, key), text);
            }
        }
        if !self.arbiters.is_empty() && self.http.is_none() {
            warnings.add("arbiter", "signs in at the desk; without [http] there is none");
        }
        if let Some(http) = &self.http {
            if !http.listen.ip().to_canonical().is_loopback() && http.certificate.is_none() {
                let text = format!(
                    "{} is open to everybody who can reach this machine, without encryption; 'jadoube certificate' makes \
                     a certificate",
                    http.listen
                );
                warnings.add("http.listen", text);
            }
            if http.certificate.is_some() != http.key.is_some() {
                let (has, lacks) =
                    if http.key.is_some() { ("key", "certificate") } else { ("certificate", "key") };
                warnings.add_error(
                    format!("http.{lacks}"),
                    format!("is missing; http.{has} is of no use without it"),
                );
            }
        }
        if self.public.is_some() && self.pgn.is_none() {
            warnings.add("public", "serves the games that [pgn] makes; without that section there are none");
        }
        if let (Some(http), Some(public)) = (&self.http, &self.public)
            && http.listen == public.listen
        {
            warnings.add_error("public.listen", format!("{} is also http.listen", public.listen));
        }
        if self.has_delay() {
            self.check_delay(warnings);
        }
        for (index, origin) in self.livechess.iter().flat_map(|livechess| &livechess.origins).enumerate() {
            check_origin(entry("livechess.origins", index), origin, warnings);
        }
    }
}

fn check_origin(key: String, origin: &str, warnings: &mut Warnings) {
    let place = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    let place = place.map(|place| place.strip_prefix("*.").unwrap_or(place));
    if origin != "null" && place.is_none_or(|place| place.is_empty() || place.contains(['/', '*', ' '])) {
        let text = format!(
            "'{origin}' matches no page: https://lichess.org, or https://*.tornelo.com for all below it"
        );
        warnings.add(key, text);
    }
}

fn check_token(file: &Path, warnings: &mut Warnings) {
    match fs::metadata(file) {
        Err(error) => {
            warnings.add("http.token_file", format!("{}: {error}; nobody can give orders", file.display()));
        }
        Ok(meta) if meta.len() == 0 => {
            warnings.add("http.token_file", format!("{} is empty", file.display()));
        }
        Ok(meta) if platform::mode(&meta) & 0o004 != 0 => {
            let text = format!("{0} can be read by every user of this machine: chmod o= {0}", file.display());
            warnings.add("http.token_file", text);
        }
        Ok(_) => {}
    }
}

/// Reports values that appear twice; empty ones do not count.
fn duplicates(
    values: impl Iterator<Item = (String, String)>,
    warnings: &mut Warnings,
    add: fn(&mut Warnings, String, String),
) {
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for (key, value) in values.filter(|(_, value)| !value.is_empty()) {
        if let Some(other) = first.get(&value) {
            add(warnings, key, format!("'{value}' is also {other}"));
        } else {
            first.insert(value, key);
        }
    }
}

/// Checks the boards on one line: their numbers, and that no two are looked for at the same address.
fn check_bus(listed: &[String], key: &str, warnings: &mut Warnings) {
    let mut found: BTreeMap<Address, ListedBoard> = BTreeMap::new();
    for entry in listed {
        match ListedBoard::parse(entry) {
            Err(reason) => warnings.add(key.to_owned(), reason),
            Ok(board) => {
                let other =
                    found.get(&board.address).filter(|other| !same_serial(&other.serial, &board.serial));
                if let Some(other) = other {
                    let guessed = if board.is_certain { other } else { &board };
                    warnings.add_error(
                        key.to_owned(),
                        format!(
                            "{} and {} have the same address on the line, {}: write \"{}@ADDRESS\", with the address \
                             by which 'jadoube boards' calls the board",
                            other.serial, board.serial, board.address, guessed.serial
                        ),
                    );
                }
                found.entry(board.address).or_insert(board);
            }
        }
    }
}

/// Names an entry of a list; `index` counts from 0, people from 1.
pub(super) fn entry(list: &str, index: usize) -> String {
    format!("{list} {}", index + 1)
}

/// Names a key in an entry of a list, as errors of the configuration do.
pub(super) fn field(list: &str, index: usize, key: &str) -> String {
    format!("{list} {}: {key}", index + 1)
}
