//! Owns the messages to the service manager (`sd_notify`), if there is one.
//!
//! A thread of its own does the talking: a manager that does not read its socket must not hold up the supervisor.

use std::{
    sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel},
    thread,
    time::Duration,
};

use sd_notify::NotifyState;
use tracing::{debug, warn};

/// Messages that wait for a manager; when it takes none, new ones are dropped.
const QUEUE: usize = 16;

/// How long the end waits for a manager to take what it was told last.
const LAST: Duration = Duration::from_secs(1);

/// What the service manager is told.
#[derive(Debug)]
enum News {
    Ready,
    Status(String),
    Alive,
    Stopping,
}

/// The way to the service manager.
#[derive(Debug)]
pub struct Notifier {
    news: Option<SyncSender<News>>,
    /// Closed when all has been said.
    done: Receiver<()>,
}

impl Notifier {
    /// Begins to talk.
    pub fn start() -> Self {
        let (sender, news) = sync_channel::<News>(QUEUE);
        let (talks, done) = sync_channel(1);
        let talking = thread::Builder::new().name("notify".to_owned()).spawn(move || {
            let _talks: SyncSender<()> = talks;
            while let Ok(news) = news.recv() {
                let outcome = match &news {
                    News::Ready => sd_notify::notify(&[NotifyState::Ready]),
                    News::Status(text) => sd_notify::notify(&[NotifyState::Status(text)]),
                    News::Alive => sd_notify::notify(&[NotifyState::Watchdog]),
                    News::Stopping => sd_notify::notify(&[NotifyState::Stopping]),
                };
                if let Err(error) = outcome {
                    debug!(%error, "no socket of the service manager");
                }
            }
        });
        match talking {
            Ok(_) => Self { news: Some(sender), done },
            Err(error) => {
                warn!(%error, "the service manager cannot be notified");
                Self { news: None, done }
            }
        }
    }

    /// Says that the daemon works.
    pub fn ready(&self) {
        self.tell(News::Ready);
    }

    /// Says what there is to see.
    pub fn status(&self, text: &str) {
        self.tell(News::Status(text.to_owned()));
    }

    /// Says that all tasks live.
    pub fn alive(&self) {
        self.tell(News::Alive);
    }

    /// Says that the daemon is about to end.
    pub fn stopping(&self) {
        self.tell(News::Stopping);
    }

    fn tell(&self, news: News) {
        let Some(sender) = &self.news else { return };
        if let Err(TrySendError::Full(news) | TrySendError::Disconnected(news)) = sender.try_send(news) {
            debug!(?news, "the service manager does not read notifications");
        }
    }
}

impl Drop for Notifier {
    /// Waits until the manager has been told all: the thread ends with the process.
    fn drop(&mut self) {
        self.news = None;
        // Nothing is ever sent; that the other side is gone is the answer.
        self.done.recv_timeout(LAST).unwrap_or_default();
    }
}

/// Returns how often the service manager wants to hear of the daemon.
#[must_use]
pub fn watchdog() -> Option<Duration> {
    sd_notify::watchdog_enabled()
}
