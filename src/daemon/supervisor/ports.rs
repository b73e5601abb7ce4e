//! Starts ports, and what follows when one of them ends.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Write as _,
    sync::{Arc, Mutex},
    time::Duration,
};

use tokio::{sync::mpsc, task::JoinError};
use tokio_util::sync::CancellationToken;
use tracing::{debug, error, info};

use super::{Name, Supervisor};
use crate::{
    daemon::scan,
    metrics::Health,
    port::{self, Beginning, OrderRequest, PortFault},
    service::BoardOrder,
    sinks::{DeliveredTail, Outgoing},
};
use jadoube_core::{
    event::{Event, EventKind, LinkState},
    order::{Order, OrderError},
    time::Timestamp,
};

/// Orders that wait for a port.
const ORDER_QUEUE: usize = 16;

/// How often a port may panic in [`BUDGET_SPAN`] before it is given up.
const BUDGET: usize = 3;

/// See [`BUDGET`].
const BUDGET_SPAN: Duration = Duration::from_mins(1);

/// A device that comes back within this, and on which nothing has ever answered, is no news: its cable may be loose.
const LOOSE: Duration = Duration::from_mins(10);

/// A port as the supervisor sees it.
#[derive(Debug)]
pub(super) struct Port {
    pub(super) found: bool,
    /// How many boards the line has.
    pub(super) boards: usize,
    pub(super) orders: mpsc::Sender<Box<OrderRequest>>,
    pub(super) stop: CancellationToken,
    /// What the task does, or did, with the newest capture.
    pub(super) beginning: Beginning,
    /// Whether the task has got through recovery.
    pub(super) ready: bool,
    /// Whether a board has ever answered, and whether it does.
    pub(super) link: Option<LinkState>,
    /// When it panicked lately.
    pub(super) panics: VecDeque<Timestamp>,
    pub(super) given_up: bool,
    /// Why the disk takes no records of it, if it does not.
    pub(super) disk: Option<String>,
    /// Why nothing is taken of what its board says.
    pub(super) faults: BTreeMap<PortFault, String>,
    /// Boards of which the outside does not know yet that nobody hears them, and since when it is so.
    untold_down: Option<(Timestamp, BTreeSet<String>)>,
    /// What it has reported lately.
    delivered: Arc<Mutex<DeliveredTail>>,
}

impl Port {
    /// Notes why nothing is taken of what its board says, or that it is again.
    pub(super) fn set_fault(&mut self, fault: PortFault, reason: Option<String>) {
        match reason {
            Some(reason) => self.faults.insert(fault, reason),
            None => self.faults.remove(&fault),
        };
    }

    /// Informs the hub of boards that are not heard any more, as far as it takes it; the port `holds` those that are on no other.
    fn report_down(
        &mut self,
        name: &Arc<str>,
        hub: &mpsc::Sender<Outgoing>,
        holds: impl Fn(&str) -> bool,
        calendar: impl Fn(Timestamp) -> jiff::Timestamp,
    ) {
        let Some((since, boards)) = &mut self.untold_down else { return };
        boards.retain(|board| {
            if !holds(board) {
                return false;
            }
            let Ok(place) = hub.try_reserve() else {
                debug!(port = %name, board, "the hub is late; that the link is down is reported at the next look");
                return true;
            };
            let kind = EventKind::Link { state: LinkState::Down, port: name.to_string() };
            let event = Event { at: *since, board: board.as_str().into(), kind };
            place.send(Outgoing::Event { port: name.clone(), at: calendar(*since), event: event.into() });
            false
        });
        if boards.is_empty() {
            self.untold_down = None;
        }
    }
}

impl Supervisor {
    /// Starts the ports that the configuration lists.
    pub(super) fn start_listed(&mut self) {
        for port in &self.config().listed {
            self.start_port(&port.path, false);
        }
    }

    /// Starts a port's task, unless it has one.
    pub(super) fn start_port(&mut self, name: &str, found: bool) {
        let Some(events) = self.events.clone() else { return };
        if self.ports.contains_key(name) {
            return;
        }
        let port: Arc<str> = Arc::from(name);
        let (orders, order_receiver) = mpsc::channel(ORDER_QUEUE);
        let entry = Port {
            found,
            boards: self.config().port(name).map_or(1, |port| port.bus.len().max(1)),
            orders,
            stop: self.shutdown.child_token(),
            beginning: Beginning::Recover,
            ready: false,
            link: None,
            panics: VecDeque::new(),
            given_up: false,
            disk: None,
            faults: BTreeMap::new(),
            untold_down: None,
            delivered: DeliveredTail::shared(self.clock.utc(self.clock.now())),
        };
        let event_index = self.event_index.clone().filter(|_| self.clock.now() < port::INDEX_LIFE);
        let context = self.context(&port, &entry, order_receiver, events);
        self.ports.insert(port.clone(), entry);
        self.spawn(Name::Port(port), port::run(port::PortContext { reported: event_index, ..context }));
    }

    /// A device that was found is gone, and never had a board on it.
    pub(super) fn port_gone(&mut self, port: &Arc<str>, losses: u32) {
        debug!(%port, "the port is gone and never had a board");
        self.ports.remove(port);
        let now = self.clock.now();
        self.gone.retain(|_, (since, _)| now.since(*since) < LOOSE);
        self.gone.insert(port.clone(), (now, losses));
        // A reload may have listed it in the same instant.
        if self.config().port(port).is_some() {
            self.start_port(port, false);
        }
    }

    /// Returns what a port's task is made of; nothing has been reported of its captures.
    fn context(
        &mut self,
        port: &Arc<str>,
        entry: &Port,
        orders: mpsc::Receiver<Box<OrderRequest>>,
        events: mpsc::Sender<Outgoing>,
    ) -> port::PortContext {
        port::PortContext {
            port: port.clone(),
            found: entry.found,
            beginning: entry.beginning,
            config: self.config_receiver.clone(),
            orders,
            reported: None,
            event_index: self.event_index.clone().filter(|_| self.clock.now() < port::INDEX_LIFE),
            traffic: self.figures.traffic.clone(),
            delivered: entry.delivered.clone(),
            events,
            reports: self.reports.clone(),
            losses: self.gone.get(port).map_or(0, |(since, losses)| {
                if self.clock.now().since(*since) < LOOSE { *losses } else { 0 }
            }),
            shutdown: entry.stop.clone(),
            heartbeat: self.watchdog.heartbeat(port),
        }
    }

    /// A port was stopped by a reload: it starts again if the new configuration still has it.
    pub(super) fn port_stopped(&mut self, port: &Arc<str>) {
        let Some(entry) = self.ports.remove(port) else { return };
        self.registry.disconnect(port, self.clock.utc(self.clock.now()));
        let config = self.config();
        if config.port(port).is_some() {
            self.start_port(port, false);
        } else if entry.found && config.ports.scan.iter().any(|pattern| scan::matches(pattern, port)) {
            self.start_port(port, true);
        } else {
            self.registry.release(port);
        }
    }

    /// A port is rebuilt from its capture, unless it fails again and again.
    pub(super) fn port_panicked(&mut self, port: &Arc<str>, error: &JoinError) {
        let now = self.clock.now();
        self.registry.disconnect(port, self.clock.utc(now));
        let Some(events) = self.events.clone() else { return };
        let Some(mut entry) = self.ports.remove(port) else { return };
        entry.panics.push_back(now);
        entry.panics.retain(|at| now.since(*at) < BUDGET_SPAN);
        entry.link = entry.link.map(|_| LinkState::Down);
        if entry.panics.len() > BUDGET {
            entry.given_up = true;
            entry.ready = true;
            error!(%port, %error, "has failed {BUDGET} times in a minute and is given up until a reload; this is a bug in jadoube");
            entry.untold_down = Some((now, self.registry.boards_of(port).map(str::to_owned).collect()));
            self.ports.insert(port.clone(), entry);
            self.report_down();
            return;
        }
        // What makes the program fail is mostly the last record; replaying it would fail again.
        entry.beginning = match (entry.ready, entry.beginning) {
            (true, _) => Beginning::Recover,
            (false, Beginning::Recover) => Beginning::LeaveOut,
            (false, Beginning::LeaveOut | Beginning::Fresh) => Beginning::Fresh,
        };
        entry.ready = false;
        entry.faults.clear();
        let beginning = entry.beginning;
        if beginning == Beginning::Fresh {
            self.registry.forget(port);
        }
        error!(%port, %error, ?beginning, "has failed and is started again; this is a bug in jadoube");
        let (orders, order_receiver) = mpsc::channel(ORDER_QUEUE);
        entry.orders = orders;
        let context = self.context(port, &entry, order_receiver, events);
        // What was recorded and not reported when it failed is reported now; what was reported is not reported again.
        let reported = DeliveredTail::index(&entry.delivered);
        self.ports.insert(port.clone(), entry);
        self.spawn(
            Name::Port(port.clone()),
            port::run(port::PortContext { reported: Some(Arc::new(reported)), ..context }),
        );
    }

    /// Begins the round with the order that says so; a service that repeats it to other boards changes nothing.
    fn note_round_started(&self, order: &Order, by: &str) {
        let by = if by.is_empty() { "order" } else { by };
        if matches!(order.inner(), Order::RoundStarted)
            && let Some(round) = self.config().event.round
        {
            self.rounds.start(round, by, self.clock.utc(self.clock.now()));
        }
    }

    /// Passes an order on to the port that has the board.
    pub(super) fn pass_order(&self, order: BoardOrder) {
        let BoardOrder { board, order, by, reply } = order;
        self.note_round_started(&order, &by);
        let config = self.config();
        let seen = self.view.board(&board);
        let on_bus = || config.port_of_bus_board(&board).map(|port| port.path.as_str());
        // Boards on a bus that nobody has listed are known from what they have reported.
        let found = || seen.as_ref().map(|board| &*board.port).filter(|port| self.ports.contains_key(*port));
        let port = self.registry.port_of(&board).map(AsRef::as_ref).or_else(on_bus).or_else(found);
        let port = port.unwrap_or(&board);
        let refused = match self.ports.get(port) {
            None => (reply, format!("there is no board {board}")),
            Some(entry) => {
                match entry.orders.try_send(Box::new(OrderRequest { board: board.clone(), order, reply })) {
                    Ok(()) => return,
                    Err(mpsc::error::TrySendError::Full(request)) => {
                        (request.reply, format!("board {board} is busy"))
                    }
                    Err(mpsc::error::TrySendError::Closed(request)) => {
                        (request.reply, format!("board {board} is not at work"))
                    }
                }
            }
        };
        let (reply, reason) = refused;
        info!(board, reason, "order refused");
        if reply.send(Err(OrderError::Refused(reason))).is_err() {
            debug!("the sender of an order does not wait for the answer any more");
        }
    }

    /// Reports to the hub which boards are not heard any more as their port was given up; what it does not take is reported at the next look.
    pub(super) fn report_down(&mut self) {
        let Some(hub) = &self.events else { return };
        for (name, port) in &mut self.ports {
            let holds = |board: &str| self.registry.port_of(board) == Some(name);
            port.report_down(name, hub, holds, |at| self.clock.calendar(at));
        }
    }
}

/// Says how many boards there are and how they are, and what else does less than it should.
pub(super) fn status(ports: &BTreeMap<Arc<str>, Port>, failing: &BTreeMap<&'static str, String>) -> String {
    let boards = |state: Option<LinkState>| -> usize {
        let ports =
            ports.values().filter(|port| port.link.is_some() && (state.is_none() || port.link == state));
        ports.map(|port| port.boards).sum()
    };
    let all = boards(None);
    let mut text = if all == 1 { "1 board".to_owned() } else { format!("{all} boards") };
    let down = boards(Some(LinkState::Down));
    if down > 0 {
        write!(text, ", {down} down").unwrap_or_default();
    }
    for (part, fails) in failing {
        write!(text, "; {part}: {fails}").unwrap_or_default();
    }
    text
}

/// Names the ports that fail again and again.
pub(super) fn given_up(ports: &BTreeMap<Arc<str>, Port>) -> Option<String> {
    let names: Vec<&str> = ports.iter().filter(|(_, port)| port.given_up).map(|(name, _)| &**name).collect();
    (!names.is_empty()).then(|| format!("{} given up until a reload", names.join(", ")))
}

/// Shows of which ports nothing is taken because of a fault.
pub(super) fn show_faults(ports: &BTreeMap<Arc<str>, Port>, health: &Health) {
    for fault in PortFault::ALL {
        let reasons = ports.values().filter_map(|port| port.faults.get(&fault).map(String::as_str));
        let reasons: Vec<&str> = reasons.collect();
        health.degrade(fault.part(), (!reasons.is_empty()).then(|| reasons.join(", ")));
    }
}

/// Names the ports whose records no disk takes, and says why of the first.
pub(super) fn full_disks(ports: &BTreeMap<Arc<str>, Port>) -> Option<String> {
    let mut failures = ports.values().filter_map(|port| port.disk.as_ref());
    let first = failures.next()?;
    let more = failures.count();
    Some(if more == 0 { first.clone() } else { format!("{first}, and {more} more") })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Ports = BTreeMap<Arc<str>, Port>;

    fn ports(ports: &[(&str, Option<LinkState>, bool)]) -> Ports {
        let port = |name: &str, link, given_up| Port {
            found: true,
            boards: if name == "bus" { 3 } else { 1 },
            orders: mpsc::channel(1).0,
            stop: CancellationToken::new(),
            beginning: Beginning::Recover,
            ready: true,
            link,
            panics: VecDeque::new(),
            given_up,
            disk: given_up.then(|| "cannot write x: full".to_owned()),
            faults: BTreeMap::new(),
            untold_down: None,
            delivered: DeliveredTail::shared(jiff::Timestamp::UNIX_EPOCH),
        };
        let named = |(name, link, given_up): &(&str, _, _)| (Arc::from(*name), port(name, *link, *given_up));
        ports.iter().map(named).collect()
    }

    #[track_caller]
    fn check(listed: &[(&str, Option<LinkState>, bool)], expected: &str) {
        assert_eq!(status(&ports(listed), &BTreeMap::new()), expected);
        let failing = BTreeMap::from([("lichess", "is away".to_owned())]);
        assert_eq!(status(&ports(listed), &failing), format!("{expected}; lichess: is away"));
    }

    #[test]
    fn a_late_hub_hears_later_that_boards_are_down() {
        let (hub, mut reported) = mpsc::channel(1);
        let mut ports = ports(&[("bus", Some(LinkState::Down), true)]);
        let (name, port) = ports.iter_mut().next().unwrap();
        let since = Timestamp::from_micros(5_000_000);
        port.untold_down = Some((since, ["1", "2", "3"].map(str::to_owned).into()));
        let mut look = |elsewhere: &str| {
            port.report_down(name, &hub, |board| board != elsewhere, |_| jiff::Timestamp::UNIX_EPOCH);
        };
        let mut next = || {
            let Outgoing::Event { event, .. } = reported.try_recv().ok()? else { panic!("of a board") };
            let event = event.event();
            assert!(matches!(&event.kind, EventKind::Link { state: LinkState::Down, port } if port == "bus"));
            Some((event.at, event.board.to_string()))
        };
        look("");
        // Its queue is full.
        look("");
        assert_eq!((next(), next()), (Some((since, "1".to_owned())), None));
        // Meanwhile somebody has plugged a board in elsewhere, where it is heard.
        look("2");
        assert_eq!((next(), next()), (Some((since, "3".to_owned())), None));
        look("");
        assert_eq!(next(), None);
    }

    #[test]
    fn a_status_counts_boards_and_not_ports() {
        let (up, down) = (Some(LinkState::Up), Some(LinkState::Down));
        check(&[], "0 boards");
        check(&[("a", up, false), ("b", None, false)], "1 board");
        check(&[("a", up, false), ("b", down, false)], "2 boards, 1 down");
        check(&[("a", up, false), ("bus", up, false)], "4 boards");
        check(&[("a", down, true), ("b", None, true)], "1 board, 1 down");
    }

    #[test]
    fn ports_that_fail_are_named() {
        let well = ports(&[("a", None, false)]);
        assert_eq!((given_up(&well), full_disks(&well)), (None, None));
        let failing = ports(&[("a", None, true), ("b", None, false), ("c", None, true)]);
        assert_eq!(given_up(&failing).unwrap(), "a, c given up until a reload");
        assert_eq!(full_disks(&failing).unwrap(), "cannot write x: full, and 1 more");
    }
}
