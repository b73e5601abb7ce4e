//! Keeps the list of orders: who gave which one when, one JSON object a line, durable before the answer goes out.

use std::{
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

use serde_json::Value;

/// Name of the file in the log directory.
pub(super) const NAME: &str = "audit.jsonl";

/// How much of its end is shown.
const SHOWN: u64 = 256 * 1024;

/// Adds a line.
pub(super) fn append(directory: &Path, line: &str) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    let mut file = File::options().create(true).append(true).open(directory.join(NAME))?;
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

/// Reads the latest entries, oldest first; a line that was torn by a loss of power is left out.
pub(super) fn read(directory: &Path) -> io::Result<Vec<Value>> {
    let mut file = match File::open(directory.join(NAME)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let start = file.metadata()?.len().saturating_sub(SHOWN);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
}

#[cfg(test)]
mod tests {
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
