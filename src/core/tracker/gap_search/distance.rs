//! A lower bound for the plies that one side needs to bring its pieces where they stand at the end.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, ByRole, Color, Piece, Rank, Role, Square, attacks};

use crate::model::hands;

/// Squares that castling takes a king and a rook to in one ply, as if it took three.
const CASTLING_SAVES: usize = 2;

/// More plies than any stretch has.
const NEVER: usize = 99;

/// What the pieces of one side need from a position on. A move changes the needs of one or two kinds of pieces, so that those of
/// each position that follows are mostly known.
pub(super) struct Needs<'a> {
    board: &'a Board,
    goal: &'a Board,
    faulty: Bitboard,
    side: Color,
    /// Plies that each kind of piece needs; `None` if no such piece has to come anywhere.
    kinds: ByRole<Option<usize>>,
}

impl<'a> Needs<'a> {
    pub(super) fn of(board: &'a Board, goal: &'a Board, faulty: Bitboard, side: Color) -> Self {
        let kinds = ByRole::new_with(|role| {
            let piece = Piece { color: side, role };
            let coming = goal.by_piece(piece) & !board.by_piece(piece) & !faulty;
            coming.any().then(|| arrivals(board, goal, faulty, piece, coming))
        });
        Self { board, goal, faulty, side, kinds }
    }

    /// Returns how many plies of the side are needed at least from `after` on until the board shows its pieces as in the goal,
    /// and the opponent's pieces that are not there have been captured; `None` if they are more than `most`.
    pub(super) fn after(&self, after: &Board, most: usize) -> Option<usize> {
        let pawns = self.is_changed(after, Role::Pawn);
        let (mut needed, mut king, mut rook) = (0, false, false);
        let mut changed: ArrayVec<Role, 6> = ArrayVec::new();
        for role in Role::ALL {
            if self.is_changed(after, role) || pawns && promotes(role) {
                changed.push(role);
            } else if let Some(plies) = self.kinds.get(role) {
                king |= role == Role::King;
                rook |= role == Role::Rook;
                needed += plies;
            }
        }
        // What has changed is asked only if the rest leaves time for it.
        if needed > most + CASTLING_SAVES {
            return None;
        }
        for role in changed {
            let piece = Piece { color: self.side, role };
            let coming = self.goal.by_piece(piece) & !after.by_piece(piece) & !self.faulty;
            if coming.is_empty() {
                continue;
            }
            king |= role == Role::King;
            rook |= role == Role::Rook;
            needed += arrivals(after, self.goal, self.faulty, piece, coming);
        }
        if king && rook {
            needed = needed.saturating_sub(CASTLING_SAVES);
        }
        let needed = needed.max(captures(after, self.goal, self.faulty, self.side));
        (needed <= most).then_some(needed)
    }

    fn is_changed(&self, after: &Board, role: Role) -> bool {
        let piece = Piece { color: self.side, role };
        self.board.by_piece(piece) != after.by_piece(piece)
    }
}

/// Returns the plies that such pieces need at least to come to these squares.
fn arrivals(board: &Board, goal: &Board, faulty: Bitboard, piece: Piece, coming: Bitboard) -> usize {
    let Piece { color: side, role } = piece;
    let pieces = board.by_piece(piece);
    let origins = pieces & (!goal.by_piece(piece) | faulty);
    let plies = |to| {
        let promoted = promotes(role).then(|| promotion(board, side, to)).flatten();
        nearest(piece, origins, to).into_iter().chain(promoted).min().unwrap_or(NEVER)
    };
    coming.into_iter().map(plies).sum()
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
    let pawns = board.by_piece(side.pawn());
    // No other pawn is nearer than the one that has come furthest.
    let furthest = side.fold_wb(pawns.last(), pawns.first());
    furthest.map(|pawn| pawn_steps(side, pawn, last) + walk)
}

fn pawn_steps(side: Color, pawn: Square, rank: Rank) -> usize {
    let steps = usize::try_from(pawn.rank().distance(rank)).unwrap_or(NEVER);
    let double = side.relative_rank(pawn.rank()) == Rank::Second && steps >= 2;
    steps - usize::from(double)
}

/// Returns the plies that the nearest of several pieces needs on an empty board; `None` if there is no piece.
fn nearest(piece: Piece, origins: Bitboard, to: Square) -> Option<usize> {
    if origins.is_empty() {
        return None;
    }
    let direct = match piece.role {
        Role::Knight => attacks::knight_attacks(to),
        Role::Bishop => attacks::bishop_attacks(to, Bitboard::EMPTY),
        Role::Rook => attacks::rook_attacks(to, Bitboard::EMPTY),
        Role::Queen => attacks::queen_attacks(to, Bitboard::EMPTY),
        Role::King => attacks::king_attacks(to),
        Role::Pawn => Bitboard::EMPTY,
    };
    if (origins & direct).any() {
        return Some(1);
    }
    match piece.role {
        Role::Rook | Role::Queen => Some(2),
        Role::Bishop => {
            let same = if to.is_light() { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
            Some(if (origins & same).any() { 2 } else { NEVER })
        }
        Role::Pawn | Role::Knight | Role::King => {
            origins.into_iter().map(|from| step_by_step(piece, from, to)).min()
        }
    }
}

/// Returns the plies that a pawn, a knight or a king needs on an empty board.
fn step_by_step(piece: Piece, from: Square, to: Square) -> usize {
    let files = usize::try_from(from.file().distance(to.file())).unwrap_or(NEVER);
    let ranks = usize::try_from(from.rank().distance(to.rank())).unwrap_or(NEVER);
    match piece.role {
        Role::Pawn => {
            let forward = piece.color.fold_wb(to.rank() > from.rank(), to.rank() < from.rank());
            let steps = if files == 0 { pawn_steps(piece.color, from, to.rank()) } else { ranks };
            if forward && files <= ranks { steps } else { NEVER }
        }
        Role::Knight => knight(files.max(ranks), files.min(ranks)),
        Role::Bishop | Role::Rook | Role::Queen | Role::King => files.max(ranks),
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

#[cfg(test)]
mod tests;
