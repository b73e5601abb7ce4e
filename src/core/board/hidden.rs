//! Pieces that nobody has seen since a game was picked up in its middle: where one that comes from nowhere may have stood.

use dgt_protocol::{Field, Piece as Code, Placement};
use shakmaty::{Bitboard, File, Piece, Rank, Role, Square};

use super::{
    Board,
    observed::{ObservedGame, read},
    seat_evidence::Interval,
    to_code,
};
use crate::{
    game::{Game, Played, Ply},
    position::{castling_squares, has_possible_material},
    time::Timestamp,
};

impl Board {
    /// Reads a game that was picked up in its middle again where a piece that has come from nowhere may have stood then; returns whether it did.
    pub(super) fn read_with_hidden(&mut self, interval: &Interval, now: Timestamp) -> bool {
        let Some(record) = self.adoption.record.as_ref() else { return false };
        if !self.adoption.adopted || !record.whole || self.tracker.hides_play() {
            return false;
        }
        let Some((piece, to)) = interval.from_nowhere else { return false };
        let unheard = self.unheard_origin(record, interval.unseen, piece, to);
        let hidden = if unheard.is_none() { self.hidden_origin(record, piece, to) } else { None };
        let Some(record) = self.adoption.record.as_mut() else { return false };
        if let Some(field) = unheard {
            record.base.set(field, to_code(piece));
        } else if hidden.is_none_or(|field| record.hidden.try_push((field, to_code(piece))).is_err()) {
            return false;
        }
        self.read_again(now);
        true
    }

    /// Returns the field from which the piece was lifted, if nobody had heard that it was put down there before the game was picked up: nothing
    /// has come there before.
    fn unheard_origin(
        &self,
        record: &ObservedGame,
        unseen: [Option<Field>; 2],
        piece: Piece,
        to: Field,
    ) -> Option<Field> {
        if self.came_by_rule(to) {
            return None;
        }
        let left_first = |field: &Field| record.first_report(*field) == Some(Code::Empty);
        let stood = |field: &Field| may_have_stood(&record.base, piece, *field) && left_first(field);
        unseen.into_iter().flatten().find(stood)
    }

    /// Returns the field on which the piece stood when the game was picked up: one that has never shown anything, as it may be dead. Of several
    /// it is the one where such a piece begins a game.
    fn hidden_origin(&self, record: &ObservedGame, piece: Piece, to: Field) -> Option<Field> {
        // What stood on a square to which pieces have come in play may be one of those.
        let plies = self.tracker.game().map_or(&[][..], Game::plies);
        let visited = |ply: &Ply| match &ply.played {
            Played::Legal(m) => m.to(),
            Played::Irregular(irregular) => irregular.to,
        };
        let visited: Bitboard = plies.iter().map(visited).collect();
        let codes = self.sensing.codes;
        let captured = record.base.get(to) != Code::Empty;
        // One of its twins that are seen is more likely to have gone there, and not to have been reported.
        if !sources(&codes, self.rotated, piece, to, captured).is_empty() {
            return None;
        }
        let is_free = |field: &Field| {
            record.base.get(*field) == Code::Empty
                && codes.get(*field) == Code::Empty
                && !(visited.contains(self.square(*field)) || self.tracker.has_shown(self.square(*field)))
                && may_have_stood(&record.base, piece, *field)
        };
        let reaches = |field: &Field| {
            let mut with = codes;
            with.set(*field, to_code(piece));
            sources(&with, self.rotated, piece, to, captured).contains(field)
                || self.castled_from(piece, to, &codes) == Some(*field)
        };
        let found: Vec<Field> = Field::all().filter(is_free).filter(reaches).collect();
        let initial = shakmaty::Board::new();
        let mut at_home = found.iter().filter(|field| initial.piece_at(self.square(**field)) == Some(piece));
        match (found.as_slice(), at_home.next(), at_home.next()) {
            ([one], ..) | (_, Some(one), None) => Some(*one),
            _ => None,
        }
    }

    /// Returns whether one of the last two plies has brought a piece to a field, as the rules allow.
    fn came_by_rule(&self, field: Field) -> bool {
        let to = self.square(field);
        let plies = self.tracker.game().map_or(&[][..], Game::plies);
        plies.iter().rev().take(2).any(|ply| match ply.played {
            Played::Legal(m) => m.to() == to && ply.inferred.is_none(),
            Played::Irregular(_) => false,
        })
    }

    /// Returns the corner from which a rook has come that stands beside its castled king.
    fn castled_from(&self, piece: Piece, to: Field, codes: &Placement) -> Option<Field> {
        let home = Square::from_coords(File::E, piece.color.backrank());
        let king = read(codes, self.rotated).king_of(piece.color)?;
        let castled = (king, self.square(to));
        Field::all().filter(|_| piece.role == Role::Rook).find(|field| {
            let corner = self.square(*field);
            Bitboard::CORNERS.contains(corner)
                && corner.rank() == home.rank()
                && castling_squares(home, corner) == castled
        })
    }
}

/// Returns whether a piece may have stood on an empty field beside all others, however the board lies.
fn may_have_stood(base: &Placement, piece: Piece, field: Field) -> bool {
    let square = super::square_of(field);
    let mut board = read(base, false);
    let is_empty = board.piece_at(square).is_none();
    board.set_piece_at(square, piece);
    let last_rank = piece.role == Role::Pawn && matches!(square.rank(), Rank::First | Rank::Eighth);
    is_empty && !last_rank && has_possible_material(&board, piece.color)
}

/// Returns the fields from which a piece on `to` can have come in one move, on a board that lies as `rotated` says.
pub(super) fn sources(
    codes: &Placement,
    rotated: bool,
    piece: Piece,
    to: Field,
    captured: bool,
) -> Vec<Field> {
    let board = read(codes, false);
    let to = super::square_of(to);
    let upwards = piece.color.is_white() != rotated;
    let reached = |from: &Square| match piece.role {
        Role::Pawn => {
            let forwards = if upwards { from.rank() < to.rank() } else { from.rank() > to.rank() };
            let (files, ranks) = (from.file().distance(to.file()), from.rank().distance(to.rank()));
            forwards && if captured { (files, ranks) == (1, 1) } else { files == 0 && ranks <= 2 }
        }
        Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
            board.attacks_from(*from).contains(to)
        }
    };
    let others = (board.by_piece(piece) & !Bitboard::from(to)).into_iter();
    let squares: Vec<_> = others.filter(reached).collect();
    codes.iter().map(|(field, _)| field).filter(|field| squares.contains(&super::square_of(*field))).collect()
}
