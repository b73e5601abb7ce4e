//! A little chess sense, for choosing among moves that nobody saw: players take what they can and do not leave
//! pieces to be taken.
//!
//! It never outweighs evidence; it only orders what the evidence leaves open.

use shakmaty::{Move, Role, Square};

use crate::position::Position;

/// Tells whether the piece on `square` can be won by the side to move: it is attacked by a lesser piece, or attacked
/// and not defended.
pub(super) fn hangs(position: &Position, square: Square) -> bool {
    let board = position.board();
    let Some(piece) = board.piece_at(square).filter(|piece| piece.color != position.turn()) else {
        return false;
    };
    let attackers = board.attacks_to(square, position.turn(), board.occupied());
    let defended = board.attacks_to(square, piece.color, board.occupied()).any();
    let lesser = attackers
        .into_iter()
        .any(|from| board.role_at(from).is_some_and(|role| value(role) < value(piece.role)));
    attackers.any() && (lesser || !defended)
}

/// Weighs the plies of a path that come later than a player would have them, in pawns: captures and flights that were
/// possible two plies before.
pub(super) fn delays(start: &Position, moves: &[Move]) -> u32 {
    let mut positions = vec![start.clone()];
    for m in moves {
        if let Some(last) = positions.last() {
            positions.push(last.play(*m));
        }
    }
    let possible_before =
        positions.iter().zip(moves.iter().skip(2)).filter(|(before, m)| before.is_legal(**m));
    let weight = |(before, m): (&Position, &Move)| match m.capture() {
        Some(captured) => value(captured),
        None => u32::from(m.from().is_some_and(|from| hangs(&before.pass(), from))),
    };
    possible_before.map(weight).sum()
}

/// Counts the moves that a piece could have saved by going at once where it went in two.
pub(super) fn detours(start: &Position, moves: &[Move]) -> u32 {
    let mut position = start.clone();
    let mut detours = 0;
    for (index, first) in moves.iter().enumerate() {
        let mut own = moves.get(index + 2..).unwrap_or_default().iter().step_by(2);
        let second = own.find(|m| m.from() == Some(first.to())).filter(|_| !first.is_capture());
        let at_once = first.from().zip(second).and_then(|(from, m)| position.find(from, m.to(), None));
        detours += u32::from(at_once.is_some());
        position = position.play(*first);
    }
    detours
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
