//! Owns the event as it leaves a running daemon: written as JSON once, numbered, dated, with the port that it comes from; and its way
//! to everybody who listens.

mod ordinal;
mod queue;
pub(crate) mod zone;

use std::sync::Arc;

use jiff::fmt::temporal::DateTimePrinter;
use tracing::error;

pub use self::{ordinal::Ordinal, queue::EventReader};
pub(crate) use self::{
    ordinal::{EventId, Numbering},
    queue::{EventSender, EventSource, event_queue},
};
use jadoube_core::event::{Event, EventKind};

/// Room for most events of a kind, with what the log adds: a board that is found reports of dozens of squares at once, which wait for
/// the hub, and a text that grows is moved.
const fn room(kind: &EventKind) -> usize {
    match kind {
        EventKind::Lift { .. }
        | EventKind::Place { .. }
        | EventKind::Press { .. }
        | EventKind::Link { .. }
        | EventKind::Retract { .. }
        | EventKind::Result { .. }
        | EventKind::Counts { .. }
        | EventKind::Log { .. } => 192,
        EventKind::Board(_) | EventKind::GameStart { .. } | EventKind::Clock { .. } => 256,
        EventKind::Move(_) | EventKind::AlertUpdate(_) | EventKind::Entry { .. } => 384,
        EventKind::Alert(_) | EventKind::Game(_) => 768,
    }
}

/// What events that are about no board name as one.
pub(crate) const SERVICE: &str = "jadoube";

/// An event and its JSON, which is written once for all that send or store it.
#[derive(Clone, Debug)]
pub struct SerializedEvent {
    event: Event,
    ordinal: Option<Ordinal>,
    content: String,
}

impl From<Event> for SerializedEvent {
    fn from(event: Event) -> Self {
        Self::new(event, None)
    }
}

impl SerializedEvent {
    /// Makes one of an event with its number within its capture, if a replay of a capture meets it.
    #[must_use]
    pub fn new(event: Event, ordinal: Option<Ordinal>) -> Self {
        let content = content_of(&event);
        Self { event, ordinal, content }
    }

    /// Returns the event.
    pub(crate) const fn event(&self) -> &Event {
        &self.event
    }

    /// Returns its number within its capture.
    pub(crate) const fn ordinal(&self) -> Option<Ordinal> {
        self.ordinal
    }
}

/// An event as it leaves a running daemon.
#[derive(Clone, Debug)]
pub struct Published {
    /// The port it comes from.
    pub port: Arc<str>,
    /// The event.
    pub event: Event,
    /// When it became known, UTC.
    pub at: jiff::Timestamp,
    /// Its number, one more than that of the event before it, also over restarts.
    pub seq: u64,
    /// Its number within its capture; `None` if no replay of a capture meets it.
    pub ordinal: Option<Ordinal>,
    json: String,
}

impl Published {
    /// Dates and numbers an event.
    #[must_use]
    pub fn new(port: Arc<str>, event: SerializedEvent, at: jiff::Timestamp, seq: u64) -> Self {
        let SerializedEvent { event, ordinal, content: mut json } = event;
        let mut number = itoa::Buffer::new();
        if let Some(Ordinal { capture, nth }) = ordinal {
            json.push_str(",\"capture\":");
            json.push_str(number.format(capture));
            json.push_str(",\"nth\":");
            json.push_str(number.format(nth));
        }
        json.push_str(",\"at\":\"");
        DateTimePrinter::new().print_timestamp(&at, &mut json).unwrap_or_default();
        json.push_str("\",\"seq\":");
        json.push_str(number.format(seq));
        json.push('}');
        Self { port, event, at, seq, ordinal, json }
    }

    /// Returns the event as one line of JSON: the event's keys, then its number within its capture, `at` and `seq`.
    #[must_use]
    pub fn json(&self) -> &str {
        &self.json
    }

    /// Returns whether it is about a board.
    #[must_use]
    pub fn is_of_board(&self) -> bool {
        *self.event.board != *SERVICE
    }

    /// Returns whether it is about an alert.
    #[must_use]
    pub const fn is_alert(&self) -> bool {
        matches!(self.event.kind, EventKind::Alert(_) | EventKind::AlertUpdate(_))
    }
}

/// Returns what an event says: its JSON without the closing brace, as time of day and number may follow.
fn content_of(event: &Event) -> String {
    let mut json = Vec::with_capacity(room(&event.kind));
    event.write_json(&mut json);
    let mut json = String::from_utf8(json).unwrap_or_else(|error| {
        error!(%error, "an event cannot be written as JSON");
        String::new()
    });
    json.pop();
    json
}

#[cfg(test)]
mod tests {
    use super::*;
    use jadoube_core::{event::LinkState, time::Timestamp};

    #[test]
    fn a_line_has_the_keys_of_its_event_and_then_those_of_the_log() {
        // A port may be called anything.
        let kind = EventKind::Link { state: LinkState::Up, port: r#"a,"at":b"#.to_owned() };
        let event = Event { at: Timestamp::from_micros(1_500_000), board: "1".into(), kind };
        let expected = r#"{"t":1.5,"board":"1","event":"link","state":"up","port":"a,\"at\":b""#;
        let ordinal = Ordinal { capture: 1_795_294_443_120_000, nth: 2 };
        for (ordinal, end) in [(None, ""), (Some(ordinal), r#","capture":1795294443120000,"nth":2"#)] {
            let serialized = SerializedEvent::new(event.clone(), ordinal);
            let published = Published::new("p".into(), serialized, jiff::Timestamp::UNIX_EPOCH, 7);
            assert_eq!(published.json(), format!(r#"{expected}{end},"at":"1970-01-01T00:00:00Z","seq":7}}"#));
        }
    }
}
