//! Puts back into a capture what it has lost of its games and the event log reports: the position from which a game began, the moves
//! that fell into the hole, each as a dump of the board after it, and the result.
//!
//! The log knows moves and no presses, so that nobody is accused by what is put back; alerts of that time have been reported.

mod records;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use dgt_protocol::Address;
use jiff::Timestamp as Instant;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    sinks::tail,
    view::{Boards, GameView},
};
use jadoube_core::{
    capture::{Hole, holes, is_mendable, spaces},
    line::ListedBoard,
    settings::{is_serial, plain_serial, same_serial},
    time::Timestamp,
};

/// How much of a log is read.
const MOST: u64 = 64 << 20;

/// Fewest moves in a hole that are put back where the game's start is not missing; one at most is found without.
const MOVES: usize = 2;

/// Digits of the serial number that every board reports; newer ones have a longer one, too.
const SHORT: usize = 5;

/// Results that follow from the position: the moves report them.
const IN_POSITION: [&str; 2] = ["mate", "stalemate"];

/// What the log reports of the last games in a capture.
#[derive(Debug, Default)]
pub(super) struct LoggedGames {
    /// Those of a line with several boards by their names; that of a single board by none, as it may be called after its port first.
    games: BTreeMap<String, LoggedGame>,
}

/// What the log reports of the last game of a board.
#[derive(Debug, Default)]
struct LoggedGame {
    /// How the board is called, and where it answers, on a line with several.
    name: String,
    address: Option<Address>,
    serial: Option<String>,
    long_serial: Option<String>,
    is_rotated: bool,
    number: u32,
    began: Timestamp,
    /// The position from which the game counts now: its first one, or one that an arbiter has set.
    start: String,
    /// Whether it follows another one in the same capture, whose end may be lost as well.
    is_later: bool,
    /// When it began, and from which position, before an arbiter has set the one from which it counts.
    before_set: Option<(Timestamp, String)>,
    plies: Vec<LoggedPly>,
    result: Option<LoggedResult>,
}

#[derive(Debug)]
struct LoggedPly {
    shown: Timestamp,
    uci: String,
    fen: String,
}

#[derive(Debug)]
struct LoggedResult {
    reported: Timestamp,
    result: String,
    by: String,
}

/// What is read of a line of the log.
#[derive(Deserialize)]
struct LogLine<'a> {
    #[serde(borrow)]
    t: &'a RawValue,
    #[serde(borrow)]
    board: Cow<'a, str>,
    #[serde(borrow)]
    event: Cow<'a, str>,
    capture: Option<i64>,
    port: Option<String>,
    serial: Option<String>,
    long_serial: Option<String>,
    #[serde(default)]
    rotated: bool,
    #[serde(default)]
    game: u32,
    #[serde(default)]
    fen: String,
    #[serde(default)]
    uci: String,
    #[serde(default)]
    ply: usize,
    #[serde(default)]
    result: String,
    #[serde(default)]
    by: String,
}

/// Returns when the capture of a port began exactly that began in a millisecond, and of which board the log reports in it; `others` are
/// the beginnings of other captures of the port.
pub(super) fn logged_capture(
    log: &Path,
    named: Instant,
    port: &str,
    others: impl Iterator<Item = Instant>,
) -> Option<(Instant, String)> {
    let millisecond = named.as_millisecond();
    // Other ports may have begun a capture in that millisecond; only when a link comes up the log says whose.
    let mut own: BTreeSet<i64> = others.map(Instant::as_microsecond).collect();
    let mut boards = BTreeSet::new();
    let mut found = Vec::new();
    lines(log, |text| {
        let Some(capture) = capture_in(text) else { return };
        let is_sought = capture.div_euclid(1000) == millisecond;
        let is_link = text.contains("\"event\":\"link\"");
        if (is_sought || is_link || own.contains(&capture))
            && let Ok(line) = serde_json::from_str::<LogLine<'_>>(text)
        {
            if is_link && line.port.as_deref() == Some(port) {
                own.insert(capture);
            }
            if own.contains(&capture) && !boards.contains(&*line.board) {
                boards.insert(line.board.clone().into_owned());
            }
            if is_sought {
                found.push((capture, line.board.into_owned()));
            }
        }
    })?;
    let (capture, board) = found.into_iter().rfind(|(_, board)| boards.contains(board))?;
    Some((Instant::from_microsecond(capture).ok()?, board))
}

/// Returns the capture that a line of the log names.
fn capture_in(line: &str) -> Option<i64> {
    let (_, number) = line.split_once("\"capture\":")?;
    number.split([',', '}']).next()?.parse().ok()
}

/// Calls for each line of a log and of the one before it; `None` if they cannot be read.
fn lines(log: &Path, mut take: impl FnMut(&str)) -> Option<()> {
    for file in [log.with_added_extension("1"), log.to_owned()] {
        let (text, _) = tail(&file, MOST).ok()?;
        text.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok()).for_each(&mut take);
    }
    Some(())
}

impl LoggedGames {
    /// Reads what the log reports of the last game of each board in the capture that began at `started`; `bus` are the boards that are
    /// expected, on a line with several.
    pub(super) fn read(log: &Path, started: Instant, bus: Option<&[String]>) -> Option<Self> {
        let capture = started.as_microsecond();
        let key = format!("\"capture\":{capture},");
        let mut read = Self::default();
        lines(log, |text| {
            // A log of a hall has hundreds of captures.
            if text.contains(&key)
                && let Ok(line) = serde_json::from_str::<LogLine<'_>>(text)
                && line.capture == Some(capture)
            {
                let name = if bus.is_some() { line.board.clone().into_owned() } else { String::new() };
                read.games.entry(name).or_default().add(line);
            }
        })?;
        for (name, game) in &mut read.games {
            game.address = bus.and_then(|listed| address_of(name, listed));
            game.name.clone_from(name);
        }
        read.games.retain(|_, game| !game.start.is_empty() && game.address.is_some() == bus.is_some());
        (!read.games.is_empty()).then_some(read)
    }

    /// Returns how much of the games boards have: of each nothing, or its start, the moves from there on, and the result.
    pub(super) fn found_in(&self, boards: &Boards) -> usize {
        let found = |(name, logged): (&String, &LoggedGame)| {
            let own = boards.iter().filter(|(board, _)| name.is_empty() || *name == ***board);
            own.filter_map(|(_, board)| Some(logged.found_in(board.game.as_ref()?))).max().unwrap_or(0)
        };
        self.games.iter().map(found).sum()
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
        let is_changed = !filled.is_empty();
        filled.extend_from_slice(text.get(copied..)?);
        is_changed.then_some(filled)
    }

    /// Returns where records are missing; where nothing marks a place, those in which the log reports more than the capture, which has no
    /// record there.
    fn holes_in(&self, text: &[u8]) -> Vec<Hole> {
        let marked = holes(text);
        if !marked.is_empty() {
            return marked;
        }
        if !is_mendable(text) {
            // A head, and nothing behind it.
            return vec![Hole { at: text.len(), after: None, before: None, opens: false }];
        }
        spaces(text, |after, before| {
            let is_in = |at: Timestamp| after < at && before.is_none_or(|before| at < before);
            self.games.values().any(|game| game.count(is_in) >= MOVES || game.result_in(is_in).is_some())
        })
    }
}

impl LoggedGame {
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
                let before = (self.began, std::mem::replace(&mut self.start, line.fen));
                if line.game != self.number || before.1.is_empty() {
                    self.is_later = !before.1.is_empty();
                    self.before_set = None;
                } else if self.before_set.is_none() {
                    self.before_set = Some(before);
                }
                (self.number, self.began, self.result) = (line.game, at, None);
                self.plies.clear();
                // The captures of later games do not report the number of the board anew.
                if self.serial.is_none() && self.long_serial.is_none() && is_serial(&line.board) {
                    let is_long = plain_serial(&line.board).len() > SHORT;
                    let serial = if is_long { &mut self.long_serial } else { &mut self.serial };
                    *serial = Some(line.board.into_owned());
                }
            }
            "retract" => self.plies.truncate(line.ply.saturating_sub(1)),
            "move" => {
                let known = line.ply.checked_sub(1).and_then(|before| self.plies.get(before));
                if known.is_none_or(|known| known.uci != line.uci) {
                    self.plies.truncate(line.ply.saturating_sub(1));
                    self.plies.push(LoggedPly { shown: at, uci: line.uci, fen: line.fen });
                }
            }
            "result" => {
                let reported = LoggedResult { reported: at, result: line.result, by: line.by };
                self.result = Some(reported).filter(|reported| reported.result != "*");
            }
            _ => {}
        }
    }

    fn found_in(&self, game: &GameView) -> usize {
        if game.start != self.start {
            return 0;
        }
        let moves = game.moves.iter().zip(&self.plies);
        let moves = moves.take_while(|(found, reported)| *found.uci == *reported.uci).count();
        let result = self.result.as_ref().map(|reported| reported.result.as_str());
        1 + moves + usize::from(result.is_some() && result == game.result)
    }

    /// Returns the number of moves at times.
    fn count(&self, is_in: impl Fn(Timestamp) -> bool) -> usize {
        self.plies.iter().filter(|ply| is_in(ply.shown)).count()
    }

    /// Returns the result if it was reported at a time and the moves do not report it.
    fn result_in(&self, is_in: impl Fn(Timestamp) -> bool) -> Option<&LoggedResult> {
        self.result
            .as_ref()
            .filter(|reported| is_in(reported.reported) && !IN_POSITION.contains(&reported.by.as_str()))
    }
}

/// Returns the address of a board that is called so on a line on which these are expected.
fn address_of(name: &str, listed: &[String]) -> Option<Address> {
    let mut listed = listed.iter().filter_map(|entry| ListedBoard::parse(entry).ok());
    let listed = listed.find(|listed| same_serial(&listed.serial, name)).map(|listed| listed.address);
    listed.or_else(|| Address::from_serial(name))
}
