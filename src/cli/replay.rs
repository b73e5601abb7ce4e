//! `jadoube replay`.

use super::{Exit, Failure};

/// Arguments of `jadoube replay`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {}

/// Placeholder until its owner writes it.
pub(super) fn run(_args: Args) -> Result<(), Failure> {
    Err(Failure::new(Exit::Unavailable, "replay: not in this build"))
}
