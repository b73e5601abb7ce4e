//! Which way the board lies, as the configuration or a start position says, and what follows for the clock.

use dgt_protocol::{Field, Placement, Side};
use shakmaty::{Color, Piece, Role};

use super::{Board, Orientation, WhiteClock, observed, setup, to_code};
use crate::{position::Position, time::Timestamp};

impl Board {
    /// Seats the players as configured, or as the orientation suggests.
    pub(super) fn seat_by_default(&mut self) {
        match self.orientation() {
            Orientation::Auto => {}
            Orientation::Normal => self.rotated = false,
            Orientation::Rotated => self.rotated = true,
        }
        self.white = match self.white_clock() {
            WhiteClock::Right => Side::Right,
            WhiteClock::Auto if self.rotated => Side::Right,
            WhiteClock::Left | WhiteClock::Auto => Side::Left,
        };
    }

    pub(super) fn white_clock(&self) -> WhiteClock {
        self.settings.white_clock(&self.id)
    }

    pub(super) fn orientation(&self) -> Orientation {
        self.settings.orientation(&self.id)
    }

    /// Finds out how the board lies from the first dump.
    pub(super) fn orient(&mut self, now: Timestamp) {
        if self.orientation() != Orientation::Auto || self.tracker.game().is_some() {
            return;
        }
        let seen = |rotated: bool| observed::read(&self.sensing.codes, rotated);
        let wanted = Position::from_fen(&self.settings.game.fen, self.mode()).ok();
        let fits = |board: &shakmaty::Board| match &wanted {
            Some(position) => position.board() == board,
            None => {
                setup::start(board, self.settings.game.chess960).is_some()
                    || setup::wrong_start(board).is_some()
            }
        };
        if !fits(&seen(self.rotated)) && fits(&seen(!self.rotated)) {
            self.turn(now);
        }
    }

    /// Turns the board round if that may be; what stands on it is emitted anew.
    pub(super) fn rotate(&mut self, now: Timestamp) -> bool {
        if self.orientation() != Orientation::Auto {
            return false;
        }
        self.turn(now);
        self.show_all(now);
        true
    }

    /// Emits what stands on the squares that were emitted otherwise; mostly there is none.
    pub(super) fn show_all(&mut self, now: Timestamp) {
        let codes = self.sensing.codes;
        let reported = placement(self.tracker.board(), self.rotated);
        for field in reported.differences(&codes) {
            self.show(field, codes.get(field), true, now);
        }
    }

    pub(super) fn turn(&mut self, now: Timestamp) {
        self.rotated = !self.rotated;
        if self.white_clock() == WhiteClock::Auto {
            self.white = if self.rotated { Side::Right } else { Side::Left };
        }
        self.report_board(now);
    }
}

/// Returns what the fields of a board show on which these pieces stand.
pub(super) fn placement(board: &shakmaty::Board, rotated: bool) -> Placement {
    let mut codes = Placement::EMPTY;
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece { color, role };
            for square in board.by_piece(piece) {
                // Fields run from a8 in reading order.
                if let Some(field) = Field::new(u8::from(square.flip_vertical())) {
                    codes.set(if rotated { field.rotated() } else { field }, to_code(piece));
                }
            }
        }
    }
    codes
}
