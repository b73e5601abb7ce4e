//! Says when the next push is due.

use super::answer::PushOutcome;

/// Looks, one a second, between two pushes that went well.
const LEAST: u32 = 1;

/// Seconds that Lichess asks for after too many requests, and the longest that we wait.
const PATIENCE: [u32; 2] = [60, 900];

/// Seconds until a push is tried again that was refused.
const REFUSED: u32 = 60;

/// Seconds until a server that is away is tried again: the first time, and the longest.
const AWAY: [u32; 2] = [2, 60];

/// When the next push is due.
#[derive(Debug, Default)]
pub(super) struct Pace {
    /// What was sent last, until that failed.
    sent: Option<String>,
    wait: u32,
    /// How long the last failure made us wait.
    pause: u32,
}

impl Pace {
    /// Reports, once a second, whether this is to be sent now.
    pub(super) fn is_due(&mut self, body: &str) -> bool {
        if self.wait > 0 {
            self.wait -= 1;
            return false;
        }
        if self.sent.as_deref() == Some(body) {
            return false;
        }
        self.sent = Some(body.to_owned());
        true
    }

    /// Handles what came of the push.
    pub(super) fn note_outcome(&mut self, outcome: &PushOutcome) {
        self.wait = match outcome {
            PushOutcome::Taken(_) => {
                self.pause = 0;
                LEAST - 1
            }
            PushOutcome::TooMany(seconds) => {
                let longer = (self.pause * 2).clamp(PATIENCE[0], PATIENCE[1]);
                longer.max((*seconds).min(PATIENCE[1]))
            }
            PushOutcome::Refused(..) => REFUSED,
            PushOutcome::Unreachable(_) => (self.pause * 2).clamp(AWAY[0], AWAY[1]),
        };
        if !matches!(outcome, PushOutcome::Taken(_)) {
            self.pause = self.wait;
            self.sent = None;
        }
    }

    /// Returns how many seconds are left.
    pub(super) const fn wait(&self) -> u32 {
        self.wait
    }
}
