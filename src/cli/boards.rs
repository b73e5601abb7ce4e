//! `jadoube boards`: a table of the boards, from the daemon or from the states that it leaves on disk.

use std::{collections::BTreeMap, fmt::Write as _, io};

use serde_json::Value;

use super::{ConfigArgs, Failure, Output, watch};
use crate::{
    daemon,
    sinks::{BOARDS_FILE, Snapshot, read_boards},
};

/// Arguments of `jadoube boards`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    /// Ask the daemon there, such as 127.0.0.1:8080
    #[arg(long)]
    url: Option<String>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// Prints the table.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(url) = &args.url {
        let hall = watch::hall(url)?;
        let boards = hall.get("boards").and_then(Value::as_array);
        let boards: Vec<Snapshot> = boards.into_iter().flatten().map(snapshot).collect();
        return print(&boards, args.json, true);
    }
    let config = args.config.load()?;
    let file = config.state_dir.join(BOARDS_FILE);
    let boards = match read_boards(&file) {
        Ok(boards) => boards,
        // A daemon that has seen no board has nothing to tell, one that never ran here has no state.
        Err(error) if error.kind() == io::ErrorKind::NotFound && config.state_dir.is_dir() => BTreeMap::new(),
        Err(error) => return Err(Failure::io(file.display(), &error)),
    };
    let running = daemon::is_running(&config.state_dir);
    let mut boards: Vec<Snapshot> = boards.into_values().collect();
    for board in &mut boards {
        // What a daemon that was killed left behind is no news.
        board.up &= running;
    }
    print(&boards, args.json, running)
}

fn print(boards: &[Snapshot], as_json: bool, running: bool) -> Result<(), Failure> {
    let mut output = Output::new();
    if as_json {
        for board in boards {
            let json = serde_json::to_string(board).map_err(|error| Failure::output(&error.into()))?;
            output.line(&json)?;
        }
        return Ok(());
    }
    output.text(&table(boards))?;
    if !running {
        output.line("(no daemon is running)")?;
    }
    Ok(())
}

/// Reads what a daemon tells of a board in short.
fn snapshot(board: &Value) -> Snapshot {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    };
    let part = |key: &str| board.get(key).filter(|part| !part.is_null());
    let alerts = part("alerts").and_then(Value::as_array).into_iter().flatten();
    Snapshot {
        serial: text(board, "serial"),
        port: text(board, "port").unwrap_or_default(),
        up: part("up").and_then(Value::as_bool).unwrap_or_default(),
        clock: part("clock").and_then(|clock| Some((number(clock, "white")?, number(clock, "black")?))),
        running: part("clock").and_then(|clock| text(clock, "running")),
        game: part("game").and_then(|game| number(game, "number")).unwrap_or(0),
        ply: part("game").and_then(|game| number(game, "ply")).unwrap_or(0),
        alerts: alerts.filter_map(|alert| text(alert, "id")).collect(),
        updated: None,
    }
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
