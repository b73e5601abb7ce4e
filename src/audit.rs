//! Owns the list of orders: who gave which one when, one JSON object a line, durable before the answer goes out.

mod chain;

use std::{
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use serde::Serialize;
use serde_json::Value;
use tokio::task::spawn_blocking;
use tracing::{error, info};

pub(crate) use self::chain::Verdict;
use jadoube_runtime::private;

/// Name of the file in the log directory.
pub(crate) const NAME: &str = "audit.jsonl";

/// How much of its end is shown.
const SHOWN: u64 = 256 * 1024;

/// How much of its end has the last line for sure: an order has 16 KiB at most.
const LAST: u64 = 64 * 1024;

/// One at a time adds a line, which names the one before it.
static TURN: Mutex<()> = Mutex::new(());

/// One line of the list.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct OrderRecord {
    /// When the outcome was known, UTC.
    pub(crate) at: jiff::Timestamp,
    /// What the sender calls itself.
    pub(crate) arbiter: Option<String>,
    /// Where it came from; `None` if a broker has brought it.
    pub(crate) address: Option<IpAddr>,
    /// The board that it is for.
    pub(crate) board: String,
    /// The order as it was sent.
    pub(crate) order: Value,
    /// Why it was refused; `null` if it was carried out.
    pub(crate) refused: Option<String>,
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

/// Writes an order down; it counts even if that fails, and the messages tell.
pub(crate) async fn record(directory: PathBuf, entry: OrderRecord) {
    let Ok(line) = serde_json::to_string(&entry) else { return };
    match spawn_blocking(move || append(&directory, &line)).await {
        Ok(Ok(hash)) => info!(board = entry.board, hash, "an order is in the audit list"),
        Ok(Err(error)) => {
            error!(%error, order = %entry.order, board = entry.board, "an order is not in the audit list");
        }
        Err(error) => error!(%error, "an order is not in the audit list"),
    }
}

/// Adds a line; returns its hash.
fn append(directory: &Path, line: &str) -> io::Result<String> {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let path = directory.join(NAME);
    let (end, mut before) = last_of(&path)?;
    if before.is_none() {
        // The file was rotated.
        before = last_of(&path.with_extension("jsonl.1"))?.1;
    }
    let (line, hash) = chain::link(line, before.as_deref());
    let mut file = private::append(&path)?;
    // A line that was torn by a loss of power takes no other with it.
    let gap = if end.is_none_or(|last| last == b'\n') { "" } else { "\n" };
    file.write_all(format!("{gap}{line}\n").as_bytes())?;
    file.sync_data()?;
    Ok(hash)
}

/// Returns the last byte of a file, and the hash of its last whole line.
fn last_of(path: &Path) -> io::Result<(Option<u8>, Option<String>)> {
    let bytes = end_of(path, LAST)?;
    let mut whole =
        bytes.rsplit(|byte| *byte == b'\n').filter(|line| serde_json::from_slice::<Value>(line).is_ok());
    let hash = whole.find_map(|line| chain::hash_of(str::from_utf8(line).ok()?));
    Ok((bytes.last().copied(), hash))
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
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_written_is_read_and_follows_what_was_before() {
        let dir = tempfile::tempdir().unwrap();
        let logs = dir.path().join("log");
        let numbers =
            || -> Vec<Value> { read(&logs).unwrap().iter().map(|line| line["n"].clone()).collect() };
        assert!(numbers().is_empty());
        append(&logs, "{\"n\":1}").unwrap();
        let mut torn = fs::read_to_string(logs.join(NAME)).unwrap();
        torn += "{\"n\":";
        fs::write(logs.join(NAME), torn).unwrap();
        append(&logs, "{\"n\":2}").unwrap();
        assert_eq!(numbers(), [1, 2]);
        // As logrotate does it.
        fs::rename(logs.join(NAME), logs.join("audit.jsonl.1")).unwrap();
        let last = append(&logs, "{\"n\":3}").unwrap();
        assert_eq!(numbers(), [3]);
        let mut verdict = Verdict::default();
        for file in ["audit.jsonl.1", NAME] {
            verdict.read(file, &fs::read_to_string(logs.join(file)).unwrap());
        }
        assert_eq!((verdict.sound, verdict.wrong.len(), verdict.last), (3, 0, Some(last)));
    }
}
