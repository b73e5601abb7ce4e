//! Counts how often that happens which the decoder has prices for, and how long it takes; prints the value that follows beside the present
//! one of `Params`.
//!
//! `cargo bench -p jadoube-emulate --bench fit -- [--games N] [DIR...]`
//!
//! Each directory holds captures with their truth (`NAME.dgtcap`, `NAME.truth.json`). What is fitted never judges: emulated games are of
//! seeds from 2,000,000 on, those of tables and tests below 1,000,000; of a directory only files with an even number are counted, those
//! with an odd one are left to judge. What is counted in emulated games comes back as it was put in: it shows that emulator and decoder
//! go by the same numbers, and what boards make of them. A price that the decoder pays for something else as well, or together with
//! another one, is no rate: compare, do not copy.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the figures are printed")]

mod counted;
mod emulated;
mod observed;
mod recorded;
mod report;

use std::{env, process::ExitCode};

/// Games of each kind of emulated play.
const GAMES: u64 = 200;

fn main() -> ExitCode {
    let mut games = GAMES;
    let mut directories = Vec::new();
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--games" {
            let Some(number) = arguments.next().and_then(|number| number.parse().ok()) else {
                eprintln!("fit: --games needs a number");
                return ExitCode::from(64);
            };
            games = number;
        } else if argument != "--bench" {
            directories.push(argument);
        }
    }
    for (name, tally) in emulated::all(games) {
        report::print(name, &tally);
    }
    for directory in directories {
        match recorded::tally(&directory) {
            Ok(tally) => report::print(&directory, &tally),
            Err(error) => {
                eprintln!("fit: {error}");
                return ExitCode::from(65);
            }
        }
    }
    ExitCode::SUCCESS
}
