//! Owns the topics that the broker keeps: what they should hold, what they hold, and which of them have to go.
//!
//! State is made anew from the view and compared with what was sent, so that nothing depends on having seen every
//! event. A topic is noted on disk before it is sent (see [`notes`](super::notes)): whatever happens to this process, the
//! next one takes it back.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    hash::{DefaultHasher, Hash, Hasher},
};

use serde::Serialize;
use serde_json::{Map, Value, json};
use shakmaty::Color;

use super::topics::Topics;
use crate::{
    config::Config,
    view::{BoardView, Boards, ClockView, GameView},
};
use jadoube_core::event::BoardId;

/// How many topics that nobody has noted are taken back over one connection.
const MOST_FOUND: usize = 1 << 13;

/// How many topics there may be at most for further ones to be taken back: a broker that never takes one back is not to fill memory and
/// disk.
const MOST_KNOWN: usize = 1 << 15;

/// The topics that the broker keeps.
#[derive(Debug)]
pub(crate) struct Retained {
    topics: Topics,
    /// What goes out before everything else.
    first: VecDeque<(String, Vec<u8>)>,
    /// What goes out next; the newest state wins.
    outbox: BTreeMap<String, Vec<u8>>,
    /// What the broker has, as far as it was sent on this connection.
    sent: HashMap<String, u64>,
    /// Topics that are or may be at the broker.
    known: BTreeSet<String>,
    /// Topics that belong to no board.
    own: BTreeSet<String>,
    /// The topics of each board as they should be, and which of its events they show.
    boards: BTreeMap<BoardId, Shown>,
    /// Whether `known` has grown since it was last asked for.
    grown: bool,
    /// How many topics the broker had, on this connection, that nobody has noted.
    found: usize,
}

/// What is shown of a board.
#[derive(Debug, Default)]
struct Shown {
    seq: u64,
    updated: Option<jiff::Timestamp>,
    topics: BTreeSet<String>,
    alerts: BTreeSet<String>,
    game: Option<GameSign>,
}

/// Returns whether a game has changed, without writing it out.
type GameSign = (u32, usize, Option<(jiff::Timestamp, bool)>, Option<&'static str>);

/// The state of a board as a topic holds it.
#[derive(Serialize)]
struct BoardState<'a> {
    board: &'a str,
    serial: Option<&'a str>,
    port: &'a str,
    version: Option<&'a str>,
    rotated: bool,
    battery: Option<u8>,
    link: &'static str,
    table: Option<u32>,
    white: &'a str,
    black: &'a str,
    placement: String,
    fen: Option<&'a str>,
    game: Option<u32>,
    ply: u32,
    result: Option<&'static str>,
    clock: Option<&'a ClockView>,
    alerts: usize,
    updated: Option<jiff::Timestamp>,
}

impl Retained {
    /// Begins with the topics that an earlier process may have left at the broker.
    pub(crate) fn new(topics: Topics, known: BTreeSet<String>) -> Self {
        Self {
            topics,
            first: VecDeque::new(),
            outbox: BTreeMap::new(),
            sent: HashMap::new(),
            known,
            own: BTreeSet::new(),
            boards: BTreeMap::new(),
            grown: false,
            found: 0,
        }
    }

    /// Notes that the broker keeps a topic of ours: unless it belongs to a board, it goes as if it had been noted. Returns whether it
    /// was not, which is so for [`MOST_FOUND`] on a connection; others wait for the next one.
    pub(crate) fn note_found(&mut self, topic: String) -> bool {
        let has_room = self.found < MOST_FOUND && self.known.len() < MOST_KNOWN;
        let is_new = has_room && self.known.insert(topic);
        self.found += usize::from(is_new);
        is_new
    }

    /// Forgets what was sent: a new connection gets everything.
    pub(crate) fn restart(&mut self) {
        self.sent.clear();
        self.outbox.clear();
        self.first.clear();
        self.found = 0;
        self.show_again();
    }

    /// Makes every board's state anew at the next look.
    pub(crate) fn show_again(&mut self) {
        for shown in self.boards.values_mut() {
            (shown.seq, shown.updated, shown.game) = (u64::MAX, None, None);
        }
    }

    /// Looks at all boards; with `orphans`, topics that belong to none of them are taken back.
    pub(crate) fn update(&mut self, boards: &Boards, config: &Config, orphans: bool) {
        for (name, board) in boards {
            if self.has_changed(name, board) {
                self.show(name, board, config);
            }
        }
        let gone: Vec<BoardId> =
            self.boards.keys().filter(|name| !boards.contains_key(*name)).cloned().collect();
        for name in gone {
            let shown = self.boards.remove(&name).unwrap_or_default();
            self.remove_topics(shown.topics);
            self.remove_topics(shown.alerts);
        }
        if orphans {
            let of_boards = self.boards.values().flat_map(|shown| shown.topics.iter().chain(&shown.alerts));
            let wanted: BTreeSet<&String> = of_boards.chain(&self.own).collect();
            let orphans = self.known.iter().filter(|topic| !wanted.contains(topic)).cloned().collect();
            self.remove_topics(orphans);
        }
    }

    /// Looks for alerts that have come or gone, and leaves everything else for the next look.
    pub(crate) fn update_alerts(&mut self, boards: &Boards, config: &Config) {
        for (name, board) in boards {
            if self.has_changed(name, board) {
                let mut shown = self.boards.remove(name).unwrap_or_default();
                self.show_alerts(&mut shown, board, config);
                self.boards.insert(name.clone(), shown);
            }
        }
    }

    fn has_changed(&self, name: &BoardId, board: &BoardView) -> bool {
        let shown = self.boards.get(name);
        shown.is_none_or(|shown| shown.seq != board.seq || shown.updated != board.updated)
    }

    /// Sets a topic that belongs to no board; it goes out before all others.
    pub(crate) fn set(&mut self, topic: &str, payload: Vec<u8>) {
        self.own.insert(topic.to_owned());
        self.put(topic.to_owned(), payload);
        self.first.extend(self.outbox.remove_entry(topic));
    }

    /// Returns whether topics were added since the last call.
    pub(crate) const fn has_grown(&mut self) -> bool {
        std::mem::replace(&mut self.grown, false)
    }

    /// Returns the topics that may be at the broker.
    pub(crate) const fn known(&self) -> &BTreeSet<String> {
        &self.known
    }

    /// Returns the next message; no payload clears a topic.
    pub(crate) fn next(&mut self) -> Option<(String, Vec<u8>)> {
        let (topic, payload) = self.first.pop_front().or_else(|| self.outbox.pop_first())?;
        if payload.is_empty() {
            self.sent.remove(&topic);
        } else {
            self.sent.insert(topic.clone(), hash(&payload));
        }
        Some((topic, payload))
    }

    /// Puts a message back that could not go out.
    pub(crate) fn put_back(&mut self, topic: String, payload: Vec<u8>) {
        self.sent.remove(&topic);
        self.outbox.entry(topic).or_insert(payload);
    }

    /// Notes that the broker has taken a topic back.
    pub(crate) fn note_removed(&mut self, topic: &str) {
        if !self.sent.contains_key(topic) && !self.outbox.contains_key(topic) {
            self.known.remove(topic);
        }
    }

    fn show(&mut self, name: &BoardId, board: &BoardView, config: &Config) {
        let mut shown = self.boards.remove(name).unwrap_or_default();
        (shown.seq, shown.updated) = (board.seq, board.updated);
        let mut topics = BTreeSet::new();
        let availability = if board.up { "online" } else { "offline" };
        let topic = self.topics.board(name, "availability");
        topics.insert(topic.clone());
        self.put(topic, availability.into());
        let topic = self.topics.board(name, "state");
        topics.insert(topic.clone());
        self.put(topic, state(board, config));
        if let Some(game) = &board.game {
            let topic = self.topics.board(name, "game");
            topics.insert(topic.clone());
            let last = game.moves.last().map(|last| (last.at, last.completed));
            let sign = (game.number, game.moves.len(), last, game.result);
            if shown.game.replace(sign) != Some(sign) {
                self.put(topic, serde_json::to_vec(game).unwrap_or_default());
            }
        }
        let over = shown.topics.difference(&topics).cloned().collect();
        self.remove_topics(over);
        shown.topics = topics;
        self.show_alerts(&mut shown, board, config);
        self.boards.insert(name.clone(), shown);
    }

    fn show_alerts(&mut self, shown: &mut Shown, board: &BoardView, config: &Config) {
        let mut topics = BTreeSet::new();
        for (id, alert) in board.open_alerts() {
            let topic = self.topics.alert(id);
            topics.insert(topic.clone());
            let Ok(Value::Object(mut fields)) = serde_json::to_value(alert) else { continue };
            fields.extend(place(board, config));
            self.put(topic, serde_json::to_vec(&fields).unwrap_or_default());
        }
        let over = shown.alerts.difference(&topics).cloned().collect();
        self.remove_topics(over);
        shown.alerts = topics;
    }

    fn put(&mut self, topic: String, payload: Vec<u8>) {
        if self.sent.get(&topic) == Some(&hash(&payload)) {
            self.outbox.remove(&topic);
            return;
        }
        if !self.known.contains(&topic) {
            self.known.insert(topic.clone());
            self.grown = true;
        }
        self.outbox.insert(topic, payload);
    }

    fn remove_topics(&mut self, topics: BTreeSet<String>) {
        self.outbox.extend(topics.into_iter().map(|topic| (topic, Vec::new())));
    }
}

fn state(board: &BoardView, config: &Config) -> Vec<u8> {
    let table = config.table(&board.name);
    let state = BoardState {
        board: &board.name,
        serial: board.serial.as_deref(),
        port: &board.port,
        version: board.version.as_deref(),
        rotated: board.rotated,
        battery: board.battery,
        link: if board.up { "up" } else { "down" },
        table: table.and_then(|table| table.number),
        white: table.map_or("", |table| table.name(Color::White)),
        black: table.map_or("", |table| table.name(Color::Black)),
        placement: board.squares.board_fen().to_string(),
        fen: board.game.as_ref().map(GameView::fen),
        game: board.game.as_ref().map(|game| game.number),
        ply: board.ply(),
        result: board.game.as_ref().and_then(|game| game.result),
        clock: board.clock.as_ref(),
        alerts: board.open_alerts().count(),
        updated: board.updated,
    };
    serde_json::to_vec(&state).unwrap_or_default()
}

/// Says where an alert is to be looked after.
fn place(board: &BoardView, config: &Config) -> Map<String, Value> {
    let mut fields = Map::from_iter([("board".to_owned(), json!(*board.name))]);
    if let Some(table) = config.table(&board.name) {
        fields.insert("table".to_owned(), json!(table.number));
        fields.insert("white".to_owned(), json!(table.white));
        fields.insert("black".to_owned(), json!(table.black));
    }
    fields
}

fn hash(payload: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    payload.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests;
