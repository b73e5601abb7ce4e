//! The same position for the third time: the player to move may claim a draw (Art. 9.2.2).

use super::{Rule, Spec, claimable::opening, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{alert::Code, fact::Fact, laws::Topic};

pub(super) const SPEC: Spec = Spec {
    id: "threefold",
    codes: &[Code::ThreefoldClaimable],
    summary: "A completed move has brought about a position for at least the third time.",
    new: || Box::new(Threefold),
};

/// Appearances after which a draw may be claimed.
pub(super) const TIMES: usize = 3;

#[derive(Debug)]
struct Threefold;

impl Rule for Threefold {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Some(opening) = opening(fact, scene, alerts) else { return };
        let times = scene.game.repetitions(opening.ply);
        let Some(ply) = scene.game.ply(opening.ply).filter(|_| times >= TIMES) else { return };
        let (code, claimant) = (Code::ThreefoldClaimable, !ply.side);
        let times_text = times.to_string();
        let values = [
            ("side", scene.side(claimant)),
            ("times", times_text.as_str()),
            ("article", scene.laws.article(code).unwrap_or_default()),
            ("lost", scene.laws.topic(Topic::ClaimLostByTouching)),
        ];
        let mut draft = Draft::new(code, claimant, opening.ply, scene.say(Phrase::Threefold, &values));
        draft.pressed_at = opening.pressed_at;
        alerts.raise(draft.fact("times", times).propose_result(None), scene);
    }
}
