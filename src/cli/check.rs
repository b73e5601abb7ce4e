//! `jadoube check`: what is wrong or probably not meant in the configuration.

use std::{io, path::Path};

use super::{ConfigArgs, Exit, Failure, Output, complain, doctor, output::printable};
use crate::{
    config::{Config, ConfigError, DEFAULT_FILE, Warning},
    pairings,
};

/// Arguments of `jadoube check`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// Try the desk as a phone would, too, and the broker
    #[arg(long)]
    network: bool,
    /// Show every key with its value, not only those that are not defaults
    #[arg(long)]
    all: bool,
}

/// Reads the configuration: every error is a line on standard error, every warning a line of output; then the values that are not
/// defaults, each with its source.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let named = args.config.file();
    let file = named.as_deref().unwrap_or(Path::new(DEFAULT_FILE));
    let name = file.display();
    // Other commands run without the default file; for `check` a missing file is an error.
    if named.is_none() && args.config.settings.is_empty() {
        std::fs::metadata(file).map_err(|error| {
            let hint = "without a file every key has its default; --config FILE names another one";
            Failure::new(Exit::of(error.kind()), format_args!("{name}: {error}; {hint}"))
        })?;
    }
    let (config, sources) = args.config.load_all().map_err(last_of)?;
    let found: Vec<_> =
        config.check().into_iter().chain(config.check_files()).chain(pairings::check(&config)).collect();
    let (errors, warnings): (Vec<_>, Vec<_>) = found.into_iter().partition(|warning| warning.is_error);
    let source = |warning: &Warning| sources.of(&warning.key).map_or_else(|| name.to_string(), str::to_owned);
    let mut output = Output::new();
    for warning in &warnings {
        // A variable is its own source.
        let is_variable = config.ignored.contains(warning);
        let line = if is_variable { warning.to_string() } else { format!("{}: {warning}", source(warning)) };
        output.line(&printable(&line))?;
    }
    if let Some((last, others)) = errors.split_last() {
        for error in others {
            complain(&format!("{}: {error}", source(error)));
        }
        return Err(Failure::new(Exit::Config, format_args!("{}: {last}", source(last))));
    }
    if warnings.is_empty() {
        output.line(&format!("{name}: nothing to complain about"))?;
    }
    output.line(&format!("the desk: {}", desk(&config)))?;
    if let Some(read) = pairings::summary(&config) {
        output.line(&printable(&read))?;
    }
    for line in sources.lines(args.all) {
        output.line(&printable(&line))?;
    }
    if args.network { doctor::network(&config, &mut output) } else { Ok(()) }
}

/// Says where the desk is, for people.
pub(super) fn desk(config: &Config) -> String {
    let Some(http) = &config.http else { return "none; [http] opens one".to_owned() };
    let scheme = if http.certificate.is_some() { "https" } else { "http" };
    let reach = if http.listen.ip().to_canonical().is_loopback() {
        ", for this machine; 'jadoube open' opens it to the hall"
    } else {
        ""
    };
    format!("{scheme}://{}/{reach}", http.listen)
}

/// Writes all errors but the last one, which is the command's failure.
fn last_of(mut errors: Vec<ConfigError>) -> Failure {
    let last = errors.pop();
    for error in errors {
        complain(&error.to_string());
    }
    last.map_or_else(|| Failure::output(&io::ErrorKind::InvalidData.into()), Failure::from)
}
