//! Searches for a helpmate: does any series of legal moves checkmate a side?
//!
//! All positions that play can lead to are gone through, those that look nearest to mate first: a mate that is met proves that there is
//! one, and an end without one that there is none. Before that, searches that leave most moves out look for a mate only, as kings that
//! walk to a corner find it soonest.

use std::{
    cmp::Reverse,
    collections::{BinaryHeap, HashSet},
};

use shakmaty::{
    Bitboard, Board, Chess, Color, EnPassantMode, Move, Position as _, Rank, Role, Square, attacks,
    zobrist::Zobrist128,
};

use super::mating::{self, Winnability};

/// Positions that the search through all moves keeps: some tens of megabytes.
const MOST: usize = 200_000;

/// The searches before it, with the positions that each of them keeps.
const GUIDED: [(Scope, usize); 4] = [
    (Scope::King, MOST / 8),
    (Scope::KingThenAll, MOST / 8),
    (Scope::KingAndPiece, MOST / 4),
    (Scope::King, MOST / 2),
];

/// Where a king is mated soonest.
const CORNERS: [Square; 4] = [Square::A1, Square::A8, Square::H1, Square::H8];

/// How much more what is left to the mate counts than the moves that were made.
const WEIGHT: u32 = 4;

/// What a pawn has to do until it is a queen: each of its steps, and the rest.
const STEP: u32 = 4;
const PROMOTION: u32 = 6;

/// A side that has nothing to mate with is so far from it.
const FAR: u32 = 60;

/// Which moves a search looks at, if there are such moves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Scope {
    /// All: no other search proves that there is no mate.
    All,
    /// Those of the king that is to be mated; of the other side, kings, queens, rooks, pawns and captures.
    King,
    /// The same, but all moves of the side that is to be mated once its king is near a corner.
    KingThenAll,
    /// The same as with the king alone, and one piece beside it loses time; pawns stay where a queen or a rook mates.
    KingAndPiece,
}

impl Scope {
    fn has(self, position: &Chess, winner: Color, m: Move) -> bool {
        let board = position.board();
        if position.turn() == winner {
            let has_heavy = (board.by_color(winner) & (board.queens() | board.rooks())).any();
            return match m.role() {
                Role::King | Role::Queen | Role::Rook => true,
                Role::Pawn => !has_heavy || self != Self::KingAndPiece,
                Role::Knight | Role::Bishop => !has_heavy || m.is_capture(),
            };
        }
        m.role() == Role::King
            || match self {
                Self::All => true,
                Self::King => false,
                Self::KingThenAll => board
                    .king_of(!winner)
                    .is_none_or(|king| CORNERS.into_iter().any(|corner| king.distance(corner) <= 1)),
                Self::KingAndPiece => m.from() == others(board, !winner).without(board.pawns()).first(),
            }
    }
}

/// Answers by proof, or that the search has given up.
pub(super) fn proof(start: &Chess, winner: Color) -> Winnability {
    let guided = GUIDED.into_iter().map(|(scope, most)| search(start, winner, scope, most));
    if guided.into_iter().any(|answer| answer == Winnability::Winnable) {
        return Winnability::Winnable;
    }
    search(start, winner, Scope::All, MOST)
}

fn search(start: &Chess, winner: Color, scope: Scope, most: usize) -> Winnability {
    debug_assert!(start.board().kings().count() == 2, "a position without a king has no mate");
    let hash = |position: &Chess| position.zobrist_hash::<Zobrist128>(EnPassantMode::Legal);
    let is_won = |position: &Chess| position.turn() != winner && position.is_checkmate();
    if is_won(start) {
        return Winnability::Winnable;
    }
    let mut seen = HashSet::from([hash(start)]);
    let mut reached = vec![(start.clone(), 0)];
    // Of positions that look alike the one that was found last goes first.
    let mut open = BinaryHeap::from([Reverse((0, Reverse(0)))]);
    while let Some(Reverse((_, Reverse(index)))) = open.pop() {
        let Some((position, depth)) = reached.get(index).cloned() else { break };
        let moves = position.legal_moves();
        let has_any = moves.iter().any(|m| scope.has(&position, winner, *m));
        for m in
            moves.into_iter().filter(|m| scope == Scope::All || !has_any || scope.has(&position, winner, *m))
        {
            let mut next = position.clone();
            next.play_unchecked(m);
            let is_drawn = mating::material(next.board(), winner) == Winnability::Unwinnable;
            if is_drawn || !seen.insert(hash(&next)) {
                continue;
            }
            if is_won(&next) {
                return Winnability::Winnable;
            }
            if reached.len() >= most {
                return Winnability::Unknown;
            }
            debug_assert!(next.board().kings().count() == 2, "legal moves take no king");
            open.push(Reverse((
                WEIGHT * remaining(next.board(), winner) + depth + 1,
                Reverse(reached.len()),
            )));
            reached.push((next, depth + 1));
        }
    }
    if scope == Scope::All { Winnability::Unwinnable } else { Winnability::Unknown }
}

/// Returns what stands of a side beside its king.
fn others(board: &Board, side: Color) -> Bitboard {
    board.by_color(side).without(board.kings())
}

/// Guesses how far it is to a mate in the nearest corner.
fn remaining(board: &Board, winner: Color) -> u32 {
    let (Some(king), Some(own_king)) = (board.king_of(!winner), board.king_of(winner)) else { return FAR };
    let pieces = others(board, winner).without(board.pawns());
    let bishops = pieces & board.bishops();
    let is_dark = (bishops & Bitboard::DARK_SQUARES).any();
    let fits = |corner: &Square| {
        bishops != pieces || bishops.is_empty() || Bitboard::DARK_SQUARES.contains(*corner) == is_dark
    };
    let walks = CORNERS.into_iter().filter(fits);
    let walk =
        walks.map(|corner| 2 * king.distance(corner) + 2 * own_king.distance(corner).abs_diff(2)).min();
    let nearest = pieces.into_iter().map(|square| square.distance(king)).min();
    let seen_through = board.occupied().without(king);
    let is_flight = |square: &Square| board.attacks_to(*square, winner, seen_through).is_empty();
    let flights = attacks::king_attacks(king).without(board.by_color(!winner)).into_iter().filter(is_flight);
    force(board, winner, king)
        + walk.unwrap_or(0)
        + nearest.unwrap_or(0) / 2
        + flights.map(|_| 1).sum::<u32>()
}

/// Guesses how far it is until there is enough to mate with.
fn force(board: &Board, winner: Color, king: Square) -> u32 {
    let own = board.by_color(winner);
    if (own & (board.queens() | board.rooks())).any() {
        return 0;
    }
    let promotion = |side: Color| {
        let last = side.fold_wb(Rank::Eighth, Rank::First);
        let pawns = board.by_color(side) & board.pawns();
        pawns.into_iter().map(|pawn| PROMOTION + STEP * pawn.rank().distance(last)).min()
    };
    let minors = (own & (board.knights() | board.bishops())).count();
    let own_pawns = promotion(winner);
    let together = match minors {
        0 | 1 if own_pawns.is_some() => None,
        0 | 1 => {
            // A piece of the other side's has to stand in its king's way.
            let pieces = others(board, !winner).without(board.pawns());
            let stands = pieces.into_iter().map(|square| square.distance(king)).min();
            stands.into_iter().chain(promotion(!winner)).min().map(|near| near + STEP)
        }
        _ => Some(STEP),
    };
    own_pawns.into_iter().chain(together).min().unwrap_or(FAR)
}
