//! What each order has changed of alerts and records, by the order's number, so that it can be taken back.

use serde_json::Map;
use shakmaty::ByColor;

use super::{AlertStore, RuleContext};
use crate::{alert::AlertState, order::OrderError, time::Timestamp};

/// Orders of a game of which that is kept.
const MOST_KEPT: usize = 100;

/// What orders have changed.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// Number of the order that is being carried out, or was last.
    order: u32,
    before: Option<Box<Snapshot>>,
    changes: Vec<OrderChange>,
}

/// How things stood before an order.
#[derive(Debug)]
struct Snapshot {
    last: u32,
    states: Vec<(u32, AlertState)>,
    record: ByColor<u32>,
    increment: bool,
    muted_until: Timestamp,
}

/// What an order has changed.
#[derive(Debug)]
struct OrderChange {
    order: u32,
    /// Alerts that it has raised have numbers after the first one, up to the second.
    raised: (u32, u32),
    /// Alerts with their states before it and after it.
    states: Vec<(u32, AlertState, AlertState)>,
    /// Irregularities that it has put on record.
    record: ByColor<u32>,
    increment: Option<bool>,
    /// Until when the board was muted before it and after it.
    muted: Option<(Timestamp, Timestamp)>,
}

impl Journal {
    pub(super) const fn order(&self) -> u32 {
        self.order
    }

    pub(super) fn forget(&mut self) {
        self.changes.clear();
    }
}

impl AlertStore {
    /// Notes that what comes next follows from the order with this number.
    pub(in crate::rules) fn begin_order(&mut self, number: u32) {
        self.journal.order = number;
        self.journal.before = Some(Box::new(Snapshot {
            last: self.last,
            states: self.entries.iter().map(|entry| (entry.number, entry.state)).collect(),
            record: self.record,
            increment: self.increment,
            muted_until: self.muted_until,
        }));
    }

    /// Notes that the order was carried out, or refused.
    pub(in crate::rules) fn end_order(&mut self, carried_out: bool) {
        let Some(before) = self.journal.before.take().filter(|_| carried_out) else { return };
        let state = |number: u32| self.entry(number).map(|entry| entry.state);
        let states = before.states.iter().filter_map(|(number, was)| {
            let is = state(*number).filter(|is| is != was)?;
            Some((*number, *was, is))
        });
        let states: Vec<_> = states.collect();
        let record = ByColor {
            white: self.record.white.saturating_sub(before.record.white),
            black: self.record.black.saturating_sub(before.record.black),
        };
        let raised = (before.last, self.last);
        let increment = Some(before.increment).filter(|was| *was != self.increment);
        let muted =
            (before.muted_until != self.muted_until).then_some((before.muted_until, self.muted_until));
        let order = self.journal.order;
        self.journal.changes.push(OrderChange { order, raised, states, record, increment, muted });
        if self.journal.changes.len() > MOST_KEPT {
            self.journal.changes.remove(0);
        }
    }

    /// Gives the order that was carried out last another number, as it has begun a game.
    pub(in crate::rules) fn number_order(&mut self, number: u32) {
        self.journal.order = number;
        if let Some(change) = self.journal.changes.last_mut() {
            change.order = number;
        }
    }

    /// Undoes an order, as far as it has changed alerts and records.
    pub(in crate::rules) fn undo_order(
        &mut self,
        number: u32,
        context: &RuleContext<'_>,
    ) -> Result<(), OrderError> {
        if let Some(index) = self.rulings.iter().position(|ruling| ruling.order == number) {
            let (_, later) = self.rulings.split_at(index + 1);
            let changed = self.rulings.get(index).map(|ruling| ruling.changed.clone()).unwrap_or_default();
            let overruled =
                later.iter().find(|later| changed.iter().any(|(number, _)| later.has_changed(*number)));
            if let Some(later) = overruled {
                return Err(OrderError::Refused(format!(
                    "order o{} has ruled on the same alert since; take that one back first",
                    later.order
                )));
            }
            self.take_back(index, context);
            return Ok(());
        }
        let Some(index) = self.journal.changes.iter().position(|change| change.order == number) else {
            return Ok(());
        };
        let change = self.journal.changes.remove(index);
        let facts = || Map::from_iter([("undone".to_owned(), true.into())]);
        for number in change.raised.0.saturating_add(1)..=change.raised.1 {
            if self.entry(number).is_some_and(|entry| entry.state != AlertState::Withdrawn) {
                self.change(number, AlertState::Withdrawn, facts(), context.now);
            }
        }
        for (number, before, after) in change.states {
            if self.entry(number).is_some_and(|entry| entry.state == after) {
                self.change(number, before, facts(), context.now);
            }
        }
        self.record.white = self.record.white.saturating_sub(change.record.white);
        self.record.black = self.record.black.saturating_sub(change.record.black);
        self.increment = change.increment.unwrap_or(self.increment);
        if let Some((before, _)) = change.muted.filter(|(_, after)| *after == self.muted_until) {
            self.muted_until = before;
        }
        Ok(())
    }
}
