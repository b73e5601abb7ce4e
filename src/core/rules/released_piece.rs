//! A piece that had rested on another square where it could have stayed (Art. 4.7).

use shakmaty::{Bitboard, ByColor, Move, Role};

use super::{
    Rule, Spec,
    attempt::{Attempt, returns},
    builder::AlertBuilder,
    context::RuleContext,
    duty,
    hears::Facts,
    release::{Released, between, released_in},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed},
    laws::Topic,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "released-piece",
    codes: &[Code::ReleasedPieceMoved],
    summary: "The piece that was moved had rested on another legal square before.",
    hears: Facts::PRESSED,
    new: || Box::new(ReleasedPiece::default()),
};

#[derive(Debug, Default)]
struct ReleasedPiece {
    /// When each side pressed last.
    pressed: ByColor<Option<Timestamp>>,
}

impl Rule for ReleasedPiece {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        self.pressed.get_mut(pressed.side).replace(pressed.at);
        let began = *self.pressed.get(!pressed.side);
        let Some((m, ply)) = context.completed_move(pressed) else { return };
        let Some(released) = rested(m, pressed).or_else(|| taken_back(m, pressed, began)) else { return };
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
        builder.article = Some(article.into());
        alerts.raise(builder, context);
    }
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

/// Returns a piece that was made a move with, released, and taken back before another one was played; not one that moved before the opponent's
/// press `began` the player's time: it may have been displaced.
fn taken_back(m: Move, pressed: &Pressed, began: Option<Timestamp>) -> Option<Released> {
    if pressed.attempt.iter().any(|change| change.dumped) {
        return None;
    }
    let back = returns(&pressed.attempt).into_iter().filter(|touch| touch.piece.color == pressed.side);
    // The rook that castles is moved as well: castling that was taken back and repeated is the same move.
    let is_moved =
        |square| m.from() == Some(square) || matches!(m, Move::Castle { rook, .. } if rook == square);
    back.filter(|touch| !is_moved(touch.square) && began.is_none_or(|began| began <= touch.lifted))
        .find_map(|touch| between(&touch, pressed))
}
