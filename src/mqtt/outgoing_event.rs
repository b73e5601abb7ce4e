//! Owns what one event is on its way to the broker: which topic, which envelope.
//!
//! Live events and lines of the event log become the same entry, so that it makes no difference which way one takes.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::topics::Topics;
use crate::published::{EventId, Published};
use jadoube_core::event::Event;

/// Longest event that is sent, bytes; a whole game has a few thousand.
const LONGEST: usize = 1 << 19;

/// One event on its way.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct OutgoingEvent {
    /// Its number; of an event found in a capture, that of the first one missing before it.
    pub(crate) seq: u64,
    /// What distinguishes it from all others of this daemon.
    id: String,
    board: String,
    name: String,
    at: jiff::Timestamp,
    line: String,
}

/// What every event has.
#[derive(Deserialize)]
pub(crate) struct EventHead {
    /// Its number; lines that report of a gap have none.
    #[serde(default)]
    pub(crate) seq: u64,
    /// When it became known, UTC.
    pub(crate) at: Option<jiff::Timestamp>,
    #[serde(default)]
    board: String,
    #[serde(rename = "event")]
    name: String,
    t: Option<Box<RawValue>>,
    capture: Option<i64>,
    nth: Option<u32>,
}

impl EventHead {
    /// Returns what identifies the event, if anything does.
    pub(crate) fn id(&self) -> Option<EventId> {
        EventId::of_line(&self.board, self.t.as_deref(), self.capture, self.nth)
    }
}

/// The envelope, [CloudEvents](https://cloudevents.io) 1.0 in structured mode: MQTT 3.1.1 has no other.
#[derive(Serialize)]
struct Envelope<'a> {
    specversion: &'static str,
    id: &'a str,
    source: String,
    #[serde(rename = "type")]
    kind: String,
    subject: &'a str,
    time: jiff::Timestamp,
    datacontenttype: &'static str,
    data: &'a RawValue,
}

impl OutgoingEvent {
    /// Makes an entry of a live event, unless it is one of those that only the board's state reports.
    pub(crate) fn live(published: &Published) -> Option<Self> {
        if !is_wanted(published.event.kind.name()) {
            return None;
        }
        Some(Self {
            seq: published.seq,
            id: id(published.at, published.seq),
            board: published.event.board.to_string(),
            name: published.event.kind.name().to_owned(),
            at: published.at,
            line: published.json().to_owned(),
        })
    }

    /// Makes an entry of a line of the event log, likewise.
    pub(crate) fn logged(line: &str) -> Option<Self> {
        let EventHead { seq, at, board, name, .. } = serde_json::from_str(line).ok()?;
        let at = at?;
        (is_wanted(&name) && line.len() < LONGEST).then(|| Self {
            seq,
            id: id(at, seq),
            board,
            name,
            at,
            line: line.to_owned(),
        })
    }

    /// Makes an entry of an event that was found in a capture; `seq` is its number, if that is known.
    pub(crate) fn recovered(
        event: &Event,
        at: jiff::Timestamp,
        seq: Option<u64>,
        first_missing: u64,
    ) -> Option<Self> {
        #[derive(Serialize)]
        struct Line<'a> {
            #[serde(flatten)]
            event: &'a Event,
            at: jiff::Timestamp,
            #[serde(skip_serializing_if = "Option::is_none")]
            seq: Option<u64>,
        }
        let name = event.kind.name();
        let line = serde_json::to_string(&Line { event, at, seq }).ok()?;
        let unnumbered = || format!("{}-{}-{name}", at.as_microsecond(), event.board);
        is_wanted(name).then(|| Self {
            seq: first_missing,
            id: seq.map_or_else(unnumbered, |seq| id(at, seq)),
            board: event.board.to_string(),
            name: name.to_owned(),
            at,
            line,
        })
    }

    /// Returns the topic on which it goes out.
    pub(crate) fn topic(&self, topics: &Topics) -> String {
        match self.name.as_str() {
            "game-start" | "move" | "retract" | "result" | "game" => topics.board(&self.board, "move"),
            _ => topics.event(),
        }
    }

    /// Returns it as it goes out.
    ///
    /// # Errors
    ///
    /// Returns an error if the line of the log is no JSON.
    pub(crate) fn payload(&self, topics: &Topics) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(&Envelope {
            specversion: "1.0",
            id: &self.id,
            source: format!("/{}", topics.root()),
            kind: format!("jadoube.{}", self.name),
            subject: &self.board,
            time: self.at,
            datacontenttype: "application/json",
            data: serde_json::from_str(&self.line)?,
        })
    }
}

/// Returns whether events of this name go out one by one; the others change the board's state and nothing else.
fn is_wanted(name: &str) -> bool {
    !matches!(name, "lift" | "place" | "press" | "clock" | "gap")
}

/// Numbers begin anew when the logs are lost, so the time belongs to the name.
fn id(at: jiff::Timestamp, seq: u64) -> String {
    format!("{}-{seq}", at.as_millisecond())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::config::MqttConfig;
    use jadoube_core::{event::EventKind, time::Timestamp};

    fn event(kind: EventKind) -> Event {
        Event { at: Timestamp::from_micros(1_500_000), board: Arc::from("23946"), kind }
    }

    fn published(kind: EventKind) -> Published {
        let at = jiff::Timestamp::from_second(1_000).unwrap();
        Published::new(Arc::from("a"), event(kind).into(), at, 7)
    }

    #[test]
    fn live_and_logged_events_are_the_same() {
        let live = published(EventKind::Retract { game: 1, ply: 3 });
        let entry = OutgoingEvent::live(&live).unwrap();
        assert_eq!(OutgoingEvent::logged(live.json()).unwrap(), entry);
        let recovered = OutgoingEvent::recovered(&live.event, live.at, Some(7), 7).unwrap();
        assert_eq!(recovered.id, entry.id);
        let topics = Topics::new(&MqttConfig::default(), "pi");
        assert_eq!(entry.topic(&topics), "dgt/hall/pi/board/23946/move");
        let payload: serde_json::Value = serde_json::from_slice(&entry.payload(&topics).unwrap()).unwrap();
        let expected = serde_json::json!({
            "specversion": "1.0", "id": "1000000-7", "source": "/dgt/hall/pi", "type": "jadoube.retract",
            "subject": "23946", "time": "1970-01-01T00:16:40Z", "datacontenttype": "application/json",
            "data": {"t": 1.5, "board": "23946", "event": "retract", "game": 1, "ply": 3,
                     "at": "1970-01-01T00:16:40Z", "seq": 7},
        });
        assert_eq!(payload, expected);
    }

    #[test]
    fn what_only_changes_the_state_does_not_go_out() {
        let press =
            EventKind::Press { side: shakmaty::Color::White, clock: jadoube_core::event::Times::default() };
        let live = published(press);
        assert_eq!(OutgoingEvent::live(&live), None);
        assert_eq!(OutgoingEvent::logged(live.json()), None);
        for bad in ["", "{", "{\"event\":\"gap\",\"missed\":3}", "{\"event\":\"move\"}", "[]"] {
            assert_eq!(OutgoingEvent::logged(bad), None, "{bad}");
        }
    }
}
