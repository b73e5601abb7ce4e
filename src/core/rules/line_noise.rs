//! A line that damages what the board says.

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Party},
    fact::Fact,
};

pub(super) const SPEC: Spec = Spec {
    id: "line-noise",
    codes: &[Code::LineNoise],
    summary: "More bytes arrive damaged than a sound line damages.",
    new: || Box::new(LineNoise),
};

#[derive(Debug)]
struct LineNoise;

impl Rule for LineNoise {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Noise { noisy, bytes } = *fact else { return };
        let code = Code::LineNoise;
        alerts.switch(code, noisy, scene, || {
            let text = scene.say(Phrase::LineNoise, &[("bytes", &bytes.to_string())]);
            Draft::new(code, Party::Both, scene.game.len(), text).fact("bytes", bytes)
        });
    }
}
