//! `jadoube check`: what is wrong or silly in the configuration.

use super::{ConfigArgs, Failure, Output};
use crate::{config::DEFAULT_FILE, pairings};

/// Arguments of `jadoube check`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Reads the configuration; what is wrong is an error, what is silly a line of output.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config.load()?;
    let file = args.config.config.as_ref().map_or(DEFAULT_FILE.to_owned(), |file| file.display().to_string());
    let warnings: Vec<_> =
        config.check().into_iter().chain(config.check_files()).chain(pairings::check(&config)).collect();
    let mut output = Output::new();
    for warning in &warnings {
        output.line(&format!("{file}: {warning}"))?;
    }
    if warnings.is_empty() {
        output.line(&format!("{file}: nothing to complain about"))?;
    }
    Ok(())
}
