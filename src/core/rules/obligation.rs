//! What touch-move asks of a player whose move is taken back (Art. 4.3, 4.4, 4.5).

use std::time::Duration;

use shakmaty::{Color, Move, Role, Square};

use super::{
    attempt::{Attempt, ReturnedPiece, TOUCH, returns},
    builder::append,
    context::RuleContext,
    release,
    text::Phrase,
};
use crate::{
    code::Code,
    fact::{CastlingFault, Change, Pressed, Reason, Verdict},
    laws::Topic,
    time::Timestamp,
};

/// What binds a player.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Obligation {
    /// The piece on this square must move.
    Move(Square, Role),
    /// The piece on this square must be captured.
    Capture(Square, Role),
    /// The king must move after an illegal castling, and may castle with the other rook.
    King,
    /// The same where no castling is legal.
    KingOnly,
    /// The rook was touched before the king of a castling.
    Rook,
    /// The king of a legal castling was released on its square.
    Castle,
    /// What was touched can neither move nor be captured.
    Nothing,
    /// The sensors do not show what was touched first.
    Unknown,
}

/// Returns what binds the player who completed an illegal move: the first piece touched that can move, or be captured.
pub(super) fn of(pressed: &Pressed) -> Obligation {
    if let Verdict::Illegal(Reason::Castling { fault }) = pressed.verdict {
        return castling(pressed, fault);
    }
    if let Verdict::Illegal(Reason::PawnNotRemoved { square }) = pressed.verdict {
        return Obligation::Move(square, Role::Pawn);
    }
    let Some(attempt) = Attempt::last(pressed) else { return Obligation::Unknown };
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
            return Obligation::Move(square, piece.role);
        }
        if piece.color != pressed.side && moves.iter().any(|m| m.is_capture() && m.to() == square) {
            return Obligation::Capture(square, piece.role);
        }
    }
    if touched { Obligation::Nothing } else { Obligation::Unknown }
}

fn castling(pressed: &Pressed, fault: CastlingFault) -> Obligation {
    let us = pressed.side;
    let moves = pressed.before.legal_moves();
    let Some(king) = pressed.before.board().king_of(us) else { return Obligation::Unknown };
    let can = |square: Square| moves.iter().any(|m| m.from() == Some(square));
    if let Some(attempt) = Attempt::last(pressed) {
        let first = attempt.changes().iter().find(|change| change.was.is_some_and(|piece| piece.color == us));
        if let Some(first) = first.filter(|first| first.was == Some(us.rook()) && can(first.square)) {
            return if pressed.before.castling_rooks().contains(first.square) {
                Obligation::Rook
            } else {
                Obligation::Move(first.square, Role::Rook)
            };
        }
    }
    let castles = moves.iter().any(|m| m.is_castle());
    match fault {
        CastlingFault::RookLeft | CastlingFault::RookMisplaced if castles => Obligation::Castle,
        _ if castles => Obligation::King,
        _ if can(king) => Obligation::KingOnly,
        _ => Obligation::Nothing,
    }
}

/// Says what binds the player who completed an illegal move: a piece that was held and put back before it comes first.
pub(super) fn words(pressed: &Pressed, context: &RuleContext<'_>) -> String {
    let obligation = of(pressed);
    let again =
        |touch: &ReturnedPiece| matches!(obligation, Obligation::Move(square, _) if square == touch.square);
    if let Some(bound) = of_touch(pressed, TOUCH).filter(|bound| !again(&bound.touch)) {
        return bound.words(pressed, context);
    }
    // A rook that was touched after the king does not bind (Art. 4.4.3).
    let castled = matches!(pressed.verdict, Verdict::Illegal(Reason::Castling { .. }));
    let nothing = if castled { Topic::CastlingIllegal } else { Topic::TouchedNothing };
    let (phrase, topic, square, role) = match obligation {
        Obligation::Move(square, role) => (Phrase::DutyMove, Topic::TouchedOwn, Some(square), role),
        Obligation::Capture(square, role) => (Phrase::DutyCapture, Topic::TouchedTheirs, Some(square), role),
        Obligation::King => (Phrase::DutyKing, Topic::CastlingIllegal, None, Role::King),
        Obligation::KingOnly => (Phrase::DutyKingOnly, Topic::CastlingIllegal, None, Role::King),
        Obligation::Rook => (Phrase::DutyRook, Topic::CastlingRookFirst, None, Role::Rook),
        Obligation::Castle => (Phrase::DutyCastle, Topic::CastlingReleased, None, Role::King),
        Obligation::Nothing => (Phrase::DutyNone, nothing, None, Role::King),
        Obligation::Unknown => (Phrase::DutyUnknown, Topic::TouchedOwn, None, Role::King),
    };
    let square = square.map(|square| square.to_string()).unwrap_or_default();
    let values = [
        ("side", context.side(pressed.side)),
        ("piece", &context.subject(role)),
        ("it", context.it(role)),
        ("square", &square),
        ("article", context.laws.topic(topic)),
    ];
    context.say(phrase, &values)
}

/// Says what binds a player who pressed without a move: the first piece taken up and put back that can move, or be
/// captured, unless it only was adjusted; one that had been released on another square stays there (Art. 4.7).
pub(super) fn of_returned(pressed: &Pressed, context: &RuleContext<'_>) -> String {
    of_touch(pressed, Duration::ZERO).map_or_else(String::new, |bound| bound.words(pressed, context))
}

/// What binds a player in a move that is made again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Binding {
    /// The piece on the first square must move, to the second if there is one.
    From(Square, Option<Square>),
    /// What stands on this square must be captured.
    Capture(Square),
    /// The king must castle.
    Castle,
}

impl Binding {
    /// Returns whether a move does what it asks for; castling is the king's.
    pub(super) fn is_met_by(self, m: Move) -> bool {
        match self {
            Self::From(from, to) => m.from() == Some(from) && to.is_none_or(|to| m.to() == to),
            Self::Capture(square) => captured(m) == Some(square),
            Self::Castle => m.is_castle(),
        }
    }
}

/// Returns the square of the piece that a move captures.
pub(super) fn captured(m: Move) -> Option<Square> {
    match m {
        Move::EnPassant { from, to } => Some(Square::from_coords(to.file(), from.rank())),
        m if m.is_capture() => Some(m.to()),
        _ => None,
    }
}

/// Returns what binds a player who has to move again, after an illegal move that is taken back (Art. 7.5.1) or a press without a move, and
/// says it; a touch before that press binds only if it was longer than adjusting takes. What was touched before `since` was not touched
/// by the player to move.
pub(super) fn lasting(
    pressed: &Pressed,
    since: Timestamp,
    context: &RuleContext<'_>,
) -> Option<(Binding, String)> {
    let touch = of_touch(pressed, TOUCH);
    if touch.as_ref().is_some_and(|bound| bound.touch.lifted < since) {
        return None;
    }
    match pressed.verdict {
        // What stood elsewhere meanwhile may have fallen.
        Verdict::Nothing => touch
            .filter(|bound| !bound.stood_elsewhere(pressed))
            .map(|bound| (bound.binding(pressed), bound.words(pressed, context))),
        Verdict::Illegal(_) => {
            let binding = match (touch, of(pressed)) {
                (Some(bound), Obligation::Move(..) | Obligation::Capture(..)) => bound.binding(pressed),
                (_, Obligation::Move(square, _)) => Binding::From(square, None),
                (_, Obligation::Capture(square, _)) => Binding::Capture(square),
                (_, Obligation::King | Obligation::KingOnly) => {
                    Binding::From(pressed.before.board().king_of(pressed.side)?, None)
                }
                (_, Obligation::Castle) => Binding::Castle,
                (_, Obligation::Rook | Obligation::Nothing | Obligation::Unknown) => return None,
            };
            Some((binding, words(pressed, context)))
        }
        _ => None,
    }
}

/// A piece that was taken up and put back, and binds.
struct Bound {
    phrase: Phrase,
    topic: Topic,
    touch: ReturnedPiece,
    /// Where it had been released.
    to: Option<Square>,
}

/// Returns the first piece that was taken up, for so long at least, and put back, and binds.
fn of_touch(pressed: &Pressed, least: Duration) -> Option<Bound> {
    if pressed.attempt.iter().any(|change| change.dumped) {
        return None;
    }
    let moves = pressed.before.legal_moves();
    let board = pressed.before.board();
    let stood = returns(&pressed.attempt).into_iter().filter(|touch| touch.dwell() >= least);
    let mut stood = stood.filter(|touch| board.piece_at(touch.square) == Some(touch.piece));
    stood.find_map(|touch| {
        let bound = |phrase, topic| Bound { phrase, topic, touch, to: None };
        if let Some(released) = release::between(&touch, pressed) {
            return Some(Bound { to: Some(released.square), ..bound(Phrase::DutyReleased, Topic::Released) });
        }
        let square = touch.square;
        if touch.piece.color == pressed.side {
            let binds = moves.iter().any(|m| m.from() == Some(square));
            return binds.then(|| bound(Phrase::DutyMove, Topic::TouchedOwn));
        }
        let binds = moves.iter().any(|m| m.is_capture() && m.to() == square);
        binds.then(|| bound(Phrase::DutyCapture, Topic::TouchedTheirs))
    })
}

impl Bound {
    fn stood_elsewhere(&self, pressed: &Pressed) -> bool {
        let touch = &self.touch;
        let meanwhile = |change: &&Change| (touch.lifted..=touch.placed).contains(&change.at);
        let mut changes = pressed.attempt.iter().filter(meanwhile);
        changes.any(|change| change.is == Some(touch.piece) && change.square != touch.square)
    }

    fn binding(&self, pressed: &Pressed) -> Binding {
        if self.touch.piece.color == pressed.side {
            Binding::From(self.touch.square, self.to)
        } else {
            Binding::Capture(self.touch.square)
        }
    }

    fn words(&self, pressed: &Pressed, context: &RuleContext<'_>) -> String {
        let Self { phrase, topic, touch, to } = self;
        let (square, to) = (touch.square.to_string(), to.map(|to| to.to_string()).unwrap_or_default());
        let values = [
            ("side", context.side(pressed.side)),
            ("piece", &*context.subject(touch.piece.role)),
            ("it", context.it(touch.piece.role)),
            ("square", &*square),
            ("to", &*to),
            ("article", context.laws.topic(*topic)),
            ("duty", context.laws.topic(Topic::Adjusting)),
        ];
        let mut words = context.say(*phrase, &values);
        if *phrase != Phrase::DutyReleased {
            append(&mut words, &context.say(Phrase::WasItAdjusted, &values));
        }
        words
    }
}

/// Says who may have it acted on: the opponent loses that right by touching a piece (Art. 4.8); without supervision the
/// arbiter of 2009 acts only at a player's request (Art. A.4.b).
pub(super) fn on_request(code: Code, offender: Color, context: &RuleContext<'_>) -> String {
    let authority = context.laws.authority(code).unwrap_or_default();
    let phrase = if context.laws.claim_only() { Phrase::OnlyOnRequest } else { Phrase::ClaimUntilTouch };
    context.say(phrase, &[("opponent", context.side(!offender)), ("authority", authority)])
}
