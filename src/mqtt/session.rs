//! Drives everything: connects, sends what is due, takes what comes, notes what was acknowledged.

mod connection;
mod ending;
mod finding;
mod sending;
mod too_long;
mod waiting;

use std::{io, sync::Arc, time::Duration};

use rumqttc::{LastWill, QoS};
use tokio::{
    select,
    task::{JoinHandle, spawn_blocking},
    time::{MissedTickBehavior, interval},
};
use tracing::{debug, error, info, warn};

use self::{
    connection::{Connection, PAUSES},
    finding::Finding,
    waiting::{next_broker_event, next_event, next_found},
};
use super::{
    SILENT, WINDOW,
    backlog::{Backlog, Found},
    commands::Commands,
    link::{BrokerEvent, BrokerLink, Loss},
    memory::{self, Memory},
    notes::Notes,
    options::options,
    order_pause::OrderPause,
    retained::Retained,
    topics::Topics,
};
use crate::{
    audit::Place,
    config::{Config, MqttConfig},
    published::{EventReader, Published},
    service::ServiceContext,
};
use jadoube_runtime::{clock::SystemClock, platform};

/// How often states go out at most.
const PERIOD: Duration = Duration::from_secs(1);

/// Seconds for which recovery may bring boards back before topics of others are taken back.
const GRACE: u32 = 10;

/// Longest message that is held: no order is longer by far, and many of them wait.
const LONGEST_HELD: usize = 1 << 13;

/// How long the end may take.
const END_LIMIT: Duration = Duration::from_secs(2);

/// What monitoring calls it.
const SINK: &str = "mqtt";

/// What health calls the way of orders in from the broker.
const ORDERS: &str = "mqtt-orders";

/// What a message under way means.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) enum Token {
    /// An event with this number.
    Event(u64),
    /// A topic is taken back.
    Removed(String),
    /// A state or an answer.
    Other,
}

/// The service at work.
pub(super) struct BrokerSession {
    context: ServiceContext,
    events: Option<EventReader>,
    config: Arc<Config>,
    mqtt: MqttConfig,
    machine: String,
    topics: Topics,
    clock: SystemClock,
    connection: Connection,
    order_pause: OrderPause,
    finding: Finding,
    backlog: Backlog,
    commands: Commands,
    shown: Shown,
    disk: Disk,
}

/// What retained topics show.
struct Shown {
    topics: Retained,
    due: Due,
    /// Seconds until topics of boards that have not come back are taken back.
    grace: u32,
}

/// What is read from the disk, and written there.
struct Disk {
    reading: DiskRead,
    memory: Memory,
    notes: Notes,
}

/// The reading of older events from the disk.
enum DiskRead {
    Idle,
    /// What is wanted was not there; the next try is at the next tick.
    Paused,
    Running(JoinHandle<Found>),
}

/// Which retained topics may have changed.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Due {
    Nothing,
    Alerts,
    All,
}

impl BrokerSession {
    /// Reads what an earlier process has noted.
    pub(super) async fn new(context: ServiceContext) -> Self {
        context.daemon.figures().exports.begin(SINK);
        let events = context.daemon.subscribe();
        let config = context.config.borrow().clone();
        let mqtt = config.mqtt.clone().unwrap_or_default();
        let machine = platform::host_name();
        let topics = Topics::new(&mqtt, &machine);
        let state_dir = config.state_dir.clone();
        let loading = spawn_blocking(move || Memory::load(&state_dir));
        let newest = context.daemon.began();
        let memory = context
            .heartbeat
            .during(loading)
            .await
            .ok()
            .flatten()
            .unwrap_or_else(|| Memory { acknowledged: newest, ..Memory::default() });
        let mut session = Self {
            events,
            backlog: Backlog::new(newest, newest, None),
            shown: Shown {
                topics: Retained::new(topics.clone(), memory.retained.clone()),
                due: Due::Nothing,
                grace: GRACE,
            },
            commands: Commands::new(context.daemon.clone(), Place::of(&config)),
            context,
            config,
            mqtt,
            machine,
            topics,
            clock: SystemClock::start(),
            connection: Connection::new(),
            order_pause: OrderPause::new(),
            finding: Finding::new(),
            disk: Disk { reading: DiskRead::Idle, notes: Notes::new(memory.clone()), memory },
        };
        session.begin(newest);
        session
    }

    /// Decides where to go on.
    fn begin(&mut self, newest: u64) {
        if self.disk.memory.acknowledged > newest {
            warn!("the numbers of events have begun anew; the broker gets what is new");
            self.disk.memory.acknowledged = newest;
        }
        if self.disk.memory.root != self.topics.root() {
            // Under other names the broker has nothing of ours.
            self.disk.memory.retained.clear();
            self.topics.root().clone_into(&mut self.disk.memory.root);
            self.shown.topics = Retained::new(self.topics.clone(), self.disk.memory.retained.clone());
        }
        self.disk.reading = DiskRead::Idle;
        self.backlog.rewind(self.disk.memory.acknowledged, self.disk.memory.at);
    }

    /// Works until it is asked to end.
    pub(super) async fn work(mut self) {
        let mut beats = interval(self.context.heartbeat.period());
        let mut period = interval(PERIOD);
        period.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut config = self.context.config.clone();
        let shutdown = self.context.shutdown.clone();
        loop {
            select! {
                event = next_event(&mut self.events) => self.push_event(event),
                broker_event = next_broker_event(&mut self.connection.link) => self.handle_broker_event(broker_event),
                found = next_found(&mut self.disk.reading) => self.handle_found(found),
                outcome = self.disk.notes.written() => self.handle_written(outcome),
                () = self.commands.done() => {}
                Ok(()) = config.changed() => self.reconfigure(),
                _ = period.tick() => self.tick().await,
                _ = beats.tick() => {}
                () = shutdown.cancelled() => break,
            }
            self.context.heartbeat.beat();
            self.pump();
        }
        let heartbeat = self.context.heartbeat.clone();
        if heartbeat.during(tokio::time::timeout(END_LIMIT, self.end())).await.is_err() {
            debug!("the broker did not acknowledge the last messages in time");
        }
        // Once more for what the end has brought.
        heartbeat.during(self.disk.notes.finish(&self.disk.memory)).await;
        self.note();
        heartbeat.during(self.disk.notes.finish(&self.disk.memory)).await;
    }

    fn push_event(&mut self, event: Option<Arc<Published>>) {
        let Some(event) = event else {
            self.events = None;
            return;
        };
        if event.is_alert() {
            self.shown.due = self.shown.due.max(Due::Alerts);
        }
        self.backlog.push(&event);
    }

    fn handle_found(&mut self, found: Found) {
        // The log lags a little behind what has happened.
        self.disk.reading = if self.backlog.found(found) { DiskRead::Idle } else { DiskRead::Paused };
    }

    fn handle_broker_event(&mut self, broker_event: BrokerEvent) {
        let Some(link) = &mut self.connection.link else { return };
        match broker_event {
            BrokerEvent::Connected => self.greet(),
            BrokerEvent::Sent(packet) => link.sent(packet),
            BrokerEvent::Acknowledged(packet) => {
                self.connection.heard = self.clock.now();
                self.context.daemon.figures().exports.succeed(SINK, self.clock.utc(self.connection.heard));
                if let Some(Token::Removed(topic)) = link.acknowledged(packet) {
                    self.shown.topics.note_removed(&topic);
                }
            }
            BrokerEvent::Message(message) => {
                if !self.note_kept(&message.topic, message.retained) && self.mqtt.commands {
                    self.commands.handle_message(
                        &self.topics,
                        &message.topic,
                        &message.payload,
                        message.retained,
                    );
                }
            }
            BrokerEvent::TooLong { topic, length, retained } => self.note_too_long(&topic, length, retained),
            BrokerEvent::Answered { refused } => self.handle_answered(refused),
            BrokerEvent::Lost(loss) => self.lose(&loss),
        }
    }

    /// Says that we are here, before everything else.
    fn greet(&mut self) {
        self.connection.connected = true;
        self.connection.heard = self.clock.now();
        self.connection.since = self.connection.heard;
        self.connection.pause = PAUSES[0];
        self.disk.reading = DiskRead::Idle;
        self.backlog.rewind(self.disk.memory.acknowledged, self.disk.memory.at);
        self.shown.topics.restart();
        self.shown.topics.set(&self.topics.status(), "online".into());
        self.context.daemon.figures().health.degrade(SINK, None);
        info!(
            broker = %self.mqtt.url,
            topics = self.topics.root(),
            behind = self.backlog.behind(),
            "connected"
        );
        self.connection.complained = false;
        self.ask_for_kept();
        self.subscribe();
        self.shown.due = Due::All;
    }

    /// Asks for orders, if they are switched on and not paused.
    fn subscribe(&mut self) {
        if let Some(link) = self.connection.link.as_mut().filter(|_| self.connection.connected)
            && self.mqtt.commands
            && self.order_pause.is_over()
            && !link.subscribe(&self.topics.commands())
        {
            error!("cannot ask for orders");
        }
    }

    fn lose(&mut self, loss: &Loss) {
        self.note_acknowledged();
        let reason = self.connection.reason(loss, self.clock.now());
        let figures = self.context.daemon.figures();
        figures.exports.fail(SINK);
        figures.health.degrade(SINK, Some(format!("{}: {reason}", self.mqtt.url)));
        self.connection.link = None;
        self.connection.retry_in = self.connection.pause;
        self.connection.pause = (self.connection.pause * 2).min(PAUSES[1]);
        self.end_finding(loss.oversized);
        if loss.oversized && self.mqtt.commands {
            self.pause_orders();
        }
        if self.connection.connected {
            warn!(broker = %self.mqtt.url, reason, "the broker is away; events are kept for it");
        } else if !self.connection.complained {
            error!(
                broker = %self.mqtt.url,
                reason,
                "cannot reach the broker; tried again, events are kept for it"
            );
        }
        self.connection.complained = true;
        self.connection.connected = false;
    }

    /// Handles a configuration that has changed.
    fn reconfigure(&mut self) {
        self.config = self.context.config.borrow().clone();
        self.shown.topics.show_again();
        let Some(mqtt) = self.config.mqtt.clone() else { return };
        if mqtt == self.mqtt {
            return;
        }
        info!("the broker's configuration has changed; connects anew");
        self.note_acknowledged();
        // Without a farewell, so that the broker publishes our will under the old names.
        self.connection.link = None;
        self.mqtt = mqtt;
        self.topics = Topics::new(&self.mqtt, &self.machine);
        self.begin(self.disk.memory.acknowledged);
        (self.connection.connected, self.connection.complained, self.connection.retry_in) = (false, false, 0);
        self.order_pause = OrderPause::new();
        self.finding = Finding::new();
        self.context.daemon.figures().health.degrade(ORDERS, None);
    }

    /// Does what is due once a second.
    async fn tick(&mut self) {
        if let DiskRead::Paused = self.disk.reading {
            self.disk.reading = DiskRead::Idle;
        }
        self.shown.grace = self.shown.grace.saturating_sub(1);
        let due = self.order_pause.tick();
        if due.is_good {
            self.context.daemon.figures().health.degrade(ORDERS, None);
        }
        if due.is_over {
            self.subscribe();
        }
        if self.connection.link.is_none() {
            if self.connection.retry_in == 0 {
                self.connect().await;
            }
            self.connection.retry_in = self.connection.retry_in.saturating_sub(1);
        }
        if self.connection.link.as_ref().is_none_or(BrokerLink::is_idle) {
            self.connection.heard = self.clock.now();
        } else if self.clock.now().since(self.connection.heard) > SILENT {
            self.lose(&Loss { reason: "nothing is acknowledged".to_owned(), oversized: false });
        }
        self.shown.due = Due::All;
        self.note_acknowledged();
        self.note();
    }

    async fn connect(&mut self) {
        let mqtt = self.mqtt.clone();
        let id = if mqtt.client_id.is_empty() {
            self.topics.root().replacen("dgt", "jadoube", 1).replace('/', "-")
        } else {
            mqtt.client_id.clone()
        };
        self.connection.id.clone_from(&id);
        let reading = spawn_blocking(move || options(&mqtt, &id, WINDOW, too_long::LARGEST_IN));
        match self.context.heartbeat.during(reading).await {
            Ok(Ok(mut options)) => {
                let will = LastWill::new(self.topics.status(), "offline", QoS::AtLeastOnce, true);
                options.set_last_will(will);
                self.connection.heard = self.clock.now();
                self.connection.link = Some(BrokerLink::open(options, LONGEST_HELD));
            }
            Ok(Err(reason)) => self.lose(&Loss { reason, oversized: false }),
            Err(error) => self.lose(&Loss { reason: error.to_string(), oversized: false }),
        }
    }

    /// Finds out up to where the broker has everything.
    fn note_acknowledged(&mut self) {
        self.disk.memory.retained.clone_from(self.shown.topics.known());
        let Some(link) = self.connection.link.as_ref().filter(|_| self.connection.connected) else { return };
        let seqs = link
            .under_way()
            .filter_map(|token| if let Token::Event(seq) = token { Some(*seq) } else { None });
        let lowest = seqs.min();
        let acknowledged = lowest.map_or(self.backlog.handed(), |seq| seq.saturating_sub(1));
        if acknowledged > self.disk.memory.acknowledged {
            self.disk.memory.acknowledged = acknowledged;
            self.backlog.acknowledged(acknowledged);
            if lowest.is_none() && self.backlog.behind() == 0 {
                let now = self.clock.now();
                self.disk.memory.at = memory::known_at(self.clock.utc(now), self.clock.calendar(now));
            }
        }
    }

    /// Makes durable what the next process has to know, while everything else goes on.
    fn note(&mut self) {
        let state_dir = self.config.state_dir.clone();
        self.disk.notes.write(&self.disk.memory, move |memory| memory.save(&state_dir));
    }

    fn handle_written(&mut self, outcome: io::Result<()>) {
        if self.disk.notes.handle_written(outcome, &self.disk.memory) {
            self.note();
        }
    }
}
