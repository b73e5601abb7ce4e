//! Puts back into a capture what it has lost of its game and the event log tells: the position from which the game began, and
//! the moves that fell into the hole, each as a dump of the board after it.
//!
//! The log knows moves and no presses, so that nobody is accused by what is put back; alerts of that time have been told.

use std::{borrow::Cow, fmt::Write as _, path::Path};

use dgt_protocol::{Message, Placement};
use jiff::Timestamp as Instant;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{sinks::tail, view::Boards};
use jadoube_core::{
    capture::{Entry, Hole, Writer, holes, spaces},
    time::Timestamp,
};

/// How much of a log is read.
const MOST: u64 = 64 << 20;

/// Fewest moves in a hole that are put back where the game's start is not missing; one at most is found without.
const MOVES: usize = 2;

/// Longest message that a board sends of itself.
const LONGEST: usize = 80;

/// What the log tells of the last game in a capture.
#[derive(Debug, Default)]
pub(super) struct LoggedGame {
    serial: Option<String>,
    long_serial: Option<String>,
    is_rotated: bool,
    began: Timestamp,
    start: String,
    plies: Vec<LoggedPly>,
}

#[derive(Debug)]
struct LoggedPly {
    shown: Timestamp,
    uci: String,
    fen: String,
}

/// What is read of a line of the log.
#[derive(Deserialize)]
struct LogLine<'a> {
    #[serde(borrow)]
    t: &'a RawValue,
    event: Cow<'a, str>,
    capture: Option<i64>,
    serial: Option<String>,
    long_serial: Option<String>,
    #[serde(default)]
    rotated: bool,
    #[serde(default)]
    fen: String,
    #[serde(default)]
    uci: String,
    #[serde(default)]
    ply: usize,
}

impl LoggedGame {
    /// Reads what the log tells of the last game in the capture that began at `started`; `None` if it tells of none.
    pub(super) fn read(log: &Path, started: Instant) -> Option<Self> {
        let capture = started.as_microsecond();
        let key = format!("\"capture\":{capture},");
        let mut game = Self::default();
        for file in [log.with_added_extension("1"), log.to_owned()] {
            let (text, _) = tail(&file, MOST).ok()?;
            for line in text.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok()) {
                // A log of a hall has hundreds of captures.
                if line.contains(&key)
                    && let Ok(line) = serde_json::from_str::<LogLine<'_>>(line)
                    && line.capture == Some(capture)
                {
                    game.add(line);
                }
            }
        }
        (!game.start.is_empty()).then_some(game)
    }

    fn add(&mut self, line: LogLine<'_>) {
        let Ok(at) = line.t.get().parse() else { return };
        match &*line.event {
            "board" => {
                self.serial = line.serial.or(self.serial.take());
                self.long_serial = line.long_serial.or(self.long_serial.take());
                self.is_rotated = line.rotated;
            }
            // Of several games in a capture the last one is in play.
            "game-start" => {
                (self.began, self.start) = (at, line.fen);
                self.plies.clear();
            }
            "retract" => self.plies.truncate(line.ply.saturating_sub(1)),
            "move" => {
                let known = line.ply.checked_sub(1).and_then(|before| self.plies.get(before));
                if known.is_none_or(|known| known.uci != line.uci) {
                    self.plies.truncate(line.ply.saturating_sub(1));
                    self.plies.push(LoggedPly { shown: at, uci: line.uci, fen: line.fen });
                }
            }
            _ => {}
        }
    }

    /// Returns how much of the game boards have: nothing, its start, moves from there on.
    pub(super) fn found_in(&self, boards: &Boards) -> usize {
        let games = boards.values().filter_map(|board| board.game.as_ref());
        let same = games.filter(|game| game.start == self.start).map(|game| {
            let moves = game.moves.iter().zip(&self.plies);
            1 + moves.take_while(|(found, told)| *found.uci == *told.uci).count()
        });
        same.max().unwrap_or(0)
    }

    /// Returns a capture with what its holes have lost; `None` if that is nothing.
    pub(super) fn put_into(&self, text: &[u8], port: &str) -> Option<Vec<u8>> {
        let mut filled = Vec::with_capacity(text.len() + 4096);
        let mut copied = 0;
        for hole in self.holes_in(text) {
            if let Some(lost) = self.lost_in(&hole, port) {
                filled.extend_from_slice(text.get(copied..hole.at)?);
                filled.extend(lost);
                copied = hole.at;
            }
        }
        filled.extend_from_slice(text.get(copied..)?);
        (copied > 0).then_some(filled)
    }

    /// Returns where records are missing; where nothing marks a place, those in which the log tells moves and the capture has no record.
    fn holes_in(&self, text: &[u8]) -> Vec<Hole> {
        let marked = holes(text);
        if !marked.is_empty() {
            return marked;
        }
        spaces(text, |after, before| {
            let is_in = |at: Timestamp| after < at && before.is_none_or(|before| at < before);
            self.plies.iter().filter(|ply| is_in(ply.shown)).count() >= MOVES
        })
    }

    /// Returns the records that stand for what a hole has lost.
    fn lost_in(&self, hole: &Hole, port: &str) -> Option<Vec<u8>> {
        let is_in = |at: Timestamp| hole.after <= Some(at) && hole.before.is_none_or(|before| at <= before);
        let plies = self.plies.iter().filter(|ply| is_in(ply.shown));
        if !is_in(self.began) && plies.clone().count() < MOVES {
            return None;
        }
        let mut writer = Writer::resume("", Vec::new(), Timestamp::ZERO);
        let mut says = |at: Timestamp, message: Message<'_>| {
            let mut buffer = [0; LONGEST];
            let bytes = message.encode(&mut buffer).ok()?;
            writer.write(at, Entry::Received(bytes)).ok()
        };
        let mut head = String::from("# put back from the event log:\n");
        if hole.after.is_none() {
            writeln!(head, "{} ! open {port}", self.began).ok()?;
            if let Some(serial) = &self.serial {
                says(self.began, Message::Serial(serial))?;
            }
            if let Some(serial) = &self.long_serial {
                says(self.began, Message::LongSerial(serial))?;
            }
        }
        if is_in(self.began) {
            says(self.began, Message::BoardDump(self.placement(&self.start)?))?;
        }
        for ply in plies {
            says(ply.shown, Message::BoardDump(self.placement(&ply.fen)?))?;
        }
        if hole.after.is_none()
            && hole.opens
            && let Some(before) = hole.before
        {
            writer.write(before, Entry::Close("records were lost")).ok()?;
        }
        let mut lost = head.into_bytes();
        lost.append(writer.output_mut());
        lost.extend_from_slice(b"# end of what was put back\n");
        Some(lost)
    }

    /// Returns what the board shows in a position.
    fn placement(&self, fen: &str) -> Option<Placement> {
        let mut codes = [0; 64];
        let mut fields = codes.iter_mut();
        for letter in fen.split(' ').next()?.chars().filter(|letter| *letter != '/') {
            let empty = letter.to_digit(10).and_then(|empty| usize::try_from(empty).ok());
            if let Some(empty) = empty {
                // The codes of empty fields are 0 already.
                fields.nth(empty.checked_sub(1)?)?;
            } else {
                *fields.next()? = dgt_protocol::Piece::from_letter(letter)?.to_byte();
            }
        }
        let placement = Placement::from_bytes(&codes);
        Some(if self.is_rotated { placement.rotated() } else { placement })
    }
}
