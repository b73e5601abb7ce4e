//! Lists what meets the outside beside ports and log files: one line for each service.

use std::pin::Pin;

use tracing::error;

use super::{journal, log, retention, round};
#[cfg(feature = "http")]
use crate::http::{self, public, unclaimed};
#[cfg(feature = "lichess")]
use crate::lichess;
#[cfg(feature = "livechess")]
use crate::livechess;
#[cfg(feature = "mqtt")]
use crate::mqtt;
#[cfg(feature = "notify")]
use crate::notify;
#[cfg(feature = "pgn")]
use crate::pgn;
use crate::{config::Config, service::ServiceContext};

/// Starts a service; it ends when it is reported to, and not before.
type Start = fn(ServiceContext) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// The function that starts a service, `None` in a program that was built without it.
macro_rules! start {
    ($feature:literal, $service:ident) => {{
        #[cfg(feature = $feature)]
        let start: Option<Start> = Some(|context| Box::pin($service::run(context)));
        #[cfg(not(feature = $feature))]
        let start: Option<Start> = None;
        start
    }};
}

/// Returns the services that are switched on, by name; logs those that this program was built without.
pub(super) fn wanted(config: &Config) -> Vec<(&'static str, Start)> {
    let journal: Start = |context| Box::pin(journal::run(context));
    let round: Start = |context| Box::pin(round::run(context));
    let retention: Start = |context| Box::pin(retention::run(context));
    let all: [(&'static str, bool, Option<Start>); 11] = [
        // Limits may be set while the program runs.
        ("captures", true, Some(retention)),
        ("round", true, Some(round)),
        ("journal", log::goes_to_journal(), Some(journal)),
        ("http", config.http.is_some(), start!("http", http)),
        ("sockets", cfg!(feature = "http"), start!("http", unclaimed)),
        ("public", config.public.is_some(), start!("http", public)),
        ("livechess", config.livechess.is_some(), start!("livechess", livechess)),
        ("pgn", config.pgn.is_some(), start!("pgn", pgn)),
        ("mqtt", config.mqtt.is_some(), start!("mqtt", mqtt)),
        ("notify", wants_notifications(config), start!("notify", notify)),
        ("lichess", config.lichess.is_some(), start!("lichess", lichess)),
    ];
    let switched_on = all.into_iter().filter(|(_, on, _)| *on);
    switched_on
        .filter_map(|(name, _, start)| {
            if start.is_none() {
                error!("[{name}] is configured, but this program was built without the feature {name}");
            }
            Some((name, start?))
        })
        .collect()
}

/// Returns whether alerts may have to be sent: phones are switched on while the desk runs.
fn wants_notifications(config: &Config) -> bool {
    !config.notify.is_empty() || cfg!(feature = "push") && config.http.is_some()
}
