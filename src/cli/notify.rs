//! `jadoube notify`: whether notifications arrive.

use super::{ConfigArgs, Exit, Failure, Output, output::printable};
use crate::notify;

/// What to do with notifications.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    /// Send a test message every way that is configured, and say what came of it
    Test(Test),
}

/// Arguments of `jadoube notify test`.
#[derive(clap::Args, Debug)]
pub(super) struct Test {
    #[command(flatten)]
    config: ConfigArgs,
}

/// Does it.
pub(super) fn run(command: &Command) -> Result<(), Failure> {
    let Command::Test(args) = command;
    let config = args.config.load()?;
    let tried = notify::test(&config);
    if tried.is_empty() {
        let reason = "there is no [[notify]] in the configuration, and no phone is switched on";
        return Err(Failure::new(Exit::Config, reason));
    }
    let mut output = Output::new();
    let (mut failed, all) = (0, tried.len());
    for (way, outcome) in tried {
        match outcome {
            Ok(()) => output.line(&printable(&format!("{way}: sent")))?,
            Err(reason) => {
                failed += 1;
                output.line(&printable(&format!("{way}: {reason}")))?;
            }
        }
    }
    if failed > 0 {
        return Err(Failure::new(Exit::Unavailable, format_args!("{failed} of {all} did not work")));
    }
    Ok(())
}
