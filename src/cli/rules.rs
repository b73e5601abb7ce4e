//! `jadoube rules`: the rule table.

use std::{
    fmt,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{Failure, Output};
use crate::config::own_rules;
use jadoube_core::laws::{Edition, Language, ParseEditionError};

/// Arguments of `jadoube rules`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Edition of the Laws of Chess: 2009, 2014, 2017, 2018, 2023, or a file of rules (TOML)
    #[arg(long, default_value_t, value_parser = Rules::parse)]
    edition: Rules,
    /// Language of the texts: en, de, fr, es, it
    #[arg(long, default_value_t)]
    language: Language,
}

/// Which rules are printed.
#[derive(Clone, Debug)]
enum Rules {
    Edition(Edition),
    File(PathBuf),
}

impl Rules {
    fn parse(text: &str) -> Result<Self, ParseEditionError> {
        let path = Path::new(text);
        if path.extension().is_some_and(|extension| extension == "toml") {
            return Ok(Self::File(path.to_owned()));
        }
        text.parse().map(Self::Edition)
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::Edition(Edition::default())
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Edition(edition) => fmt::Display::fmt(edition, f),
            Self::File(path) => fmt::Display::fmt(&path.display(), f),
        }
    }
}

/// Prints the table; of a file of rules what it changes, and the table as it is then.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let mut output = Output::new();
    let table = match &args.edition {
        Rules::File(path) => {
            let own = Arc::new(own_rules::load(path)?);
            for change in own.changes() {
                output.line(&format!("# {change}"))?;
            }
            jadoube_core::rules::own_table(&own, args.language)
        }
        Rules::Edition(edition) => jadoube_core::rules::table(*edition, args.language),
    };
    output.line(table.trim_end())
}
