//! Remembers what a port has told last, so that a port that is rebuilt after a panic tells the rest and nothing twice.
//!
//! It outlives the port's task, and says the same of it as the event log does of an earlier process; the log itself may
//! be a moment behind.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::event_index::{EventIndex, IndexedEvent};
use crate::published::SerializedEvent;
use jadoube_core::event::BoardId;

/// Events that are remembered; a panic loses what was not told of one input, and never more than a few.
const KEPT: usize = 128;

/// The last events that a port has told.
#[derive(Debug)]
pub(crate) struct DeliveredTail {
    entries: VecDeque<(BoardId, IndexedEvent)>,
    /// What is older was told.
    from: jiff::Timestamp,
}

impl DeliveredTail {
    /// Begins at an instant, UTC: what is older is not told again.
    pub(crate) fn shared(from: jiff::Timestamp) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self { entries: VecDeque::new(), from }))
    }

    /// Notes an event that is told, if a replay meets it.
    pub(crate) fn note(shared: &Mutex<Self>, event: &SerializedEvent, at: jiff::Timestamp) {
        let Some(ordinal) = event.ordinal() else { return };
        let entry = IndexedEvent::of(event.event(), ordinal, at);
        let mut delivered = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if delivered.entries.len() >= KEPT
            && let Some((_, oldest)) = delivered.entries.pop_front()
        {
            delivered.from = delivered.from.max(oldest.at());
        }
        delivered.entries.push_back((event.event().board.clone(), entry));
    }

    /// Begins anew: a game was taken along from another port, which has told what was played on it.
    pub(crate) fn begin_anew(shared: &Mutex<Self>, from: jiff::Timestamp) {
        *shared.lock().unwrap_or_else(PoisonError::into_inner) = Self { entries: VecDeque::new(), from };
    }

    /// Returns what was told.
    pub(crate) fn index(shared: &Mutex<Self>) -> EventIndex {
        let delivered = shared.lock().unwrap_or_else(PoisonError::into_inner);
        EventIndex::of(delivered.entries.iter().map(|(board, entry)| (&**board, *entry)), delivered.from)
    }
}
