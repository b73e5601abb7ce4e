//! Seventy-five moves without capture or pawn move (Art. 9.6.2); not in 2009.

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "seventyfive",
    codes: &[Code::SeventyfiveDraw],
    summary: "Each player has made seventy-five moves without capture or pawn move; a mate comes first.",
    hears: Facts::MADE,
    new: || Box::new(Seventyfive),
};

const PLIES: u32 = 150;

#[derive(Debug)]
struct Seventyfive;

impl Rule for Seventyfive {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Made { ply } = *fact else { return };
        let code = Code::SeventyfiveDraw;
        let Some(article) = context.laws.article(code) else { return };
        if !context.game.ply(ply).is_some_and(crate::game::Ply::is_legal) || context.quiet_plies(ply) < PLIES
        {
            return;
        }
        let text = context.say(Phrase::Seventyfive, &[("article", article)]);
        let builder = context.counted(AlertBuilder::new(code, Party::Both, ply, text));
        alerts.conclude(builder, None, "seventyfive", context);
    }
}
