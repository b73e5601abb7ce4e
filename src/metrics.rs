//! Owns what monitoring reads: the text format of Prometheus, counters of what has happened, and what is wrong.
//!
//! What events report is not counted on their way: counts follow from the events that everybody gets, and states from the
//! view when somebody asks. What no event reports, the bytes of boards and what leaves for others, is counted where it
//! passes.

mod exports;
mod exposition;
mod health;
mod traffic;

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

pub(crate) use self::{
    exports::{Export, Exports},
    exposition::{Exposition, Format, MetricKind, Value},
    health::Health,
    traffic::Traffic,
};
use crate::published::Published;
use jadoube_core::event::{BoardId, EventKind, LinkState};

/// What no event reports; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Figures {
    /// What is wrong with the service.
    pub(crate) health: Health,
    /// What boards have said.
    pub(crate) traffic: Traffic,
    /// What has left for others.
    pub(crate) exports: Exports,
}

/// What has happened since the service began.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<Counted>);

/// See [`Counts`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    /// Events by kind.
    pub(crate) events: BTreeMap<&'static str, u64>,
    /// Alerts by code.
    pub(crate) alerts: BTreeMap<&'static str, u64>,
    /// How often the link to a board came up.
    pub(crate) links: BTreeMap<BoardId, u64>,
    /// Events that the event stream has missed.
    pub(crate) missed: u64,
}

impl Counts {
    /// Counts an event.
    pub(crate) fn count(&self, published: &Published) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counted.events.entry(published.event.kind.name()).or_default() += 1;
        if let EventKind::Alert(alert) = &published.event.kind {
            *counted.alerts.entry(alert.code.name()).or_default() += 1;
        } else if let EventKind::Link { state: LinkState::Up, .. } = published.event.kind {
            *counted.links.entry(published.event.board.clone()).or_default() += 1;
        }
    }

    /// Counts events that were missed.
    pub(crate) fn miss(&self, events: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).missed += events;
    }

    /// Returns all counts.
    pub(crate) fn read(&self) -> Counted {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
