//! Castling in which the rook was touched first (Art. 4.4.2).

use shakmaty::Move;

use super::{Rule, Spec, attempt::Attempt, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Confidence},
    fact::Fact,
};

pub(super) const SPEC: Spec = Spec {
    id: "castling-rook-first",
    codes: &[Code::CastlingRookFirst],
    summary: "A castling was pressed in which the rook left its square more than a scan before the king.",
    new: || Box::new(CastlingRookFirst),
};

#[derive(Debug)]
struct CastlingRookFirst;

impl Rule for CastlingRookFirst {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        let Fact::Pressed(pressed) = fact else { return };
        let Some((Move::Castle { king, rook }, ply)) = scene.completed_move(pressed) else { return };
        if scene.game.is_chess960() {
            return;
        }
        let Some(attempt) = Attempt::last(pressed) else { return };
        let us = pressed.side;
        let rook_lift = attempt.first_lift(rook, us.rook());
        let king_lift = attempt.first_lift(king, us.king());
        let (Some(rook_lift), Some(king_lift)) = (rook_lift, king_lift) else { return };
        // Lifted within one scan, either may have been first: the doubt favours the king.
        if king_lift.at.since(rook_lift.at) <= scene.scan {
            return;
        }
        let code = Code::CastlingRookFirst;
        let square = rook.to_string();
        let values = [
            ("side", scene.side(us)),
            ("square", square.as_str()),
            ("article", scene.laws.article(code).unwrap_or_default()),
            ("authority", scene.laws.authority(code).unwrap_or_default()),
        ];
        let draft = Draft::at_press(code, pressed, scene.say(Phrase::CastlingRookFirst, &values))
            .confidence(Confidence::Likely)
            .fact("move", ply.san.as_str())
            .fact("rook_lifted_at", rook_lift.at.as_secs())
            .fact("king_lifted_at", king_lift.at.as_secs());
        alerts.raise(draft, scene);
    }
}
