//! A board that has lost its clock.

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Party},
    fact::Fact,
};

pub(super) const SPEC: Spec = Spec {
    id: "clock-link",
    codes: &[Code::ClockLink],
    summary: "The board does not find its clock.",
    new: || Box::new(ClockLink),
};

#[derive(Debug)]
struct ClockLink;

impl Rule for ClockLink {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::ClockLink { connected } = *fact else { return };
        alerts.switch(Code::ClockLink, !connected, scene, || {
            let text = scene.say(Phrase::ClockLink, &[]);
            Draft::new(Code::ClockLink, Party::Both, scene.game.len(), text)
        });
    }
}
