//! The same position for the fifth time (Art. 9.6.1); not in 2009.

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "fivefold",
    codes: &[Code::FivefoldDraw],
    summary: "A position has appeared five times; in 2014 at every second move of both in a row.",
    hears: Facts::MADE,
    new: || Box::new(Fivefold),
};

const TIMES: usize = 5;

/// Plies between two positions that follow each other with every second move of both players.
const EVERY: usize = 4;

#[derive(Debug)]
struct Fivefold;

impl Rule for Fivefold {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Made { ply } = *fact else { return };
        let code = Code::FivefoldDraw;
        let Some(article) = context.laws.article(code) else { return };
        if !context.game.ply(ply).is_some_and(crate::game::Ply::is_legal)
            || context.game.sure_repetitions(ply) < TIMES
        {
            return;
        }
        if context.laws.fivefold_is_consecutive() && !consecutive(ply, context) {
            return;
        }
        let text = context.say(Phrase::Fivefold, &[("article", article)]);
        let builder = context.counted(AlertBuilder::new(code, Party::Both, ply, text));
        alerts.conclude(builder, None, "fivefold", context);
    }
}

fn consecutive(ply: u32, context: &RuleContext<'_>) -> bool {
    let keys =
        std::iter::once(context.game.start().key()).chain(context.game.plies().iter().map(|ply| ply.key));
    let mut keys: Vec<u64> =
        keys.take(usize::try_from(ply).unwrap_or(usize::MAX).saturating_add(1)).collect();
    keys.reverse();
    let (mut found, last) = (keys.iter().step_by(EVERY).take(TIMES), keys.first());
    found.len() == TIMES && found.all(|key| Some(key) == last)
}
