//! Seventy-five moves without capture or pawn move (Art. 9.6.2); not in 2009.

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Party},
    fact::Fact,
};

pub(super) const SPEC: Spec = Spec {
    id: "seventyfive",
    codes: &[Code::SeventyfiveDraw],
    summary: "Each player has made seventy-five moves without capture or pawn move; a mate comes first.",
    new: || Box::new(Seventyfive),
};

const PLIES: u32 = 150;

#[derive(Debug)]
struct Seventyfive;

impl Rule for Seventyfive {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Made { ply } = *fact else { return };
        let code = Code::SeventyfiveDraw;
        let Some(article) = scene.laws.article(code) else { return };
        if !scene.game.ply(ply).is_some_and(crate::game::Ply::is_legal) || scene.quiet_plies(ply) < PLIES {
            return;
        }
        let text = scene.say(Phrase::Seventyfive, &[("article", article)]);
        alerts.conclude(Draft::new(code, Party::Both, ply, text), None, "seventyfive", scene);
    }
}
