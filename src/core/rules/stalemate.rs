//! Stalemate (Art. 5.2.1).

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{code::Code, fact::Fact, position::Position};

pub(super) const SPEC: Spec = Spec {
    id: "stalemate",
    codes: &[Code::Stalemate],
    summary: "A legal move has stalemated; it ends the game without a press.",
    hears: Facts::MADE,
    new: || Box::new(Stalemate),
};

#[derive(Debug)]
struct Stalemate;

impl Rule for Stalemate {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Made { ply } = *fact else { return };
        let Some(position) = context.after_legal(ply).filter(Position::is_stalemate) else {
            return;
        };
        let (code, side) = (Code::Stalemate, position.turn());
        let article = context.laws.article(code).unwrap_or_default();
        let text = context.say(Phrase::Stalemate, &[("side", context.side(side)), ("article", article)]);
        let builder = AlertBuilder::new(code, side, ply, text)
            .confidence(context.word_of_end(&position, Position::is_stalemate));
        alerts.conclude(builder, None, "stalemate", context);
    }
}
