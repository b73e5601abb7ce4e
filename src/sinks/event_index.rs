//! Knows, after a restart, what the event log reports already, so that what is missing there can be reported and nothing twice.
//!
//! The capture has every byte before anything follows from it; the log is written a moment later. A program that is
//! killed in between has events that nobody was sent. Recovery replays the capture and asks the event index how far the
//! log goes: for each board and capture the last event, as events of a board are reported in order, and all alerts, as an alert
//! may be reported later than what came after it.

mod unnumbered;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
    fs,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use jiff::SignedDuration;
use serde::Deserialize;
use serde_json::value::RawValue;
use tracing::error;

use self::unnumbered::{Unnumbered, UnnumberedLine};
use crate::published::{EventId, Ordinal};
use jadoube_core::{
    event::{Event, EventKind},
    time::Timestamp,
};
use jadoube_runtime::{clock::SystemClock, private};

/// How much of the log is read; what was reported longer ago is not asked for.
const TAIL: u64 = 8 << 20;

/// A capture cannot have begun so long after the log was read while the event index is in use.
const AHEAD: SignedDuration = SignedDuration::from_mins(2);

/// What the event log reports.
#[derive(Debug, Default)]
pub(crate) struct EventIndex {
    /// The log.
    log: Option<PathBuf>,
    boards: HashMap<String, BoardIndex>,
    /// Number of the last event, 0 if there is none.
    seq: u64,
    /// Time of the oldest line, if older ones are not known.
    from: Option<jiff::Timestamp>,
    /// When it was written to last, by the calendar as it was then.
    to: Option<jiff::Timestamp>,
    /// When it was read, UTC: captures that are younger are reported of by this process.
    read: Option<jiff::Timestamp>,
    /// By how much the calendar was set forth since the process before this one.
    set_forth: SignedDuration,
    /// Captures that have been gone through.
    done: Mutex<BTreeSet<PathBuf>>,
}

/// What it reports of one board.
#[derive(Debug, Default)]
struct BoardIndex {
    /// Its captures, by when they began.
    captures: HashMap<i64, CaptureIndex>,
    unnumbered: Vec<UnnumberedLine>,
}

/// What it reports of a board in one capture.
#[derive(Debug, Default)]
struct CaptureIndex {
    last: Position,
    alerts: BTreeSet<Position>,
    /// What was raised: where a line of the capture is damaged, a replay raises the same at another time.
    raised: BTreeSet<RaisedAlert>,
    /// Its last game, if lines of the log reported it.
    game: IndexedGame,
}

/// How much of a game the log reports.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct IndexedGame {
    /// Plies.
    pub(crate) plies: u32,
    /// Whether it has a result.
    pub(crate) is_over: bool,
}

/// Where an event stands among those of its board in a capture: when, and which of several at that time.
type Position = (Timestamp, u32);

/// An alert: its id, what it is about, and the ply it hangs on.
type RaisedAlert = (String, String, u32);

/// A line of the log.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexedEvent {
    capture: i64,
    position: Position,
    is_alert: bool,
    /// When it was reported, UTC.
    at: jiff::Timestamp,
}

impl IndexedEvent {
    /// Returns what stands for an event that is reported at a calendar time.
    pub(super) const fn of(event: &Event, ordinal: Ordinal, at: jiff::Timestamp) -> Self {
        let is_alert = matches!(event.kind, EventKind::Alert(_) | EventKind::AlertUpdate(_));
        Self { capture: ordinal.capture, position: (event.at, ordinal.nth), is_alert, at }
    }

    /// Returns when it was reported, UTC.
    pub(super) const fn at(&self) -> jiff::Timestamp {
        self.at
    }

    /// Returns its capture, by when that began.
    pub(super) const fn capture(&self) -> i64 {
        self.capture
    }

    /// Returns whether it is an alert, or a change of one.
    pub(super) const fn is_alert(&self) -> bool {
        self.is_alert
    }

    /// Returns the one of two events of a board in a capture that comes later.
    pub(super) fn later(self, other: Self) -> Self {
        if other.position > self.position { other } else { self }
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
    capture: Option<i64>,
    nth: Option<u32>,
    #[serde(borrow)]
    id: Option<Cow<'a, str>>,
    #[serde(borrow)]
    code: Option<Cow<'a, str>>,
    ply: Option<u32>,
    #[serde(borrow)]
    result: Option<Cow<'a, str>>,
}

/// How far the log goes for one capture.
#[derive(Debug)]
pub(crate) struct Watermark<'a> {
    event_index: &'a EventIndex,
    capture: i64,
    from: Option<jiff::Timestamp>,
    unnumbered: BTreeMap<&'a str, Unnumbered<'a>>,
}

/// By how much the leap of a calendar may be reported wrongly: it is known in whole seconds, of two times.
const ROUNDED: SignedDuration = SignedDuration::from_secs(2);

impl EventIndex {
    /// Knows that the calendar was set forth before this process began.
    pub(crate) const fn after_leap(mut self, set_forth: SignedDuration) -> Self {
        self.set_forth = set_forth;
        self
    }

    /// Says when a file was written, by the calendar as it is now; `written` is by the calendar as it was then.
    pub(crate) fn as_set_now(&self, written: jiff::Timestamp) -> jiff::Timestamp {
        let later = written.checked_add(self.set_forth).unwrap_or(written);
        let Some(read) = self.read else { return later };
        // What this process has written has its time by the calendar as it is.
        if later.duration_since(read) > ROUNDED { written } else { later.min(read) }
    }

    /// Reads the end of a log, and that of the file before it if the log has just been rotated.
    pub(crate) fn read(log: &Path) -> Self {
        let read = |path: &Path, limit: u64| {
            tail(path, limit).unwrap_or_else(|error| {
                error!(file = %path.display(), %error, "cannot find out what has been reported; nothing is reported again");
                (Vec::new(), true)
            })
        };
        let (newer, cut) = read(log, TAIL);
        let left = TAIL.saturating_sub(u64::try_from(newer.len()).unwrap_or(TAIL));
        let (older, is_part) =
            if cut { (Vec::new(), true) } else { read(&log.with_added_extension("1"), left) };
        let to = modified(log).or_else(|| modified(&log.with_added_extension("1")));
        let mut event_index = Self {
            log: Some(log.to_owned()),
            read: Some(SystemClock::start().started()),
            to,
            ..Self::default()
        };
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

    /// Makes an index of what was reported; what is older than `from` was reported as well.
    pub(super) fn of<'a>(
        reported: impl Iterator<Item = (&'a str, IndexedEvent)>,
        from: jiff::Timestamp,
    ) -> Self {
        let mut event_index = Self { from: Some(from), read: Some(jiff::Timestamp::MAX), ..Self::default() };
        for (board, entry) in reported {
            event_index.to = event_index.to.max(Some(entry.at));
            event_index.add(board, &entry);
        }
        event_index
    }

    fn add_line(&mut self, line: &[u8]) {
        let Ok(line) = str::from_utf8(line) else { return };
        let Ok(LineHead { seq, at, t, board, name, capture, nth, id, code, ply, result }) =
            serde_json::from_str(line)
        else {
            return;
        };
        self.seq = self.seq.max(seq);
        let t = t.and_then(|t| t.get().parse::<Timestamp>().ok());
        let (Some(at), Some(t), Some(board)) = (at, t, board) else { return };
        self.from.get_or_insert(at);
        if let (Some(capture), Some(nth)) = (capture, nth) {
            let is_alert = matches!(&*name, "alert" | "alert-update");
            let reported = self.add(&board, &IndexedEvent { capture, position: (t, nth), is_alert, at });
            let game = &mut reported.game;
            match (&*name, ply) {
                ("alert", Some(ply)) => {
                    let alert = id.zip(code).map(|(id, code)| (id.into_owned(), code.into_owned(), ply));
                    reported.raised.extend(alert);
                }
                ("game-start", _) => *game = IndexedGame::default(),
                ("move", Some(ply)) => game.plies = game.plies.max(ply),
                ("retract", Some(ply)) => game.plies = ply.saturating_sub(1),
                ("result", _) => game.is_over = result.is_some_and(|result| result != "*"),
                _ => {}
            }
        } else {
            let alert = id.filter(|_| name == "alert").map(Cow::into_owned);
            self.board(&board).unnumbered.push(UnnumberedLine { at, t, alert });
        }
    }

    fn add(&mut self, board: &str, entry: &IndexedEvent) -> &mut CaptureIndex {
        let reported = self.board(board).captures.entry(entry.capture).or_default();
        reported.last = reported.last.max(entry.position);
        if entry.is_alert {
            reported.alerts.insert(entry.position);
        }
        reported
    }

    fn board(&mut self, board: &str) -> &mut BoardIndex {
        self.boards.entry(board.to_owned()).or_default()
    }

    /// Returns whether the log has an alert, or an update of one.
    pub(super) fn has_alert(&self, EventId { board, capture, t, nth }: &EventId) -> bool {
        let reported = self.boards.get(board).and_then(|board| board.captures.get(capture));
        reported.is_some_and(|reported| reported.alerts.contains(&(*t, *nth)))
    }

    /// Returns the number of the last event, 0 if there is none.
    pub(crate) const fn last_seq(&self) -> u64 {
        self.seq
    }

    /// Returns when the log ends, UTC; `None` if there is none.
    pub(crate) const fn end(&self) -> Option<jiff::Timestamp> {
        self.to
    }

    /// Returns the log, unless this is what a port has reported in this process.
    pub(crate) fn log(&self) -> Option<&Path> {
        self.log.as_deref()
    }

    /// Returns whether this is what an event log has, and not what a port has reported in this process.
    pub(crate) fn is_of_log(&self) -> bool {
        self.read != Some(jiff::Timestamp::MAX)
    }

    /// Returns when the oldest line is of, UTC, if older ones are not known.
    pub(crate) const fn from(&self) -> Option<jiff::Timestamp> {
        self.from
    }

    /// Says how far the log goes for a capture that was begun at `started`, unless that has been asked for already.
    pub(crate) fn watermark(&self, capture: &Path, started: jiff::Timestamp) -> Option<Watermark<'_>> {
        // What seems to begin in the future is of an earlier process whose calendar was ahead.
        let is_old = self
            .read
            .is_none_or(|read| started < read || started > read.saturating_add(AHEAD).unwrap_or(read));
        (self.is_first(capture) && is_old).then(|| Watermark {
            event_index: self,
            capture: started.as_microsecond(),
            from: self.from,
            unnumbered: self
                .boards
                .iter()
                .filter(|(_, board)| !board.unnumbered.is_empty())
                .map(|(name, board)| (name.as_str(), Unnumbered::of(&board.unnumbered, started)))
                .collect(),
        })
    }

    /// Returns what the log reports of the last game of each board in the capture that began at `started`.
    pub(crate) fn games(&self, started: jiff::Timestamp) -> impl Iterator<Item = (&str, IndexedGame)> {
        let capture = started.as_microsecond();
        self.boards
            .iter()
            .filter_map(move |(name, board)| Some((name.as_str(), board.captures.get(&capture)?.game)))
    }

    /// Returns when the last event happened that the log reports of the capture that began at `started`.
    pub(crate) fn last_reported(&self, started: jiff::Timestamp) -> Option<Timestamp> {
        let capture = started.as_microsecond();
        let reported = self.boards.values().filter_map(|board| board.captures.get(&capture));
        reported.map(|reported| reported.last.0).max()
    }

    /// Returns whether the log knows a capture that began in a millisecond.
    pub(crate) fn knows(&self, started: jiff::Timestamp) -> bool {
        let millisecond = started.as_millisecond();
        let mut captures = self.boards.values().flat_map(|board| board.captures.keys());
        captures.any(|micros| micros.div_euclid(1000) == millisecond)
    }

    /// Returns when the capture of a board began exactly that began in a millisecond.
    pub(crate) fn exact_start(&self, board: &str, started: jiff::Timestamp) -> Option<jiff::Timestamp> {
        let millisecond = started.as_millisecond();
        let captures = self.boards.get(board)?.captures.keys();
        let exact = captures.filter_map(|micros| jiff::Timestamp::from_microsecond(*micros).ok());
        exact.filter(|exact| exact.as_millisecond() == millisecond).min()
    }

    /// Returns whether a capture has not been gone through yet, once.
    pub(crate) fn is_first(&self, capture: &Path) -> bool {
        self.done.lock().unwrap_or_else(PoisonError::into_inner).insert(capture.to_owned())
    }
}

impl Watermark<'_> {
    /// Counts as reported what is older than an instant, UTC, in place of what is older than the log.
    pub(crate) fn after(self, from: Option<jiff::Timestamp>) -> Self {
        Self { from, ..self }
    }

    /// Returns how far the log reaches on the capture's timeline: to just after its last event, so that what comes then is no
    /// event of that instant.
    pub(crate) fn reach(&self, boards: &BTreeSet<&str>) -> Timestamp {
        let numbered = boards.iter().filter_map(|board| self.reported(board)).map(|reported| reported.last.0);
        let unnumbered = boards.iter().filter_map(|board| self.unnumbered.get(board)?.last());
        let last = numbered.chain(unnumbered).max();
        last.map_or(Timestamp::ZERO, |last| last + Duration::from_micros(1))
    }

    /// Returns whether the log has an alert that is reported later than what came after it.
    pub(crate) fn has_alert(&self, event: &Event, ordinal: Ordinal) -> bool {
        self.event_index.has_alert(&EventId::of(event, ordinal))
            || self.has_raised(event)
            || self.unnumbered.get(&*event.board).is_some_and(|reported| reported.has_alert(event))
    }

    /// Returns whether the log has an alert of the same name that is about the same.
    fn has_raised(&self, event: &Event) -> bool {
        let EventKind::Alert(alert) = &event.kind else { return false };
        let raised = (alert.id.clone(), alert.code.name().to_owned(), alert.ply);
        self.reported(&event.board).is_some_and(|reported| reported.raised.contains(&raised))
    }

    /// Returns whether the log lacks an event of the capture, which became known at a calendar time.
    pub(crate) fn lacks(&self, event: &Event, ordinal: Ordinal, at: jiff::Timestamp) -> bool {
        if self.from.is_some_and(|from| at < from) {
            return false;
        }
        // What came before the last event and is missing has been lost, and the log says so; an alert may still be on its way.
        if matches!(event.kind, EventKind::Alert(_)) {
            return !self.has_alert(event, ordinal);
        }
        let position = (event.at, ordinal.nth);
        self.reported(&event.board).is_none_or(|reported| position > reported.last)
            && self.unnumbered.get(&*event.board).is_none_or(|reported| Some(event.at) > reported.last())
    }

    /// Returns whether the log has the capture by the name of a board that is not among these.
    pub(crate) fn has_another(&self, boards: &BTreeSet<&str>) -> bool {
        self.event_index
            .boards
            .iter()
            .any(|(name, board)| !boards.contains(&**name) && board.captures.contains_key(&self.capture))
    }

    fn reported(&self, board: &str) -> Option<&CaptureIndex> {
        self.event_index.boards.get(board)?.captures.get(&self.capture)
    }
}

/// Returns when a file was written to last, by the calendar as it was then.
fn modified(path: &Path) -> Option<jiff::Timestamp> {
    let time = fs::metadata(path).and_then(|meta| meta.modified()).ok()?;
    jiff::Timestamp::try_from(time).ok()
}

/// Reads the end of a file; says whether that is not all of it.
pub(crate) fn tail(path: &Path, limit: u64) -> io::Result<(Vec<u8>, bool)> {
    let mut file = match private::open(path) {
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
