//! Which of several moves that nobody saw is likelier: players capture what they can and do not leave
//! pieces to be taken.
//!
//! It never outweighs evidence; it only orders what the evidence leaves open.

use shakmaty::{Board, Color, Move, Rank, Role, Square};

use super::{cost, path_history::PathHistory};
use crate::{
    model::decision,
    position::{Position, differences},
};

/// Returns whether the piece on `square` can be won by the side to move: it is attacked by a lesser piece, or attacked
/// and not defended.
pub(super) fn hangs(position: &Position, square: Square) -> bool {
    let board = position.board();
    board.color_at(square).is_some_and(|color| color != position.turn()) && is_loose(board, square)
}

/// Returns the same for a piece of either side, if its opponent were to move.
fn is_loose(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else { return false };
    let attackers = board.attacks_to(square, !piece.color, board.occupied());
    if attackers.is_empty() {
        return false;
    }
    let defended = board.attacks_to(square, piece.color, board.occupied()).any();
    let lesser = attackers
        .into_iter()
        .any(|from| board.role_at(from).is_some_and(|role| value(role) < value(piece.role)));
    lesser || !defended
}

/// Returns what a move costs that nobody saw, in the light of those before it; [`blunder`] is to be added.
pub(super) fn price(history: &PathHistory<'_>, m: Move) -> u32 {
    delay(history.clone(), m) + detour(history.clone(), m)
}

/// Returns what it costs that a piece goes just there in the first moves of a game, where its other moves were possible as well; later, what
/// stands around says more than the square.
pub(super) fn destination(position: &Position, m: Move) -> u32 {
    if differences(&Board::new(), position.board()).count() > decision::OPENING {
        return 0;
    }
    let Move::Normal { role, from, capture: None, to, promotion: None } = m else { return 0 };
    let file = usize::from(to.file());
    let (costs, index): (&[u32], usize) = match role {
        Role::Pawn if from.rank().distance(to.rank()) == 2 => (&cost::TWO_RANKS, file),
        Role::Pawn if matches!(from.rank(), Rank::Second | Rank::Seventh) => (&cost::ONE_RANK, file),
        Role::Knight => (&cost::KNIGHT_TO, file.min(7 - file)),
        Role::Bishop => (&cost::BISHOP_TO, file.min(7 - file)),
        Role::Queen => (&cost::QUEEN_TO, file.min(7 - file)),
        Role::Pawn | Role::Rook | Role::King => return 0,
    };
    costs.get(index).copied().unwrap_or_default()
}

/// Prices a capture or a flight that was possible two plies before.
fn delay(mut history: PathHistory<'_>, m: Move) -> u32 {
    if history.by_ref().take(2).count() < 2 {
        return 0;
    }
    let Some(earlier) = history.position().filter(|earlier| earlier.is_legal(m)) else { return 0 };
    let pawns = match m.capture() {
        Some(captured) => value(captured),
        None => u32::from(m.from().is_some_and(|from| is_loose(earlier.board(), from))),
    };
    cost::DELAY * pawns
}

/// Prices a move that the piece could have saved by going at once where it went in two.
fn detour(mut history: PathHistory<'_>, m: Move) -> u32 {
    for _ in 0..decision::DETOURS {
        let (_, Some(own)) = (history.next(), history.next()) else { return 0 };
        if Some(own.to()) != m.from() {
            continue;
        }
        let (Some(from), Some(position)) = (own.from(), history.position()) else { return 0 };
        let back = from == m.to();
        let at_once = !own.is_capture() && position.find(from, m.to(), m.promotion()).is_some();
        return if back || at_once { cost::DETOUR } else { 0 };
    }
    0
}

/// Prices a move after which the opponent wins more than it took: so much of the mover's is [at risk](at_risk) then.
pub(super) fn blunder(at_risk: u32, m: Move) -> u32 {
    cost::BLUNDER * at_risk.saturating_sub(m.capture().map_or(0, value))
}

/// Returns what the most valuable piece of a side that its opponent can win is worth, in pawns. It belongs to the position, whatever
/// move has led there.
pub(super) fn at_risk(board: &Board, us: Color) -> u32 {
    let loose = board.by_color(us) & !board.kings() & !board.pawns();
    let lost = loose.into_iter().filter(|square| is_loose(board, *square));
    lost.filter_map(|square| board.role_at(square)).map(value).max().unwrap_or(0)
}

const fn value(role: Role) -> u32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 100,
    }
}
