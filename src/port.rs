//! Owns one port: opens it, reads it, writes it, and drives one `Line` with what it says.
//!
//! One task per port, and nothing else touches its boards. It knows devices, files and channels, and nothing of
//! chess.
//!
//! | channel | size | when full |
//! |---|---|---|
//! | port → hub | 1024 events | the port waits at most 2 s (the kernel keeps what the board says meanwhile), then events are dropped and counted; the capture has them all |
//! | arbiter → port | 16 orders | the order is refused as "busy" |
//! | port → supervisor | 256 reports | the port waits at most 1 s, then the report is dropped; the next one says the same |

mod backoff;
mod beginning;
mod displaced;
mod durable;
mod files;
mod flood;
mod history;
mod last_sent;
pub(crate) mod link;
mod recording;
mod session;
mod start_slot;
mod task;
mod timeline;

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use tokio::sync::{mpsc, oneshot, watch};
use tokio_util::sync::CancellationToken;

pub(crate) use self::{
    files::{CAPTURES, capture_at, capture_directories, captures_in, game_number},
    task::{INDEX_LIFE, run},
};
#[cfg(test)]
pub(crate) use self::{
    history::{TURN as HISTORY_TURN, unfinished_history},
    task::hang_disk,
};
use crate::{
    config::Config,
    metrics::Traffic,
    sinks::{DeliveredTail, EventIndex, Outgoing},
};
use jadoube_core::{
    event::LinkState,
    order::{CarriedOut, Order, OrderError},
};
use jadoube_runtime::watchdog::Heartbeat;

/// An arbiter's order on its way to a board.
#[derive(Debug)]
pub(crate) struct OrderRequest {
    /// The board that it is for, by its serial number or the name of its port.
    pub(crate) board: String,
    /// The order.
    pub(crate) order: Order,
    /// Where the answer goes.
    pub(crate) reply: oneshot::Sender<Result<CarriedOut, OrderError>>,
}

/// What a port reports to the supervisor.
#[derive(Debug)]
pub(crate) enum PortReport {
    /// Recovery is done.
    Ready,
    /// The board answers, or does not any more.
    Link(LinkState),
    /// The board says nothing although it is asked, since it did last at this time.
    Unheard(jiff::Timestamp),
    /// The disk does not take what is to be recorded, for this reason, or does again.
    Disk(Option<String>),
    /// Nothing is taken of what the board says, for this reason; or it is again.
    Fault(PortFault, Option<String>),
    /// The port has this board's game, in this capture, whose last input was then.
    Holds {
        /// Serial number.
        serial: String,
        /// Where the game is recorded.
        capture: PathBuf,
        /// Calendar time of the last input.
        last: jiff::Timestamp,
    },
    /// This board has answered on the port: who has its game?
    Claim {
        /// Serial number.
        serial: String,
        /// The capture that the port has of it, if it has one.
        capture: Option<PathBuf>,
        /// Where the answer goes.
        reply: oneshot::Sender<Claimed>,
    },
}

/// Why nothing is taken of what a board says.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) enum PortFault {
    /// It is also on another port, for which this one waits.
    Duplicate,
    /// It keeps reporting other serial numbers.
    Numbers,
    /// It says more than a board can.
    Flood,
}

impl PortFault {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Duplicate, Self::Numbers, Self::Flood];

    /// Returns the part of the service that it concerns, as status and alerts name it.
    pub(crate) const fn part(self) -> &'static str {
        match self {
            Self::Duplicate => "duplicates",
            Self::Numbers => "serial-numbers",
            Self::Flood => "floods",
        }
    }
}

/// Who has a board's game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Claimed {
    /// The port that asked, or nobody.
    Yours,
    /// It was played on another port, and is recorded here.
    Adopt(PathBuf),
    /// A board with the same number is connected to this other port, or was a moment ago.
    Taken(Arc<str>),
    /// The board was on this other port before a restart, where nothing has been heard yet.
    Expected(Arc<str>),
}

/// Why a port's task ended without having been stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ended {
    /// It was stopped.
    Stopped,
    /// The device is gone, and never had a board on it; the link was lost so many times without having held for a while.
    Gone(u32),
}

/// What a port does with its newest capture.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Beginning {
    /// Goes on with it.
    Recover,
    /// Goes on with it, without its last record: replaying that has failed.
    LeaveOut,
    /// Leaves it alone.
    Fresh,
}

/// What a port's task is made of.
pub(crate) struct PortContext {
    /// The device or address.
    pub(crate) port: Arc<str>,
    /// Whether it was found by looking for devices, and not listed.
    pub(crate) found: bool,
    /// What to do with the newest capture.
    pub(crate) beginning: Beginning,
    /// The configuration, and its changes.
    pub(crate) config: watch::Receiver<Arc<Config>>,
    /// Orders for the boards of this port.
    pub(crate) orders: mpsc::Receiver<Box<OrderRequest>>,
    /// What has been reported of the captures that are there.
    pub(crate) reported: Option<Arc<EventIndex>>,
    /// What an earlier process has reported of boards on other ports, while that matters.
    pub(crate) event_index: Option<Arc<EventIndex>>,
    /// Where is counted what boards say.
    pub(crate) traffic: Traffic,
    /// What this port has reported, for the time after a panic.
    pub(crate) delivered: Arc<Mutex<DeliveredTail>>,
    /// Where events go.
    pub(crate) events: mpsc::Sender<Outgoing>,
    /// Where reports go.
    pub(crate) reports: mpsc::Sender<(Arc<str>, PortReport)>,
    /// How often the link was lost lately; if it was, it has been reported that nothing is heard here.
    pub(crate) losses: u32,
    /// Asks the task to end.
    pub(crate) shutdown: CancellationToken,
    /// Shows that the task lives.
    pub(crate) heartbeat: Heartbeat,
}
