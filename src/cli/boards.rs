//! `jadoube boards`: a table of the boards, from the daemon or from the states that it leaves on disk.

use std::{collections::BTreeMap, fmt::Write as _, io};

use serde_json::Value;

use super::{ConfigArgs, Exit, Failure, NO_DAEMON, Output, output::printable, watch};
use crate::{
    config::TableSettings,
    daemon, pairings,
    sinks::{BOARDS_FILE, BoardSnapshot, read_boards},
};

/// Assumed width of a terminal, columns.
const WIDTH: usize = 80;

/// Indentation of the second line of a board.
const INDENT: &str = "        ";

/// Arguments of `jadoube boards`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(flatten)]
    config: ConfigArgs,
    #[command(flatten)]
    remote: watch::RemoteArgs,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
}

/// A board, and where it stands.
struct BoardRow {
    board: BoardSnapshot,
    table: Option<u32>,
    white: String,
    black: String,
}

/// Prints the table.
pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if let Some(url) = &args.remote.url {
        let hall = watch::hall(url, args.remote.token_file.as_deref())?;
        let boards = hall.get("boards").and_then(Value::as_array);
        let rows: Vec<BoardRow> = boards.into_iter().flatten().map(row_of_daemon).collect();
        return print(&rows, args.json, true);
    }
    let config = pairings::seated(args.config.load()?);
    let file = config.state_dir.join(BOARDS_FILE);
    let boards = match read_boards(&file) {
        Ok(boards) => boards,
        // A daemon that has seen no board has written no file; one that has never run has no directory either.
        Err(error) if error.kind() == io::ErrorKind::NotFound && config.state_dir.is_dir() => BTreeMap::new(),
        Err(error) => {
            let (exit, file) = (Exit::of(error.kind()), file.display());
            return Err(Failure::new(exit, format_args!("{file}: {error}; {NO_DAEMON}")));
        }
    };
    let running = daemon::is_running(&config.state_dir);
    let rows = boards.into_values().map(|mut board| {
        // States that a killed daemon has left behind are out of date.
        board.up &= running;
        let table = board.serial.as_deref().and_then(|serial| config.table(serial));
        let name = |name: fn(&TableSettings) -> &String| table.map(name).cloned().unwrap_or_default();
        let (white, black) = (name(|table| &table.white), name(|table| &table.black));
        BoardRow { table: table.and_then(|table| table.number), white, black, board }
    });
    print(&rows.collect::<Vec<_>>(), args.json, running)
}

fn print(rows: &[BoardRow], as_json: bool, running: bool) -> Result<(), Failure> {
    let mut output = Output::new();
    if as_json {
        for row in rows {
            let json = serde_json::to_string(&row.board).map_err(|error| Failure::output(&error.into()))?;
            output.line(&json)?;
        }
        return Ok(());
    }
    output.text(&table(rows))?;
    if !running {
        output.line("(no daemon is running)")?;
        output.line("('systemctl start jadoube' starts one, --url ADDRESS asks another one)")?;
    }
    Ok(())
}

fn row_of_daemon(board: &Value) -> BoardRow {
    let text = |key: &str| board.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let table = board.get("table").and_then(Value::as_u64);
    BoardRow {
        board: snapshot(board),
        table: table.and_then(|number| u32::try_from(number).ok()),
        white: text("white"),
        black: text("black"),
    }
}

/// Reads what a daemon reports of a board in short.
fn snapshot(board: &Value) -> BoardSnapshot {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
    let number = |value: &Value, key: &str| {
        value.get(key).and_then(Value::as_u64).and_then(|number| u32::try_from(number).ok())
    };
    let part = |key: &str| board.get(key).filter(|part| !part.is_null());
    let alerts = part("alerts").and_then(Value::as_array).into_iter().flatten();
    BoardSnapshot {
        serial: text(board, "serial"),
        port: text(board, "port").unwrap_or_default(),
        up: part("up").and_then(Value::as_bool).unwrap_or_default(),
        clock: part("clock").and_then(|clock| Some((number(clock, "white")?, number(clock, "black")?))),
        running: part("clock").and_then(|clock| text(clock, "running")),
        version: text(board, "version"),
        battery: number(board, "battery").and_then(|percent| u8::try_from(percent).ok()),
        game: part("game").and_then(|game| number(game, "number")).unwrap_or(0),
        ply: part("game").and_then(|game| number(game, "ply")).unwrap_or(0),
        alerts: alerts.filter_map(|alert| text(alert, "id")).collect(),
        ..BoardSnapshot::default()
    }
}

fn table(boards: &[BoardRow]) -> String {
    const HEAD: [&str; 7] = ["SERIAL", "PORT", "LINK", "CLOCK", "GAME", "PLY", "ALERTS"];
    let cells: Vec<[String; 7]> = boards.iter().map(|row| cells(&row.board)).collect();
    let head = HEAD.map(str::to_owned);
    let mut widths = [0; 7];
    for row in std::iter::once(&head).chain(&cells) {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    // Only names of ports can be too long; they differ at their ends.
    let excess = (widths.iter().sum::<usize>() + 2 * (HEAD.len() - 1)).saturating_sub(WIDTH);
    let [_, port_width, ..] = &mut widths;
    *port_width = port_width.saturating_sub(excess).max("PORT".len());
    let port_width = *port_width;
    let line = |row: &[String; 7]| {
        let mut line = String::new();
        for (index, (cell, width)) in row.iter().zip(widths).enumerate() {
            let cell = if index == 1 { end_of(cell, port_width) } else { cell.clone() };
            write!(line, "{cell:width$}  ").unwrap_or_default();
        }
        line.trim_end().to_owned() + "\n"
    };
    let rows = boards.iter().zip(&cells).map(|(row, cells)| line(cells) + &seat(row));
    std::iter::once(line(&head)).chain(rows).collect()
}

/// Returns the line that says where a board stands and who plays there; empty if that is not known.
fn seat(row: &BoardRow) -> String {
    let table = row.table.map(|number| format!("table {number}"));
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let is_named = !(row.white.is_empty() && row.black.is_empty());
    let names = is_named.then(|| format!("{} – {}", name(&row.white), name(&row.black)));
    let text: Vec<String> = [table, names].into_iter().flatten().collect();
    if text.is_empty() {
        return String::new();
    }
    let text = printable(&text.join(": "));
    let room = WIDTH - INDENT.len();
    let text =
        if text.chars().count() > room { text.chars().take(room - 1).chain(['…']).collect() } else { text };
    format!("{INDENT}{text}\n")
}

/// Returns the end of a text that is too long.
fn end_of(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(length + 1 - width)).collect()
}

fn cells(board: &BoardSnapshot) -> [String; 7] {
    let dash = || "-".to_owned();
    let clock = board.clock.map(|(white, black)| {
        let mark = |side: &str| if board.running.as_deref() == Some(side) { "*" } else { "" };
        format!("{}{} {}{}", time(white), mark("white"), time(black), mark("black"))
    });
    [
        board.serial.as_deref().map_or_else(dash, printable),
        printable(&board.port),
        if board.up { "up" } else { "down" }.to_owned(),
        clock.unwrap_or_else(dash),
        if board.game == 0 { dash() } else { board.game.to_string() },
        if board.game == 0 { dash() } else { board.ply.to_string() },
        if board.alerts.is_empty() { dash() } else { board.alerts.len().to_string() },
    ]
}

fn time(seconds: u32) -> String {
    jadoube_core::time::ClockFace(seconds.into()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let board = BoardSnapshot {
            serial: Some("1\u{1b}[2J".to_owned()),
            port: "a\rb\u{9b}c".to_owned(),
            ..BoardSnapshot::default()
        };
        let shown =
            table(&[BoardRow { board, table: Some(1), white: "\u{7}W".to_owned(), black: String::new() }]);
        assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    }

    #[test]
    fn columns_line_up() {
        let playing = BoardSnapshot {
            serial: Some("23946".to_owned()),
            port: "/dev/ttyACM0".to_owned(),
            up: true,
            clock: Some((3605, 59)),
            running: Some("black".to_owned()),
            game: 2,
            ply: 41,
            alerts: ["23946-2-1".to_owned()].into(),
            ..BoardSnapshot::default()
        };
        let silent = BoardSnapshot { port: "/dev/ttyUSB12".to_owned(), ..BoardSnapshot::default() };
        let row = |board| BoardRow { board, table: None, white: String::new(), black: String::new() };
        assert_eq!(
            table(&[row(playing.clone()), row(silent)]),
            "SERIAL  PORT           LINK  CLOCK             GAME  PLY  ALERTS\n\
             23946   /dev/ttyACM0   up    1:00:05 0:00:59*  2     41   1\n\
             -       /dev/ttyUSB12  down  -                 -     -    -\n"
        );
        let port = "tcp://serial-server-in-the-north-wing.example:4001".to_owned();
        let far = BoardSnapshot { port, ..playing };
        let named = |white: &str| BoardRow { table: Some(7), white: white.to_owned(), ..row(far.clone()) };
        let shown = table(&[named("Last, First"), named(&"x".repeat(100))]);
        assert!(shown.lines().all(|line| line.chars().count() <= WIDTH), "{shown}");
        assert!(shown.contains(":4001 "), "{shown}");
        assert_eq!(shown.lines().nth(2), Some("        table 7: Last, First – ?"), "{shown}");
    }
}
