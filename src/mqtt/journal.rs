//! Reads the event log by number: `events.jsonl` and what rotation has made of it.
//!
//! Numbers grow along the log, so a number is found by halving, and a log of a whole championship costs a few reads.
//! Files that were compressed are not read: what is only there is found in the captures.

use std::{
    fs::{self, File},
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
};

use super::outgoing_event::{EventHead, OutgoingEvent};
use crate::{published::EventId, sinks::LogFile};
use jadoube_runtime::private;

/// Where halving ends and reading begins, bytes.
const NEAR: u64 = 1 << 16;

/// Longest line that is read.
const LONGEST: u64 = 1 << 20;

/// What was read.
#[derive(Debug, Default, Eq, PartialEq)]
pub(crate) struct Batch {
    /// Events and missing parts in order.
    pub(crate) items: Vec<JournalItem>,
    /// The number up to which everything is in `items`.
    pub(crate) reached: u64,
    /// Whether the log ends before the number that was asked for.
    pub(crate) ended: bool,
}

/// A part of the log.
#[derive(Debug, Eq, PartialEq)]
pub(crate) enum JournalItem {
    /// An event that goes out.
    OutgoingEvent(OutgoingEvent),
    /// Numbers that are missing.
    Hole(Hole),
}

/// Numbers that are missing in the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Hole {
    /// The first one.
    pub(crate) first: u64,
    /// The last one.
    pub(crate) last: u64,
    /// The event before them, if that is there.
    pub(crate) since: Option<Edge>,
    /// The event after them, likewise.
    pub(crate) until: Option<Edge>,
}

/// The event at which a hole begins or ends.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Edge {
    /// When it became known.
    pub(crate) at: jiff::Timestamp,
    /// What identifies it, if that is known.
    pub(crate) event: Option<EventId>,
}

/// Reads events with numbers after `after`, up to `upto`; about `most` of them in one go.
///
/// # Errors
///
/// Returns an error if the directory or a file in it cannot be read.
pub(crate) fn read(log_dir: &Path, after: u64, upto: u64, most: usize) -> io::Result<Batch> {
    let mut batch = Batch { reached: after, ..Batch::default() };
    let mut files = Vec::new();
    for path in paths(log_dir)? {
        if let Some(first) = first_seq(&path)? {
            files.push((first, path));
        }
    }
    files.sort();
    let mut before = None;
    for (index, (_, path)) in files.iter().enumerate() {
        let is_over = files.get(index + 1).is_some_and(|(next, _)| *next <= after + 1);
        if is_over {
            continue;
        }
        let mut lines = Lines::open(path, after)?;
        while let Some((head, line)) = lines.next()? {
            let edge = || Some(Edge { at: head.at?, event: head.id() });
            if head.seq <= batch.reached {
                if head.seq == batch.reached {
                    before = edge();
                }
                continue;
            }
            let end = head.seq.min(upto + 1);
            if end > batch.reached + 1 {
                let hole = Hole { first: batch.reached + 1, last: end - 1, since: before, until: edge() };
                batch.items.push(JournalItem::Hole(hole));
            }
            if head.seq > upto {
                batch.reached = upto;
                return Ok(batch);
            }
            batch.items.extend(OutgoingEvent::logged(line).map(JournalItem::OutgoingEvent));
            batch.reached = head.seq;
            before = edge();
            if batch.reached == upto || batch.items.len() >= most {
                return Ok(batch);
            }
        }
    }
    batch.ended = true;
    Ok(batch)
}

/// Returns the files of the log that can be read.
fn paths(log_dir: &Path) -> io::Result<Vec<PathBuf>> {
    let name = LogFile::EventsJson.name();
    let mut paths = Vec::new();
    for entry in fs::read_dir(log_dir)? {
        let path = entry?.path();
        let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_packed = path
            .extension()
            .is_some_and(|end| ["gz", "xz", "zst", "bz2"].iter().any(|packed| end == *packed));
        if file.starts_with(name) && !is_packed {
            paths.push(path);
        }
    }
    Ok(paths)
}

fn first_seq(path: &Path) -> io::Result<Option<u64>> {
    Ok(Lines::at(path, 0)?.next()?.map(|(head, _)| head.seq))
}

/// The lines of a file that have a number, from some place on.
struct Lines {
    file: BufReader<File>,
    line: Vec<u8>,
}

impl Lines {
    /// Opens a file where the first number after `after` is not far.
    fn open(path: &Path, after: u64) -> io::Result<Self> {
        let (mut low, mut high) = (0, fs::metadata(path)?.len());
        while high - low > NEAR {
            let middle = low + (high - low) / 2;
            match Self::at(path, middle)?.next()? {
                Some((head, _)) if head.seq <= after => low = middle,
                _ => high = middle,
            }
        }
        Self::at(path, low)
    }

    /// Opens a file at the first line that begins at or after an offset.
    fn at(path: &Path, offset: u64) -> io::Result<Self> {
        let mut file = BufReader::new(private::open(path)?);
        if offset > 0 {
            file.seek(SeekFrom::Start(offset - 1))?;
            file.skip_until(b'\n')?;
        }
        Ok(Self { file, line: Vec::new() })
    }

    /// Returns the next whole line that has a number; others are left out.
    fn next(&mut self) -> io::Result<Option<(EventHead, &str)>> {
        loop {
            self.line.clear();
            let count = self.file.by_ref().take(LONGEST).read_until(b'\n', &mut self.line)?;
            if count == 0 || self.line.last() != Some(&b'\n') && self.at_end()? {
                return Ok(None);
            }
            if head(&self.line).is_some() {
                break;
            }
        }
        let line = std::str::from_utf8(&self.line).unwrap_or_default().trim_end();
        Ok(head(&self.line).map(|head| (head, line)))
    }

    fn at_end(&mut self) -> io::Result<bool> {
        Ok(self.file.fill_buf()?.is_empty())
    }
}

fn head(line: &[u8]) -> Option<EventHead> {
    serde_json::from_slice(line).ok().filter(|head: &EventHead| head.seq > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(seq: u64, event: &str) -> String {
        format!(
            "{{\"t\":1,\"board\":\"1\",\"event\":\"{event}\",\"at\":\"1970-01-01T00:00:{:02}Z\",\"seq\":{seq}}}\n",
            seq % 60
        )
    }

    fn write(dir: &Path, name: &str, seqs: impl IntoIterator<Item = u64>) {
        let text: String =
            seqs.into_iter().map(|seq| line(seq, if seq % 2 == 0 { "retract" } else { "lift" })).collect();
        fs::write(dir.join(name), text).unwrap();
    }

    fn seqs(batch: &Batch) -> Vec<u64> {
        batch
            .items
            .iter()
            .filter_map(
                |item| if let JournalItem::OutgoingEvent(entry) = item { Some(entry.seq) } else { None },
            )
            .collect()
    }

    fn holes(batch: &Batch) -> Vec<(u64, u64)> {
        batch
            .items
            .iter()
            .filter_map(
                |item| if let JournalItem::Hole(hole) = item { Some((hole.first, hole.last)) } else { None },
            )
            .collect()
    }

    #[test]
    fn numbers_are_found_over_rotations() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "events.jsonl.2", 1..=10);
        write(dir.path(), "events.jsonl-20261122", 11..=20);
        write(dir.path(), "events.jsonl", 21..=24);
        fs::write(dir.path().join("events.jsonl.3.gz"), "no text").unwrap();
        fs::write(dir.path().join("alerts.jsonl"), line(2, "alert")).unwrap();
        let batch = read(dir.path(), 7, 22, 100).unwrap();
        assert_eq!(
            (seqs(&batch), batch.reached, batch.ended),
            (vec![8, 10, 12, 14, 16, 18, 20, 22], 22, false)
        );
        let batch = read(dir.path(), 0, 24, 3).unwrap();
        assert_eq!((seqs(&batch), batch.reached), (vec![2, 4, 6], 6));
        let batch = read(dir.path(), 20, 30, 100).unwrap();
        assert_eq!((seqs(&batch), batch.reached, batch.ended), (vec![22, 24], 24, true));
    }

    #[test]
    fn a_long_log_is_halved() {
        let dir = tempfile::tempdir().unwrap();
        write(dir.path(), "events.jsonl", 1..=20_000);
        for after in [0, 1, 2, 777, 9_999, 19_996] {
            let batch = read(dir.path(), after, 20_000, 2).unwrap();
            let next = after + 2 - after % 2;
            assert_eq!(seqs(&batch), [next, next + 2], "after {after}");
            assert_eq!(holes(&batch), [], "after {after}");
        }
    }

    #[test]
    fn missing_numbers_are_reported_in_their_place() {
        let dir = tempfile::tempdir().unwrap();
        let text = [
            line(4, "move"),
            "{\"event\":\"gap\",\"missed\":2}\n".to_owned(),
            "garbage\n".to_owned(),
            line(8, "move"),
            "{\"torn\":".to_owned(),
        ];
        fs::write(dir.path().join("events.jsonl"), text.concat()).unwrap();
        let batch = read(dir.path(), 1, 9, 100).unwrap();
        assert_eq!((seqs(&batch), holes(&batch)), (vec![4, 8], vec![(2, 3), (5, 7)]));
        assert_eq!((batch.reached, batch.ended), (8, true));
        let batch = read(dir.path(), 4, 6, 100).unwrap();
        assert_eq!((holes(&batch), batch.reached), (vec![(5, 6)], 6));
        let JournalItem::Hole(hole) = &batch.items[0] else { panic!("{batch:?}") };
        let seconds = |edge: &Option<Edge>| edge.as_ref().map(|edge| edge.at.as_second());
        assert_eq!((seconds(&hole.since), seconds(&hole.until)), (Some(4), Some(8)));
    }
}
