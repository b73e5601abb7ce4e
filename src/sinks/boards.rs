//! Owns the state of each board as a small file: what `jadoube boards` shows, also while no daemon runs.
//!
//! One file per board, `STATE_DIR/boards/NAME.json`, replaced as a whole so that a reader never sees half of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::{
    select,
    sync::broadcast::{self, error::RecvError},
    task::spawn_blocking,
    time::interval,
};
use tracing::{debug, error, info};

use super::Published;
use crate::{
    alert::AlertState,
    daemon::heart::Heart,
    event::{EventKind, LinkState, Times, side_name},
    metrics::Health,
    port::{STALE, slug},
};

/// How often changed states are written.
const PERIOD: Duration = Duration::from_secs(1);

/// Most states that are written in one period; in a larger hall each waits for its turn.
const MOST: usize = 100;

/// What is known about a board.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct Snapshot {
    /// Serial number, once the board has told it.
    pub(crate) serial: Option<String>,
    /// The device or address.
    pub(crate) port: String,
    /// Whether bytes flow.
    pub(crate) up: bool,
    /// White's and Black's time, seconds, unless there is no clock.
    pub(crate) clock: Option<(u32, u32)>,
    /// Whose time runs.
    pub(crate) running: Option<String>,
    /// Number of the game, 0 before the first.
    pub(crate) game: u32,
    /// Number of the last ply.
    pub(crate) ply: u32,
    /// Alerts that nobody has dealt with.
    pub(crate) alerts: BTreeSet<String>,
    /// Calendar time of the last event.
    pub(crate) updated: Option<jiff::Timestamp>,
}

impl Snapshot {
    /// Takes an event in.
    fn apply(&mut self, published: &Published) {
        self.updated = Some(published.at);
        self.port = published.port.to_string();
        match &published.event.kind {
            EventKind::Link { state, .. } => self.up = *state == LinkState::Up,
            EventKind::Board { serial, .. } => self.serial.clone_from(serial),
            EventKind::Press { clock, .. } => self.clock = Some(times(*clock)),
            EventKind::Clock { clock, running, .. } => {
                self.clock = clock.map(times);
                self.running = running.map(|side| side_name(side).to_owned());
            }
            EventKind::GameStart { game, .. } => {
                self.game = *game;
                self.ply = 0;
                self.alerts.clear();
            }
            EventKind::Move(played) => self.ply = played.ply,
            EventKind::Retract { ply, .. } => self.ply = ply.saturating_sub(1),
            EventKind::Alert(alert) => self.mark(&alert.id, alert.state),
            EventKind::AlertUpdate(update) => self.mark(&update.id, update.state),
            EventKind::Lift { .. }
            | EventKind::Place { .. }
            | EventKind::Result { .. }
            | EventKind::Game(_)
            | EventKind::Entry { .. }
            | EventKind::Log { .. } => {}
        }
    }

    fn mark(&mut self, alert: &str, state: AlertState) {
        match state {
            AlertState::Open | AlertState::Acknowledged => self.alerts.insert(alert.to_owned()),
            AlertState::Expired | AlertState::Confirmed | AlertState::Dismissed | AlertState::Corrected => {
                self.alerts.remove(alert)
            }
        };
    }
}

const fn times(times: Times) -> (u32, u32) {
    (times.white, times.black)
}

/// The states of all boards, by file name, and which of them have changed.
#[derive(Debug, Default)]
struct Boards {
    known: BTreeMap<String, Snapshot>,
    changed: BTreeSet<String>,
    /// Whose turn it is.
    turn: String,
    /// Files of boards that are known by another name.
    renamed: BTreeSet<String>,
}

impl Boards {
    fn apply(&mut self, published: &Published) {
        let name = slug(&published.event.board);
        // Before it has told its number a board is called like its port; the event that tells it is the first one under
        // the new name.
        let is_named = matches!(published.event.kind, EventKind::Board { .. });
        let is_early = |known: &Snapshot| known.serial.is_none() && *known.port == *published.port;
        let mut others = self.known.iter().filter(|(other, _)| **other != name);
        let early = if is_named { others.find(|(_, known)| is_early(known)) } else { None };
        if let Some(unnamed) = early.map(|(unnamed, _)| unnamed.clone()) {
            let early = self.known.remove(&unnamed).unwrap_or_default();
            self.changed.remove(&unnamed);
            self.renamed.insert(unnamed);
            let snapshot = self.known.entry(name.clone()).or_default();
            snapshot.up = early.up;
            snapshot.clock = early.clock.or(snapshot.clock);
        }
        self.renamed.remove(&name);
        self.known.entry(name.clone()).or_default().apply(published);
        self.changed.insert(name);
    }

    /// Returns what has to be written, so many states at most, and removed.
    fn take_changes(&mut self, most: usize) -> (Vec<(String, Snapshot)>, BTreeSet<String>) {
        let waiting = self.changed.split_off(&self.turn);
        let mut names = waiting.into_iter().chain(std::mem::take(&mut self.changed)).peekable();
        let changed = names.by_ref().take(most);
        let changed = changed.filter_map(|name| self.known.get(&name).cloned().map(|state| (name, state)));
        let changed = changed.collect();
        self.turn = names.peek().cloned().unwrap_or_default();
        self.changed = names.collect();
        (changed, std::mem::take(&mut self.renamed))
    }
}

/// Writes the states until there are no more events.
pub(crate) async fn run(
    mut events: broadcast::Receiver<Arc<Published>>,
    state_dir: PathBuf,
    now: jiff::Timestamp,
    health: Health,
    heart: Heart,
) {
    let directory = state_dir.join("boards");
    let reading = directory.clone();
    let known = spawn_blocking(move || begin(&reading, now)).await.unwrap_or_default();
    let mut boards = Boards { changed: known.keys().cloned().collect(), known, ..Boards::default() };
    let mut beats = interval(heart.period());
    let mut period = interval(PERIOD);
    let mut failed = false;
    let mut more = true;
    while more {
        let mut due = false;
        select! {
            received = events.recv() => match received {
                Ok(event) if event.is_of_board() => boards.apply(&event),
                Ok(_) => {}
                Err(RecvError::Lagged(missed)) => debug!(missed, "states of boards miss events"),
                Err(RecvError::Closed) => more = false,
            },
            _ = period.tick() => due = true,
            _ = beats.tick() => {}
        }
        heart.beat();
        if more && !due {
            continue;
        }
        let (changed, renamed) = boards.take_changes(if more { MOST } else { usize::MAX });
        if changed.is_empty() && renamed.is_empty() {
            continue;
        }
        let names: Vec<String> = changed.iter().map(|(name, _)| name.clone()).collect();
        let target = directory.clone();
        let written = heart.during(spawn_blocking(move || write_all(&target, &changed, &renamed))).await;
        match written {
            Ok(Ok(())) if failed => {
                failed = false;
                health.set("boards", None);
                info!("states of boards are written again");
            }
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                if !failed {
                    error!(%error, directory = %directory.display(), "cannot write the states of boards; tried again");
                }
                failed = true;
                health.set("boards", Some(format!("cannot write {}: {error}", directory.display())));
                boards.changed.extend(names);
            }
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return,
        }
    }
}

/// Reads the states that an earlier process left; what is history is removed, and no link is up.
fn begin(directory: &Path, now: jiff::Timestamp) -> BTreeMap<String, Snapshot> {
    let mut known = BTreeMap::new();
    for (path, mut snapshot) in read_all(directory).unwrap_or_default() {
        let age = snapshot.updated.and_then(|updated| Duration::try_from(now.duration_since(updated)).ok());
        if age.is_some_and(|age| age > STALE) {
            if let Err(error) = fs::remove_file(&path) {
                debug!(%error, file = %path.display(), "old state not removed");
            }
            continue;
        }
        snapshot.up = false;
        if let Some(name) = path.file_stem().and_then(|name| name.to_str()) {
            known.insert(name.to_owned(), snapshot);
        }
    }
    known
}

/// Reads the states of all boards, sorted by file name; files that are no states are left out.
///
/// # Errors
///
/// Returns an error if the directory cannot be read.
pub(crate) fn read_all(directory: &Path) -> io::Result<Vec<(PathBuf, Snapshot)>> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(directory)?.filter_map(Result::ok).map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "json"));
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).ok()?;
        Some((path, serde_json::from_slice(&bytes).ok()?))
    };
    Ok(paths.into_iter().filter_map(read).collect())
}

fn write_all(directory: &Path, changed: &[(String, Snapshot)], renamed: &BTreeSet<String>) -> io::Result<()> {
    fs::create_dir_all(directory)?;
    for (name, snapshot) in changed {
        let temporary = directory.join(format!("{name}.new"));
        fs::write(&temporary, serde_json::to_vec(snapshot)?)?;
        fs::rename(&temporary, directory.join(format!("{name}.json")))?;
    }
    for name in renamed {
        match fs::remove_file(directory.join(format!("{name}.json"))) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
