//! Files of what has to outlive a restart: written one after the other, so that an older state never replaces a newer one.

use std::{io, path::PathBuf};

use jadoube_runtime::replace::replace_secret;
use tokio::{sync::Mutex, task::spawn_blocking};

/// The turn to write a file.
#[derive(Debug, Default)]
pub(super) struct Kept {
    turn: Mutex<()>,
}

impl Kept {
    /// Replaces the file with what `state` returns once it is this call's turn.
    ///
    /// # Errors
    ///
    /// Returns an error if the state cannot be written down, or if the disk does not take it.
    pub(super) async fn save(
        &self,
        path: PathBuf,
        state: impl FnOnce() -> serde_json::Result<Vec<u8>>,
    ) -> io::Result<()> {
        let _turn = self.turn.lock().await;
        let bytes = state()?;
        spawn_blocking(move || replace_secret(&path, &bytes)).await?
    }
}
