//! Offences in the seconds after a kill, on boards in the middle of their games.

use std::{collections::BTreeMap, fmt, net::TcpStream};

use super::*;
use crate::support::{Board, Socket, eventually};

pub(super) const ASK_SERIAL: u8 = 0x45;

/// When the offences are committed, after the board has reported what stands on it.
const AFTER_MS: [u64; 6] = [0, 250, 500, 1000, 2000, 4000];

/// An offence, and what is reported of it.
#[derive(Clone, Copy)]
enum Offence {
    Press,
    KingToE3,
}

impl Offence {
    fn commit(self, board: &mut Board<TcpStream>) {
        if let Self::KingToE3 = self {
            board.send(&[0x8e, 0, 5, 60, 0]);
            thread::sleep(Duration::from_millis(300));
            board.send(&[0x8e, 0, 5, 44, 5]);
            thread::sleep(Duration::from_millis(300));
        }
        board.send(&clock(595, 598, false));
    }

    const fn code(self) -> &'static str {
        match self {
            Self::Press => "press-without-move",
            Self::KingToE3 => "illegal-move",
        }
    }
}

pub(super) fn dump(squares: &str) -> Vec<u8> {
    let code = |piece: char| u8::try_from(".PRNBKQprnbkq".find(piece).unwrap()).unwrap();
    [0x86, 0, 67].into_iter().chain(squares.chars().map(code)).collect()
}

/// A report of a clock whose left side is White's.
pub(super) fn clock(white: u32, black: u32, white_runs: bool) -> Vec<u8> {
    let bcd = |number: u32| u8::try_from(number / 10 * 16 + number % 10).unwrap();
    let time = |seconds: u32| [0, bcd(seconds / 60), bcd(seconds % 60)];
    let status = if white_runs { 0x01 | 0x08 } else { 0x01 | 0x02 | 0x10 };
    [[0x8d, 0, 10].as_slice(), &time(black), &time(white), &[status]].concat()
}

pub(super) fn serial(index: usize) -> String {
    format!("{:05}", 1025 + index)
}

fn plug(socket: &Socket, index: usize, squares: &str) -> Board<TcpStream> {
    let mut board = socket.plug();
    board.wait_command(ASK_SERIAL);
    board.say_serial(&serial(index));
    board.send(&dump(squares));
    board
}

pub(super) fn events(hall: &Hall) -> Vec<Value> {
    hall.log("events.jsonl").lines().map_while(|line| serde_json::from_str(line).ok()).collect()
}

/// Waits until the log has so many events of a kind, and returns all.
#[track_caller]
pub(super) fn wait_count(hall: &Hall, count: usize, is: impl Fn(&Value) -> bool) -> Vec<Value> {
    let what = fmt::from_fn(|f| write!(f, "{count} of them: {:#?}", events(hall)));
    eventually(what, || {
        let events = events(hall);
        (events.iter().filter(|event| is(event)).count() >= count).then_some(events)
    })
}

#[test]
fn offences_in_the_seconds_after_a_kill_are_reported() {
    let offences: Vec<(u64, Offence)> = AFTER_MS
        .into_iter()
        .flat_map(|after| [(after, Offence::Press), (after, Offence::KingToE3)])
        .collect();
    let sockets: Vec<Socket> = offences.iter().map(|_| Socket::new()).collect();
    let port = |socket: &Socket| format!("[[port]]\npath = '{}'\n", socket.port());
    let ports = sockets.iter().map(port).collect::<Vec<_>>().concat();
    let mut hall =
        Hall::new(&format!("[event]\ncontrol = 'rapid'\ntime_control = '10+0'\n[ports]\nscan = []\n{ports}"));
    hall.start();
    let mut boards: Vec<Board<TcpStream>> = Vec::new();
    for (index, socket) in sockets.iter().enumerate() {
        let mut board =
            plug(socket, index, "rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR");
        board.send(&clock(600, 600, true));
        boards.push(board);
    }
    for (from, to, piece, times) in [(52, 36, 1, (598, 600, false)), (12, 28, 7, (598, 598, true))] {
        for board in &mut boards {
            board.send(&[0x8e, 0, 5, from, 0, 0x8e, 0, 5, to, piece]);
            board.send(&clock(times.0, times.1, times.2));
        }
        let is_played = |event: &Value| event["event"] == "move" && event["completed"] == true;
        let plies = if from == 52 { 1 } else { 2 };
        wait_count(&hall, plies * boards.len(), is_played);
    }
    hall.kill();
    drop(boards);
    hall.launch(&[]);
    let (sockets, offences) = (&sockets, &offences);
    // The hall goes with the assertions, so that boards do not wait for its end where one fails.
    thread::scope(move |scope| {
        let mut hall = hall;
        for (index, (socket, (after, offence))) in sockets.iter().zip(offences).enumerate() {
            scope.spawn(move || {
                let mut board =
                    plug(socket, index, "rnbqkbnrpppp.ppp............p.......P...........PPPP.PPPRNBQKBNR");
                board.send(&clock(597, 598, true));
                // When the players do it; nothing is waited for.
                thread::sleep(Duration::from_millis(*after));
                offence.commit(&mut board);
                // It is plugged in until the end.
                board.wait_end();
            });
        }
        let is_alert = |event: &Value| event["event"] == "alert" && event["state"] == "open";
        let events = wait_count(&hall, offences.len(), is_alert);
        let mut reported: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for event in events.iter().filter(|event| is_alert(event)) {
            let board = event["board"].as_str().unwrap().to_owned();
            reported.entry(board).or_default().push(event["code"].as_str().unwrap());
        }
        let expected: BTreeMap<String, Vec<&str>> = offences
            .iter()
            .enumerate()
            .map(|(index, (_, offence))| (serial(index), vec![offence.code()]))
            .collect();
        assert_eq!(reported, expected);
        let starts = events.iter().filter(|event| event["event"] == "game-start").count();
        assert_eq!(starts, offences.len(), "no game begins anew");
        assert_eq!(hall.stop(), 0);
    });
}
