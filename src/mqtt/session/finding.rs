//! Asks the broker which topics it keeps of ours, since a note of them may be missing: a process that is killed while its disk
//! stands still has sent alerts that nobody has noted ([`notes`](crate::mqtt::notes)), and those would stay for ever.
//!
//! What is found counts as noted. It is taken back if it belongs to no board and no open alert, once recovery has had its time.

use tracing::{debug, error, info, warn};

use super::BrokerSession;

/// How many connections in a row may end before the broker has answered; some end them over what they do not allow.
const TRIES: u32 = 3;

/// Decides whether the broker is asked.
#[derive(Debug)]
pub(super) struct Finding {
    /// Connections on which it may be asked in vain.
    tries: u32,
    /// Whether it was asked on this connection, and has not answered.
    is_open: bool,
}

impl Finding {
    pub(super) const fn new() -> Self {
        Self { tries: TRIES, is_open: false }
    }

    /// Notes that there is a connection; says whether the broker is to be asked.
    const fn begin(&mut self) -> bool {
        self.is_open = self.tries > 0;
        self.is_open
    }

    /// Handles the answer.
    const fn answer(&mut self, refused: bool) {
        self.is_open = false;
        // Once refused, no other answer counts.
        self.tries = if refused || self.tries == 0 { 0 } else { TRIES };
    }

    /// Notes that the connection is lost; `oversized` is whether over a packet that is too large, which may be one that was asked
    /// for and would come again each time.
    const fn lose(&mut self, oversized: bool) {
        if oversized {
            self.tries = 0;
        } else if self.is_open {
            self.tries = self.tries.saturating_sub(1);
        }
        self.is_open = false;
    }
}

impl BrokerSession {
    /// Asks for what the broker keeps of ours.
    pub(super) fn ask_for_kept(&mut self) {
        let Some(link) = &mut self.connection.link else { return };
        if self.finding.begin() {
            for filter in self.topics.kept() {
                if !link.subscribe(&filter) {
                    debug!(filter, "cannot ask for what the broker keeps");
                }
            }
        }
    }

    /// Notes that the broker has answered a subscription.
    pub(super) fn handle_answered(&mut self, refused: bool) {
        let Some(filter) = self.connection.link.as_mut().and_then(super::BrokerLink::answered) else {
            return;
        };
        if filter != self.topics.commands() {
            self.finding.answer(refused);
            if refused {
                info!(
                    filter,
                    "the broker does not say what it keeps; an alert that a kill has left there stays"
                );
            }
        } else if refused {
            error!(topic = filter, "the broker refuses the subscription to orders");
        }
    }

    /// Handles a message that is no order; says whether it is one of a topic of ours. Only what was there before (`retained`) is news:
    /// all else we have sent ourselves.
    pub(super) fn note_kept(&mut self, topic: &str, retained: bool) -> bool {
        let Some(topics) = self.topics.kept_with(topic) else { return false };
        if retained {
            for topic in topics {
                if self.shown.topics.note_found(topic.clone()) {
                    debug!(topic, "the broker keeps a topic that nobody has noted");
                }
            }
        }
        true
    }

    /// Notes that the connection is lost.
    pub(super) fn end_finding(&mut self, oversized: bool) {
        let was_on = self.finding.tries > 0;
        self.finding.lose(oversized);
        if was_on && self.finding.tries == 0 {
            warn!(
                "the broker is not asked any more for what it keeps; an alert that a kill has left there stays"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_broker_that_does_not_allow_it_is_not_asked_for_ever() {
        let mut finding = Finding::new();
        // Whatever ends the connection later, it has answered.
        for _ in 0..9 {
            assert!(finding.begin());
            finding.answer(false);
            finding.lose(false);
        }
        let asked = (0..9).filter(|_| {
            let asks = finding.begin();
            finding.lose(false);
            asks
        });
        assert_eq!(asked.count(), 3);
        let mut refused = Finding::new();
        assert!(refused.begin());
        refused.answer(true);
        refused.answer(false);
        refused.lose(false);
        assert!(!refused.begin());
        let mut too_large = Finding::new();
        assert!(too_large.begin());
        too_large.answer(false);
        too_large.lose(true);
        assert!(!too_large.begin());
    }
}
