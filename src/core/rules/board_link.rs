//! A board that cannot be heard.

use super::{Rule, Spec, context::RuleContext, fault::Fault, hears::Facts, store::AlertStore, text::Phrase};
use crate::{code::Code, fact::Fact, time::Due};

pub(super) const SPEC: Spec = Spec {
    id: "board-link",
    codes: &[Code::BoardLink],
    summary: "The line to the board is down.",
    hears: Facts::LINK.and(Facts::TIME),
    new: || {
        Box::new(BoardLink(Fault::new(
            Code::BoardLink,
            Phrase::BoardLink,
            "the board has been heard for a while",
        )))
    },
};

#[derive(Debug)]
struct BoardLink(Fault);

impl Rule for BoardLink {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Link { up } = *fact else { return };
        self.0.set(!up, context, alerts);
    }

    fn deadline(&self) -> Due {
        self.0.deadline()
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.0.end(context, alerts);
    }
}
