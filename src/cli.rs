//! Owns the command line: what can be asked for, where answers go, which exit status says what.
//!
//! One file per command. A command returns a [`Failure`] and never prints an error itself.

#[cfg(feature = "http")]
mod arbiter;
#[cfg(any(feature = "http", feature = "mqtt"))]
mod audit;
mod boards;
mod bundle;
#[cfg(feature = "tls")]
mod certificate;
mod check;
#[cfg(feature = "http")]
mod demo;
mod doctor;
mod emulate;
pub mod exit;
mod groups;
mod home;
#[cfg(feature = "hub")]
mod hub;
mod import;
#[cfg(feature = "notify")]
mod notify;
#[cfg(feature = "http")]
mod open;
mod output;
#[cfg(feature = "http")]
mod page;
mod record;
mod reload;
mod replay;
mod rules;
mod run;
mod tables;
mod watch;

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand, error::ErrorKind};

pub use self::exit::{Exit, Failure};
use self::home::Home;
pub(crate) use self::output::Output;
use crate::config::{Config, ConfigError, Sources};

/// What to do when no daemon answers.
const NO_DAEMON: &str =
    "no daemon answers: 'systemctl start jadoube' starts one, --url ADDRESS asks another one";

/// Watches electronic chessboards and informs the arbiter when a rule event happened.
#[derive(Debug, Parser)]
#[command(name = "jadoube", version, long_version = env!("JADOUBE_VERSION"), arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The daemon: every board, live
    Run(run::Args),
    /// Process recorded captures as the daemon would
    Replay(replay::Args),
    /// Record one port to a capture, without tracking and rules
    Record(record::Args),
    /// Turn a dump of 'socat -x -v' into a capture
    Import(import::Args),
    /// Virtual boards on pseudo terminals, played by simulated people
    Emulate(emulate::Args),
    /// An emulated hall and the daemon in one process; nothing to install or plug in
    #[cfg(feature = "http")]
    Demo(demo::Args),
    /// One desk for many halls, over the topics of a broker
    #[cfg(feature = "hub")]
    Hub(hub::Args),
    /// The alert log in a terminal
    Watch(watch::Args),
    /// Which board is which table: the list, a walk through the hall, labels
    Tables(tables::Args),
    /// Table of boards: serial, port, link, clock, game, ply, open alerts
    Boards(boards::Args),
    /// The rule table: code, article, what it needs, what it proposes
    Rules(rules::Args),
    /// Make, list and revoke the tokens with which arbiters sign in at the desk
    #[cfg(feature = "http")]
    #[command(subcommand)]
    Arbiter(arbiter::Command),
    /// Make a certificate with which the desk speaks HTTPS, of a local authority
    #[cfg(feature = "tls")]
    Certificate(certificate::Args),
    /// Whether the list of orders is as it was written
    #[cfg(any(feature = "http", feature = "mqtt"))]
    Audit(audit::Args),
    /// Open the desk to the phones in the hall, and say where they find it
    #[cfg(feature = "http")]
    Open(open::Args),
    /// Look for what keeps boards, clocks and phones from working, and say what to do
    Doctor(doctor::Args),
    /// Pack captures, logs, configuration and findings into one file to send, without names
    Bundle(bundle::Args),
    /// Whether notifications arrive
    #[cfg(feature = "notify")]
    #[command(subcommand)]
    Notify(notify::Command),
    /// Check the configuration: errors, and settings that are unlikely
    Check(check::Args),
}

/// Where the configuration comes from.
#[derive(Args, Clone, Debug)]
pub(crate) struct ConfigArgs {
    /// Configuration file, - for standard input [default: jadoube/jadoube.toml in the user's directory of configurations, or
    /// else /etc/jadoube/jadoube.toml, if there is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Any configuration key, e.g. `board.scan_ms=100`; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

impl ConfigArgs {
    /// Reads the configuration.
    ///
    /// # Errors
    ///
    /// Returns an error with file, key and remedy.
    pub(crate) fn load(&self) -> Result<Config, ConfigError> {
        self.load_for(false)
    }

    /// Does the same; `starts` says whether a daemon is to run with it, which may then have to live in the user's home.
    fn load_for(&self, starts: bool) -> Result<Config, ConfigError> {
        let mut config = Config::load(self.file().as_deref(), &self.settings)?;
        self.settle(&mut config, starts);
        Ok(config)
    }

    /// Reads the configuration with which `jadoube run` would start here, where no service has been installed in the user's home, with
    /// where its values are from, and names everything that is wrong.
    ///
    /// # Errors
    ///
    /// Returns all errors, at least one, each with source, key and remedy.
    fn load_all(&self) -> Result<(Config, Sources), Vec<ConfigError>> {
        let (mut config, sources) = Config::load_all(self.file().as_deref(), &self.settings)?;
        self.settle(&mut config, !Config::default().state_dir.exists());
        Ok((config, sources))
    }

    /// Gives a configuration that is not named what it needs to run where it is: a place for its files, and the desk on loopback.
    fn settle(&self, config: &mut Config, starts: bool) {
        if let Some(home) = self.home() {
            home.settle(config, starts);
        }
        if cfg!(feature = "http") && self.config.is_none() && !config.has_no_desk {
            config.http.get_or_insert_default();
        }
    }

    /// Returns the home whose configuration counts, if no file is named.
    fn home(&self) -> Option<Home> {
        if self.config.is_some() { None } else { Home::of_user() }
    }

    /// Returns the file that is named, or that of the user's home; without either the default file counts.
    pub(crate) fn file(&self) -> Option<PathBuf> {
        self.config.clone().or_else(|| self.home()?.file().map(Path::to_owned))
    }
}

/// Returns all commands and options, as `--help`, the man pages and the completions of shells report them.
#[must_use]
pub fn command() -> clap::Command {
    groups::grouped(Cli::command())
}

/// Runs the program with the process's arguments.
#[must_use]
pub fn main() -> ExitCode {
    let parsed = command().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) => return report_usage(&error),
    };
    let outcome = match cli.command {
        Command::Run(args) => run::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Record(args) => record::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Emulate(args) => emulate::run(args),
        #[cfg(feature = "http")]
        Command::Demo(args) => demo::run(args),
        #[cfg(feature = "hub")]
        Command::Hub(args) => hub::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Tables(args) => tables::run(&args),
        Command::Boards(args) => boards::run(&args),
        Command::Rules(args) => rules::run(&args),
        #[cfg(feature = "http")]
        Command::Arbiter(command) => arbiter::run(command),
        #[cfg(feature = "tls")]
        Command::Certificate(args) => certificate::run(&args),
        #[cfg(any(feature = "http", feature = "mqtt"))]
        Command::Audit(args) => audit::run(&args),
        #[cfg(feature = "http")]
        Command::Open(args) => open::run(&args),
        Command::Doctor(args) => doctor::run(&args),
        Command::Bundle(args) => bundle::run(&args),
        #[cfg(feature = "notify")]
        Command::Notify(command) => notify::run(&command),
        Command::Check(args) => check::run(&args),
    };
    match outcome {
        Ok(()) => Exit::Done.into(),
        // Whoever read the output has seen enough.
        Err(failure) if failure.is_broken_pipe() => Exit::Done.into(),
        Err(failure) => {
            complain(&failure.to_string());
            failure.exit.into()
        }
    }
}

/// Says what is wrong with the arguments, in one line; help that was asked for is no error.
fn report_usage(error: &clap::Error) -> ExitCode {
    let kind = error.kind();
    if matches!(kind, ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        // Nobody misses help that could not be shown.
        error.print().unwrap_or_default();
        return Exit::Done.into();
    }
    if kind == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        error.print().unwrap_or_default();
    } else {
        complain(&usage_line(&error.to_string()));
    }
    Exit::Usage.into()
}

/// Folds what clap says into one line, without the summary of all options.
fn usage_line(text: &str) -> String {
    let said =
        text.split("\nUsage:").next().unwrap_or(text).split("\nFor more information").next().unwrap_or("");
    let lines =
        said.lines().map(|line| line.trim().trim_start_matches("error: ")).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("; ").replace(":;", ":")
}

/// Writes one line to standard error; if that is closed nobody can read it.
///
/// What files hold and are named moves no cursor.
fn complain(line: &str) {
    writeln!(io::stderr().lock(), "jadoube: {}", output::printable(line)).unwrap_or_default();
}

#[cfg(test)]
mod tests;
