//! Owns orders on their way to a hall, until the daemon there has answered.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::sync::oneshot;
use tracing::{debug, info};

use crate::{config::topic_level, service::BoardOrder};
use jadoube_core::order::{CarriedOut, Order, OrderError};

/// Seconds that a daemon has to answer.
const PATIENCE: u32 = 5;

/// Orders that wait for an answer.
const MOST: usize = 256;

struct PendingOrder {
    reply: oneshot::Sender<Result<CarriedOut, OrderError>>,
    left: u32,
}

/// Orders on their way.
pub(super) struct Orders {
    /// What the transactions of this process begin with.
    prefix: String,
    count: u64,
    waiting: BTreeMap<String, PendingOrder>,
}

impl Orders {
    pub(super) fn new(started: jiff::Timestamp) -> Self {
        Self { prefix: format!("hub-{}", started.as_millisecond()), count: 0, waiting: BTreeMap::new() }
    }

    /// Sends an order to the daemon whose topics begin with `root`.
    pub(super) fn send(
        &mut self,
        order: BoardOrder,
        root: Option<String>,
        publish: impl FnOnce(&str, Vec<u8>) -> bool,
    ) {
        let BoardOrder { board, order, by, reply } = order;
        self.count += 1;
        let transaction = format!("{}-{}", self.prefix, self.count);
        let sent = match (root, fields(&order)) {
            (None, _) => Err(format!("there is no board {board}")),
            (Some(_), Err(error)) => Err(error),
            (Some(_), Ok(_)) if self.waiting.len() >= MOST => {
                Err("too many orders at a time; send it again".to_owned())
            }
            (Some(root), Ok(mut fields)) => {
                fields.insert("transaction".to_owned(), Value::from(transaction.as_str()));
                if !by.is_empty() {
                    fields.insert("by".to_owned(), Value::from(by));
                }
                let topic = format!("{root}/cmd/{}", topic_level(&board));
                info!(board, ?order, transaction, "order to a hall");
                let sent = publish(&topic, Value::Object(fields).to_string().into_bytes());
                sent.then_some(()).ok_or_else(|| "the broker is away; nothing was sent".to_owned())
            }
        };
        match sent {
            Ok(()) => drop(self.waiting.insert(transaction, PendingOrder { reply, left: PATIENCE })),
            Err(reason) => answer(reply, Err(OrderError::Refused(reason))),
        }
    }

    /// Handles the answer of a daemon.
    pub(super) fn handle_reply(&mut self, payload: &[u8]) {
        #[derive(Deserialize)]
        struct Reply {
            transaction: String,
            ok: bool,
            #[serde(default)]
            reason: String,
            #[serde(default)]
            id: String,
            #[serde(default)]
            text: Option<String>,
        }
        let Ok(said) = serde_json::from_slice::<Reply>(payload) else { return };
        let Some(waiting) = self.waiting.remove(&said.transaction) else { return };
        let done = CarriedOut { id: said.id, text: said.text };
        answer(waiting.reply, if said.ok { Ok(done) } else { Err(OrderError::Refused(said.reason)) });
    }

    /// Gives up, once a second, what nobody answers.
    pub(super) fn tick(&mut self) {
        let late = self.waiting.extract_if(.., |_, waiting| {
            waiting.left = waiting.left.saturating_sub(1);
            waiting.left == 0
        });
        for (_, waiting) in late.collect::<Vec<_>>() {
            let reason = "the hall does not answer; it may have been done. Does its daemon take commands?";
            answer(waiting.reply, Err(OrderError::Refused(reason.to_owned())));
        }
    }
}

/// Returns an order as it is written, with the game that it names.
fn fields(order: &Order) -> Result<Map<String, Value>, String> {
    let json = order.json().map_err(|error| error.to_string())?;
    serde_json::from_str(&json).map_err(|error| error.to_string())
}

fn answer(reply: oneshot::Sender<Result<CarriedOut, OrderError>>, outcome: Result<CarriedOut, OrderError>) {
    if reply.send(outcome).is_err() {
        debug!("the sender of an order does not wait for the answer any more");
    }
}
