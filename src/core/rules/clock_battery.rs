//! A clock that asks for a battery.

use std::time::Duration;

use super::{Rule, Spec, context::RuleContext, fault::Fault, hears::Facts, store::AlertStore, text::Phrase};
use crate::{code::Code, fact::Fact, time::Due};

pub(super) const SPEC: Spec = Spec {
    id: "clock-battery",
    codes: &[Code::ClockLowBattery],
    summary: "The clock shows its battery sign.",
    hears: Facts::CLOCK_BATTERY.and(Facts::TIME),
    new: || {
        let gone = "the sign of the battery has been gone for a while";
        let fault = Fault::new(Code::ClockLowBattery, Phrase::ClockLowBattery, gone);
        Box::new(ClockLowBattery(fault.lasting(AGAIN)))
    },
};

/// How long the sign has to be gone if it has come back before: an empty battery, or a clock whose reports are
/// garbage, shows it every now and then.
const AGAIN: Duration = Duration::from_mins(10);

#[derive(Debug)]
struct ClockLowBattery(Fault);

impl Rule for ClockLowBattery {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::ClockBattery { low } = *fact else { return };
        self.0.set(low, context, alerts);
    }

    fn deadline(&self) -> Due {
        self.0.deadline()
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.0.end(context, alerts);
    }
}
