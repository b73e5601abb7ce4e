//! A board that cannot be heard.

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Party},
    fact::Fact,
};

pub(super) const SPEC: Spec = Spec {
    id: "board-link",
    codes: &[Code::BoardLink],
    summary: "The line to the board is down.",
    new: || Box::new(BoardLink),
};

#[derive(Debug)]
struct BoardLink;

impl Rule for BoardLink {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Link { up } = *fact else { return };
        alerts.switch(Code::BoardLink, !up, scene, || {
            let text = scene.say(Phrase::BoardLink, &[]);
            Draft::new(Code::BoardLink, Party::Both, scene.game.len(), text)
        });
    }
}
