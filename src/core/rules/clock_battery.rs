//! A clock that asks for a battery.

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Party},
    fact::Fact,
};

pub(super) const SPEC: Spec = Spec {
    id: "clock-battery",
    codes: &[Code::ClockLowBattery],
    summary: "The clock shows its battery sign.",
    new: || Box::new(ClockLowBattery),
};

#[derive(Debug)]
struct ClockLowBattery;

impl Rule for ClockLowBattery {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::ClockBattery { low } = *fact else { return };
        alerts.switch(Code::ClockLowBattery, low, scene, || {
            let text = scene.say(Phrase::ClockLowBattery, &[]);
            Draft::new(Code::ClockLowBattery, Party::Both, scene.game.len(), text)
        });
    }
}
