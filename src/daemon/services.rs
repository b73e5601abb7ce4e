//! Lists what meets the outside beside ports and log files: one line for each service.

use std::pin::Pin;

use super::{journal, log};
use crate::{config::Config, http, lichess, livechess, mqtt, pgn, service::ServiceContext};

/// Starts a service; it ends when it is told to, and not before.
type Start = fn(ServiceContext) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// Returns the services that are switched on, by name.
pub(super) fn wanted(config: &Config) -> Vec<(&'static str, Start)> {
    let all: [(&'static str, bool, Start); 6] = [
        ("journal", log::goes_to_journal(), |context| Box::pin(journal::run(context))),
        ("http", config.http.is_some(), |context| Box::pin(http::run(context))),
        ("livechess", config.livechess.is_some(), |context| Box::pin(livechess::run(context))),
        ("pgn", config.pgn.is_some(), |context| Box::pin(pgn::run(context))),
        ("mqtt", config.mqtt.is_some(), |context| Box::pin(mqtt::run(context))),
        ("lichess", config.lichess.is_some(), |context| Box::pin(lichess::run(context))),
    ];
    all.into_iter().filter(|(_, on, _)| *on).map(|(name, _, start)| (name, start)).collect()
}
