//! Starts, watches and ends the tasks.

mod degraded;
mod pairings;
mod ports;
mod reload;
mod settled;

use std::{
    collections::{BTreeMap, HashMap},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use futures_util::FutureExt;
use tokio::{
    select,
    sync::{mpsc, watch},
    task::{Id, JoinError, JoinHandle, JoinSet, spawn_blocking},
    time::{Interval, MissedTickBehavior, interval, sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, debug, error, info, info_span};

use self::{degraded::Degraded, pairings::PairingsWatch, ports::Port, settled::SettledReader};
use super::{Daemon, DaemonError, Reload, lock::Locks, registry::Registry, scan, services};
use crate::{
    config::Config,
    metrics::Figures,
    port::{self, Claimed, Ended, PortReport},
    published::EventSender,
    rounds::Rounds,
    service::{DaemonHandle, ServiceContext, game_store::GameStore},
    sinks::{self, EventIndex, Outgoing},
    view::{Boards, View},
};
use jadoube_core::{event::LinkState, time::Timestamp};
use jadoube_runtime::{
    clock::SystemClock,
    notify::{self, Notifier},
    platform::{SignalRequest, Signals},
    watchdog::Watchdog,
};

/// Reports that wait for the supervisor.
const REPORT_QUEUE: usize = 256;

/// How long ports and sinks may take to put everything away.
const END_LIMIT: Duration = Duration::from_secs(4);

/// How long the service manager waits for recovery; a longer history is worked off afterwards.
const READY_AT_MOST: Duration = Duration::from_secs(2);

/// How often a task shows that it lives, if the service manager does not ask for it more often.
const BEAT: Duration = Duration::from_secs(1);

/// How often all tasks are looked at, likewise; several beats long.
const LOOK: Duration = Duration::from_secs(5);

/// Runs a daemon until it is asked to end.
pub(super) async fn run(
    daemon: Daemon,
    reload: Reload,
    shutdown: CancellationToken,
) -> Result<(), DaemonError> {
    let mut signals = Signals::new().map_err(DaemonError::Signals)?;
    let Daemon {
        config,
        locks,
        mut orders,
        from_ports: (events, from_ports),
        to_sinks,
        handle,
        seq,
        event_index,
    } = daemon;
    let mut reader = SettledReader::new(reload);
    let mut pairings = PairingsWatch::default();
    let config = pairings.load(Arc::unwrap_or_clone(config)).await;
    let clock = SystemClock::start();
    handle.rounds().plan(&config, &Boards::new(), clock.utc(clock.now()));
    let planned = Arc::new(config);
    let config = Config::clone(&planned);
    let (config_sender, config_receiver) = watch::channel(Arc::new(config));
    let (report_sender, mut reports) = mpsc::channel(REPORT_QUEUE);
    let watchdog = notify::watchdog();
    let beat = watchdog.map_or(BEAT, |limit| BEAT.min(limit / 8));
    let mut supervisor = Supervisor {
        clock,
        rounds: handle.rounds().clone(),
        planned,
        figures: handle.figures().clone(),
        view: handle.view().clone(),
        degraded: Degraded::new(seq),
        config: config_sender,
        config_receiver,
        watchdog: Watchdog::new(beat),
        tasks: JoinSet::new(),
        names: HashMap::new(),
        ports: BTreeMap::new(),
        gone: BTreeMap::new(),
        registry: Registry::default(),
        events: Some(events),
        reports: report_sender,
        event_index: Some(event_index),
        shutdown: shutdown.clone(),
        notifier: Notifier::start(),
        status: String::new(),
        ready: false,
    };
    supervisor.start_sinks(&to_sinks);
    supervisor.start_hub(from_ports, to_sinks, seq);
    supervisor.start_services(&handle);
    supervisor.start_listed();
    supervisor.show_errors_of(&supervisor.config());

    let mut rescan = steady(Duration::from_secs(supervisor.config().ports.rescan_s.into()));
    let look = watchdog.map_or(LOOK, |limit| limit / 3);
    let mut rounds = supervisor.rounds.changes();
    let mut looks = steady(look);
    let mut scanning: Option<JoinHandle<Vec<String>>> = None;
    let mut scanned = false;
    let mut patience = pin!(sleep(READY_AT_MOST));
    let mut waited = false;
    let outcome = loop {
        select! {
            Some(joined) = supervisor.tasks.join_next_with_id() => {
                if let Err(failed) = supervisor.joined(joined) {
                    break Err(failed);
                }
            }
            Some((port, report)) = reports.recv() => supervisor.handle_report(&port, report),
            Some(order) = orders.recv() => supervisor.pass_order(order),
            _ = rescan.tick(), if scanning.is_none() => {
                pairings.poll_file(supervisor.config());
                scanning = Some(supervisor.scan());
            }
            read = reader.outcome() => supervisor.take_config(read, &mut pairings).await,
            config = pairings.changed() => supervisor.change_names(config),
            Ok(()) = rounds.changed() => supervisor.seat_players(),
            found = scan::result(&mut scanning) => {
                (scanning, scanned) = (None, true);
                supervisor.start_found(&found);
            }
            _ = looks.tick() => {
                supervisor.look_at_disks(&locks);
                #[cfg(any(feature = "http", feature = "mqtt"))]
                handle.audit().complete();
                supervisor.check_tasks(watchdog.is_some(), look);
            }
            wish = signals.next() => match wish {
                SignalRequest::Reload => reader.ask(),
                SignalRequest::End => break Ok(()),
            },
            () = &mut patience, if !waited => waited = true,
            () = shutdown.cancelled() => break Ok(()),
        }
        supervisor.figures.health.degrade("pairings", pairings.fault());
        supervisor.show(scanned, waited);
    };
    let outcome = supervisor.end(&mut signals, &mut reports, outcome).await;
    drop(locks);
    outcome
}

/// Returns an interval that catches nothing up: after a standstill of the machine two looks in a row would find that nobody has moved on
/// between them.
fn steady(period: Duration) -> Interval {
    let mut looks = interval(period);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    looks
}

/// What a task is.
#[derive(Clone, Debug)]
enum Name {
    Port(Arc<str>),
    Service(&'static str),
}

/// How a task ended.
#[derive(Debug)]
enum TaskEnd {
    Port(Ended),
    Service,
}

impl From<Ended> for TaskEnd {
    fn from(ended: Ended) -> Self {
        Self::Port(ended)
    }
}

impl From<()> for TaskEnd {
    fn from((): ()) -> Self {
        Self::Service
    }
}

/// The state of the running program.
struct Supervisor {
    clock: SystemClock,
    rounds: Rounds,
    /// The configuration with the pairings of the round in it, whoever sits at the boards still.
    planned: Arc<Config>,
    figures: Figures,
    view: View,
    degraded: Degraded,
    config: watch::Sender<Arc<Config>>,
    config_receiver: watch::Receiver<Arc<Config>>,
    watchdog: Watchdog,
    tasks: JoinSet<TaskEnd>,
    names: HashMap<Id, Name>,
    ports: BTreeMap<Arc<str>, Port>,
    /// Ports that were found, had no board, and are gone: since when, and how often they were lost.
    gone: BTreeMap<Arc<str>, (Timestamp, u32)>,
    registry: Registry,
    /// Given to ports; the hub ends when nobody has one.
    events: Option<mpsc::Sender<Outgoing>>,
    reports: mpsc::Sender<(Arc<str>, PortReport)>,
    /// What an earlier process has reported, while ports may ask for it.
    event_index: Option<Arc<EventIndex>>,
    shutdown: CancellationToken,
    notifier: Notifier,
    status: String,
    ready: bool,
}

impl Supervisor {
    fn config(&self) -> Arc<Config> {
        self.config_receiver.borrow().clone()
    }

    fn spawn<T: Into<TaskEnd> + 'static>(
        &mut self,
        name: Name,
        task: impl Future<Output = T> + Send + 'static,
    ) {
        let span = match &name {
            Name::Port(port) => info_span!("port", port = %port),
            Name::Service(service) => info_span!("service", service),
        };
        let handle = self.tasks.spawn(task.map(Into::into).instrument(span));
        self.names.insert(handle.id(), name);
    }

    fn start_hub(&mut self, from_ports: mpsc::Receiver<Outgoing>, to_sinks: EventSender, seq: u64) {
        let heartbeat = self.watchdog.heartbeat("hub");
        let hub = sinks::run_hub(from_ports, to_sinks, self.view.clone(), seq, heartbeat);
        self.spawn(Name::Service("hub"), hub);
    }

    fn start_found(&mut self, ports: &[String]) {
        for port in ports {
            self.start_port(port, true);
        }
    }

    /// Begins to look for devices.
    fn scan(&self) -> JoinHandle<Vec<String>> {
        let config = self.config();
        let taken: Vec<String> = self.ports.keys().map(ToString::to_string).collect();
        spawn_blocking(move || scan::find(&config.ports.scan, &taken))
    }

    fn start_sinks(&mut self, events: &EventSender) {
        let event_index = self.event_index.clone().unwrap_or_default();
        let health = self.figures.health.clone();
        let heartbeat = self.watchdog.heartbeat("logs");
        let task = sinks::run_logs(
            events.subscribe(),
            self.config_receiver.clone(),
            event_index,
            health.clone(),
            heartbeat,
        );
        self.spawn(Name::Service("logs"), task);
        let heartbeat = self.watchdog.heartbeat("boards");
        let file = self.config().state_dir.join(sinks::BOARDS_FILE);
        let (view, now) = (self.view.clone(), self.clock.started());
        let shutdown = self.shutdown.clone();
        let task = sinks::run_boards(events.source(), view, file, now, health, heartbeat, shutdown);
        self.spawn(Name::Service("boards"), task);
    }

    /// Starts what the configuration switches on; it goes on until the program ends.
    fn start_services(&mut self, handle: &DaemonHandle) {
        let games = GameStore::default();
        for (name, start) in services::wanted(&self.config()) {
            let context = ServiceContext {
                config: self.config_receiver.clone(),
                daemon: handle.clone(),
                games: games.clone(),
                shutdown: self.shutdown.clone(),
                heartbeat: self.watchdog.heartbeat(name),
            };
            context.log_start(name);
            self.spawn(Name::Service(name), start(context));
        }
    }

    /// Handles the end of a task.
    fn joined(&mut self, joined: Result<(Id, TaskEnd), JoinError>) -> Result<(), DaemonError> {
        let id = match &joined {
            Ok((id, _)) => *id,
            Err(error) => error.id(),
        };
        let Some(name) = self.names.remove(&id) else { return Ok(()) };
        match (name, joined) {
            (Name::Port(port), Ok((_, TaskEnd::Port(Ended::Stopped)))) => self.port_stopped(&port),
            (Name::Port(port), Ok((_, TaskEnd::Port(Ended::Gone(losses))))) => self.port_gone(&port, losses),
            (Name::Port(_), Ok((_, TaskEnd::Service))) => {}
            (Name::Port(port), Err(error)) => self.port_panicked(&port, &error),
            // Whoever asked for the end may have been heard there first.
            (Name::Service(_), Ok(_)) if self.shutdown.is_cancelled() => {}
            (Name::Service(service), Ok(_)) => return Err(DaemonError::Panicked(service.to_owned())),
            (Name::Service(service), Err(error)) => {
                error!(service, %error, "failed");
                return Err(DaemonError::Panicked(service.to_owned()));
            }
        }
        Ok(())
    }

    fn handle_report(&mut self, port: &Arc<str>, report: PortReport) {
        let now = self.clock.utc(self.clock.now());
        match report {
            PortReport::Ready => {
                if let Some(entry) = self.ports.get_mut(port) {
                    entry.ready = true;
                }
            }
            PortReport::Link(state) => {
                if let Some(entry) = self.ports.get_mut(port) {
                    entry.link = Some(state);
                }
                if state == LinkState::Down {
                    self.registry.disconnect(port, now);
                }
            }
            PortReport::Unheard(last) => self.registry.unheard(port, last),
            PortReport::Disk(failure) => {
                if let Some(entry) = self.ports.get_mut(port) {
                    entry.disk = failure;
                }
            }
            PortReport::Fault(fault, reason) => {
                if let Some(entry) = self.ports.get_mut(port) {
                    entry.set_fault(fault, reason);
                }
            }
            PortReport::Holds { serial, capture, last } => {
                self.registry.hold(port, serial, capture, last, now);
            }
            PortReport::Claim { serial, capture, reply } => {
                let claimed: Claimed = self.registry.claim(port, serial, capture, now);
                if reply.send(claimed).is_err() {
                    debug!(%port, "the port does not wait for the answer to its claim any more");
                }
            }
        }
    }

    /// Tries what a disk has not taken, where one that does not answer holds up nobody.
    fn look_at_disks(&self, locks: &Locks) {
        let (locks, health) = (locks.clone(), self.figures.health.clone());
        spawn_blocking(move || locks.hold(&health));
    }

    /// Informs the service manager that all tasks live, if they do.
    fn check_tasks(&mut self, watched: bool, next: Duration) {
        if self.clock.now() > port::INDEX_LIFE {
            self.event_index = None;
        }
        let stuck = self.watchdog.stuck(next);
        let wrong = (!stuck.is_empty()).then(|| format!("no progress in {}", stuck.join(", ")));
        self.figures.health.set("tasks", wrong);
        if stuck.is_empty() {
            if watched {
                self.notifier.alive();
            }
        } else {
            error!(tasks = stuck.join(", "), "tasks make no progress");
        }
        self.report_degraded();
        self.report_down();
    }

    /// Shows the state of the hall to the service manager, once it has changed.
    ///
    /// A port that works off a long history does not hold up the others, nor what waits for the service.
    fn show(&mut self, scanned: bool, waited: bool) {
        let health = &self.figures.health;
        health.set("ports", ports::given_up(&self.ports));
        health.set("captures", ports::full_disks(&self.ports));
        ports::show_faults(&self.ports, health);
        let status = ports::status(&self.ports, &health.failing());
        if status != self.status {
            self.notifier.status(&status);
            self.status = status;
        }
        let recovering = self.ports.values().filter(|port| !port.ready).count();
        if !self.ready && (scanned && recovering == 0 || waited) {
            self.ready = true;
            self.notifier.ready();
            info!(status = self.status, recovering, "ready");
        }
    }

    /// Ends ports, then sinks, and waits for both for a while.
    async fn end(
        mut self,
        signals: &mut Signals,
        reports: &mut mpsc::Receiver<(Arc<str>, PortReport)>,
        outcome: Result<(), DaemonError>,
    ) -> Result<(), DaemonError> {
        info!("ending");
        self.notifier.stopping();
        self.shutdown.cancel();
        self.report_down();
        self.events = None;
        let put_away = async {
            loop {
                select! {
                    joined = self.tasks.join_next() => match joined {
                        None => return Ok(()),
                        Some(Ok(_)) => {}
                        Some(Err(error)) => error!(%error, "failed while ending"),
                    },
                    // Ports wait for nobody, but their reports have to go somewhere.
                    Some(_) = reports.recv() => {}
                    wish = signals.next() => if wish == SignalRequest::End {
                        return Err(DaemonError::Impatience);
                    },
                }
            }
        };
        let Ok(ended) = timeout(END_LIMIT, put_away).await else {
            error!("something did not end in time; a disk that hangs?");
            return outcome;
        };
        outcome.and(ended)
    }
}
