//! Owns the desk of many halls: what their daemons report to a broker, on one page, with orders going back.
//!
//! The broker is the engine: there is no protocol between daemons, and the hub holds nothing that it could not read
//! anew from the retained topics. It fills a [`View`] like that of a daemon, so that the same pages serve both.
//!
//! A hall whose daemon is gone is shown with its boards down; after twelve hours it is not shown at all.

mod daemons;
mod message;
mod orders;

use std::{sync::Arc, time::Duration};

use rumqttc::MqttOptions;
use tokio::{
    select,
    sync::{mpsc, watch},
    task::{JoinSet, spawn_blocking},
    time::{MissedTickBehavior, interval},
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use self::{daemons::Daemons, orders::Orders};
use crate::{
    audit::Place,
    config::{Config, MqttConfig},
    http,
    mqtt::{BrokerEvent, BrokerLink, Topics, options},
    published::event_queue,
    service::{BoardOrder, DaemonHandle, ServiceContext, game_store::GameStore},
    sinks::SINK_QUEUE,
    view::View,
};
use jadoube_runtime::{
    clock::SystemClock,
    notify::{self, Notifier},
    platform,
    watchdog::{Heartbeat, Watchdog},
};

/// How often the pages see what has changed.
const PERIOD: Duration = Duration::from_secs(1);

/// How often they see new alerts, and with them what else has changed.
const ALERTS: Duration = Duration::from_millis(300);

/// What the service's health calls the broker.
const BROKER: &str = "broker";

/// Seconds between two tries to connect.
const RETRY: u32 = 3;

/// Seconds after a connection for which the broker may send what it keeps, before pages see it.
const COLLECTING: u32 = 2;

/// Orders under way at a time.
const WINDOW: u16 = 64;

/// Largest packet that is taken: a game of a thousand moves.
const LARGEST: usize = 1 << 18;

/// What is listened to.
const FILTERS: [&str; 7] = [
    "dgt/+/+/status",
    "dgt/+/+/info",
    "dgt/+/+/board/+/availability",
    "dgt/+/+/board/+/state",
    "dgt/+/+/board/+/game",
    "dgt/+/+/alert/+",
    "dgt/+/+/cmd/+/reply",
];

/// How often tasks are looked at, if the service manager does not ask for it more often.
const LOOK: Duration = Duration::from_secs(5);

/// Runs until it is asked to end.
pub(crate) async fn run(config: Config, shutdown: CancellationToken) {
    // Pages that an earlier process has served know nothing of what this one numbers.
    let began = u64::try_from(SystemClock::start().started().as_microsecond()).unwrap_or(0);
    let view = View::after(began);
    let sender = event_queue(SINK_QUEUE);
    let (daemon, orders) = DaemonHandle::remote(view.clone(), sender.source());
    let mut events = Some(sender);
    let place = Place::of(&config);
    let starting = daemon.audit().clone();
    drop(spawn_blocking(move || starting.start(&place)).await);
    let (config_sender, config_receiver) = watch::channel(Arc::new(config));
    let mut watchdog = Watchdog::new(PERIOD);
    let context = ServiceContext {
        config: config_receiver,
        daemon: daemon.clone(),
        games: GameStore::default(),
        shutdown: shutdown.clone(),
        heartbeat: watchdog.heartbeat("http"),
    };
    let mut tasks = JoinSet::new();
    tasks.spawn(http::run(context));
    let hub = Hub::new(config_sender, daemon.clone(), watchdog.heartbeat("broker"));
    tasks.spawn(hub.work(orders, shutdown.clone()));
    let notifier = Notifier::start();
    let limit = notify::watchdog();
    let look = limit.map_or(LOOK, |limit| limit / 3);
    let mut looks = interval(look);
    // After a standstill of the machine two looks in a row would find that nobody has moved on between them.
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    notifier.ready();
    let mut reported = String::new();
    loop {
        select! {
            // Whoever waits for events ends with their last sender.
            () = shutdown.cancelled(), if events.is_some() => events = None,
            joined = tasks.join_next() => match joined {
                None => break,
                Some(Ok(())) => {}
                Some(Err(error)) => {
                    error!(%error, "a task has failed; this is a bug in jadoube");
                    shutdown.cancel();
                }
            },
            _ = looks.tick() => {
                let stuck = watchdog.stuck(look);
                let wrong = (!stuck.is_empty()).then(|| format!("no progress in {}", stuck.join(", ")));
                if wrong.is_none() && limit.is_some() {
                    notifier.alive();
                }
                daemon.figures().health.set("tasks", wrong);
                let audit = daemon.audit().clone();
                tasks.spawn_blocking(move || audit.retry());
                let status = status(&view, &daemon.figures().health.wrong());
                if status != reported {
                    notifier.status(&status);
                    reported = status;
                }
            }
        }
    }
    notifier.stopping();
}

/// Says how many boards there are, and what is wrong.
fn status(view: &View, wrong: &[String]) -> String {
    let (_, boards) = view.read();
    let down = boards.values().filter(|board| !board.up).count();
    let boards = format!("{} boards, {down} down", boards.len());
    std::iter::once(boards).chain(wrong.iter().cloned()).collect::<Vec<_>>().join("; ")
}

struct Hub {
    config: watch::Sender<Arc<Config>>,
    mqtt: MqttConfig,
    daemon: DaemonHandle,
    heartbeat: Heartbeat,
    clock: SystemClock,
    link: Option<BrokerLink<()>>,
    connected: bool,
    complained: bool,
    retry_in: u32,
    collecting: u32,
    daemons: Daemons,
    orders: Orders,
}

impl Hub {
    fn new(config: watch::Sender<Arc<Config>>, daemon: DaemonHandle, heartbeat: Heartbeat) -> Self {
        let clock = SystemClock::start();
        let mqtt = config.borrow().mqtt.clone().unwrap_or_default();
        let daemons = Daemons::after(daemon.view().seq());
        Self {
            config,
            mqtt,
            daemon,
            heartbeat,
            link: None,
            connected: false,
            complained: false,
            retry_in: 0,
            collecting: 0,
            daemons,
            orders: Orders::new(clock.started()),
            clock,
        }
    }

    async fn work(mut self, mut orders: mpsc::Receiver<BoardOrder>, shutdown: CancellationToken) {
        let (mut period, mut alerts) = (interval(PERIOD), interval(ALERTS));
        let mut beats = interval(self.heartbeat.period());
        period.set_missed_tick_behavior(MissedTickBehavior::Delay);
        alerts.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            select! {
                Some(order) = orders.recv() => self.send(order),
                broker_event = next(&mut self.link) => self.handle_broker_event(broker_event),
                _ = period.tick() => self.tick().await,
                _ = alerts.tick() => {
                    if self.daemons.has_new_alerts() {
                        self.show();
                    }
                }
                _ = beats.tick() => {}
                () = shutdown.cancelled() => return,
            }
            self.heartbeat.beat();
        }
    }

    fn send(&mut self, order: BoardOrder) {
        let root = self.daemons.root_of(&order.board);
        let link = self.link.as_mut().filter(|_| self.connected);
        self.orders.send(order, root, |topic, payload| {
            link.is_some_and(|link| link.publish(topic, payload, false, ()).is_ok())
        });
    }

    fn handle_broker_event(&mut self, broker_event: BrokerEvent) {
        let Some(link) = &mut self.link else { return };
        match broker_event {
            BrokerEvent::Connected => {
                self.connected = true;
                self.complained = false;
                self.daemon.figures().health.set(BROKER, None);
                // What was taken back while nobody listened must not stay.
                self.daemons.begin_anew();
                self.collecting = COLLECTING;
                if !FILTERS.iter().all(|filter| link.subscribe(filter)) {
                    error!("cannot listen to the halls");
                }
                info!(broker = %self.mqtt.url, "connected");
            }
            BrokerEvent::Sent(packet) => link.sent(packet),
            BrokerEvent::Acknowledged(packet) => drop(link.acknowledged(packet)),
            BrokerEvent::Message(message) => {
                if message.topic.ends_with("/reply") {
                    self.orders.handle_reply(&message.payload);
                } else {
                    let now = self.clock.utc(self.clock.now());
                    self.daemons.handle_message(&message.topic, &message.payload, now);
                }
            }
            // A larger packet ends the connection.
            BrokerEvent::TooLong { .. } => {}
            BrokerEvent::Answered { refused } => {
                let filter = link.answered();
                if refused {
                    error!(filter, "the broker refuses the subscription");
                }
            }
            BrokerEvent::Lost(loss) => {
                let wrong = format!("{}: {}", self.mqtt.url, loss.reason);
                self.daemon.figures().health.set(BROKER, Some(wrong));
                if self.connected {
                    warn!(
                        broker = %self.mqtt.url,
                        reason = loss.reason,
                        "the broker is away; nothing is live"
                    );
                    self.daemons.all_down();
                } else if !self.complained {
                    error!(
                        broker = %self.mqtt.url,
                        reason = loss.reason,
                        "cannot reach the broker; tried again"
                    );
                }
                (self.link, self.connected, self.complained) = (None, false, true);
                self.retry_in = RETRY;
            }
        }
    }

    async fn tick(&mut self) {
        self.orders.tick();
        if self.link.is_none() {
            if self.retry_in == 0 {
                self.connect().await;
            }
            self.retry_in = self.retry_in.saturating_sub(1);
        }
        self.collecting = self.collecting.saturating_sub(1);
        if self.daemons.has_changed() {
            self.show();
        }
    }

    fn show(&mut self) {
        if self.collecting > 0 {
            return;
        }
        let (boards, tables) = self.daemons.show(self.clock.utc(self.clock.now()));
        // Before the boards, with which pages hear who sits there.
        let config = self.config.borrow().clone();
        if *config.tables != tables {
            self.config.send_replace(Arc::new(Config { tables: Arc::new(tables), ..(*config).clone() }));
        }
        self.daemon.view().update(boards);
    }

    async fn connect(&mut self) {
        let mqtt = self.mqtt.clone();
        let id = if mqtt.client_id.is_empty() {
            // Two hubs may serve two desks: the broker knows them by their machines.
            let machine = platform::host_name();
            let topics = Topics::new(&mqtt, &machine);
            topics.root().replacen("dgt", "jadoube-hub", 1).replace('/', "-")
        } else {
            mqtt.client_id.clone()
        };
        let making = spawn_blocking(move || options(&mqtt, &id, WINDOW, LARGEST));
        let made: Result<MqttOptions, String> = making.await.unwrap_or_else(|error| Err(error.to_string()));
        match made {
            Ok(options) => self.link = Some(BrokerLink::open(options, LARGEST)),
            Err(reason) => {
                error!(reason, "cannot connect");
                self.retry_in = RETRY;
            }
        }
    }
}

async fn next(link: &mut Option<BrokerLink<()>>) -> BrokerEvent {
    match link {
        Some(link) => link.next().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::HttpConfig;

    #[tokio::test]
    async fn ends_whenever_it_is_reported_to() {
        for moment in [0, 1, 10, 100] {
            let listen = (std::net::Ipv4Addr::LOCALHOST, 0).into();
            let http = Some(HttpConfig { listen, ..HttpConfig::default() });
            let url = "mqtt://127.0.0.1:9".into();
            let mqtt = Some(MqttConfig { url, ..MqttConfig::default() });
            let shutdown = CancellationToken::new();
            let mut running = JoinSet::new();
            running.spawn(run(Config { http, mqtt, ..Config::default() }, shutdown.clone()));
            // Some moment or other; nothing has to have happened by then.
            tokio::time::sleep(Duration::from_millis(moment)).await;
            shutdown.cancel();
            let ended = tokio::time::timeout(Duration::from_mins(2), running.join_next()).await;
            assert!(matches!(ended, Ok(Some(Ok(())))), "{moment}: {ended:?}");
        }
    }
}
