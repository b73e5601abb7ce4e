//! Alerts that wait to learn whether a player can still mate: that decides between loss and draw.

use std::time::Duration;

use serde_json::{Map, Value};
use shakmaty::Color;

use super::{
    builder::{AlertBuilder, append, score},
    context::RuleContext,
    mating::{self, Winnability},
    store::AlertStore,
    text::Phrase,
};
use crate::{alert::Proposal, position::Position, time::Timestamp};

/// How long an alert waits; then it is raised with the question open.
const PATIENCE: Duration = Duration::from_secs(1);

/// Alerts that may wait at a time.
const MOST: usize = 4;

/// Why a rule wakes up.
pub(super) const REASON: &str = "an alert waits for an answer";

/// Alerts that wait to learn whether a player can still mate.
#[derive(Debug)]
pub(super) struct WaitingAlerts<T> {
    alerts: Vec<WaitingAlert<T>>,
}

#[derive(Debug)]
struct WaitingAlert<T> {
    number: u32,
    due: Timestamp,
    pending: T,
}

impl<T> Default for WaitingAlerts<T> {
    fn default() -> Self {
        Self { alerts: Vec::new() }
    }
}

/// Asks whether `winner` can mate from a position. Returns the number of the alert that it is for, and the answer if
/// there is one at once.
pub(super) fn inquire(
    position: &Position,
    winner: Color,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> (u32, Option<Winnability>) {
    let number = alerts.reserve();
    let answer = mating::quick(position, winner);
    if answer != Winnability::Unknown {
        return (number, Some(answer));
    }
    if position.lawful().is_none() {
        // No search takes such a position; what the material says is all there is.
        return (number, Some(mating::material(position.board(), winner)));
    }
    alerts.ask(number, position, winner, context);
    (number, None)
}

impl<T> WaitingAlerts<T> {
    /// Lets a pending alert wait for the answer to a question.
    pub(super) fn hold(&mut self, number: u32, pending: T, now: Timestamp) {
        debug_assert!(
            self.alerts.iter().all(|waiting| waiting.number != number),
            "alert {number} waits already"
        );
        debug_assert!(self.alerts.is_sorted_by_key(|waiting| waiting.due), "who waits longest is the first");
        // Whoever waits longest will do so in vain.
        if self.alerts.len() == MOST {
            self.alerts.remove(0);
        }
        self.alerts.push(WaitingAlert { number, due: now + PATIENCE, pending });
    }

    /// Removes the pending alert that an answer is for.
    pub(super) fn take(&mut self, number: u32) -> Option<T> {
        let index = self.alerts.iter().position(|waiting| waiting.number == number)?;
        Some(self.alerts.remove(index).pending)
    }

    /// Removes what has waited long enough.
    pub(super) fn take_due(&mut self, now: Timestamp) -> Vec<(u32, T)> {
        let (due, held) =
            std::mem::take(&mut self.alerts).into_iter().partition(|waiting| waiting.due <= now);
        self.alerts = held;
        let due: Vec<WaitingAlert<T>> = due;
        due.into_iter().map(|waiting| (waiting.number, waiting.pending)).collect()
    }

    pub(super) fn clear(&mut self) {
        self.alerts.clear();
    }

    pub(super) fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.alerts.iter().map(|waiting| (waiting.due, REASON)).min()
    }
}

/// Names an answer for programs.
pub(super) const fn name(answer: Winnability) -> &'static str {
    match answer {
        Winnability::Winnable => "possible",
        Winnability::Unwinnable => "impossible",
        Winnability::Unknown => "unknown",
    }
}

/// Adds an answer, and the result that follows from it, to an alert.
pub(super) fn settle(
    builder: AlertBuilder,
    answer: Winnability,
    winner: Color,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let result = (answer != Winnability::Unwinnable).then_some(winner);
    builder.fact("mate", name(answer)).propose_result(result).also(&sentence(answer, winner, context))
}

fn sentence(answer: Winnability, winner: Color, context: &RuleContext<'_>) -> String {
    let phrase = match answer {
        Winnability::Winnable => Phrase::CanMate,
        Winnability::Unwinnable => Phrase::CannotMate,
        Winnability::Unknown => Phrase::MateUnknown,
    };
    context.say(phrase, &[("winner", context.side(winner))])
}

/// Handles an answer that came after the alert had been raised with the question open.
pub(super) fn settle_late(
    number: u32,
    answer: Winnability,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) {
    let open = |alert: &&crate::alert::Alert| alert.facts.get("mate").is_some_and(|mate| mate == "unknown");
    let Some(alert) = alerts.alert(number).filter(open) else { return };
    let won = alert.proposal.as_ref().and_then(|proposal| proposal.result);
    let Some(winner) = Color::ALL.into_iter().find(|side| Some(score(Some(*side))) == won) else { return };
    if answer == Winnability::Unknown {
        return;
    }
    let result = (answer != Winnability::Unwinnable).then_some(winner);
    let proposal = Proposal { result: Some(score(result)), ..Proposal::default() };
    let text = sentence(answer, winner, context);
    let facts: Map<String, Value> = [
        ("mate".to_owned(), Value::from(name(answer))),
        ("proposal".to_owned(), serde_json::to_value(&proposal).unwrap_or_default()),
        ("text".to_owned(), Value::from(text.clone())),
    ]
    .into_iter()
    .collect();
    let amend = move |alert: &mut crate::alert::Alert| {
        alert.facts.insert("mate".to_owned(), name(answer).into());
        alert.proposal = Some(proposal);
        append(&mut alert.parts.happened, &text);
        alert.text = alert.parts.text();
    };
    alerts.amend(number, amend, facts);
}
