//! Rulings that can be taken back: what each has changed, and how that becomes what it was.

use serde_json::{Map, Value};
use shakmaty::Color;

use super::{AlertStore, RuleContext, StoredAlert};
use crate::{
    alert::{AlertState, Party},
    laws::{ActionWindow, Laws},
    order::OrderError,
    time::Timestamp,
};

/// Rulings of a game that are remembered; older ones stand.
const MOST_RULINGS: usize = 24;

/// What a ruling adds to an alert, and what goes when it is taken back.
const DETAILS: [&str; 4] = ["seconds", "reason", "late", "by"];

/// A ruling, and what it has changed.
#[derive(Debug)]
pub(super) struct RuledChange {
    on: RuledOn,
    /// Number of the order.
    pub(super) order: u32,
    /// The alerts that have changed with it, and their states before.
    pub(super) changed: Vec<(u32, AlertState)>,
    /// Whose record has one more irregularity that no alert stands for.
    record: Option<Color>,
    /// Whether it has ended the game.
    ends_game: bool,
    at: Timestamp,
}

/// What an arbiter has ruled on.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum RuledOn {
    /// An alert, by its number.
    Alert(u32),
    /// A penalty for a player.
    Penalty(Color),
}

impl RuledChange {
    /// Returns whether it has changed this alert.
    pub(super) fn has_changed(&self, number: u32) -> bool {
        self.changed.iter().any(|(changed, _)| *changed == number)
    }
}

impl AlertStore {
    /// Remembers that a ruling begins; what [`AlertStore::rule`] changes from here on is part of it.
    pub(super) fn begin_ruling(&mut self, on: RuledOn, at: Timestamp) {
        self.rulings.push(RuledChange {
            on,
            order: self.journal.order(),
            changed: Vec::new(),
            record: None,
            ends_game: false,
            at,
        });
        if self.rulings.len() > MOST_RULINGS {
            let stands = self.rulings.remove(0);
            let is_ruled_again = |number| self.rulings.iter().any(|later| later.has_changed(number));
            for entry in self.entries.iter_mut().filter(|entry| stands.has_changed(entry.number)) {
                if is_ruled_again(entry.number) {
                    continue;
                }
                entry.ruled_from = None;
                if !entry.is_open() && entry.closed_by.is_none() && entry.ended_from.is_none() {
                    entry.alert = None;
                }
            }
        }
    }

    /// Changes the state of an alert as part of the ruling that was begun last.
    pub(super) fn rule(
        &mut self,
        number: u32,
        state: AlertState,
        details: Map<String, Value>,
        at: Timestamp,
    ) {
        debug_assert!(!self.rulings.is_empty(), "a ruling has begun");
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
            entry.ruled_from = Some(entry.state);
            if let Some(ruling) = self.rulings.last_mut() {
                ruling.changed.push((number, entry.state));
            }
        }
        self.change(number, state, details, at);
    }

    /// Puts an irregularity on a record that no alert stands for, as part of the ruling that was begun last.
    pub(super) fn rule_on_record(&mut self, side: Color) {
        debug_assert!(!self.rulings.is_empty(), "a ruling has begun");
        *self.record.get_mut(side) += 1;
        if let Some(ruling) = self.rulings.last_mut() {
            ruling.record = Some(side);
        }
    }

    /// Remembers that the ruling that was begun last has ended the game.
    pub(super) fn rule_ends_game(&mut self) {
        debug_assert!(!self.rulings.is_empty(), "a ruling has begun");
        if let Some(ruling) = self.rulings.last_mut() {
            ruling.ends_game = true;
        }
    }

    /// Returns the alerts that the last ruling was about, or has changed.
    pub(in crate::rules) fn ruled_last(&self) -> Vec<u32> {
        let changed = self.rulings.last().map(|ruling| ruling.changed.iter().map(|(number, _)| *number));
        changed.into_iter().flatten().collect()
    }

    /// Returns the alerts on an offender that were ruled on since an instant, so that the opponent is to get time; a penalty may name
    /// none. `None` if there is no such ruling.
    pub(in crate::rules) fn penalised_since(
        &self,
        side: Color,
        since: Timestamp,
        laws: &Laws,
    ) -> Option<Vec<String>> {
        let penalised = |entry: &&StoredAlert| {
            entry.state == AlertState::Confirmed
                && entry.is_of(side)
                && laws.counts(entry.code)
                && entry.late_at.is_none()
        };
        let rulings: Vec<&RuledChange> = self.rulings.iter().filter(|ruling| ruling.at >= since).collect();
        let numbers = rulings.iter().flat_map(|ruling| ruling.changed.iter());
        let alerts = numbers.filter_map(|(number, _)| self.entry(*number)).filter(penalised);
        let alerts: Vec<String> = alerts.map(|entry| entry.id.clone()).collect();
        let any = !alerts.is_empty() || rulings.iter().any(|ruling| ruling.record == Some(side));
        any.then_some(alerts)
    }

    /// Another result has been entered, or the game goes on: what a ruling had declared is no longer its doing.
    pub(super) fn forget_results(&mut self) {
        for ruling in &mut self.rulings {
            ruling.ends_game = false;
        }
    }

    /// Returns whether the ruling on an alert has ended the game.
    pub(in crate::rules) fn has_ended_game(&self, id: &str) -> bool {
        let ruling = self.number(id).and_then(|number| self.last_ruling(RuledOn::Alert(number)));
        ruling.and_then(|index| self.rulings.get(index)).is_some_and(|ruling| ruling.ends_game)
    }

    /// Undoes the last ruling on an alert, and all that followed from it.
    pub(super) fn undo_ruling(&mut self, id: &str, context: &RuleContext<'_>) -> Result<(), OrderError> {
        let number = self.number(id).filter(|number| self.entry(*number).is_some());
        let number =
            number.ok_or_else(|| OrderError::Refused(format!("there is no alert {id} in this game")))?;
        let refused = || OrderError::Refused(format!("there is no ruling on alert {id} to take back"));
        let index = self.last_ruling(RuledOn::Alert(number)).ok_or_else(refused)?;
        self.take_back(index, context);
        Ok(())
    }

    /// Undoes the last penalty of a player.
    pub(super) fn undo_penalty(&mut self, side: Color, context: &RuleContext<'_>) -> Result<(), OrderError> {
        let refused = || OrderError::Refused(format!("{} has no penalty to take back", context.side(side)));
        let on = RuledOn::Penalty(side);
        let index = self.rulings.iter().rposition(|ruling| ruling.on == on).ok_or_else(refused)?;
        self.take_back(index, context);
        Ok(())
    }

    /// Finds the last ruling that was about this, or has changed this alert.
    fn last_ruling(&self, on: RuledOn) -> Option<usize> {
        let concerns = |ruling: &RuledChange| match on {
            RuledOn::Alert(number) => ruling.on == on || ruling.has_changed(number),
            RuledOn::Penalty(_) => ruling.on == on,
        };
        self.rulings.iter().rposition(concerns)
    }

    pub(super) fn take_back(&mut self, index: usize, context: &RuleContext<'_>) {
        let ruling = self.rulings.remove(index);
        if let Some(side) = ruling.record {
            let record = self.record.get_mut(side);
            *record = record.saturating_sub(1);
        }
        for (number, before) in ruling.changed.into_iter().rev() {
            let Some(entry) = self.entry(number).filter(|entry| entry.ruled_from.is_some()) else { continue };
            let is_live = matches!(before, AlertState::Open | AlertState::Acknowledged);
            let state = if is_live && self.has_closed(entry, ruling.at, context) {
                AlertState::Expired
            } else {
                before
            };
            let facts = self.withdraw_details(number);
            let earlier = self.rulings.iter().rev().flat_map(|earlier| earlier.changed.iter());
            let earlier = earlier.filter(|(other, _)| *other == number).map(|(_, state)| *state).next();
            if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
                entry.ruled_from = earlier;
                entry.late_at = None;
            }
            self.change(number, state, facts, context.now);
        }
    }

    /// Removes what the ruling added to an alert, and returns it as what changes.
    fn withdraw_details(&mut self, number: u32) -> Map<String, Value> {
        let mut facts = Map::new();
        let entry = self.entries.iter_mut().find(|entry| entry.number == number);
        if let Some(alert) = entry.and_then(|entry| entry.alert.as_mut()) {
            for key in DETAILS {
                if alert.facts.remove(key).is_some() {
                    facts.insert(key.to_owned(), Value::Null);
                }
            }
        }
        facts.insert("undone".to_owned(), true.into());
        facts
    }

    /// Returns whether what closes the window of an alert has happened while it was ruled on.
    fn has_closed(&self, entry: &StoredAlert, ruled_at: Timestamp, context: &RuleContext<'_>) -> bool {
        let Party::One(side) = entry.side else { return false };
        let moved = |mover: Color| {
            let later = (entry.ply.saturating_add(1)..=context.game.len())
                .filter_map(|number| context.game.ply(number));
            let mut replies = later.filter(|ply| ply.side == mover);
            replies.any(|ply| entry.pressed_at.is_none_or(|pressed| pressed <= ply.made_at))
        };
        match entry.window {
            ActionWindow::OpponentMoves => moved(!side),
            ActionWindow::ClaimantMoves => moved(side),
            ActionWindow::OpponentTouches => self.touched_since(!side, ruled_at),
            ActionWindow::ClaimantTouches => self.touched_since(side, ruled_at),
            ActionWindow::GameEnd
            | ActionWindow::NextMoveCompleted
            | ActionWindow::MovesEach(_)
            | ActionWindow::InOrder
            | ActionWindow::Never => false,
        }
    }
}
