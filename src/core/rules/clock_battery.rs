//! A clock that asks for a battery.

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{alert::Party, code::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "clock-battery",
    codes: &[Code::ClockLowBattery],
    summary: "The clock shows its battery sign.",
    hears: Facts::CLOCK_BATTERY,
    new: || Box::new(ClockLowBattery),
};

#[derive(Debug)]
struct ClockLowBattery;

impl Rule for ClockLowBattery {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::ClockBattery { low } = *fact else { return };
        alerts.switch(Code::ClockLowBattery, low, context, || {
            let text = context.say(Phrase::ClockLowBattery, &[]);
            AlertBuilder::new(Code::ClockLowBattery, Party::Both, context.game.len(), text)
        });
    }
}
