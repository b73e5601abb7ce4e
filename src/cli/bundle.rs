//! `jadoube bundle`: captures, logs, configuration and findings of some hours in one file to look through and send.
//!
//! It is a compressed tar archive of texts. Passwords and tokens are never in it; names of people are removed, or replaced.

mod names;
pub(super) mod read;

use std::{
    fs::{self, File},
    io::{self, BufRead as _, BufReader, Write},
    net::IpAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use flate2::{Compression, write::GzEncoder};
use jiff::{SignedDuration, Timestamp};
use tar::{Builder, Header};

use self::names::Names;
use super::{ConfigArgs, Exit, Failure, Output, doctor};
use crate::{
    config::{Config, ConfigUrl, own_rules},
    pairings,
    port::{self, CAPTURES},
    sinks::BOARDS_FILE,
};
use jadoube_core::capture;
use jadoube_runtime::{clock::SystemClock, private};

/// Name of the configuration in a bundle, and of the directory of logs.
const CONFIG: &str = "jadoube.toml";
const LOGS: &str = "log";

/// The logs that are taken along; all others say the same in other words.
const LOG_FILES: [&str; 3] = ["events.jsonl", "alerts.jsonl", "audit.jsonl"];

/// Most bytes that are taken of one log; the newest lines are left out beyond that.
const LONGEST_LOG: usize = 256 << 20;

/// Arguments of `jadoube bundle`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// File to write [default: jadoube-bundle-TIME.tar.gz in the current directory]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// From when on: a time such as 2026-11-23T14:00Z, or a duration before now such as 3h
    #[arg(long, value_name = "TIME", default_value = "24h", value_parser = Since::parse)]
    since: Since,
    /// Until when, likewise [default: now]
    #[arg(long, value_name = "TIME", value_parser = Since::parse)]
    until: Option<Since>,
    /// Replace each name by the same 'Player 7' everywhere instead of removing it
    #[arg(long)]
    replace_names: bool,
    /// How long each line is listened to for the findings, if no daemon runs; 0 leaves the boards alone
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(..=600))]
    seconds: u64,
}

/// A time, or a duration before now.
#[derive(Clone, Copy, Debug)]
enum Since {
    At(Timestamp),
    Before(SignedDuration),
}

impl Since {
    fn parse(text: &str) -> Result<Self, String> {
        if let Ok(at) = text.parse::<Timestamp>() {
            return Ok(Self::At(at));
        }
        let duration = text
            .parse::<SignedDuration>()
            .map_err(|_| "is neither a time nor a duration such as 3h".to_owned())?;
        Ok(Self::Before(duration.abs()))
    }

    fn at(self, now: Timestamp) -> Timestamp {
        match self {
            Self::At(at) => at,
            Self::Before(duration) => now.checked_sub(duration).unwrap_or(Timestamp::MIN),
        }
    }
}

/// Writes a bundle.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let now = SystemClock::start().started();
    let (since, until) = (args.since.at(now), args.until.map_or(now, |until| until.at(now)));
    if since > until {
        return Err(Failure::new(Exit::Usage, format_args!("--since {since} is after --until {until}")));
    }
    let config = args.config.load()?;
    let mut names = names_of(&config, args.replace_names);
    let captures = captures(&config.state_dir, since, until)?;
    // Whoever is named in one of them may be in the remarks of all.
    for capture in &captures {
        names.learn_from_orders(&fs::read(capture).map_err(|error| Failure::io(capture.display(), &error))?);
    }
    // All files, variables and options in one: a replay of the bundle has none of them.
    let (_, sources) = args.config.load_all().map_err(|errors| {
        errors.into_iter().next().map_or_else(|| Failure::new(Exit::Config, "cannot be read"), Failure::from)
    })?;
    let rules = config.event.own_rules.as_deref().map(toml::to_string).transpose();
    let rules = rules.map_err(|error| Failure::new(Exit::Config, error))?;
    let mut text = sources.given();
    if rules.is_some() {
        text = with_rules(&text);
    }
    let text = names.configuration(&text).map_err(|error| Failure::new(Exit::Config, error))?;
    let path = args
        .output
        .clone()
        .unwrap_or_else(|| format!("jadoube-bundle-{}.tar.gz", now.strftime("%Y%m%dT%H%M%SZ")).into());
    let file = private::create(&path).map_err(|error| Failure::io(path.display(), &error))?;
    let mut bundle = Bundle {
        tar: Builder::new(GzEncoder::new(file, Compression::default())),
        name: path.display().to_string(),
        now,
    };
    bundle.add("README.txt", readme(since, until).as_bytes())?;
    bundle.add(CONFIG, text.as_bytes())?;
    if let Some(rules) = rules {
        bundle.add(own_rules::BUNDLED, names.text(&rules).as_bytes())?;
    }
    // Orders in captures name players, so that they come before the logs.
    for capture in &captures {
        let bytes = fs::read(capture).map_err(|error| Failure::io(capture.display(), &error))?;
        let inside = capture.strip_prefix(&config.state_dir).unwrap_or(capture);
        bundle.add(&inside.display().to_string(), &names.capture(&bytes))?;
    }
    for log in LOG_FILES {
        if let Some(lines) = lines_of(&config.log_dir.join(log), since, until, &names)? {
            bundle.add(&format!("{LOGS}/{log}"), &lines)?;
        }
    }
    if let Ok(states) = fs::read_to_string(config.state_dir.join(BOARDS_FILE)) {
        bundle.add(BOARDS_FILE, names.text(&states).as_bytes())?;
    }
    let findings = doctor::examine(&args.config, Path::new("/"), Duration::from_secs(args.seconds))?;
    let findings: Vec<String> = findings
        .into_iter()
        .map(|mut finding| {
            // What is wrong with pairings quotes them.
            if finding.subject.starts_with("pairings") {
                finding.text = names::without_quotes(&finding.text);
            }
            finding
        })
        .filter_map(|finding| serde_json::to_string(&finding).ok())
        .collect();
    bundle.add("doctor.jsonl", names.text(&(findings.join("\n") + "\n")).as_bytes())?;
    bundle.finish()?;
    let name = path.display();
    Output::new().line(&format!(
        "{name}: {} captures; look through it before you send it: tar -xzf {name}",
        captures.len()
    ))
}

/// Names the file of rules in the bundle in place of the one that a configuration was read with.
fn with_rules(config: &str) -> String {
    let mut table: toml::Table = toml::from_str(config).unwrap_or_default();
    let event = table.entry("event").or_insert_with(|| toml::Table::new().into());
    if let Some(event) = event.as_table_mut() {
        event.insert("rules".to_owned(), own_rules::BUNDLED.into());
    }
    table.to_string()
}

/// Gathers names of people and secrets, from everywhere but the captures: also names of rounds that are over.
fn names_of(config: &Config, replace: bool) -> Names {
    let seated = pairings::seated(config.clone());
    let mut names = Names::new(replace);
    for table in seated.tables.iter().chain(config.tables.iter()) {
        names.learn(&table.white);
        names.learn(&table.black);
    }
    for arbiter in &config.arbiters {
        names.learn(&arbiter.name);
    }
    names.learn(&config.event.name);
    #[cfg(feature = "http")]
    for account in crate::accounts::AccountFile::of(&config.state_dir).load(config).unwrap_or_default() {
        names.learn(&account.name);
    }
    let logs = LOG_FILES.iter().map(|log| config.log_dir.join(log));
    for file in logs.chain([config.state_dir.join(BOARDS_FILE)]) {
        let Ok(file) = File::open(file) else { continue };
        for line in BufReader::new(file).lines().map_while(Result::ok) {
            if let Ok(value) = serde_json::from_str::<serde_json::Value>(&line) {
                names.learn_from(&value);
            }
        }
    }
    secrets_of(config, &mut names);
    names
}

/// Gathers what gives access to something: what token files hold, and addresses that are secrets themselves.
fn secrets_of(config: &Config, names: &mut Names) {
    let http = config.http.iter().flat_map(|http| [Some(&http.token_file), http.metrics_token_file.as_ref()]);
    let mqtt = config.mqtt.iter().map(|mqtt| mqtt.password_file.as_ref());
    let lichess = config.lichess.iter().map(|lichess| Some(&lichess.token_file));
    let notify = config.notify.iter().map(|way| way.token_file.as_ref());
    for file in http.chain(mqtt).chain(lichess).chain(notify).flatten() {
        for line in private::read_to_string(file).unwrap_or_default().lines() {
            names.hide(line.trim());
        }
    }
    for way in &config.notify {
        names.hide(way.url.secret());
        way.command.iter().skip(1).for_each(|argument| names.hide(argument));
    }
    if let Some(mqtt) = &config.mqtt {
        names.hide(&mqtt.user);
        hide_address(&mqtt.url, names);
    }
    if let Some(lichess) = &config.lichess {
        names.hide(&lichess.user);
    }
    // Findings name where other services are, and where phones find the desk.
    let desk = config.http.iter().filter_map(|http| http.url.as_ref());
    for url in desk.chain(config.notify.iter().map(|way| &way.url)) {
        hide_address(url, names);
    }
}

/// Hides the host of an address, with and without its port; this machine is no secret.
fn hide_address(url: &ConfigUrl, names: &mut Names) {
    let host = url.host();
    let name = host.rsplit_once(':').filter(|_| !host.ends_with(']')).map_or(host, |(name, _)| name);
    let name = name.trim_matches(['[', ']']);
    let is_loopback = name.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    if !is_loopback && !name.eq_ignore_ascii_case("localhost") {
        names.hide(host);
        names.hide(name);
    }
}

/// Returns the captures that overlap a span, oldest first in each directory.
fn captures(state_dir: &Path, since: Timestamp, until: Timestamp) -> Result<Vec<PathBuf>, Failure> {
    let refused = |directory: &Path, error: &io::Error| {
        let name = directory.display();
        if error.kind() != io::ErrorKind::PermissionDenied {
            return Failure::io(name, error);
        }
        let text = format!("{name}: {error}; run this as root, or as the user of the daemon");
        Failure::new(Exit::NoPermission, text)
    };
    let ports =
        port::capture_directories(state_dir).map_err(|error| refused(&state_dir.join(CAPTURES), &error))?;
    let mut found = Vec::new();
    for directory in ports {
        let captures = port::captures_in(&directory).map_err(|error| refused(&directory, &error))?;
        found.extend(captures.into_iter().filter(|path| overlaps(path, since, until)));
    }
    Ok(found)
}

/// Returns whether a capture was begun before the span ends, and written to after it began.
fn overlaps(path: &Path, since: Timestamp, until: Timestamp) -> bool {
    let modified = fs::metadata(path).and_then(|meta| meta.modified()).ok();
    let ended = modified.and_then(|time| Timestamp::try_from(time).ok());
    let began = File::open(path).ok().and_then(|file| {
        let reader = capture::Reader::new("", BufReader::new(file)).ok()?;
        reader.header().get("started")?.parse::<Timestamp>().ok()
    });
    ended.is_none_or(|ended| ended >= since) && began.is_none_or(|began| began <= until)
}

/// Returns the lines of a log in a span, without names; `None` if there is no such log.
fn lines_of(
    file: &Path,
    since: Timestamp,
    until: Timestamp,
    names: &Names,
) -> Result<Option<Vec<u8>>, Failure> {
    let log = match File::open(file) {
        Ok(log) => log,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::io(file.display(), &error)),
    };
    let mut kept = Vec::new();
    for line in BufReader::new(log).lines() {
        let line = line.map_err(|error| Failure::io(file.display(), &error))?;
        let Ok(mut value) = serde_json::from_str::<serde_json::Value>(&line) else { continue };
        let at = value.get("at").and_then(|at| at.as_str()).and_then(|at| at.parse::<Timestamp>().ok());
        if at.is_none_or(|at| at < since || at > until) {
            continue;
        }
        if kept.len() > LONGEST_LOG {
            break;
        }
        names.clean(&mut value);
        writeln!(kept, "{value}").unwrap_or_default();
    }
    Ok(Some(kept))
}

fn readme(since: Timestamp, until: Timestamp) -> String {
    let version = env!("JADOUBE_VERSION");
    format!(
        "A bundle of jadoube {version}: {since} to {until}.\n\n\
         {CONFIG}      the configuration, without names, addresses of other services and secrets\n\
         {CAPTURES}/          what the boards said, and the orders of the arbiters\n\
         {LOGS}/               events, alerts and orders\n\
         {BOARDS_FILE}       the boards when this was packed\n\
         doctor.jsonl      what jadoube doctor found then\n\n\
         'jadoube replay FILE' gives the events of the captures again. Serial numbers of boards are in it; names of people\n\
         are removed or replaced. It is all text: look through it before you send it.\n"
    )
}

/// An archive in the making.
struct Bundle {
    tar: Builder<GzEncoder<File>>,
    name: String,
    now: Timestamp,
}

impl Bundle {
    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<(), Failure> {
        let mut header = Header::new_gnu();
        header.set_size(u64::try_from(bytes.len()).unwrap_or(0));
        header.set_mode(0o644);
        header.set_mtime(u64::try_from(self.now.as_second()).unwrap_or(0));
        let added = self.tar.append_data(&mut header, Path::new("jadoube-bundle").join(name), bytes);
        added.map_err(|error| Failure::io(&self.name, &error))
    }

    fn finish(self) -> Result<(), Failure> {
        let finished = self.tar.into_inner().and_then(GzEncoder::finish).and_then(|file| file.sync_all());
        finished.map_err(|error| Failure::io(&self.name, &error))
    }
}
