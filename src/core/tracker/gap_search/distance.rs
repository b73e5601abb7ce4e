//! A lower bound for the plies that one side needs to bring its pieces where they stand at the end.

use shakmaty::{Bitboard, Board, Color, Piece, Rank, Role, Square};

use crate::{model::hands, position::Position};

/// Squares that castling takes a king and a rook to in one ply, as if it took three.
const CASTLING_SAVES: usize = 2;

/// More plies than any stretch has.
const NEVER: usize = 99;

/// Returns how many plies of `side` are needed at least until the board shows its pieces as in `goal`, and the
/// opponent's pieces that are not there have been captured.
pub(super) fn plies_needed(position: &Position, goal: &Board, faulty: Bitboard, side: Color) -> usize {
    let board = position.board();
    let mut needed = 0;
    let (mut king, mut rook) = (false, false);
    for role in Role::ALL {
        let piece = Piece { color: side, role };
        let arrivals = goal.by_piece(piece) & !board.by_piece(piece) & !faulty;
        if arrivals.is_empty() {
            continue;
        }
        king |= role == Role::King;
        rook |= role == Role::Rook;
        let origins = (board.by_piece(piece) & !goal.by_piece(piece)) | (board.by_piece(piece) & faulty);
        for to in arrivals {
            let moved = origins.into_iter().map(|from| distance(piece, from, to)).min();
            let promoted = promotes(role).then(|| promotion(board, side, to)).flatten();
            needed += moved.into_iter().chain(promoted).min().unwrap_or(NEVER);
        }
    }
    if king && rook {
        needed = needed.saturating_sub(CASTLING_SAVES);
    }
    needed.max(captures(board, goal, faulty, side))
}

/// Returns how many of the opponent's pieces have to be captured at least, if some may be in somebody's hand.
fn captures(board: &Board, goal: &Board, faulty: Bitboard, side: Color) -> usize {
    let count = |board: &Board| (board.by_color(!side) & !faulty).count();
    count(board).saturating_sub(count(goal) + hands::BOTH)
}

const fn promotes(role: Role) -> bool {
    matches!(role, Role::Queen | Role::Rook | Role::Bishop | Role::Knight)
}

/// Returns the plies after which a pawn may stand on `to` as another piece.
fn promotion(board: &Board, side: Color, to: Square) -> Option<usize> {
    let last = side.fold_wb(Rank::Eighth, Rank::First);
    let walk = usize::from(to.rank() != last);
    board.by_piece(side.pawn()).into_iter().map(|pawn| pawn_steps(side, pawn, last) + walk).min()
}

fn pawn_steps(side: Color, pawn: Square, rank: Rank) -> usize {
    let steps = usize::try_from(pawn.rank().distance(rank)).unwrap_or(NEVER);
    let double = side.relative_rank(pawn.rank()) == Rank::Second && steps >= 2;
    steps - usize::from(double)
}

/// Returns the plies that a piece needs on an empty board.
fn distance(piece: Piece, from: Square, to: Square) -> usize {
    let files = usize::try_from(from.file().distance(to.file())).unwrap_or(NEVER);
    let ranks = usize::try_from(from.rank().distance(to.rank())).unwrap_or(NEVER);
    let same_colour = (files + ranks).is_multiple_of(2);
    match piece.role {
        Role::Pawn => {
            let forward = piece.color.fold_wb(to.rank() > from.rank(), to.rank() < from.rank());
            let steps = if files == 0 { pawn_steps(piece.color, from, to.rank()) } else { ranks };
            if forward && files <= ranks { steps } else { NEVER }
        }
        Role::Knight => knight(files.max(ranks), files.min(ranks)),
        Role::Bishop if !same_colour => NEVER,
        Role::Bishop => 1 + usize::from(files != ranks),
        Role::Rook => 1 + usize::from(files != 0 && ranks != 0),
        Role::Queen => 1 + usize::from(files != ranks && files != 0 && ranks != 0),
        Role::King => files.max(ranks),
    }
}

/// Returns the plies that a knight needs at least to go so far.
const fn knight(long: usize, short: usize) -> usize {
    match (long, short) {
        (2, 1) => 1,
        (1, 1) | (2 | 4, 0 | 2) | (3, 1 | 3) => 2,
        _ if (long + short) % 2 == 1 => 3,
        _ => 4,
    }
}
