//! Owns the capture of one game while it is written.
//!
//! Nothing is written before the board has said something: a device that never answers leaves no file. What a full
//! disk does not take waits in memory, [`LIMIT`] bytes of text, about an hour and a half of play. Beyond that records
//! are lost; when the disk works again a `! close` and a new start from the board's present state mark the gap, so
//! that a replay sees an interrupted link and no wrong play.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tracing::warn;

use jadoube_core::time::Timestamp;
use jadoube_runtime::append::{AppendFile, Found, OpenFile};

/// How much text waits for a disk that takes none.
const LIMIT: usize = 256 * 1024;

/// How often the file is looked for by its name: that it was moved away only its name reports, all else the open file.
const BY_NAME: Duration = Duration::from_secs(5);

/// The capture of one game while it is written.
#[derive(Debug)]
pub(crate) struct Recording {
    file: AppendFile,
    /// What was written before the board said anything.
    held: Option<Vec<u8>>,
    unsynced: bool,
    /// When the file was looked for by its name last.
    looked_for: Option<Timestamp>,
}

impl Recording {
    /// Begins a capture that gets its file when the board says something.
    pub(crate) const fn begin(path: PathBuf) -> Self {
        Self { file: AppendFile::new(path, LIMIT), held: Some(Vec::new()), unsynced: false, looked_for: None }
    }

    /// Goes on with the capture in a file.
    pub(crate) const fn resume(path: PathBuf) -> Self {
        Self { file: AppendFile::new(path, LIMIT), held: None, unsynced: false, looked_for: None }
    }

    /// Goes on with a capture that no disk has taken yet.
    pub(crate) fn waiting(path: PathBuf, text: Vec<u8>, reason: &io::Error) -> Self {
        let file = AppendFile::waiting(path, LIMIT, text, reason);
        Self { file, held: None, unsynced: false, looked_for: None }
    }

    /// Returns the name of the file.
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Returns whether there is anything in the file.
    pub(crate) const fn is_kept(&self) -> bool {
        self.held.is_none()
    }

    /// Writes what was held back: the board has said something.
    pub(crate) fn keep(&mut self) {
        if let Some(held) = self.held.take() {
            self.append(&held);
        }
    }

    /// Returns whether the disk does not take records.
    pub(crate) const fn failed(&self) -> bool {
        self.file.failed()
    }

    /// Returns why it does not.
    pub(crate) fn failure(&self) -> Option<String> {
        self.file.failure()
    }

    /// Tries the disk again; says whether it works and records were lost.
    pub(crate) fn retry(&mut self) -> bool {
        self.file.retry() > 0
    }

    /// Puts a file back that was taken away since something was written: a restart needs it. Returns whether it was cut instead.
    pub(crate) fn is_cut(&mut self, now: Timestamp) -> bool {
        if !self.unsynced {
            return false;
        }
        let found = if self.looked_for.is_some_and(|at| now.since(at) < BY_NAME) {
            self.file.put_back_removed()
        } else {
            self.looked_for = Some(now);
            self.file.put_back()
        };
        match found {
            Ok(Found::Cut) => return true,
            Ok(Found::PutBack) => {
                warn!(capture = %self.path().display(), "was removed or replaced while it is written; it is put back");
            }
            Ok(Found::Whole) => {}
            Err(error) => {
                warn!(
                    capture = %self.path().display(), %error,
                    "was removed or replaced and cannot be put back; a restart would lose its game"
                );
            }
        }
        false
    }

    /// Replaces the text of the file by what `change` makes of it.
    pub(crate) fn rewrite(&mut self, change: impl FnOnce(&[u8]) -> Vec<u8>) -> io::Result<()> {
        self.file.rewrite(change)
    }

    /// Returns the file if something has been written since the last call, to make it durable.
    pub(crate) fn take_unsynced(&mut self) -> Option<Arc<OpenFile>> {
        std::mem::take(&mut self.unsynced).then(|| self.file.handle().cloned()).flatten()
    }

    /// Returns the file if something has been written since it was last taken to be made durable.
    pub(crate) fn unsynced(&self) -> Option<&Arc<OpenFile>> {
        self.file.handle().filter(|_| self.unsynced)
    }

    /// Returns the length of the file, unless records wait for the disk.
    pub(crate) fn len(&self) -> Option<u64> {
        if self.failed() {
            return None;
        }
        Some(fs::metadata(self.path()).map_or(0, |meta| meta.len()))
    }

    /// Cuts the file back to an earlier length; an empty file is removed.
    pub(crate) fn cut(&mut self, len: u64) -> io::Result<()> {
        if self.held.is_some() {
            return Ok(());
        }
        self.file.reopen();
        if len == 0 {
            return fs::remove_file(self.path());
        }
        OpenOptions::new().write(true).open(self.path())?.set_len(len)
    }

    fn append(&mut self, lines: &[u8]) {
        self.file.append(lines);
        self.unsynced |= !self.file.failed();
    }
}

impl Write for Recording {
    /// Handles one line; it is on disk, or waits for the disk, or is counted as lost.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        match &mut self.held {
            Some(held) if held.len() + line.len() <= LIMIT => held.extend_from_slice(line),
            Some(_) => {}
            None => self.append(line),
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
