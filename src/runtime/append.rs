//! Owns files that only grow: whole lines, kept in memory for a while when the disk does not take them.
//!
//! The disk may be full, read-only or missing. Then the owner is informed once, lines wait in memory up to a limit, and
//! [`AppendFile::retry`] writes them when it works again. Beyond the limit the newest lines are lost and counted, so
//! that what is on disk is always a beginning of what happened.

use std::{
    fs::{self, File},
    io::{self, Write},
    mem,
    path::{Path, PathBuf},
    sync::Arc,
};

use tracing::{error, info};

use crate::{
    platform::{self, FileId},
    private,
    replace::{Durability, replace, set_aside},
};

/// What others have made of a file that only grows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Found {
    /// Nothing, or they have added to it.
    Whole,
    /// It was removed or replaced, and is put back whole.
    PutBack,
    /// It is shorter than it was: what is missing is nowhere else.
    Cut,
}

/// A file that is open, and which one it is.
#[derive(Debug)]
pub struct OpenFile {
    /// The file.
    pub file: File,
    /// Its file system and number, unless the system does not say.
    pub id: Option<FileId>,
}

/// A file that only grows.
#[derive(Debug)]
pub struct AppendFile {
    path: PathBuf,
    file: Option<Arc<OpenFile>>,
    /// How long the open file is if nobody else has shortened it.
    len: u64,
    waiting: Vec<u8>,
    limit: usize,
    lost: u64,
    /// Why the disk did not take the last line.
    failure: Option<String>,
}

impl AppendFile {
    /// Makes a file that is created by its first line; at most `limit` bytes wait for a disk.
    #[must_use]
    pub const fn new(path: PathBuf, limit: usize) -> Self {
        Self { path, file: None, len: 0, waiting: Vec::new(), limit, lost: 0, failure: None }
    }

    /// Makes a file of which the disk has taken nothing yet, for this reason; all of `waiting` waits for it, beside `limit` bytes at most.
    #[must_use]
    pub fn waiting(path: PathBuf, limit: usize, waiting: Vec<u8>, reason: &io::Error) -> Self {
        let limit = limit + waiting.len();
        Self { waiting, failure: Some(reason.to_string()), ..Self::new(path, limit) }
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the disk did not take the last line.
    #[must_use]
    pub const fn failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Returns why it did not, and which file that is about.
    #[must_use]
    pub fn failure(&self) -> Option<String> {
        self.failure.as_ref().map(|reason| format!("cannot write {}: {reason}", self.path.display()))
    }

    /// Appends lines, which bring their own ends of line, in one go.
    pub fn append(&mut self, lines: &[u8]) {
        if lines.is_empty() {
            return;
        }
        if !self.failed() {
            match self.write(lines) {
                Ok(()) => return,
                Err(reason) => self.fail(&reason),
            }
        }
        for line in lines.split_inclusive(|byte| *byte == b'\n') {
            // After a loss nothing may follow until the loss is reported.
            if self.lost > 0 || self.waiting.len() + line.len() > self.limit {
                self.lost += 1;
            } else {
                self.waiting.extend_from_slice(line);
            }
        }
    }

    /// Tries to write what waits; returns how many lines were lost meanwhile if it works, and zero if it does not.
    pub fn retry(&mut self) -> u64 {
        if !self.failed() {
            return 0;
        }
        let waiting = mem::take(&mut self.waiting);
        if self.write(&waiting).is_err() {
            self.waiting = waiting;
            return 0;
        }
        self.failure = None;
        info!(file = %self.path.display(), lost = self.lost, "the disk takes data again");
        mem::take(&mut self.lost)
    }

    /// Closes the file, so that the next line opens it anew: it may have been moved away.
    pub fn reopen(&mut self) {
        self.file = None;
    }

    /// Puts the file back, whole, if it was removed or moved since it was opened, or something else has its name; says what it has
    /// found. What has its name is kept as `NAME.damaged`.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk does not let it; lines still go to the file that has lost its name.
    pub fn put_back(&mut self) -> io::Result<Found> {
        let Some(open) = &self.file else { return Ok(Found::Whole) };
        let there = fs::symlink_metadata(&self.path);
        let named = there.as_ref().ok().and_then(platform::file_id);
        if open.id.is_none() || open.id == named {
            // Each capture is asked for every second: what its name reports is not asked for again.
            let len = match &there {
                Ok(meta) if open.id.is_some() => meta.len(),
                _ => open.file.metadata()?.len(),
            };
            return Ok(if len < self.len { Found::Cut } else { Found::Whole });
        }
        let bytes = all_of(&open.file)?;
        if there.is_ok() {
            set_aside(&self.path)?;
        } else if let Some(directory) = self.path.parent() {
            private::make_directory(directory)?;
        }
        replace(&self.path, &bytes, Durability::Synced)?;
        self.open()?;
        Ok(Found::PutBack)
    }

    /// Puts the file back as [`put_back`](Self::put_back) does if it was removed or replaced, so that nothing that follows would be
    /// found; one that was moved away, as rotation does, goes on under its new name until [`reopen`](Self::reopen). It asks the open file
    /// alone, which takes a third of the time of a look for its name.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk does not let it; lines still go to the file that has lost its name.
    pub fn put_back_removed(&mut self) -> io::Result<Found> {
        let Some(open) = &self.file else { return Ok(Found::Whole) };
        let meta = open.file.metadata()?;
        if platform::is_removed(&meta) {
            return self.put_back();
        }
        Ok(if meta.len() < self.len { Found::Cut } else { Found::Whole })
    }

    /// Replaces what is in the file, if there is one, by what `change` makes of it.
    ///
    /// # Errors
    ///
    /// Returns an error if the disk does not let it; then the file is as it was.
    pub fn rewrite(&mut self, change: impl FnOnce(&[u8]) -> Vec<u8>) -> io::Result<()> {
        let Some(open) = &self.file else { return Ok(()) };
        replace(&self.path, &change(&all_of(&open.file)?), Durability::Synced)?;
        self.open()
    }

    fn open(&mut self) -> io::Result<()> {
        let file = open(&self.path)?;
        let meta = file.metadata()?;
        self.len = meta.len();
        self.file = Some(Arc::new(OpenFile { file, id: platform::file_id(&meta) }));
        Ok(())
    }

    /// Returns the file to make what was written durable, if it is open.
    #[must_use]
    pub const fn handle(&self) -> Option<&Arc<OpenFile>> {
        self.file.as_ref()
    }

    /// Writes all or nothing.
    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.file.is_none() {
            self.open()?;
        }
        let Some(open) = self.file.take() else { return Err(io::ErrorKind::NotFound.into()) };
        let mut file = &open.file;
        let mut written = 0;
        let outcome = loop {
            let Some(rest) = bytes.get(written..).filter(|rest| !rest.is_empty()) else { break Ok(()) };
            match file.write(rest) {
                Ok(0) => break Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => written += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => break Err(error),
            }
        };
        if outcome.is_err() && written > 0 {
            // What follows must not be glued to half a line.
            let cut =
                file.metadata().map(|meta| meta.len().saturating_sub(u64::try_from(written).unwrap_or(0)));
            cut.and_then(|len| file.set_len(len))?;
        } else {
            self.len += u64::try_from(written).unwrap_or(0);
        }
        self.file = Some(open);
        outcome
    }

    fn fail(&mut self, reason: &io::Error) {
        self.failure = Some(reason.to_string());
        self.file = None;
        error!(
            file = %self.path.display(), %reason,
            "cannot write; games go on, {} KiB are kept in memory, next try in 10 s", self.limit / 1024
        );
    }
}

/// Opens a file to go on with whole lines: half a line at its end is what a power cut has left.
fn open(path: &Path) -> io::Result<File> {
    let file = private::append(path)?;
    let meta = file.metadata()?;
    if meta.is_file() && meta.len() > 0 {
        cut_torn_line(&file, meta.len())?;
    }
    Ok(file)
}

fn all_of(file: &File) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(file.metadata()?.len()).unwrap_or(0)];
    platform::read_exact_at(file, &mut bytes, 0)?;
    Ok(bytes)
}

fn cut_torn_line(file: &File, len: u64) -> io::Result<()> {
    let mut end = len;
    let mut chunk = [0; 4096];
    while end > 0 {
        let start = end.saturating_sub(4096);
        let part = chunk.get_mut(..usize::try_from(end - start).unwrap_or(4096)).unwrap_or_default();
        platform::read_exact_at(file, part, start)?;
        match part.iter().rposition(|byte| *byte == b'\n') {
            Some(last) => {
                end = start + u64::try_from(last).unwrap_or(0) + 1;
                break;
            }
            None => end = start,
        }
    }
    if end < len { file.set_len(end) } else { Ok(()) }
}

#[cfg(test)]
mod tests;
