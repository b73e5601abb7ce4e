//! Names what is irregular about a board that no legal move leaves behind.

use shakmaty::{Bitboard, Board, Color, Move, Piece, Rank, Role, Square};

use super::cost;
use crate::{
    fact::{CastlingFault, Reason},
    game::{Irregular, swapped},
    model::decision,
    position::{Position, castling_squares, differences},
};

/// Reads what `shown` shows for an irregular ply of the side to move; returns it with its price.
///
/// Squares that are faulty, and pieces of the opponent in somebody's hand, are taken to stand as before.
pub(super) fn irregular(before: &Position, shown: &Board, faulty: Bitboard) -> Option<(Irregular, u32)> {
    let us = before.turn();
    let mut board = shown.clone();
    let passed = taken_in_passing(before, shown);
    for square in differences(before.board(), shown) {
        let was = before.board().piece_at(square);
        let lifted = was.is_some_and(|piece| piece.color != us) && shown.piece_at(square).is_none();
        // A piece that stood on a square that is faulty, and now stands elsewhere, has left it.
        let left_unseen = was.is_some_and(|piece| piece.color == us)
            && shown.piece_at(square).is_none()
            && stands_alone(before.board(), shown, faulty, was);
        if left_unseen {
            continue;
        }
        let in_hand = lifted && passed != Some(square) && !reappears(before.board(), shown, was);
        if faulty.contains(square) || in_hand {
            super::window::set(&mut board, square, was);
        }
    }
    let odd = differences(before.board(), &board);
    let vacated = odd & before.board().by_color(us) & !board.by_color(us);
    let reached = odd & board.occupied();
    if odd.is_empty() || odd.count() > decision::MOST_SQUARES || reached.is_empty() {
        return None;
    }
    let to = arrival(before, &board, reached, us)?;
    let piece = board.piece_at(to)?;
    let same = odd & before.board().by_piece(piece) & !board.by_piece(piece);
    let left_empty = vacated | odd & before.board().occupied() & !board.occupied();
    let goes = |from: &Square| before.find(*from, to, None).is_some();
    let from = same.into_iter().find(goes).or_else(|| same.first()).or_else(|| origin(before, left_empty))?;
    let pawn = before.board().role_at(from) == Some(Role::Pawn);
    let last_rank = us.fold_wb(Rank::Eighth, Rank::First);
    let promotes = piece.color == us && pawn && piece.role != Role::Pawn;
    let taken = passed.is_some_and(|square| odd.contains(square));
    let one_piece = odd.count() == 2 + usize::from(taken) && before.board().piece_at(from) == Some(piece);
    let replaced = odd.count() == 2 && pawn && to.rank() == last_rank && from.distance(to) == 1;
    let surplus = u32::try_from(odd.count()).unwrap_or(u32::MAX).saturating_sub(2);
    let moved = moved(before.board(), &board, vacated, us);
    let takes_king = before.board().king_of(!us) == Some(to) && reachable(before, from, piece).contains(to);
    let price = match (one_piece, piece.color == us) {
        (true, true) if takes_king => cost::KING_TAKEN,
        (true, true) => cost::ILLEGAL,
        // Every square belongs to one of the pieces that were moved.
        _ if moved > 1 && surplus == 2 * (moved - 1) => cost::ILLEGAL + cost::IRREGULAR_PIECE * (moved - 1),
        (true, false) => cost::ILLEGAL + cost::IRREGULAR_SQUARE,
        _ if replaced => cost::ILLEGAL + cost::IRREGULAR_SQUARE,
        _ => cost::IRREGULAR + cost::IRREGULAR_SQUARE * surplus,
    };
    // One piece may stand for the pawn that has reached its last rank.
    let replacement = u32::from(replaced || promotes && to.rank() == last_rank);
    let unknown = appeared(before.board(), &board).saturating_sub(replacement);
    let own_king = before.board().king_of(us).is_some() && board.by_piece(us.king()).is_empty();
    let price = price + cost::FROM_NOWHERE * unknown + if own_king { cost::OWN_KING_GONE } else { 0 };
    let played = Irregular { from, to, promotion: promotes.then_some(piece.role), board, set: None };
    // Pieces that stand nowhere are no part of a move, unless one of the opponent's has taken them.
    let beside = if piece.color == us { gone(before, &played) } else { 0 };
    let price = price + cost::IRREGULAR_PIECE * beside;
    Some((played, price))
}

/// Returns the same ply of one piece alone, for each piece that may have made it, where the mover has `taken_up` others besides, which are
/// off the board: they are not part of it.
pub(super) fn beside_taken_up(
    before: &Position,
    played: &Irregular,
    taken_up: impl Fn(Square, Piece) -> bool,
) -> Vec<(Irregular, u32)> {
    let Some(piece) = played.board.piece_at(played.to).filter(|piece| piece.color == before.turn()) else {
        return Vec::new();
    };
    let own = before.board().by_color(piece.color);
    let off = own & !played.board.occupied();
    let come = played.board.by_color(piece.color) & !own;
    let all = |square| before.board().piece_at(square).is_some_and(|piece| taken_up(square, piece));
    if off.count() < 2 || come.count() != 1 || !off.into_iter().all(all) {
        return Vec::new();
    }
    let movers = off & before.board().by_piece(piece);
    let alone = |from: Square| {
        // A legal move is found as such.
        if before.find(from, played.to, None).is_some() {
            return None;
        }
        let mut board = played.board.clone();
        for square in off & !Bitboard::from(from) {
            super::window::set(&mut board, square, before.board().piece_at(square));
        }
        irregular(before, &board, Bitboard::EMPTY)
    };
    movers.into_iter().filter_map(alone).collect()
}

/// Returns the square of a pawn of the opponent's that is off the board since one of the mover's went past it as if it captured in
/// passing.
fn taken_in_passing(before: &Position, shown: &Board) -> Option<Square> {
    let us = before.turn();
    let (were, are) = (before.board().by_piece(us.pawn()), shown.by_piece(us.pawn()));
    let gone = before.board().by_piece((!us).pawn()) & Bitboard::from(us.fold_wb(Rank::Fifth, Rank::Fourth));
    (gone & !shown.occupied()).into_iter().find(|square| {
        square.offset(us.fold_wb(8, -8)).is_some_and(|to| {
            let from = shakmaty::attacks::pawn_attacks(!us, to) & were & !are;
            are.contains(to) && from.any() && !before.board().occupied().contains(to)
        })
    })
}

/// Returns whether hands may have done what an irregular ply shows: no piece comes from nowhere, but for one that a pawn
/// becomes.
pub(super) fn is_work_of_hands(before: &Position, played: &Irregular) -> bool {
    let last_rank = before.turn().fold_wb(Rank::Eighth, Rank::First);
    let pawn = before.board().role_at(played.from) == Some(Role::Pawn);
    appeared(before.board(), &played.board) <= u32::from(pawn && played.to.rank() == last_rank)
}

/// Returns whether a legal move is irregular only for one bit in the number of the field that its piece was reported on.
pub(super) fn may_be_misread(before: &Position, played: &Irregular) -> bool {
    // Fields are numbered as squares are, but for constants: one bit of either is one of the other.
    let mut neighbours = (0..6).filter_map(|bit| Square::try_from(u32::from(played.to) ^ 1 << bit).ok());
    neighbours.any(|to| before.find(played.from, to, played.promotion).is_some())
}

/// Returns whether the mover has castled but for one bit in the number of the field that the king was reported on: no hand that brings the
/// rook to its square puts the king two ranks or more away.
pub(super) fn is_castling_misread(before: &Position, played: &Irregular) -> bool {
    let us = before.turn();
    before.legal_moves().iter().filter(|m| m.is_castle()).any(|m| {
        let after = before.play(*m);
        let kings = after.board().king_of(us).zip(played.board.king_of(us));
        differences(after.board(), &played.board).count() == 2
            && kings.is_some_and(|(wanted, shown)| {
                (u32::from(wanted) ^ u32::from(shown)).is_power_of_two() && wanted.distance(shown) > 1
            })
    })
}

/// Returns whether a piece stands in the place of another one of its own colour, which stands nowhere else.
pub(super) fn captures_own(before: &Position, played: &Irregular) -> bool {
    let us = before.turn();
    let board = &played.board;
    let taken = before.board().by_color(us) & board.by_color(us) & differences(before.board(), board);
    taken.into_iter().any(|square| !reappears(before.board(), board, before.board().piece_at(square)))
}

/// Returns the squares on which pieces stand otherwise, if the mover has made a legal move, and no piece is gone: they were knocked over and put
/// back wrongly (Art. 7.4). They may be the mover's own if those were `knocked` over, two that stand on each other's squares, or the king that
/// stands beside his; otherwise who moved them nobody knows.
pub(super) fn displaced(before: &Position, played: &Irregular, knocked: bool) -> Option<Bitboard> {
    let us = before.turn();
    let m = before.find(played.from, played.to, played.promotion).filter(|m| !m.is_en_passant())?;
    let after = before.play(m);
    let rest = differences(after.board(), &played.board);
    let beside =
        m.role() != Role::King && rest.count() == 2 && stands_beside(after.board(), &played.board, us);
    let own = after.board().by_color(us) | played.board.by_color(us);
    let pieces = |board: &Board, color: Color| board.by_color(color).count();
    let all = Color::ALL.iter().all(|color| pieces(after.board(), *color) == pieces(&played.board, *color));
    let exchanged = swapped(after.board(), &played.board).is_some();
    (all && rest.any() && (knocked || beside || exchanged || (rest & own).is_empty())).then_some(rest)
}

/// Returns whether a side's king stands on a square beside the one that he should stand on.
fn stands_beside(expected: &Board, shown: &Board, side: Color) -> bool {
    expected
        .king_of(side)
        .zip(shown.king_of(side))
        .is_some_and(|(wanted, stands)| wanted.distance(stands) == 1)
}

/// Returns how many pieces of the side to move stand nowhere any more, but for a pawn that reaches its last rank and one that was
/// captured by its own player: they may have been knocked over.
pub(super) fn gone(before: &Position, played: &Irregular) -> u32 {
    let us = before.turn();
    let own = Role::ALL.map(|role| surplus(&played.board, before.board(), Piece { color: us, role }));
    let gone = u32::try_from(own.iter().sum::<usize>()).unwrap_or(u32::MAX);
    let last_rank = us.fold_wb(Rank::Eighth, Rank::First);
    let pawn = before.board().role_at(played.from) == Some(Role::Pawn);
    gone.saturating_sub(u32::from(pawn && played.to.rank() == last_rank))
        .saturating_sub(u32::from(captures_own(before, played)))
}

/// Returns how many pieces there are more than before, each kind for itself.
fn appeared(before: &Board, after: &Board) -> u32 {
    // Only kinds of which something stands on a new square can be more than before.
    let mut count = 0;
    let mut vacated = differences(before, after) & after.occupied();
    while let Some(piece) = vacated.first().and_then(|square| after.piece_at(square)) {
        vacated &= !after.by_piece(piece);
        count += surplus(before, after, piece);
    }
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// Returns how many of a side's pieces that have `vacated` their squares stand on others.
fn moved(before: &Board, after: &Board, vacated: Bitboard, us: Color) -> u32 {
    let of = |role: Role| {
        let (were, are) = (before.by_piece(role.of(us)), after.by_piece(role.of(us)));
        (vacated & were).count().min((are & !were).count())
    };
    u32::try_from(Role::ALL.map(of).iter().sum::<usize>()).unwrap_or(u32::MAX)
}

/// Returns how many such pieces `more` has more than `fewer`.
fn surplus(fewer: &Board, more: &Board, piece: Piece) -> usize {
    more.by_piece(piece).count().saturating_sub(fewer.by_piece(piece).count())
}

/// Returns whether such a piece stands on a new square, and no other one has left a square that reads rightly.
fn stands_alone(before: &Board, shown: &Board, faulty: Bitboard, piece: Option<Piece>) -> bool {
    let origins = |piece: Piece| before.by_piece(piece) & !shown.by_piece(piece) & !faulty;
    reappears(before, shown, piece) && piece.is_some_and(|piece| origins(piece).is_empty())
}

/// Returns whether a piece that left its square stands on another one.
fn reappears(before: &Board, shown: &Board, piece: Option<Piece>) -> bool {
    piece.is_some_and(|piece| (shown.by_piece(piece) & !before.by_piece(piece)).any())
}

/// Prefers the square that the mover's own piece reached, and a king's to a rook's; but that of a move to a king's who stands beside his
/// square.
fn arrival(before: &Position, board: &Board, reached: Bitboard, us: Color) -> Option<Square> {
    let own = reached & board.by_color(us);
    let king = own & board.kings();
    let known = own.into_iter().find(|square| {
        board
            .piece_at(*square)
            .is_some_and(|piece| (before.board().by_piece(piece) & !board.by_piece(piece)).any())
    });
    let moved = |square: &Square| {
        let role = board.role_at(*square);
        let moves = |m: &Move| m.to() == *square && Some(m.role()) == role && !m.is_castle();
        role != Some(Role::Rook) && before.legal_moves().iter().any(moves)
    };
    let beside = king.any() && stands_beside(before.board(), board, us);
    let move_beside = beside.then(|| (own & !king).into_iter().find(moved)).flatten();
    move_beside.or_else(|| king.first()).or(known).or_else(|| own.first()).or_else(|| reached.first())
}

/// Prefers a pawn, which may have become another piece.
fn origin(before: &Position, vacated: Bitboard) -> Option<Square> {
    let pawns = vacated & before.board().pawns();
    pawns.first().or_else(|| vacated.first())
}

/// Says why a ply is illegal.
pub(crate) fn reason(before: &Position, played: &Irregular) -> Reason {
    let us = before.turn();
    let after = &played.board;
    let odd = differences(before.board(), after);
    if before.board().king_of(!us).is_some() && after.king_of(!us).is_none() {
        return Reason::KingCaptured;
    }
    let Some(piece) = before.board().piece_at(played.from) else { return Reason::Other };
    if piece.color != us {
        return Reason::OpponentsPiece { from: played.from };
    }
    if let Some(fault) = castling_fault(before, played, odd) {
        return Reason::Castling { fault };
    }
    let last = us.fold_wb(Rank::Eighth, Rank::First);
    if piece.role == Role::Pawn
        && played.to.rank() == last
        && let Some(stands) = after.piece_at(played.to)
        && (stands.color != us || matches!(stands.role, Role::King | Role::Pawn))
    {
        return Reason::WrongPromotionPiece { square: played.to, piece: stands };
    }
    if let Some(square) = passed_pawn_left(before, played, piece) {
        return Reason::EnPassantPawnLeft { square };
    }
    let vacated = odd & before.board().by_color(us) & !after.by_color(us);
    if vacated.count() > 1 {
        return Reason::TwoMoves;
    }
    // A capture in passing that opens a check is no move that a chess library knows.
    let passed = before.lawful().and_then(shakmaty::Position::pseudo_legal_ep_square) == Some(played.to);
    let captures = shakmaty::attacks::pawn_attacks(us, played.from);
    let takes = passed && piece.role == Role::Pawn && captures.contains(played.to);
    let reaches = takes || reachable(before, played.from, piece).contains(played.to);
    if reaches && let Some(king) = after.king_of(us).filter(|_| before.leave(after.clone()).is_check(us)) {
        return Reason::KingInCheck { king };
    }
    let became = after.role_at(played.to).filter(|_| piece.role == Role::Pawn && played.to.rank() != last);
    if reaches || became.is_some_and(|role| role != Role::Pawn) {
        return Reason::Other;
    }
    Reason::Pattern { role: piece.role, from: played.from, to: played.to }
}

/// Returns the squares that a piece can reach by its movement alone (Art. 3.2–3.8).
pub(super) fn reachable(before: &Position, from: Square, piece: Piece) -> Bitboard {
    let board = before.board();
    if piece.role != Role::Pawn {
        return board.attacks_from(from) & !board.by_color(piece.color);
    }
    let step = piece.color.fold_wb(8, -8);
    let free = |square: &Square| !board.occupied().contains(*square);
    let single = from.offset(step).filter(free);
    let double = single
        .filter(|_| piece.color.relative_rank(from.rank()) == Rank::Second)
        .and_then(|square| square.offset(step))
        .filter(free);
    let captures = shakmaty::attacks::pawn_attacks(piece.color, from) & board.by_color(!piece.color);
    single.into_iter().chain(double).fold(captures, Bitboard::with)
}

fn castling_fault(before: &Position, played: &Irregular, odd: Bitboard) -> Option<CastlingFault> {
    let us = before.turn();
    let king = before.board().king_of(us)?;
    if played.from != king || played.to.rank() != king.rank() || king.distance(played.to) < 2 {
        return None;
    }
    let towards = |rook: &Square| (rook.file() > king.file()) == (played.to.file() > king.file());
    let rooks = before.board().by_piece(us.rook()) & Bitboard::from(king.rank());
    let leads = |rook: &Square| castling_squares(king, *rook).0 == played.to;
    let Some(rook) = rooks.into_iter().find(|rook| towards(rook) && leads(rook)) else {
        // Both went along their rank, as in castling, and neither to its square.
        let moved = |rook: &Square| towards(rook) && played.board.piece_at(*rook) != Some(us.rook());
        let vacated = (before.castling_rooks() & rooks).into_iter().find(moved)?;
        let beside = played.board.by_piece(us.rook()) & odd & Bitboard::from(vacated.rank());
        return beside.any().then_some(CastlingFault::RookMisplaced);
    };
    let (_, rook_to) = castling_squares(king, rook);
    let has_right = before.castling_rooks().contains(rook);
    if played.board.piece_at(rook) == Some(us.rook()) && !odd.contains(rook) {
        return Some(if has_right { CastlingFault::RookLeft } else { CastlingFault::RightLost });
    }
    if played.board.piece_at(rook_to) != Some(us.rook()) {
        return Some(CastlingFault::RookMisplaced);
    }
    Some(if has_right { CastlingFault::ThroughCheck } else { CastlingFault::RightLost })
}

fn passed_pawn_left(before: &Position, played: &Irregular, piece: Piece) -> Option<Square> {
    if piece.role != Role::Pawn || played.from.file() == played.to.file() {
        return None;
    }
    before.find(played.from, played.to, None).filter(|m| m.is_en_passant())?;
    Some(Square::from_coords(played.to.file(), played.from.rank()))
}

/// Returns the square of a pawn that stands on its last rank though a queen there would have been a legal move.
pub(super) fn pawn_left(before: &Position, played: &Irregular) -> Option<Square> {
    let us = before.turn();
    let pawn = played.board.piece_at(played.to) == Some(us.pawn());
    let last = us.fold_wb(Rank::Eighth, Rank::First);
    let legal = before.find(played.from, played.to, Some(Role::Queen)).is_some();
    (pawn && played.to.rank() == last && legal).then_some(played.to)
}
