//! Castling in which the rook was touched first (Art. 4.4.2).

use shakmaty::Move;

use super::{
    Rule, Spec, attempt::Attempt, builder::AlertBuilder, context::RuleContext, hears::Facts, obligation,
    store::AlertStore, text::Phrase,
};
use crate::{alert::Confidence, code::Code, fact::Fact, laws::Topic};

pub(super) const SPEC: Spec = Spec {
    id: "castling-rook-first",
    codes: &[Code::CastlingRookFirst],
    summary: "A castling was pressed in which the rook left its square more than a scan before the king.",
    hears: Facts::PRESSED,
    new: || Box::new(CastlingRookFirst),
};

#[derive(Debug)]
struct CastlingRookFirst;

impl Rule for CastlingRookFirst {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Some((Move::Castle { king, rook }, ply)) = context.completed_move(pressed) else { return };
        if context.game.is_chess960() {
            return;
        }
        let Some(attempt) = Attempt::last(pressed) else { return };
        let us = pressed.side;
        // A rook that was put back, or read as gone for a moment, was not castled with first.
        let rook_lift = attempt.last_lift(rook, us.rook());
        let king_lift = attempt.first_lift(king, us.king());
        let (Some(rook_lift), Some(king_lift)) = (rook_lift, king_lift) else { return };
        // Lifted within one scan, either may have been first: the doubt favours the king.
        if king_lift.at.since(rook_lift.at) <= context.scan {
            return;
        }
        let code = Code::CastlingRookFirst;
        let square = rook.to_string();
        let values = [
            ("side", context.side(us)),
            ("square", square.as_str()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("duty", context.laws.topic(Topic::CastlingRookFirst)),
        ];
        let builder = AlertBuilder::at_press(code, pressed, context.say(Phrase::CastlingRookFirst, &values))
            .confidence(Confidence::Likely)
            .act(&context.say(Phrase::RookMustMove, &values))
            .act(&obligation::on_request(code, us, context))
            .fact("move", ply.san.as_str())
            .fact("rook_lifted_at", rook_lift.at.as_secs())
            .fact("king_lifted_at", king_lift.at.as_secs());
        alerts.raise(builder, context);
    }
}
