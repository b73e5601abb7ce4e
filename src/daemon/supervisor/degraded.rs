//! Names the parts of the service that do not work: in the status, and in alerts about the equipment.
//!
//! A part is a port that is given up, a disk that takes no data, a task that stands still, a service that cannot work.
//! The status names it at once. An alert follows when it is still so at the second look, and is taken back when the
//! part works again.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use tokio::sync::mpsc;
use tracing::debug;

use super::Supervisor;
use crate::{config::Config, published::SERVICE, sinks::Outgoing};
use jadoube_core::{
    alert::{Alert, AlertState, AlertUpdate, Confidence, Party, Severity},
    code::Code,
    event::{Event, EventKind},
    time::Timestamp,
    words::Phrase,
};

/// What does not work, by part.
type FailingParts = BTreeMap<&'static str, String>;

/// What has been reported of parts that do not work.
#[derive(Debug)]
pub(super) struct Degraded {
    /// Number of the last event before this process: part of an alert's id.
    began: u64,
    count: u32,
    /// Parts that did not work at the last look.
    seen: FailingParts,
    /// What was reported of parts: id of the alert, and reason.
    reported: BTreeMap<&'static str, (String, String)>,
}

impl Degraded {
    pub(super) const fn new(began: u64) -> Self {
        Self { began, count: 0, seen: FailingParts::new(), reported: BTreeMap::new() }
    }

    /// Reports to the hub what has changed, unless it takes nothing at the moment: then the next look reports it.
    fn report(
        &mut self,
        hub: &mpsc::Sender<Outgoing>,
        parts: FailingParts,
        config: &Config,
        (now, at): (Timestamp, jiff::Timestamp),
    ) {
        // Each part is reported or taken back once at most.
        let Ok(places) = hub.try_reserve_many(self.reported.len() + parts.len()) else {
            return debug!("the hub is late; what does not work is reported at the next look");
        };
        for (place, event) in places.zip(self.update(parts, config, now)) {
            place.send(Outgoing::Service { at, event: event.into() });
        }
    }

    /// Handles what does not work now; returns what is to be reported.
    fn update(&mut self, parts: FailingParts, config: &Config, now: Timestamp) -> Vec<Event> {
        let mut kinds = Vec::new();
        let over: Vec<&'static str> =
            self.reported.keys().copied().filter(|part| !parts.contains_key(part)).collect();
        for part in over {
            if let Some((id, _)) = self.reported.remove(part) {
                kinds.push(update(id, AlertState::Corrected, Map::new()));
            }
        }
        for (part, reason) in parts.iter().filter(|(part, _)| self.seen.contains_key(*part)) {
            match self.reported.get_mut(part) {
                Some((_, reported)) if reported == reason => {}
                Some((id, reported)) => {
                    reported.clone_from(reason);
                    kinds.push(update(id.clone(), AlertState::Open, facts(part, reason)));
                }
                None => {
                    self.count += 1;
                    let id = format!("{SERVICE}-{}-{}", self.began, self.count);
                    kinds.push(alert(&id, part, reason, config));
                    self.reported.insert(part, (id, reason.clone()));
                }
            }
        }
        self.seen = parts;
        kinds.into_iter().map(|kind| Event { at: now, board: SERVICE.into(), kind }).collect()
    }
}

impl Supervisor {
    /// Raises and takes back alerts about parts of the service.
    pub(super) fn report_degraded(&mut self) {
        let Some(hub) = &self.events else { return };
        let now = self.clock.now();
        let at = (now, self.clock.calendar(now));
        let config = self.config_receiver.borrow().clone();
        self.degraded.report(hub, self.figures.health.failing(), &config, at);
    }
}

fn alert(id: &str, part: &str, reason: &str, config: &Config) -> EventKind {
    let text = Phrase::PartFails.fill(config.event.language, &[("part", part), ("reason", reason)]);
    EventKind::Alert(Box::new(Alert {
        id: id.to_owned(),
        game: 0,
        severity: Severity::Equipment,
        code: Code::ServiceDegraded,
        article: "".into(),
        authority: None,
        edition: config.event.rules,
        side: Party::Both,
        ply: 0,
        confidence: Confidence::Certain,
        p: None,
        otherwise: None,
        state: AlertState::Open,
        facts: facts(part, reason),
        proposal: None,
        window: None,
        parts: jadoube_core::alert::Parts { happened: text.clone(), ..Default::default() },
        text,
    }))
}

fn update(id: String, state: AlertState, facts: Map<String, Value>) -> EventKind {
    EventKind::AlertUpdate(Box::new(AlertUpdate { id, state, since: None, facts }))
}

fn facts(part: &str, reason: &str) -> Map<String, Value> {
    [("part", part), ("why", reason)].into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What does not work, and what is reported of it.
    type Look<'a> = (&'a [(&'static str, &'a str)], &'a [&'a str]);

    #[track_caller]
    fn check(looks: &[Look<'_>]) {
        let mut degraded = Degraded::new(7);
        for (parts, expected) in looks {
            let parts = parts.iter().map(|(part, reason)| (*part, (*reason).to_owned())).collect();
            let reported = degraded.update(parts, &Config::default(), Timestamp::ZERO);
            let reported: Vec<String> = reported
                .iter()
                .map(|event| {
                    assert_eq!(*event.board, *SERVICE);
                    if let EventKind::Alert(alert) = &event.kind {
                        format!("{} {}", alert.id, alert.text)
                    } else if let EventKind::AlertUpdate(update) = &event.kind {
                        format!("{} {:?} {}", update.id, update.state, update.facts.len())
                    } else {
                        panic!("{event:?}")
                    }
                })
                .collect();
            assert_eq!(reported, *expected);
        }
    }

    #[test]
    fn what_fails_for_a_while_is_reported_once_and_taken_back() {
        let text = "jadoube-7-1 A part of the service does not work: logs: full.";
        check(&[
            (&[], &[]),
            (&[("logs", "full")], &[]),
            (&[("logs", "full")], &[text]),
            (&[("logs", "full")], &[]),
            (&[("logs", "read-only")], &["jadoube-7-1 Open 2"]),
            (&[], &["jadoube-7-1 Corrected 0"]),
        ]);
    }

    #[test]
    fn what_a_late_hub_does_not_take_is_reported_later() {
        let (hub, mut reported) = mpsc::channel(1);
        let failing = || FailingParts::from([("logs", "full".to_owned())]);
        let mut degraded = Degraded::new(7);
        let mut look = |parts| {
            let at = (Timestamp::ZERO, jiff::Timestamp::UNIX_EPOCH);
            degraded.report(&hub, parts, &Config::default(), at);
        };
        let mut next = || {
            let Outgoing::Service { event, .. } = reported.try_recv().ok()? else {
                panic!("nothing else was reported")
            };
            Some(event)
        };
        look(failing());
        look(failing());
        // The alert waits in the hub's queue, which is full now.
        look(FailingParts::new());
        assert!(next().is_some_and(|event| matches!(event.event().kind, EventKind::Alert(_))));
        assert!(next().is_none());
        look(FailingParts::new());
        assert!(next().is_some_and(|event| matches!(event.event().kind, EventKind::AlertUpdate(_))));
        look(FailingParts::new());
        assert!(next().is_none());
    }

    #[test]
    fn what_fails_for_a_moment_is_not_reported() {
        check(&[(&[("mqtt", "away")], &[]), (&[], &[]), (&[("mqtt", "away")], &[]), (&[], &[])]);
    }
}
