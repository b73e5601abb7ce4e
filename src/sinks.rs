//! Owns what becomes of events outside the core: log files for people and programs, and the state of each board.
//!
//! Ports hand their events to one hub, which numbers them and hands them on to everybody who listens. A sink may be
//! slow, broken or full without delaying a board:
//!
//! | queue | size | when full |
//! |---|---|---|
//! | port → hub | 1024 | the port waits at most 2 s, then drops and counts; the hub itself never waits |
//! | hub → each sink | 16384, as far as they wait | the slowest sink misses the oldest events and writes a `gap` with their number |
//! | sink → disk | 1 MiB of lines | waits for a disk that takes no data, tried again every 10 s; beyond that the newest lines are lost and a `gap` says how many |
//! | sink → board states | one per board | the newest wins; all are written together, once a second |
//!
//! Writing happens outside of the runtime's threads, so that a disk that hangs holds up nobody but itself.

mod boards;
mod delivered_tail;
mod event_index;
mod logs;
mod text;

use std::{sync::Arc, time::Duration};

use tokio::{
    select,
    sync::{mpsc, oneshot},
    time::interval,
};
use tracing::warn;

pub(crate) use self::boards::{BoardSnapshot, FILE as BOARDS_FILE, read as read_boards, run as run_boards};
pub(crate) use self::{
    delivered_tail::DeliveredTail,
    event_index::{EventIndex, Watermark, tail},
    logs::{LogFile, run as run_logs},
    text::AlertText,
};
use crate::{
    published::{EventSender, Published, SerializedEvent},
    view::{Boards, View},
};
use jadoube_runtime::watchdog::Heartbeat;

/// Events that ports hand over and the hub has not taken yet.
pub(crate) const HUB_QUEUE: usize = 1024;

/// Events that a sink may be behind: a hall of 300 boards has forty of each when it is found at once. Only those that wait take
/// memory, so that a small hall pays nothing for the room of a large one.
pub(crate) const SINK_QUEUE: usize = 16384;

/// Time without an event after which a board, or a capture, is history and nothing to go on with.
pub(crate) const STALE: Duration = Duration::from_hours(12);

/// What ports hand over.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Something has happened.
    Event {
        /// The port it comes from.
        port: Arc<str>,
        /// When it became known, UTC.
        at: jiff::Timestamp,
        /// The event.
        event: SerializedEvent,
    },
    /// Something has happened in a game before the newest one: it changes the state of no board.
    Past {
        /// The port it comes from.
        port: Arc<str>,
        /// When it became known, UTC.
        at: jiff::Timestamp,
        /// The event.
        event: SerializedEvent,
    },
    /// Something has happened that is about no board.
    Service {
        /// When it became known, UTC.
        at: jiff::Timestamp,
        /// The event, of [`SERVICE`](crate::published::SERVICE).
        event: SerializedEvent,
    },
    /// What recovery has found out about the boards of a port; the outside has been informed by an earlier process.
    History(Boards),
    /// Is dropped when all that came before it has been published.
    Barrier(oneshot::Sender<()>),
    /// How long a line with several boards takes to ask all of them once.
    Round {
        /// The port.
        port: Arc<str>,
        /// The time.
        round: Duration,
    },
}

/// Numbers the events of all ports and hands them on; ends when no port is left.
pub(crate) async fn run_hub(
    mut from_ports: mpsc::Receiver<Outgoing>,
    to_sinks: EventSender,
    view: View,
    mut seq: u64,
    heartbeat: Heartbeat,
) {
    let mut beats = interval(heartbeat.period());
    loop {
        select! {
            outgoing = from_ports.recv() => {
                match outgoing {
                    Some(Outgoing::Event { port, at, event }) => {
                        seq += 1;
                        let published = Published::new(port, event, at, seq);
                        view.apply(&published);
                        publish(published, &to_sinks);
                    }
                    Some(Outgoing::Past { port, at, event }) => {
                        seq += 1;
                        view.pass(seq);
                        publish(Published::new(port, event, at, seq), &to_sinks);
                    }
                    Some(Outgoing::Service { at, event }) => {
                        seq += 1;
                        let port = event.event().board.clone();
                        view.pass(seq);
                        publish(Published::new(port, event, at, seq), &to_sinks);
                    }
                    Some(Outgoing::History(boards)) => view.restore(boards),
                    Some(Outgoing::Barrier(reached)) => drop(reached),
                    Some(Outgoing::Round { port, round }) => view.note_round(port, round),
                    None => return,
                }
            }
            _ = beats.tick() => {}
        }
        heartbeat.beat();
    }
}

fn publish(published: Published, to_sinks: &EventSender) {
    let seq = published.seq;
    if !to_sinks.send(published) {
        warn!(seq, "no sink receives events");
    }
}

#[cfg(test)]
mod tests;
