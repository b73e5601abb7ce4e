//! The arbiter's rulings in the quickplay finish (Guidelines III.4–III.6; 2014: Appendix G; 2009: Art. 10).

use serde_json::{Map, Value};
use shakmaty::Color;

use super::{builder::AlertBuilder, context::RuleContext, quickplay, store::AlertStore, text::Phrase};
use crate::{
    alert::AlertState,
    code::Code,
    laws::Topic,
    order::{Ground, Order, OrderError, Ruling},
    side::side_name,
};

/// What the opponent of a player who asks or claims gets, seconds.
const EXTRA_S: u32 = 120;

/// Carries out a ruling.
///
/// # Errors
///
/// Returns an error with the reason if there is nothing to rule on; then nothing has changed.
pub(super) fn rule(
    side: Color,
    (ruling, ground): (Ruling, Option<Ground>),
    order: &Order,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> Result<(), OrderError> {
    let claim = quickplay::open_claim(side, alerts);
    let ground = ground.or_else(|| quickplay::open_ground(claim.as_deref(), alerts));
    if claim.is_none() {
        possible(side, context, alerts)?;
    }
    let (phrase, topic) = match ruling {
        Ruling::Accepted => (Phrase::QuickplayAccepted, Topic::QuickplayRequest),
        Ruling::Increment => (Phrase::QuickplayIncrement, Topic::QuickplayRequest),
        Ruling::Refused => (Phrase::QuickplayRefused, Topic::QuickplayRequest),
        Ruling::Drawn => (Phrase::QuickplayDrawn, Topic::QuickplayClaim),
        Ruling::Rejected => (Phrase::QuickplayRejected, Topic::QuickplayClaim),
        Ruling::Postponed => (Phrase::QuickplayPostponed, Topic::QuickplayClaim),
        Ruling::NoArbiter => (Phrase::QuickplayNoArbiter, Topic::QuickplayNoArbiter),
    };
    let article = context.laws.topic(topic);
    if article.is_empty() {
        let reason = format!("the Laws of {} know no request for an increment", context.laws.edition());
        return Err(OrderError::Refused(reason));
    }
    let time = context.span(EXTRA_S);
    let values = [
        ("side", context.side(side)),
        ("opponent", context.side(!side)),
        ("time", time.as_str()),
        ("article", article),
    ];
    let text = context.say(phrase, &values);
    let open = claim.and_then(|id| alerts.number(&id));
    let close = |alerts: &mut AlertStore, state| {
        if let Some(number) = open {
            alerts.change(number, state, Map::new(), context.now);
        }
    };
    match ruling {
        Ruling::Accepted | Ruling::Drawn => {
            close(alerts, AlertState::Confirmed);
            alerts.note(order, text);
            alerts.decide(context.game.len(), None, "arbiter");
        }
        Ruling::Increment => {
            close(alerts, AlertState::Confirmed);
            alerts.note(order, text);
            alerts.increment = true;
        }
        Ruling::Refused | Ruling::Rejected => {
            close(alerts, AlertState::Dismissed);
            alerts.note(order, text);
        }
        // The decision is still to be taken: its alert stays open.
        Ruling::Postponed | Ruling::NoArbiter => {
            alerts.note(order, text.clone());
            let name = if ruling == Ruling::NoArbiter { "no-arbiter" } else { "postponed" };
            if ruling == Ruling::NoArbiter || open.is_none() {
                close(alerts, AlertState::Expired);
                alerts.raise(pending((side, ground), name, article, text, context), context);
            } else if let Some(number) = open {
                let facts: Map<String, Value> =
                    [("pending".to_owned(), name.into()), ("text".to_owned(), text.clone().into())]
                        .into_iter()
                        .collect();
                let amend = move |alert: &mut crate::alert::Alert| {
                    alert.facts.insert("pending".to_owned(), name.into());
                    alert.parts.happened = text;
                    alert.text = alert.parts.text();
                };
                alerts.amend(number, amend, facts);
            }
        }
    }
    Ok(())
}

/// Only the player to move, with less than two minutes left, may ask or claim.
fn possible(side: Color, context: &RuleContext<'_>, alerts: &AlertStore) -> Result<(), OrderError> {
    let refuse = |reason: String| Err(OrderError::Refused(reason));
    quickplay::check_applies(side, alerts.increment, context)?;
    let name = side_name(side);
    if context.game.position().turn() != side {
        return refuse(format!("{name} is not to move"));
    }
    quickplay::has_last_minutes(side, context)
}

/// The decision that is still to be taken, with what it is taken on.
fn pending(
    (side, ground): (Color, Option<Ground>),
    name: &'static str,
    article: &str,
    text: String,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let act = match (name, ground) {
        ("no-arbiter", None) => Phrase::SignSheet,
        ("no-arbiter", Some(Ground::NormalMeans)) => Phrase::SignPosition,
        ("no-arbiter", Some(Ground::NoEffort)) => Phrase::SignScore,
        _ => Phrase::StopAndDecide,
    };
    let mut builder = AlertBuilder::new(Code::QpfEligible, side, context.game.len(), text)
        .act(&context.say(act, &[("opponent", context.side(!side))]))
        .maybe_fact("ground", ground.map(Ground::name))
        .fact("claim", side_name(side))
        .fact("pending", name)
        .fact("position", context.game.position().fen())
        .fact("moves", moves(context));
    builder.article = Some(article.into());
    builder
}

/// Writes the moves as on a score sheet.
fn moves(context: &RuleContext<'_>) -> String {
    let mut text = String::new();
    for (index, ply) in context.game.plies().iter().enumerate() {
        if ply.side == Color::White || index == 0 {
            let dots = if ply.side == Color::White { "." } else { "…" };
            text.push_str(&format_args!(" {}{dots}", index / 2 + 1).to_string());
        }
        text.push(' ');
        text.push_str(&context.san(&ply.san));
    }
    text.trim_start().to_owned()
}
