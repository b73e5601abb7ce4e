//! A clock that stands still for long while a game is on (Art. 6.11.2).

use std::time::Duration;

use super::{Rule, Spec, draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{AlertState, Code, Party},
    fact::Fact,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "clock-stopped",
    codes: &[Code::ClockStopped],
    summary: "The clock has stood still for longer than configured while the game is on.",
    new: || Box::new(ClockStopped::default()),
};

#[derive(Debug, Default)]
struct ClockStopped {
    since: Option<Timestamp>,
    due: Option<Timestamp>,
}

impl Rule for ClockStopped {
    fn on_fact(&mut self, fact: &Fact, scene: &Scene<'_>, alerts: &mut Alerts) {
        match fact {
            Fact::ClockStopped => {
                self.since = Some(scene.now);
                self.due = Some(scene.now + Duration::from_secs(scene.event.clock_stopped_after_s.into()));
            }
            Fact::ClockStarted { .. } | Fact::GameStarted | Fact::Ended => {
                *self = Self::default();
                alerts.close(AlertState::Corrected, scene.now, |entry| entry.code == Code::ClockStopped);
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.due.map(|due| (due, "the clock has stood still for long"))
    }

    fn on_deadline(&mut self, scene: &Scene<'_>, alerts: &mut Alerts) {
        self.due = None;
        let Some(since) = self.since.filter(|_| !alerts.is_over(scene)) else { return };
        let code = Code::ClockStopped;
        let seconds = u32::try_from(scene.now.since(since).as_secs()).unwrap_or(u32::MAX);
        let time = scene.span(seconds);
        let values = [("time", time.as_str()), ("article", scene.laws.article(code).unwrap_or_default())];
        let draft = Draft::new(code, Party::Both, scene.game.len(), scene.say(Phrase::ClockStopped, &values));
        alerts.raise(draft.fact("stopped_at", since.as_secs()), scene);
    }
}
