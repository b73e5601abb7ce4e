//! How the state of an alert changes, and how that is reported.

use serde_json::{Map, Value};
use shakmaty::Color;

use super::{AlertStore, StoredAlert, life::is_offence};
use crate::{
    alert::{Alert, AlertState, AlertUpdate, Confidence, Severity},
    decoder::Params,
    fact::Weight,
    rules::{Notice, RuleContext},
    time::Timestamp,
};

impl AlertStore {
    /// Changes the state of an alert, and says so.
    pub(in crate::rules) fn change(
        &mut self,
        number: u32,
        state: AlertState,
        facts: Map<String, Value>,
        at: Timestamp,
    ) {
        if state != AlertState::Expired
            && let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number)
        {
            entry.closed_by = None;
        }
        self.set(number, state, facts, at);
    }

    pub(super) fn set(&mut self, number: u32, state: AlertState, facts: Map<String, Value>, at: Timestamp) {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) else { return };
        entry.state = state;
        if let Some(alert) = &mut entry.alert {
            alert.state = state;
            alert.facts.extend(facts.clone());
        }
        let may_come_back =
            entry.closed_by.is_some() || entry.ended_from.is_some() || entry.ruled_from.is_some();
        if !entry.is_open() && !may_come_back {
            entry.alert = None;
        }
        let update = AlertUpdate { id: entry.id.clone(), state, since: Some(at), facts };
        self.out.push(Notice::Updated(Box::new(update)));
    }

    /// Adds to what an open alert says, its state unchanged.
    pub(in crate::rules) fn amend(
        &mut self,
        number: u32,
        amend: impl FnOnce(&mut Alert),
        facts: Map<String, Value>,
    ) {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) else { return };
        let Some(alert) = &mut entry.alert else { return };
        amend(alert);
        let update = AlertUpdate { id: entry.id.clone(), state: entry.state, since: None, facts };
        self.out.push(Notice::Updated(Box::new(update)));
    }

    /// Notes how probable what is said of a press is by now.
    pub(in crate::rules) fn weigh(
        &mut self,
        pressed_at: Timestamp,
        side: Color,
        sure: Confidence,
        weight: Weight,
        context: &RuleContext<'_>,
    ) {
        let of_press = |entry: &&StoredAlert| {
            entry.pressed_at == Some(pressed_at) && entry.is_of(side) && is_offence(entry.code)
        };
        let numbers: Vec<u32> = self.entries().filter(of_press).map(|entry| entry.number).collect();
        let p = Params::DEFAULT.claims.beside(sure, weight.p);
        let otherwise = weight.otherwise.map(|story| context.story(story));
        for number in numbers {
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
                entry.confidence = sure;
            }
            let mut changes = Map::new();
            changes.insert("confidence".to_owned(), sure.name().into());
            changes.insert("p".to_owned(), p.as_f64().into());
            if let Some(text) = &otherwise {
                changes.insert("otherwise".to_owned(), text.as_str().into());
            }
            let otherwise = otherwise.clone();
            let amend = move |alert: &mut Alert| {
                alert.severity = Severity::of(alert.code, sure);
                (alert.confidence, alert.p, alert.otherwise) = (sure, Some(p), otherwise);
            };
            self.amend(number, amend, changes);
        }
    }

    /// Closes the open alerts that match; what was put right stays so.
    pub(in crate::rules) fn close(
        &mut self,
        state: AlertState,
        at: Timestamp,
        mut matches: impl FnMut(&StoredAlert) -> bool,
    ) {
        let numbers: Vec<u32> =
            self.entries().filter(|entry| matches(entry)).map(|entry| entry.number).collect();
        for number in numbers {
            self.shut(number, state, at);
        }
    }

    pub(super) fn shut(&mut self, number: u32, state: AlertState, at: Timestamp) {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) else { return };
        let righted = std::mem::take(&mut entry.stands) && state == AlertState::Expired;
        if righted {
            let facts = [("closed".to_owned(), Value::from(true))].into_iter().collect();
            self.set(number, AlertState::Corrected, facts, at);
        } else {
            self.change(number, state, Map::new(), at);
        }
    }

    /// Closes an alert because a move was made; if that is withdrawn it opens again.
    pub(in crate::rules) fn close_by_move(&mut self, number: u32, ply: u32, at: Timestamp) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
            entry.closed_by = Some((ply, entry.state));
            self.shut(number, AlertState::Expired, at);
        }
    }
}
