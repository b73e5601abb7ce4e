//! Owns notifications: alerts to ntfy, Gotify, a webhook or a command, for phones that are locked or elsewhere.
//!
//! Every way has a queue and a task of its own, so that one that is slow delays neither a board nor another way. What
//! cannot be sent is tried again for ten minutes; after that nobody needs it. No names leave unless `players` is set.

mod duty;
mod message;
mod send;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{
    select,
    sync::{broadcast::error::RecvError, mpsc},
    task::{JoinSet, spawn_blocking},
    time::{MissedTickBehavior, interval, sleep},
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info, warn};

use self::{
    duty::{Duty, Escalated},
    message::Notification,
    send::SendError,
};
use crate::{
    config::{Config, NotifyConfig},
    metrics::Health,
    published::Published,
    service::ServiceContext,
    view::Boards,
};
use jadoube_core::{
    alert::{Alert, AlertState},
    event::EventKind,
};
use jadoube_runtime::clock::SystemClock;

/// What monitoring calls it.
const PART: &str = "notify";

/// Messages that wait for one way; a further one is lost and counted.
const QUEUE: usize = 64;

/// Least time between two messages of one way.
const PACE: Duration = Duration::from_secs(1);

/// How long it takes until a message is tried again, at first and at most.
const RETRY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// How often alerts to which nobody goes are looked for.
const LOOK: Duration = Duration::from_secs(1);

/// Seconds after which an alert is news to nobody.
const STALE_S: i64 = 600;

/// Works until it is told to end.
pub(crate) async fn run(context: ServiceContext) {
    let Some(mut events) = context.daemon.subscribe() else { return };
    let mut config = context.config.clone();
    let mut tasks = JoinSet::new();
    let mut ways = begin(&config.borrow_and_update(), &context, &mut tasks);
    let mut escalated = Escalated::default();
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut beats = interval(context.heartbeat.period());
    loop {
        select! {
            received = events.recv() => match received {
                Ok(event) => {
                    if let EventKind::Alert(alert) = &event.event.kind {
                        let config = config.borrow().clone();
                        offer(&mut ways, &event, alert, &config);
                    }
                }
                Err(RecvError::Lagged(missed)) => warn!(missed, "alerts may be missing among the notifications"),
                Err(RecvError::Closed) => break,
            },
            Ok(()) = config.changed() => {
                let changed = config.borrow_and_update().clone();
                if changed.notify.iter().ne(ways.iter().map(|way| &way.config)) {
                    // What waits goes the way it was meant to.
                    ways = begin(&changed, &context, &mut tasks);
                }
            }
            Some(Err(failed)) = tasks.join_next() => std::panic::resume_unwind(failed.into_panic()),
            _ = looks.tick() => {
                let config = config.borrow().clone();
                let (_, boards) = context.daemon.view().read();
                escalate(&mut ways, &mut escalated, &boards, &config);
            }
            _ = beats.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => break,
        }
    }
    drop(ways);
    tasks.shutdown().await;
}

/// Sends a test message every way, and says what came of it.
pub(crate) fn test(config: &Config) -> Vec<(String, Result<(), String>)> {
    let message = Notification::test(config);
    let send = |(index, way): (usize, &NotifyConfig)| {
        (name(index, way), send::send(way, &message).map_err(|error| error.to_string()))
    };
    config.notify.iter().enumerate().map(send).collect()
}

/// Names a way as the configuration counts it.
fn name(index: usize, way: &NotifyConfig) -> String {
    format!("notify {}: {}", index + 1, way.kind.name())
}

/// A way, and the queue in front of it.
struct Way {
    config: NotifyConfig,
    queue: mpsc::Sender<Notification>,
    lost: u64,
}

impl Way {
    /// Puts a message into the queue.
    fn put(&mut self, message: Notification) {
        if self.queue.try_send(message).is_err() {
            self.lost += 1;
            if self.lost.is_power_of_two() {
                warn!(
                    way = self.config.kind.name(),
                    lost = self.lost,
                    "notifications are lost: too many wait"
                );
            }
        }
    }
}

fn begin(config: &Config, context: &ServiceContext, tasks: &mut JoinSet<()>) -> Vec<Way> {
    let troubles = Troubles { health: context.daemon.figures().health.clone(), ways: Arc::default() };
    troubles.health.degrade(PART, None);
    let ways = config.notify.iter().enumerate().map(|(index, way)| {
        let (queue, messages) = mpsc::channel(QUEUE);
        tasks.spawn(work(index, way.clone(), messages, troubles.clone(), context.shutdown.clone()));
        Way { config: way.clone(), queue, lost: 0 }
    });
    ways.collect()
}

/// Puts an alert into the queues of all ways that want it.
fn offer(ways: &mut [Way], event: &Published, alert: &Alert, config: &Config) {
    let age = SystemClock::start().started().duration_since(event.at).as_secs();
    // Recovery tells what was missed while the program was down.
    if alert.state != AlertState::Open || age > STALE_S {
        return;
    }
    let table = config.table(&event.event.board).and_then(|table| table.number);
    let duty = Duty::read(config);
    for way in ways {
        if alert.severity.urgency() < way.config.severity.urgency()
            || !duty.concerns(&way.config, table, config)
        {
            continue;
        }
        let message = Notification::of(event, alert, config, way.config.players);
        way.put(message);
    }
}

/// Puts the urgent alerts to which nobody goes into the queues of the chief's ways.
fn escalate(ways: &mut [Way], escalated: &mut Escalated, boards: &Boards, config: &Config) {
    if ways.iter().all(|way| way.config.arbiter.is_none()) {
        return;
    }
    let now = SystemClock::start().started();
    let overdue = escalated.overdue(boards, config, now, STALE_S);
    if overdue.is_empty() {
        return;
    }
    let duty = Duty::read(config);
    for alert in overdue.iter().filter(|alert| !duty.is_somebody_going(alert.id)) {
        escalated.note(alert);
        let table = config.table(alert.board).and_then(|table| table.number);
        for way in ways.iter_mut().filter(|way| duty.takes_escalated(&way.config, table, config)) {
            way.put(Notification::of_overdue(alert, config, way.config.players, now));
        }
    }
}

/// Sends one message after the other.
async fn work(
    index: usize,
    way: NotifyConfig,
    mut messages: mpsc::Receiver<Notification>,
    troubles: Troubles,
    shutdown: CancellationToken,
) {
    let name = name(index, &way);
    while let Some(message) = messages.recv().await {
        let mut wait = RETRY.0;
        loop {
            let (to, what) = (way.clone(), message.clone());
            let sent = spawn_blocking(move || send::send(&to, &what)).await;
            let error = match sent.unwrap_or_else(|error| Err(SendError::Refused(error.to_string()))) {
                Ok(()) => {
                    if troubles.note(index, None) {
                        info!(way = name, "notifications are taken again");
                    }
                    break;
                }
                Err(error) => error,
            };
            if !troubles.note(index, Some(format!("{name}: {error}"))) {
                error!(way = name, %error, "a notification is not taken");
            }
            let age = SystemClock::start().started().duration_since(message.at).as_secs();
            if matches!(error, SendError::Refused(_)) || age > STALE_S {
                break;
            }
            select! {
                () = sleep(wait) => wait = (wait * 2).min(RETRY.1),
                () = shutdown.cancelled() => return,
            }
        }
        select! {
            () = sleep(PACE) => {}
            () = shutdown.cancelled() => return,
        }
    }
}

/// Which ways do not work at present, and why.
#[derive(Clone, Debug)]
struct Troubles {
    health: Health,
    ways: Arc<Mutex<BTreeMap<usize, String>>>,
}

impl Troubles {
    /// Notes how a way works; returns whether it did not work before.
    fn note(&self, index: usize, trouble: Option<String>) -> bool {
        let mut ways = self.ways.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match trouble {
            Some(trouble) => ways.insert(index, trouble),
            None => ways.remove(&index),
        };
        let all: Vec<&str> = ways.values().map(String::as_str).collect();
        self.health.degrade(PART, (!all.is_empty()).then(|| all.join("; ")));
        before.is_some()
    }
}
