//! Who is connected: how many may be at a time, and which connection gives way to a new one.
//!
//! Browsers and proxies keep connections open between requests. Such an idle one costs its owner nothing when it is closed,
//! so that as many of them as anybody opens keep nobody out. Neither do those of strangers, who have not shown that they may look, and
//! who could wait for ever with what they ask: they give way although they are being answered. Strangers together have a part of the
//! places; the others are kept for those that are known, of whom none is closed while it is being answered.

use std::{
    collections::HashMap,
    net::IpAddr,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
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

use crate::http::network;

/// Connections that are served at a time.
const MOST: usize = 512;

/// Connections of strangers that are served at a time, wherever they come from: the others are kept for those that are known.
const MOST_STRANGERS: usize = 384;

/// Connections of one other machine that are served at a time; a browser holds about six.
const MOST_OF_ONE: usize = 64;

/// Connections of a trusted proxy, and of this machine, whose programs include proxies: what is left is for others.
const MOST_OF_MANY: usize = MOST - MOST_OF_ONE;

/// All connections.
#[derive(Debug, Default)]
pub(super) struct ConnectionLimit {
    guests: HashMap<Id, Guest>,
    /// Counts up whenever a connection becomes idle or busy.
    turns: Arc<AtomicU64>,
}

#[derive(Debug)]
struct Guest {
    /// Where it comes from, as limits count.
    from: IpAddr,
    activity: Activity,
    task: AbortHandle,
}

/// What a connection does, and whether it is known whose it is.
#[derive(Clone, Debug)]
pub(super) struct Activity(Arc<ActivityState>);

#[derive(Debug)]
struct ActivityState {
    /// Whether it is being answered.
    is_busy: AtomicBool,
    /// Whether its last request was of somebody who may at least look.
    is_known: AtomicBool,
    /// The turn at which it became idle or busy.
    since: AtomicU64,
    turns: Arc<AtomicU64>,
}

tokio::task_local! {
    /// The connection whose request is being answered.
    static ASKING: Activity;
}

/// Notes whether the client whose request is being answered has shown that it may at least look.
pub(crate) fn recognise(is_known: bool) {
    // Handlers are also called without a connection, by tests.
    ASKING.try_with(|activity| activity.set_known(is_known)).unwrap_or_default();
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
pub(super) struct TooManyConnections {
    pub(super) all: usize,
    pub(super) of_one: usize,
}

/// In which order connections give way, the last one first.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Standing {
    Known,
    Stranger,
}

impl ConnectionLimit {
    /// Makes room for a connection from this address, which many clients may share; another one may be closed for it.
    ///
    /// # Errors
    ///
    /// Returns how many there are if all of those that would have to give way are known and being answered.
    pub(super) fn make_room(&mut self, ip: IpAddr, is_shared: bool) -> Result<(), TooManyConnections> {
        let from = network::counted(ip);
        let counts = self.guests.values().fold(HashMap::<IpAddr, usize>::new(), |mut counts, guest| {
            *counts.entry(guest.from).or_default() += 1;
            counts
        });
        let strangers = self.guests.values().filter(|guest| !guest.activity.is_known()).count();
        let of_one = counts.get(&from).copied().unwrap_or(0);
        let is_own_share_full = of_one >= if is_shared { MOST_OF_MANY } else { MOST_OF_ONE };
        let are_strangers_full = strangers >= MOST_STRANGERS;
        if !is_own_share_full && !are_strangers_full && self.guests.len() < MOST {
            return Ok(());
        }
        // Whoever has the most connections gives one up, the one that has asked or been answered least recently.
        let may_leave = |guest: &Guest| {
            if is_own_share_full {
                guest.from == from
            } else {
                !are_strangers_full || !guest.activity.is_known()
            }
        };
        let leaving = self.guests.iter().filter(|(_, guest)| may_leave(guest)).filter_map(|(id, guest)| {
            let count = counts.get(&guest.from).copied().unwrap_or(0);
            Some(((guest.activity.standing()?, count, u64::MAX - guest.activity.since()), *id))
        });
        let (_, id) = leaving
            .max_by_key(|(order, _)| *order)
            .ok_or(TooManyConnections { all: self.guests.len(), of_one })?;
        if let Some(guest) = self.guests.remove(&id) {
            guest.task.abort();
        }
        Ok(())
    }

    /// Returns what a new connection notes its activity with.
    pub(super) fn activity(&self) -> Activity {
        let activity = Activity(Arc::new(ActivityState {
            is_busy: AtomicBool::new(false),
            is_known: AtomicBool::new(false),
            since: AtomicU64::new(0),
            turns: self.turns.clone(),
        }));
        activity.turn(false);
        activity
    }

    pub(super) fn add(&mut self, ip: IpAddr, activity: Activity, task: AbortHandle) {
        self.guests.insert(task.id(), Guest { from: network::counted(ip), activity, task });
    }

    pub(super) fn remove(&mut self, id: Id) {
        self.guests.remove(&id);
    }

    /// Returns whether there is plenty of room.
    pub(super) fn is_calm(&self) -> bool {
        self.guests.len() <= MOST / 2
    }
}

impl Activity {
    fn set_known(&self, is_known: bool) {
        self.0.is_known.store(is_known, Ordering::Relaxed);
    }

    fn is_known(&self) -> bool {
        self.0.is_known.load(Ordering::Relaxed)
    }

    fn since(&self) -> u64 {
        self.0.since.load(Ordering::Relaxed)
    }

    /// Returns how soon it gives way; `None` if it does not.
    fn standing(&self) -> Option<Standing> {
        match (self.is_known(), self.0.is_busy.load(Ordering::Relaxed)) {
            (true, true) => None,
            (true, false) => Some(Standing::Known),
            (false, _) => Some(Standing::Stranger),
        }
    }

    fn turn(&self, is_busy: bool) {
        let turn = self.0.turns.fetch_add(1, Ordering::Relaxed) + 1;
        self.0.since.store(turn, Ordering::Relaxed);
        self.0.is_busy.store(is_busy, Ordering::Relaxed);
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.turn(false);
    }
}

/// Notes that a connection is busy from its request on, until the last of the answer is written or nobody wants it any more.
pub(super) async fn note(State(activity): State<Activity>, request: Request, next: Next) -> Response {
    let answering = Answering(activity.clone());
    activity.turn(true);
    ASKING
        .scope(activity, next.run(request))
        .await
        .map(|body| Body::new(AnswerBody { body, _answering: answering }))
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
        connection_limit: ConnectionLimit,
        tasks: JoinSet<()>,
    }

    impl Hall {
        fn new() -> Self {
            Self { connection_limit: ConnectionLimit::default(), tasks: JoinSet::new() }
        }

        fn come(&mut self, ip: impl Into<IpAddr>) -> Result<(Id, Activity), TooManyConnections> {
            let ip = ip.into();
            self.connection_limit.make_room(ip, ip.is_loopback())?;
            let activity = self.connection_limit.activity();
            let task = self.tasks.spawn(std::future::pending());
            let id = task.id();
            self.connection_limit.add(ip, activity.clone(), task);
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
        let idle: Vec<Id> = (0..MOST_STRANGERS).map(|_| hall.come([127, 0, 0, 1]).unwrap().0).collect();
        // The share of strangers is full: the oldest of whoever has the most gives way.
        for (other, idle) in (0..).zip(&idle[..MOST_OF_ONE]) {
            hall.come([10, 0, 0, other]).unwrap();
            assert_eq!(hall.gone().await, *idle);
        }
        assert_eq!(hall.connection_limit.guests.len(), MOST_STRANGERS);
    }

    #[tokio::test]
    async fn addresses_of_one_network_have_one_share() {
        let mut hall = Hall::new();
        let network = |host: u16| [0x2001, 0xdb8, 0, 1, 0, 0, 0, host];
        let idle: Vec<Id> = (0..).take(MOST_OF_ONE).map(|host| hall.come(network(host)).unwrap().0).collect();
        hall.come(network(1000)).unwrap();
        assert_eq!(hall.gone().await, idle[0]);
    }

    #[tokio::test]
    async fn who_is_known_and_answered_is_never_closed_for_another() {
        let mut hall = Hall::new();
        let mut known: Vec<(Id, Activity)> =
            (0..MOST_OF_ONE).map(|_| hall.come([10, 0, 0, 1]).unwrap()).collect();
        for (_, activity) in &known {
            activity.set_known(true);
            activity.turn(true);
        }
        let refusal = TooManyConnections { all: MOST_OF_ONE, of_one: MOST_OF_ONE };
        assert_eq!(hall.come([10, 0, 0, 1]).unwrap_err(), refusal);
        hall.come([10, 0, 0, 2]).unwrap();
        // One that has been answered is idle, however old it is.
        let (id, activity) = known.remove(7);
        activity.turn(false);
        hall.come([10, 0, 0, 1]).unwrap();
        assert_eq!(hall.gone().await, id);
    }

    #[tokio::test]
    async fn strangers_shut_nobody_out_whatever_they_wait_for() {
        let mut hall = Hall::new();
        let known: Vec<(Id, Activity)> = (1..=20).map(|last| hall.come([10, 0, 9, last]).unwrap()).collect();
        for (_, activity) in &known {
            activity.set_known(true);
            activity.turn(true);
        }
        for network in 1..=100 {
            for _ in 0..10 {
                hall.come([10, 1, network, 1]).unwrap().1.turn(true);
            }
        }
        let all = hall.connection_limit.guests.len();
        assert_eq!(all, MOST_STRANGERS + known.len(), "the rest is kept for those that are known");
        // Who comes next has its turn, and an answer goes on although so many come after it.
        let (id, _) = hall.come([10, 0, 0, 1]).unwrap();
        for network in 1..=100 {
            hall.come([10, 2, network, 1]).unwrap().1.turn(true);
        }
        assert!(hall.connection_limit.guests.contains_key(&id));
        assert!(known.iter().all(|(id, _)| hall.connection_limit.guests.contains_key(id)));
    }
}
