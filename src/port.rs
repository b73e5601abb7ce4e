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
mod files;
pub(crate) mod link;
mod recording;
mod session;
mod timeline;
mod told;

use std::{path::PathBuf, sync::Arc, time::Duration};

use tokio::{
    select,
    sync::{
        mpsc::{self, error::TrySendError},
        oneshot, watch,
    },
    task::{JoinHandle, spawn_blocking},
    time::{Instant, interval, sleep_until, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info, warn};

use self::{
    link::{Dialer, Happening},
    session::{Identified, Session},
};
pub(crate) use self::{files::slug, session::STALE};
use crate::{
    config::{Config, PortConfig},
    daemon::heart::Heart,
    event::LinkState,
    order::{Order, OrderError},
    sinks::Outgoing,
    time::Timestamp,
};

/// How long a port waits for the hub.
const HUB_LIMIT: Duration = Duration::from_secs(2);

/// How long a port waits for the supervisor.
const REPORT_LIMIT: Duration = Duration::from_secs(1);

/// How often one link may change its session before it is left as it is.
const MOST_SWITCHES: u32 = 3;

/// An arbiter's order on its way to a board.
#[derive(Debug)]
pub(crate) struct OrderRequest {
    /// The order.
    pub(crate) order: Order,
    /// Where the answer goes.
    pub(crate) reply: oneshot::Sender<Result<(), OrderError>>,
}

/// What a port tells the supervisor.
#[derive(Debug)]
pub(crate) enum Report {
    /// Recovery is done.
    Ready,
    /// The board answers, or does not any more.
    Link(LinkState),
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

/// Who has a board's game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Claimed {
    /// The port that asked, or nobody.
    Yours,
    /// It was played on another port, and is recorded here.
    Adopt(PathBuf),
    /// A board with the same number is connected to another port.
    Taken,
}

/// Why a port's task ended without having been stopped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Ended {
    /// It was stopped.
    Stopped,
    /// The device is gone, and never had a board on it.
    Gone,
}

/// What a port's task is made of.
pub(crate) struct Setup {
    /// The device or address.
    pub(crate) port: Arc<str>,
    /// Whether it was found by looking for devices, and not listed.
    pub(crate) found: bool,
    /// Whether to go on with the newest capture.
    pub(crate) recover: bool,
    /// The configuration, and its changes.
    pub(crate) config: watch::Receiver<Arc<Config>>,
    /// Orders for the boards of this port.
    pub(crate) orders: mpsc::Receiver<OrderRequest>,
    /// Where events go.
    pub(crate) events: mpsc::Sender<Outgoing>,
    /// Where reports go.
    pub(crate) reports: mpsc::Sender<(Arc<str>, Report)>,
    /// Tells the task to end.
    pub(crate) shutdown: CancellationToken,
    /// Shows that the task lives.
    pub(crate) heart: Heart,
}

/// Runs a port until it is stopped.
pub(crate) async fn run(setup: Setup) -> Ended {
    let session = begin(&setup).await;
    let config = setup.config.borrow().clone();
    let listed = config.port(&setup.port).cloned().unwrap_or_else(|| PortConfig::of(&setup.port));
    let mut task = PortTask {
        bus: !listed.bus.is_empty(),
        dialer: Dialer::new(listed),
        session,
        setup,
        held: None,
        answering: false,
        switches: 0,
        syncing: None,
        dropped: 0,
    };
    task.report(Report::Ready).await;
    let ended = task.work().await;
    task.end().await;
    ended
}

/// Goes on with the newest capture, if it is young enough and can be read.
async fn begin(setup: &Setup) -> Session {
    let config = setup.config.borrow().clone();
    let port = setup.port.clone();
    if !setup.recover {
        return Session::new(config, port);
    }
    let recovering = spawn_blocking(move || recover(&config, &port));
    match recovering.await {
        Ok(session) => session,
        // The supervisor counts it and starts the port anew.
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        Err(_) => Session::new(setup.config.borrow().clone(), setup.port.clone()),
    }
}

fn recover(config: &Arc<Config>, port: &Arc<str>) -> Session {
    let fresh = || Session::new(config.clone(), port.clone());
    let path = match files::newest(&config.state_dir, port) {
        Ok(Some(path)) => path,
        Ok(None) => return fresh(),
        Err(error) => {
            error!(%error, "cannot look for an unfinished capture");
            return fresh();
        }
    };
    let session = match Session::recover(config.clone(), port.clone(), &path) {
        Ok(session) => session,
        Err(error) => {
            error!(%error, "cannot go on with the capture; it is left as it is, and a new one begins");
            return fresh();
        }
    };
    let age = session.timeline().utc(session.now()).duration_since(session.last_utc());
    if Duration::try_from(age).is_ok_and(|age| age > STALE) {
        debug!(capture = %path.display(), "the newest capture is history");
        return fresh();
    }
    info!(capture = %path.display(), board = session.serial(), "goes on with an unfinished capture");
    session
}

/// A port at work.
struct PortTask {
    setup: Setup,
    dialer: Dialer,
    session: Session,
    bus: bool,
    /// What the supervisor knows of board and capture.
    held: Option<(String, PathBuf)>,
    /// Whether the board has said anything since the link came up.
    answering: bool,
    switches: u32,
    syncing: Option<JoinHandle<()>>,
    dropped: u64,
}

/// What woke the task.
enum Wake {
    Link(Happening),
    Order(OrderRequest),
    Config,
    Synced,
    Timer,
    Stop,
}

impl PortTask {
    /// Waits and acts until the port is stopped.
    async fn work(&mut self) -> Ended {
        let mut buffer = [0; 4096];
        let mut beat = interval(self.setup.heart.period());
        loop {
            self.setup.heart.beat();
            self.settle().await;
            self.start_sync();
            let wake = self.session.wake(self.syncing.is_none());
            let wake = wake.map_or(Timestamp::MAX, |(at, _)| at);
            let wake = Instant::from_std(self.session.timeline().instant(wake));
            let woken = select! {
                () = self.setup.shutdown.cancelled() => Wake::Stop,
                happening = self.dialer.next(&mut buffer) => Wake::Link(happening),
                Some(request) = self.setup.orders.recv() => Wake::Order(request),
                Ok(()) = self.setup.config.changed() => Wake::Config,
                () = synced(&mut self.syncing) => Wake::Synced,
                () = sleep_until(wake) => Wake::Timer,
                _ = beat.tick() => Wake::Timer,
            };
            let now = self.session.now();
            match woken {
                Wake::Link(Happening::Bytes(count)) => {
                    self.session.received(buffer.get(..count).unwrap_or_default(), now);
                    if !std::mem::replace(&mut self.answering, true) {
                        self.report(Report::Link(LinkState::Up)).await;
                    }
                }
                Wake::Link(Happening::Up) => {
                    self.switches = 0;
                    self.session.link_up(&self.setup.port, now);
                }
                Wake::Link(Happening::Down(reason)) => self.link_down(&reason).await,
                Wake::Link(Happening::Trying) => {
                    if self.is_gone() {
                        return Ended::Gone;
                    }
                }
                Wake::Order(request) => {
                    let outcome = self.session.order(&request.order, now);
                    match &outcome {
                        Ok(()) => info!(order = ?request.order, "order carried out"),
                        Err(error) => info!(order = ?request.order, %error, "order refused"),
                    }
                    if request.reply.send(outcome).is_err() {
                        debug!("nobody waits for the answer to an order");
                    }
                }
                Wake::Config => {
                    let config = self.setup.config.borrow_and_update().clone();
                    self.session.reconfigure(config);
                }
                Wake::Synced => self.syncing = None,
                Wake::Timer => self.session.tick(now),
                Wake::Stop => return Ended::Stopped,
            }
        }
    }

    /// Carries out what the session wants done, until it wants nothing more.
    async fn settle(&mut self) {
        loop {
            self.publish().await;
            // On a bus the other boards may well answer.
            let silent = self.session.take_silent() && !self.bus && self.dialer.is_up();
            if let Some(identified) = self.session.take_identified() {
                self.identify(identified).await;
            }
            self.report_capture().await;
            if silent {
                // The link is there and the board is not: an adapter that hangs is mended by opening it anew.
                if let Happening::Down(reason) = self.dialer.down("the board does not answer") {
                    self.link_down(&reason).await;
                }
                continue;
            }
            let sends = self.session.take_sends();
            if sends.is_empty() {
                return;
            }
            for bytes in sends {
                match self.dialer.write(&bytes).await {
                    Ok(()) => self.session.sent(&bytes, self.session.now()),
                    Err(Happening::Down(reason)) => {
                        self.link_down(&reason).await;
                        break;
                    }
                    Err(Happening::Trying | Happening::Up | Happening::Bytes(_)) => break,
                }
            }
        }
    }

    async fn link_down(&mut self, reason: &str) {
        self.session.link_down(reason, self.session.now());
        if std::mem::take(&mut self.answering) {
            self.report(Report::Link(LinkState::Down)).await;
        }
        self.publish().await;
        if !self.session.is_kept() {
            // Nothing has ever answered: the next attempt starts from nothing.
            self.session = Session::new(self.setup.config.borrow().clone(), self.setup.port.clone());
        }
    }

    /// Hands events to the hub.
    async fn publish(&mut self) {
        for dated in self.session.take_events() {
            let outgoing = Outgoing { port: self.setup.port.clone(), at: dated.at, event: dated.event };
            let sent = match self.setup.events.try_send(outgoing) {
                Ok(()) => true,
                Err(TrySendError::Full(outgoing)) => {
                    timeout(HUB_LIMIT, self.setup.events.send(outgoing)).await.is_ok_and(|sent| sent.is_ok())
                }
                Err(TrySendError::Closed(_)) => false,
            };
            if !sent {
                self.dropped += 1;
                warn!(dropped = self.dropped, "an event reached nobody");
            }
        }
    }

    /// Makes sure that the board that answers plays its own game.
    async fn identify(&mut self, identified: Identified) {
        let (serial, capture) = match &identified {
            Identified::Own(serial) => (serial, Some(self.session.path())),
            Identified::Other(serial) => (serial, None),
        };
        let (reply, answer) = oneshot::channel();
        self.report(Report::Claim { serial: serial.clone(), capture, reply }).await;
        let claimed = timeout(REPORT_LIMIT, answer).await;
        let claimed = claimed.ok().and_then(Result::ok).unwrap_or(Claimed::Yours);
        debug!(?identified, ?claimed, "board identified");
        if claimed == Claimed::Taken {
            warn!(board = %serial, "two boards with this serial number are connected");
        }
        let adopted = match (identified, claimed) {
            (Identified::Own(_), Claimed::Yours | Claimed::Taken) => return,
            (_, Claimed::Adopt(path)) => Some(path),
            (Identified::Other(_), Claimed::Yours | Claimed::Taken) => None,
        };
        self.switches += 1;
        if self.switches > MOST_SWITCHES {
            error!("the board on this port keeps changing its serial number");
            return;
        }
        self.session.cut_foreign();
        self.publish().await;
        let config = self.setup.config.borrow().clone();
        self.session = match adopted {
            Some(path) => adopt(config, self.setup.port.clone(), path).await,
            None => Session::new(config, self.setup.port.clone()),
        };
        self.session.link_up(&self.setup.port, self.session.now());
    }

    /// Tells the supervisor where the game of the board is recorded, if that has changed.
    async fn report_capture(&mut self) {
        let Some(serial) = self.session.serial().map(str::to_owned) else { return };
        let held = (serial, self.session.path());
        if self.held.as_ref() != Some(&held) {
            self.held = Some(held.clone());
            let (serial, capture) = held;
            self.report(Report::Holds { serial, capture, last: self.session.last_utc() }).await;
        }
    }

    async fn report(&mut self, report: Report) {
        let sent = timeout(REPORT_LIMIT, self.setup.reports.send((self.setup.port.clone(), report))).await;
        if !sent.is_ok_and(|sent| sent.is_ok()) {
            debug!("the supervisor does not listen");
        }
    }

    /// Makes the capture durable, one attempt at a time; play goes on meanwhile.
    fn start_sync(&mut self) {
        if self.syncing.is_none()
            && let Some(file) = self.session.take_sync(self.session.now())
        {
            self.syncing = Some(spawn_blocking(move || session::sync(&file)));
        }
    }

    /// Tells whether the port was found by chance, never had a board, and is there no more.
    fn is_gone(&mut self) -> bool {
        self.setup.found
            && !self.session.is_kept()
            && self.dialer.failure().is_some_and(|failure| failure.kind == std::io::ErrorKind::NotFound)
    }

    /// Ends the capture with a whole line.
    async fn end(&mut self) {
        if self.dialer.is_up() {
            self.dialer.down("stopped");
            self.link_down("stopped").await;
        }
        self.publish().await;
        if self.syncing.is_some() {
            synced(&mut self.syncing).await;
        }
        if let Some(file) = self.session.finish() {
            synced(&mut Some(spawn_blocking(move || session::sync(&file)))).await;
        }
    }
}

/// Goes on with a game that was played on another port: with a copy, as the other port may need its own.
async fn adopt(config: Arc<Config>, port: Arc<str>, from: PathBuf) -> Session {
    let fresh = (config.clone(), port.clone());
    let adopting = spawn_blocking(move || {
        let copy = files::copy(&config.state_dir, &port, &from)?;
        Session::recover(config, port, &copy)
    });
    match adopting.await {
        Ok(Ok(session)) => {
            info!(board = session.serial(), "goes on with a game from another port");
            session
        }
        Ok(Err(error)) => {
            error!(%error, "cannot go on with a game from another port");
            Session::new(fresh.0, fresh.1)
        }
        Err(error) => {
            error!(%error, "cannot go on with a game from another port");
            Session::new(fresh.0, fresh.1)
        }
    }
}

/// Waits for an attempt to make a file durable; for ever if there is none.
async fn synced(syncing: &mut Option<JoinHandle<()>>) {
    match syncing {
        Some(handle) => {
            if let Err(error) = handle.await {
                warn!(%error, "making a capture durable failed");
            }
        }
        None => std::future::pending().await,
    }
}
