//! Owns whose turn it is to have a capture replayed: one at a time, one of each who ask in turn, and once for all who wait for the same.

use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    net::{IpAddr, Ipv6Addr},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use axum::{
    body::Bytes,
    extract::FromRequestParts,
    http::{HeaderMap, request::Parts},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

use super::{App, network, serve::Peer, session::Sessions};

/// How long somebody waits for others who have asked before.
pub(super) const TURN: Duration = Duration::from_secs(10);

/// Answers that are kept for others who wait for the same.
const KEPT: usize = 4;

/// Who asks: those who have signed in each for themselves, as all phones of a hall may have one address behind a router.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Asker {
    /// The session that somebody has signed in to.
    Session(String),
    /// Where anybody else is.
    Address(IpAddr),
}

impl FromRequestParts<App> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        // Whatever serves a request says where it comes from.
        let address = parts.extensions.get().map_or(Ipv6Addr::UNSPECIFIED.into(), |Peer(address)| *address);
        Ok(Self::of(app.sessions(), &parts.headers, address))
    }
}

impl Asker {
    /// Returns who asks from an address with such headers.
    pub(super) fn of(sessions: &Sessions, headers: &HeaderMap, address: IpAddr) -> Self {
        sessions
            .find(headers)
            .map_or(Self::Address(network::counted(address)), |session| Self::Session(session.into_key()))
    }
}

/// Who waits for a replay, and what was found for those who still wait.
#[derive(Debug)]
pub(super) struct Replays {
    one: Arc<Semaphore>,
    /// Of each asker one waits among all others.
    of_client: Mutex<BTreeMap<Asker, Arc<Semaphore>>>,
    /// How many have asked.
    asked: AtomicU64,
    found: Mutex<VecDeque<Found>>,
    /// Held by whoever waits or has the turn.
    there: Arc<()>,
}

#[derive(Debug)]
struct Found {
    question: String,
    /// How many had asked when the search for it began.
    after: u64,
    answer: Bytes,
}

/// The right to have a capture replayed.
#[derive(Debug)]
pub(super) struct Turn {
    _one: OwnedSemaphorePermit,
    _of_client: OwnedSemaphorePermit,
    /// Which of those who have asked has it.
    number: u64,
    /// How many had asked when it began.
    began: u64,
    _there: Arc<()>,
}

impl Replays {
    pub(super) fn new() -> Self {
        Self {
            one: Arc::new(Semaphore::new(1)),
            of_client: Mutex::default(),
            asked: AtomicU64::new(0),
            found: Mutex::default(),
            there: Arc::default(),
        }
    }

    /// Waits until it is a client's turn; returns `None` if that takes too long.
    pub(super) async fn turn(&self, client: Asker) -> Option<Turn> {
        let there = self.there.clone();
        let number = self.asked.fetch_add(1, Ordering::Relaxed);
        let of_client = {
            let mut all = self.of_client.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody of theirs waits any more.
            all.retain(|_, of_client| Arc::strong_count(of_client) > 1);
            all.entry(client).or_insert_with(|| Arc::new(Semaphore::new(1))).clone()
        };
        let both = async {
            let of_client = of_client.acquire_owned().await.ok()?;
            Some((of_client, self.one.clone().acquire_owned().await.ok()?))
        };
        let (of_client, one) = timeout(TURN, both).await.ok().flatten()?;
        let began = self.asked.load(Ordering::Relaxed);
        Some(Turn { _one: one, _of_client: of_client, number, began, _there: there })
    }

    /// Returns the answer to a question that was looked for since this client asked.
    pub(super) fn answer(&self, turn: &Turn, question: &str) -> Option<Bytes> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |found: &&Found| found.after > turn.number && found.question == question;
        let answer = found.iter().find(fits).map(|found| found.answer.clone());
        if self.is_last() {
            *found = VecDeque::new();
        }
        answer
    }

    /// Keeps an answer for those who wait for the same, if anybody waits.
    pub(super) fn keep(&self, turn: &Turn, question: String, answer: &Bytes) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        found.retain(|found| found.question != question);
        if found.len() == KEPT {
            found.pop_front();
        }
        if self.is_last() {
            *found = VecDeque::new();
        } else {
            found.push_back(Found { question, after: turn.began, answer: answer.clone() });
        }
    }

    /// Returns whether nobody is there but who has the turn.
    fn is_last(&self) -> bool {
        Arc::strong_count(&self.there) <= 2
    }
}

#[cfg(test)]
mod tests {
    use std::{
        future::Future,
        pin::pin,
        task::{Context, Poll, Waker},
    };

    use super::*;

    fn client(number: u8) -> Asker {
        Asker::Address([10, 0, 0, number].into())
    }

    fn poll<T>(future: std::pin::Pin<&mut impl Future<Output = T>>) -> Poll<T> {
        future.poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn who_asks_once_does_not_wait_for_all_that_another_asks() {
        let replays = Replays::new();
        let first = replays.turn(client(1)).await.unwrap();
        let (mut second, mut third) = (pin!(replays.turn(client(1))), pin!(replays.turn(client(1))));
        let mut other = pin!(replays.turn(client(2)));
        assert!(poll(second.as_mut()).is_pending());
        assert!(poll(third.as_mut()).is_pending());
        assert!(poll(other.as_mut()).is_pending());
        drop(first);
        assert!(poll(second.as_mut()).is_pending(), "the other one was there before");
        let Poll::Ready(Some(turn)) = poll(other.as_mut()) else { panic!("it is its turn") };
        assert!(poll(second.as_mut()).is_pending());
        drop(turn);
        let Poll::Ready(Some(turn)) = poll(second.as_mut()) else { panic!("it is its turn") };
        drop(turn);
        assert!(poll(third.as_mut()).is_ready());
        assert!(replays.of_client.lock().unwrap().len() <= 2);
    }

    #[tokio::test]
    async fn who_waits_for_what_another_has_found_since_gets_that() {
        let replays = Replays::new();
        let first = replays.turn(client(1)).await.unwrap();
        let mut second = pin!(replays.turn(client(2)));
        let mut third = pin!(replays.turn(client(3)));
        assert!(poll(second.as_mut()).is_pending());
        assert!(poll(third.as_mut()).is_pending());
        replays.keep(&first, "replay".to_owned(), &Bytes::from_static(b"old"));
        drop(first);
        let Poll::Ready(Some(turn)) = poll(second.as_mut()) else { panic!("it is its turn") };
        assert_eq!(replays.answer(&turn, "replay"), None, "it was looked for before this one asked");
        replays.keep(&turn, "replay".to_owned(), &Bytes::from_static(b"new"));
        drop(turn);
        let Poll::Ready(Some(turn)) = poll(third.as_mut()) else { panic!("it is its turn") };
        assert_eq!(replays.answer(&turn, "replay").as_deref(), Some(&b"new"[..]));
        assert!(replays.found.lock().unwrap().is_empty(), "nobody waits");
    }
}
