//! A board that cannot be heard.

use super::{Rule, Spec, builder::AlertBuilder, context::RuleContext, store::AlertStore, text::Phrase};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "board-link",
    codes: &[Code::BoardLink],
    summary: "The line to the board is down.",
    new: || Box::new(BoardLink),
};

#[derive(Debug)]
struct BoardLink;

impl Rule for BoardLink {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Link { up } = *fact else { return };
        alerts.switch(Code::BoardLink, !up, context, || {
            let text = context.say(Phrase::BoardLink, &[]);
            AlertBuilder::new(Code::BoardLink, Party::Both, context.game.len(), text)
        });
    }
}
