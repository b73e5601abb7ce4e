//! Checkmate (Art. 5.1.1).

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{code::Code, fact::Fact, position::Position};

pub(super) const SPEC: Spec = Spec {
    id: "checkmate",
    codes: &[Code::Checkmate],
    summary: "A legal move has checkmated; it ends the game without a press.",
    hears: Facts::MADE,
    new: || Box::new(Checkmate),
};

#[derive(Debug)]
struct Checkmate;

impl Rule for Checkmate {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Made { ply } = *fact else { return };
        let Some(position) = context.after_legal(ply).filter(Position::is_checkmate) else {
            return;
        };
        let (code, mated) = (Code::Checkmate, position.turn());
        let article = context.laws.article(code).unwrap_or_default();
        let values =
            [("side", context.side(mated)), ("opponent", context.side(!mated)), ("article", article)];
        let mut builder = AlertBuilder::new(code, mated, ply, context.say(Phrase::Checkmate, &values))
            .confidence(context.word_of_end(&position, Position::is_checkmate));
        if alerts.has(Code::IllegalPositionArmed) {
            // The mate is the next completed move; that it ends the game before it can be judged is the better view.
            let other = context.laws.article(Code::IllegalPositionArmed).unwrap_or_default();
            let note = context.say(Phrase::MateFirst, &[("article", other)]);
            builder = builder.fact("alternatives", vec![other]).also(&note);
        }
        alerts.conclude(builder, Some(!mated), "mate", context);
    }
}
