//! Owns the game as it is published: its start, its plies, its present position and its result.
//!
//! Plies come from the tracker and may be withdrawn; this module only keeps the list true to the chess rules.

mod continued;
mod pgn;
mod played;
mod reader;
mod record;
mod repetitions;

use std::{cmp::Reverse, sync::OnceLock};

use arrayvec::ArrayString;
use shakmaty::{CastlingMode, Color, Move};

pub use pgn::{Sheet, SheetEntry, Tags};
pub(crate) use played::swapped;
pub use played::{Irregular, Played};
pub use reader::{PgnError, PgnReader, PgnToken};
pub(crate) use record::{CutPly, RecordEdit};

use crate::{
    alert::Confidence,
    event::{GameEvent, GameMove, MoveEvent, SanText, Times, UciText},
    model::effort,
    position::Position,
    score::Score,
    time::Timestamp,
};

/// One ply of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Ply {
    /// Who moved.
    pub side: Color,
    /// What was done.
    pub played: Played,
    /// The move in UCI.
    pub uci: UciText,
    /// The move in standard algebraic notation.
    pub san: SanText,
    /// Whether a press, or what ends the game at once, has completed it (Art. 6.2.1).
    pub completed: bool,
    /// How sure it is that this was played.
    pub confidence: Confidence,
    /// What the clock showed when it was completed.
    pub clock: Option<Times>,
    /// When the board showed it.
    pub made_at: Timestamp,
    /// Key of the position after it (Art. 9.2.3).
    pub key: u64,
    /// Plies since the last capture or pawn move, this one included.
    pub halfmoves: u32,
    /// If nobody saw it: how many other paths remained.
    pub inferred: Option<u32>,
    /// Whether an order has entered it.
    pub entered: bool,
    /// Whether a piece was displaced beside a legal move, and play went on from how it stands (Art. 7.4).
    pub displaced: bool,
    /// What the record says beside it, such as plies that were taken back after it.
    pub remark: Option<Box<str>>,
    /// Its number among all that were ever in the list, by which an entry is found again.
    pub(crate) mark: u32,
}

impl Ply {
    /// Returns whether Art. 3 allows it; another piece may have been displaced beside it.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        self.played.is_legal() || self.displaced
    }

    /// Returns whether it is a legal move that leads to the next position as it stands.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.played.is_legal()
    }

    /// Returns whether it is a move that Art. 3 does not allow; that an order has set a position is none.
    #[must_use]
    pub const fn is_illegal(&self) -> bool {
        self.played.is_illegal() && !self.displaced
    }

    /// Returns the position after it; the opponent passed if it was not this side's turn.
    #[must_use]
    pub fn apply(&self, before: &Position) -> Position {
        if before.turn() == self.side { self.played.apply(before) } else { self.played.apply(&before.pass()) }
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct GameResult {
    /// The result.
    pub score: Score,
    /// What says so: `kings`, `mate`, `stalemate`, `arbiter`, `flag`, …
    pub by: &'static str,
}

impl GameResult {
    /// Returns whether the Laws have ended the game where the players can go on, as they may not have noticed.
    #[must_use]
    pub fn is_unnoticed(self) -> bool {
        matches!(self.by, "dead" | "fivefold" | "seventyfive")
    }

    /// Returns `1-0`, `0-1`, `1/2-1/2` and so on.
    #[must_use]
    pub const fn score(self) -> &'static str {
        self.score.text()
    }
}

/// Plies between two positions of a game that are kept.
const BETWEEN_WAYPOINTS: u32 = 16;

/// A game as it is published.
#[derive(Clone, Debug)]
pub struct Game {
    number: u32,
    start: Position,
    position: Position,
    /// Its FEN, once it has been asked for: each ply is reported twice.
    fen: OnceLock<String>,
    /// The position before the last ply, which is asked for most; the start if there is none.
    before: Position,
    /// Earlier positions with the numbers of their plies, the later one first: of the others those are asked for most that are some
    /// dozen plies old, and need not be played from the start.
    waypoints: [(u32, Position); 2],
    plies: Vec<Ply>,
    result: Option<GameResult>,
    /// It was first heard of in its middle: what was played before is not known.
    adopted: bool,
    /// Plies that were ever in the list.
    marks: u32,
    /// What the record says of plies that were taken back before the first one.
    remark: Option<Box<str>>,
}

impl Game {
    /// Begins a game.
    #[must_use]
    pub fn new(number: u32, start: Position) -> Self {
        let (position, before) = (start.clone(), start.clone());
        let waypoints = [(0, start.clone()), (0, start.clone())];
        Self {
            number,
            start,
            position,
            fen: OnceLock::new(),
            before,
            waypoints,
            plies: Vec::new(),
            result: None,
            adopted: false,
            marks: 0,
            remark: None,
        }
    }

    /// Notes that the game was first heard of in its middle.
    pub const fn set_adopted(&mut self) {
        self.adopted = true;
    }

    /// Returns whether the game was first heard of in its middle: plies, repetitions and the count of fifty moves are since
    /// then, and nobody knows what was played before.
    #[must_use]
    pub const fn is_adopted(&self) -> bool {
        self.adopted
    }

    /// Returns the number of the game on its board, from 1.
    #[must_use]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Returns the position that the game began from.
    #[must_use]
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the position after the last ply.
    #[must_use]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the plies so far.
    #[must_use]
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns the number of plies so far.
    #[must_use]
    pub fn len(&self) -> u32 {
        u32::try_from(self.plies.len()).unwrap_or(u32::MAX)
    }

    /// Returns whether nobody has moved.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// Returns a ply by its number, from 1.
    #[must_use]
    pub fn ply(&self, number: u32) -> Option<&Ply> {
        self.plies.get(index(number)?)
    }

    /// Returns the result, if there is one.
    #[must_use]
    pub const fn result(&self) -> Option<GameResult> {
        self.result
    }

    /// Sets the result.
    pub const fn set_result(&mut self, result: Option<GameResult>) {
        self.result = result;
    }

    /// Returns the position after a ply, 0 for the start.
    #[must_use]
    pub fn position_after(&self, ply: u32) -> Position {
        if ply >= self.len() {
            return self.position.clone();
        }
        if ply + 1 == self.len() {
            return self.before.clone();
        }
        debug_assert!(
            self.waypoints.is_sorted_by_key(|(number, _)| Reverse(*number)),
            "the newest is the first"
        );
        let waypoint = self.waypoints.iter().find(|(number, _)| *number <= ply);
        let (from, position) = waypoint.map_or((0, &self.start), |(number, position)| (*number, position));
        let [from, to] = [from, ply].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
        let plies = self.plies.get(from..to).unwrap_or_default();
        plies.iter().fold(position.clone(), |position, ply| ply.apply(&position))
    }

    /// Appends a ply that the board shows; returns its number.
    ///
    /// If it is not this side's turn, its opponent pressed without a move, and that was accepted.
    pub fn push(&mut self, side: Color, played: Played, made_at: Timestamp, confidence: Confidence) -> u32 {
        if let Some(passed) = self.passed_before(&played) {
            let waypoints = [(0, passed.clone()), (0, passed.clone())];
            (self.start, self.position, self.before) = (passed.clone(), passed.clone(), passed);
            self.waypoints = waypoints;
        }
        let passed = (self.position.turn() != side).then(|| self.position.pass());
        let from = passed.as_ref().unwrap_or(&self.position);
        let uci = self.played_text(&played.uci(from));
        let after = played.apply(from);
        let san = self.played_text(&played.san(from, &after));
        let displaced = played.is_beside_displaced(from);
        if self.len().is_multiple_of(BETWEEN_WAYPOINTS)
            && self.waypoints.first().is_some_and(|(number, _)| *number < self.len())
        {
            self.waypoints.swap(0, 1);
            let waypoint = (self.len(), self.position.clone());
            let [newest, _] = &mut self.waypoints;
            *newest = waypoint;
        }
        self.before = std::mem::replace(&mut self.position, after);
        self.fen.take();
        debug_assert_eq!(self.position.turn(), !side, "the opponent is to move after ply {}", self.len() + 1);
        let (key, halfmoves) = (self.position.key(), self.position.halfmoves());
        if self.plies.len() == self.plies.capacity() {
            // Twice as many, as a list takes by itself, would be room for a game that nobody plays.
            self.plies.reserve_exact(effort::ROOM_FOR_PLIES);
        }
        self.marks = self.marks.wrapping_add(1);
        let remark = if self.plies.is_empty() { self.remark.take() } else { None };
        self.plies.push(Ply {
            side,
            played,
            uci,
            san,
            completed: false,
            confidence,
            clock: None,
            made_at,
            key,
            halfmoves,
            inferred: None,
            entered: false,
            displaced,
            remark,
            mark: self.marks,
        });
        self.len()
    }

    /// Returns the start of a game that was first heard of just after a pawn had passed a square: the capture of that pawn, its first
    /// ply, is all that shows so.
    fn passed_before(&self, played: &Played) -> Option<Position> {
        let Played::Legal(m @ Move::EnPassant { to, .. }) = *played else { return None };
        (self.is_empty() && !self.start.is_legal(m)).then(|| self.start.with_passed_square(to))
    }

    fn played_text<const N: usize>(&self, text: &str) -> ArrayString<N> {
        // Chess960 writes nothing longer; a text that did not fit would be cut, never lost.
        let short = ArrayString::from(text).unwrap_or_else(|_| {
            let mut cut = ArrayString::new();
            for c in text.chars() {
                if cut.try_push(c).is_err() {
                    break;
                }
            }
            cut
        });
        debug_assert_eq!(short.len(), text.len(), "{text} in game {}", self.number);
        short
    }

    /// Marks a ply that nobody saw with the number of other paths that remained.
    pub fn mark_inferred(&mut self, number: u32, alternatives: Option<u32>) {
        debug_assert!((1..=self.len()).contains(&number), "ply {number} of {}", self.len());
        if let Some(ply) = index(number).and_then(|index| self.plies.get_mut(index)) {
            ply.inferred = alternatives;
        }
    }

    /// Marks a ply as completed; the clock shows these times.
    pub fn complete(&mut self, number: u32, clock: Option<Times>, confidence: Confidence) {
        debug_assert!((1..=self.len()).contains(&number), "ply {number} of {}", self.len());
        if let Some(ply) = index(number).and_then(|index| self.plies.get_mut(index)) {
            ply.completed = true;
            ply.clock = clock.or(ply.clock);
            ply.confidence = confidence;
        }
    }

    /// Withdraws all plies after the first `keep`.
    pub fn truncate(&mut self, keep: u32) {
        if keep < self.len() {
            for (number, position) in self.waypoints.iter_mut().filter(|(number, _)| *number > keep) {
                (*number, *position) = (0, self.start.clone());
            }
            self.waypoints.sort_by_key(|(number, _)| Reverse(*number));
            self.fen.take();
            self.before = self.position_after(keep.saturating_sub(1));
            self.position = self.ply(keep).map_or_else(|| self.start.clone(), |ply| ply.apply(&self.before));
            self.plies.truncate(usize::try_from(keep).unwrap_or(usize::MAX));
            debug_assert!(
                self.waypoints.iter().all(|(number, _)| *number <= keep),
                "a waypoint is behind {keep}"
            );
        }
    }

    /// Counts the completed moves of one side.
    #[must_use]
    pub fn completed_moves(&self, side: Color) -> usize {
        self.plies.iter().filter(|ply| ply.side == side && ply.completed).count()
    }

    /// Returns whether castling is that of Chess960.
    #[must_use]
    pub const fn is_chess960(&self) -> bool {
        matches!(self.start.mode(), CastlingMode::Chess960)
    }

    /// Describes one ply for the outside.
    #[must_use]
    pub fn move_event(&self, number: u32) -> Option<MoveEvent> {
        let ply = self.ply(number)?;
        let fen = if number == self.len() {
            self.fen.get_or_init(|| self.position.fen()).clone()
        } else {
            self.position_after(number).fen()
        };
        Some(MoveEvent {
            game: self.number,
            ply: number,
            side: ply.side,
            uci: ply.uci,
            san: ply.san,
            fen,
            legal: ply.is_legal(),
            completed: ply.completed,
            confidence: ply.confidence,
            clock: ply.clock,
            inferred: ply.inferred.is_some(),
            alternatives: ply.inferred,
            entered: ply.entered,
            remark: ply.remark.clone(),
        })
    }

    /// Describes the whole game for the outside.
    #[must_use]
    pub fn event(&self, tags: &Tags) -> GameEvent {
        let moves = self.plies.iter().map(|ply| GameMove {
            uci: ply.uci,
            san: ply.san,
            legal: ply.is_legal(),
            clock: ply.clock,
            inferred: ply.inferred.is_some(),
            alternatives: ply.inferred,
            entered: ply.entered,
            remark: ply.remark.clone(),
        });
        GameEvent {
            game: self.number,
            fen: self.start.fen(),
            moves: moves.collect(),
            result: self.result.map_or("*", GameResult::score),
            pgn: self.pgn(tags),
        }
    }
}

fn index(number: u32) -> Option<usize> {
    usize::try_from(number.checked_sub(1)?).ok()
}

#[cfg(test)]
mod tests;
