//! Fifty moves without capture or pawn move: the player to move may claim a draw (Art. 9.3.2).

use super::{Rule, Spec, claimable::opening, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{alert::Code, fact::Fact, laws::Topic};

pub(super) const SPEC: Spec = Spec {
    id: "fifty",
    codes: &[Code::FiftyClaimable],
    summary: "A completed move is the hundredth ply without capture or pawn move; later ones are not repeated.",
    new: || Box::new(Fifty),
};

/// Plies after which a draw may be claimed.
pub(super) const PLIES: u32 = 100;

#[derive(Debug)]
struct Fifty;

impl Rule for Fifty {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Some(opening) = opening(fact, scene, alerts) else { return };
        if scene.quiet_plies(opening.ply) != PLIES {
            return;
        }
        let Some(ply) = scene.game.ply(opening.ply) else { return };
        let (code, claimant) = (Code::FiftyClaimable, !ply.side);
        let values = [
            ("side", scene.side(claimant)),
            ("article", scene.laws.article(code).unwrap_or_default()),
            ("lost", scene.laws.topic(Topic::ClaimLostByTouching)),
        ];
        let mut draft = Draft::new(code, claimant, opening.ply, scene.say(Phrase::Fifty, &values));
        draft.pressed_at = opening.pressed_at;
        alerts.raise(draft.propose_result(None), scene);
    }
}
