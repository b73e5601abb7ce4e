//! A board that has lost its clock.

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
    id: "clock-link",
    codes: &[Code::ClockLink],
    summary: "The board does not find its clock.",
    hears: Facts::CLOCK_LINK.and(Facts::TIME),
    new: || Box::new(ClockLink { ends_at: None }),
};

/// How long the clock has to be found until the outage is over: a loose plug comes and goes, and is one outage.
const STEADY: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct ClockLink {
    /// When the outage is over, if the clock is found until then.
    ends_at: Option<Timestamp>,
}

impl Rule for ClockLink {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::ClockLink { connected } = *fact else { return };
        if connected {
            self.ends_at = alerts.has(Code::ClockLink).then_some(context.now + STEADY);
            return;
        }
        self.ends_at = None;
        alerts.switch(Code::ClockLink, true, context, || {
            let text = context.say(Phrase::ClockLink, &[]);
            AlertBuilder::new(Code::ClockLink, Party::Both, context.game.len(), text)
        });
    }

    fn deadline(&self) -> Due {
        self.ends_at.map(|at| (at, "the clock has been found for a while"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.ends_at = None;
        alerts.close(AlertState::Corrected, context.now, |entry| entry.code == Code::ClockLink);
    }
}
