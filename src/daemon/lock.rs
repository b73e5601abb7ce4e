//! Owns the locks by which a daemon keeps others out of its directories.
//!
//! A directory may be removed while the daemon runs: its files are put back, but the lock is gone with the file that was
//! locked, and a second daemon could start on what was put back. So each lock is looked at now and then, and taken again.
//!
//! The file says when the machine was started, by the calendar that the daemon knew: the next one knows from it whether the calendar was
//! set forth while none ran.

use std::{
    fs::{self, File, TryLockError},
    io::{self, ErrorKind, Read as _, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use jiff::SignedDuration;

use tracing::{debug, error, warn};

use super::DaemonError;
use crate::metrics::Health;
use jadoube_runtime::{clock::Uptime, platform, private};

/// Name of the file that a running daemon holds locked in its directories.
const NAME: &str = "lock";

/// The part of the service that is at fault while another program holds a lock.
const PART: &str = "lock";

/// Returns whether a daemon runs in this state directory.
#[must_use]
pub fn is_running(state_dir: &Path) -> bool {
    File::open(state_dir.join(NAME))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// Longest text in a lock, bytes.
const LONGEST: u64 = 100;

/// The locks of a daemon, which last as long as it; clones share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Locks(Arc<Mutex<Vec<Lock>>>);

impl Locks {
    pub(super) fn new(locks: impl IntoIterator<Item = Lock>) -> Self {
        Self(Arc::new(Mutex::new(locks.into_iter().collect())))
    }

    /// Acquires the locks again that are gone with their directories, and informs who cannot have them.
    pub(super) fn hold(&self, health: &Health) {
        // A disk that hangs holds up one look only.
        let Ok(mut locks) = self.0.try_lock() else { return };
        locks.iter_mut().for_each(Lock::hold);
        locks.iter_mut().for_each(Lock::note);
        health.set(PART, locks.iter().find_map(Lock::wrong));
    }
}

/// The lock of one directory.
#[derive(Debug)]
pub(super) struct Lock {
    directory: PathBuf,
    /// Open and locked, unless the disk did not let it.
    file: Option<File>,
    /// How many looks in a row found that another program has the lock.
    refused: u32,
    /// By how much the calendar was set forth since the last daemon here.
    set_forth: SignedDuration,
    /// What was noted last.
    noted: Option<Uptime>,
}

/// Why a directory cannot be locked.
enum Refused {
    Elsewhere,
    Disk(io::Error),
}

impl Lock {
    /// Locks a directory, so that no two daemons write into the same captures or logs; a disk that does not let it stops nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if another daemon uses the directory, or if the user may not write there.
    pub(super) fn take(directory: &Path) -> Result<Self, DaemonError> {
        let path = directory.join(NAME);
        let file = match locked(&path) {
            Ok(file) => Some(file),
            Err(Refused::Elsewhere) => return Err(DaemonError::Locked(directory.to_owned())),
            Err(Refused::Disk(source)) if source.kind() == ErrorKind::PermissionDenied => {
                if path.exists() {
                    return Err(DaemonError::Foreign { file: path, source });
                }
                return Err(DaemonError::Permission { directory: directory.to_owned(), source });
            }
            Err(Refused::Disk(error)) => {
                error!(directory = %directory.display(), %error, "cannot lock the directory");
                None
            }
        };
        let mut lock = Self {
            directory: directory.to_owned(),
            file,
            refused: 0,
            set_forth: SignedDuration::ZERO,
            noted: None,
        };
        let since = |earlier: Uptime| Uptime::now().map(|now| now.set_forth_since(&earlier));
        lock.set_forth = lock.read_note().and_then(since).unwrap_or_default();
        lock.note();
        Ok(lock)
    }

    /// Returns by how much the calendar was set forth since the last daemon here, as far as the machine was up.
    pub(super) const fn set_forth(&self) -> SignedDuration {
        self.set_forth
    }

    /// Returns what the last daemon noted.
    fn read_note(&self) -> Option<Uptime> {
        let mut text = String::new();
        self.file.as_ref()?.take(LONGEST).read_to_string(&mut text).ok()?;
        text.parse().ok()
    }

    /// Notes the calendar and the machine's time since its start, unless what was noted before says the same; what cannot be noted is done
    /// without.
    fn note(&mut self) {
        let Some((file, now)) = self.file.as_mut().zip(Uptime::now()) else { return };
        if self.noted.as_ref().is_some_and(|noted| now.is_as_reported_by(noted)) {
            return;
        }
        match file.set_len(0).and_then(|()| writeln!(file, "{now}")) {
            Ok(()) => self.noted = Some(now),
            Err(error) => {
                debug!(directory = %self.directory.display(), %error, "cannot note the time in the lock");
            }
        }
    }

    /// Acquires the lock again if it is gone.
    fn hold(&mut self) {
        let path = self.directory.join(NAME);
        if self.file.as_ref().is_some_and(|file| is_named(file, &path)) {
            return;
        }
        let directory = self.directory.display();
        match locked(&path) {
            Ok(file) => {
                warn!(%directory, "its lock was gone, as the directory or the file was removed; this daemon has it again");
                self.file = Some(file);
                self.noted = None;
                self.refused = 0;
            }
            // Whoever asks whether a daemon runs has the lock for a moment, too.
            Err(Refused::Elsewhere) => {
                self.refused = self.refused.saturating_add(1);
                if self.refused == 2 {
                    error!(
                        %directory,
                        "its lock was gone, and now another jadoube is running here, too; both write the same files: end one of them"
                    );
                }
            }
            // Who cannot write there says so.
            Err(Refused::Disk(error)) => debug!(%directory, %error, "cannot lock the directory"),
        }
    }

    /// Returns what is wrong while another program has the lock.
    fn wrong(&self) -> Option<String> {
        let reported = self.refused > 1;
        reported
            .then(|| format!("another jadoube is running in {}; end one of them", self.directory.display()))
    }
}

/// Opens and locks a file.
fn locked(path: &Path) -> Result<File, Refused> {
    let file = private::append(path).map_err(Refused::Disk)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Refused::Elsewhere),
        Err(TryLockError::Error(error)) => Err(Refused::Disk(error)),
    }
}

/// Returns whether a path is a name of an open file; where files have no numbers, one that is open cannot be removed.
fn is_named(file: &File, path: &Path) -> bool {
    let Some(own) = file.metadata().ok().as_ref().and_then(platform::file_id) else { return true };
    fs::symlink_metadata(path).ok().as_ref().and_then(platform::file_id) == Some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_taken_again_where_it_was_removed() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        let health = Health::default();
        let locks = Locks::new([Lock::take(&state).unwrap()]);
        let refuses = || matches!(Lock::take(&state), Err(DaemonError::Locked(_)));
        assert!(refuses() && is_running(&state));
        locks.hold(&health);
        for remove in
            [|state: &Path| fs::remove_dir_all(state), |state: &Path| fs::remove_file(state.join(NAME))]
        {
            remove(&state).unwrap();
            assert!(!is_running(&state));
            locks.hold(&health);
            assert!(refuses() && is_running(&state));
        }
        assert!(health.failing().is_empty());
    }

    #[test]
    fn who_has_the_lock_instead_is_reported_once_and_until_it_ends() {
        let dir = tempfile::tempdir().unwrap();
        let health = Health::default();
        let locks = Locks::new([Lock::take(dir.path()).unwrap()]);
        fs::remove_file(dir.path().join(NAME)).unwrap();
        let other = Lock::take(dir.path()).unwrap();
        locks.hold(&health);
        assert!(health.failing().is_empty(), "somebody may only look");
        locks.hold(&health);
        locks.hold(&health);
        let reported = format!("another jadoube is running in {}; end one of them", dir.path().display());
        assert_eq!(health.failing().remove(PART), Some(reported));
        drop(other);
        locks.hold(&health);
        assert!(health.failing().is_empty());
        assert!(matches!(Lock::take(dir.path()), Err(DaemonError::Locked(_))));
    }
}
