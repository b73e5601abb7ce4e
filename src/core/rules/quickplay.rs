//! The last two minutes of a game without increment (Guidelines III.4; 2014: G.4; 2009: Art. 10.2).

use std::time::Duration;

use shakmaty::{ByColor, Color};

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{alert::Code, fact::Fact, laws::Control, time::Timestamp};

pub(super) const SPEC: Spec = Spec {
    id: "quickplay",
    codes: &[Code::QpfEligible],
    summary: "The player to move has less than two minutes left in the last period, and no increment.",
    new: || Box::new(Quickplay::default()),
};

/// A player with less than this may make a request or a claim, seconds.
pub(super) const LAST_S: u32 = 120;

#[derive(Debug, Default)]
struct Quickplay {
    /// When the running side will have less than two minutes.
    due: Option<Timestamp>,
    /// Of whom it has been told.
    told: ByColor<bool>,
}

impl Rule for Quickplay {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        match fact {
            Fact::PlayStarted | Fact::ClockStarted { .. } | Fact::Pressed(_) | Fact::Made { .. } => {
                self.watch(scene, alerts);
            }
            Fact::GameStarted => *self = Self::default(),
            Fact::Ended | Fact::ClockStopped => self.due = None,
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.due.map(|due| (due, "less than two minutes are left"))
    }

    fn on_deadline(&mut self, scene: &Scene<'_>, alerts: &mut Alerts) {
        self.due = None;
        self.watch(scene, alerts);
    }
}

impl Quickplay {
    /// Raises the alert, or waits until the running side's time has come down.
    fn watch(&mut self, scene: &Scene<'_>, alerts: &mut Alerts) {
        self.due = None;
        let granted = alerts.increment;
        let wanted = |side| applies(side, granted, scene) && !self.told.get(side) && !alerts.is_over(scene);
        let Some((side, left)) = running(scene).filter(|(side, _)| wanted(*side)) else { return };
        if left >= LAST_S {
            self.due = Some(scene.now + Duration::from_secs((left - LAST_S + 1).into()));
        } else if left > 0 {
            let code = Code::QpfEligible;
            let article = scene.laws.article(code).unwrap_or_default();
            let text = scene.say(Phrase::Quickplay, &[("side", scene.side(side)), ("article", article)]);
            let draft = Draft::new(code, side, scene.game.len(), text).fact("left_s", left);
            *self.told.get_mut(side) = alerts.raise(draft, scene).is_some();
        }
    }
}

fn running(scene: &Scene<'_>) -> Option<(Color, u32)> {
    let side = scene.clock.running?;
    Some((side, scene.clock.times?.of(side)))
}

/// Tells whether a quickplay finish may be asked for by this side.
///
/// `granted` says that an increment was introduced at a request.
pub(super) fn applies(side: Color, granted: bool, scene: &Scene<'_>) -> bool {
    let Some(control) = &scene.event.time_control else { return false };
    let announced = scene.event.quickplay_finish || !scene.laws.quickplay_must_be_announced();
    let moves = u32::try_from(scene.game.completed_moves(side)).unwrap_or(u32::MAX);
    let allowed = scene.laws.article(Code::QpfEligible).is_some() && scene.laws.control() != Control::Blitz;
    announced && allowed && !granted && !control.has_increment() && control.is_last_period(moves)
}
