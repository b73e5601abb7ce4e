//! Checkmate (Art. 5.1.1).

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{alert::Code, fact::Fact};

pub(super) const SPEC: Spec = Spec {
    id: "checkmate",
    codes: &[Code::Checkmate],
    summary: "A legal move has checkmated; it ends the game without a press.",
    new: || Box::new(Checkmate),
};

#[derive(Debug)]
struct Checkmate;

impl Rule for Checkmate {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Made { ply } = *fact else { return };
        let Some(position) = scene.after_legal(ply).filter(crate::position::Position::is_checkmate) else {
            return;
        };
        let (code, mated) = (Code::Checkmate, position.turn());
        let article = scene.laws.article(code).unwrap_or_default();
        let values = [("side", scene.side(mated)), ("opponent", scene.side(!mated)), ("article", article)];
        let mut draft = Draft::new(code, mated, ply, scene.say(Phrase::Checkmate, &values));
        if alerts.has(Code::IllegalPositionArmed) {
            // The mate is the next completed move; that it ends the game before it can be judged is the better view.
            let other = scene.laws.article(Code::IllegalPositionArmed).unwrap_or_default();
            let note = scene.say(Phrase::MateFirst, &[("article", other)]);
            draft = draft.fact("alternatives", vec![other]).sentence(&note);
        }
        alerts.conclude(draft, Some(!mated), "mate", scene);
    }
}
