//! Handles a configuration that was read anew, and says what of it is wrong or needs more than that.

use std::sync::Arc;

use tracing::{error, info, warn};

use super::{PairingsWatch, Supervisor, ports::Port};
use crate::{config::Config, daemon::scan, view::BoardView};

/// A board that has been away for longer was put away, with a game that nobody ended.
const AWAY: jiff::SignedDuration = jiff::SignedDuration::from_mins(30);

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

    /// Handles a configuration that was read anew, and says what of it needs more than that.
    pub(super) async fn take_config(&mut self, read: Result<Config, String>, pairings: &mut PairingsWatch) {
        let mut config = match read {
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
        self.keep_ports_in_play(&mut config);
        let stays = |name: &str, port: &Port| {
            let in_play = self.is_in_play(name);
            // A game is not interrupted because its port, which was found so far, is listed now, or the other way round.
            let same = config.port(name) == old.port(name)
                || in_play && config.settings_of_port(name) == old.settings_of_port(name);
            !port.given_up
                && same
                && (config.port(name).is_some()
                    || in_play
                    || config.ports.scan.iter().any(|pattern| scan::matches(pattern, name)))
        };
        let leaving: Vec<Arc<str>> = self
            .ports
            .iter()
            .filter(|(name, port)| !stays(name, port))
            .map(|(name, _)| name.clone())
            .collect();
        self.change_names(config);
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

    /// Leaves the ports with a game in play as they are if the configuration does not have them any more: a file may have lost them
    /// by mistake, and what players do meanwhile would be lost with them.
    fn keep_ports_in_play(&self, config: &mut Config) {
        let old = self.config();
        let is_left_out = |name: &str| {
            config.port(name).is_none()
                && !config.ports.scan.iter().any(|pattern| scan::matches(pattern, name))
        };
        let kept: Vec<&str> = self
            .ports
            .keys()
            .map(AsRef::as_ref)
            .filter(|name| is_left_out(name) && self.is_in_play(name))
            .collect();
        let Some(first) = kept.first() else { return };
        for port in &kept {
            warn!(
                port,
                "stays, as a game is in play there, though the configuration does not have it any more; \
                 reload again after the game, or restart now to close it"
            );
        }
        let more = if kept.len() > 1 { format!(", nor {} more", kept.len() - 1) } else { String::new() };
        let fault = format!(
            "it does not have {first}{more}, where games are in play; they go on; put them back, or reload again after the games"
        );
        self.figures.health.degrade(CONFIGURATION, Some(fault));
        let listed = kept.iter().filter_map(|name| old.port(name).cloned());
        config.listed.extend(listed);
    }

    /// Returns whether a game is being played on a port, be its board away for a moment.
    fn is_in_play(&self, port: &str) -> bool {
        let now = self.clock.calendar(self.clock.now());
        let is_there = |board: &BoardView| {
            board.up || board.updated.is_some_and(|reported| now.duration_since(reported) < AWAY)
        };
        let (_, boards) = self.view.read();
        boards
            .values()
            .any(|board| *board.port == *port && board.ply() > 0 && !board.is_over() && is_there(board))
    }
}
