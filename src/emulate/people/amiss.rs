//! A piece that does not stand where it should, and the squares of a move.

use shakmaty::{Bitboard, Move, Piece, Square, attacks};

use jadoube_core::position::castling_squares;

/// A piece that does not stand where it should.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Amiss {
    /// Where it should stand.
    pub(super) home: Square,
    /// The square that reads it, if any does.
    pub(super) lies: Option<Square>,
    /// Which piece.
    pub(super) piece: Piece,
    /// The ply before which it is noticed, `u32::MAX` for never.
    pub(super) until: u32,
}

impl Amiss {
    /// Returns its squares.
    pub(super) fn squares(self) -> Bitboard {
        Bitboard::from(self.home) | self.lies.map_or(Bitboard::EMPTY, Bitboard::from)
    }
}

/// Returns the squares that a move leaves, passes, or reaches.
pub(super) fn squares_of(m: Move) -> Bitboard {
    let line = |from: Square, to: Square| attacks::between(from, to).with(from).with(to);
    match m {
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_squares(king, rook);
            line(king, rook) | line(king, king_to) | line(rook, rook_to)
        }
        Move::EnPassant { from, to } => line(from, to).with(Square::from_coords(to.file(), from.rank())),
        Move::Normal { from, to, .. } => line(from, to),
        Move::Put { to, .. } => to.into(),
    }
}
