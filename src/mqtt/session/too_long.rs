//! What comes in and is too long to be an order: one message is ignored; a packet that nobody would take ends the connection.

use tracing::error;

use super::{BrokerSession, ORDERS};

/// Largest packet that is taken; a larger one ends the connection, and whoever sends it again and again holds orders up.
pub(super) const LARGEST_IN: usize = 1 << 20;

impl BrokerSession {
    /// Notes that a message came in that is too long to be an order: orders go on. An alert of ours may be that long.
    pub(super) fn note_too_long(&mut self, topic: &str, length: usize, retained: bool) {
        if !self.note_kept(topic, retained) && self.mqtt.commands && self.order_pause.note_too_long() {
            let reason = format!("a message of {} KiB on {topic} is no order and is ignored", length / 1024);
            error!("{reason}; orders go on, and no more of this is said for a minute");
            self.context.daemon.figures().health.degrade(ORDERS, Some(reason));
        }
    }

    /// Notes that the connection was lost over a packet that is too large.
    pub(super) fn pause_orders(&mut self) {
        let until = match self.order_pause.begin() {
            0 => "until the broker is connected again".to_owned(),
            seconds => format!("for {seconds} s"),
        };
        let reason = format!("a message of more than {} KiB came in; no orders {until}", LARGEST_IN / 1024);
        error!("{reason}");
        self.context.daemon.figures().health.degrade(ORDERS, Some(reason));
    }
}
