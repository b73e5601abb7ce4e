//! Owns the orders that come in from the broker: read, carried out one after the other, answered once.
//!
//! Who may send them is the broker's to say; here they are bounded. The broker may deliver an order twice, so each has
//! a transaction of its sender's choice, and a transaction is carried out once.

use std::collections::VecDeque;

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tracing::{debug, info, warn};

use super::topics::Topics;
use crate::{
    audit::{self, Place},
    config::topic_level,
    service::DaemonHandle,
    view::View,
};
use jadoube_core::{
    event::BoardId,
    order::{CarriedOut, Order, OrderError},
    printable::is_seen,
    settings::check_addressee,
};
use jadoube_runtime::clock::SystemClock;

/// Longest order, bytes.
const LONGEST: usize = 4096;

/// Longest transaction, bytes.
const LONGEST_TRANSACTION: usize = 128;

/// Longest name of whoever gives an order, characters.
const LONGEST_NAME: usize = 64;

/// Orders that wait for the one before them.
const MOST_WAITING: usize = 32;

/// Answers that wait to be sent, and answers that are remembered.
const MOST_ANSWERS: usize = 256;

/// An order that waits.
#[derive(Debug)]
struct Command {
    level: String,
    board: BoardId,
    transaction: String,
    order: Order,
    by: Option<String>,
}

/// An answer, and whose.
#[derive(Clone, Debug, Eq, PartialEq)]
struct OrderAnswer {
    level: String,
    transaction: String,
    payload: Vec<u8>,
}

/// The orders that come in.
#[derive(Debug)]
pub(crate) struct Commands {
    daemon: DaemonHandle,
    /// Where the audit list is.
    place: Place,
    waiting: VecDeque<Command>,
    running: JoinSet<(Command, Result<CarriedOut, OrderError>)>,
    current: Option<(String, String)>,
    answered: VecDeque<OrderAnswer>,
    replies: VecDeque<OrderAnswer>,
    ignored: u64,
}

impl Commands {
    /// Begins without orders.
    pub(crate) fn new(daemon: DaemonHandle, place: Place) -> Self {
        Self {
            daemon,
            place,
            waiting: VecDeque::new(),
            running: JoinSet::new(),
            current: None,
            answered: VecDeque::new(),
            replies: VecDeque::new(),
            ignored: 0,
        }
    }

    /// Handles a message that came in; an answer follows unless nobody could be answered.
    pub(crate) fn handle_message(&mut self, topics: &Topics, topic: &str, payload: &[u8], retained: bool) {
        let Some(level) = topics.commanded(topic).filter(|_| !retained && payload.len() <= LONGEST) else {
            return self.ignore(topic);
        };
        let Some((transaction, parsed)) = parse(payload) else { return self.ignore(topic) };
        let is = |answer: &OrderAnswer| answer.level == level && answer.transaction == transaction;
        if let Some(answer) = self.answered.iter().find(|answer| is(answer)) {
            let answer = answer.clone();
            return self.reply(answer);
        }
        let waits = |command: &Command| command.level == level && command.transaction == transaction;
        let runs = self.current.as_ref().is_some_and(|(at, running)| at == level && *running == transaction);
        if runs || self.waiting.iter().any(waits) {
            return;
        }
        let outcome = parsed.and_then(|Given { order, by, named }| {
            let board = find(self.daemon.view(), level);
            let board = board.ok_or_else(|| OrderError::Refused(format!("there is no board {level}")))?;
            check_addressee(named.as_deref(), &board).map_err(OrderError::Refused)?;
            if self.waiting.len() >= MOST_WAITING {
                return Err(OrderError::Refused("too many orders at a time; send it again".to_owned()));
            }
            Ok(Command { level: level.to_owned(), board, transaction: transaction.clone(), order, by })
        });
        match outcome {
            Ok(command) => self.waiting.push_back(command),
            // Not remembered: a refusal may be tried again.
            Err(error) => {
                let payload = answer(level, &transaction, &Err(error));
                self.reply(OrderAnswer { level: level.to_owned(), transaction, payload });
            }
        }
        self.run();
    }

    /// Waits until an order has been carried out; for ever if there is none. May be dropped and called again.
    pub(crate) async fn done(&mut self) {
        let Some(joined) = self.running.join_next().await else { return std::future::pending().await };
        self.current = None;
        match joined {
            Ok((command, outcome)) => self.settle(command, &outcome),
            Err(error) => warn!(%error, "an order from the broker has failed"),
        }
        self.run();
    }

    /// Returns the next answer: topic and payload.
    pub(crate) fn next_reply(&mut self, topics: &Topics) -> Option<(String, Vec<u8>)> {
        self.replies.pop_front().map(|answer| (topics.reply(&answer.level), answer.payload))
    }

    fn run(&mut self) {
        if !self.running.is_empty() {
            return;
        }
        let Some(command) = self.waiting.pop_front() else { return };
        self.current = Some((command.level.clone(), command.transaction.clone()));
        let (daemon, place) = (self.daemon.clone(), self.place.clone());
        self.running.spawn(async move {
            let by = command.by.as_deref().unwrap_or_default();
            let board = daemon.view().board(&command.board);
            let alert = command.order.alert().and_then(|id| board.as_ref()?.alerts.get(id));
            let code = alert.map(|alert| alert.code.name());
            let side = alert.and_then(|alert| alert.fields.text("side"));
            let now = SystemClock::start().started();
            let mut entry = audit::OrderRecord {
                at: now,
                given: now,
                claimed: command.by.is_some(),
                arbiter: command.by.clone(),
                address: None,
                board: command.board.to_string(),
                order: written(&command.order),
                refused: None,
                id: None,
                about: audit::About { code, side, ..audit::About::default() },
            };
            let pending = daemon.audit().begin(place.clone(), &entry).await;
            let outcome = daemon.order(&command.board, command.order.clone(), by).await;
            entry.at = SystemClock::start().started();
            entry.refused = outcome.as_ref().err().map(ToString::to_string);
            entry.id = outcome.as_ref().ok().map(|done| done.id.clone()).filter(|id| !id.is_empty());
            pending.finish(place, entry).await;
            (command, outcome)
        });
    }

    fn settle(&mut self, command: Command, outcome: &Result<CarriedOut, OrderError>) {
        let Command { level, board, transaction, order, by } = command;
        info!(%board, ?order, by, transaction, ?outcome, "order from the broker");
        let payload = answer(&level, &transaction, outcome);
        let answer = OrderAnswer { level, transaction, payload };
        if outcome.is_ok() {
            if self.answered.len() >= MOST_ANSWERS {
                self.answered.pop_front();
            }
            self.answered.push_back(answer.clone());
        }
        self.reply(answer);
    }

    fn reply(&mut self, answer: OrderAnswer) {
        if self.replies.len() < MOST_ANSWERS {
            self.replies.push_back(answer);
        } else {
            debug!("answers pile up; one is not sent");
        }
    }

    /// Counts what is no order; the first one is reported.
    fn ignore(&mut self, topic: &str) {
        self.ignored += 1;
        if self.ignored == 1 {
            let topic: String = topic.chars().take(100).collect();
            warn!(
                topic,
                "a message that is no order is ignored, and all others like it; expected cmd/SERIAL with \
                 {{\"transaction\": …, \"order\": …}}, not retained"
            );
        }
    }
}

/// What is ordered, who says so, and which board the order names, if it does.
struct Given {
    order: Order,
    by: Option<String>,
    named: Option<String>,
}

/// Returns the transaction and the order, or what is wrong with that; `None` if nobody could be answered.
fn parse(payload: &[u8]) -> Option<(String, Result<Given, OrderError>)> {
    let Ok(Value::Object(mut fields)) = serde_json::from_slice(payload) else { return None };
    let Some(Value::String(transaction)) = fields.remove("transaction") else { return None };
    if transaction.is_empty() || transaction.len() > LONGEST_TRANSACTION {
        return None;
    }
    let by = fields.remove("by").and_then(|by| by.as_str().map(printable)).filter(|by| !by.is_empty());
    let named = fields.get("board").and_then(Value::as_str).map(str::to_owned);
    let order = Order::parse(&Value::Object(fields).to_string()).and_then(|order| {
        if order.is_internal() {
            return Err(OrderError::Refused("nobody may enter this".to_owned()));
        }
        Ok(Given { order, by, named })
    });
    Some((transaction, order))
}

/// Returns an order as the list of orders has it, with the game that it names.
fn written(order: &Order) -> Value {
    order.json().ok().and_then(|json| serde_json::from_str(&json).ok()).unwrap_or_default()
}

fn printable(text: &str) -> String {
    text.chars().filter(|sign| is_seen(*sign)).take(LONGEST_NAME).collect::<String>().trim().to_owned()
}

fn find(view: &View, wanted: &str) -> Option<BoardId> {
    if let Some(board) = view.board(wanted) {
        return Some(board.name.clone());
    }
    view.read().1.into_keys().find(|name| topic_level(name) == wanted)
}

fn answer(board: &str, transaction: &str, outcome: &Result<CarriedOut, OrderError>) -> Vec<u8> {
    let answer = match outcome {
        Ok(done) => {
            let mut answer = json!({"transaction": transaction, "board": board, "ok": true, "id": done.id});
            if let (Some(text), Some(fields)) = (&done.text, answer.as_object_mut()) {
                fields.insert("text".to_owned(), text.as_str().into());
            }
            answer
        }
        Err(error) => {
            json!({"transaction": transaction, "board": board, "ok": false, "reason": error.to_string()})
        }
    };
    answer.to_string().into_bytes()
}

#[cfg(test)]
mod tests;
