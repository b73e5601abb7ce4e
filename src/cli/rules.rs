//! `jadoube rules`: the rule table.

use super::{Failure, Output};
use jadoube_core::laws::{Edition, Language};

/// Arguments of `jadoube rules`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Edition of the Laws of Chess: 2009, 2014, 2017, 2018, 2023
    #[arg(long, default_value_t)]
    edition: Edition,
    /// Language of the texts: en, de
    #[arg(long, default_value_t)]
    language: Language,
}

/// Prints the table.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let table = jadoube_core::rules::table(args.edition, args.language);
    Output::new().line(table.trim_end())
}
