//! What boards, clocks and sources look like to the clients of LiveChess.

use std::collections::BTreeMap;

use serde::Serialize;
use shakmaty::{Board, Color};

use crate::{
    config::{Config, remote_address},
    view::{BoardView, Boards, ClockView},
};

/// A board of the list.
#[derive(Debug, Serialize)]
pub(super) struct EBoard {
    serialnr: String,
    source: Option<String>,
    state: Option<&'static str>,
    battery: Option<String>,
    comment: Option<String>,
    board: Option<String>,
    flipped: bool,
    clock: Option<Clock>,
}

/// A clock.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Clock {
    white: u32,
    black: u32,
    /// Whether White's time runs, or Black's.
    run: Option<bool>,
    /// Milliseconds of Unix time of the reading.
    time: i64,
}

/// Where boards are plugged in.
#[derive(Debug, Serialize)]
pub(super) struct Source {
    #[serde(rename = "type")]
    kind: &'static str,
    device: String,
    name: Option<String>,
    present: bool,
    active: bool,
    status: Option<String>,
}

/// Lists the boards that have reported their serial number, and of these one if only one is wanted.
///
/// Those that are there come first, in the order of their tables: some clients use only the first.
pub(super) fn eboards(boards: &Boards, config: &Config, only: Option<&str>) -> Vec<EBoard> {
    let wanted = |board: &&BoardView| board.serial.is_some() && only.is_none_or(|only| *board.name == *only);
    let mut listed: Vec<&BoardView> = boards.values().map(AsRef::as_ref).filter(wanted).collect();
    let table = |board: &BoardView| config.table(&board.name).and_then(|table| table.number);
    listed.sort_by_key(|board| (!board.up, table(board).unwrap_or(u32::MAX), board.name.clone()));
    listed.into_iter().map(|board| EBoard::new(board, table(board))).collect()
}

impl EBoard {
    pub(super) fn serial(&self) -> &str {
        &self.serialnr
    }

    pub(super) fn state(&self) -> Option<&str> {
        self.state
    }

    pub(super) fn source(&self) -> Option<&str> {
        self.source.as_deref()
    }

    pub(super) fn comment(&self) -> Option<&str> {
        self.comment.as_deref()
    }

    fn new(board: &BoardView, table: Option<u32>) -> Self {
        let known = board.up || board.squares.occupied().any();
        Self {
            serialnr: board.name.to_string(),
            source: board.up.then(|| device(&board.port).to_owned()),
            state: Some(if board.up { "ACTIVE" } else { "NOTRESPONDING" }),
            battery: board.battery.map(|percent| format!("{percent}%")),
            comment: table.map(|number| format!("Table {number}")),
            board: known.then(|| placement(&board.squares, false)),
            flipped: board.rotated,
            clock: board.clock.as_ref().and_then(Clock::of),
        }
    }
}

impl Clock {
    /// Returns what a clock shows, if there is one.
    pub(super) fn of(view: &ClockView) -> Option<Self> {
        view.connected.then(|| Self {
            white: view.times.white,
            black: view.times.black,
            run: view.running.map(Color::is_white),
            time: view.at.as_millisecond(),
        })
    }
}

impl PartialEq for Clock {
    /// Returns whether the same is shown, whenever it was read.
    fn eq(&self, other: &Self) -> bool {
        (self.white, self.black, self.run) == (other.white, other.black, other.run)
    }
}

/// Lists the ports.
pub(super) fn sources(boards: &Boards) -> Vec<Source> {
    let mut ports: BTreeMap<&str, bool> = BTreeMap::new();
    for board in boards.values() {
        *ports.entry(&board.port).or_default() |= board.up;
    }
    let source = |(port, present): (&str, bool)| Source {
        kind: if remote_address(port).is_some() { "NETWORK" } else { "SERIAL" },
        device: device(port).to_owned(),
        name: None,
        present,
        active: present,
        status: None,
    };
    ports.into_iter().filter(|(port, _)| !port.is_empty()).map(source).collect()
}

fn device(port: &str) -> &str {
    port.strip_prefix("/dev/").or_else(|| remote_address(port)).unwrap_or(port)
}

/// Writes what stands where, if wanted as seen with the board turned by half a turn.
pub(super) fn placement(board: &Board, turned: bool) -> String {
    let mut board = board.clone();
    if turned {
        board.rotate_180();
    }
    board.board_fen().to_string()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::view;
    use jadoube_core::{
        event::{BoardEvent, Event, EventKind, LinkState, Times},
        time::Timestamp,
    };

    fn hall(boards: &[(&str, &str, bool)]) -> Boards {
        let mut hall = Boards::new();
        for (serial, port, up) in boards {
            let port: Arc<str> = (*port).into();
            let state = if *up { LinkState::Up } else { LinkState::Down };
            let link = EventKind::Link { state, port: port.to_string() };
            let serial_number = Some(*serial).filter(|serial| !serial.is_empty());
            let name: Arc<str> = if serial.is_empty() { port.clone() } else { (*serial).into() };
            let board = EventKind::Board(Box::new(BoardEvent::of_serial(serial_number)));
            for kind in [link, board] {
                let event = Event { at: Timestamp::ZERO, board: name.clone(), kind };
                view::apply(&mut hall, &port, &event, jiff::Timestamp::UNIX_EPOCH, 1);
            }
        }
        hall
    }

    #[test]
    fn boards_that_are_there_come_first_and_then_by_table() {
        let boards = hall(&[
            ("11111", "/dev/ttyACM0", false),
            ("22222", "/dev/ttyACM1", true),
            ("33333", "tcp://10.0.0.7:4001", true),
            ("", "/dev/ttyACM9", true),
        ]);
        let text = "[[table]]\nnumber = 2\nserial = '33333'\n[[table]]\nnumber = 1\nserial = '11111'";
        let config = Config::parse("test", text, &[]).unwrap();
        let listed = serde_json::to_string(&eboards(&boards, &config, None)).unwrap();
        assert_eq!(
            listed,
            "[{\"serialnr\":\"33333\",\"source\":\"10.0.0.7:4001\",\"state\":\"ACTIVE\",\"battery\":null,\
             \"comment\":\"Table 2\",\"board\":\"8/8/8/8/8/8/8/8\",\"flipped\":false,\"clock\":null},\
             {\"serialnr\":\"22222\",\"source\":\"ttyACM1\",\"state\":\"ACTIVE\",\"battery\":null,\
             \"comment\":null,\"board\":\"8/8/8/8/8/8/8/8\",\"flipped\":false,\"clock\":null},\
             {\"serialnr\":\"11111\",\"source\":null,\"state\":\"NOTRESPONDING\",\"battery\":null,\
             \"comment\":\"Table 1\",\"board\":null,\"flipped\":false,\"clock\":null}]"
        );
        let one = eboards(&boards, &config, Some("22222"));
        assert_eq!(one.iter().map(|board| board.serialnr.as_str()).collect::<Vec<_>>(), ["22222"]);
    }

    #[test]
    fn every_port_is_a_source() {
        let boards = hall(&[("11111", "/dev/ttyACM0", false), ("33333", "tcp://10.0.0.7:4001", true)]);
        assert_eq!(
            serde_json::to_string(&sources(&boards)).unwrap(),
            "[{\"type\":\"SERIAL\",\"device\":\"ttyACM0\",\"name\":null,\"present\":false,\"active\":false,\
             \"status\":null},{\"type\":\"NETWORK\",\"device\":\"10.0.0.7:4001\",\"name\":null,\
             \"present\":true,\"active\":true,\"status\":null}]"
        );
    }

    #[test]
    fn a_clock_that_stands_runs_for_nobody() {
        let at = jiff::Timestamp::from_millisecond(1_503_845_105_357).unwrap();
        let times = Times { white: 5676, black: 7190 };
        let mut view =
            ClockView { times, running: Some(Color::White), connected: true, low_battery: false, at };
        assert_eq!(
            serde_json::to_string(&Clock::of(&view)).unwrap(),
            "{\"white\":5676,\"black\":7190,\"run\":true,\"time\":1503845105357}"
        );
        view.running = None;
        assert!(serde_json::to_string(&Clock::of(&view)).unwrap().contains("\"run\":null"));
        view.connected = false;
        assert_eq!(Clock::of(&view), None);
    }
}
