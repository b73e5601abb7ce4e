//! Owns the evidence that has not been judged: every change of a square and every press since the last judgement.

use std::time::Duration;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Piece, Square};

use crate::{event::Times, fact::Change, model::effort, time::Timestamp};

/// A press of the clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Press {
    /// Who pressed.
    pub side: Color,
    /// When the clock reported it.
    pub at: Timestamp,
    /// When the clock last reported that its side had not pressed, if that is known.
    pub up_at: Option<Timestamp>,
    /// Whether the lever was seen to move.
    pub seen: bool,
    /// Seconds by which the presser's time rose.
    pub increment_s: u32,
    /// What the clock showed after it.
    pub clock: Option<Times>,
}

/// The evidence that has not been judged.
#[derive(Clone, Debug)]
pub(super) struct Window {
    /// What the board showed when the window opened.
    base: Board,
    /// What it shows.
    board: Board,
    changes: Vec<Change>,
    /// For each change the number of the one before it on the same square, from 1; 0 if it is the first.
    earlier: Vec<u8>,
    /// For each square the number of its last change, from 1; 0 if there is none.
    latest: [u8; 64],
    presses: ArrayVec<Press, { effort::MOST_PRESSES }>,
    /// The clock stood still at some time.
    pub(super) paused: bool,
    /// Nothing was heard of the board for a while.
    pub(super) gap: bool,
}

impl Window {
    pub(super) fn new(board: Board) -> Self {
        Self {
            base: board.clone(),
            board,
            changes: Vec::new(),
            earlier: Vec::new(),
            latest: [0; 64],
            presses: ArrayVec::new(),
            paused: false,
            gap: false,
        }
    }

    /// Returns what the board shows.
    pub(super) const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns what the board showed when the window opened.
    pub(super) const fn base(&self) -> &Board {
        &self.base
    }

    pub(super) fn changes(&self) -> &[Change] {
        &self.changes
    }

    pub(super) fn presses(&self) -> &[Press] {
        &self.presses
    }

    pub(super) fn push(&mut self, change: Change) {
        if self.changes.len() == effort::WINDOW {
            self.drop_front(effort::WINDOW / 2);
        }
        debug_assert!(self.changes.last().is_none_or(|last| last.at <= change.at), "changes come in order");
        set(&mut self.board, change.square, change.is);
        self.changes.push(change);
        self.index(change.square);
    }

    /// Adds the last change to the index of its square.
    fn index(&mut self, square: Square) {
        debug_assert!(self.earlier.len() < usize::from(u8::MAX), "the number of a change fits into a byte");
        let number = u8::try_from(self.earlier.len() + 1).unwrap_or(u8::MAX);
        let before =
            self.latest.get_mut(usize::from(square)).map_or(0, |last| std::mem::replace(last, number));
        self.earlier.push(before);
    }

    fn index_all(&mut self) {
        self.earlier.clear();
        self.latest = [0; 64];
        for number in 0..self.changes.len() {
            if let Some(square) = self.changes.get(number).map(|change| change.square) {
                self.index(square);
            }
        }
    }

    /// Returns the last of the first `count` changes that was on this square.
    pub(super) fn last_change_within(&self, square: Square, count: usize) -> Option<&Change> {
        self.changes.get(self.last_of(square, count).checked_sub(1)?)
    }

    /// Returns the report that this piece was taken off its square, if it is the last of the first `count` changes there.
    pub(super) fn taken_up(&self, square: Square, piece: Piece, count: usize) -> Option<&Change> {
        self.last_change_within(square, count)
            .filter(|last| !last.dumped && last.was == Some(piece) && last.is.is_none())
    }

    /// Returns the last change of a square and its index.
    pub(super) fn last_change_of(&self, square: Square) -> Option<(usize, &Change)> {
        let index = self.last_of(square, usize::MAX).checked_sub(1)?;
        Some((index, self.changes.get(index)?))
    }

    /// Returns the number of the last of the first `count` changes that was on this square, from 1; 0 if there is
    /// none.
    fn last_of(&self, square: Square, count: usize) -> usize {
        let mut number = self.latest.get(usize::from(square)).copied().map_or(0, usize::from);
        while number > count {
            number = self.earlier.get(number - 1).copied().map_or(0, usize::from);
        }
        number
    }

    /// Handles a press; returns false if there is no room, and judgement has to come first.
    pub(super) fn press(&mut self, press: Press) -> bool {
        self.presses.try_push(press).is_ok()
    }

    /// Ends the evidence before change number `upto` and the first `presses`; what came later belongs to the next
    /// move.
    pub(super) fn cut(&mut self, upto: usize, presses: usize) {
        self.drop_front(upto);
        self.presses.drain(..presses.min(self.presses.len()));
        self.paused = false;
        self.gap = false;
    }

    /// Returns the evidence that [`Window::cut`] would end.
    pub(super) fn head(&self, upto: usize, presses: usize) -> Self {
        debug_assert!(upto <= self.changes.len(), "{upto} of {} changes", self.changes.len());
        let mut head = self.clone();
        head.changes.truncate(upto);
        head.index_all();
        head.presses.truncate(presses);
        head.board = self.board_after(upto);
        head
    }

    /// Returns the evidence of two windows that follow one another.
    pub(super) fn joined(first: &Self, second: &Self) -> Self {
        let mut joined = first.clone();
        for change in &second.changes {
            joined.push(*change);
        }
        for press in &second.presses {
            // A press beyond the room there is belongs to a window too long to be judged again.
            joined.press(*press);
        }
        joined.board.clone_from(&second.board);
        joined.paused |= second.paused;
        joined.gap |= second.gap;
        joined
    }

    fn drop_front(&mut self, count: usize) {
        let count = count.min(self.changes.len());
        for change in self.changes.drain(..count) {
            set(&mut self.base, change.square, change.is);
        }
        if count > 0 {
            self.index_all();
        }
    }

    /// Returns what the board showed after the first `count` changes.
    pub(super) fn board_after(&self, count: usize) -> Board {
        if count >= self.changes.len() {
            return self.board.clone();
        }
        let mut board = self.base.clone();
        for change in self.changes.iter().take(count) {
            set(&mut board, change.square, change.is);
        }
        board
    }

    /// Returns how many changes had been reported by `at`.
    pub(super) fn count_until(&self, at: Timestamp) -> usize {
        self.changes.partition_point(|change| change.at <= at)
    }

    /// Returns whether a square showed this piece after the first `count` changes.
    pub(super) fn showed(&self, square: Square, piece: Piece, count: usize) -> bool {
        match self.last_of(square, count).checked_sub(1) {
            Some(index) => self.changes.get(index).is_some_and(|change| change.is == Some(piece)),
            None => self.base.by_piece(piece).contains(square),
        }
    }

    /// Returns the first change of a square after the first `from` that is `wanted`, and its number, counted from 1.
    pub(super) fn first_of(
        &self,
        square: Square,
        from: usize,
        wanted: impl Fn(&Change) -> bool,
    ) -> Option<(usize, &Change)> {
        // Few of the changes are on this square: they are followed from the last one back.
        let mut first = None;
        let mut number = self.last_of(square, usize::MAX);
        while number > from {
            if let Some(change) = self.changes.get(number - 1).filter(|change| wanted(change)) {
                first = Some((number, change));
            }
            number = self.earlier.get(number - 1).copied().map_or(0, usize::from);
        }
        first
    }

    /// Returns the number of the first change after the first `from`, counted from 1, by which the square came to show
    /// `piece`; `from` itself if it showed it then.
    pub(super) fn first_showing(&self, square: Square, piece: Piece, from: usize) -> Option<usize> {
        if self.showed(square, piece, from) {
            return Some(from);
        }
        self.first_of(square, from, |change| change.is == Some(piece)).map(|(number, _)| number)
    }

    /// Returns the same for the change by which the square stopped showing `piece`.
    pub(super) fn first_without(&self, square: Square, piece: Piece, from: usize) -> Option<usize> {
        if !self.showed(square, piece, from) {
            return Some(from);
        }
        self.first_of(square, from, |change| change.is != Some(piece)).map(|(number, _)| number)
    }

    /// Returns how many changes there were after so many, with those that follow at once by which a captured piece was parked and taken
    /// off again: they say nothing of what was played next.
    pub(super) fn count_parked(&self, count: usize, victim: Piece) -> usize {
        let mut parked = Bitboard::EMPTY;
        let mut end = count;
        for (number, change) in (1..).zip(&self.changes).skip(count) {
            match (change.was, change.is) {
                (None, Some(is)) if is == victim => parked.add(change.square),
                (Some(was), None) if was == victim && parked.contains(change.square) => {
                    parked.discard(change.square);
                }
                (_, _) => break,
            }
            if parked.is_empty() {
                end = number;
            }
        }
        end
    }

    /// Returns whether a square showed a piece at an instant and went on showing it for so long, until it was seen to leave, to be taken, or
    /// until now. A dump that shows the square without it shows that its leaving was not reported.
    pub(super) fn has_stood_since(
        &self,
        square: Square,
        piece: Piece,
        at: Timestamp,
        span: Duration,
    ) -> bool {
        let count = self.count_until(at);
        if !self.showed(square, piece, count) {
            return false;
        }
        let departure =
            self.first_without(square, piece, count).and_then(|number| self.changes.get(number - 1));
        departure.is_none_or(|departure| !departure.dumped && departure.at.since(at) >= span)
    }

    /// Returns how many pieces that a side has in a position were off their squares at once, those on squares that are faulty left aside.
    pub(super) fn most_in_the_air(&self, position: &Board, side: Color, faulty: Bitboard) -> usize {
        let pieces = position.by_color(side) & !faulty;
        let mut board = self.base.clone();
        let off = |board: &Board| (pieces & !board.occupied()).count();
        let mut most = off(&board);
        for change in &self.changes {
            set(&mut board, change.square, change.is);
            most = most.max(off(&board));
        }
        most
    }

    /// Returns all squares that changed.
    pub(super) fn touched(&self) -> Bitboard {
        self.changes.iter().fold(Bitboard::EMPTY, |squares, change| squares.with(change.square))
    }

    /// Returns for each piece all squares that showed it at some time.
    pub(super) fn displayed(&self) -> ByColor<ByRole<Bitboard>> {
        let mut displayed =
            ByColor::new_with(|color| ByRole::new_with(|role| self.base.by_piece(Piece { color, role })));
        for change in &self.changes {
            if let Some(piece) = change.is {
                displayed.get_mut(piece.color).get_mut(piece.role).add(change.square);
            }
        }
        displayed
    }

    /// Returns when the last change came.
    pub(super) fn last_change(&self) -> Option<Timestamp> {
        self.changes.last().map(|change| change.at)
    }

    /// Returns whether the board has been quiet for `span`.
    pub(super) fn quiet_for(&self, span: Duration, now: Timestamp) -> bool {
        self.last_change().is_none_or(|at| now.since(at) >= span)
    }
}

/// Puts a piece on a square, or empties it.
pub(super) fn set(board: &mut Board, square: Square, piece: Option<Piece>) {
    match piece {
        Some(piece) => board.set_piece_at(square, piece),
        None => board.discard_piece_at(square),
    }
}
