//! From the fields of the protocol to squares: what a board shows goes to the tracker and outside.

use dgt_protocol::{Field, Placement};
use shakmaty::{Color, Piece, Role, Square};

use super::{Board, observed::Observation, setup, weighing::Observed};
use crate::{
    event::EventKind,
    fact::{Fact, MismatchCause},
    model::{decision, sensors, wait},
    position::Position,
    time::Timestamp,
};

impl Board {
    /// Handles what a field shows.
    pub(super) fn handle_field(&mut self, field: Field, piece: dgt_protocol::Piece, now: Timestamp) {
        self.pick_up_calm(now);
        if piece == dgt_protocol::Piece::Empty && self.sensing.codes.get(field) == piece {
            self.seat_evidence.note_unseen(field);
        }
        if piece == dgt_protocol::Piece::Empty {
            self.seat_evidence.note_lift(self.sensing.codes.get(field));
        }
        self.sensing.note_hand(field, piece, now);
        self.adoption.note_report(field, now);
        let sign = setup::is_sign(piece) || setup::is_sign(self.sensing.codes.get(field));
        if sign {
            self.note_sign(field, piece);
        }
        if sign && from_code(piece).is_none() && self.tracker.board().piece_at(self.square(field)).is_none() {
            // It is no piece, and what stood on the square is gone already.
            self.sensing.codes.set(field, piece);
            self.update_lifecycle(now);
            return;
        }
        if let Some(scan) = self.scan_meter.take_report(field, now) {
            self.referee.set_scan(scan);
            self.tracker.set_scan(scan);
        }
        self.sensing.codes.set(field, piece);
        if self.sensing.known {
            // The first change after the set-up is a move, however soon it comes; a piece that was missing completes it.
            let (square, shown) = (self.square(field), self.tracker.board());
            let stood = |start: &Position| start.board().piece_at(square) == shown.piece_at(square);
            if let Some((_, position)) =
                self.pending.start.take_if(|(_, start)| !self.tracker.is_playing() && stood(start))
            {
                self.begin(position, now);
            }
            self.show(field, piece, false, now);
            self.note_agreement(square, piece);
            self.update_lifecycle(now);
            self.pick_up_unclocked(now);
        }
    }

    /// Handles what all fields show, unless too much of it is new to be believed at once.
    pub(super) fn handle_dump(&mut self, placement: Placement, now: Timestamp) {
        let differing = self.sensing.codes.differences(&placement).count();
        let believed = !self.sensing.known
            || differing <= decision::MOST_DUMPED
            || self.sensing.doubted == Some(placement);
        self.sensing.doubted = (!believed).then_some(placement);
        if !believed {
            return;
        }
        let disbelieved = self.sensing.disbelieved.take();
        let shown_again = disbelieved.is_some_and(|(field, piece)| placement.get(field) == piece);
        if shown_again {
            self.tracker.set_corrupted(false);
        }
        self.sensing.codes = placement;
        self.confirm_sign();
        let first = !std::mem::replace(&mut self.sensing.known, true);
        if first {
            self.orient(now);
        }
        self.note_next_dump(&placement);
        self.show_all(now);
        self.correct_first_dump(now);
        self.keep_observation(Observation::Dump, now);
        self.adoption.note_dump(now);
        self.tracker.handle_dump(now);
        if std::mem::take(&mut self.sensing.odd_start) {
            // Damage that leaves a dump in its form changes what stands there.
            if shown_again && self.tracker.is_undamaged() {
                self.begin_with_wrong_kinds(now);
            }
            self.tracker.note_odd_start(self.tracker.board().clone(), true);
        }
        if self.tracker.has_unseen_moves() {
            self.clock.forget_silence();
        }
        self.take_press_in_silence(now);
        self.seat_evidence.resume(&self.sensing.codes);
        self.seat_evidence_of_dump(now);
        self.update_lifecycle(now);
        if first {
            self.pending.calm = Some(now + wait::HELD);
        }
        self.watch_for_moves(now);
        self.report_unidentified(&placement);
    }

    /// Reports once that all pieces read alike, as on a Pegasus, which senses whether something stands on a square, and not what.
    fn report_unidentified(&mut self, placement: &Placement) {
        let shown = || placement.iter().filter(|(_, piece)| *piece != dgt_protocol::Piece::Empty);
        let Some((_, first)) = shown().next() else { return };
        if shown().count() < sensors::LEAST_ALIKE
            || shown().any(|(_, piece)| piece != first)
            || std::mem::replace(&mut self.unidentified, true)
        {
            return;
        }
        let squares = shown().map(|(field, _)| self.square(field)).collect();
        self.facts.push(Fact::Mismatch { squares, cause: MismatchCause::Unidentified });
    }

    /// Passes on to the tracker, and emits, what a field shows, if it is new.
    pub(super) fn show(&mut self, field: Field, piece: dgt_protocol::Piece, dumped: bool, now: Timestamp) {
        let (square, code) = (self.square(field), piece);
        let piece = from_code(piece);
        let was = self.tracker.board().piece_at(square);
        if was != piece || !dumped {
            self.keep_observation(Observation::Field(field, code, dumped), now);
        }
        if was == piece {
            if !dumped {
                self.weighing.note(Observed::Square(square, piece), now);
            }
            self.tracker.handle_square(square, piece, dumped, now);
            return;
        }
        self.weighing.note(Observed::Square(square, piece), now);
        if let Some(was) = was {
            self.emit(now, EventKind::Lift { square, piece: was });
        }
        if let Some(piece) = piece {
            self.emit(now, EventKind::Place { square, piece });
        }
        self.tracker.handle_square(square, piece, dumped, now);
    }

    /// Returns the square that a field is, as the board lies.
    pub(super) fn square(&self, field: Field) -> Square {
        square_of(if self.rotated { field.rotated() } else { field })
    }
}

/// Fields run from a8 in reading order, squares from a1.
pub(super) fn square_of(field: Field) -> Square {
    Square::new(u32::from(field.number())).flip_vertical()
}

/// Returns how the protocol names a piece.
pub(super) fn to_code(piece: Piece) -> dgt_protocol::Piece {
    dgt_protocol::Piece::from_letter(piece.char()).unwrap_or(dgt_protocol::Piece::Empty)
}

/// Returns the piece that the protocol names; `None` for an empty field and for signs.
pub(super) const fn from_code(piece: dgt_protocol::Piece) -> Option<Piece> {
    use dgt_protocol::Piece as Code;
    let (color, role) = match piece {
        Code::WhitePawn => (Color::White, Role::Pawn),
        Code::WhiteKnight => (Color::White, Role::Knight),
        Code::WhiteBishop => (Color::White, Role::Bishop),
        Code::WhiteRook => (Color::White, Role::Rook),
        Code::WhiteQueen => (Color::White, Role::Queen),
        Code::WhiteKing => (Color::White, Role::King),
        Code::BlackPawn => (Color::Black, Role::Pawn),
        Code::BlackKnight => (Color::Black, Role::Knight),
        Code::BlackBishop => (Color::Black, Role::Bishop),
        Code::BlackRook => (Color::Black, Role::Rook),
        Code::BlackQueen => (Color::Black, Role::Queen),
        Code::BlackKing => (Color::Black, Role::King),
        Code::Empty | Code::MagicDraw | Code::MagicWhiteWins | Code::MagicBlackWins => return None,
    };
    Some(Piece { color, role })
}
