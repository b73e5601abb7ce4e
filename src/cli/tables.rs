//! `jadoube tables`: which board is which table, found in one walk through the hall.

mod labels;
mod walk;

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use super::{ConfigArgs, Exit, Failure, Output};
use crate::{
    config::Config,
    pairings,
    sinks::{BOARDS_FILE, BoardSnapshot, read_boards},
};
use jadoube_core::settings::same_serial;

/// What to do with the tables.
#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    config: ConfigArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Walk through the hall: lift a king on each table, and its board is known; the daemon has to run
    Walk(walk::Args),
    /// Labels to print for the boards: number, serial number, and a QR code that opens the table in the desk
    Labels(LabelArgs),
}

/// Arguments of `jadoube tables labels`.
#[derive(clap::Args, Debug)]
struct LabelArgs {
    #[command(flatten)]
    config: ConfigArgs,
    /// Page to write, to be printed by any browser, - for standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Where phones find the desk [default: http.url]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// Lists the tables, or does what else was asked for.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    match &args.command {
        None => {
            let config = pairings::seated(args.config.load()?);
            let boards = read_boards(&config.state_dir.join(BOARDS_FILE)).unwrap_or_default();
            Output::new().text(&list(&config, &boards))
        }
        Some(Command::Walk(args)) => walk::run(args),
        Some(Command::Labels(args)) => {
            let config = pairings::seated(args.config.load()?);
            let desk = args.url.clone().or_else(|| config.http.as_ref().and_then(|http| http.url.clone()));
            let page = labels::page(&config, desk.as_deref())
                .map_err(|reason| Failure::new(Exit::Unavailable, reason))?;
            if args.output.as_os_str() == "-" {
                return Output::new().text(&page);
            }
            std::fs::write(&args.output, page).map_err(|error| Failure::io(args.output.display(), &error))
        }
    }
}

/// Returns the tables with their boards, and what is not as it should be.
fn list(config: &Config, boards: &BTreeMap<String, BoardSnapshot>) -> String {
    let mut tables: Vec<(u32, &str)> =
        config.tables.iter().filter_map(|table| Some((table.number?, table.serial.as_str()))).collect();
    tables.sort_unstable();
    let mut text = String::new();
    for (number, serial) in &tables {
        let board =
            boards.values().find(|board| board.serial.as_deref().is_some_and(|own| same_serial(own, serial)));
        let port = board.map_or("not found yet", |board| board.port.as_str());
        writeln!(text, "table {number:<4} board {serial:<10} {port}").unwrap_or_default();
    }
    for problem in problems(&tables, boards) {
        writeln!(text, "{problem}").unwrap_or_default();
    }
    if text.is_empty() { "no table has a board: 'jadoube tables walk' finds them\n".to_owned() } else { text }
}

/// Returns tables and boards that occur twice or are missing.
fn problems(tables: &[(u32, &str)], boards: &BTreeMap<String, BoardSnapshot>) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, (number, serial)) in tables.iter().enumerate() {
        for (other, other_serial) in tables.iter().skip(index + 1) {
            if same_serial(serial, other_serial) {
                problems.push(format!("duplicate: board {serial} is on table {number} and on table {other}"));
            } else if number == other {
                problems
                    .push(format!("duplicate: table {number} has the boards {serial} and {other_serial}"));
            }
        }
    }
    let last = tables.last().map_or(0, |(number, _)| *number);
    let gaps: Vec<String> = (1..=last)
        .filter(|number| !tables.iter().any(|(table, _)| table == number))
        .map(|number| number.to_string())
        .collect();
    if !gaps.is_empty() {
        problems.push(format!("gap: no board on table {}", gaps.join(", ")));
    }
    for serial in boards.values().filter_map(|board| board.serial.as_deref()) {
        if !tables.iter().any(|(_, other)| same_serial(other, serial)) {
            problems.push(format!("left over: board {serial} is on no table"));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicates_and_gaps_are_named() {
        let board = |serial: &str| {
            let snapshot = BoardSnapshot {
                serial: Some(serial.to_owned()),
                port: "/dev/x".to_owned(),
                ..BoardSnapshot::default()
            };
            (serial.to_owned(), snapshot)
        };
        let boards = BTreeMap::from([board("00007"), board("00008")]);
        assert_eq!(
            problems(&[(1, "7"), (3, "007"), (3, "9")], &boards),
            [
                "duplicate: board 7 is on table 1 and on table 3",
                "duplicate: table 3 has the boards 007 and 9",
                "gap: no board on table 2",
                "left over: board 00008 is on no table",
            ]
        );
    }
}
