//! `jadoube check`: what is wrong or probably not meant in the configuration.

use std::{io, path::Path};

use super::{ConfigArgs, Exit, Failure, Output, complain, doctor, output::printable};
use crate::{
    config::{Config, ConfigError, DEFAULT_FILE},
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
}

/// Reads the configuration: every error is a line on standard error, every warning a line of output.
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
    let config = Config::load_all(named.as_deref(), &args.config.settings).map_err(last_of)?;
    let found: Vec<_> =
        config.check().into_iter().chain(config.check_files()).chain(pairings::check(&config)).collect();
    let (errors, warnings): (Vec<_>, Vec<_>) = found.into_iter().partition(|warning| warning.is_error);
    let mut output = Output::new();
    for warning in &warnings {
        output.line(&printable(&format!("{name}: {warning}")))?;
    }
    if let Some((last, others)) = errors.split_last() {
        for error in others {
            complain(&format!("{name}: {error}"));
        }
        return Err(Failure::new(Exit::Config, format_args!("{name}: {last}")));
    }
    if warnings.is_empty() {
        output.line(&format!("{name}: nothing to complain about"))?;
    }
    if args.network { doctor::network(&args.config.load()?, &mut output) } else { Ok(()) }
}

/// Writes all errors but the last one, which is the command's failure.
fn last_of(mut errors: Vec<ConfigError>) -> Failure {
    let last = errors.pop();
    for error in errors {
        complain(&error.to_string());
    }
    last.map_or_else(|| Failure::output(&io::ErrorKind::InvalidData.into()), Failure::from)
}
