//! What touch-move asks of a player whose move is taken back (Art. 4.3, 4.4, 4.5).

use shakmaty::{Color, Role, Square};

use super::{attempt::Attempt, context::RuleContext, text::Phrase};
use crate::{
    code::Code,
    fact::{CastlingFault, Pressed, Reason, Verdict},
    laws::Topic,
};

/// What binds a player.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Duty {
    /// The piece on this square must move.
    Move(Square, Role),
    /// The piece on this square must be captured.
    Capture(Square, Role),
    /// The king must move after an illegal castling, if it can.
    King,
    /// The rook was touched before the king of a castling.
    Rook,
    /// The king of a legal castling was released on its square.
    Castle,
    /// What was touched can neither move nor be captured.
    Nothing,
    /// The sensors do not tell what was touched first.
    Unknown,
}

/// Returns what binds the player who completed an illegal move: the first piece touched that can move, or be captured.
pub(super) fn of(pressed: &Pressed) -> Duty {
    if let Verdict::Illegal(Reason::Castling { fault }) = pressed.verdict {
        return castling(pressed, fault);
    }
    let Some(attempt) = Attempt::last(pressed) else { return Duty::Unknown };
    let moves = pressed.before.legal_moves();
    let board = pressed.before.board();
    let mut touched = false;
    for change in attempt.changes() {
        let Some(piece) = change.was.filter(|piece| board.piece_at(change.square) == Some(*piece)) else {
            continue;
        };
        touched = true;
        let square = change.square;
        if piece.color == pressed.side && moves.iter().any(|m| m.from() == Some(square)) {
            return Duty::Move(square, piece.role);
        }
        if piece.color != pressed.side && moves.iter().any(|m| m.is_capture() && m.to() == square) {
            return Duty::Capture(square, piece.role);
        }
    }
    if touched { Duty::Nothing } else { Duty::Unknown }
}

fn castling(pressed: &Pressed, fault: CastlingFault) -> Duty {
    let us = pressed.side;
    let moves = pressed.before.legal_moves();
    let Some(king) = pressed.before.board().king_of(us) else { return Duty::Unknown };
    let can = |square: Square| moves.iter().any(|m| m.from() == Some(square));
    if let Some(attempt) = Attempt::last(pressed) {
        let first = attempt.changes().iter().find(|change| change.was.is_some_and(|piece| piece.color == us));
        if let Some(first) = first.filter(|first| first.was == Some(us.rook()) && can(first.square)) {
            return if pressed.before.castling_rooks().contains(first.square) {
                Duty::Rook
            } else {
                Duty::Move(first.square, Role::Rook)
            };
        }
    }
    let castles = moves.iter().any(|m| m.is_castle());
    match fault {
        CastlingFault::RookLeft | CastlingFault::RookMisplaced if castles => Duty::Castle,
        _ if can(king) || castles => Duty::King,
        _ => Duty::Nothing,
    }
}

/// Says what binds the player.
pub(super) fn words(pressed: &Pressed, context: &RuleContext<'_>) -> String {
    let (phrase, topic, square, role) = match of(pressed) {
        Duty::Move(square, role) => (Phrase::DutyMove, Topic::TouchedOwn, Some(square), role),
        Duty::Capture(square, role) => (Phrase::DutyCapture, Topic::TouchedTheirs, Some(square), role),
        Duty::King => (Phrase::DutyKing, Topic::CastlingIllegal, None, Role::King),
        Duty::Rook => (Phrase::DutyRook, Topic::CastlingRookFirst, None, Role::Rook),
        Duty::Castle => (Phrase::DutyCastle, Topic::CastlingReleased, None, Role::King),
        Duty::Nothing => (Phrase::DutyNone, Topic::TouchedNothing, None, Role::King),
        Duty::Unknown => (Phrase::DutyUnknown, Topic::TouchedOwn, None, Role::King),
    };
    let square = square.map(|square| square.to_string()).unwrap_or_default();
    let values = [
        ("side", context.side(pressed.side)),
        ("piece", &context.object(role)),
        ("square", &square),
        ("article", context.laws.topic(topic)),
    ];
    context.say(phrase, &values)
}

/// Adds that the arbiter acts only at a player's request, where the Laws say so (2009 without supervision: Art. A.4.b).
pub(super) fn on_request(code: Code, offender: Color, context: &RuleContext<'_>) -> String {
    if !context.laws.claim_only() {
        return String::new();
    }
    let authority = context.laws.authority(code).unwrap_or_default();
    context.say(Phrase::OnlyOnRequest, &[("opponent", context.side(!offender)), ("authority", authority)])
}
