//! Owns notifications: alerts to ntfy, Gotify, a webhook or a command, for phones that are locked or elsewhere.
//!
//! Every channel has a queue and a task of its own, so that one that is slow delays neither a board nor another channel. What
//! cannot be sent is tried again for ten minutes; after that nobody needs it. No names leave unless `players` is set.

mod channel;
mod message;
mod overdue;
#[cfg(feature = "push")]
mod push;
mod routing;
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

#[cfg(feature = "push")]
pub(crate) use self::push::PushKey;
use self::{
    channel::{Sender, Target},
    message::Notification,
    overdue::Escalated,
    routing::Routing,
    send::SendError,
};
use crate::{
    accounts::Stamp, config::Config, metrics::Health, published::Published, service::ServiceContext,
    view::Boards,
};
use jadoube_core::{
    alert::{Alert, AlertState},
    event::EventKind,
};
use jadoube_runtime::clock::SystemClock;

/// What monitoring calls it.
const PART: &str = "notify";

/// Messages that wait for one channel; a further one is lost and counted.
const QUEUE: usize = 64;

/// Least time between two messages of one channel.
const PACE: Duration = Duration::from_secs(1);

/// How long it takes until a message is tried again, at first and at most.
const RETRY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// How often alerts to which nobody goes are looked for.
const LOOK: Duration = Duration::from_secs(1);

/// Seconds after which an alert is news to nobody.
const STALE_S: i64 = 600;

/// Works until it is asked to end.
pub(crate) async fn run(context: ServiceContext) {
    let Some(mut events) = context.daemon.subscribe() else { return };
    let mut config = context.config.clone();
    let mut tasks = JoinSet::new();
    let mut channels = Vec::new();
    let first = config.borrow_and_update().clone();
    let mut phones = read(&first, &context, channel::stamp).await.flatten();
    renew(&mut channels, &first, &context, &mut tasks).await;
    let mut escalated = Escalated::default();
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut beats = interval(context.heartbeat.period());
    loop {
        select! {
            received = events.recv_alert() => match received {
                Ok(event) => {
                    if let EventKind::Alert(alert) = &event.event.kind {
                        let config = config.borrow().clone();
                        look(&mut phones, &mut channels, &config, &context, &mut tasks).await;
                        offer(&mut channels, &event, alert, &config, &context).await;
                    }
                }
                Err(RecvError::Lagged(missed)) => warn!(missed, "alerts may be missing among the notifications"),
                Err(RecvError::Closed) => break,
            },
            Ok(()) = config.changed() => {
                let changed = config.borrow_and_update().clone();
                renew(&mut channels, &changed, &context, &mut tasks).await;
            }
            Some(Err(failed)) = tasks.join_next() => std::panic::resume_unwind(failed.into_panic()),
            _ = looks.tick() => {
                let config = config.borrow().clone();
                look(&mut phones, &mut channels, &config, &context, &mut tasks).await;
                let (_, boards) = context.daemon.view().read();
                escalate(&mut channels, &mut escalated, &boards, &config, &context).await;
            }
            _ = beats.tick() => context.heartbeat.beat(),
            () = context.shutdown.cancelled() => break,
        }
    }
    drop(channels);
    tasks.shutdown().await;
}

/// Reads files as a configuration names them, where a disk that takes its time holds up nobody else; `None` at the end.
async fn read<T: Send + 'static>(
    config: &Arc<Config>,
    context: &ServiceContext,
    read: impl FnOnce(&Config) -> T + Send + 'static,
) -> Option<T> {
    let config = config.clone();
    select! {
        seen = context.heartbeat.during(spawn_blocking(move || read(&config))) => seen.ok(),
        () = context.shutdown.cancelled() => None,
    }
}

/// Begins the channels anew if phones have been switched on or off since the last call.
async fn look(
    phones: &mut Stamp,
    channels: &mut Vec<Channel>,
    config: &Arc<Config>,
    context: &ServiceContext,
    tasks: &mut JoinSet<()>,
) {
    let Some(now) = read(config, context, channel::stamp).await else { return };
    if std::mem::replace(phones, now) != now {
        renew(channels, config, context, tasks).await;
    }
}

/// Sends a test message to every channel, and says what came of it.
pub(crate) fn test(config: &Config) -> Vec<(String, Result<(), String>)> {
    let (message, sender) = (Notification::test(config), Sender::new(config));
    let send = |channel: Target| {
        (channel.name(), channel.send(&message, &sender).map_err(|error| error.to_string()))
    };
    Target::all(config).into_iter().map(send).collect()
}

/// A channel, and the queue in front of it.
struct Channel {
    target: Target,
    queue: mpsc::Sender<Notification>,
    lost: u64,
}

impl Channel {
    /// Puts a message into the queue.
    fn put(&mut self, message: Notification) {
        if self.queue.try_send(message).is_err() {
            self.lost += 1;
            if self.lost.is_power_of_two() {
                warn!(
                    channel = self.target.name(),
                    lost = self.lost,
                    "notifications are lost: too many wait"
                );
            }
        }
    }
}

/// Begins the channels anew if they are others now; what waits goes to the channel it was meant to.
async fn renew(
    channels: &mut Vec<Channel>,
    config: &Arc<Config>,
    context: &ServiceContext,
    tasks: &mut JoinSet<()>,
) {
    let Some(targets) = read(config, context, Target::all).await else { return };
    if channels.iter().map(|channel| &channel.target).eq(&targets) {
        return;
    }
    let troubles = Troubles { health: context.daemon.figures().health.clone(), channels: Arc::default() };
    troubles.health.degrade(PART, None);
    let sender = Sender::new(config);
    let begin = |(index, target): (usize, Target)| {
        let (queue, messages) = mpsc::channel(QUEUE);
        let worker =
            Worker { index, target: target.clone(), sender: sender.clone(), troubles: troubles.clone() };
        tasks.spawn(worker.work(messages, context.shutdown.clone()));
        Channel { target, queue, lost: 0 }
    };
    *channels = targets.into_iter().enumerate().map(begin).collect();
}

/// Puts an alert into the queues of all channels that want it.
async fn offer(
    channels: &mut [Channel],
    event: &Published,
    alert: &Alert,
    config: &Arc<Config>,
    context: &ServiceContext,
) {
    let age = SystemClock::start().started().duration_since(event.at).as_secs();
    // Recovery reports what was missed while the program was down. Without a channel no file has to be read.
    if channels.is_empty() || alert.state != AlertState::Open || age > STALE_S {
        return;
    }
    let table = config.table(&event.event.board).and_then(|table| table.number);
    let Some(routing) = read(config, context, Routing::read).await else { return };
    for channel in channels {
        if alert.severity.urgency() < channel.target.severity().urgency()
            || !routing.concerns(&channel.target, table, config)
        {
            continue;
        }
        let message = Notification::of(event, alert, config, channel.target.has_players());
        channel.put(message);
    }
}

/// Puts the urgent alerts to which nobody goes into the queues of the chief's channels.
async fn escalate(
    channels: &mut [Channel],
    escalated: &mut Escalated,
    boards: &Boards,
    config: &Arc<Config>,
    context: &ServiceContext,
) {
    if channels.iter().all(|channel| channel.target.arbiter().is_none()) {
        return;
    }
    let now = SystemClock::start().started();
    let overdue = escalated.overdue(boards, config, now, STALE_S);
    if overdue.is_empty() {
        return;
    }
    let Some(routing) = read(config, context, Routing::read).await else { return };
    for alert in overdue.iter().filter(|alert| !routing.is_somebody_going(alert, now)) {
        escalated.note(alert);
        let table = config.table(alert.board).and_then(|table| table.number);
        for channel in
            channels.iter_mut().filter(|channel| routing.takes_escalated(&channel.target, table, config))
        {
            channel.put(Notification::of_overdue(alert, config, channel.target.has_players(), now));
        }
    }
}

/// Sends what is in the queue of a channel.
struct Worker {
    index: usize,
    target: Target,
    sender: Sender,
    troubles: Troubles,
}

impl Worker {
    /// Sends one message after the other.
    async fn work(self, mut messages: mpsc::Receiver<Notification>, shutdown: CancellationToken) {
        while let Some(message) = messages.recv().await {
            let mut wait = RETRY.0;
            while let Err(error) = self.send(&message).await {
                let age = SystemClock::start().started().duration_since(message.at).as_secs();
                match error {
                    // It has been taken from the list, and its queue ends.
                    SendError::Gone(_) if self.target.is_phone() => return,
                    SendError::Gone(_) | SendError::Refused(_) => break,
                    SendError::Later(_) if age > STALE_S => break,
                    SendError::Later(_) => {}
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

    /// Sends a message, and notes whether the channel works.
    async fn send(&self, message: &Notification) -> Result<(), SendError> {
        let (target, sender, message) = (self.target.clone(), self.sender.clone(), message.clone());
        let sent = spawn_blocking(move || target.send(&message, &sender)).await;
        let sent = sent.unwrap_or_else(|error| Err(SendError::Refused(error.to_string())));
        let name = self.target.name();
        match &sent {
            Err(SendError::Gone(_)) if self.target.is_phone() => {
                info!(channel = name, "a phone takes no notifications any more, and is forgotten");
                self.troubles.note(self.index, None);
            }
            Err(error) => {
                if !self.troubles.note(self.index, Some(format!("{name}: {error}"))) {
                    error!(channel = name, %error, "a notification is not taken");
                }
            }
            Ok(()) => {
                if self.troubles.note(self.index, None) {
                    info!(channel = name, "notifications are taken again");
                }
            }
        }
        sent
    }
}

/// Which channels do not work at present, and why.
#[derive(Clone, Debug)]
struct Troubles {
    health: Health,
    channels: Arc<Mutex<BTreeMap<usize, String>>>,
}

impl Troubles {
    /// Notes how a channel works; returns whether it did not work before.
    fn note(&self, index: usize, trouble: Option<String>) -> bool {
        let mut channels = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        let before = match trouble {
            Some(trouble) => channels.insert(index, trouble),
            None => channels.remove(&index),
        };
        let all: Vec<&str> = channels.values().map(String::as_str).collect();
        self.health.degrade(PART, (!all.is_empty()).then(|| all.join("; ")));
        before.is_some()
    }
}
