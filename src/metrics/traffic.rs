//! Counts what boards say: messages by kind, and what of it cannot be believed.

use std::sync::{Arc, Mutex, PoisonError};

use jadoube_core::line::MessageCounts;

/// What all boards have said since the service began; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic(Arc<Mutex<MessageCounts>>);

impl Traffic {
    /// Adds what a board has said.
    pub(crate) fn add(&self, said: MessageCounts) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += said;
    }

    /// Returns all that was said.
    #[must_use]
    pub(crate) fn read(&self) -> MessageCounts {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
