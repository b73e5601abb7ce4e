//! Can this player checkmate by any series of legal moves? What the material alone says.

use shakmaty::{Bitboard, Board, Color};

pub use crate::alert::Winnability;
use crate::position::Position;

/// With fewer legal moves the side to move may be forced into something that material does not show.
const FREE: usize = 4;

/// Answers what can be answered at once: what the material proves, and what is plain in free play.
pub(super) fn quick(position: &Position, winner: Color) -> Winnability {
    match material(position.board(), winner) {
        Winnability::Winnable if position.legal_moves().len() < FREE => Winnability::Unknown,
        answer => answer,
    }
}

/// Answers from the material alone; pawns may be blocked for ever, so they leave it open.
pub(super) fn material(board: &Board, winner: Color) -> Winnability {
    use Winnability::{Unknown, Unwinnable, Winnable};
    // Where a pawn has become a king, or a king was taken, the pieces do not show how the game goes on.
    if board.kings().count() != 2 || Color::ALL.into_iter().any(|side| board.king_of(side).is_none()) {
        return Unknown;
    }
    let own = |pieces: Bitboard| pieces & board.by_color(winner);
    let theirs = |pieces: Bitboard| pieces & board.by_color(!winner);
    // A pawn of the opponent's may become what helps, if it can move.
    let undecided = if theirs(board.pawns()).any() { Unknown } else { Unwinnable };
    if own(board.queens() | board.rooks()).any() {
        return Winnable;
    }
    if own(board.pawns()).any() {
        return Unknown;
    }
    let (knights, bishops) = (own(board.knights()).count(), own(board.bishops()));
    match (knights, bishops.count()) {
        (0, 0) => Unwinnable,
        // A knight needs a piece of the opponent's that blocks the king's flight; a queen would guard the mate.
        (1, 0) => {
            let blocker = theirs(board.rooks() | board.bishops() | board.knights()).any();
            if blocker { Winnable } else { undecided }
        }
        (0, _) => {
            let dark = !(bishops & Bitboard::DARK_SQUARES).is_empty();
            let light = !(bishops & Bitboard::LIGHT_SQUARES).is_empty();
            let other_colour = if dark { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
            if dark && light || theirs(board.knights() | board.bishops() & other_colour).any() {
                Winnable
            } else {
                undecided
            }
        }
        _ => Winnable,
    }
}

/// Returns whether all pieces left are kings, bishops and pawns, and no pawn can move or take another: what may be a wall
/// that nothing passes.
pub(super) fn is_locked(board: &Board) -> bool {
    let pawns = board.pawns();
    let others = board.queens() | board.rooks() | board.knights();
    others.is_empty()
        && pawns.any()
        && pawns.into_iter().all(|square| {
            let Some(color) = board.color_at(square) else { return false };
            let ahead = square.offset(color.fold_wb(8, -8));
            let takes = shakmaty::attacks::pawn_attacks(color, square) & pawns & board.by_color(!color);
            ahead.is_some_and(|ahead| pawns.contains(ahead)) && takes.is_empty()
        })
}
