//! Owns the writing of what the next process has to know, which goes on beside everything else.
//!
//! A topic is noted before it is sent: whatever happens to this process, the next one takes it back. A disk that takes its time
//! holds nothing up for longer than `LONGEST`, though: an arbiter who does not hear of an alert is worse than an alert that
//! stays at the broker after a kill in just that time, until the next process finds it there (`session/finding.rs`).

use std::{future::pending, io, time::Duration};

use tokio::task::{JoinHandle, spawn_blocking};
use tracing::error;

use super::memory::Memory;
use jadoube_core::time::Timestamp;

/// How long new topics wait for their note.
const LONGEST: Duration = Duration::from_secs(1);

/// What is on the disk of the memory, and what is being written.
#[derive(Debug)]
pub(super) struct Notes {
    /// What is there, as far as the disk took it.
    kept: Memory,
    writing: Option<(JoinHandle<io::Result<()>>, Memory)>,
    /// Since when there are topics without a note.
    unnoted: Option<Timestamp>,
    failed: bool,
}

impl Notes {
    /// Begins with what has been read.
    pub(super) const fn new(kept: Memory) -> Self {
        Self { kept, writing: None, unnoted: None, failed: false }
    }

    /// Begins to write with `save` what has changed, unless something is being written.
    pub(super) fn write(
        &mut self,
        memory: &Memory,
        save: impl FnOnce(&Memory) -> io::Result<()> + Send + 'static,
    ) {
        if self.writing.is_none() && *memory != self.kept {
            let content = memory.clone();
            self.writing = Some((spawn_blocking(move || save(&content)), memory.clone()));
        }
    }

    /// Notes that there are new topics: messages wait if they have no note.
    pub(super) fn hold(&mut self, memory: &Memory, now: Timestamp) {
        if !memory.retained.is_subset(&self.kept.retained) {
            self.unnoted.get_or_insert(now);
        }
    }

    /// Returns whether messages wait for a note.
    pub(super) fn is_holding(&self, now: Timestamp) -> bool {
        self.unnoted.is_some_and(|since| now.since(since) < LONGEST)
    }

    /// Waits until what is being written is there; for ever if there is nothing. May be dropped and called again.
    pub(super) async fn written(&mut self) -> io::Result<()> {
        match &mut self.writing {
            Some((writing, _)) => writing.await.unwrap_or_else(|error| Err(io::Error::other(error))),
            None => pending().await,
        }
    }

    /// Notes how the writing ended; says whether there are topics that it did not note, so that it has to begin again.
    pub(super) fn handle_written(&mut self, outcome: io::Result<()>, memory: &Memory) -> bool {
        let Some((_, kept)) = self.writing.take() else { return false };
        self.kept = kept;
        match outcome {
            Ok(()) => self.failed = false,
            Err(error) if !self.failed => {
                self.failed = true;
                error!(%error, "cannot note what the broker has; after a restart it may get some events twice");
            }
            Err(_) => {}
        }
        let is_noted = memory.retained.is_subset(&self.kept.retained);
        if is_noted {
            self.unnoted = None;
        }
        !is_noted
    }

    /// Waits until nothing is being written.
    pub(super) async fn finish(&mut self, memory: &Memory) {
        if self.writing.is_some() {
            let outcome = self.written().await;
            self.handle_written(outcome, memory);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::mpsc};

    use super::*;

    fn memory(topics: &[&str]) -> Memory {
        let retained: BTreeSet<String> = topics.iter().map(|topic| (*topic).to_owned()).collect();
        Memory { retained, ..Memory::default() }
    }

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_micros(millis * 1000)
    }

    #[tokio::test]
    async fn new_topics_wait_for_their_note_for_a_second_at_most() {
        let mut notes = Notes::new(Memory::default());
        let (disk, works) = mpsc::channel();
        let slow = |works: mpsc::Receiver<()>| move |_: &Memory| works.recv().map_err(io::Error::other);
        let first = memory(&["a"]);
        notes.hold(&first, at(0));
        notes.write(&first, slow(works));
        assert!(notes.is_holding(at(999)));
        assert!(!notes.is_holding(at(1000)), "the disk takes its time");
        // More topics while the disk is at it are not held up for a second each.
        let second = memory(&["a", "b"]);
        notes.hold(&second, at(4000));
        notes.write(&second, |_| panic!("two at a time"));
        assert!(!notes.is_holding(at(4000)));
        disk.send(()).unwrap();
        let outcome = notes.written().await;
        assert!(notes.handle_written(outcome, &second), "b is not noted");
        assert!(!notes.is_holding(at(5000)));
        notes.write(&second, |_| Ok(()));
        let outcome = notes.written().await;
        assert!(!notes.handle_written(outcome, &second));
        notes.write(&second, |_| panic!("nothing has changed"));
        notes.hold(&second, at(6000));
        assert!(!notes.is_holding(at(6000)), "all of them have a note");
        // The disk works again: from here on a new topic waits for its note.
        let third = memory(&["a", "b", "c"]);
        notes.hold(&third, at(6000));
        assert!(notes.is_holding(at(6999)));
        notes.write(&third, |_| Ok(()));
        notes.finish(&third).await;
        assert!(!notes.is_holding(at(6001)));
    }

    #[tokio::test]
    async fn a_disk_that_takes_nothing_holds_nothing_up() {
        let mut notes = Notes::new(Memory::default());
        let memory = memory(&["a"]);
        notes.hold(&memory, at(0));
        notes.write(&memory, |_| Err(io::ErrorKind::StorageFull.into()));
        let outcome = notes.written().await;
        assert!(!notes.handle_written(outcome, &memory));
        assert!(!notes.is_holding(at(1)));
    }
}
