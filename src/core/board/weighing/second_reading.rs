//! Owns the second reading: what is published has to lead to what the board shows; where it does not for a second while play goes on, or
//! for three, the decoder reads the last plies again, and the moves that it finds more probable than not take their place.

use shakmaty::Bitboard;

use super::Weighing;
use crate::{
    board::Board,
    decoder::{Params, ReadMove},
    game::Game,
    model::{effort, wait},
    position::differences,
    time::{Due, Timestamp},
};

/// Squares that do not show what the list of plies has there.
#[derive(Debug, Default)]
pub(super) struct Difference {
    /// Those that have differed since then.
    squares: Bitboard,
    since: Timestamp,
    /// How many plies the list had then.
    plies: u32,
    due: Option<Timestamp>,
    /// A press was to be judged first.
    not_before: Timestamp,
    /// What was asked about last, and how often since the list and the board agreed.
    asked: Option<(Bitboard, u32)>,
    /// When the same is asked once more: no plain answer came.
    again: Option<Timestamp>,
    times: u8,
}

/// The last moves, as the decoder reads them.
struct Reading {
    /// How many plies came before them.
    keep: u32,
    moves: Vec<ReadMove>,
    /// Squares that did not show what stood there.
    faulty: Bitboard,
}

impl Difference {
    /// Notes how the board differs from the list, which has so many plies; `strange`: those squares that no lifted piece has left.
    fn note(&mut self, odd: Bitboard, strange: Bitboard, plies: u32, now: Timestamp) {
        if odd.is_empty() {
            if self.squares.any() {
                *self = Self::default();
            }
            return;
        }
        let rest = self.squares & odd;
        if rest.is_empty() {
            (self.squares, self.since, self.plies) = (odd, now, plies);
        } else {
            self.squares = rest;
        }
        // A hand may hold a piece for long, and put the pieces of one move down one after the other; play does not go on meanwhile.
        let went_on = plies > self.plies;
        let after = if went_on { wait::SECOND_READING } else { wait::SECOND_READING_AT_REST };
        let is_odd = went_on || (self.squares & strange).any();
        let is_new = self.asked != Some((self.squares, plies));
        let due = if is_new { Some(self.since + after) } else { self.again };
        let may_ask = is_odd && self.times < effort::SECOND_READINGS;
        self.due = due.filter(|_| may_ask).map(|due| due.max(self.not_before));
    }
}

impl Weighing {
    /// Returns when the decoder reads the last plies again.
    pub(super) fn second_reading_due(&self) -> Due {
        self.difference.due.map(|due| (due, "the board does not show what was played"))
    }

    /// Reads the moves since the oldest position that is kept.
    fn read_again(&self, now: Timestamp) -> Option<Reading> {
        let known = self.known.front()?;
        let faulty = known.faulty();
        let mut decoder = self.read_since(known, faulty, &Params::BRIEF).decoder;
        decoder.look(now);
        Some(Reading { keep: known.plies, moves: decoder.moves(now)?, faulty })
    }
}

impl Board {
    /// Notes whether what is published leads to what the board shows.
    pub(in crate::board) fn note_difference(&mut self, now: Timestamp) {
        let board = self.tracker.board();
        let playing = self.tracker.game().filter(|_| self.tracker.is_playing());
        let (odd, plies) = match (playing, self.weighing.known.front()) {
            (Some(game), Some(known)) => {
                (differences(game.position().board(), board) & !known.faulty(), game.len())
            }
            _ => (Bitboard::EMPTY, 0),
        };
        self.weighing.difference.note(odd, odd & board.occupied(), plies, now);
    }

    /// Lets the decoder read the last plies again, if it is time.
    pub(in crate::board) fn read_second_time(&mut self, now: Timestamp) {
        let difference = &mut self.weighing.difference;
        if difference.due.take_if(|due| *due <= now).is_none() {
            return;
        }
        if !self.tracker.is_settled() {
            difference.not_before = now + wait::SECOND_READING;
            difference.due = Some(difference.not_before);
            return;
        }
        difference.asked = Some((difference.squares, self.tracker.game().map_or(0, Game::len)));
        difference.times = difference.times.saturating_add(1);
        let read = self.weighing.read_again(now);
        // Time says more, too: no piece stands amiss for long.
        self.weighing.difference.again = read.is_none().then(|| now + wait::SECOND_READING);
        if let Some(Reading { keep, moves, faulty }) = read {
            self.tracker.take_reading(keep, &moves, faulty, now);
        }
    }
}
