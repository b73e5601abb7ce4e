//! A press with a piece still in the air (Art. 6.2.4).

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Confidence},
    fact::{Fact, Verdict},
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "press-before-made",
    codes: &[Code::PressBeforeMade],
    summary: "A press finds a piece in the air, and its placement comes later than what the board senses late.",
    new: || Box::new(PressBeforeMade),
};

#[derive(Debug)]
struct PressBeforeMade;

impl Rule for PressBeforeMade {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Pressed(pressed) = fact else { return };
        let Verdict::InTheAir { from, placed } = pressed.verdict else { return };
        let code = Code::PressBeforeMade;
        let from = from.to_string();
        let values = [
            ("side", scene.side(pressed.side)),
            ("square", from.as_str()),
            ("article", scene.laws.article(code).unwrap_or_default()),
            ("authority", scene.laws.authority(code).unwrap_or_default()),
        ];
        let text = scene.say(Phrase::PressBeforeMade, &values);
        let no_move =
            scene.laws.counts(Code::PressWithoutMove).then(|| scene.laws.article(Code::PressWithoutMove));
        let draft = Draft::at_press(code, pressed, text)
            .confidence(pressed.confidence.min(Confidence::Likely))
            .fact("square", from.clone())
            .maybe_fact("placed_at", placed.map(Timestamp::as_secs))
            .maybe_fact("alternatives", no_move.flatten().map(|article| vec![article]));
        alerts.raise(draft, scene);
    }
}
