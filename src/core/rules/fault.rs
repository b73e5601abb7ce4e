//! A fault of equipment that comes and goes: it is reported once, and is over when it has been gone for a while.

use std::time::Duration;

use super::{builder::AlertBuilder, context::RuleContext, store::AlertStore, text::Phrase};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    time::{Due, Timestamp},
};

/// How long a fault has to be gone until it is over: a loose plug comes and goes, and is one outage.
const STEADY: Duration = Duration::from_secs(5);

/// An alert about equipment, and when it is over.
#[derive(Debug)]
pub(super) struct Fault {
    code: Code,
    phrase: Phrase,
    /// Why there is a deadline, for the log.
    gone: &'static str,
    /// How long the fault has to be gone until it is over.
    steady: Duration,
    /// The same once it has been over for the first time.
    again: Duration,
    /// When the fault is over, if it does not come back until then.
    ends_at: Option<Timestamp>,
}

impl Fault {
    /// Makes a fault that is reported as `code` in the words of `phrase`; `gone` says in the log what is waited for.
    pub(super) const fn new(code: Code, phrase: Phrase, gone: &'static str) -> Self {
        Self { code, phrase, gone, steady: STEADY, again: STEADY, ends_at: None }
    }

    /// Makes it last longer, from its second time on, so that what comes and goes all day is not reported all day.
    pub(super) const fn lasting(self, again: Duration) -> Self {
        Self { again, ..self }
    }

    /// Notes whether the fault is there now.
    pub(super) fn set(&mut self, is_there: bool, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if !is_there {
            self.ends_at = alerts.has(self.code).then_some(context.now + self.steady);
            return;
        }
        self.ends_at = None;
        alerts.switch(self.code, true, context, || {
            let text = context.say(self.phrase, &[]);
            AlertBuilder::new(self.code, Party::Both, context.game.len(), text)
        });
    }

    /// Returns when the fault is over, and why.
    pub(super) fn deadline(&self) -> Due {
        self.ends_at.map(|at| (at, self.gone))
    }

    /// Notes that the fault is over.
    pub(super) fn end(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.ends_at = None;
        self.steady = self.again;
        alerts.close(AlertState::Corrected, context.now, |entry| entry.code == self.code);
    }
}
