//! What the sensors saw of an attempt at a move, in the order in which a person would describe it.
//!
//! A board reports square after square, scan after scan: events of one scan have no order.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Piece, Square};

use crate::{
    fact::{Change, Pressed},
    position::differences,
};

/// Whoever adjusts a piece holds it for less than this.
pub(super) const TOUCH: Duration = Duration::from_millis(1500);

/// Changes of the board since it last stood as before the move.
#[derive(Clone, Debug)]
pub(super) struct Attempt<'a> {
    changes: &'a [Change],
}

/// A piece that was off its square for a while, and came back to it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct ReturnedPiece {
    pub(super) square: Square,
    pub(super) piece: Piece,
    pub(super) lifted: crate::time::Timestamp,
    pub(super) placed: crate::time::Timestamp,
}

impl ReturnedPiece {
    pub(super) fn dwell(&self) -> Duration {
        self.placed.since(self.lifted)
    }
}

impl<'a> Attempt<'a> {
    /// Returns what happened after the last moment at which the board stood as before the move; `None` if it never
    /// did, or if only a dump shows it.
    pub(super) fn last(pressed: &'a Pressed) -> Option<Self> {
        Self::all(pressed).pop()
    }

    /// Returns all attempts at the move, each from the board as it stood before.
    pub(super) fn all(pressed: &'a Pressed) -> Vec<Self> {
        debug_assert!(pressed.attempt.is_sorted_by_key(|change| change.at), "changes are in their order");
        let before = pressed.before.board();
        let mut board = starting_board(before, &pressed.attempt);
        let mut attempts = Vec::new();
        let mut start = differences(&board, before).is_empty().then_some(0);
        for (index, change) in pressed.attempt.iter().enumerate() {
            set(&mut board, change.square, change.is);
            if differences(&board, before).is_empty() {
                attempts.extend(start.and_then(|start| pressed.attempt.get(start..=index)));
                start = Some(index + 1);
            }
        }
        attempts.extend(start.and_then(|start| pressed.attempt.get(start..)));
        let observed = attempts.into_iter().filter(|changes| !changes.iter().any(|change| change.dumped));
        observed.filter(|changes| !changes.is_empty()).map(|changes| Self { changes }).collect()
    }

    pub(super) const fn changes(&self) -> &'a [Change] {
        self.changes
    }

    /// Returns the first time a piece left a square.
    pub(super) fn first_lift(&self, square: Square, piece: Piece) -> Option<&'a Change> {
        self.changes.iter().find(|change| change.square == square && change.was == Some(piece))
    }

    /// Returns the last time a piece left a square.
    pub(super) fn last_lift(&self, square: Square, piece: Piece) -> Option<&'a Change> {
        self.changes.iter().rev().find(|change| change.square == square && change.was == Some(piece))
    }

    /// Returns the first time that this piece stood anywhere after it was lifted.
    pub(super) fn first_stand(&self, piece: Piece, lift: &Change) -> Option<&'a Change> {
        self.changes.iter().find(|change| change.is == Some(piece) && change.at >= lift.at)
    }

    /// Returns the last time a piece arrived on a square.
    pub(super) fn last_place(&self, square: Square, piece: Piece) -> Option<&'a Change> {
        self.changes.iter().rev().find(|change| change.square == square && change.is == Some(piece))
    }
}

/// Lists the pieces that were lifted and put back on their squares, in the order in which they were lifted.
pub(super) fn returns(changes: &[Change]) -> Vec<ReturnedPiece> {
    let mut found = Vec::new();
    for (index, lift) in changes.iter().enumerate() {
        let Some(piece) = lift.was.filter(|_| lift.is.is_none()) else { continue };
        let next = changes.iter().skip(index + 1).find(|change| change.square == lift.square);
        if let Some(place) = next.filter(|change| change.is == Some(piece)) {
            found.push(ReturnedPiece { square: lift.square, piece, lifted: lift.at, placed: place.at });
        }
    }
    found
}

/// Returns whether two events may belong to one scan.
pub(super) fn same_scan(a: &Change, b: &Change, scan: Duration) -> bool {
    a.at.since(b.at).max(b.at.since(a.at)) <= one_scan(scan)
}

/// Returns what lies between the events of one scan at most, and between those of two at least: half a scan and a
/// little.
pub(super) fn one_scan(scan: Duration) -> Duration {
    scan * 3 / 5
}

/// Returns the board as it stood before the first change.
fn starting_board(before: &Board, changes: &[Change]) -> Board {
    let mut board = before.clone();
    let mut seen = Bitboard::EMPTY;
    for change in changes {
        if !seen.contains(change.square) {
            seen.add(change.square);
            set(&mut board, change.square, change.was);
        }
    }
    board
}

fn set(board: &mut Board, square: Square, piece: Option<Piece>) {
    match piece {
        Some(piece) => board.set_piece_at(square, piece),
        None => board.discard_piece_at(square),
    }
}
