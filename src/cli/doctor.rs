//! `jadoube doctor`: what keeps boards, clocks and people from being served here, and what to do about it.
//!
//! A running daemon is not disturbed: its ports stay closed to this command, and it is asked what it knows.

mod boards;
#[cfg(feature = "tls")]
mod certificate;
mod machine;
#[cfg(feature = "mdns")]
mod name;
mod network;
mod ports;

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use serde::Serialize;

use super::{ConfigArgs, Exit, Failure, Output, output::printable};
use crate::{config::Config, daemon, pairings};

/// Arguments of `jadoube doctor`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// One JSON object a line for each finding: check, level, subject, text, remedy
    #[arg(long)]
    json: bool,
    /// How long each line is listened to while no daemon runs
    #[arg(long, value_name = "S", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
    /// Look at the system files below this directory, for tests
    #[arg(long, value_name = "DIR", hide = true, default_value = "/")]
    root: PathBuf,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Level {
    /// All is well.
    Ok,
    /// Something to know.
    Note,
    /// It may go wrong.
    Warning,
    /// It does not work.
    Fault,
}

/// Something that was looked at.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub(super) struct Finding {
    /// What was checked: `config`, `daemon`, `port`, `board`, `clock`, `line`, `driver`, `udev`, `brltty`,
    /// `modemmanager`, `bluetooth`, `disk`, `time`, `broker`, `certificate`, `desk` or `phone`.
    pub(super) check: &'static str,
    pub(super) level: Level,
    /// The key, port, board, directory or address that it is about; empty for the machine.
    pub(super) subject: String,
    pub(super) text: String,
    /// What to do; empty if there is nothing to do.
    pub(super) remedy: String,
}

impl Finding {
    fn new(check: &'static str, level: Level, subject: impl Into<String>, text: impl Into<String>) -> Self {
        Self { check, level, subject: subject.into(), text: text.into(), remedy: String::new() }
    }

    fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }
}

/// Looks at everything; faults are the command's failure.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let examined = examine(&args.config, &args.root, Duration::from_secs(args.seconds))?;
    let mut output = Output::new();
    for finding in &examined {
        if args.json {
            let json = serde_json::to_string(finding).map_err(|error| Failure::output(&error.into()))?;
            output.line(&json)?;
        } else {
            output.text(&lines(finding))?;
        }
    }
    failure(&examined)?;
    if args.json { Ok(()) } else { output.line("No faults.") }
}

/// Reports what a phone meets, and how the broker is.
pub(super) fn network(config: &Config, output: &mut Output) -> Result<(), Failure> {
    let examined = network::examine(config, daemon::is_running(&config.state_dir));
    for finding in &examined {
        output.text(&lines(finding))?;
    }
    failure(&examined)
}

/// Makes faults the command's failure.
fn failure(examined: &[Finding]) -> Result<(), Failure> {
    let faults: Vec<&Finding> = examined.iter().filter(|finding| finding.level == Level::Fault).collect();
    let Some(first) = faults.first() else { return Ok(()) };
    let exit =
        if faults.iter().all(|fault| fault.check == "config") { Exit::Config } else { Exit::Unavailable };
    let subject = if first.subject.is_empty() { String::new() } else { format!("{}: ", first.subject) };
    let more = if faults.len() == 1 { String::new() } else { format!(" (1 of {} faults)", faults.len()) };
    Err(Failure::new(exit, format_args!("{}: {subject}{}{more}", first.check, first.text)))
}

/// Looks at everything, in the order in which it is to be mended.
pub(super) fn examine(source: &ConfigArgs, root: &Path, listen: Duration) -> Result<Vec<Finding>, Failure> {
    let (config, mut findings) = configuration(source);
    findings.extend(machine::examine(root, &config));
    let is_running = daemon::is_running(&config.state_dir);
    findings.push(if is_running {
        Finding::new("daemon", Level::Ok, "", "is running")
    } else {
        Finding::new("daemon", Level::Note, "", "is not running")
            .remedy("systemctl enable --now jadoube, or jadoube run")
    });
    let found = ports::examine(root, &config, is_running, &mut findings);
    if is_running {
        findings.extend(boards::known(&config));
    } else if !listen.is_zero() {
        findings.extend(boards::listened(&config, &found, listen)?);
    }
    findings.extend(network::examine(&config, is_running));
    Ok(findings)
}

/// Reads the configuration; with one that cannot be read the defaults are looked at.
fn configuration(source: &ConfigArgs) -> (Config, Vec<Finding>) {
    let config = match source.load_all() {
        Ok((config, _)) => config,
        Err(errors) => {
            let fault = |error: &dyn std::fmt::Display| {
                Finding::new("config", Level::Fault, "", error.to_string())
                    .remedy("mend the file; jadoube check reads it again")
            };
            let findings = errors.iter().map(|error| fault(error)).collect();
            return (Config::default(), findings);
        }
    };
    let mut findings: Vec<Finding> = config
        .check()
        .into_iter()
        .chain(config.check_files())
        .chain(pairings::check(&config))
        .map(|warning| {
            let level = if warning.is_error { Level::Fault } else { Level::Warning };
            Finding::new("config", level, warning.key, warning.text)
        })
        .collect();
    if findings.is_empty() {
        findings.push(Finding::new("config", Level::Ok, "", "nothing to complain about"));
    }
    if config.http.is_none() && cfg!(feature = "http") {
        findings.push(
            Finding::new("desk", Level::Note, "", "there is none")
                .remedy("[http] in the configuration opens it"),
        );
    }
    (config, findings)
}

/// Returns a finding as people read it.
fn lines(finding: &Finding) -> String {
    let Finding { check, level, subject, text, remedy } = finding;
    let level = match level {
        Level::Ok => "ok",
        Level::Note => "note",
        Level::Warning => "WARNING",
        Level::Fault => "FAULT",
    };
    let subject = if subject.is_empty() { String::new() } else { format!(" {subject}") };
    let mut lines = format!("{level:<8}{check}{subject}: {text}\n");
    if !remedy.is_empty() {
        writeln!(lines, "        -> {remedy}").unwrap_or_default();
    }
    // Texts of devices may hold anything.
    lines.split_inclusive('\n').map(|line| printable(line.trim_end_matches('\n')) + "\n").collect()
}

#[cfg(test)]
mod tests;
