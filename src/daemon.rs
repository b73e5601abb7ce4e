//! Owns the running program: one supervisor for ports, sinks, signals and the service manager.
//!
//! It knows that there are boards and what their tasks report, and nothing of chess. Nothing here is restarted by
//! hand: a port's task that panics is rebuilt from its capture, and any other panic ends the process, so that the
//! service manager starts it anew.

mod format;
pub mod journal;
mod lock;
pub mod log;
mod registry;
mod retention;
mod round;
pub(crate) mod scan;
mod services;
mod supervisor;

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

use thiserror::Error;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::error;

pub use self::lock::is_running;
use self::lock::{Lock, Locks};
use crate::{
    config::{Config, ConfigError},
    published::{EventSender, event_queue},
    rounds::Rounds,
    service::{BoardOrder, DaemonHandle},
    sinks::{EventIndex, HUB_QUEUE, LogFile, Outgoing, SINK_QUEUE},
};
use jadoube_runtime::private;

/// Reads the configuration anew.
pub type Reload = Arc<dyn Fn() -> Result<Config, ConfigError> + Send + Sync>;

/// Why a daemon cannot run, or had to end.
#[derive(Debug, Error)]
pub enum DaemonError {
    /// The user may not write where it has to.
    #[error("{}: {source}; run it as the service, or set state_dir and log_dir", directory.display())]
    Permission {
        /// Which directory.
        directory: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The user may not use a file that is there.
    #[error(
        "{}: {source}; another user has run jadoube here: run it as that one, or give this user all that is in the directory (chown -R)",
        file.display()
    )]
    Foreign {
        /// Which file.
        file: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// Another daemon uses a directory.
    #[error("{}: another jadoube is running here", .0.display())]
    Locked(PathBuf),
    /// A newer program has written what is there.
    #[error(
        "{}: a newer jadoube has written this (format {format}, this one knows 1): install that version again, or set another \
         state_dir; nothing was changed", directory.display()
    )]
    Newer {
        /// Which directory.
        directory: PathBuf,
        /// Its version.
        format: String,
    },
    /// Signals cannot be received.
    #[error("cannot receive signals: {0}")]
    Signals(std::io::Error),
    /// A task other than a port's has panicked.
    #[error("{0} has failed; this is a bug in jadoube")]
    Panicked(String),
    /// A second signal came before everything was put away.
    #[error("stopped at once by a second signal")]
    Impatience,
}

/// A daemon that is ready to run.
pub struct Daemon {
    config: Arc<Config>,
    locks: Locks,
    orders: mpsc::Receiver<BoardOrder>,
    from_ports: (mpsc::Sender<Outgoing>, mpsc::Receiver<Outgoing>),
    to_sinks: EventSender,
    handle: DaemonHandle,
    seq: u64,
    event_index: Arc<EventIndex>,
}

impl Daemon {
    /// Prepares directories and the place where others meet the daemon.
    ///
    /// A disk that is full or read-only is no reason not to start: games go on without it.
    ///
    /// # Errors
    ///
    /// Returns an error if another daemon uses one of the directories, or if the user may not write there.
    pub fn new(config: Config) -> Result<(Self, DaemonHandle), DaemonError> {
        for directory in [&config.state_dir, &config.log_dir] {
            prepare(directory)?;
        }
        let mut locks = vec![Lock::take(&config.state_dir)?];
        format::check(&config.state_dir)
            .map_err(|format| DaemonError::Newer { directory: config.state_dir.clone(), format })?;
        // Two daemons with states of their own would still mix their logs.
        if !is_same(&config.state_dir, &config.log_dir) {
            locks.push(Lock::take(&config.log_dir)?);
        }
        let events = config.log_dir.join(LogFile::EventsJson.name());
        let set_forth = locks.first().map(Lock::set_forth).unwrap_or_default();
        let event_index = Arc::new(EventIndex::read(&events).after_leap(set_forth));
        let seq = event_index.last_seq();
        let to_sinks = event_queue(SINK_QUEUE);
        let (handle, orders) = DaemonHandle::local(seq, to_sinks.source(), Rounds::open(&config.state_dir));
        #[cfg(any(feature = "http", feature = "mqtt"))]
        handle.audit().start(&crate::audit::Place::of(&config));
        let from_ports = mpsc::channel(HUB_QUEUE);
        let daemon = Self {
            config: Arc::new(config),
            locks: Locks::new(locks),
            orders,
            from_ports,
            to_sinks,
            handle: handle.clone(),
            seq,
            event_index,
        };
        Ok((daemon, handle))
    }

    /// Runs until a signal or `shutdown` ends it; `reload` is what a hang-up signal asks for.
    ///
    /// # Errors
    ///
    /// Returns an error if a task other than a port's has failed.
    pub async fn run(self, reload: Reload, shutdown: CancellationToken) -> Result<(), DaemonError> {
        supervisor::run(self, reload, shutdown).await
    }
}

#[cfg(test)]
mod tests;

fn prepare(directory: &Path) -> Result<(), DaemonError> {
    match private::make_directory(directory) {
        Ok(()) => Ok(()),
        Err(source) if source.kind() == ErrorKind::PermissionDenied => {
            Err(DaemonError::Permission { directory: directory.to_owned(), source })
        }
        Err(error) => {
            error!(directory = %directory.display(), %error, "cannot make the directory; goes on without it");
            Ok(())
        }
    }
}

/// Returns whether two names are of one directory.
fn is_same(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok().zip(other.canonicalize().ok()).is_some_and(|(one, other)| one == other)
}
