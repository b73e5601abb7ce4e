//! Moves in positions that the chess library refuses; in lawful positions the library decides.

use shakmaty::{
    Bitboard, Board, Castles, CastlingMode, CastlingSide, Color, Move, MoveList, Piece, Rank, Role, Setup,
    Square, attacks,
};

use super::castling_squares;

pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

pub(super) fn legal_moves(setup: &Setup, mode: CastlingMode) -> MoveList {
    let mut moves = MoveList::new();
    add_legal_moves_to(setup, mode, &|_, _| Bitboard::FULL, &mut moves);
    moves
}

/// Returns whether a move is legal; of all others only those are looked at that look like it.
pub(super) fn is_legal(setup: &Setup, mode: CastlingMode, m: Move) -> bool {
    let wanted = |_, square| match m {
        Move::Normal { from, to, .. } if from == square => Bitboard::from(to),
        Move::Normal { .. } | Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => {
            Bitboard::EMPTY
        }
    };
    let mut moves = MoveList::new();
    add_legal_moves_to(setup, mode, &wanted, &mut moves);
    moves.contains(&m)
}

/// Adds those legal moves that go from a square to one of the `targets` of the piece there, and all that castle or
/// capture in passing.
pub(super) fn add_legal_moves_to(
    setup: &Setup,
    mode: CastlingMode,
    targets: &impl Fn(Role, Square) -> Bitboard,
    moves: &mut MoveList,
) {
    for from in setup.board.by_color(setup.turn) {
        let Some(role) = setup.board.role_at(from) else { continue };
        let wanted = targets(role, from);
        if role == Role::Pawn {
            if wanted.any() || setup.ep_square.is_some() {
                pawn_moves(setup, from, wanted, moves);
            }
        } else if wanted.any() {
            for to in setup.board.attacks_from(from) & wanted & !setup.board.by_color(setup.turn) {
                push(moves, setup, role, from, to);
            }
        }
    }
    castling_moves(setup, mode, moves);
    // Capturing the king is no legal move (Art. 1.4.1).
    moves.retain(|m| m.capture() != Some(Role::King));
    if let Some(king) = KingSafety::of(setup) {
        moves.retain(|m| king.is_safe_after(*m));
    }
}

/// What decides whether a move leaves the king of its side attacked.
///
/// Searches ask this of every move of thousands of positions, so it is answered without playing the move.
struct KingSafety<'a> {
    setup: &'a Setup,
    king: Square,
    /// Pieces other than these may leave their squares without opening a line to the king; all of them matter in check.
    critical: Bitboard,
}

impl<'a> KingSafety<'a> {
    /// Looks at the king of the side to move; where there is none, or several, no move leaves it attacked.
    fn of(setup: &'a Setup) -> Option<Self> {
        let king = setup.board.king_of(setup.turn)?;
        let occupied = setup.board.occupied();
        let critical = if setup.board.attacks_to(king, !setup.turn, occupied).is_empty() {
            attacks::queen_attacks(king, occupied)
        } else {
            Bitboard::FULL
        };
        Some(Self { setup, king, critical })
    }

    fn is_safe_after(&self, m: Move) -> bool {
        let Setup { board, turn, .. } = self.setup;
        let Move::Normal { role, from, to, .. } = m else {
            return !is_check(&play(self.setup, m).board, *turn);
        };
        let king = if role == Role::King { to } else { self.king };
        if role != Role::King && !self.critical.contains(from) {
            return true;
        }
        let occupied = board.occupied().without(from).with(to);
        board.attacks_to(king, !*turn, occupied).without(to).is_empty()
    }
}

fn pawn_moves(setup: &Setup, from: Square, wanted: Bitboard, moves: &mut MoveList) {
    let enemies = setup.board.by_color(!setup.turn);
    for to in attacks::pawn_attacks(setup.turn, from) & enemies & wanted {
        push(moves, setup, Role::Pawn, from, to);
    }
    if let Some(to) = setup.ep_square
        && attacks::pawn_attacks(setup.turn, from).contains(to)
    {
        moves.try_push(Move::EnPassant { from, to }).unwrap_or_default();
    }
    let step = setup.turn.fold_wb(8, -8);
    let Some(to) = from.offset(step).filter(|to| !setup.board.occupied().contains(*to)) else { return };
    if wanted.contains(to) {
        push(moves, setup, Role::Pawn, from, to);
    }
    if setup.turn.relative_rank(from.rank()) == Rank::Second
        && let Some(to) = to.offset(step).filter(|to| !setup.board.occupied().contains(*to))
        && wanted.contains(to)
    {
        push(moves, setup, Role::Pawn, from, to);
    }
}

fn castling_moves(setup: &Setup, mode: CastlingMode, moves: &mut MoveList) {
    let Some(king) = setup.board.king_of(setup.turn).filter(|_| setup.castling_rights.any()) else { return };
    let castles = Castles::from_setup(setup, mode).unwrap_or_else(|castles| castles);
    for side in CastlingSide::ALL {
        let Some(rook) = castles.rook(setup.turn, side) else { continue };
        let (king_to, rook_to) = castling_squares(king, rook);
        let without = setup.board.occupied().without(king).without(rook);
        let crossed = attacks::between(king, king_to).with(king).with(king_to);
        let safe = |square| setup.board.attacks_to(square, !setup.turn, without.with(rook_to)).is_empty();
        if (castles.path(setup.turn, side) & setup.board.occupied()).is_empty()
            && crossed.into_iter().all(safe)
        {
            moves.try_push(Move::Castle { king, rook }).unwrap_or_default();
        }
    }
}

/// A board full of queens can have more moves than the list holds; the surplus is left out.
fn push(moves: &mut MoveList, setup: &Setup, role: Role, from: Square, to: Square) {
    let capture = setup.board.role_at(to);
    let promotes = role == Role::Pawn && setup.turn.relative_rank(to.rank()) == Rank::Eighth;
    if promotes {
        for promotion in PROMOTIONS {
            moves
                .try_push(Move::Normal { role, from, capture, to, promotion: Some(promotion) })
                .unwrap_or_default();
        }
    } else {
        moves.try_push(Move::Normal { role, from, capture, to, promotion: None }).unwrap_or_default();
    }
}

pub(super) fn play(setup: &Setup, m: Move) -> Setup {
    let mut after = setup.clone();
    let us = setup.turn;
    after.ep_square = None;
    after.halfmoves = if m.is_zeroing() { 0 } else { setup.halfmoves.saturating_add(1) };
    if us.is_black() {
        after.fullmoves = setup.fullmoves.saturating_add(1);
    }
    after.turn = !us;
    after.board = moved(&setup.board, us, m);
    match m {
        Move::Normal { role, from, to, .. } => {
            after.castling_rights = setup.castling_rights.without(from).without(to);
            if role == Role::Pawn && from.distance(to) == 2 && from.file() == to.file() {
                after.ep_square = from.offset(us.fold_wb(8, -8));
            }
            if role == Role::King {
                after.castling_rights &= !Bitboard::from(us.backrank());
            }
        }
        Move::Castle { .. } => after.castling_rights &= !Bitboard::from(us.backrank()),
        Move::EnPassant { .. } | Move::Put { .. } => {}
    }
    after
}

/// Returns what stands where after a move of `us`.
pub(super) fn moved(before: &Board, us: Color, m: Move) -> Board {
    let mut board = before.clone();
    match m {
        Move::Normal { role, from, to, promotion, .. } => {
            board.discard_piece_at(from);
            board.set_piece_at(to, Piece { color: us, role: promotion.unwrap_or(role) });
        }
        Move::EnPassant { from, to } => {
            board.discard_piece_at(from);
            board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
            board.set_piece_at(to, us.pawn());
        }
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_squares(king, rook);
            board.discard_piece_at(king);
            board.discard_piece_at(rook);
            board.set_piece_at(king_to, us.king());
            board.set_piece_at(rook_to, us.rook());
        }
        Move::Put { role, to } => board.set_piece_at(to, Piece { color: us, role }),
    }
    board
}

pub(super) fn is_check(board: &Board, color: Color) -> bool {
    board.king_of(color).is_some_and(|king| board.attacks_to(king, !color, board.occupied()).any())
}

/// Returns whether the chess library refuses a position for a reason that stands, without asking it; it may refuse others.
///
/// Searches make thousands of positions that follow an irregular one, and the library tests all reasons for each.
pub(super) fn is_refused(setup: &Setup) -> bool {
    let board = &setup.board;
    board.king_of(setup.turn).is_none()
        || board.king_of(!setup.turn).is_none()
        || (board.pawns() & Bitboard::BACKRANKS).any()
        || is_check(board, !setup.turn)
}

/// Keys of irregular positions are compared only with each other; searches ask for thousands.
pub(super) fn key(setup: &Setup) -> u64 {
    let board = &setup.board;
    let rest = [setup.castling_rights, setup.ep_square.map_or(Bitboard::EMPTY, Bitboard::from)];
    let kinds = [board.white(), board.black(), board.pawns(), board.knights(), board.bishops()];
    let kinds = kinds.into_iter().chain([board.rooks(), board.queens(), board.kings()]).chain(rest);
    // The steps of SplitMix64: stable across versions and machines, which the standard library's hasher does not promise.
    kinds.fold(u64::from(setup.turn.is_white()), |hash, squares| {
        let mixed = (hash ^ squares.0).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    })
}
