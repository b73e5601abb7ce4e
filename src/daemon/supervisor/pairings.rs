//! Keeps the pairings in step with their file, at every look for devices and at every reload.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::{JoinHandle, spawn_blocking};
use tracing::error;

use super::Supervisor;
use crate::{config::Config, pairings::Keeper};

/// The pairings that count; files are read outside of the runtime's threads.
pub(super) struct PairingsWatch {
    keeper: Arc<Mutex<Keeper>>,
    looking: Option<JoinHandle<Option<Config>>>,
    /// Why the file that was read last does not count.
    fault: Arc<Mutex<Option<String>>>,
}

impl Default for PairingsWatch {
    fn default() -> Self {
        let keeper = Keeper::default();
        let fault = keeper.fault();
        Self { keeper: Arc::new(Mutex::new(keeper)), looking: None, fault }
    }
}

impl PairingsWatch {
    /// Lays the pairings over a configuration that has just been read.
    pub(super) async fn load(&mut self, config: Config) -> Config {
        self.looking = None;
        let (keeper, given) = (self.keeper.clone(), config.clone());
        let loading =
            spawn_blocking(move || keeper.lock().unwrap_or_else(PoisonError::into_inner).load(given));
        loading.await.unwrap_or_else(|error| {
            error!(%error, "cannot read pairings");
            config
        })
    }

    /// Says why the file that was read last does not count, if it does not.
    pub(super) fn fault(&self) -> Option<String> {
        self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins to look whether the file has changed, unless that is being done.
    pub(super) fn poll_file(&mut self, config: Arc<Config>) {
        if self.looking.is_none() {
            let keeper = self.keeper.clone();
            let looking =
                move || keeper.lock().unwrap_or_else(PoisonError::into_inner).reload_if_changed(&config);
            self.looking = Some(spawn_blocking(looking));
        }
    }

    /// Waits for a configuration with other names; may be dropped and called again.
    pub(super) async fn changed(&mut self) -> Config {
        loop {
            let Some(looking) = &mut self.looking else { return std::future::pending().await };
            let found = looking.await;
            self.looking = None;
            match found {
                Ok(Some(config)) => return config,
                Ok(None) => {}
                Err(error) => error!(%error, "cannot read pairings"),
            }
        }
    }
}

impl Supervisor {
    /// Handles a configuration in which nothing but names and tables has changed.
    pub(super) fn change_names(&mut self, config: Config) {
        let (_, boards) = self.view.read();
        self.rounds.plan(&config, &boards, self.clock.utc(self.clock.now()));
        self.planned = Arc::new(config);
        let mut seated = Config::clone(&self.planned);
        self.rounds.seat(&mut seated, &boards);
        self.config.send_replace(Arc::new(seated));
    }

    /// Shows at each board who plays there, as games begin and others have ended.
    pub(super) fn seat_players(&self) {
        let mut seated = Config::clone(&self.planned);
        self.rounds.seat(&mut seated, &self.view.read().1);
        if seated.tables != self.config().tables {
            self.config.send_replace(Arc::new(seated));
        }
    }
}
