//! Knows, after a restart, what the event log tells already, so that what is missing there can be told and nothing twice.
//!
//! The capture has every byte before anything follows from it; the log is written a moment later. A program that is
//! killed in between has events that nobody was told. Recovery replays the capture and asks the event index how far the
//! log goes: for each board the last event in the log that the replay meets again, too.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    fs::{self, File},
    hash::{DefaultHasher, Hash, Hasher},
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::value::RawValue;
use tracing::error;

use crate::published::{content_of, content_of_line, timeless};
use jadoube_core::{
    event::{Event, EventKind},
    time::Timestamp,
};
use jadoube_runtime::clock::SystemClock;

/// How much of the log is read; what was told longer ago is not asked for.
const TAIL: u64 = 8 << 20;

/// How much calendar times may differ that say the same: the log's are those of the process that wrote it.
const SLACK: SignedDuration = SignedDuration::from_secs(2);

/// A capture cannot have begun so long after the log was read while the event index is in use.
const AHEAD: SignedDuration = SignedDuration::from_mins(2);

/// What the event log tells.
#[derive(Debug, Default)]
pub(crate) struct EventIndex {
    boards: HashMap<String, Vec<IndexedEvent>>,
    /// Number of the last event, 0 if there is none.
    seq: u64,
    /// Time of the oldest line, if older ones are not known.
    from: Option<jiff::Timestamp>,
    /// When it was written to last, by the calendar as it was then.
    to: Option<jiff::Timestamp>,
    /// When it was read, UTC: captures that are younger are told of by this process.
    read: Option<jiff::Timestamp>,
    /// Captures that have been gone through.
    done: Mutex<BTreeSet<PathBuf>>,
}

/// A line of the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedEvent {
    event: u64,
    /// What kind of state the event is about, and the event without its time.
    state: Option<(StateKind, u64)>,
    /// Time on the timeline of its capture.
    t: Timestamp,
    at: jiff::Timestamp,
}

impl IndexedEvent {
    /// Returns what stands for an event that is told at a calendar time.
    pub(super) fn of(event: &Event, content: &str, at: jiff::Timestamp) -> Self {
        Self::new(event.kind.name(), content, event.at, at)
    }

    fn new(name: &str, content: &str, t: Timestamp, at: jiff::Timestamp) -> Self {
        let state = StateKind::of(name).map(|kind| (kind, hash(timeless(content))));
        Self { event: hash(content), state, t, at }
    }

    /// Returns when it was told, UTC.
    pub(super) const fn at(&self) -> jiff::Timestamp {
        self.at
    }
}

/// What stays as it is until the next event of its kind.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum StateKind {
    Link,
    Board,
    Clock,
    GameStart,
}

impl StateKind {
    /// Returns the kind for the name of an event, if that is about a state.
    fn of(name: &str) -> Option<Self> {
        match name {
            "link" => Some(Self::Link),
            "board" => Some(Self::Board),
            "clock" => Some(Self::Clock),
            "game-start" => Some(Self::GameStart),
            _ => None,
        }
    }
}

/// What every line of the log has.
#[derive(Deserialize)]
struct LineHead<'a> {
    #[serde(default)]
    seq: u64,
    at: Option<jiff::Timestamp>,
    #[serde(borrow)]
    t: Option<&'a RawValue>,
    #[serde(borrow)]
    board: Option<Cow<'a, str>>,
    #[serde(borrow, default, rename = "event")]
    name: Cow<'a, str>,
}

/// How far the log goes for one capture.
#[derive(Debug)]
pub(crate) struct Watermark<'a> {
    event_index: &'a EventIndex,
    started: jiff::Timestamp,
}

impl EventIndex {
    /// Reads the end of a log, and that of the file before it if the log has just been rotated.
    pub(crate) fn read(log: &Path) -> Self {
        let read = |path: &Path, limit: u64| {
            tail(path, limit).unwrap_or_else(|error| {
                error!(file = %path.display(), %error, "cannot find out what has been told; nothing is told again");
                (Vec::new(), true)
            })
        };
        let (newer, cut) = read(log, TAIL);
        let left = TAIL.saturating_sub(u64::try_from(newer.len()).unwrap_or(TAIL));
        let (older, is_part) =
            if cut { (Vec::new(), true) } else { read(&log.with_added_extension("1"), left) };
        let to = modified(log).or_else(|| modified(&log.with_added_extension("1")));
        let mut event_index = Self { read: Some(SystemClock::start().started()), to, ..Self::default() };
        for line in older.split(|byte| *byte == b'\n').chain(newer.split(|byte| *byte == b'\n')) {
            event_index.add_line(line);
        }
        // A log that has been rotated once may have been rotated twice.
        if !is_part && older.is_empty() {
            event_index.from = None;
        } else if event_index.from.is_none() {
            event_index.from = Some(jiff::Timestamp::MAX);
        }
        event_index
    }

    /// Makes an index of what was told; what is older than `from` was told as well.
    pub(super) fn of<'a>(told: impl Iterator<Item = (&'a str, IndexedEvent)>, from: jiff::Timestamp) -> Self {
        let mut event_index = Self { from: Some(from), read: Some(jiff::Timestamp::MAX), ..Self::default() };
        for (board, entry) in told {
            event_index.to = event_index.to.max(Some(entry.at));
            event_index.boards.entry(board.to_owned()).or_default().push(entry);
        }
        event_index
    }

    fn add_line(&mut self, line: &[u8]) {
        let Ok(line) = str::from_utf8(line) else { return };
        let Ok(LineHead { seq, at, t, board, name }) = serde_json::from_str(line) else { return };
        self.seq = self.seq.max(seq);
        let t = t.and_then(|t| t.get().parse::<Timestamp>().ok());
        let (Some(at), Some(t), Some(board)) = (at, t, board) else { return };
        self.from.get_or_insert(at);
        let entry = IndexedEvent::new(&name, content_of_line(line), t, at);
        self.boards.entry(board.into_owned()).or_default().push(entry);
    }

    /// Tells whether the log has the event of a line of another log.
    pub(super) fn has_line(&self, board: &str, line: &str) -> bool {
        let event = hash(content_of_line(line));
        self.boards.get(board).is_some_and(|entries| entries.iter().any(|entry| entry.event == event))
    }

    /// Returns the number of the last event, 0 if there is none.
    pub(crate) const fn last_seq(&self) -> u64 {
        self.seq
    }

    /// Returns when the log ends, UTC; `None` if there is none.
    pub(crate) const fn end(&self) -> Option<jiff::Timestamp> {
        self.to
    }

    /// Tells how far the log goes for a capture that was begun at `started`, unless that has been asked for already.
    pub(crate) fn watermark(&self, capture: &Path, started: jiff::Timestamp) -> Option<Watermark<'_>> {
        // What seems to begin in the future is of an earlier process whose calendar was ahead.
        let is_old = self
            .read
            .is_none_or(|read| started < read || started > read.saturating_add(AHEAD).unwrap_or(read));
        (self.is_first(capture) && is_old).then_some(Watermark { event_index: self, started })
    }

    /// Tells whether a capture has not been gone through yet, once.
    pub(crate) fn is_first(&self, capture: &Path) -> bool {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(capture.to_owned())
    }
}

impl Watermark<'_> {
    /// Returns how far the log reaches on the capture's timeline.
    pub(crate) fn reach(&self, boards: &BTreeSet<&str>) -> Timestamp {
        let begun = |entry: &IndexedEvent| entry.at.saturating_sub(entry.t.since(Timestamp::ZERO));
        let is_own = |entry: &&IndexedEvent| {
            begun(entry).is_ok_and(|begun| begun.duration_since(self.started).abs() <= SLACK)
        };
        // From the first one on: the calendar may have been set meanwhile.
        let entries = boards.iter().flat_map(|board| self.entries(board).skip_while(|entry| !is_own(entry)));
        entries.map(|entry| entry.t).max().unwrap_or(Timestamp::ZERO)
    }

    /// Tells whether the log has an event.
    pub(crate) fn has(&self, event: &Event) -> bool {
        let hash = hash(&content_of(event));
        self.entries(&event.board).any(|entry| entry.event == hash)
    }

    /// Returns which of a capture's events the log lacks, by their places; `events` come with their calendar times.
    pub(crate) fn missing<'e>(
        &self,
        events: impl Iterator<Item = (&'e Event, jiff::Timestamp)>,
    ) -> BTreeSet<usize> {
        let mut boards: BTreeMap<&str, Vec<Replayed>> = BTreeMap::new();
        for (place, (event, at)) in events.enumerate() {
            let replayed = Replayed {
                place,
                indexed: IndexedEvent::of(event, &content_of(event), at),
                is_alert: matches!(event.kind, EventKind::Alert(_)),
            };
            boards.entry(&event.board).or_default().push(replayed);
        }
        boards.into_iter().flat_map(|(board, events)| self.missing_of(board, &events)).collect()
    }

    fn missing_of(&self, board: &str, events: &[Replayed]) -> Vec<usize> {
        let mut places: HashMap<u64, Vec<usize>> = HashMap::new();
        for (index, replayed) in events.iter().enumerate() {
            places.entry(replayed.indexed.event).or_default().push(index);
        }
        // The same may be told several times in one instant, such as a piece that flickers.
        let mut told: HashMap<u64, usize> = HashMap::new();
        let mut last = None;
        for entry in self.entries(board) {
            let count = told.entry(entry.event).or_default();
            if let Some(index) = places.get(&entry.event).and_then(|places| places.get(*count)) {
                last = last.max(Some(*index));
            }
            *count += 1;
        }
        let earlier = self.event_index.boards.get(board).into_iter().flatten();
        let earlier = earlier.filter(|entry| entry.at < self.started);
        let mut states: BTreeMap<StateKind, u64> = earlier.filter_map(|entry| entry.state).collect();
        let mut missing = Vec::new();
        let mut held = HashMap::new();
        for (index, Replayed { place, indexed, is_alert }) in events.iter().enumerate() {
            let count: &mut usize = held.entry(indexed.event).or_default();
            *count += 1;
            let is_told = told.get(&indexed.event).is_some_and(|times| *count <= *times);
            let is_after = last.is_none_or(|last| index > last);
            let is_known = self.event_index.from.is_some_and(|from| indexed.at < from);
            // States are told when they change, and a capture begins with all of them.
            let is_same =
                indexed.state.is_some_and(|(kind, state)| states.insert(kind, state) == Some(state));
            // Alerts may be told later than what came after them.
            if !is_told && !is_known && !is_same && (is_after || *is_alert) {
                missing.push(*place);
            }
        }
        missing
    }

    /// Returns the lines that may be about the capture: those after its beginning, also if the calendar was set back
    /// since.
    fn entries(&self, board: &str) -> impl Iterator<Item = &IndexedEvent> {
        let from = self.started.saturating_sub(SLACK).unwrap_or(self.started);
        self.event_index.boards.get(board).into_iter().flatten().skip_while(move |entry| entry.at < from)
    }
}

/// An event that a replay has met.
#[derive(Debug)]
struct Replayed {
    /// Its place among all events of the capture.
    place: usize,
    indexed: IndexedEvent,
    is_alert: bool,
}

/// Returns what stands for an event: the hash of its content.
pub(super) fn hash(content: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    hasher.finish()
}

/// Returns when a file was written to last, by the calendar as it was then.
fn modified(path: &Path) -> Option<jiff::Timestamp> {
    let time = fs::metadata(path).and_then(|meta| meta.modified()).ok()?;
    jiff::Timestamp::try_from(time).ok()
}

/// Reads the end of a file; tells whether that is not all of it.
pub(super) fn tail(path: &Path, limit: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok((Vec::new(), false)),
        Err(error) => return Err(error),
    };
    let start = file.metadata()?.len().saturating_sub(limit);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    if start > 0 {
        let first = bytes.iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| end + 1);
        bytes.drain(..first);
    }
    Ok((bytes, start > 0))
}

#[cfg(test)]
mod tests;
