//! Owns the running program: one supervisor for ports, sinks, signals and the service manager.
//!
//! It knows that there are boards and what their tasks report, and nothing of chess. Nothing here is restarted by
//! hand: a port's task that panics is rebuilt from its capture, and any other panic ends the process, so that the
//! service manager starts it anew.

pub(crate) mod append;
pub(crate) mod heart;
pub mod journal;
pub mod log;
pub(crate) mod notify;
mod registry;
mod scan;
pub(crate) mod services;
mod signals;
mod supervisor;

use std::{
    fs::{self, File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

use thiserror::Error;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::error;

use crate::{
    config::{Config, ConfigError},
    metrics::Figures,
    sinks::{HUB_QUEUE, Ledger, LogFile, Outgoing, Published, SINK_QUEUE},
    view::View,
};
use jadoube_core::order::{Order, OrderError};

/// Orders that wait for the supervisor.
const ORDER_QUEUE: usize = 16;

/// Name of the file that a running daemon holds locked in its state directory.
const LOCK: &str = "lock";

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
    /// Another daemon uses the state directory.
    #[error("{}: another jadoube is running here", .0.display())]
    Locked(PathBuf),
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
    lock: Option<File>,
    orders: mpsc::Receiver<BoardOrder>,
    from_ports: (mpsc::Sender<Outgoing>, mpsc::Receiver<Outgoing>),
    to_sinks: broadcast::Sender<Arc<Published>>,
    desk: Desk,
    seq: u64,
    ledger: Arc<Ledger>,
}

/// Where other parts of the program meet the daemon: events out, orders in.
#[derive(Clone, Debug)]
pub struct Desk {
    orders: mpsc::Sender<BoardOrder>,
    events: broadcast::WeakSender<Arc<Published>>,
    view: View,
    began: u64,
    figures: Figures,
    afar: bool,
}

/// An order and the board that it is for.
#[derive(Debug)]
pub(crate) struct BoardOrder {
    /// Its name.
    pub(crate) board: String,
    /// The order.
    pub(crate) order: Order,
    /// Who gives it; empty if that is not known.
    pub(crate) by: String,
    /// Where the answer goes.
    pub(crate) reply: oneshot::Sender<Result<(), OrderError>>,
}

impl Daemon {
    /// Prepares directories and the place where others meet the daemon.
    ///
    /// A disk that is full or read-only is no reason not to start: games go on without it.
    ///
    /// # Errors
    ///
    /// Returns an error if another daemon uses the state directory, or if the user may not write there.
    pub fn new(config: Config) -> Result<(Self, Desk), DaemonError> {
        for directory in [&config.state_dir, &config.log_dir] {
            prepare(directory)?;
        }
        let lock = lock(&config.state_dir)?;
        let events = config.log_dir.join(LogFile::EventsJson.name());
        let ledger = Arc::new(Ledger::read(&events));
        let seq = ledger.last_seq();
        let (order_sender, orders) = mpsc::channel(ORDER_QUEUE);
        let (to_sinks, _) = broadcast::channel(SINK_QUEUE);
        let desk = Desk {
            orders: order_sender,
            events: to_sinks.downgrade(),
            view: View::after(seq),
            began: seq,
            figures: Figures::default(),
            afar: false,
        };
        let from_ports = mpsc::channel(HUB_QUEUE);
        let daemon = Self {
            config: Arc::new(config),
            lock,
            orders,
            from_ports,
            to_sinks,
            desk: desk.clone(),
            seq,
            ledger,
        };
        Ok((daemon, desk))
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

impl Desk {
    /// Makes a desk for boards that are elsewhere, and the place where its orders come out.
    pub(crate) fn afar(
        view: View,
        events: &broadcast::Sender<Arc<Published>>,
    ) -> (Self, mpsc::Receiver<BoardOrder>) {
        let (orders, received) = mpsc::channel(ORDER_QUEUE);
        let figures = Figures::default();
        (Self { orders, events: events.downgrade(), view, began: 0, figures, afar: true }, received)
    }

    /// Listens to the events from here on; `None` if the daemon has ended.
    #[must_use]
    pub fn subscribe(&self) -> Option<broadcast::Receiver<Arc<Published>>> {
        self.events.upgrade().map(|sender| sender.subscribe())
    }

    /// Returns what is known of every board; listen first and read then, and nothing is missed.
    #[must_use]
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// Returns the number of the last event before this process.
    #[must_use]
    pub const fn began(&self) -> u64 {
        self.began
    }

    /// Tells whether the boards are elsewhere, and their captures with them.
    pub(crate) const fn is_afar(&self) -> bool {
        self.afar
    }

    /// Returns what no event tells: what is wrong, and what has passed.
    pub(crate) const fn figures(&self) -> &Figures {
        &self.figures
    }

    /// Gives an order to the board with this serial number, or on this port, and says who gives it.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order is refused; then nothing has changed.
    pub async fn order(&self, board: &str, order: Order, by: &str) -> Result<(), OrderError> {
        let (reply, answer) = oneshot::channel();
        let request = BoardOrder { board: board.to_owned(), order, by: by.to_owned(), reply };
        let ended = || OrderError::Refused("the program is about to end".to_owned());
        self.orders.send(request).await.map_err(|_| ended())?;
        answer.await.map_err(|_| ended())?
    }
}

/// Tells whether a daemon runs in this state directory.
#[must_use]
pub fn is_running(state_dir: &Path) -> bool {
    File::open(state_dir.join(LOCK))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

#[cfg(test)]
mod tests;

fn prepare(directory: &Path) -> Result<(), DaemonError> {
    match fs::create_dir_all(directory) {
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

/// Locks the state directory, so that no two daemons write into the same captures.
fn lock(state_dir: &Path) -> Result<Option<File>, DaemonError> {
    let file = match File::options().create(true).append(true).open(state_dir.join(LOCK)) {
        Ok(file) => file,
        Err(source) if source.kind() == ErrorKind::PermissionDenied => {
            return Err(DaemonError::Permission { directory: state_dir.to_owned(), source });
        }
        Err(error) => {
            error!(directory = %state_dir.display(), %error, "cannot lock the state directory");
            return Ok(None);
        }
    };
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(DaemonError::Locked(state_dir.to_owned())),
        Err(TryLockError::Error(error)) => {
            error!(directory = %state_dir.display(), %error, "cannot lock the state directory");
            Ok(None)
        }
    }
}
