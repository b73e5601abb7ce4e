//! Owns the event as it leaves a running daemon: numbered, dated, with the port that it comes from.

use std::sync::Arc;

use serde::Serialize;
use tracing::error;

use jadoube_core::event::{Event, EventKind};

/// What events that are about no board name as one.
pub(crate) const SERVICE: &str = "jadoube";

/// An event as it leaves a running daemon.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    /// The port it comes from.
    #[serde(skip)]
    pub port: Arc<str>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// When it became known, UTC.
    pub at: jiff::Timestamp,
    /// Its number, one more than that of the event before it, also over restarts.
    pub seq: u64,
}

impl Published {
    /// Returns the event as one line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            error!(%error, "an event cannot be written as JSON");
            String::new()
        })
    }

    /// Tells whether it is about a board.
    #[must_use]
    pub fn is_of_board(&self) -> bool {
        *self.event.board != *SERVICE
    }

    /// Tells whether it is about an alert.
    #[must_use]
    pub const fn is_alert(&self) -> bool {
        matches!(self.event.kind, EventKind::Alert(_) | EventKind::AlertUpdate(_))
    }
}
