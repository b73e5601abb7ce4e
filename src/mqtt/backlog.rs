//! Owns the order in which events go out: which is next, and whether memory or the disk has it.
//!
//! Recent events are in memory. When the broker was away longer than that reaches, the event log has the rest, and
//! where the log has a hole, the captures.

use std::{collections::VecDeque, io, path::Path, sync::Arc};

use tracing::{error, info, warn};

use super::{
    captures,
    journal::{self, Batch, Edge, Hole, JournalItem},
    outgoing_event::OutgoingEvent,
};
use crate::{config::Config, published::Published};

/// Events that are kept in memory.
const RECENT: usize = 4096;

/// Events read from the disk in one go.
const BATCH: usize = 256;

/// How often the log is asked for an event that it does not have yet, until it counts as missing.
const PATIENCE: u32 = 10;

/// The events that go out.
#[derive(Debug)]
pub(crate) struct Backlog {
    recent: VecDeque<OutgoingEvent>,
    /// Everything after this number is in `recent`.
    kept_after: u64,
    /// Number of the last event that has happened.
    newest: u64,
    /// Number up to which everything has been handed out.
    handed: u64,
    /// What has been read from the disk, and the number up to which that goes.
    read: VecDeque<OutgoingEvent>,
    read_upto: u64,
    /// When the event before the first one that is to be read became known.
    since: Option<jiff::Timestamp>,
    tries: u32,
}

/// What goes out next.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum NextOut {
    /// This event.
    OutgoingEvent(OutgoingEvent),
    /// Something that has to be read first: call [`read`].
    Disk(LogSpan),
    /// Nothing, everything has been handed out.
    Nothing,
}

/// A part of the log that has to be read.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct LogSpan {
    after: u64,
    upto: u64,
    since: Option<jiff::Timestamp>,
    /// Whether what the log does not have counts as missing.
    last_try: bool,
}

/// What was read from the disk.
#[derive(Debug, Default)]
pub(crate) struct Found {
    entries: Vec<OutgoingEvent>,
    reached: u64,
}

impl Backlog {
    /// Begins after event `acknowledged`, which became known at `since`; `newest` is the last one in the log.
    pub(crate) const fn new(acknowledged: u64, newest: u64, since: Option<jiff::Timestamp>) -> Self {
        Self {
            recent: VecDeque::new(),
            kept_after: newest,
            newest,
            handed: acknowledged,
            read: VecDeque::new(),
            read_upto: acknowledged,
            since,
            tries: 0,
        }
    }

    /// Notes an event; if some were missed before it, the log has them.
    pub(crate) fn push(&mut self, published: &Published) {
        if published.seq != self.newest + 1 {
            self.recent.clear();
            self.kept_after = published.seq.saturating_sub(1);
        }
        self.newest = published.seq;
        let Some(entry) = OutgoingEvent::live(published) else { return };
        if self.recent.len() >= RECENT
            && let Some(oldest) = self.recent.pop_front()
        {
            self.kept_after = oldest.seq;
        }
        self.recent.push_back(entry);
    }

    /// Returns what goes out next.
    pub(crate) fn next(&mut self) -> NextOut {
        if let Some(entry) = self.read.pop_front() {
            return NextOut::OutgoingEvent(entry);
        }
        self.handed = self.handed.max(self.read_upto);
        if self.handed < self.kept_after {
            let last_try = self.tries >= PATIENCE;
            return NextOut::Disk(LogSpan {
                after: self.handed,
                upto: self.kept_after,
                since: self.since,
                last_try,
            });
        }
        let index = self.recent.partition_point(|entry| entry.seq <= self.handed);
        let Some(entry) = self.recent.get(index) else {
            self.handed = self.newest.max(self.handed);
            self.read_upto = self.handed;
            return NextOut::Nothing;
        };
        self.handed = entry.seq;
        self.read_upto = entry.seq;
        NextOut::OutgoingEvent(entry.clone())
    }

    /// Handles what was read; says whether that was anything.
    pub(crate) fn found(&mut self, found: Found) -> bool {
        let moved = found.reached > self.handed;
        self.tries = if moved { 0 } else { self.tries.saturating_add(1) };
        self.read_upto = found.reached.max(self.handed);
        self.read.extend(found.entries);
        moved
    }

    /// Puts an event back that could not go out.
    pub(crate) fn put_back(&mut self, entry: OutgoingEvent) {
        self.read.push_front(entry);
    }

    /// Returns the number up to which everything has been handed out.
    pub(crate) fn handed(&self) -> u64 {
        self.read.front().map_or(self.handed, |entry| entry.seq.saturating_sub(1))
    }

    /// Returns how many events have not been handed out, at most.
    pub(crate) fn behind(&self) -> u64 {
        self.newest.saturating_sub(self.handed())
    }

    /// Begins again after event `acknowledged`.
    pub(crate) fn rewind(&mut self, acknowledged: u64, since: Option<jiff::Timestamp>) {
        self.read.clear();
        self.handed = acknowledged;
        self.read_upto = acknowledged;
        self.since = since;
        self.tries = 0;
    }

    /// Drops from memory what the broker has.
    pub(crate) fn acknowledged(&mut self, seq: u64) {
        while let Some(entry) = self.recent.pop_front_if(|entry| entry.seq <= seq) {
            self.kept_after = self.kept_after.max(entry.seq);
        }
    }
}

/// Reads a part of the log, and fills its holes from the captures.
pub(crate) fn read(config: &Arc<Config>, wanted: &LogSpan) -> Found {
    let batch = match journal::read(&config.log_dir, wanted.after, wanted.upto, BATCH) {
        Ok(batch) => batch,
        Err(error) => {
            log_error(&config.log_dir, &error, wanted.last_try);
            Batch { reached: wanted.after, ended: true, ..Batch::default() }
        }
    };
    let mut found = Found { entries: Vec::new(), reached: batch.reached };
    let mut items = batch.items;
    if batch.ended && wanted.last_try {
        // It was written nowhere: the disk was full, or the log is gone.
        let hole = Hole { first: batch.reached + 1, last: wanted.upto, since: None, until: None };
        items.push(JournalItem::Hole(hole));
        found.reached = wanted.upto;
    }
    for item in items {
        match item {
            JournalItem::OutgoingEvent(entry) => found.entries.push(entry),
            JournalItem::Hole(hole) => {
                let since = || Some(Edge { at: wanted.since?, event: None });
                let hole = Hole { since: hole.since.or_else(since), ..hole };
                let missing = hole.last - hole.first + 1;
                let entries = captures::fill(config, &hole);
                warn!(
                    first = hole.first,
                    missing,
                    found = entries.len(),
                    "the event log has a hole; read from the captures"
                );
                found.entries.extend(entries);
            }
        }
    }
    found
}

fn log_error(log_dir: &Path, error: &io::Error, last_try: bool) {
    if last_try {
        error!(directory = %log_dir.display(), %error, "cannot read the event log; the captures have to do");
    } else {
        info!(directory = %log_dir.display(), %error, "cannot read the event log, tries again");
    }
}

#[cfg(test)]
mod tests;
