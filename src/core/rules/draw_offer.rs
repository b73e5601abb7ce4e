//! An offer of a draw, as an arbiter enters it, until it is refused (Art. 9.1).

use shakmaty::Color;

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{code::Code, fact::Fact, laws::Topic, order::Order};

pub(super) const SPEC: Spec = Spec {
    id: "draw-offer",
    codes: &[Code::DrawOffer],
    summary: "An arbiter enters an offer of a draw; it stands until the opponent touches a piece.",
    hears: Facts::NONE,
    new: || Box::new(DrawOffer),
};

#[derive(Debug)]
struct DrawOffer;

impl Rule for DrawOffer {
    fn on_fact(&mut self, _fact: &Fact, _context: &RuleContext<'_>, _alerts: &mut AlertStore) {}

    fn on_order(&mut self, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Order::DrawOffer { side } = order else { return };
        if alerts.is_over(context) {
            return;
        }
        let (code, side) = (Code::DrawOffer, Color::from(*side));
        let timely = is_timely(side, context);
        let values = [("opponent", context.side(!side)), ("article", context.laws.topic(Topic::Disturbance))];
        let note =
            if context.laws.keeps_score() { context.say(Phrase::NoteOffer, &[]) } else { String::new() };
        // When it was made nobody knows who enters it later: only what is entered between move and press is sure.
        let wrong = if timely { String::new() } else { context.say(Phrase::OfferWrongTime, &values) };
        let builder = AlertBuilder::new(code, side, context.game.len(), words(side, context))
            .maybe_fact("timely", timely.then_some(true))
            .also(&context.say(Phrase::OfferStands, &values))
            .act(&note)
            .act(&wrong)
            .act(&agreement(context));
        alerts.raise(builder, context);
    }
}

/// Says that a draw is offered.
pub(super) fn words(side: Color, context: &RuleContext<'_>) -> String {
    let values = [("side", context.side(side)), ("article", context.laws.topic(Topic::DrawOffer))];
    context.say(Phrase::DrawOffered, &values)
}

/// Returns whether a player offers after a move on the board and before the press (Art. 9.1.2.1).
fn is_timely(side: Color, context: &RuleContext<'_>) -> bool {
    context.game.plies().last().is_some_and(|ply| ply.side == side && !ply.completed)
}

/// Says why a draw cannot be agreed yet; empty if it can.
pub(super) fn agreement(context: &RuleContext<'_>) -> String {
    let limits = context.laws.topic(Topic::DrawLimits);
    let made = |side: Color| context.game.plies().iter().filter(|ply| ply.side == side).count();
    let both = u32::try_from(made(Color::White).min(made(Color::Black))).unwrap_or(u32::MAX);
    if let Some(from) = context.event.draw_from_move.filter(|from| both < *from) {
        return context.say(Phrase::OfferTooEarly, &[("move", &from.to_string()), ("article", limits)]);
    }
    if context.event.draw_needs_arbiter {
        return context.say(Phrase::OfferNeedsYou, &[("article", limits)]);
    }
    let article = context.laws.topic(Topic::DrawAgreement);
    let moved = |side: &Color| context.game.plies().iter().any(|ply| ply.side == *side);
    if article.is_empty() || Color::ALL.iter().all(moved) {
        return String::new();
    }
    context.say(Phrase::AgreedTooEarly, &[("article", article)])
}
