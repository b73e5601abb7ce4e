//! Lists what meets the outside beside ports and log files: one line for each service.

use std::{pin::Pin, sync::Arc};

use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tracing::debug;

use super::{Desk, heart::Heart, journal, log};
use crate::{config::Config, http, lichess, livechess, mqtt, pgn};

/// What a service works with.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The configuration; a reload changes it.
    pub(crate) config: watch::Receiver<Arc<Config>>,
    /// Events, boards, orders.
    pub(crate) desk: Desk,
    /// The games as the public may see them.
    pub(crate) games: pgn::Shelf,
    /// Says when to end.
    pub(crate) shutdown: CancellationToken,
    /// To beat once in its period.
    pub(crate) heart: Heart,
}

impl Setup {
    /// Says with what a service begins.
    pub(super) fn tell(&self, service: &'static str) {
        debug!(service, event = self.config.borrow().event.name, seq = self.desk.view().seq(), "starts");
    }
}

/// Starts a service; it ends when it is told to, and not before.
type Start = fn(Setup) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// Returns the services that are switched on, by name.
pub(super) fn wanted(config: &Config) -> Vec<(&'static str, Start)> {
    let all: [(&'static str, bool, Start); 6] = [
        ("journal", log::goes_to_journal(), |setup| Box::pin(journal::run(setup))),
        ("http", config.http.is_some(), |setup| Box::pin(http::run(setup))),
        ("livechess", config.livechess.is_some(), |setup| Box::pin(livechess::run(setup))),
        ("pgn", config.pgn.is_some(), |setup| Box::pin(pgn::run(setup))),
        ("mqtt", config.mqtt.is_some(), |setup| Box::pin(mqtt::run(setup))),
        ("lichess", config.lichess.is_some(), |setup| Box::pin(lichess::run(setup))),
    ];
    all.into_iter().filter(|(_, on, _)| *on).map(|(name, _, start)| (name, start)).collect()
}
