//! Ends: what is left is sent as far as there is time, and the broker hears of it.

use std::time::Duration;

use tokio::select;
use tracing::debug;

use super::{
    BrokerSession, Token,
    waiting::{next_broker_event, next_event, next_found},
};
use crate::mqtt::link::{BrokerEvent, BrokerLink};

/// How much of the end is for what is left to send.
const DRAIN_LIMIT: Duration = Duration::from_secs(1);

impl BrokerSession {
    /// Sends what is left, and says goodbye.
    pub(super) async fn end(&mut self) {
        let done = |session: &Self| {
            let idle = session.connection.link.as_ref().is_none_or(BrokerLink::is_idle);
            !session.connection.connected
                || (session.events.is_none() && session.backlog.behind() == 0 && idle)
        };
        let drain = async {
            while !done(self) {
                select! {
                    event = next_event(&mut self.events) => self.push_event(event),
                    broker_event = next_broker_event(&mut self.connection.link) => self.handle_broker_event(broker_event),
                    found = next_found(&mut self.disk.reading) => self.handle_found(found),
                    outcome = self.disk.notes.written() => self.handle_written(outcome),
                }
                self.pump();
            }
        };
        if tokio::time::timeout(DRAIN_LIMIT, drain).await.is_err() {
            debug!("remaining events are sent to the broker after the next start");
        }
        self.note_acknowledged();
        if !self.publish(&self.topics.status(), "offline".into(), true, Token::Other) {
            return;
        }
        while self.connection.connected && self.connection.link.as_ref().is_some_and(|link| !link.is_idle()) {
            let broker_event = next_broker_event(&mut self.connection.link).await;
            self.handle_broker_event(broker_event);
        }
        self.note_acknowledged();
        if self.connection.link.as_ref().is_some_and(BrokerLink::close) {
            while self.connection.link.is_some() {
                if let BrokerEvent::Lost(_) = next_broker_event(&mut self.connection.link).await {
                    self.connection.link = None;
                }
            }
        }
    }
}
