//! A clock that stands still for long while a game is on (Art. 6.11.2).

use std::time::Duration;

use super::{
    Rule, Spec, builder::AlertBuilder, context::RuleContext, hears::Facts, store::AlertStore, text::Phrase,
};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    fact::Fact,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "clock-stopped",
    codes: &[Code::ClockStopped],
    summary: "The clock has stood still for longer than configured while the game is on.",
    hears: Facts::CLOCK_STOPPED
        .and(Facts::CLOCK_STARTED)
        .and(Facts::GAME_STARTED)
        .and(Facts::ENDED)
        .and(Facts::TIME),
    new: || Box::new(ClockStopped::default()),
};

#[derive(Debug, Default)]
struct ClockStopped {
    since: Option<Timestamp>,
    due: Option<Timestamp>,
}

impl Rule for ClockStopped {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::ClockStopped => {
                self.since = Some(context.now);
                self.due =
                    Some(context.now + Duration::from_secs(context.event.clock_stopped_after_s.into()));
            }
            Fact::ClockStarted { .. } | Fact::GameStarted | Fact::Ended => {
                *self = Self::default();
                alerts.close(AlertState::Corrected, context.now, |entry| entry.code == Code::ClockStopped);
            }
            _ => {}
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.due.map(|due| (due, "the clock has stood still for long"))
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.due = None;
        let Some(since) = self.since.filter(|_| !alerts.is_over(context)) else { return };
        let code = Code::ClockStopped;
        let seconds = u32::try_from(context.now.since(since).as_secs()).unwrap_or(u32::MAX);
        let time = context.span(seconds);
        let values = [("time", time.as_str()), ("article", context.laws.article(code).unwrap_or_default())];
        let builder = AlertBuilder::new(
            code,
            Party::Both,
            context.game.len(),
            context.say(Phrase::ClockStopped, &values),
        );
        alerts.raise(builder.fact("stopped_at", since.as_secs()), context);
    }
}
