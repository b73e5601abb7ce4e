//! A board that has lost its clock.

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "clock-link",
    codes: &[Code::ClockLink],
    summary: "The board does not find its clock.",
    hears: Facts::CLOCK_LINK,
    new: || Box::new(ClockLink),
};

#[derive(Debug)]
struct ClockLink;

impl Rule for ClockLink {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::ClockLink { connected } = *fact else { return };
        alerts.switch(Code::ClockLink, !connected, context, || {
            let text = context.say(Phrase::ClockLink, &[]);
            AlertBuilder::new(Code::ClockLink, Party::Both, context.game.len(), text)
        });
    }
}
