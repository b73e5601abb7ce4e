//! Starts ports, and what follows when one of them ends.

use std::{
    collections::{BTreeMap, VecDeque},
    fmt::Write as _,
    sync::Arc,
    time::Duration,
};

use tokio::{sync::mpsc, task::JoinError};
use tokio_util::sync::CancellationToken;
use tracing::error;

use super::{Name, Supervisor};
use crate::{
    daemon::scan,
    event::LinkState,
    port::{self, Beginning, OrderRequest},
    sinks::Outgoing,
    time::Timestamp,
};

/// Orders that wait for a port.
const ORDER_QUEUE: usize = 16;

/// How often a port may panic in [`BUDGET_SPAN`] before it is given up.
const BUDGET: usize = 3;

/// See [`BUDGET`].
const BUDGET_SPAN: Duration = Duration::from_mins(1);

/// A port as the supervisor sees it.
#[derive(Debug)]
pub(super) struct Port {
    pub(super) found: bool,
    /// How many boards the line has.
    pub(super) boards: usize,
    pub(super) orders: mpsc::Sender<OrderRequest>,
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
        let stop = self.shutdown.child_token();
        let entry = Port {
            found,
            boards: self.config().port(name).map_or(1, |port| port.bus.len().max(1)),
            orders,
            stop: stop.clone(),
            beginning: Beginning::Recover,
            ready: false,
            link: None,
            panics: VecDeque::new(),
            given_up: false,
        };
        self.ports.insert(port.clone(), entry);
        self.start_task(port, found, Beginning::Recover, order_receiver, stop, events);
    }

    fn start_task(
        &mut self,
        port: Arc<str>,
        found: bool,
        beginning: Beginning,
        orders: mpsc::Receiver<OrderRequest>,
        shutdown: CancellationToken,
        events: mpsc::Sender<Outgoing>,
    ) {
        let heart = self.hearts.heart(&port);
        let setup = port::Setup {
            port: port.clone(),
            found,
            beginning,
            config: self.config_receiver.clone(),
            orders,
            ledger: self.ledger.clone().filter(|_| self.clock.now() < port::LEDGER_LIFE),
            traffic: self.figures.traffic.clone(),
            events,
            reports: self.reports.clone(),
            shutdown,
            heart,
        };
        self.spawn(Name::Port(port), port::run(setup));
    }

    /// A port was stopped by a reload: it starts again if the new configuration still has it.
    pub(super) fn port_stopped(&mut self, port: &Arc<str>) {
        let Some(entry) = self.ports.remove(port) else { return };
        self.registry.disconnect(port);
        let config = self.config();
        if config.port(port).is_some() {
            self.start_port(port, false);
        } else if entry.found && config.ports.scan.iter().any(|pattern| scan::matches(pattern, port)) {
            self.start_port(port, true);
        }
    }

    /// A port is rebuilt from its capture, unless it fails again and again.
    pub(super) fn port_panicked(&mut self, port: &Arc<str>, error: &JoinError) {
        let now = self.clock.now();
        self.registry.disconnect(port);
        let Some(events) = self.events.clone() else { return };
        let Some(entry) = self.ports.get_mut(port) else { return };
        entry.panics.push_back(now);
        entry.panics.retain(|at| now.since(*at) < BUDGET_SPAN);
        entry.link = entry.link.map(|_| LinkState::Down);
        if entry.panics.len() > BUDGET {
            entry.given_up = true;
            entry.ready = true;
            error!(%port, %error, "has failed {BUDGET} times in a minute and is given up until a reload; this is a bug in jadoube");
            return;
        }
        // What makes the program fail is mostly the last record; replaying it would fail again.
        entry.beginning = match (entry.ready, entry.beginning) {
            (true, _) => Beginning::Recover,
            (false, Beginning::Recover) => Beginning::LeaveOut,
            (false, Beginning::LeaveOut | Beginning::Fresh) => Beginning::Fresh,
        };
        entry.ready = false;
        let beginning = entry.beginning;
        if beginning == Beginning::Fresh {
            self.registry.forget(port);
        }
        error!(%port, %error, ?beginning, "has failed and is started again; this is a bug in jadoube");
        let (orders, order_receiver) = mpsc::channel(ORDER_QUEUE);
        entry.orders = orders;
        let (found, stop) = (entry.found, entry.stop.clone());
        self.start_task(port.clone(), found, beginning, order_receiver, stop, events);
    }
}

/// Says how many boards there are and how they are, and what else does less than it should.
pub(super) fn status(ports: &BTreeMap<Arc<str>, Port>, degraded: &BTreeMap<&'static str, String>) -> String {
    let boards = |state: Option<LinkState>| -> usize {
        let ports =
            ports.values().filter(|port| port.link.is_some() && (state.is_none() || port.link == state));
        ports.map(|port| port.boards).sum()
    };
    let given_up = ports.values().filter(|port| port.given_up).count();
    let all = boards(None);
    let mut text = if all == 1 { "1 board".to_owned() } else { format!("{all} boards") };
    for (count, what) in [(boards(Some(LinkState::Down)), "down"), (given_up, "given up")] {
        if count > 0 {
            write!(text, ", {count} {what}").unwrap_or_default();
        }
    }
    for (part, fails) in degraded {
        write!(text, "; {part}: {fails}").unwrap_or_default();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(ports: &[(&str, Option<LinkState>, bool)], expected: &str) {
        let port = |name, link, given_up| Port {
            found: true,
            boards: if name == "bus" { 3 } else { 1 },
            orders: mpsc::channel(1).0,
            stop: CancellationToken::new(),
            beginning: Beginning::Recover,
            ready: true,
            link,
            panics: VecDeque::new(),
            given_up,
        };
        let ports = ports
            .iter()
            .map(|(name, link, given_up)| (Arc::from(*name), port(*name, *link, *given_up)))
            .collect();
        assert_eq!(status(&ports, &BTreeMap::new()), expected);
        let degraded = BTreeMap::from([("lichess", "is away".to_owned())]);
        assert_eq!(status(&ports, &degraded), format!("{expected}; lichess: is away"));
    }

    #[test]
    fn a_status_counts_boards_and_not_ports() {
        let (up, down) = (Some(LinkState::Up), Some(LinkState::Down));
        check(&[], "0 boards");
        check(&[("a", up, false), ("b", None, false)], "1 board");
        check(&[("a", up, false), ("b", down, false)], "2 boards, 1 down");
        check(&[("a", up, false), ("bus", up, false)], "4 boards");
        check(&[("a", down, true), ("b", None, true)], "1 board, 1 down, 2 given up");
    }
}
