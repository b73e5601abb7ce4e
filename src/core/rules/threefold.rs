//! The same position for the third time: the player to move may claim a draw (Art. 9.2.2).

use super::{
    Rule, Spec, builder::AlertBuilder, claimable::opening, context::RuleContext, hears::Facts,
    store::AlertStore, text::Phrase,
};
use crate::{alert::Confidence, code::Code, fact::Fact, laws::Topic};

pub(super) const SPEC: Spec = Spec {
    id: "threefold",
    codes: &[Code::ThreefoldClaimable],
    summary: "A completed move has brought about a position for at least the third time.",
    hears: Facts::PRESSED.and(Facts::MADE),
    new: || Box::new(Threefold),
};

/// Appearances after which a draw may be claimed.
pub(super) const TIMES: usize = 3;

#[derive(Debug)]
struct Threefold;

impl Rule for Threefold {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(opening) = opening(fact, context, alerts) else { return };
        let times = context.game.repetitions(opening.ply);
        let Some(ply) = context.game.ply(opening.ply).filter(|_| times >= TIMES) else { return };
        let (code, claimant) = (Code::ThreefoldClaimable, !ply.side);
        let nth = context.nth(times);
        let values = [
            ("side", context.side(claimant)),
            ("nth", nth.as_str()),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("lost", context.laws.topic(Topic::ClaimLostByTouching)),
        ];
        let mut builder =
            AlertBuilder::new(code, claimant, opening.ply, context.say(Phrase::Threefold, &values));
        builder = builder.act(&context.say(Phrase::ForArbiter, &[]));
        builder.pressed_at = opening.pressed_at;
        if context.game.sure_repetitions(opening.ply) < TIMES {
            builder = builder.confidence(Confidence::Possible);
        }
        alerts.raise(context.counted(builder).fact("times", times).propose_result(None), context);
    }
}
