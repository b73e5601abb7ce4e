//! Stalemate (Art. 5.2.1).

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{alert::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "stalemate",
    codes: &[Code::Stalemate],
    summary: "A legal move has stalemated; it ends the game without a press.",
    new: || Box::new(Stalemate),
};

#[derive(Debug)]
struct Stalemate;

impl Rule for Stalemate {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Made { ply } = *fact else { return };
        let Some(position) = scene.after_legal(ply).filter(crate::position::Position::is_stalemate) else {
            return;
        };
        let (code, side) = (Code::Stalemate, position.turn());
        let article = scene.laws.article(code).unwrap_or_default();
        let text = scene.say(Phrase::Stalemate, &[("side", scene.side(side)), ("article", article)]);
        alerts.conclude(Draft::new(code, side, ply, text), None, "stalemate", scene);
    }
}
