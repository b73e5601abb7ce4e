//! Sends what is due: states, answers and events by turns.

use serde_json::json;
use tokio::task::spawn_blocking;
use tracing::warn;

use super::{BrokerSession, DiskRead, Due, Token};
use crate::{
    config::Config,
    mqtt::{
        backlog::{self, NextOut},
        link::BrokerLink,
    },
    published::EventReader,
};

impl BrokerSession {
    /// Sends what there is, as far as the broker takes it.
    pub(super) fn pump(&mut self) {
        if !self.connection.connected {
            return;
        }
        let quiet = self.events.as_ref().is_none_or(EventReader::is_empty);
        if self.shown.due > Due::Nothing && quiet {
            self.update_retained();
        }
        if self.disk.notes.is_holding(self.clock.now()) {
            return;
        }
        while self.connection.link.as_ref().is_some_and(BrokerLink::has_room) {
            // By turns, so that neither waits for all of the other.
            let sent = [self.send_state(), self.send_reply(), self.send_event()];
            if !sent.contains(&true) {
                break;
            }
        }
    }

    /// Finds out which states and alerts have changed.
    fn update_retained(&mut self) {
        let (_, boards) = self.context.daemon.view().read();
        if self.shown.due == Due::All {
            let info = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "started_at": self.clock.started(),
                "commands": self.mqtt.commands,
                "desk": desk(&self.config),
                "boards": boards.keys().map(AsRef::as_ref).collect::<Vec<&str>>(),
            });
            self.shown.topics.set(&self.topics.info(), info.to_string().into_bytes());
            self.shown.topics.update(&boards, &self.config, self.shown.grace == 0);
        } else {
            self.shown.topics.update_alerts(&boards, &self.config);
        }
        self.shown.due = Due::Nothing;
        // Noted before it is sent, if the disk is not too slow for that.
        if self.shown.topics.has_grown() {
            self.note_acknowledged();
            self.disk.notes.hold(&self.disk.memory, self.clock.now());
            self.note();
        }
    }

    fn send_state(&mut self) -> bool {
        let Some((topic, payload)) = self.shown.topics.next() else { return false };
        let token = if payload.is_empty() { Token::Removed(topic.clone()) } else { Token::Other };
        if self.publish(&topic, payload.clone(), true, token) {
            return true;
        }
        self.shown.topics.put_back(topic, payload);
        false
    }

    fn send_reply(&mut self) -> bool {
        let Some((topic, payload)) = self.commands.next_reply(&self.topics) else { return false };
        self.publish(&topic, payload, false, Token::Other)
    }

    fn send_event(&mut self) -> bool {
        let entry = match self.backlog.next() {
            NextOut::OutgoingEvent(entry) => entry,
            NextOut::Nothing => return false,
            NextOut::Disk(wanted) => {
                if matches!(self.disk.reading, DiskRead::Idle) {
                    let config = self.config.clone();
                    self.disk.reading =
                        DiskRead::Running(spawn_blocking(move || backlog::read(&config, &wanted)));
                }
                return false;
            }
        };
        match entry.payload(&self.topics) {
            Ok(payload) => {
                let topic = entry.topic(&self.topics);
                let sent = self.publish(&topic, payload, false, Token::Event(entry.seq));
                if !sent {
                    self.backlog.put_back(entry);
                }
                sent
            }
            Err(error) => {
                warn!(seq = entry.seq, %error, "an event cannot be sent and is left out");
                true
            }
        }
    }

    pub(super) fn publish(&mut self, topic: &str, payload: Vec<u8>, retain: bool, token: Token) -> bool {
        self.connection.link.as_mut().is_some_and(|link| link.publish(topic, payload, retain, token).is_ok())
    }
}

/// Says where other machines find the desk, if they do: a hub leads there for what only this machine has.
#[cfg(feature = "http")]
fn desk(config: &Config) -> Option<String> {
    config.http.as_ref().and_then(crate::accounts::desk_address)
}

#[cfg(not(feature = "http"))]
const fn desk(_config: &Config) -> Option<String> {
    None
}
