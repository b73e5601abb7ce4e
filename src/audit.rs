//! Owns the list of orders: who gave which one when, one JSON object a line, durable before the answer goes out.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    net::IpAddr,
    path::{Path, PathBuf},
};

use serde::Serialize;
use serde_json::Value;
use tokio::task::spawn_blocking;
use tracing::error;

use jadoube_runtime::private;

/// Name of the file in the log directory.
pub(crate) const NAME: &str = "audit.jsonl";

/// How much of its end is shown.
const SHOWN: u64 = 256 * 1024;

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
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            error!(%error, order = %entry.order, board = entry.board, "an order is not in the audit list");
        }
        Err(error) => error!(%error, "an order is not in the audit list"),
    }
}

/// Adds a line.
fn append(directory: &Path, line: &str) -> io::Result<()> {
    let mut file = private::append(&directory.join(NAME))?;
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

/// Reads the latest entries, oldest first; a line that was torn by a loss of power is left out.
pub(crate) fn read(directory: &Path) -> io::Result<Vec<Value>> {
    tail(&directory.join(NAME), SHOWN)
}

/// Reads the lines at the end of a file of JSON, at most so many bytes of them.
pub(crate) fn tail(path: &Path, most: u64) -> io::Result<Vec<Value>> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let start = file.metadata()?.len().saturating_sub(most);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let logs = dir.path().join("log");
        assert!(read(&logs).unwrap().is_empty());
        append(&logs, "{\"n\":1}").unwrap();
        fs::write(logs.join(NAME), "{\"n\":1}\n{\"n\":").unwrap();
        append(&logs, "").unwrap();
        append(&logs, "{\"n\":2}").unwrap();
        assert_eq!(read(&logs).unwrap(), [serde_json::json!({"n": 1}), serde_json::json!({"n": 2})]);
    }
}
