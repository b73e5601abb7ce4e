//! Files of what has to outlive a restart: written one after the other, so that an older state never replaces a newer one.

use std::{
    io,
    path::{Path, PathBuf},
};

use jadoube_runtime::{
    private,
    replace::{replace_secret, set_aside},
};
use serde::de::DeserializeOwned;
use tokio::{sync::Mutex, task::spawn_blocking};
use tracing::warn;

/// The turn to write a file.
#[derive(Debug, Default)]
pub(super) struct StateFile {
    turn: Mutex<()>,
}

impl StateFile {
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

/// Reads such a file; without one, the state is empty. A damaged one is set aside, because the next state takes its place;
/// `lost` says what that costs.
pub(super) fn read<T: Default + DeserializeOwned>(path: &Path, lost: &str) -> T {
    let file = path.display();
    let bytes = match private::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return T::default(),
        Err(error) => {
            warn!("{file}: {error}; {lost}");
            return T::default();
        }
    };
    serde_json::from_slice(&bytes).unwrap_or_else(|error| {
        match set_aside(path) {
            Ok(aside) => warn!("{file} is damaged ({error}) and is kept as {}; {lost}", aside.display()),
            Err(failed) => warn!("{file} is damaged ({error}) and cannot be kept ({failed}); {lost}"),
        }
        T::default()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use std::fs;

    type State = BTreeMap<String, Vec<u32>>;

    #[test]
    fn a_file_cut_anywhere_is_set_aside_and_loses_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state.json");
        let whole = br#"{"one":[1,2],"two":[]}"#;
        assert_eq!(read::<State>(&path, "all is new"), State::new());
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(read::<State>(&path, "all is new"), State::new(), "{length}");
            assert_eq!(fs::read(dir.path().join("state.json.damaged")).unwrap(), &whole[..length]);
            assert!(!path.exists(), "{length}");
        }
        fs::write(&path, whole).unwrap();
        assert_eq!(read::<State>(&path, "all is new").len(), 2);
        assert!(path.exists());
    }
}
