//! Owns the connection to the broker, the tries to get one, and what its losses mean.

use std::time::Duration;

use super::{
    super::link::{BrokerLink, Loss},
    Token,
};
use jadoube_core::time::Timestamp;

/// Seconds between two tries to connect: the first and the longest.
pub(super) const PAUSES: [u32; 2] = [1, 15];

/// A connection that a broker ends sooner than this after it has let us in is a short one.
const SHORT: Duration = Duration::from_secs(10);

/// So many short ones in a row are no accident: a broker ends a connection once another client comes with the same name.
const RIVALS: u32 = 3;

/// The connection to the broker, and the tries to get one.
pub(super) struct Connection {
    pub(super) link: Option<BrokerLink<Token>>,
    pub(super) connected: bool,
    /// Seconds from the next loss to the next try.
    pub(super) pause: u32,
    /// Seconds to the next try.
    pub(super) retry_in: u32,
    /// When the broker last acknowledged something, or nothing was under way.
    pub(super) heard: Timestamp,
    /// Whether the log says that the broker is away.
    pub(super) complained: bool,
    /// The name by which the broker knows this client.
    pub(super) id: String,
    /// When the broker let us in.
    pub(super) since: Timestamp,
    /// How many connections in a row it has ended soon after that.
    short: u32,
}

impl Connection {
    /// Begins without one.
    pub(super) const fn new() -> Self {
        Self {
            link: None,
            connected: false,
            pause: PAUSES[0],
            retry_in: 0,
            heard: Timestamp::ZERO,
            complained: false,
            id: String::new(),
            since: Timestamp::ZERO,
            short: 0,
        }
    }

    /// Returns why the connection is lost, with what several short ones in a row mean.
    pub(super) fn reason(&mut self, loss: &Loss, now: Timestamp) -> String {
        let is_short = self.connected && !loss.oversized && now.since(self.since) < SHORT;
        // Where the broker itself goes, a try fails in between.
        self.short = if is_short { self.short.saturating_add(1) } else { 0 };
        if self.short < RIVALS {
            return loss.reason.clone();
        }
        let id = &self.id;
        format!(
            "another client took over this name, {id}: give each daemon its own mqtt.site or mqtt.client_id ({})",
            loss.reason
        )
    }
}
