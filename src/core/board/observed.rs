//! What a board and its clock reported of a game, kept to be read again when the seats turn out otherwise.

use arrayvec::ArrayVec;
use dgt_protocol::{Field, Piece, Placement, Side};

use super::from_code;
use crate::{clock::color, model::decision, position::Position, time::Timestamp};

/// What a board and its clock reported.
#[derive(Clone, Copy, Debug)]
pub(super) enum Observation {
    /// A field shows a piece; whether a dump showed it.
    Field(Field, Piece, bool),
    /// A dump is complete.
    Dump,
    /// A side of the clock pressed; the displays showed these seconds, left and right.
    Press { side: Side, seen: bool, increment_s: u32, shown: Option<(u32, u32)> },
    /// This side's time runs.
    Running(Option<Side>),
    /// The link was lost.
    Gap,
    /// From now on the clock is heard, or is not.
    Clock(bool),
}

/// What is kept to be read again.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of one another")]
pub(super) struct ObservedGame {
    /// What stood on the board at the beginning.
    pub(super) base: Placement,
    pub(super) began: Timestamp,
    /// Side of the clock that ran, and whose turn it was if that is known.
    pub(super) running: Option<Side>,
    pub(super) start: Option<Position>,
    /// Whether the clock was heard at the beginning.
    pub(super) clocked: bool,
    /// Whether it was when something was kept last.
    pub(super) hears_clock: bool,
    pub(super) observations: Vec<(Timestamp, Observation)>,
    /// Whether anybody has pressed.
    pub(super) pressed: bool,
    /// Whether a whole move has been seen, from the lift to the press.
    pub(super) whole: bool,
    /// Pieces on fields that have never shown anything, as came to light when they moved.
    pub(super) hidden: ArrayVec<(Field, Piece), { decision::MOST_HIDDEN }>,
}

impl ObservedGame {
    /// Returns what a field has reported first since the beginning.
    pub(super) fn first_report(&self, field: Field) -> Option<Piece> {
        self.observations.iter().find_map(|(_, observation)| match observation {
            Observation::Field(other, piece, false) if *other == field => Some(*piece),
            Observation::Field(..)
            | Observation::Dump
            | Observation::Press { .. }
            | Observation::Running(_)
            | Observation::Gap
            | Observation::Clock(_) => None,
        })
    }

    /// Puts right what stood on the board at the beginning, where the dump at `now` is the first to show a field and shows another
    /// piece there: one of the two dumps was damaged, and no hand exchanged the pieces without a report. Returns whether it did.
    pub(super) fn correct_base(&mut self, now: Timestamp) -> bool {
        if self.pressed || self.start.is_some() {
            return false;
        }
        let mut corrected = false;
        let mut reported = Vec::new();
        let base = &mut self.base;
        self.observations.retain(|(at, observation)| {
            let Observation::Field(field, piece, dumped) = *observation else { return true };
            let exchanged = dumped
                && *at == now
                && piece != Piece::Empty
                && base.get(field) != Piece::Empty
                && !reported.contains(&field);
            if exchanged {
                base.set(field, piece);
                corrected = true;
            } else {
                reported.push(field);
            }
            !exchanged
        });
        corrected
    }

    /// Returns the number of the observation that is a press for a move made before the game was adopted, if White sits on that
    /// side of the clock: the side whose time ran presses, and none of its pieces has been lifted or put down since.
    pub(super) fn pressed_for_before(&self, white: Side) -> Option<usize> {
        let running = self.running.filter(|_| self.start.is_none())?;
        let mut codes = self.base;
        for (index, (_, observation)) in self.observations.iter().enumerate() {
            match *observation {
                Observation::Field(field, piece, _) => {
                    let was = codes.get(field);
                    codes.set(field, piece);
                    let hand = from_code(if piece == Piece::Empty { was } else { piece });
                    if hand.is_some_and(|piece| piece.color == color(running, white)) {
                        return None;
                    }
                }
                Observation::Press { side, seen: true, .. } if side == running => return Some(index),
                Observation::Press { .. } | Observation::Running(_) | Observation::Gap => return None,
                Observation::Dump | Observation::Clock(_) => {}
            }
        }
        None
    }
}

/// Reads what stands on the fields of a board.
pub(super) fn read(codes: &Placement, rotated: bool) -> shakmaty::Board {
    let mut board = shakmaty::Board::empty();
    for (field, piece) in codes.iter() {
        let field = if rotated { field.rotated() } else { field };
        if let Some(piece) = from_code(piece) {
            board.set_piece_at(super::square_of(field), piece);
        }
    }
    board
}
