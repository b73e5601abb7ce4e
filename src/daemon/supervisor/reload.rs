//! Reads the configuration anew, and says what of it is wrong or needs more than that.

use std::sync::Arc;

use tokio::task::spawn_blocking;
use tracing::{error, info, warn};

use super::{PairingsWatch, Reload, Supervisor, ports::Port};
use crate::{config::Config, daemon::scan};

/// The part of the service that is at fault while a configuration has errors or is not taken.
const CONFIGURATION: &str = "configuration";

impl Supervisor {
    /// Shows what cannot be right about the configuration that counts.
    pub(super) fn show_errors_of(&self, config: &Config) {
        let mut errors = config.check().into_iter().filter(|warning| warning.is_error);
        let reason = errors.next().map(|first| match errors.count() {
            0 => first.to_string(),
            more => format!("{first}, and {more} more"),
        });
        self.figures.health.degrade(CONFIGURATION, reason);
    }

    /// Reads the configuration anew and says what of it needs more than that.
    pub(super) async fn reload(&mut self, reload: &Reload, pairings: &mut PairingsWatch) {
        let reload = reload.clone();
        let read = spawn_blocking(move || reload()).await;
        let read = read.map_err(|error| error.to_string());
        let mut config = match read.and_then(|read| read.map_err(|error| error.to_string())) {
            Ok(config) => config,
            Err(error) => {
                error!(error, "the configuration is left as it is");
                let fault = format!("not read anew, the old one counts: {error}");
                return self.figures.health.degrade(CONFIGURATION, Some(fault));
            }
        };
        config = pairings.load(config).await;
        let old = self.config();
        for (key, was, is) in [
            ("state_dir", &old.state_dir, &mut config.state_dir),
            ("log_dir", &old.log_dir, &mut config.log_dir),
        ] {
            if was != is {
                warn!(key, "takes effect after a restart");
                is.clone_from(was);
            }
        }
        for key in config.restarts_for(&old) {
            warn!(key, "takes effect after a restart");
        }
        for warning in config.check() {
            warn!("{warning}");
        }
        self.show_errors_of(&config);
        let stays = |name: &str, port: &Port| {
            !port.given_up
                && config.port(name) == old.port(name)
                && (config.port(name).is_some()
                    || config.ports.scan.iter().any(|pattern| scan::matches(pattern, name)))
        };
        let leaving: Vec<Arc<str>> = self
            .ports
            .iter()
            .filter(|(name, port)| !stays(name, port))
            .map(|(name, _)| name.clone())
            .collect();
        self.config.send_replace(Arc::new(config));
        for name in leaving {
            match self.ports.get(&name) {
                Some(port) if port.given_up => {
                    self.ports.remove(&name);
                }
                Some(port) => port.stop.cancel(),
                None => {}
            }
        }
        self.start_listed();
        info!(
            "configuration read; tables and names apply at once in the logs, everything else from each board's next game on"
        );
    }
}
