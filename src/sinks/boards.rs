//! Owns the states of all boards as a file: what `jadoube boards` shows, also while no daemon runs.
//!
//! One file for all, `STATE_DIR/boards.json`, replaced as a whole so that a reader never sees half of it.

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

use super::STALE;
use crate::{metrics::Health, published::Published};
use jadoube_core::{
    alert::AlertState,
    event::{EventKind, LinkState, Times},
    side::side_name,
};
use jadoube_runtime::{private, watchdog::Heartbeat};

/// How often changed states are written.
const PERIOD: Duration = Duration::from_secs(1);

/// The file's name in the state directory.
pub(crate) const FILE: &str = "boards.json";

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
            AlertState::Expired
            | AlertState::Confirmed
            | AlertState::Dismissed
            | AlertState::Corrected
            | AlertState::Ended => self.alerts.remove(alert),
        };
    }
}

const fn times(times: Times) -> (u32, u32) {
    (times.white, times.black)
}

/// The states of all boards, by name.
#[derive(Debug, Default)]
struct Snapshots {
    known: BTreeMap<String, Snapshot>,
    changed: bool,
}

impl Snapshots {
    fn apply(&mut self, published: &Published) {
        let name = &*published.event.board;
        // Before it has told its number a board is called like its port; the event that tells it is the first one under
        // the new name.
        let is_named = matches!(published.event.kind, EventKind::Board { .. });
        let is_early = |known: &Snapshot| known.serial.is_none() && *known.port == *published.port;
        let mut others = self.known.iter().filter(|(other, _)| *other != name);
        let early = if is_named { others.find(|(_, known)| is_early(known)) } else { None };
        if let Some(unnamed) = early.map(|(unnamed, _)| unnamed.clone()) {
            let early = self.known.remove(&unnamed).unwrap_or_default();
            let snapshot = self.known.entry(name.to_owned()).or_default();
            snapshot.up = early.up;
            snapshot.clock = early.clock.or(snapshot.clock);
        }
        match self.known.get_mut(name) {
            Some(known) => known.apply(published),
            None => self.known.entry(name.to_owned()).or_default().apply(published),
        }
        self.changed = true;
    }
}

/// Writes the states until there are no more events.
pub(crate) async fn run(
    mut events: broadcast::Receiver<Arc<Published>>,
    file: PathBuf,
    now: jiff::Timestamp,
    health: Health,
    heartbeat: Heartbeat,
) {
    let reading = file.clone();
    let known = spawn_blocking(move || begin(&reading, now)).await.unwrap_or_default();
    let mut boards = Snapshots { changed: !known.is_empty(), known };
    let mut beats = interval(heartbeat.period());
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
        heartbeat.beat();
        if more && !due || !std::mem::take(&mut boards.changed) {
            continue;
        }
        let states = serde_json::to_vec(&boards.known).map_err(io::Error::from);
        let target = file.clone();
        let write = move || states.and_then(|states| write(&target, &states));
        match heartbeat.during(spawn_blocking(write)).await {
            Ok(Ok(())) if failed => {
                failed = false;
                health.set("boards", None);
                info!("states of boards are written again");
            }
            Ok(Ok(())) => {}
            Ok(Err(error)) => {
                if !failed {
                    error!(%error, file = %file.display(), "cannot write the states of boards; tried again");
                }
                failed = true;
                health.set("boards", Some(format!("cannot write {}: {error}", file.display())));
                boards.changed = true;
            }
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return,
        }
    }
}

/// Reads the states that an earlier process left; what is history is left out, and no link is up.
fn begin(file: &Path, now: jiff::Timestamp) -> BTreeMap<String, Snapshot> {
    let mut known = match read(file) {
        Ok(known) => known,
        Err(error) if error.kind() == io::ErrorKind::NotFound => BTreeMap::new(),
        Err(error) => {
            error!(%error, file = %file.display(), "cannot read what was known of boards; it is written anew");
            BTreeMap::new()
        }
    };
    known.retain(|_, snapshot| {
        snapshot.up = false;
        let age = snapshot.updated.and_then(|updated| Duration::try_from(now.duration_since(updated)).ok());
        age.is_none_or(|age| age <= STALE)
    });
    known
}

/// Reads the states of all boards, by name.
///
/// # Errors
///
/// Returns an error if the file cannot be read or does not hold states.
pub(crate) fn read(file: &Path) -> io::Result<BTreeMap<String, Snapshot>> {
    Ok(serde_json::from_slice(&fs::read(file)?)?)
}

fn write(file: &Path, states: &[u8]) -> io::Result<()> {
    let temporary = file.with_extension("new");
    private::write(&temporary, states)?;
    fs::rename(&temporary, file)
}

#[cfg(test)]
mod tests;
