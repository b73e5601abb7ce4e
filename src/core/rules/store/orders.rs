//! What an arbiter's orders do to alerts and records.

use std::time::Duration;

use serde_json::{Map, Value};
use shakmaty::Color;

use super::{super::text::Phrase, AlertStore, RuleContext, StoredAlert, undo::RuledOn};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    laws::ActionWindow,
    order::{Order, OrderError, Undone},
    score::{self, Score},
};

/// Longest time for which a board is muted, seconds: what happens meanwhile is not reported later.
pub(in crate::rules) const LONGEST_MUTE_S: u32 = 3600;

/// Most time that a player is given, seconds: no clock shows more than nine hours and 59:59.
const MOST_GIVEN_S: u32 = 9 * 3600 + 59 * 60 + 59;

impl AlertStore {
    /// Carries out what an order means for alerts and records.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub(in crate::rules) fn on_order(
        &mut self,
        order: &Order,
        context: &RuleContext<'_>,
    ) -> Result<(), OrderError> {
        match order {
            Order::Penalty { seconds: Some(seconds), .. }
            | Order::Confirm { seconds: Some(seconds), .. }
            | Order::Incident { seconds: Some(seconds), .. }
                if *seconds > MOST_GIVEN_S =>
            {
                return Err(OrderError::Refused(format!(
                    "a player is given at most {MOST_GIVEN_S} seconds; no clock shows more"
                )));
            }
            _ => {}
        }
        self.resume_if_reopened(context);
        match order {
            Order::Penalty { side, seconds, reason } => {
                self.penalise((*side).into(), details(*seconds, reason.as_deref()), context);
                Ok(())
            }
            Order::Confirm { alert, seconds, reason } => {
                let number = self.find(alert, AlertState::Confirmed)?;
                self.warn_if_late(number, order, context);
                self.confirm(number, details(*seconds, reason.as_deref()), context);
                Ok(())
            }
            Order::Dismiss { alert, reason } => {
                let number = self.find(alert, AlertState::Dismissed)?;
                self.begin_ruling(RuledOn::Alert(number), context.now);
                for child in self.children(number) {
                    self.rule(child, AlertState::Dismissed, Map::new(), context.now);
                }
                self.rule(number, AlertState::Dismissed, details(None, reason.as_deref()), context.now);
                Ok(())
            }
            Order::Story { alert, reason } => {
                let number = self.find(alert, AlertState::Withdrawn)?;
                self.begin_ruling(RuledOn::Alert(number), context.now);
                for child in self.children(number) {
                    self.rule(child, AlertState::Withdrawn, Map::new(), context.now);
                }
                let mut details = details(None, reason.as_deref());
                details.insert("by".to_owned(), Value::from("arbiter"));
                self.rule(number, AlertState::Withdrawn, details, context.now);
                Ok(())
            }
            Order::Acknowledge { alert, reason } => {
                let number = self.find(alert, AlertState::Acknowledged)?;
                if self.entry(number).is_some_and(|entry| entry.state != AlertState::Open) {
                    return Err(OrderError::Refused(format!("alert {alert} is closed")));
                }
                self.begin_ruling(RuledOn::Alert(number), context.now);
                self.rule(number, AlertState::Acknowledged, details(None, reason.as_deref()), context.now);
                Ok(())
            }
            Order::Result { result } if result != "*" && Score::parse(result).is_none() => {
                Err(OrderError::Refused(format!("{result} is no result; there are {}", score::KNOWN)))
            }
            Order::Result { .. } => {
                self.forget_results();
                Ok(())
            }
            Order::Undo { alert: Some(alert), .. } => self.undo_ruling(alert, context),
            Order::Undo { what: Some(Undone::Penalty), side: Some(side), .. } => {
                self.undo_penalty((*side).into(), context)
            }
            Order::Mute { seconds } if *seconds > LONGEST_MUTE_S => Err(OrderError::Refused(format!(
                "a board is muted for at most {LONGEST_MUTE_S} seconds; what happens meanwhile is not reported later"
            ))),
            Order::Mute { seconds } => {
                self.muted_until = context.now + Duration::from_secs((*seconds).into());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Finds an alert that is to change its state.
    fn find(&self, id: &str, state: AlertState) -> Result<u32, OrderError> {
        let entry = self.number(id).and_then(|number| self.entry(number));
        let entry =
            entry.ok_or_else(|| OrderError::Refused(format!("there is no alert {id} in this game")))?;
        if entry.state == state {
            return Err(OrderError::Refused(format!("alert {id} has been dealt with in this way already")));
        }
        Ok(entry.number)
    }

    /// Says that the time to intervene was over when a ruling was entered.
    fn warn_if_late(&mut self, number: u32, order: &Order, context: &RuleContext<'_>) {
        let Some(entry) = self.entry(number) else { return };
        let Party::One(side) = entry.side else { return };
        if !is_late(entry) {
            return;
        }
        let side = if entry.window == ActionWindow::ClaimantMoves { !side } else { side };
        let article = context.laws.article(Code::ClaimWindowClosed).unwrap_or_default();
        let values = [("opponent", context.side(!side)), ("article", article)];
        let text = context.say(Phrase::LateRuling, &values);
        self.note(order, text);
    }

    /// Puts an irregularity on a player's record.
    ///
    /// A penalty without an alert's name is taken for the ruling on the last open offence of that player.
    fn penalise(&mut self, side: Color, details: Map<String, Value>, context: &RuleContext<'_>) {
        self.begin_ruling(RuledOn::Penalty(side), context.now);
        match self.offences(side, context.laws).last().map(|entry| entry.number) {
            Some(number) => self.rule(number, AlertState::Confirmed, details, context.now),
            None => self.rule_on_record(side),
        }
    }

    /// Confirms an alert, and the offence that it follows from; a result that it proposed is the ruling.
    pub(in crate::rules) fn confirm(
        &mut self,
        number: u32,
        details: Map<String, Value>,
        context: &RuleContext<'_>,
    ) {
        let Some(entry) = self.entry(number) else { return };
        let (code, ply, parent) = (entry.code, entry.ply, entry.parent);
        let alert = self.alert(number);
        let result = alert.and_then(|alert| alert.proposal.as_ref()).and_then(|it| it.result);
        // Whoever declares a loss has counted the offences that it rests on.
        let rests = alert.and_then(|alert| alert.facts.get("unconfirmed")).and_then(Value::as_array);
        let rests: Vec<u32> =
            rests.into_iter().flatten().filter_map(|id| self.number(id.as_str()?)).collect();
        let late = is_late(entry);
        let mut details = details;
        if late {
            details.insert("late".to_owned(), Value::from(true));
        }
        self.begin_ruling(RuledOn::Alert(number), context.now);
        self.rule(number, AlertState::Confirmed, details, context.now);
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
            entry.late_at = late.then_some(context.now);
        }
        if let Some(parent) = parent.filter(|parent| self.entry(*parent).is_some_and(StoredAlert::is_open)) {
            self.rule(parent, AlertState::Confirmed, Map::new(), context.now);
        }
        for earlier in rests {
            if self.entry(earlier).is_some_and(StoredAlert::is_open) {
                self.rule(earlier, AlertState::Confirmed, Map::new(), context.now);
            }
        }
        // What is confirmed of an earlier game gives the present one no result.
        if let Some(result) = result.filter(|_| number > self.base && !self.is_over(context)) {
            let winner =
                Color::ALL.into_iter().find(|side| super::super::builder::score(Some(*side)) == result);
            let by = if matches!(code, Code::FlagFall | Code::FlagFallDraw) { "flag" } else { "arbiter" };
            self.decide(ply, winner, by);
            self.rule_ends_game();
        }
    }
}

/// Returns whether the time to intervene was over before anybody ruled on an alert.
fn is_late(entry: &StoredAlert) -> bool {
    entry.state == AlertState::Expired
        && matches!(entry.window, ActionWindow::OpponentMoves | ActionWindow::ClaimantMoves)
}

/// Returns what an arbiter adds to a ruling.
fn details(seconds: Option<u32>, reason: Option<&str>) -> Map<String, Value> {
    let seconds = seconds.map(|seconds| ("seconds".to_owned(), Value::from(seconds)));
    let reason = reason.map(|reason| ("reason".to_owned(), Value::from(reason)));
    seconds.into_iter().chain(reason).collect()
}
