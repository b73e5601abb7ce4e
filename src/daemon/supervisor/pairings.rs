//! Keeps the pairings in step with their file, at every look for devices and at every reload.

use std::sync::{Arc, Mutex, PoisonError};

use tokio::task::{JoinHandle, spawn_blocking};
use tracing::error;

use super::Supervisor;
use crate::{config::Config, pairings::Keeper};

/// The pairings that count; files are read outside of the runtime's threads.
#[derive(Default)]
pub(super) struct PairingsWatch {
    keeper: Arc<Mutex<Keeper>>,
    looking: Option<JoinHandle<Option<Config>>>,
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
    /// Takes a configuration in which nothing but names and tables has changed.
    pub(super) fn change_names(&self, config: Config) {
        self.config.send_replace(Arc::new(config));
    }
}
