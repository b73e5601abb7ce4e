//! Counts what boards say: messages by kind, and what of it cannot be believed.

use std::{
    collections::BTreeMap,
    ops::AddAssign,
    sync::{Arc, Mutex, PoisonError},
};

/// What all boards have said since the service began; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic(Arc<Mutex<MessageCounts>>);

/// What was said.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct MessageCounts {
    /// Whole messages by kind.
    pub(crate) frames: BTreeMap<&'static str, u64>,
    /// Messages that were thrown away, by reason.
    pub(crate) errors: BTreeMap<&'static str, u64>,
    /// Bytes that belong to no whole message.
    pub(crate) noise: u64,
}

impl Traffic {
    /// Adds what a board has said.
    pub(crate) fn add(&self, said: &MessageCounts) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) += said;
    }

    /// Returns all that was said.
    #[must_use]
    pub(crate) fn read(&self) -> MessageCounts {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl AddAssign<&Self> for MessageCounts {
    fn add_assign(&mut self, more: &Self) {
        for (kind, count) in &more.frames {
            *self.frames.entry(kind).or_default() += count;
        }
        for (reason, count) in &more.errors {
            *self.errors.entry(reason).or_default() += count;
        }
        self.noise += more.noise;
    }
}
