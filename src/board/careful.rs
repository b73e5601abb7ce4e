//! Care on a line that damages bytes: no message of a single board has a checksum, but one that a byte was added to is
//! followed by a stray one.

use std::time::Duration;

use dgt_protocol::Message;

use super::Board;
use crate::time::Timestamp;

/// How long a message waits for stray bytes behind it: a few bytes at 9600 baud, and what the machine takes.
const WAIT: Duration = Duration::from_millis(25);

/// How long after damage messages are looked at twice.
const MEMORY: Duration = Duration::from_mins(10);

/// Damage as recent as this puts in doubt what the board has shown of a move.
const RECENT: Duration = Duration::from_secs(10);

/// What is known of the line's quality.
#[derive(Debug, Default)]
pub(super) struct Care {
    /// When damage was seen last.
    damaged_at: Option<Timestamp>,
    /// A message that is taken when nothing stray follows it, and when it came.
    held: Option<(Message<'static>, Timestamp)>,
}

impl Care {
    /// Returns when the message that is held is to be taken.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.held.as_ref().map(|(_, at)| *at + WAIT)
    }

    fn damaged_within(&self, span: Duration, now: Timestamp) -> bool {
        self.damaged_at.is_some_and(|at| now.since(at) < span)
    }

    /// Forgets the message that is held, as the link is lost.
    pub(super) fn forget(&mut self) {
        self.held = None;
    }
}

impl Board {
    /// Takes that a byte came which belongs to no message: what came just before it is not to be believed.
    pub fn handle_stray(&mut self, now: Timestamp) {
        self.note_damage(now);
        if self.care.held.take().is_some() {
            self.unsure = true;
        }
    }

    pub(super) fn note_damage(&mut self, now: Timestamp) {
        self.care.damaged_at = Some(now);
    }

    /// Holds a message back that has to be looked at twice; returns whether it did.
    pub(super) fn hold_back(&mut self, message: &Message<'_>, now: Timestamp) -> bool {
        self.tracker.set_noisy(self.care.damaged_within(RECENT, now));
        if !self.care.damaged_within(MEMORY, now) {
            return false;
        }
        let held = if let Message::FieldUpdate { field, piece } = *message {
            Message::FieldUpdate { field, piece }
        } else if let Message::Clock(report) = *message {
            Message::Clock(report)
        } else {
            return false;
        };
        self.care.held = Some((held, now));
        true
    }

    /// Takes the message that was held back.
    pub(super) fn release(&mut self, now: Timestamp) {
        if let Some((message, _)) = self.care.held.take() {
            self.take_message(&message, now);
        }
    }
}
