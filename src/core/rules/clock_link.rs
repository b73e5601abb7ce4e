//! A board that has lost its clock.

use super::{Rule, Spec, context::RuleContext, fault::Fault, hears::Facts, store::AlertStore, text::Phrase};
use crate::{code::Code, fact::Fact, time::Due};

pub(super) const SPEC: Spec = Spec {
    id: "clock-link",
    codes: &[Code::ClockLink],
    summary: "The board does not find its clock.",
    hears: Facts::CLOCK_LINK.and(Facts::TIME),
    new: || {
        Box::new(ClockLink(Fault::new(
            Code::ClockLink,
            Phrase::ClockLink,
            "the clock has been found for a while",
        )))
    },
};

#[derive(Debug)]
struct ClockLink(Fault);

impl Rule for ClockLink {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::ClockLink { connected } = *fact else { return };
        self.0.set(!connected, context, alerts);
    }

    fn deadline(&self) -> Due {
        self.0.deadline()
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.0.end(context, alerts);
    }
}
