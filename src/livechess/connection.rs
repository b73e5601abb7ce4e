//! One WebSocket: calls in, answers and news out.
//!
//! News are not queued: at every look a client is sent how each of its boards stands by then. So a client that reads
//! slowly misses what was in between, costs no memory, and is cut off if it takes nothing at all; one that asks too
//! much waits.

use std::{sync::Arc, time::Duration};

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use serde_json::Value;
use tokio::{
    select,
    time::{MissedTickBehavior, interval, timeout},
};
use tracing::debug;

use super::{
    App,
    feed::Feed,
    message::{self, Call, Refused},
    places::Place,
    shapes,
};

/// How often boards are looked at.
const LOOK: Duration = Duration::from_millis(80);

/// Messages that are answered between two looks.
const BURST: u32 = 16;

/// Longest message that is read, bytes; a call is shorter by far.
const LONGEST: usize = 16 * 1024;

/// Feeds of one connection.
const MOST_FEEDS: usize = 512;

/// How long a client may take to take a message.
const STALLED: Duration = Duration::from_secs(10);

/// The client is gone, or takes nothing.
struct Gone;

/// A client and what it listens to.
struct Connection {
    socket: WebSocket,
    session: ClientState,
    /// Whether it comes from this machine; others hear nothing while games are delayed.
    is_from_here: bool,
}

/// What a client has asked for so far.
pub(super) struct ClientState {
    app: App,
    only: Option<Arc<str>>,
    feeds: Vec<Feed>,
}

/// Talks to a client until it leaves or the program ends; `only` is the one board that it may know of.
pub(super) async fn connection(
    socket: WebSocket,
    app: App,
    place: Place,
    is_from_here: bool,
    only: Option<Arc<str>>,
) {
    let shutdown = app.shutdown().clone();
    let mut connection = Connection { socket, session: ClientState::new(app, only), is_from_here };
    select! {
        _ = connection.run(&place) => debug!("a client has left"),
        () = place.lost() => connection.close(close_code::AGAIN, "others need the place").await,
        () = shutdown.cancelled() => connection.close(close_code::AWAY, "the program ends").await,
    }
}

impl Connection {
    async fn close(&mut self, code: u16, reason: &'static str) {
        let reason = CloseFrame { code, reason: reason.into() };
        if timeout(LOOK, self.socket.send(Message::Close(Some(reason)))).await.is_err() {
            debug!("a client does not take the closing message");
        }
    }

    async fn run(&mut self, place: &Place) -> Result<(), Gone> {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut left = BURST;
        loop {
            select! {
                message = self.socket.recv(), if left > 0 => {
                    left -= 1;
                    let message = message.ok_or(Gone)?.map_err(|_| Gone)?;
                    if self.is_shut_out() {
                        return Err(Gone);
                    }
                    let answers = self.session.handle_message(message);
                    place.note(self.session.is_listening());
                    for answer in answers {
                        self.send(answer).await?;
                    }
                }
                _ = looks.tick() => {
                    if self.is_shut_out() {
                        return Err(Gone);
                    }
                    left = BURST;
                    for news in self.session.poll() {
                        self.send(news).await?;
                    }
                }
            }
        }
    }

    /// Returns whether it was let in before a delay was set.
    fn is_shut_out(&self) -> bool {
        !self.is_from_here && self.session.app.config().has_delay()
    }

    async fn send(&mut self, text: String) -> Result<(), Gone> {
        match timeout(STALLED, self.socket.send(Message::Text(text.into()))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(Gone),
            Err(_) => {
                tracing::warn!("a client of the LiveChess interface takes nothing; it is cut off");
                Err(Gone)
            }
        }
    }
}

impl ClientState {
    pub(super) const fn new(app: App, only: Option<Arc<str>>) -> Self {
        Self { app, only, feeds: Vec::new() }
    }

    /// Returns whether it listens to a board.
    const fn is_listening(&self) -> bool {
        !self.feeds.is_empty()
    }

    /// Handles a message and returns what to answer.
    fn handle_message(&mut self, message: Message) -> Vec<String> {
        match message {
            Message::Text(text) => self.answer(&text),
            Message::Binary(_) => vec![self.refuse(&Value::from(0), &"messages are text".into())],
            // The library answers these itself.
            Message::Ping(_) | Message::Pong(_) | Message::Close(_) => Vec::new(),
        }
    }

    /// Handles a text and returns what to answer: one message, and what a new feed begins with.
    pub(super) fn answer(&mut self, text: &str) -> Vec<String> {
        if text.len() > LONGEST {
            let reason = format!("the message has {} bytes, more than {LONGEST}", text.len());
            return vec![self.refuse(&Value::from(0), &reason.into())];
        }
        let Call { id, name, param } = match Call::parse(text) {
            Ok(call) => call,
            Err((id, refused)) => return vec![self.refuse(&id, &refused)],
        };
        let time = self.app.unix_ms();
        let done = match name.as_str() {
            "eboards" => Ok(message::answer(&id, self.eboards(), time)),
            "sources" => Ok(message::answer(&id, self.sources(), time)),
            "subscribe" => self.subscribe(&param).map(|()| message::answer(&id, Value::Null, time)),
            "unsubscribe" => self.unsubscribe(&param).map(|()| message::answer(&id, Value::Null, time)),
            "call" => self.call(&param).map(|()| message::answer(&id, Value::Null, time)),
            other => Err(format!(
                "unknown call '{other}'; there are eboards, sources, subscribe, unsubscribe and call"
            )
            .into()),
        };
        match done {
            Ok(answer) => {
                let mut answers = vec![answer];
                // What was asked for follows its answer at once.
                if matches!(name.as_str(), "subscribe" | "call") {
                    answers.extend(self.poll());
                }
                answers
            }
            Err(refused) => vec![self.refuse(&id, &refused)],
        }
    }

    /// Returns what is new on the boards that the client listens to.
    pub(super) fn poll(&mut self) -> Vec<String> {
        let mut news = Vec::new();
        let time = self.app.unix_ms();
        for feed in &mut self.feeds {
            let Some(view) = self.app.view().board(&feed.board) else { continue };
            news.extend(feed.news(&view).map(|reported| message::feed(&feed.id, reported, time)));
        }
        news
    }

    fn refuse(&self, id: &Value, refused: &Refused) -> String {
        message::error(id, refused, self.app.unix_ms())
    }

    fn eboards(&self) -> Vec<shapes::EBoard> {
        shapes::eboards(&self.app.view().read().1, &self.app.config(), self.only.as_deref())
    }

    fn sources(&self) -> Vec<shapes::Source> {
        let (_, mut boards) = self.app.view().read();
        if let Some(only) = &self.only {
            boards.retain(|name, _| name == only);
        }
        shapes::sources(&boards)
    }

    fn subscribe(&mut self, param: &Value) -> Result<(), Refused> {
        match param.get("feed").and_then(Value::as_str) {
            Some("eboardevent") => {}
            Some(other) => return Err(format!("unknown feed '{other}'; there is eboardevent").into()),
            None => return Err("subscribe needs param.feed, the name of a feed".into()),
        }
        let id = feed_id(param)?;
        let serial = param.get("param").and_then(|param| param.get("serialnr"));
        let serial = serial.and_then(Value::as_str).ok_or("subscribe needs param.param.serialnr, a text")?;
        let board = self.find(serial)?;
        self.feeds.retain(|feed| feed.id != id || feed.board != board);
        if self.feeds.iter().any(|feed| feed.id == id) {
            return Err(format!("feed {id} is open for another board; take another id or unsubscribe").into());
        }
        if self.feeds.len() >= MOST_FEEDS {
            return Err(format!("there are {MOST_FEEDS} feeds already; unsubscribe some").into());
        }
        self.feeds.push(Feed::new(id, board));
        Ok(())
    }

    fn unsubscribe(&mut self, param: &Value) -> Result<(), Refused> {
        let id = feed_id(param)?;
        let before = self.feeds.len();
        self.feeds.retain(|feed| feed.id != id);
        if self.feeds.len() == before { Err(format!("there is no feed {id}").into()) } else { Ok(()) }
    }

    fn call(&mut self, param: &Value) -> Result<(), Refused> {
        let id = feed_id(param)?;
        let method = param.get("method").and_then(Value::as_str).ok_or("call needs param.method, a text")?;
        let feed = self.feeds.iter_mut().find(|feed| feed.id == id);
        let feed = feed.ok_or_else(|| format!("there is no feed {id}; subscribe first"))?;
        feed.call(method, param.get("param").unwrap_or(&Value::Null))
    }

    fn find(&self, serial: &str) -> Result<Arc<str>, Refused> {
        let known = self.app.find(serial).filter(|name| self.only.as_ref().is_none_or(|only| only == name));
        known.ok_or_else(|| format!("there is no board {serial}").into())
    }
}

fn feed_id(param: &Value) -> Result<Value, Refused> {
    let id = param.get("id").cloned().and_then(message::echo);
    id.ok_or_else(|| "param.id, the number of the feed, is missing".into())
}
