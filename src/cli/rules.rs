//! `jadoube rules`: the rule table.

use std::path::Path;

use super::{Failure, Output};
use crate::config::own_rules;
use jadoube_core::laws::{Edition, Language, OwnRules, ParseEditionError};

/// Arguments of `jadoube rules`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Edition of the Laws of Chess: 2009, 2014, 2017, 2018, 2023, or a file of rules (TOML)
    #[arg(long, default_value_t = Edition::default().to_string())]
    edition: String,
    /// Language of the texts: en, de
    #[arg(long, default_value_t)]
    language: Language,
}

/// Prints the table; of a file of rules what it changes, and the table as it is then.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut output = Output::new();
    let path = Path::new(&args.edition);
    let table = if path.extension().is_some_and(|extension| extension == "toml") {
        let own: &OwnRules = own_rules::load(path)?.keep();
        for change in own.changes() {
            output.line(&format!("# {change}"))?;
        }
        jadoube_core::rules::own_table(own, args.language)
    } else {
        let edition: Edition = args
            .edition
            .parse()
            .map_err(|error: ParseEditionError| Failure::new(super::exit::Exit::Usage, error))?;
        jadoube_core::rules::table(edition, args.language)
    };
    output.line(table.trim_end())
}
