//! Owns the states of all boards as a file: what `jadoube boards` shows, also while no daemon runs.
//!
//! A state is an extract of the [`View`], which alone follows the events. One file for all, `STATE_DIR/boards.json`, replaced as a whole so that a reader never sees half of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize, Serializer};
use tokio::{select, sync::broadcast::error::RecvError, task::spawn_blocking, time::interval};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use super::STALE;
use crate::{
    metrics::Health,
    published::EventSource,
    view::{BoardView, Boards, View, early_name},
};
use jadoube_core::side::side_name;
use jadoube_runtime::{
    private,
    replace::{Durability, kept_aside, replace},
    watchdog::Heartbeat,
};

/// How often changed states are written.
const PERIOD: Duration = Duration::from_secs(1);

/// The file's name in the state directory.
pub(crate) const FILE: &str = "boards.json";

/// What is known about a board.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default)]
pub(crate) struct BoardSnapshot {
    /// Serial number, once the board has reported it.
    pub(crate) serial: Option<String>,
    /// The device or address.
    pub(crate) port: String,
    /// Whether bytes flow.
    pub(crate) up: bool,
    /// White's and Black's time, seconds, unless there is no clock.
    pub(crate) clock: Option<(u32, u32)>,
    /// Whose time runs.
    pub(crate) running: Option<String>,
    /// Firmware.
    pub(crate) version: Option<String>,
    /// Charge of its battery, percent, if it has one.
    pub(crate) battery: Option<u8>,
    /// Whether White sits at the other side than the connector's left.
    pub(crate) rotated: bool,
    /// Whether the clock shows its battery sign.
    pub(crate) low_battery: bool,
    /// Number of the game, 0 before the first.
    pub(crate) game: u32,
    /// Number of the last ply.
    pub(crate) ply: u32,
    /// Alerts that nobody has dealt with.
    pub(crate) alerts: BTreeSet<String>,
    /// Calendar time of the last event.
    pub(crate) updated: Option<jiff::Timestamp>,
}

impl BoardSnapshot {
    fn of(board: &BoardView) -> Self {
        // A clock that is not connected shows nothing; the view remembers what it showed last.
        let clock = board.clock.as_ref().filter(|clock| clock.connected);
        Self {
            serial: board.serial.clone(),
            port: board.port.to_string(),
            up: board.up,
            clock: clock.map(|clock| (clock.times.white, clock.times.black)),
            running: clock.and_then(|clock| clock.running).map(|side| side_name(side).to_owned()),
            version: board.version.clone(),
            battery: board.battery,
            rotated: board.rotated,
            low_battery: clock.is_some_and(|clock| clock.low_battery),
            game: board.game.as_ref().map_or(0, |game| game.number),
            ply: board.ply(),
            alerts: board.open_alerts().map(|(id, _)| id.to_owned()).collect(),
            updated: board.updated,
        }
    }
}

/// A board whose state is to be written; the extract of one in the view is made only then, so that they are not all in memory at once.
enum Known<'a> {
    Earlier(&'a BoardSnapshot),
    Now(&'a BoardView),
}

impl Serialize for Known<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Earlier(snapshot) => snapshot.serialize(serializer),
            Self::Now(board) => BoardSnapshot::of(board).serialize(serializer),
        }
    }
}

/// Writes the states of all boards by name: those of the view, and those of `earlier` that it does not know.
fn write_all(
    earlier: &BTreeMap<String, BoardSnapshot>,
    boards: &Boards,
) -> Result<String, serde_json::Error> {
    let mut known: BTreeMap<&str, Known<'_>> =
        earlier.iter().map(|(name, snapshot)| (name.as_str(), Known::Earlier(snapshot))).collect();
    // A board has its port's name until it has reported its number.
    for board in boards.values().filter(|board| board.serial.is_some() || board.long_serial.is_some()) {
        known.remove(early_name(&board.port));
    }
    known.extend(boards.values().map(|board| (&*board.name, Known::Now(board))));
    serde_json::to_string(&known)
}

/// Writes the states until there are no more events.
pub(crate) async fn run(
    events: EventSource,
    view: View,
    file: PathBuf,
    now: jiff::Timestamp,
    health: Health,
    heartbeat: Heartbeat,
    shutdown: CancellationToken,
) {
    let reading = file.clone();
    let earlier = spawn_blocking(move || begin(&reading, now)).await.unwrap_or_default();
    let mut written = Arc::default();
    let mut seen = None;
    let mut beats = interval(heartbeat.period());
    let mut period = interval(PERIOD);
    let mut failed = false;
    let mut more = true;
    while more {
        select! {
            _ = period.tick() => {}
            _ = beats.tick() => {
                heartbeat.beat();
                continue;
            }
            () = shutdown.cancelled() => {
                heartbeat.during(end(&events)).await;
                more = false;
            }
        }
        heartbeat.beat();
        let version = (view.seq(), view.restored());
        if seen == Some(version) {
            continue;
        }
        seen = Some(version);
        let states = match write_all(&earlier, &view.read().1) {
            Ok(states) => Arc::new(states),
            Err(error) => {
                error!(%error, "the states of boards make no JSON");
                continue;
            }
        };
        if states == written {
            // It is there from before the disk failed.
            recover(&mut failed, &health);
            continue;
        }
        let (target, json) = (file.clone(), states.clone());
        let write = move || replace(&target, json.as_bytes(), Durability::Volatile);
        match heartbeat.during(spawn_blocking(write)).await {
            Ok(Ok(())) => {
                written = states;
                recover(&mut failed, &health);
            }
            Ok(Err(error)) => {
                if !failed {
                    error!(%error, file = %file.display(), "cannot write the states of boards; tried again");
                }
                failed = true;
                health.set("boards", Some(format!("cannot write {}: {error}", file.display())));
                seen = None;
            }
            Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
            Err(_) => return,
        }
    }
}

/// Notes that the file holds what it should.
fn recover(failed: &mut bool, health: &Health) {
    if std::mem::take(failed) {
        health.set("boards", None);
        info!("states of boards are written again");
    }
}

/// Waits until nobody can report of anything more. Before that the view is enough, which has every event already.
async fn end(events: &EventSource) {
    let Some(mut events) = events.subscribe() else { return };
    while !matches!(events.recv().await, Err(RecvError::Closed)) {}
}

/// Reads the states that an earlier process left; what is history is left out, and no link is up.
fn begin(file: &Path, now: jiff::Timestamp) -> BTreeMap<String, BoardSnapshot> {
    let mut known = match private::read(file).map(|bytes| parse(&bytes)) {
        Ok(Ok(known)) => known,
        Ok(Err(error)) => {
            let kept = kept_aside(file);
            error!(%error, file = %file.display(), kept, "is damaged; what was known of boards that are away is lost");
            BTreeMap::new()
        }
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
pub(crate) fn read(file: &Path) -> io::Result<BTreeMap<String, BoardSnapshot>> {
    Ok(parse(&private::read(file)?)?)
}

fn parse(bytes: &[u8]) -> serde_json::Result<BTreeMap<String, BoardSnapshot>> {
    serde_json::from_slice(bytes)
}

#[cfg(test)]
mod tests;
