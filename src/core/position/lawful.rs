//! Legal moves of a lawful position without a list of all: whether one is legal, and some in the order in which the chess library
//! lists them.

use shakmaty::{
    Bitboard, CastlingSide, Chess, File, Move, MoveList, Position as _, Rank, Role, Square, attacks,
};

use super::irregular::PROMOTIONS;

/// Adds those legal moves that go from a square to one of the `targets` of the piece there, and all that castle or
/// capture in passing.
///
/// Searches ask this of thousands of positions, and want few of the moves.
pub(super) fn add_legal_moves_to(
    chess: &Chess,
    targets: &impl Fn(Role, Square) -> Bitboard,
    moves: &mut MoveList,
) {
    let king = chess.board().king_of(chess.turn());
    match king.filter(|_| !chess.is_check() && chess.pseudo_legal_ep_square().is_none()) {
        Some(king) => add_out_of_check(chess, king, targets, moves),
        None => add_among_all(chess, targets, moves),
    }
}

/// Adds them where the king is not in check and no pawn can be captured in passing.
fn add_out_of_check(
    chess: &Chess,
    king: Square,
    targets: &impl Fn(Role, Square) -> Bitboard,
    moves: &mut MoveList,
) {
    pawn_moves(chess, targets, moves);
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
        for from in chess.our(role) {
            let wanted = targets(role, from) & !chess.us();
            if wanted.any() {
                for to in chess.board().attacks_from(from) & wanted {
                    push(moves, chess, role, from, to);
                }
            }
        }
    }
    let pinned = pinned(chess, king);
    if pinned.any() {
        moves.retain(|m| {
            m.from().is_none_or(|from| !pinned.contains(from) || attacks::aligned(from, m.to(), king))
        });
    }
    for to in attacks::king_attacks(king) & targets(Role::King, king) & !chess.us() {
        if chess.board().attacks_to(to, !chess.turn(), chess.board().occupied()).is_empty() {
            push(moves, chess, Role::King, king, to);
        }
    }
    for side in CastlingSide::ALL {
        let path = chess.castles().path(chess.turn(), side) & chess.board().occupied();
        if path.is_empty() && chess.castles().has(chess.turn(), side) {
            add_castling(chess, side, moves);
        }
    }
}

/// Not inlined, as searches would keep the room of the library's list on the stack at each of their depths.
#[inline(never)]
fn add_castling(chess: &Chess, side: CastlingSide, moves: &mut MoveList) {
    moves.extend(chess.castling_moves(side));
}

/// Returns whether a move is legal; a list is made only of those that castle or capture in passing.
pub(super) fn is_legal(chess: &Chess, m: Move) -> bool {
    let Move::Normal { role, from, capture, to, promotion } = m else { return chess.is_legal(m) };
    let board = chess.board();
    let targets =
        if role == Role::Pawn { pawn_targets(chess, from) } else { board.attacks_from(from) & !chess.us() };
    let promotes = role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    let is_made = chess.our(role).contains(from)
        && targets.contains(to)
        && capture == board.role_at(to)
        && promotion.is_some() == promotes
        && promotion.is_none_or(|role| PROMOTIONS.contains(&role));
    let king = if role == Role::King { Some(to) } else { board.king_of(chess.turn()) };
    let occupied = board.occupied().without(from).with(to);
    let is_attacked = |king| board.attacks_to(king, !chess.turn(), occupied).without(to).any();
    is_made && !king.is_some_and(is_attacked)
}

/// Returns where a pawn can go, captures in passing left out.
fn pawn_targets(chess: &Chess, from: Square) -> Bitboard {
    let (us, free) = (chess.turn(), !chess.board().occupied());
    let step = us.fold_wb(8, -8);
    let single = Bitboard::from(from).shift(step) & free;
    let double = single.shift(step) & free & Bitboard::from(us.fold_wb(Rank::Fourth, Rank::Fifth));
    attacks::pawn_attacks(us, from) & chess.them() | single | double
}

/// Adds those among all legal moves, of which there are few in check, and with captures in passing more to be looked at. Not inlined,
/// as [`add_castling`].
#[inline(never)]
fn add_among_all(chess: &Chess, targets: &impl Fn(Role, Square) -> Bitboard, moves: &mut MoveList) {
    // Moves from the same square mostly follow one another.
    let (mut last, mut wanted) = (None, Bitboard::EMPTY);
    moves.extend(chess.legal_moves().into_iter().filter(|m| match *m {
        Move::Normal { role, from, to, .. } => {
            if last != Some(from) {
                (last, wanted) = (Some(from), targets(role, from));
            }
            wanted.contains(to)
        }
        Move::EnPassant { .. } | Move::Castle { .. } | Move::Put { .. } => true,
    }));
}

/// Adds moves of pawns: captures to one side, then to the other, then single and double steps, of each those that promote last.
fn pawn_moves(chess: &Chess, targets: &impl Fn(Role, Square) -> Bitboard, moves: &mut MoveList) {
    let us = chess.turn();
    // Most pawns are of no interest.
    let is_wanted = |from: &Square| targets(Role::Pawn, *from).any();
    let pawns: Bitboard = chess.our(Role::Pawn).into_iter().filter(is_wanted).collect();
    if pawns.is_empty() {
        return;
    }
    let step = us.fold_wb(8, -8);
    let mut add = |reached: Bitboard, offset: i32| {
        for squares in [reached & !Bitboard::BACKRANKS, reached & Bitboard::BACKRANKS] {
            for to in squares {
                if let Some(from) = to.offset(-offset).filter(|from| targets(Role::Pawn, *from).contains(to))
                {
                    push(moves, chess, Role::Pawn, from, to);
                }
            }
        }
    };
    for (offset, edge) in [(step - 1, File::A), (step + 1, File::H)] {
        let capturing = pawns & !Bitboard::from(edge);
        add(capturing.shift(offset) & chess.them(), offset);
    }
    let free = !chess.board().occupied();
    let single = pawns.shift(step) & free;
    add(single, step);
    let double = single.shift(step) & free & Bitboard::from(us.fold_wb(Rank::Fourth, Rank::Fifth));
    add(double, 2 * step);
}

fn push(moves: &mut MoveList, chess: &Chess, role: Role, from: Square, to: Square) {
    let capture = chess.board().role_at(to);
    let normal = |promotion| Move::Normal { role, from, capture, to, promotion };
    if role == Role::Pawn && Bitboard::BACKRANKS.contains(to) {
        moves.extend(PROMOTIONS.map(Some).map(normal));
    } else {
        moves.push(normal(None));
    }
}

/// Returns the pieces of either side that stand alone between the king and a piece that would attack it.
fn pinned(chess: &Chess, king: Square) -> Bitboard {
    let board = chess.board();
    let snipers = attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens();
    (snipers & chess.them()).into_iter().fold(Bitboard::EMPTY, |pinned, sniper| {
        let between = attacks::between(king, sniper) & board.occupied();
        if between.more_than_one() { pinned } else { pinned | between }
    })
}
