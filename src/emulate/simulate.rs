//! Owns simulation in virtual time: a table, a simple host, and the capture that the host would write.
//!
//! It uses no clock and no port: a game takes milliseconds. Test captures are made with it.

mod host;

use std::time::Duration;

use serde_json::{Map, Value, json};

use self::host::{PACE, RecordingHost};
use super::{
    board::BoardOptions,
    games::GameRecord,
    people::{self, Play, PlayOptions},
    table::{Table, TableOptions},
    truth::Truth,
    wire::Faults,
};
use jadoube_core::{
    capture::{CaptureError, Header, Writer},
    laws::{Edition, EventSettings, TimeControl},
    time::Timestamp,
};

/// The port in the header of captures.
const PORT: &str = "/dev/ttyACM0";

/// What to simulate.
#[derive(Clone, Debug)]
pub struct SimulateOptions {
    /// The game.
    pub game: GameRecord,
    /// How it is played.
    pub play: PlayOptions,
    /// The board.
    pub board: BoardOptions,
    /// Whether White's side of the clock is the left one, if not as the board lies.
    pub white_left: Option<bool>,
    /// Faults of the line.
    pub faults: Faults,
    /// Period of the dumps that the host requests; `None` for none.
    pub dump_every: Option<Duration>,
}

impl SimulateOptions {
    /// Returns options for a game on a board that the seed decides.
    #[must_use]
    pub fn new(game: GameRecord, time_control: TimeControl, seed: u64) -> Self {
        let serial = format!("{:05}", 20_000 + seed % 40_000);
        Self {
            game,
            play: PlayOptions::new(time_control, seed),
            board: BoardOptions::varied(&serial, seed),
            white_left: None,
            faults: Faults::NONE,
            dump_every: None,
        }
    }
}

/// One line of a simulated capture.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Recorded {
    /// The link came up.
    Open,
    /// The link went down.
    Close,
    /// Bytes from the host to the board.
    Sent(Vec<u8>),
    /// Bytes from the board to the host.
    Received(Vec<u8>),
    /// An arbiter's order, JSON.
    Order(String),
}

/// The result of a simulation.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// What the host sent and received, with times.
    pub lines: Vec<(Timestamp, Recorded)>,
    /// The truth, in the time of the capture.
    pub truth: Truth,
    /// The properties of the table.
    pub table: TableOptions,
}

/// Simulates a game.
#[must_use]
pub fn simulate(options: &SimulateOptions) -> Simulation {
    let mut table = TableOptions::new(options.board.clone(), options.play.time_control.clone());
    table.white_left = options.white_left.unwrap_or(table.white_left);
    table.faults = options.faults;
    let play = people::play(&options.game, &options.play);
    let table = Table::new(table, &options.play.standing);
    run(table, play, RecordingHost::simple(options.dump_every))
}

/// Plays a game at a new table, and records it as the product would.
pub(super) fn record(table: Table, play: Play) -> Simulation {
    let time_control = Some(table.options().time_control.clone());
    let event = EventSettings { control: play.truth.control, time_control, ..EventSettings::default() };
    let host = RecordingHost::product(event);
    run(table, play, host)
}

fn run(mut table: Table, play: Play, mut host: RecordingHost) -> Simulation {
    // The handshake is complete before the first piece moves.
    let (truth, end) = table.schedule_game(play, Timestamp::ZERO + PACE * 10);
    host.connect(Timestamp::ZERO);
    let next =
        |table: &Table, host: &RecordingHost| [table.poll_timeout(), host.next()].into_iter().flatten().min();
    while let Some(now) = next(&table, &host).filter(|at| *at <= end) {
        host.speak(&mut table, now);
        table.handle_timeout(now);
        host.record_output(&mut table, now);
    }
    Simulation { lines: host.lines, truth, table: table.options().clone() }
}

impl Simulation {
    /// Writes the capture.
    ///
    /// # Errors
    ///
    /// Returns an error if the output cannot be written.
    pub fn write_capture(&self, name: &str, output: impl std::io::Write) -> Result<(), CaptureError> {
        let board = &self.table.board.serial;
        let header = Header::from([
            ("port".to_owned(), PORT.to_owned()),
            ("board".to_owned(), format!("virtual, serial {board}")),
            ("note".to_owned(), self.truth.name.clone()),
        ]);
        let mut writer = Writer::new(name, output, &header)?;
        for (at, line) in &self.lines {
            writer.write(*at, line.entry())?;
        }
        Ok(())
    }

    /// Returns the capture as text.
    #[must_use]
    pub fn capture(&self) -> String {
        let mut text = Vec::new();
        // Writing to a vector cannot fail.
        self.write_capture("simulation", &mut text).unwrap_or_default();
        String::from_utf8(text).unwrap_or_default()
    }

    /// Returns the truth and the properties of the table, as JSON.
    #[must_use]
    pub fn truth_json(&self) -> Map<String, Value> {
        let (table, board) = (&self.table, &self.table.board);
        let mut map = self.truth.to_json();
        let mut insert = |key: &str, value: Value| map.insert(key.to_owned(), value);
        insert("rules", json!(Edition::default()));
        insert("serial", json!(board.serial));
        insert("rotated", json!(board.rotated));
        insert("white_left", json!(table.white_left));
        insert("noise", json!(u8::from(table.faults != Faults::NONE)));
        insert("scan", json!(board.scan.period.as_secs_f64()));
        insert("poll", json!(board.clock_poll.as_secs_f64()));
        map
    }
}

#[cfg(test)]
mod tests;
