//! Finds the games of boards that have left a port for another one: their captures lie before that of the board that is there now.
//!
//! A board that was unplugged in play goes on with its game on whatever port it comes back, also if the program was restarted
//! meanwhile.

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    time::Duration,
};

use dgt_protocol::{Decoder, Message};

use super::files;
use crate::sinks::STALE;
use jadoube_core::{
    capture::{Entry, Reader},
    settings::{is_serial, same_serial},
};

/// Captures that are looked at, the newest first: a board that left longer ago has been away for as many games.
const LOOKED_AT: usize = 32;

/// Records of a capture in which its board has reported its number: it is asked for that first of all.
const FIRST: usize = 64;

/// The game of a board that was on the port before.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct DisplacedGame {
    /// Serial number.
    pub(super) serial: String,
    /// Where the game is recorded.
    pub(super) capture: PathBuf,
    /// When that was written to last.
    pub(super) last: jiff::Timestamp,
}

/// Returns the last game of each board but `own` among the captures of a port, oldest first, unless it is too old to be gone on with.
pub(super) fn displaced_games(
    captures: &[PathBuf],
    port: &str,
    own: &str,
    now: jiff::Timestamp,
) -> Vec<DisplacedGame> {
    let mut displaced: Vec<DisplacedGame> = Vec::new();
    for capture in captures.iter().rev().take(LOOKED_AT) {
        let Some(last) = files::modified(capture) else { continue };
        let is_stale = Duration::try_from(now.duration_since(last)).is_ok_and(|age| age > STALE);
        if is_stale || !files::is_of(capture, port) {
            continue;
        }
        let Some(serial) = board_of(capture) else { continue };
        let is_known = displaced.iter().any(|game| same_serial(&game.serial, &serial));
        if !is_known && !same_serial(own, &serial) {
            displaced.push(DisplacedGame { serial, capture: capture.clone(), last });
        }
    }
    displaced
}

/// Returns the number of the board whose game a capture is.
fn board_of(capture: &Path) -> Option<String> {
    let mut reader = Reader::new("", BufReader::new(fs::File::open(capture).ok()?)).ok()?;
    if let Some(board) = reader.header().get(files::BOARD) {
        return Some(board.clone());
    }
    let mut decoder = Decoder::new();
    for _ in 0..FIRST {
        let Entry::Received(mut bytes) = reader.next_record().ok()??.entry else { continue };
        while let Some(frame) = decoder.next_frame(&mut bytes) {
            if let Message::Serial(reported) = frame.message()
                && is_serial(reported)
            {
                return Some(reported.to_owned());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_game_of_each_board_that_was_here_is_found() {
        let dir = tempfile::tempdir().unwrap();
        let capture = |name: &str, head: &str, number: &[u8]| {
            let hex: Vec<String> = number.iter().map(|digit| format!("{digit:02x}")).collect();
            let said = format!("0.3 < 93 00 05 01 08\n0.4 < 91 00\n0.5 < 08 {}\n", hex.join(" "));
            let path = dir.path().join(name);
            fs::write(&path, format!("# dgt-capture 1\n{head}# port: a\n0.0 ! open a\n{said}")).unwrap();
            path
        };
        let captures = [
            capture("1", "", b"10001"),
            capture("2", "", b"10002"),
            capture("3", "# board: 10001\n", b"?????"),
            capture("4", "", b"?????"),
            capture("5", "", b"10003"),
        ];
        let now = files::modified(&captures[4]).unwrap();
        let found = |port: &str, own: &str, now| {
            let games = displaced_games(&captures, port, own, now);
            games.into_iter().map(|game| (game.serial, game.capture)).collect::<Vec<_>>()
        };
        let game = |serial: &str, place: usize| (serial.to_owned(), captures[place].clone());
        assert_eq!(found("a", "10003", now), [game("10001", 2), game("10002", 1)]);
        assert_eq!(found("a", "10002", now), [game("10003", 4), game("10001", 2)]);
        assert_eq!(found("b", "10003", now), [], "they are of another port");
        let later = now + jiff::SignedDuration::try_from(STALE * 2).unwrap();
        assert_eq!(found("a", "10003", later), [], "they are too old");
    }
}
