//! The daemon is killed while a board sends its event log, which a board does to the end whoever listens.

use std::{
    fmt,
    io::{ErrorKind, Read, Write},
    net::TcpStream,
};

use dgt_protocol::{Command, Decoder, Message, Placement};
use jadoube_emulate::{
    games,
    hall::{self, HallOptions},
};
use jadoube_runtime::clock::SystemClock;

use super::*;
use crate::{
    hall::{Boards, LONGEST, check, events, game, of, options},
    support::{PATIENCE, eventually, records},
};

/// Fields that differ after more moves than the daemon believes without the log of the board.
const SEVERAL_MOVES: usize = 5;

/// How a board's event log begins.
const LOG: &str = "8f 3e 03";

/// What stands on the board is asked for until players have made several moves that no daemon has seen.
fn wait_moves(address: &str) {
    let mut board = TcpStream::connect(address.strip_prefix("tcp://").unwrap()).unwrap();
    board.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut decoder = Decoder::new();
    let mut first = None;
    loop {
        board.write_all(&Command::SendBoard.to_bytes()).unwrap();
        let present = next_dump(&mut board, &mut decoder);
        let before = first.get_or_insert(present);
        if before.differences(&present).count() >= SEVERAL_MOVES {
            return;
        }
    }
}

fn next_dump(board: &mut TcpStream, decoder: &mut Decoder) -> Placement {
    let mut buffer = [0; 256];
    loop {
        let count = match board.read(&mut buffer) {
            // The process was stopped for a while.
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            read => read.unwrap(),
        };
        assert!(count > 0, "the board has hung up");
        let mut input = &buffer[..count];
        while let Some(frame) = decoder.next_frame(&mut input) {
            if let Message::BoardDump(placement) = frame.message() {
                return placement;
            }
        }
    }
}

fn log_states(events: &[Value]) -> Vec<&str> {
    of(events, 0, "log").map(|event| event["state"].as_str().unwrap()).collect()
}

#[track_caller]
fn wait_until(hall: &Hall, what: &str, is: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    let clock = SystemClock::start();
    loop {
        let events = events(hall);
        if is(&events) {
            return events;
        }
        assert!(clock.now().as_secs() < LONGEST.as_secs_f64(), "{what} has not come: {events:#?}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Waits until the daemon has heard how the log begins; the rest takes the board eight seconds. A machine that stands still for all of them
/// kills too late: then this test shows only that all is well.
fn wait_log(hall: &Hall) {
    let what = fmt::from_fn(|f| write!(f, "a log has come:\n{}", hall.capture()));
    // However its bytes were read.
    let received = || records(&hall.capture(), '<').concat().replace('<', "");
    eventually(what, || received().contains(LOG).then_some(()));
}

#[test]
fn a_kill_during_a_log_costs_no_move_and_makes_no_noise() {
    let boards = HallOptions { boards: 1, games: vec![games::invent(3, 30)], ..options() };
    let truth = hall::record(&boards, 0).truth;
    let boards = Boards::play(boards);
    let address = &boards.addresses[0];
    let mut hall = Hall::new(&format!(
        "[event]\ncontrol = 'rapid'\ntime_control = '15+10'\n[ports]\nscan = []\n[[port]]\npath = '{address}'\n"
    ));
    hall.start();
    wait_until(&hall, "play", |events| of(events, 0, "move").count() >= 3);
    hall.kill();
    wait_moves(address);

    hall.start();
    wait_until(&hall, "the reading of the log", |events| log_states(events).first() == Some(&"reading"));
    wait_log(&hall);
    hall.kill();
    let before_kill = events(&hall);
    let is_late = log_states(&before_kill) != ["reading"];

    hall.start();
    let events = wait_until(&hall, "the game", |events| game(events, 0).is_some());
    assert_eq!(hall.stop(), 0);
    // If the check fails, the files are kept for inspection.
    hall.dir.disable_cleanup(true);
    if is_late {
        assert_eq!(log_states(&events).last(), Some(&"read"));
    } else {
        assert_eq!(log_states(&events), ["reading", "reading", "read"]);
    }
    check(&events, 0, &truth, &[]);
    hall.dir.disable_cleanup(false);
}
