//! A clock that asks for a battery.

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
    id: "clock-battery",
    codes: &[Code::ClockLowBattery],
    summary: "The clock shows its battery sign.",
    hears: Facts::CLOCK_BATTERY.and(Facts::TIME),
    new: || Box::new(ClockLowBattery { ends_at: None }),
};

/// How long the sign has to be gone until the alert is over: a weak battery shows it and does not in turn.
const STEADY: Duration = Duration::from_secs(5);

#[derive(Debug)]
struct ClockLowBattery {
    /// When the alert is over, if the sign is gone until then.
    ends_at: Option<Timestamp>,
}

impl Rule for ClockLowBattery {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::ClockBattery { low } = *fact else { return };
        if !low {
            self.ends_at = alerts.has(Code::ClockLowBattery).then_some(context.now + STEADY);
            return;
        }
        self.ends_at = None;
        alerts.switch(Code::ClockLowBattery, true, context, || {
            let text = context.say(Phrase::ClockLowBattery, &[]);
            AlertBuilder::new(Code::ClockLowBattery, Party::Both, context.game.len(), text)
        });
    }

    fn deadline(&self) -> Due {
        self.ends_at.map(|at| (at, "the sign of the battery has been gone for a while"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.ends_at = None;
        alerts.close(AlertState::Corrected, context.now, |entry| entry.code == Code::ClockLowBattery);
    }
}
