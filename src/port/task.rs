//! Serves one port: one loop that reads, writes, reports and keeps time.

mod flooding;
mod identity;
mod numbers;
mod reports;

use std::{collections::BTreeSet, future, path::PathBuf, pin::pin, sync::Arc, time::Duration};

use futures_util::FutureExt;
use tokio::{
    select,
    sync::{Semaphore, mpsc::error::TrySendError, oneshot, watch},
    task::{JoinError, JoinSet, spawn_blocking},
    time::{Instant, sleep_until, timeout},
};
use tracing::{Instrument, debug, error, info, warn};

use self::{identity::RefusedBoard, numbers::Numbers};
use super::{
    Ended, OrderRequest, PortContext, PortFault, PortReport, beginning,
    durable::{Durable, Syncing, Urgency},
    flood::Flood,
    history,
    link::{Dialer, LinkEvent},
    session::{Dated, PortSession},
};
use crate::{
    config::Config,
    published::SerializedEvent,
    sinks::{DeliveredTail, Outgoing},
};
use jadoube_core::{
    board::Question,
    event::LinkState,
    rules::{Winnability, unwinnable},
    time::Timestamp,
};
use jadoube_runtime::clock::SystemClock;

/// Most bytes of one read: a second of what a cable carries.
const READ: usize = 1024;

/// How long a port waits for the hub.
const HUB_LIMIT: Duration = Duration::from_secs(2);

/// How long a board that is asked every ten seconds may say nothing before it counts as down.
const SILENT: Duration = Duration::from_secs(30);

/// Why such a link is given up, as captures have it.
const UNHEARD: &str = "nothing is heard";

/// How long after a start a board may be found on another port than before, with events that nobody was sent.
pub(crate) const INDEX_LIFE: Timestamp = Timestamp::from_micros(60_000_000);

/// Questions of one port that wait for their search.
const MOST_SEARCHES: usize = 16;

/// Captures on their way to the disk.
static DURABLE: Durable = Durable::new();

/// Lets the disk of all captures hang, or go on.
#[cfg(test)]
pub(crate) fn hang_disk(hangs: bool) {
    DURABLE.hang(hangs);
}

/// A search may take hundreds of megabytes.
static SEARCH: Semaphore = Semaphore::const_new(1);

/// Runs a port until it is stopped.
pub(crate) async fn run(context: PortContext) -> Ended {
    // Behind a pointer, as the stack of every poll would have room for what only the beginning needs.
    let mut task = PortTask::begin(context).boxed().await;
    // Whoever asks for a board once the service is ready finds it.
    task.settle().await;
    task.wait_for_hub().await;
    task.report(PortReport::Ready).await;
    let ended = task.work().await;
    task.end().await;
    ended
}

/// A port at work.
struct PortTask {
    context: PortContext,
    dialer: Dialer,
    session: PortSession,
    /// What the supervisor knows of board and capture.
    held: Option<(String, PathBuf)>,
    /// Whether the board has said anything since the link came up.
    answering: bool,
    /// Whether it has been reported that the link is down, and nothing has answered since: further attempts are no news.
    outage_reported: bool,
    /// Runs on whatever capture there is, for what is no business of the board.
    clock: SystemClock,
    /// When bytes came last.
    heard: Timestamp,
    /// Set while nothing is taken of what the board says.
    refused: Option<RefusedBoard>,
    numbers: Numbers,
    flood: Flood,
    /// What the supervisor knows of faults.
    faults: BTreeSet<PortFault>,
    /// What has been said last of the capture's way to the disk.
    syncing: Option<Syncing>,
    searches: JoinSet<Option<(String, Winnability)>>,
    /// What the outside knows of the pace of a line with several boards.
    round: Option<Duration>,
    /// What the supervisor knows of the disk.
    disk_failed: bool,
    dropped: u64,
    /// Earlier games are reported of meanwhile.
    past: JoinSet<()>,
}

/// What woke the task.
enum Wake {
    Link(LinkEvent),
    Found(Result<Option<(String, Winnability)>, JoinError>),
    Order(Box<OrderRequest>),
    Config,
    Timer,
    Stop,
}

impl PortTask {
    /// Begins with what the capture has. A future has room for all that was ever borrowed in it, also where that has gone elsewhere:
    /// the one that runs for as long as the port does keeps the place of the task alone.
    async fn begin(context: PortContext) -> Box<Self> {
        let (session, history) = beginning::begin(&context).await;
        let config = context.config.borrow().clone();
        let listed = config.settings_of_port(&context.port);
        let mut task = Box::new(Self {
            flood: Flood::new(listed.baud),
            dialer: Dialer::new(listed).after(context.losses),
            numbers: Numbers::new(session.serial()),
            faults: BTreeSet::new(),
            session,
            held: None,
            answering: false,
            outage_reported: context.losses > 0,
            context,
            refused: None,
            syncing: None,
            searches: JoinSet::new(),
            round: None,
            disk_failed: false,
            clock: SystemClock::start(),
            heard: Timestamp::ZERO,
            dropped: 0,
            past: JoinSet::new(),
        });
        if let Some(history) = history {
            task.past.spawn(history.work_off(task.context.events.clone()).in_current_span());
        }
        task
    }

    /// Waits and acts until the port is stopped.
    async fn work(&mut self) -> Ended {
        let mut buffer = [0; READ];
        // What waits all the time stays registered: to begin to wait anew with each read costs more than the read.
        let mut stop = pin!(self.context.shutdown.clone().cancelled_owned());
        let mut changing = pin!(changed(self.context.config.clone()));
        let period = self.context.heartbeat.period();
        let mut awake = self.clock.now();
        let mut looked = awake;
        let mut timer = pin!(sleep_until(self.next_look(awake, period)));
        loop {
            self.context.heartbeat.beat();
            self.settle().await;
            self.start_sync();
            timer.as_mut().reset(self.next_look(awake, period));
            let woken = select! {
                // What a board has said comes before the timer: the machine may have stood still.
                biased;
                () = &mut stop => Wake::Stop,
                Some(request) = self.context.orders.recv() => Wake::Order(request),
                config = &mut changing => {
                    changing.set(changed(config));
                    Wake::Config
                }
                Some(found) = self.searches.join_next(), if !self.searches.is_empty() => Wake::Found(found),
                event = self.dialer.next(&mut buffer) => Wake::Link(event),
                () = &mut timer => Wake::Timer,
            };
            let now = self.session.now();
            awake = self.clock.now();
            let is_due = matches!(woken, Wake::Timer) || awake.since(looked) >= period;
            match woken {
                Wake::Link(LinkEvent::Bytes(count)) => {
                    self.heard = awake;
                    if self.is_heard(count, awake).await {
                        if self.refused.is_none() {
                            self.session.received_by(buffer.get(..count).unwrap_or_default(), now);
                        }
                        self.context.traffic.add(self.session.take_message_counts());
                        if !std::mem::replace(&mut self.answering, true) {
                            self.report(PortReport::Link(LinkState::Up)).await;
                        }
                    }
                }
                Wake::Link(LinkEvent::Up) => {
                    if !self.flood.is_on() {
                        self.session.link_up(&self.context.port, now);
                    }
                }
                Wake::Link(LinkEvent::Down(reason)) => self.link_down(&reason).await,
                Wake::Link(LinkEvent::Trying) => {
                    if self.is_gone() {
                        return Ended::Gone(self.dialer.losses());
                    }
                }
                Wake::Order(request) => {
                    let outcome = self.session.order(&request.board, &request.order, now);
                    match &outcome {
                        Ok(done) => info!(order = ?request.order, id = done.id, "order carried out"),
                        Err(error) => info!(order = ?request.order, %error, "order refused"),
                    }
                    if request.reply.send(outcome).is_err() {
                        debug!("the sender of an order does not wait for the answer any more");
                    }
                }
                Wake::Config => {
                    let config = self.context.config.borrow_and_update().clone();
                    self.session.reconfigure(config);
                }
                Wake::Found(Ok(Some((alert, answer)))) => self.session.answer(&alert, answer, now),
                Wake::Found(Ok(None)) | Wake::Timer => {}
                // The alert is raised, with the question open.
                Wake::Found(Err(error)) => error!(%error, "a search has failed"),
                Wake::Stop => return Ended::Stopped,
            }
            if is_due {
                if awake.since(looked) > SILENT / 2 {
                    // The machine stood still: nobody was asked, and nobody is late.
                    self.heard = awake;
                }
                looked = awake;
                self.look(awake).await;
            }
        }
    }

    /// Returns when to look at the time at the latest: the heartbeat needs no timer where a board says something.
    fn next_look(&self, awake: Timestamp, period: Duration) -> Instant {
        let wake = self.session.wake().map_or(Timestamp::MAX, |(at, _)| at);
        let beat = self.clock.instant(awake + period);
        Instant::from_std(self.session.timeline().instant(wake).min(beat))
    }

    /// Does what is due by now.
    async fn look(&mut self, awake: Timestamp) {
        if awake > INDEX_LIFE {
            self.context.event_index = None;
        }
        self.session.tick(self.session.now());
        self.is_heard(0, awake).await;
        self.ask_again().await;
        self.watch_silence().await;
    }

    /// Carries out what the session wants done, until it wants nothing more.
    async fn settle(&mut self) {
        loop {
            // What a board says is reported under its name only after it is clear that no other port has its game.
            if let Some(identified) = self.session.take_identified() {
                self.identify(identified).await;
            }
            self.publish().await;
            self.report_capture().await;
            self.report_disk().await;
            self.start_searches();
            let sends = self.session.take_sends();
            if sends.is_empty() {
                return;
            }
            for bytes in sends {
                match self.dialer.write(&bytes).await {
                    Ok(()) => self.session.sent(&bytes, self.session.now()),
                    Err(LinkEvent::Down(reason)) => {
                        self.link_down(&reason).await;
                        break;
                    }
                    Err(LinkEvent::Trying | LinkEvent::Up | LinkEvent::Bytes(_)) => break,
                }
            }
        }
    }

    async fn link_down(&mut self, reason: &str) {
        self.end_wait().await;
        if !self.flood.is_on() {
            self.session.link_down(reason, self.session.now());
        }
        if std::mem::take(&mut self.answering) {
            self.report(PortReport::Link(LinkState::Down)).await;
        }
        self.publish().await;
        if !self.session.is_kept() {
            // Nothing has ever answered: the next attempt starts from nothing, and what this one had to report is reported.
            self.outage_reported = true;
            self.session = PortSession::new(self.context.config.borrow().clone(), self.context.port.clone());
        }
    }

    /// Hands events to the hub.
    async fn publish(&mut self) {
        self.publish_round();
        if self.session.is_kept() {
            self.outage_reported = false;
        } else if self.outage_reported {
            // Its events are reported once something answers, and not if the link goes down before.
            return;
        }
        let history = self.session.take_history();
        if !history.is_empty() {
            self.hand_over(Outgoing::History(history)).await;
        }
        for dated in self.session.take_past() {
            self.hand_over(history::past(&self.context.port, dated)).await;
        }
        let mut news = self.session.take_events();
        if news.is_empty() {
            return;
        }
        // The calendar may have been set, or the machine have slept, since the game began.
        let drift = self.session.timeline().drift();
        for Dated { at, event, ordinal } in news.drain(..) {
            let event = SerializedEvent::new(event, ordinal);
            DeliveredTail::note(&self.context.delivered, &event, at);
            let at = at.checked_add(drift).unwrap_or(at);
            self.hand_over(Outgoing::Event { port: self.context.port.clone(), at, event }).await;
        }
        self.session.keep_room(news);
    }

    async fn hand_over(&mut self, outgoing: Outgoing) {
        let sent = match self.context.events.try_send(outgoing) {
            Ok(()) => true,
            Err(TrySendError::Full(outgoing)) => {
                timeout(HUB_LIMIT, self.context.events.send(outgoing)).await.is_ok_and(|sent| sent.is_ok())
            }
            Err(TrySendError::Closed(_)) => false,
        };
        if !sent {
            self.dropped += 1;
            warn!(dropped = self.dropped, "events were not delivered");
        }
    }

    /// Waits until the hub has published what it was handed.
    async fn wait_for_hub(&mut self) {
        let (barrier, reached) = oneshot::channel();
        if self.context.events.try_send(Outgoing::Barrier(barrier)).is_ok()
            && timeout(HUB_LIMIT, reached).await.is_err()
        {
            debug!("the hub is late");
        }
    }

    /// Says how long a round of a line with several boards takes; of two in a row the last one says enough.
    fn publish_round(&mut self) {
        let Some(round) = self.session.bus_round().filter(|round| Some(*round) != self.round) else { return };
        let port = self.context.port.clone();
        if self.context.events.try_send(Outgoing::Round { port, round }).is_ok() {
            self.round = Some(round);
        }
    }

    /// Reports a board that says nothing although it is asked. Over a network it is called anew, once: after a hole the other end may
    /// try only much later again to send what was lost, as each of its attempts waits twice as long as the one before.
    async fn watch_silence(&mut self) {
        if !self.answering || self.clock.now().since(self.heard) <= SILENT {
            return;
        }
        self.report(PortReport::Unheard(self.clock.utc(self.heard))).await;
        if self.dialer.is_remote() {
            // A board of which nothing is taken is asked nothing: its silence is no news.
            self.outage_reported |= self.refused.is_some();
            self.dialer.give_up(UNHEARD);
            self.link_down(UNHEARD).await;
        } else {
            self.answering = false;
            self.report(PortReport::Link(LinkState::Down)).await;
        }
    }

    /// Starts what has to be searched for; one search runs at a time, whatever the number of boards.
    fn start_searches(&mut self) {
        for question in self.session.take_questions() {
            if self.searches.len() >= MOST_SEARCHES {
                warn!(alert = question.alert, "too many searches; the question stays open");
                continue;
            }
            self.searches.spawn(async move {
                let slot = SEARCH.acquire().await;
                let Question { alert, position, winner } = question;
                let answer = spawn_blocking(move || unwinnable::verdict(&position, winner)).await;
                drop(slot);
                Some((alert, answer.ok()?))
            });
        }
    }

    /// Makes the capture durable with those of other ports; play goes on meanwhile.
    fn start_sync(&mut self) {
        if let Some(parting) = self.session.take_parting() {
            DURABLE.make(parting, Urgency::Soon);
        }
        let Some((file, urgency)) = self.session.unsynced() else { return };
        if self.syncing.as_ref().is_none_or(|syncing| !syncing.covers(file, urgency))
            && let Some(file) = self.session.take_unsynced()
        {
            self.syncing = Some(DURABLE.make(file, urgency));
        }
    }

    /// Returns whether the port was found by chance, never had a board, and is there no more.
    fn is_gone(&mut self) -> bool {
        self.context.found
            && !self.session.is_kept()
            && self.dialer.failure().is_some_and(|failure| failure.kind == std::io::ErrorKind::NotFound)
    }

    /// Ends the capture with a whole line.
    async fn end(mut self: Box<Self>) {
        if self.dialer.is_up() {
            self.dialer.down("stopped");
        }
        self.session.stop(self.session.now());
        self.publish().await;
        let file = self.session.finish();
        // Nothing more is reported: logs and states are put away meanwhile, and wait for no disk of captures.
        drop(self);
        if let Some(file) = file {
            DURABLE.make_now(file).await;
        }
    }
}

/// Waits for another configuration, for ever if there can be none, and returns where the next one comes from.
async fn changed(mut config: watch::Receiver<Arc<Config>>) -> watch::Receiver<Arc<Config>> {
    if config.changed().await.is_err() {
        future::pending::<()>().await;
    }
    config
}
