//! `jadoube tables`: which board is which table, found in one walk through the hall.

mod labels;
mod walk;

use std::{collections::BTreeMap, fmt::Write as _, path::PathBuf};

use super::{ConfigArgs, Exit, Failure, Output, output::printable};
use crate::{
    config::Config,
    pairings,
    sinks::{BOARDS_FILE, BoardSnapshot, read_boards},
};
use jadoube_core::settings::{TableSettings, same_serial};

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
            let desk = args
                .url
                .clone()
                .or_else(|| config.http.as_ref()?.url.as_ref().map(|url| url.secret().to_owned()));
            let page = labels::page(&config, desk.as_deref())
                .map_err(|reason| Failure::new(Exit::Unavailable, reason))?;
            if args.output.as_os_str() == "-" {
                return Output::new().text(&page);
            }
            std::fs::write(&args.output, page).map_err(|error| Failure::io(args.output.display(), &error))
        }
    }
}

/// Returns who plays at a table, as far as the configuration and the pairings say it.
fn players(table: &TableSettings) -> String {
    if table.white.is_empty() && table.black.is_empty() {
        return String::new();
    }
    format!("{} – {}", table.white, table.black)
}

/// Returns the tables with their boards and players, and what is not as it should be.
fn list(config: &Config, boards: &BTreeMap<String, BoardSnapshot>) -> String {
    let tables = pairings::numbered(config);
    let mut text = String::new();
    for (number, serial) in &tables {
        let board =
            boards.values().find(|board| board.serial.as_deref().is_some_and(|own| same_serial(own, serial)));
        let port = board.map_or("not found yet", |board| board.port.as_str());
        let names = config.tables.iter().find(|table| same_serial(&table.serial, serial)).map(players);
        let line = format!("table {number:<4} board {:<10} {port:<14} {}", serial, names.unwrap_or_default());
        writeln!(text, "{}", printable(line.trim_end())).unwrap_or_default();
    }
    for table in config.boardless.iter() {
        let number = table.number.map_or_else(|| "?".to_owned(), |number| number.to_string());
        let line = format!("table {number:<4} no board {:<22} {}", "", players(table));
        writeln!(text, "{}", printable(line.trim_end())).unwrap_or_default();
    }
    let known = boards.values().filter_map(|board| board.serial.as_deref());
    for problem in pairings::problems(&tables, known) {
        writeln!(text, "{}", printable(&problem.to_string())).unwrap_or_default();
    }
    if text.is_empty() { "no table has a board: 'jadoube tables walk' finds them\n".to_owned() } else { text }
}
