//! Fifty moves without capture or pawn move: the player to move may claim a draw (Art. 9.3.2).

use super::{
    Rule, Spec, builder::AlertBuilder, claimable::opening, context::RuleContext, hears::Facts,
    store::AlertStore, text::Phrase,
};
use crate::{code::Code, fact::Fact, laws::Topic};

pub(super) const SPEC: Spec = Spec {
    id: "fifty",
    codes: &[Code::FiftyClaimable],
    summary: "A completed move is the hundredth ply without capture or pawn move; later ones are not repeated.",
    hears: Facts::PRESSED.and(Facts::MADE),
    new: || Box::new(Fifty),
};

/// Plies after which a draw may be claimed.
pub(super) const PLIES: u32 = 100;

#[derive(Debug)]
struct Fifty;

impl Rule for Fifty {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Some(opening) = opening(fact, context, alerts) else { return };
        if context.quiet_plies(opening.ply) != PLIES {
            return;
        }
        let Some(ply) = context.game.ply(opening.ply) else { return };
        let (code, claimant) = (Code::FiftyClaimable, !ply.side);
        let values = [
            ("side", context.side(claimant)),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("lost", context.laws.topic(Topic::ClaimLostByTouching)),
        ];
        let mut builder = AlertBuilder::new(code, claimant, opening.ply, context.say(Phrase::Fifty, &values));
        builder = builder.act(&context.say(Phrase::ForArbiter, &[]));
        builder.pressed_at = opening.pressed_at;
        alerts.raise(context.counted(builder).propose_result(None), context);
    }
}
