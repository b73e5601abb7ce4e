//! Owns positions that may be irregular, and everything that can be done to one in one ply.
//!
//! Knows how pieces move and what is legal; knows nothing of sensors, hands or clocks. A king may stand in check on the wrong turn, may
//! have been captured, and there may be any number of pieces: what players do is not filtered here.

use shakmaty::{Bitboard, Board, CastlingMode, Color, File, Piece, Rank, Role, Setup, Square, attacks};

use super::price::Price;
use crate::position::{Position, castling_squares};

/// How a ply is made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// As the piece moves.
    Plain,
    /// King and rook; the squares are the king's.
    Castling,
    /// A pawn captured in passing.
    EnPassant,
    /// As no piece moves, or with a piece of the other side, or onto an own piece.
    Irregular,
    /// No ply: a piece that lies on another square is left there; where another piece stands, that one lies on its square.
    Left,
}

/// Something done in one turn.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Ply {
    pub(crate) from: Square,
    pub(crate) to: Square,
    pub(crate) promotion: Option<Role>,
    pub(crate) kind: Kind,
}

/// A position, lawful or not.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct World {
    pub(crate) board: Board,
    pub(crate) turn: Color,
    /// Rooks that may castle.
    pub(crate) castling: Bitboard,
    pub(crate) en_passant: Option<Square>,
}

impl World {
    /// Makes the position that a game starts from.
    pub(crate) fn of(position: &Position) -> Self {
        let setup = position.setup();
        Self {
            board: setup.board,
            turn: setup.turn,
            castling: setup.castling_rights,
            en_passant: setup.ep_square,
        }
    }

    /// Makes a position in the middle of a game: all rights are taken to be there that it allows.
    pub(crate) fn found(board: Board, turn: Color) -> Self {
        let mut castling = Bitboard::EMPTY;
        for (color, home) in [(Color::White, Square::E1), (Color::Black, Square::E8)] {
            if board.piece_at(home) == Some(color.king()) {
                castling |= board.by_piece(color.rook()) & Bitboard::CORNERS & Bitboard::from(home.rank());
            }
        }
        Self { board, turn, castling, en_passant: None }
    }

    /// Returns it as the rest of the program has positions.
    pub(crate) fn position(&self, mode: CastlingMode) -> Position {
        let setup = Setup {
            board: self.board.clone(),
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.en_passant,
            ..Setup::empty()
        };
        Position::from_setup(setup, mode)
    }

    /// Returns whether a king of this side is attacked, or missing.
    pub(crate) fn is_unsafe(&self, color: Color) -> bool {
        let attacked = |king| self.board.attacks_to(king, !color, self.board.occupied()).any();
        self.board.king_of(color).is_none_or(attacked)
    }

    /// Returns the squares of the rook that castles with this ply: from, to.
    fn castling_rook(&self, ply: Ply) -> Option<(Square, Square)> {
        let short = ply.to.file() == File::G;
        let rooks = self.castling & Bitboard::from(ply.from.rank()) & self.board.rooks();
        let rook = rooks.into_iter().find(|rook| (rook.file() > ply.from.file()) == short)?;
        Some((rook, castling_squares(ply.from, rook).1))
    }

    /// Returns the squares that change by a ply.
    pub(crate) fn squares(&self, ply: Ply) -> Bitboard {
        let mut squares = Bitboard::from(ply.from) | Bitboard::from(ply.to);
        if ply.kind == Kind::Castling
            && let Some((from, to)) = self.castling_rook(ply)
        {
            squares |= Bitboard::from(from) | Bitboard::from(to);
        } else if let Some((square, _)) = self.victim(ply) {
            squares |= Bitboard::from(square);
        }
        squares
    }

    /// Returns the piece that this ply captures, and where it stands.
    pub(crate) fn victim(&self, ply: Ply) -> Option<(Square, Piece)> {
        let square = match ply.kind {
            Kind::EnPassant => Square::from_coords(ply.to.file(), ply.from.rank()),
            Kind::Plain | Kind::Irregular | Kind::Left => ply.to,
            Kind::Castling => return None,
        };
        Some((square, self.board.piece_at(square)?))
    }

    /// Makes a ply; what is left where it lies takes no turn.
    pub(crate) fn make(&mut self, ply: Ply) {
        let rook = (ply.kind == Kind::Castling).then(|| self.castling_rook(ply)).flatten();
        let victim = self.victim(ply);
        let Some(moved) = self.board.remove_piece_at(ply.from) else { return };
        if let Some((square, _)) = victim {
            self.board.discard_piece_at(square);
        }
        if let Some((from, to)) = rook {
            self.board.discard_piece_at(from);
            self.board.set_piece_at(to, self.turn.rook());
        }
        let role = ply.promotion.unwrap_or(moved.role);
        self.board.set_piece_at(ply.to, Piece { color: moved.color, role });
        self.castling.discard(ply.from);
        self.castling.discard(ply.to);
        if ply.kind == Kind::Left {
            if let Some((_, other)) = victim {
                self.board.set_piece_at(ply.from, other);
            }
            return;
        }
        let ranks = u32::from(ply.from.rank()).abs_diff(u32::from(ply.to.rank()));
        let passed = moved.role == Role::Pawn && ply.kind == Kind::Plain && ranks == 2;
        self.en_passant =
            passed.then(|| Square::from_coords(ply.from.file(), self.turn.fold_wb(Rank::Third, Rank::Sixth)));
        if moved.role == Role::King {
            self.castling &= !Bitboard::from(self.turn.fold_wb(Rank::First, Rank::Eighth));
        }
        self.turn = !self.turn;
    }

    /// Gives the plies as pieces of the side to move can move, checks disregarded, that leave or reach one of these squares.
    pub(crate) fn for_each_ply(&self, touching: Bitboard, mut give: impl FnMut(Ply)) {
        let (us, occupied) = (self.turn, self.board.occupied());
        let own = self.board.by_color(us);
        for from in own {
            let Some(piece) = self.board.piece_at(from) else { continue };
            let wanted = if touching.contains(from) { Bitboard::FULL } else { touching };
            if piece.role == Role::Pawn {
                self.for_each_pawn_ply(from, wanted, &mut give);
                continue;
            }
            for to in attacks::attacks(from, piece, occupied) & !own & wanted {
                give(Ply { from, to, promotion: None, kind: Kind::Plain });
            }
            if piece.role == Role::King {
                let rooks = self.castling & Bitboard::from(from.rank()) & self.board.by_piece(us.rook());
                for rook in rooks {
                    let (to, beside) = castling_squares(from, rook);
                    let path = attacks::between(from, to)
                        | attacks::between(rook, beside)
                        | Bitboard::from(to)
                        | Bitboard::from(beside);
                    let others = occupied ^ Bitboard::from(from) ^ Bitboard::from(rook);
                    let touches = (Bitboard::from(from)
                        | Bitboard::from(to)
                        | Bitboard::from(rook)
                        | Bitboard::from(beside))
                        & touching;
                    if (path & others).is_empty() && touches.any() {
                        give(Ply { from, to, promotion: None, kind: Kind::Castling });
                    }
                }
            }
        }
    }

    fn for_each_pawn_ply(&self, from: Square, wanted: Bitboard, give: &mut impl FnMut(Ply)) {
        let (us, occupied) = (self.turn, self.board.occupied());
        let ahead = us.fold_wb(8, -8);
        let mut put = |to: Square, kind| {
            if !wanted.contains(to) {
                return;
            }
            if is_last_rank(us, to) {
                for promotion in
                    [Some(Role::Queen), Some(Role::Knight), Some(Role::Rook), Some(Role::Bishop), None]
                {
                    give(Ply { from, to, promotion, kind });
                }
            } else {
                give(Ply { from, to, promotion: None, kind });
            }
        };
        if let Some(one) = from.offset(ahead).filter(|one| !occupied.contains(*one)) {
            put(one, Kind::Plain);
            let home = from.rank() == us.fold_wb(Rank::Second, Rank::Seventh);
            if let Some(two) = one.offset(ahead).filter(|two| home && !occupied.contains(*two)) {
                put(two, Kind::Plain);
            }
        }
        for to in attacks::pawn_attacks(us, from) {
            if self.board.by_color(!us).contains(to) {
                put(to, Kind::Plain);
            } else if Some(to) == self.en_passant {
                put(to, Kind::EnPassant);
            }
        }
    }

    /// Returns whether the piece on a square can go to another one, checks disregarded.
    pub(crate) fn can_go(&self, from: Square, to: Square) -> bool {
        let mut able = false;
        self.for_each_ply(Bitboard::from(from), |ply| able |= ply.from == from && ply.to == to);
        able
    }

    /// Returns whether a ply, of those that [`World::for_each_ply`] gives, is legal; `after` is the position after it.
    pub(crate) fn is_legal(&self, ply: Ply, after: &Self) -> bool {
        if matches!(ply.kind, Kind::Irregular | Kind::Left) || after.is_unsafe(self.turn) {
            return false;
        }
        if ply.kind == Kind::Castling {
            let occupied = self.board.occupied();
            let path = attacks::between(ply.from, ply.to) | Bitboard::from(ply.from);
            return path
                .into_iter()
                .all(|square| self.board.attacks_to(square, !self.turn, occupied).is_empty());
        }
        self.board.role_at(ply.to) != Some(Role::King) && !self.leaves_pawn(ply)
    }

    /// Returns whether a pawn reaches its last rank by this ply and is not replaced.
    pub(crate) fn leaves_pawn(&self, ply: Ply) -> bool {
        ply.promotion.is_none()
            && matches!(ply.kind, Kind::Plain)
            && is_last_rank(self.turn, ply.to)
            && self.board.role_at(ply.from) == Some(Role::Pawn)
    }

    /// Returns how little sense a ply makes that nobody saw: what it loses at once against what it takes. Recordings: players leave few
    /// pieces to be taken.
    pub(crate) fn senseless(&self, ply: Ply, after: &Self) -> Price {
        let us = self.turn;
        let taken = if ply.kind == Kind::Plain { self.board.role_at(ply.to).map_or(0, worth) } else { 0 };
        let Some(moved) = after.board.role_at(ply.to).map(worth) else { return Price::FREE };
        let occupied = after.board.occupied();
        let takers = after.board.attacks_to(ply.to, !us, occupied);
        let least = takers.into_iter().filter_map(|square| after.board.role_at(square)).map(worth).min();
        let lost = match least {
            None => 0,
            Some(_) if after.board.attacks_to(ply.to, us, occupied).is_empty() => moved,
            Some(least) => (moved - least).max(0),
        };
        Price::tenths(3 + (lost - taken).clamp(-3, 12))
    }
}

/// Returns what a piece is worth, in half pawns.
const fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 2,
        Role::Knight | Role::Bishop => 6,
        Role::Rook => 10,
        Role::Queen => 18,
        Role::King => 40,
    }
}

/// Returns whether pawns of this side are promoted on a square.
pub(crate) fn is_last_rank(color: Color, square: Square) -> bool {
    square.rank() == color.fold_wb(Rank::Eighth, Rank::First)
}

#[cfg(test)]
mod tests;
