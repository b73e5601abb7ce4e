//! Chooses moves by a search of one ply: captures undefended pieces, avoids losing its own, prefers the centre.

use shakmaty::{Board, Color, Move, Role, Square};

use crate::random::Random;
use jadoube_core::position::Position;

/// Chooses a sensible legal move, `None` if there is none.
#[must_use]
pub fn choose(position: &Position, random: &mut Random) -> Option<Move> {
    let mut moves = position.legal_moves();
    // Where an illegal move stands, a king may be attacked; players do not capture it.
    moves.retain(|m| m.capture() != Some(Role::King));
    let weights: Vec<f64> = moves.iter().map(|m| (0.9 * worth(position, *m)).exp()).collect();
    moves.get(random.weighted(&weights)).copied()
}

/// Returns White's material less Black's, in pawns.
pub(super) fn balance(position: &Position) -> i32 {
    let count = |color: Color| -> i32 {
        position
            .board()
            .by_color(color)
            .into_iter()
            .filter_map(|square| position.board().role_at(square))
            .map(pawns)
            .sum()
    };
    count(Color::White) - count(Color::Black)
}

fn worth(position: &Position, m: Move) -> f64 {
    let us = position.turn();
    let after = position.play(m);
    let mut worth = m.capture().map_or(0.0, value) + m.promotion().map_or(0.0, value);
    if let Move::Normal { to, .. } | Move::EnPassant { to, .. } = m {
        worth -= risk(after.board(), to, us);
        worth += place(m.role(), to, us) - m.from().map_or(0.0, |from| place(m.role(), from, us));
    }
    if matches!(m, Move::Castle { .. }) {
        worth += 4.0;
    }
    if after.is_checkmate() {
        worth += 8.0;
    } else if after.is_check(!us) {
        worth += 0.4;
    }
    worth.clamp(-10.0, 10.0)
}

/// Returns the value that may be lost on a square: that of the piece, if a cheaper one attacks it or none defends it.
fn risk(board: &Board, square: Square, us: Color) -> f64 {
    let Some(piece) = board.role_at(square) else { return 0.0 };
    let attackers = board.attacks_to(square, !us, board.occupied());
    let cheapest =
        attackers.into_iter().filter_map(|from| board.role_at(from)).map(value).fold(f64::MAX, f64::min);
    let defended = board.attacks_to(square, us, board.occupied()).any();
    match attackers.is_empty() {
        true => 0.0,
        false if !defended => value(piece),
        false => (value(piece) - cheapest).max(0.0),
    }
}

/// Returns the positional value of a piece on a square.
fn place(role: Role, square: Square, us: Color) -> f64 {
    let rank = f64::from(us.relative_rank(square.rank()).to_u32());
    let file = f64::from(square.file().to_u32());
    let centre = 1.0 - ((file - 3.5).abs() + (rank - 3.5).abs()) / 7.0;
    match role {
        Role::Pawn => 0.15 * rank + 0.8 * centre,
        Role::Knight | Role::Bishop => 1.2 * centre + if rank > 0.0 { 0.4 } else { 0.0 },
        Role::Rook => 0.3 * centre,
        Role::Queen => 0.2 * centre,
        Role::King => -0.6 * rank,
    }
}

fn value(role: Role) -> f64 {
    f64::from(pawns(role))
}

const fn pawns(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}
