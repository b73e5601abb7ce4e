//! Owns the way of events from the hub to everybody who listens: each reader gets all of them, at its own pace.
//!
//! What waits for the slowest reader is kept, and nothing else: a queue in which nothing waits takes hardly any memory, in a hall of
//! ten boards or of a thousand, and also where ports come and go with the configuration. A reader that is too far behind misses the
//! oldest, and hears how many; nobody else is delayed by it.

use std::{
    collections::VecDeque,
    pin::pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{
        Notify,
        broadcast::error::{RecvError, TryRecvError},
    },
    task::coop::consume_budget,
    time::timeout,
};

use super::Published;

/// How long a reader of alerts passes over other events before it is woken for them; alerts wait for nothing.
const GATHER: Duration = Duration::from_millis(100);

/// After so many events what waits is read without waiting for more: boards that are found report hundreds at once, and memory that such
/// a rush has taken stays with the process.
const RUSH: u64 = 128;

/// Room for so many events is kept where nothing waits.
const KEPT: usize = 64;

/// Hands events to all readers; when it is dropped, they end after what still waits for them.
#[derive(Debug)]
pub(crate) struct EventSender(Arc<Shared>);

/// Lets others read events, as long as there is a sender.
#[derive(Clone, Debug)]
pub(crate) struct EventSource(Arc<Shared>);

/// Reads all events from its beginning on.
#[derive(Debug)]
pub struct EventReader {
    shared: Arc<Shared>,
    /// Number of the next event to read, among those of the queue.
    next: u64,
}

#[derive(Debug)]
struct Shared {
    queue: Mutex<Queue>,
    /// Something has come.
    news: Notify,
    /// Something has come for which nobody waits any longer: an alert, many events, or the end.
    urgent: Notify,
}

#[derive(Debug)]
struct Queue {
    waiting: VecDeque<Waiting>,
    /// Number of the first one that waits, and what follows the last one with which all are to be read.
    first: u64,
    after_urgent: u64,
    /// Most events that wait.
    limit: usize,
    readers: usize,
    has_ended: bool,
}

#[derive(Debug)]
struct Waiting {
    event: Arc<Published>,
    /// How many readers have not got it.
    unread: usize,
}

/// Makes a queue in which at most `limit` events wait.
pub(crate) fn event_queue(limit: usize) -> EventSender {
    let queue =
        Queue { waiting: VecDeque::new(), first: 0, after_urgent: 0, limit, readers: 0, has_ended: false };
    EventSender(Arc::new(Shared { queue: Mutex::new(queue), news: Notify::new(), urgent: Notify::new() }))
}

impl EventSender {
    /// Hands an event to all readers; says whether there is one.
    pub(crate) fn send(&self, event: Published) -> bool {
        let mut is_urgent = event.is_alert();
        let mut queue = self.0.lock();
        if queue.readers == 0 {
            return false;
        }
        if queue.waiting.len() >= queue.limit {
            queue.waiting.pop_front();
            queue.first += 1;
        }
        let unread = queue.readers;
        queue.waiting.push_back(Waiting { event: Arc::new(event), unread });
        is_urgent |= queue.end().is_multiple_of(RUSH);
        if is_urgent {
            queue.after_urgent = queue.end();
        }
        drop(queue);
        self.0.news.notify_waiters();
        if is_urgent {
            self.0.urgent.notify_waiters();
        }
        true
    }

    /// Lets somebody read what follows.
    pub(crate) fn subscribe(&self) -> EventReader {
        EventReader::new(&self.0)
    }

    /// Lets others read, without keeping the queue from its end.
    pub(crate) fn source(&self) -> EventSource {
        EventSource(self.0.clone())
    }
}

impl Drop for EventSender {
    fn drop(&mut self) {
        self.0.lock().has_ended = true;
        self.0.news.notify_waiters();
        self.0.urgent.notify_waiters();
    }
}

impl EventSource {
    /// Lets somebody read what follows; `None` if nothing can.
    pub(crate) fn subscribe(&self) -> Option<EventReader> {
        let has_ended = self.0.lock().has_ended;
        (!has_ended).then(|| EventReader::new(&self.0))
    }
}

impl EventReader {
    fn new(shared: &Arc<Shared>) -> Self {
        let mut queue = shared.lock();
        queue.readers += 1;
        let next = queue.end();
        drop(queue);
        Self { shared: shared.clone(), next }
    }

    /// Waits for the next event; may be dropped and called again at any time.
    ///
    /// # Errors
    ///
    /// Returns an error with the number of events that this reader has missed, or if there will be no more.
    pub async fn recv(&mut self) -> Result<Arc<Published>, RecvError> {
        // A reader that always finds something has to let others work.
        consume_budget().await;
        let shared = self.shared.clone();
        loop {
            let mut news = pin!(shared.news.notified());
            news.as_mut().enable();
            match self.try_recv() {
                Ok(event) => return Ok(event),
                Err(TryRecvError::Lagged(missed)) => return Err(RecvError::Lagged(missed)),
                Err(TryRecvError::Closed) => return Err(RecvError::Closed),
                Err(TryRecvError::Empty) => news.await,
            }
        }
    }

    /// Waits for the next alert, or change of one, and passes over all else; may be dropped and called again at any time.
    ///
    /// What it passes over is gathered for a while: a reader of alerts is not woken by each move of a hall.
    ///
    /// # Errors
    ///
    /// Returns an error with the number of events that this reader has missed, or if there will be no more.
    pub(crate) async fn recv_alert(&mut self) -> Result<Arc<Published>, RecvError> {
        loop {
            let event = self.recv().await?;
            if event.is_alert() {
                return Ok(event);
            }
            if self.is_empty() {
                timeout(GATHER, self.urgent()).await.unwrap_or_default();
            }
        }
    }

    /// Returns the next event if there is one.
    ///
    /// # Errors
    ///
    /// Returns an error if there is none now, or none any more, or with the number of events that this reader has missed.
    pub fn try_recv(&mut self) -> Result<Arc<Published>, TryRecvError> {
        let mut queue = self.shared.lock();
        if self.next < queue.first {
            let missed = queue.first - self.next;
            self.next = queue.first;
            return Err(TryRecvError::Lagged(missed));
        }
        let index = queue.index(self.next);
        let Some(waiting) = queue.waiting.get_mut(index) else {
            return Err(if queue.has_ended { TryRecvError::Closed } else { TryRecvError::Empty });
        };
        waiting.unread -= 1;
        let event = waiting.event.clone();
        self.next += 1;
        queue.forget_read();
        Ok(event)
    }

    /// Waits until an alert is among what this reader has not read, or many events, or there will be no more: to gather events for a
    /// while wakes nobody with each of them.
    pub(crate) async fn urgent(&self) {
        loop {
            let mut urgent = pin!(self.shared.urgent.notified());
            urgent.as_mut().enable();
            if self.has_urgent() {
                return;
            }
            urgent.await;
        }
    }

    /// Returns whether an alert waits, or many events, or there will be no more.
    fn has_urgent(&self) -> bool {
        let queue = self.shared.lock();
        queue.after_urgent > self.next || queue.has_ended
    }

    /// Returns how many events wait for this reader.
    #[must_use]
    pub fn len(&self) -> usize {
        let queue = self.shared.lock();
        queue.waiting.len().saturating_sub(queue.index(self.next))
    }

    /// Returns whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl Drop for EventReader {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        debug_assert!(queue.readers > 0, "this reader was counted");
        queue.readers -= 1;
        let index = queue.index(self.next);
        for waiting in queue.waiting.iter_mut().skip(index) {
            waiting.unread -= 1;
        }
        queue.forget_read();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    /// Returns the number of the event that comes next.
    fn end(&self) -> u64 {
        self.first + u64::try_from(self.waiting.len()).unwrap_or(0)
    }

    /// Returns where an event waits.
    fn index(&self, number: u64) -> usize {
        debug_assert!(
            (self.first..=self.end()).contains(&number),
            "{number} is behind a reader or not there yet"
        );
        usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX)
    }

    /// Forgets what all readers have got, and the room that a rush has taken.
    fn forget_read(&mut self) {
        while self.waiting.pop_front_if(|waiting| waiting.unread == 0).is_some() {
            self.first += 1;
        }
        if self.waiting.is_empty() && self.waiting.capacity() > KEPT {
            self.waiting.shrink_to(KEPT);
        }
    }
}

#[cfg(test)]
mod tests;
