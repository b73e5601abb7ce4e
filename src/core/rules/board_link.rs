//! A board that cannot be heard.

use std::time::Duration;

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    fact::Fact,
    time::{Due, Timestamp},
};

pub(super) const SPEC: Spec = Spec {
    id: "board-link",
    codes: &[Code::BoardLink],
    summary: "The line to the board is down.",
    hears: Facts::LINK.and(Facts::TIME),
    new: || Box::new(BoardLink { ends_at: None }),
};

/// How long the board has to be heard until the outage is over: a loose cable comes and goes, and is one outage.
const STEADY: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct BoardLink {
    /// When the outage is over, if the board is heard until then.
    ends_at: Option<Timestamp>,
}

impl Rule for BoardLink {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Link { up } = *fact else { return };
        if up {
            self.ends_at = alerts.has(Code::BoardLink).then_some(context.now + STEADY);
            return;
        }
        self.ends_at = None;
        alerts.switch(Code::BoardLink, true, context, || {
            let text = context.say(Phrase::BoardLink, &[]);
            AlertBuilder::new(Code::BoardLink, Party::Both, context.game.len(), text)
        });
    }

    fn deadline(&self) -> Due {
        self.ends_at.map(|at| (at, "the board has been heard for a while"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.ends_at = None;
        alerts.close(AlertState::Corrected, context.now, |entry| entry.code == Code::BoardLink);
    }
}
