//! A piece that had rested on another square where it could have stayed (Art. 4.7).

use std::time::Duration;

use shakmaty::{Move, Square};

use super::{
    Rule, Spec, attempt::Attempt, builder::AlertBuilder, context::RuleContext, duty, hears::Facts,
    store::AlertStore, text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed},
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
        let Some((rested, rest)) = rested(m, pressed) else { return };
        let code = Code::ReleasedPieceMoved;
        let square = rested.to_string();
        let values = [
            ("side", context.side(pressed.side)),
            ("piece", &context.the(m.role())),
            ("square", square.as_str()),
            ("move", &context.san(&ply.san)),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", context.laws.authority(code).unwrap_or_default()),
        ];
        let builder = AlertBuilder::at_press(code, pressed, context.say(Phrase::ReleasedPiece, &values))
            .confidence(Confidence::Possible)
            .act(&duty::on_request(code, pressed.side, context))
            .act(&context.say(Phrase::WasItReleased, &values))
            .fact("square", square.clone())
            .fact("rested_ms", u64::try_from(rest.as_millis()).unwrap_or(u64::MAX));
        alerts.raise(builder, context);
    }
}

/// Returns another square on which the piece rested where it could have stayed, and for how long.
fn rested(m: Move, pressed: &Pressed) -> Option<(Square, Duration)> {
    let from = m.from()?;
    let piece = m.role().of(pressed.side);
    let final_square = if let Move::Castle { king, rook } = m {
        crate::position::castling_squares(king, rook).0
    } else {
        m.to()
    };
    let elsewhere =
        |place: &Change| place.is == Some(piece) && place.square != final_square && place.square != from;
    // Nearly all moves go straight to their squares.
    if !pressed.attempt.iter().any(elsewhere) {
        return None;
    }
    let attempt = Attempt::last(pressed)?;
    attempt.changes().iter().enumerate().find_map(|(index, place)| {
        let left = attempt.changes().iter().skip(index + 1).find(|change| change.square == place.square)?;
        let rest = left.at.since(place.at);
        let legal = pressed.before.find(from, place.square, None).is_some();
        (elsewhere(place) && legal && left.was == Some(piece) && rest >= RELEASE)
            .then_some((place.square, rest))
    })
}
