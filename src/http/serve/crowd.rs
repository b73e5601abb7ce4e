//! Who is connected: how many may be at a time, and which connection gives way to a new one.
//!
//! Browsers and proxies keep connections open between requests. Such an idle one costs its owner nothing when it is closed,
//! so that as many of them as anybody opens keep nobody out. One that is being answered is never closed for another.

use std::{
    cmp::Reverse,
    collections::HashMap,
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::{Request, State},
    middleware::Next,
    response::Response,
};
use hyper::body::{Frame, SizeHint};
use tokio::task::{AbortHandle, Id};

/// Connections that are served at a time.
const MOST: usize = 512;

/// Connections of one other machine that are served at a time; a browser holds about six.
const MOST_OF_ONE: usize = 64;

/// Connections of a trusted proxy, and of this machine, whose programs include proxies: what is left is for others.
const MOST_OF_MANY: usize = MOST - MOST_OF_ONE;

/// All connections.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    guests: HashMap<Id, Guest>,
    /// Counts up whenever a connection becomes idle.
    turns: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Guest {
    ip: IpAddr,
    activity: Activity,
    task: AbortHandle,
}

/// Whether a connection is being answered.
#[derive(Clone, Debug)]
pub(super) struct Activity {
    /// The turn at which it became idle; 0 while it is being answered.
    idle_since: Arc<AtomicU64>,
    turns: Arc<AtomicU64>,
}

/// Keeps a connection busy until it is dropped.
struct Answering(Activity);

/// The body of an answer, which keeps its connection busy.
struct AnswerBody {
    body: Body,
    _answering: Answering,
}

/// A new connection would be one too many.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Crowded {
    pub(super) all: usize,
    pub(super) of_one: usize,
}

impl Crowd {
    /// Makes room for a connection from this address, which many clients may share; an idle one may be closed for it.
    ///
    /// # Errors
    ///
    /// Returns how many there are if none of those that would have to give way is idle.
    pub(super) fn make_room(&mut self, ip: IpAddr, is_shared: bool) -> Result<(), Crowded> {
        let counts = self.guests.values().fold(HashMap::<IpAddr, usize>::new(), |mut counts, guest| {
            *counts.entry(guest.ip).or_default() += 1;
            counts
        });
        let of_one = counts.get(&ip).copied().unwrap_or(0);
        let is_own_share_full = of_one >= if is_shared { MOST_OF_MANY } else { MOST_OF_ONE };
        if !is_own_share_full && self.guests.len() < MOST {
            return Ok(());
        }
        // Whoever has the most connections gives one up, the one that has been idle longest.
        let idle =
            self.guests.iter().filter_map(|(id, guest)| Some((*id, guest.ip, guest.activity.idle_since()?)));
        let idle = idle.filter(|(_, of, _)| !is_own_share_full || *of == ip);
        let leaves =
            idle.max_by_key(|(_, of, since)| (counts.get(of).copied().unwrap_or(0), Reverse(*since)));
        let (id, ..) = leaves.ok_or(Crowded { all: self.guests.len(), of_one })?;
        if let Some(guest) = self.guests.remove(&id) {
            guest.task.abort();
        }
        Ok(())
    }

    /// Returns what a new connection tells its activity with.
    pub(super) fn activity(&self) -> Activity {
        let activity = Activity { idle_since: Arc::default(), turns: self.turns.clone() };
        activity.rest();
        activity
    }

    pub(super) fn add(&mut self, ip: IpAddr, activity: Activity, task: AbortHandle) {
        self.guests.insert(task.id(), Guest { ip, activity, task });
    }

    pub(super) fn remove(&mut self, id: Id) {
        self.guests.remove(&id);
    }

    /// Tells whether there is plenty of room.
    pub(super) fn is_calm(&self) -> bool {
        self.guests.len() <= MOST / 2
    }
}

impl Activity {
    fn idle_since(&self) -> Option<u64> {
        Some(self.idle_since.load(Ordering::Relaxed)).filter(|turn| *turn > 0)
    }

    fn rest(&self) {
        self.idle_since.store(self.turns.fetch_add(1, Ordering::Relaxed) + 1, Ordering::Relaxed);
    }

    fn answer(&self) -> Answering {
        self.idle_since.store(0, Ordering::Relaxed);
        Answering(self.clone())
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.rest();
    }
}

/// Notes that a connection is busy from its request on, until the last of the answer is written or nobody wants it any more.
pub(super) async fn note(State(activity): State<Activity>, request: Request, next: Next) -> Response {
    let answering = activity.answer();
    next.run(request).await.map(|body| Body::new(AnswerBody { body, _answering: answering }))
}

impl HttpBody for AnswerBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::JoinSet;

    use super::*;

    struct Hall {
        crowd: Crowd,
        tasks: JoinSet<()>,
    }

    impl Hall {
        fn new() -> Self {
            Self { crowd: Crowd::default(), tasks: JoinSet::new() }
        }

        fn come(&mut self, ip: [u8; 4]) -> Result<(Id, Activity), Crowded> {
            let ip = IpAddr::from(ip);
            self.crowd.make_room(ip, ip.is_loopback())?;
            let activity = self.crowd.activity();
            let task = self.tasks.spawn(std::future::pending());
            let id = task.id();
            self.crowd.add(ip, activity.clone(), task);
            Ok((id, activity))
        }

        /// Waits until a connection is closed.
        async fn gone(&mut self) -> Id {
            self.tasks.join_next_with_id().await.unwrap().unwrap_err().id()
        }
    }

    #[tokio::test]
    async fn idle_connections_of_this_machine_keep_nobody_out() {
        let mut hall = Hall::new();
        let idle: Vec<Id> = (0..MOST_OF_MANY).map(|_| hall.come([127, 0, 0, 1]).unwrap().0).collect();
        // The own share is full: the oldest gives way. Others have a share of their own.
        hall.come([127, 0, 0, 1]).unwrap();
        assert_eq!(hall.gone().await, idle[0]);
        for other in (0..).take(MOST_OF_ONE) {
            hall.come([10, 0, 0, other]).unwrap();
        }
        assert_eq!(hall.crowd.guests.len(), MOST);
        // All is full: whoever has the most gives one up.
        hall.come([10, 0, 1, 1]).unwrap();
        assert_eq!(hall.gone().await, idle[1]);
        assert_eq!(hall.crowd.guests.len(), MOST);
    }

    #[tokio::test]
    async fn what_is_being_answered_is_never_closed_for_another() {
        let mut hall = Hall::new();
        let mut answers: Vec<(Id, Answering)> = (0..MOST_OF_ONE)
            .map(|_| hall.come([10, 0, 0, 1]).map(|(id, activity)| (id, activity.answer())).unwrap())
            .collect();
        let crowded = Crowded { all: MOST_OF_ONE, of_one: MOST_OF_ONE };
        assert_eq!(hall.come([10, 0, 0, 1]).unwrap_err(), crowded);
        hall.come([10, 0, 0, 2]).unwrap();
        // One that has been answered is idle, however old it is.
        let (id, answering) = answers.remove(7);
        drop(answering);
        hall.come([10, 0, 0, 1]).unwrap();
        assert_eq!(hall.gone().await, id);
    }
}
