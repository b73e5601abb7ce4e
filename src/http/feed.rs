//! Streams events to clients (server-sent events): written once, kept for a while, and never waited for.
//!
//! Each event has the number that it has everywhere, so that a client that lost its connection says which one it saw
//! last and gets what it missed. If that is too long ago it is asked to read everything anew (`event: reset`). A
//! client that falls behind by more than [`BEHIND`] events is cut off and comes back the same way.
//!
//! Pages that show the hall get what each event has changed in place of the event (`board` messages, see `patches`). They
//! need no past: whoever comes back gets the boards that have changed since.

mod source;

use std::{
    collections::VecDeque,
    convert::Infallible,
    future,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    Extension,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, HeaderName, StatusCode, header},
    response::{IntoResponse, Response},
};
use futures_util::{StreamExt as _, stream};
use serde::Deserialize;
use tokio::{
    select,
    sync::{
        OwnedSemaphorePermit, Semaphore,
        broadcast::{self, error::RecvError, error::TryRecvError},
    },
    time::{Interval, MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;
use tracing::debug;

pub(super) use self::source::{run, subscribe};
use super::{App, access::Reader, attention, error::ApiError, patches, query::Query, serve::Peer};
use crate::published::Published;
use jadoube_core::event::BoardId;

/// Bytes of past events that are kept for clients that come back.
const KEPT: usize = 4 << 20;

/// Events that a client may be behind.
const BEHIND: usize = 2048;

/// Clients at a time.
const MOST: usize = 256;

/// Bytes that are written in one go.
const CHUNK: usize = 16 * 1024;

/// How often a client hears something, whatever happens in the hall.
const SIGN: Duration = Duration::from_secs(10);

/// The kind of what arbiters announce to each other.
const ATTENTION: &str = "attention";

/// The name of messages that say what has changed of a board.
const BOARD: &str = "board";

/// What every stream begins with: how long a browser waits until it comes back, milliseconds.
const GREETING: &[u8] = b"retry: 1000\n\n";

/// The last event that a client has seen, as browsers report it.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// One message of the stream.
#[derive(Debug)]
struct StreamMessage {
    seq: u64,
    /// Which board it is about; every client gets those that are about none.
    board: Option<BoardId>,
    kind: &'static str,
    audience: Audience,
    text: Bytes,
}

/// Whom a message is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Audience {
    /// Every client.
    All,
    /// Pages that show the hall: it says what has changed.
    Pages,
    /// All but those pages.
    Others,
}

/// The stream that all clients share.
#[derive(Debug)]
pub struct Feed {
    past: Mutex<Past>,
    live: broadcast::Sender<Arc<StreamMessage>>,
    clients: Arc<Semaphore>,
    /// Held by every page that shows the hall.
    pages: Arc<()>,
}

/// What is kept for clients that come back.
#[derive(Debug, Default)]
struct Past {
    messages: VecDeque<Arc<StreamMessage>>,
    bytes: usize,
    /// The event before the first that is kept.
    before: u64,
    /// The last event.
    last: u64,
    /// The event after which everything is known of every board: earlier, something may have changed without one.
    begin: u64,
}

impl Default for Feed {
    fn default() -> Self {
        Self {
            past: Mutex::default(),
            live: broadcast::channel(BEHIND).0,
            clients: Arc::new(Semaphore::new(MOST)),
            pages: Arc::new(()),
        }
    }
}

impl Feed {
    /// Returns how many clients there are.
    pub(super) fn clients(&self) -> usize {
        MOST.saturating_sub(self.clients.available_permits())
    }

    /// Sends an event to everybody who listens; returns how many bytes each of them gets.
    pub fn push(&self, event: &Published) -> usize {
        let text = format!("id: {}\ndata: {}\n\n", event.seq, event.json());
        let message = StreamMessage {
            seq: event.seq,
            board: Some(event.event.board.clone()),
            kind: event.event.kind.name(),
            audience: Audience::Others,
            text: text.into(),
        };
        let length = message.text.len();
        self.keep(Arc::new(message));
        length
    }

    /// Returns whether pages that show the hall listen.
    fn has_pages(&self) -> bool {
        Arc::strong_count(&self.pages) > 1
    }

    /// Sends pages what has changed of a board.
    fn push_patch(&self, seq: u64, board: BoardId, kind: &'static str, patch: &[u8]) {
        let (audience, text) = (Audience::Pages, patch_text(seq, patch));
        let message = StreamMessage { seq, board: Some(board), kind, audience, text };
        self.live.send(Arc::new(message)).unwrap_or_default();
    }

    /// Sends what is no event to the clients that ask for it; whoever comes later reads it first.
    pub(super) fn report(&self, attention: &[u8]) {
        let past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        let text = attention_text(attention);
        let audience = Audience::All;
        let message = StreamMessage { seq: past.last, board: None, kind: ATTENTION, audience, text };
        self.live.send(Arc::new(message)).unwrap_or_default();
    }

    /// Lets a client in that wants to hear what comes after an event, or from here on; `None` if there are too many.
    /// Has to be called within a runtime.
    #[must_use]
    pub fn admit(
        &self,
        filter: EventFilter,
        after: Option<u64>,
        shutdown: &CancellationToken,
    ) -> Option<Client> {
        let permit = self.clients.clone().try_acquire_owned().ok()?;
        let (missed, live) = self.subscribe(after, filter.hall);
        let page = filter.hall.then(|| self.pages.clone());
        let mut signs = interval(SIGN);
        // The greeting is a sign, too.
        signs.reset();
        signs.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let shutdown = shutdown.clone();
        Some(Client { greeted: false, missed, live, filter, signs, shutdown, _permit: permit, _page: page })
    }

    /// Asks all clients to read everything anew.
    fn reset(&self, seq: u64) {
        let mut past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        *past = Past { before: seq, last: seq, begin: seq, ..Past::default() };
        // Nobody may be there.
        self.live.send(Arc::new(reset(seq, Audience::All))).unwrap_or_default();
    }

    /// Asks clients that are no pages to read everything anew: what has changed up to a number, pages have heard.
    fn reset_others(&self, seq: u64) {
        let mut past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        *past = Past { before: seq, last: seq, begin: past.begin, ..Past::default() };
        self.live.send(Arc::new(reset(seq, Audience::Others))).unwrap_or_default();
    }

    fn keep(&self, message: Arc<StreamMessage>) {
        let mut past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        past.bytes += message.text.len();
        past.last = message.seq;
        past.messages.push_back(message.clone());
        while past.bytes > KEPT
            && let Some(oldest) = past.messages.pop_front()
        {
            past.bytes -= oldest.text.len();
            past.before = oldest.seq;
        }
        // Sent while nobody can begin to listen, so that nobody gets it twice or not at all.
        self.live.send(message).unwrap_or_default();
    }

    /// Begins to listen after an event, or from here on; pages read what they have missed from the view.
    fn subscribe(
        &self,
        after: Option<u64>,
        is_page: bool,
    ) -> (VecDeque<Arc<StreamMessage>>, broadcast::Receiver<Arc<StreamMessage>>) {
        let past = self.past.lock().unwrap_or_else(PoisonError::into_inner);
        let live = self.live.subscribe();
        let missed = match after {
            None => VecDeque::new(),
            Some(after) if is_page && (past.begin..=past.last).contains(&after) => VecDeque::new(),
            Some(after) if after < past.before || after > past.last => {
                [Arc::new(reset(past.last, Audience::All))].into()
            }
            Some(after) => past.messages.iter().filter(|message| message.seq > after).cloned().collect(),
        };
        (missed, live)
    }
}

/// Writes what is no event: it has no number.
fn attention_text(attention: &[u8]) -> Bytes {
    [b"event: attention\ndata: ", attention, b"\n\n"].concat().into()
}

/// Writes what has changed of a board.
fn patch_text(seq: u64, patch: &[u8]) -> Bytes {
    let head = format!("event: {BOARD}\nid: {seq}\ndata: ");
    [head.as_bytes(), patch, b"\n\n"].concat().into()
}

fn reset(seq: u64, audience: Audience) -> StreamMessage {
    let text = format!("event: reset\nid: {seq}\ndata: {{\"seq\":{seq}}}\n\n");
    StreamMessage { seq, board: None, kind: "reset", audience, text: text.into() }
}

/// What a client wants to hear.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct EventFilter {
    /// Serial numbers, separated by commas; all boards without it.
    board: Option<String>,
    /// Kinds of events, separated by commas; all kinds without it.
    events: Option<String>,
    /// Whether the client wants to hear what arbiters announce to each other.
    attention: bool,
    /// Whether the client wants to hear what changes in the hall, in place of the events themselves.
    hall: bool,
    /// The last event that is known, for a client that has just read the hall.
    after: Option<u64>,
}

impl EventFilter {
    fn wants(&self, message: &StreamMessage) -> bool {
        let listed = |list: &Option<String>, word: &str| {
            list.as_ref().is_none_or(|list| list.split(',').any(|item| item.trim() == word))
        };
        let is_for = match message.audience {
            Audience::All => true,
            Audience::Pages => self.hall,
            Audience::Others => !self.hall,
        };
        let is_wished = match &message.board {
            None => self.attention || message.kind != ATTENTION,
            Some(board) => listed(&self.board, board) && listed(&self.events, message.kind),
        };
        is_for && is_wished
    }
}

/// `GET /api/events`.
pub(super) async fn events(
    State(app): State<App>,
    Extension(peer): Extension<Peer>,
    Query(filter): Query<EventFilter>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let reported = headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let after = reported.or(filter.after);
    let (wants_attention, wants_hall) = (filter.attention, filter.hall);
    let client = app.feed().admit(filter, after, app.shutdown()).ok_or_else(|| ApiError {
        retry_after: Some(10),
        ..ApiError::new(StatusCode::SERVICE_UNAVAILABLE, format!("{MOST} clients listen already"))
    })?;
    // Whoever is signed out hears nothing from then on.
    let session = app.sessions().find(&headers);
    // However fast events come, this goes on: it may have to wait for a file.
    let shut_out = Box::pin(Reader::new(&app, peer, &headers).shut_out());
    // Read after the client was let in, so that no change is missed.
    let mut first: Vec<Bytes> = Vec::new();
    if let Some(after) = after.filter(|_| wants_hall) {
        let (seq, boards) = app.daemon().view().read();
        let patches = patches::since(after, seq, &boards, &app.config());
        first.extend(patches.iter().map(|patch| patch_text(seq, patch)));
    }
    if wants_attention {
        first.push(attention_text(&attention::snapshot(&app)));
    }
    let rest =
        stream::unfold((client, session, shut_out, app), |(mut client, session, mut shut_out, app)| async {
            let ended = async {
                match &session {
                    Some(session) => app.sessions().ended(session).await,
                    None => future::pending().await,
                }
            };
            let chunk = select! {
                chunk = client.next() => chunk?,
                () = ended => return None,
                () = &mut shut_out => return None,
            };
            Some((Ok::<_, Infallible>(chunk), (client, session, shut_out, app)))
        });
    let stream = stream::iter(first.into_iter().map(Ok)).chain(rest);
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // A proxy is not to collect events before it passes them on.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Body::from_stream(stream)).into_response())
}

/// One client's place in the stream.
#[derive(Debug)]
pub struct Client {
    greeted: bool,
    missed: VecDeque<Arc<StreamMessage>>,
    live: broadcast::Receiver<Arc<StreamMessage>>,
    filter: EventFilter,
    signs: Interval,
    shutdown: CancellationToken,
    _permit: OwnedSemaphorePermit,
    _page: Option<Arc<()>>,
}

impl Client {
    /// Returns what to write next; `None` ends the stream, and the client comes back.
    pub async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.greeted, true) {
            return Some(Bytes::from_static(GREETING));
        }
        let mut chunk = Vec::new();
        while let Some(message) = self.missed.pop_front() {
            self.append_wanted(&message, &mut chunk);
            if chunk.len() >= CHUNK {
                return Some(chunk.into());
            }
        }
        while chunk.is_empty() {
            select! {
                received = self.live.recv() => match received {
                    Ok(message) => self.append_wanted(&message, &mut chunk),
                    Err(RecvError::Lagged(missed)) => {
                        debug!(missed, "a client is too slow for the event stream and is cut off");
                        return None;
                    }
                    Err(RecvError::Closed) => return None,
                },
                _ = self.signs.tick() => return Some(Bytes::from_static(b":\n\n")),
                () = self.shutdown.cancelled() => return None,
            }
        }
        while chunk.len() < CHUNK {
            match self.live.try_recv() {
                Ok(message) => self.append_wanted(&message, &mut chunk),
                // Reported at the next turn.
                Err(TryRecvError::Empty | TryRecvError::Closed | TryRecvError::Lagged(_)) => break,
            }
        }
        Some(chunk.into())
    }

    fn append_wanted(&self, message: &StreamMessage, chunk: &mut Vec<u8>) {
        if self.filter.wants(message) {
            chunk.extend_from_slice(&message.text);
        }
    }
}

#[cfg(test)]
mod tests;
