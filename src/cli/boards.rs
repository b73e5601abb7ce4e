//! `jadoube boards`: a table of the boards, from the states that the daemon leaves on disk.

use std::{fmt::Write as _, io};

use super::{ConfigArgs, Failure, Output};
use crate::{
    daemon,
    sinks::{Snapshot, read_boards},
};

/// Arguments of `jadoube boards`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let config = args.config.load()?;
    let directory = config.state_dir.join("boards");
    let boards = match read_boards(&directory) {
        Ok(boards) => boards,
        // A daemon that has seen no board has nothing to tell, one that never ran here has no state.
        Err(error) if error.kind() == io::ErrorKind::NotFound && config.state_dir.is_dir() => Vec::new(),
        Err(error) => return Err(Failure::io(directory.display(), &error)),
    };
    let running = daemon::is_running(&config.state_dir);
    let mut boards: Vec<Snapshot> = boards.into_iter().map(|(_, board)| board).collect();
    for board in &mut boards {
        // What a daemon that was killed left behind is no news.
        board.up &= running;
    }
    let mut output = Output::new();
    if args.json {
        for board in &boards {
            let json = serde_json::to_string(board).map_err(|error| Failure::output(&error.into()))?;
            output.line(&json)?;
        }
        return Ok(());
    }
    output.text(&table(&boards))?;
    if !running {
        output.line("(no daemon is running)")?;
    }
    Ok(())
}

fn table(boards: &[Snapshot]) -> String {
    const HEAD: [&str; 7] = ["SERIAL", "PORT", "LINK", "CLOCK", "GAME", "PLY", "ALERTS"];
    let rows: Vec<[String; 7]> =
        std::iter::once(HEAD.map(str::to_owned)).chain(boards.iter().map(row)).collect();
    let mut widths = [0; 7];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut table = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            write!(line, "{cell:width$}  ").unwrap_or_default();
        }
        table.push_str(line.trim_end());
        table.push('\n');
    }
    table
}

fn row(board: &Snapshot) -> [String; 7] {
    let dash = || "-".to_owned();
    let clock = board.clock.map(|(white, black)| {
        let mark = |side: &str| if board.running.as_deref() == Some(side) { "*" } else { "" };
        format!("{}{} {}{}", time(white), mark("white"), time(black), mark("black"))
    });
    [
        board.serial.clone().unwrap_or_else(dash),
        board.port.clone(),
        if board.up { "up" } else { "down" }.to_owned(),
        clock.unwrap_or_else(dash),
        if board.game == 0 { dash() } else { board.game.to_string() },
        if board.game == 0 { dash() } else { board.ply.to_string() },
        if board.alerts.is_empty() { dash() } else { board.alerts.len().to_string() },
    ]
}

fn time(seconds: u32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let playing = Snapshot {
            serial: Some("23946".to_owned()),
            port: "/dev/ttyACM0".to_owned(),
            up: true,
            clock: Some((3605, 59)),
            running: Some("black".to_owned()),
            game: 2,
            ply: 41,
            alerts: ["23946-2-1".to_owned()].into(),
            updated: None,
        };
        let silent = Snapshot { port: "/dev/ttyUSB12".to_owned(), ..Snapshot::default() };
        assert_eq!(
            table(&[playing, silent]),
            "SERIAL  PORT           LINK  CLOCK             GAME  PLY  ALERTS\n\
             23946   /dev/ttyACM0   up    1:00:05 0:00:59*  2     41   1\n\
             -       /dev/ttyUSB12  down  -                 -     -    -\n"
        );
    }
}
