//! Owns the list of orders: who gave which one when, one JSON object a line, durable before the answer goes out. Who has signed in, who has
//! an account and whose tables were handed over are orders, too, of no board.

mod chain;
mod list;

use std::{
    env,
    io::{self, Read as _, Seek as _, SeekFrom},
    net::IpAddr,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Serialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tracing::{error, info};

use self::list::List;
pub(crate) use self::{
    chain::Verdict,
    list::{Head, Place},
};
use crate::metrics::Health;
use jadoube_runtime::{clock::SystemClock, private};

/// Name of the file in the log directory.
pub(crate) const NAME: &str = "audit.jsonl";

/// How much of its end is shown.
const SHOWN: u64 = 256 * 1024;

/// Its name among what is wrong with the service.
const PART: &str = "audit list";

/// One line of the list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OrderRecord {
    /// When the outcome was known, UTC.
    pub(crate) at: jiff::Timestamp,
    /// When it came in, UTC; distinguishes it from all other orders for its board.
    pub(crate) given: jiff::Timestamp,
    /// Who has given it.
    pub(crate) arbiter: Option<String>,
    /// Whether that is what the sender calls itself, and no account.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) claimed: bool,
    /// Where it came from; `None` if a broker has brought it.
    pub(crate) address: Option<IpAddr>,
    /// The board that it is for.
    pub(crate) board: String,
    /// The order as it was sent.
    pub(crate) order: Value,
    /// Why it was refused; `null` if it was carried out.
    pub(crate) refused: Option<String>,
    /// The name by which it is taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) id: Option<String>,
    /// What it was about, so that the list can be read when nothing else is known of it any more.
    #[serde(flatten)]
    pub(crate) about: About,
}

/// What an order was about.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct About {
    /// Number of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) table: Option<u32>,
    /// White's name then.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) white: String,
    /// Black's name then.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) black: String,
    /// The code of the alert.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<&'static str>,
    /// The side that the alert names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) side: Option<String>,
}

/// The list of orders; clones write to the same one.
#[derive(Clone, Debug)]
pub(crate) struct AuditList {
    list: Arc<Mutex<List>>,
    health: Health,
}

/// An order that is noted and being carried out.
#[derive(Debug)]
pub(crate) struct PendingOrder {
    all: AuditList,
    number: Option<u64>,
}

impl AuditList {
    /// Makes a list that reports to `health` what it cannot write.
    pub(crate) fn new(health: &Health) -> Self {
        Self { list: Arc::default(), health: health.clone() }
    }

    /// Resumes what an earlier process has not come to; may take a while.
    pub(crate) fn start(&self, place: &Place) {
        self.with(place, |_| ());
    }

    /// Notes an order before it is carried out; its entry follows with [`PendingOrder::finish`].
    pub(crate) async fn begin(&self, place: Place, entry: &OrderRecord) -> PendingOrder {
        let body = serde_json::to_string(entry).unwrap_or_default();
        let all = self.clone();
        let noted = spawn_blocking(move || all.with(&place, |list| list.begin(body))).await;
        PendingOrder { all: self.clone(), number: noted.ok() }
    }

    /// Writes entries that a disk has not accepted, without waiting for it.
    pub(crate) fn complete(&self) {
        let list = self.clone();
        spawn_blocking(move || list.retry());
    }

    /// Tries to write what the disk has not taken; may take a while.
    pub(crate) fn retry(&self) {
        // A disk that does not answer holds one who asks, and no more.
        let Ok(mut list) = self.list.try_lock() else { return };
        if list.has_waiting() {
            list.flush();
            self.health.degrade(PART, list.trouble());
        }
    }

    fn with<T>(&self, place: &Place, work: impl FnOnce(&mut List) -> T) -> T {
        let mut list = self.lock();
        list.enter(place);
        let done = work(&mut list);
        self.health.degrade(PART, list.trouble());
        done
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PendingOrder {
    /// Writes the entry once the outcome is known; it counts even if that fails, and is written later.
    pub(crate) async fn finish(mut self, place: Place, entry: OrderRecord) {
        let (all, number) = (self.all.clone(), self.number.take());
        let written = spawn_blocking(move || {
            let body = serde_json::to_string(&entry).unwrap_or_default();
            let add = |list: &mut List| match number {
                Some(number) => list.finish(number, body),
                None => list.add(body),
            };
            report(&entry, all.with(&place, add));
        });
        if let Err(error) = written.await {
            error!(%error, "an order is not in the audit list");
        }
    }
}

impl Drop for PendingOrder {
    /// Whoever has asked may be gone before the order is carried out, which it is nevertheless.
    fn drop(&mut self) {
        if let Some(number) = self.number.take() {
            self.all.lock().give_up(number);
        }
    }
}

fn report(entry: &OrderRecord, hash: Option<String>) {
    if let Some(hash) = hash {
        info!(board = entry.board, hash, "an order is in the audit list");
    } else {
        error!(order = %entry.order, board = entry.board, "an order is not in the audit list yet");
    }
}

/// Makes an order of its name and what else is said about it, an object.
pub(crate) fn order(what: &str, more: Value) -> Value {
    let mut order = json!({ "order": what });
    if let (Value::Object(order), Value::Object(more)) = (&mut order, more) {
        order.extend(more);
    }
    order
}

/// Writes down what somebody does at this machine without asking the daemon, which may run and write meanwhile: `what`, `more` about it, and
/// why it was not done after all. Whose terminal it was is what the machine says.
///
/// # Errors
///
/// Returns an error if the disk does not take it.
pub(crate) fn note_local(
    place: &Place,
    what: &str,
    mut more: Value,
    refused: Option<String>,
) -> io::Result<()> {
    let now = SystemClock::start().started();
    let arbiter = ["SUDO_USER", "USER"].into_iter().find_map(|name| env::var(name).ok());
    if let Some(more) = more.as_object_mut() {
        more.insert("by".to_owned(), "command line".into());
    }
    let entry = OrderRecord {
        at: now,
        given: now,
        claimed: arbiter.is_some(),
        arbiter,
        address: None,
        board: String::new(),
        order: order(what, more),
        refused,
        id: None,
        about: About::default(),
    };
    list::append_for_owner(place, &serde_json::to_string(&entry)?)
}

/// Reads the latest entries, oldest first; a line that was torn by a loss of power is left out.
pub(crate) fn read(directory: &Path) -> io::Result<Vec<Value>> {
    tail(&directory.join(NAME), SHOWN)
}

/// Reads the lines at the end of a file of JSON, at most so many bytes of them.
pub(crate) fn tail(path: &Path, most: u64) -> io::Result<Vec<Value>> {
    let bytes = end_of(path, most)?;
    Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

/// Reads the end of a file, at most so many bytes; there is nothing in one that is not there.
fn end_of(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = match private::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(bytes),
        Err(error) => return Err(error),
    };
    let start = file.metadata()?.len().saturating_sub(most);
    file.seek(SeekFrom::Start(start))?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests;
