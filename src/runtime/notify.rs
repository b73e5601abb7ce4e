//! Owns the messages to the service manager (`sd_notify`), if there is one.
//!
//! A thread of its own does the talking: a manager that does not read its socket must not hold up the supervisor.

use std::{
    collections::VecDeque,
    mem::discriminant,
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread,
    time::Duration,
};

use tracing::{debug, warn};

use crate::platform::{self, News};

/// How long the end waits for a manager to take what it was sent last.
const LAST: Duration = Duration::from_secs(1);

/// What a manager has not been informed yet, one of each kind: newer news of a kind take the place of older ones, so that a
/// manager that reads slowly, or not for a while, hears the last status all the same, and nothing grows.
#[derive(Debug, Default)]
struct Unreported {
    news: VecDeque<News>,
    /// Nothing more comes.
    ended: bool,
}

/// What supervisor and talking thread share.
#[derive(Debug, Default)]
struct Shared {
    unreported: Mutex<Unreported>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Unreported> {
        self.unreported.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add(&self, news: News) {
        let mut unreported = self.lock();
        unreported.news.retain(|older| discriminant(older) != discriminant(&news));
        unreported.news.push_back(news);
        self.changed.notify_one();
    }

    fn end(&self) {
        self.lock().ended = true;
        self.changed.notify_one();
    }

    /// Waits for what is to be reported; `None` once all has been reported and nothing more comes.
    fn wait(&self) -> Option<News> {
        let mut unreported = self.lock();
        loop {
            if let Some(news) = unreported.news.pop_front() {
                return Some(news);
            }
            if unreported.ended {
                return None;
            }
            unreported = self.changed.wait(unreported).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The way to the service manager.
#[derive(Debug)]
pub struct Notifier {
    shared: Arc<Shared>,
    /// Closed when all has been said.
    done: Receiver<()>,
}

impl Notifier {
    /// Begins to talk.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(|news| {
            if let Err(error) = platform::report_manager(&news) {
                debug!(%error, "no socket of the service manager");
            }
        })
    }

    fn start_with(mut report: impl FnMut(News) + Send + 'static) -> Self {
        let shared = Arc::<Shared>::default();
        let (talks, done) = sync_channel(1);
        let heard = shared.clone();
        let talking = thread::Builder::new().name("notify".to_owned()).spawn(move || {
            let _talks: SyncSender<()> = talks;
            while let Some(news) = heard.wait() {
                report(news);
            }
        });
        if let Err(error) = talking {
            warn!(%error, "the service manager cannot be notified");
        }
        Self { shared, done }
    }

    /// Says that the daemon works.
    pub fn ready(&self) {
        self.shared.add(News::Ready);
    }

    /// Says what there is to see.
    pub fn status(&self, text: &str) {
        self.shared.add(News::Status(text.to_owned()));
    }

    /// Says that all tasks live.
    pub fn alive(&self) {
        self.shared.add(News::Alive);
    }

    /// Says that the daemon is about to end.
    pub fn stopping(&self) {
        self.shared.add(News::Stopping);
    }
}

impl Drop for Notifier {
    /// Waits until the manager has been sent all: the thread ends with the process.
    fn drop(&mut self) {
        self.shared.end();
        // Nothing is ever sent; that the other side is gone is the answer.
        self.done.recv_timeout(LAST).unwrap_or_default();
    }
}

/// Returns how often the service manager wants to hear of the daemon.
#[must_use]
pub fn watchdog() -> Option<Duration> {
    platform::watchdog()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manager_that_reads_late_hears_the_last_status() {
        let (reads, may_read) = sync_channel::<()>(0);
        let (sender, reported) = std::sync::mpsc::channel();
        let notifier = Notifier::start_with(move |news| {
            may_read.recv().unwrap_or_default();
            sender.send(format!("{news:?}")).unwrap();
        });
        for boards in 0..=1000 {
            notifier.status(&format!("{boards} boards"));
            notifier.alive();
        }
        notifier.ready();
        notifier.stopping();
        // From here on everything is taken at once.
        drop(reads);
        drop(notifier);
        let reported: Vec<String> = reported.try_iter().collect();
        assert!(reported.len() <= 6, "{reported:?}");
        let at = |text: &str| reported.iter().position(|news| news.contains(text)).unwrap();
        assert!(at("Ready") < at("Stopping") && at("1000 boards") < at("Stopping"), "{reported:?}");
    }
}
