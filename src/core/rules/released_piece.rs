//! A piece that had rested on another square where it could have stayed (Art. 4.7).

use std::time::Duration;

use shakmaty::{Bitboard, Move, Piece, Role, Square};

use super::{
    Rule, Spec,
    attempt::{Attempt, ReturnedPiece, returns},
    builder::AlertBuilder,
    context::RuleContext,
    duty,
    hears::Facts,
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed},
    laws::Topic,
};

pub(super) const SPEC: Spec = Spec {
    id: "released-piece",
    codes: &[Code::ReleasedPieceMoved],
    summary: "The piece that was moved had rested on another legal square before.",
    hears: Facts::PRESSED,
    new: || Box::new(ReleasedPiece),
};

/// A hand that only passes by lets a piece rest for less than this.
const RELEASE: Duration = Duration::from_millis(1500);

#[derive(Debug)]
struct ReleasedPiece;

impl Rule for ReleasedPiece {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Some((m, ply)) = context.completed_move(pressed) else { return };
        let Some(released) = rested(m, pressed).or_else(|| taken_back(m, pressed)) else { return };
        let code = Code::ReleasedPieceMoved;
        let square = released.square.to_string();
        let pawn = released.role == Role::Pawn && Bitboard::BACKRANKS.contains(released.square);
        let topic = if pawn { Topic::ReleasedPawn } else { Topic::Released };
        let article = context.laws.topic(topic);
        let values = [
            ("side", context.side(pressed.side)),
            ("piece", &context.the(released.role)),
            ("square", square.as_str()),
            ("move", &context.san(&ply.san)),
            ("article", article),
            ("duty", article),
        ];
        let mut builder = AlertBuilder::at_press(code, pressed, context.say(Phrase::ReleasedPiece, &values))
            .confidence(Confidence::Possible)
            .act(&context.say(Phrase::WasItReleased, &values))
            .act(&duty::on_request(code, pressed.side, context))
            .fact("square", square.clone())
            .fact("rested_ms", u64::try_from(released.rest.as_millis()).unwrap_or(u64::MAX));
        builder.article = Some(article);
        alerts.raise(builder, context);
    }
}

/// A piece that rested where it could have stayed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Released {
    pub(super) role: Role,
    pub(super) square: Square,
    rest: Duration,
}

/// Returns another square on which the moved piece rested where it could have stayed.
fn rested(m: Move, pressed: &Pressed) -> Option<Released> {
    let from = m.from()?;
    let piece = m.role().of(pressed.side);
    let final_square = if let Move::Castle { king, rook } = m {
        crate::position::castling_squares(king, rook).0
    } else {
        m.to()
    };
    let elsewhere = |place: &Change| place.is == Some(piece) && place.square != final_square;
    // Nearly all moves go straight to their squares.
    if !pressed.attempt.iter().any(|place| elsewhere(place) && place.square != from) {
        return None;
    }
    let attempt = Attempt::last(pressed)?;
    released_in(attempt.changes(), piece, from, pressed, elsewhere)
}

/// Returns a piece that was made a move with, released, and taken back before another one was played.
fn taken_back(m: Move, pressed: &Pressed) -> Option<Released> {
    if pressed.attempt.iter().any(|change| change.dumped) {
        return None;
    }
    let back = returns(&pressed.attempt).into_iter().filter(|touch| touch.piece.color == pressed.side);
    back.filter(|touch| m.from() != Some(touch.square)).find_map(|touch| between(&touch, pressed))
}

/// Returns where a piece rested between being lifted and put back, if it could have stayed there.
pub(super) fn between(touch: &ReturnedPiece, pressed: &Pressed) -> Option<Released> {
    if touch.piece.color != pressed.side {
        return None;
    }
    let meanwhile = |change: &&Change| (touch.lifted..=touch.placed).contains(&change.at);
    let changes: Vec<Change> = pressed.attempt.iter().filter(meanwhile).copied().collect();
    released_in(&changes, touch.piece, touch.square, pressed, |place| place.is == Some(touch.piece))
}

/// Returns a piece of the player to move that rested on a square to which it could move from `from`, and left again.
fn released_in(
    changes: &[Change],
    piece: Piece,
    from: Square,
    pressed: &Pressed,
    counts: impl Fn(&Change) -> bool,
) -> Option<Released> {
    changes.iter().enumerate().filter(|(_, place)| counts(place) && place.square != from).find_map(
        |(index, place)| {
            let mut later = changes.iter().skip(index + 1);
            let left = later.find(|change| change.square == place.square)?;
            let rest = left.at.since(place.at);
            let promotion = (piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(place.square))
                .then_some(Role::Queen);
            let legal = pressed.before.find(from, place.square, promotion).is_some();
            (legal && left.was == Some(piece) && rest >= RELEASE).then_some(Released {
                role: piece.role,
                square: place.square,
                rest,
            })
        },
    )
}
