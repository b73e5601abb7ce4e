//! The players have the wrong colours, as an arbiter enters it (Art. 7.3; 2009: 7.2).

use shakmaty::Color;

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::Fact,
    order::Order,
};

pub(super) const SPEC: Spec = Spec {
    id: "colours-reversed",
    codes: &[Code::ColoursReversed],
    summary: "An arbiter enters that the colours are reversed; the moves made decide what follows.",
    hears: Facts::MADE,
    new: || Box::new(ColoursReversed),
};

#[derive(Debug)]
struct ColoursReversed;

impl Rule for ColoursReversed {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Made { .. } = fact else { return };
        // Once both have made the moves that the Laws name, the game goes on.
        if context.laws.colours_stay_after().is_some() && !is_new_game(context) {
            alerts.close(AlertState::Expired, context.now, |entry| entry.code == Code::ColoursReversed);
        }
    }

    fn on_order(&mut self, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if !matches!(order, Order::ColoursReversed) || alerts.is_over(context) {
            return;
        }
        let code = Code::ColoursReversed;
        let article = context.laws.article(code).unwrap_or_default();
        let moves = context.laws.colours_stay_after().unwrap_or_default().to_string();
        let values = [("moves", moves.as_str()), ("article", article)];
        if is_new_game(context) && context.game.is_adopted() {
            let act = context.say(Phrase::CountMoves, &[]);
            let text = context.say(Phrase::ColoursUnknown, &values);
            let builder = AlertBuilder::new(code, Party::Both, context.game.len(), text).act(&act);
            alerts.raise(builder.confidence(Confidence::Possible).fact("then", "count"), context);
            return;
        }
        let (happened, act, then) = if is_new_game(context) {
            (Phrase::ColoursNewGame, Phrase::StartNewGame, "new-game")
        } else if context.laws.colours_are_up_to_arbiter() {
            (Phrase::ColoursStay, Phrase::GoOnUnlessRuled, "go-on")
        } else {
            (Phrase::ColoursStay, Phrase::GoOn, "go-on")
        };
        let builder =
            AlertBuilder::new(code, Party::Both, context.game.len(), context.say(happened, &values));
        alerts.raise(builder.act(&context.say(act, &[])).fact("then", then), context);
    }
}

/// Returns whether fewer moves have been made by both than make reversed colours stay.
fn is_new_game(context: &RuleContext<'_>) -> bool {
    context.laws.colours_stay_after().is_some_and(|limit| {
        let made = |side: Color| context.game.plies().iter().filter(move |ply| ply.side == side);
        Color::ALL.into_iter().any(|side| made(side).take(limit).count() < limit)
    })
}
