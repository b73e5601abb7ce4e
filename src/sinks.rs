//! Owns what becomes of events outside the core: log files for people and programs, and the state of each board.
//!
//! Ports hand their events to one hub, which numbers them and hands them on to everybody who listens. A sink may be
//! slow, broken or full without delaying a board:
//!
//! | queue | size | when full |
//! |---|---|---|
//! | port → hub | 1024 | the port waits at most 2 s, then drops and counts; the hub itself never waits |
//! | hub → each sink | 4096 | the slowest sink misses the oldest events and writes a `gap` with their number |
//! | sink → disk | 1 MiB of lines | waits for a disk that takes no data, tried again every 10 s; beyond that the newest lines are lost and a `gap` tells how many |
//! | sink → board state | one per board | the newest wins, at most 100 writes a second |
//!
//! Writing happens outside of the runtime's threads, so that a disk that hangs holds up nobody but itself.

mod boards;
mod ledger;
mod logs;
mod text;

use std::{io, path::Path, sync::Arc, time::Duration};

use serde::Serialize;
use tokio::{
    select,
    sync::{broadcast, mpsc},
    time::interval,
};
use tracing::{error, warn};

pub(crate) use self::boards::{Snapshot, read_all as read_boards, run as run_boards};
pub(crate) use self::{
    ledger::{Ledger, Told},
    logs::{LogFile, run as run_logs},
    text::AlertText,
};
use crate::{
    daemon::heart::Heart,
    event::{Event, EventKind},
    view::{Boards, View},
};

/// Events that ports hand over and the hub has not taken yet.
pub(crate) const HUB_QUEUE: usize = 1024;

/// Events that a sink may be behind.
pub(crate) const SINK_QUEUE: usize = 4096;

/// What ports hand over.
#[derive(Clone, Debug)]
pub(crate) enum Outgoing {
    /// Something has happened.
    Event {
        /// The port it comes from.
        port: Arc<str>,
        /// When it became known, UTC.
        at: jiff::Timestamp,
        /// The event.
        event: Event,
    },
    /// What recovery has found out about the boards of a port; the outside has been told by an earlier process.
    History(Boards),
    /// How long a line with several boards takes to ask all of them once.
    Round {
        /// The port.
        port: Arc<str>,
        /// The time.
        round: Duration,
    },
}

/// An event as it leaves a running daemon.
#[derive(Clone, Debug, Serialize)]
pub struct Published {
    /// The port it comes from.
    #[serde(skip)]
    pub port: Arc<str>,
    /// The event.
    #[serde(flatten)]
    pub event: Event,
    /// When it became known, UTC.
    pub at: jiff::Timestamp,
    /// Its number, one more than that of the event before it, also over restarts.
    pub seq: u64,
}

impl Published {
    /// Returns the event as one line of JSON.
    #[must_use]
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|error| {
            error!(%error, "an event cannot be written as JSON");
            String::new()
        })
    }

    /// Tells whether it is about an alert.
    #[must_use]
    pub const fn is_alert(&self) -> bool {
        matches!(self.event.kind, EventKind::Alert(_) | EventKind::AlertUpdate(_))
    }
}

/// Numbers the events of all ports and hands them on; ends when no port is left.
pub(crate) async fn run_hub(
    mut from_ports: mpsc::Receiver<Outgoing>,
    to_sinks: broadcast::Sender<Arc<Published>>,
    view: View,
    mut seq: u64,
    heart: Heart,
) {
    let mut beats = interval(heart.period());
    loop {
        select! {
            outgoing = from_ports.recv() => {
                match outgoing {
                    Some(Outgoing::Event { port, at, event }) => {
                        seq += 1;
                        let published = Arc::new(Published { port, event, at, seq });
                        view.apply(&published);
                        if to_sinks.send(published).is_err() {
                            warn!(seq, "nobody listens to events");
                        }
                    }
                    Some(Outgoing::History(boards)) => view.restore(boards),
                    Some(Outgoing::Round { port, round }) => view.note_round(port, round),
                    None => return,
                }
            }
            _ = beats.tick() => {}
        }
        heart.beat();
    }
}

/// Returns the number of the last event in a log file, 0 if there is none.
///
/// # Errors
///
/// Returns an error if the file is there and cannot be read.
pub(crate) fn last_seq(path: &Path) -> io::Result<u64> {
    /// More than the longest line.
    const TAIL: u64 = 1 << 20;
    let (tail, _) = ledger::tail(path, TAIL)?;
    let seq = |line: &[u8]| serde_json::from_slice::<serde_json::Value>(line).ok()?.get("seq")?.as_u64();
    Ok(tail.rsplit(|byte| *byte == b'\n').find_map(seq).unwrap_or(0))
}

#[cfg(test)]
mod tests;
