//! A pawn that stands on its last rank when the clock is pressed (Art. 7.5.2).

use super::{
    Rule, Spec,
    context::RuleContext,
    hears::Facts,
    offence::{self, Offence, Remedy},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    code::Code,
    fact::{Fact, Verdict},
};

pub(super) const SPEC: Spec = Spec {
    id: "promotion-not-replaced",
    codes: &[Code::PromotionNotReplaced],
    summary: "A press leaves a pawn on its last rank where a queen would have been legal.",
    hears: Facts::PRESSED,
    new: || Box::new(PromotionNotReplaced),
};

#[derive(Debug)]
struct PromotionNotReplaced;

impl Rule for PromotionNotReplaced {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Verdict::PromotionLeft(square) = pressed.verdict else { return };
        let code = Code::PromotionNotReplaced;
        let (side, square) = (context.side(pressed.side), square.to_string());
        let article = context.laws.article(code).unwrap_or_default();
        let queen = context.laws.pawn_becomes_queen();
        let remedy = if queen {
            Remedy::Words(context.say(Phrase::BecomesQueen, &[("square", &square)]))
        } else {
            Remedy::Reinstate(super::duty::words(pressed, context))
        };
        let offence = Offence {
            code,
            pressed,
            text: context
                .say(Phrase::PromotionLeft, &[("side", side), ("square", &square), ("article", article)]),
            remedy,
            move_stands: queen,
        };
        let builder = offence::build(offence, context, alerts).fact("square", square);
        alerts.raise(builder, context);
    }
}
