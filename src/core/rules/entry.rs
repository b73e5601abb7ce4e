//! What an arbiter enters that no sensor sees: resignation, draw offer, incident, reversed colours, the rulings of the
//! quickplay finish.

use shakmaty::Color;

use super::{
    builder::AlertBuilder,
    context::RuleContext,
    mating::{self, Winnability},
    quickplay,
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Party,
    code::Code,
    laws::Topic,
    order::{Order, OrderError, Ruling, Side},
};

/// What the opponent of a player who asks or claims in the quickplay finish gets, seconds.
const QUICKPLAY_S: u32 = 120;

/// Carries out an entry, and says what it means; other orders are left alone.
///
/// # Errors
///
/// Returns an error with the reason if the entry does not fit the game; then nothing has changed.
pub(super) fn enter(
    order: &Order,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> Result<(), OrderError> {
    let playing = || {
        if alerts.is_over(context) { Err(OrderError::Refused("the game is over".to_owned())) } else { Ok(()) }
    };
    match order {
        Order::Resign { side } => {
            playing()?;
            resign((*side).into(), order, context, alerts);
        }
        Order::DrawOffer { side } => {
            playing()?;
            let article = context.laws.topic(Topic::DrawOffer);
            let values = [("side", context.side((*side).into())), ("article", article)];
            alerts.note(order, context.say(Phrase::DrawOffered, &values));
        }
        Order::Incident { reason, side, article, seconds } => {
            if reason.trim().is_empty() {
                return Err(OrderError::Refused("an incident needs a reason".to_owned()));
            }
            let text = incident(reason, *side, article.as_deref(), *seconds, context);
            alerts.note(order, text);
        }
        Order::Quickplay { side, ruling } => {
            playing()?;
            rule((*side).into(), *ruling, order, context, alerts)?;
        }
        Order::Reinstate { ply } => reinstated(*ply, order, context, alerts),
        Order::ColoursReversed => {
            playing()?;
            colours_reversed(context, alerts);
        }
        Order::Penalty { .. }
        | Order::Confirm { .. }
        | Order::Dismiss { .. }
        | Order::Acknowledge { .. }
        | Order::NewGame { .. }
        | Order::SetPosition { .. }
        | Order::Result { .. }
        | Order::Claim { .. }
        | Order::Flip
        | Order::SwapClock
        | Order::Mute { .. }
        | Order::Arrived { .. }
        | Order::Answer { .. } => {}
    }
    Ok(())
}

/// The opponent has won; since 2023 only if he could mate. What the material leaves open counts as possible, and the
/// arbiter who knows better enters the result.
fn resign(side: Color, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let board = context.game.position().board();
    let drawn =
        context.laws.resignation_may_draw() && mating::material(board, !side) == Winnability::Unwinnable;
    let phrase = if drawn { Phrase::ResignedDrawn } else { Phrase::Resigned };
    let article = context.laws.topic(Topic::Resignation);
    let values = [("side", context.side(side)), ("opponent", context.side(!side)), ("article", article)];
    alerts.note(order, context.say(phrase, &values));
    alerts.decide(context.game.len(), (!drawn).then_some(!side), "resignation");
}

/// Says what the displays showed when the last ply that stands was completed, for the arbiter to set them (Art. 7.1).
fn reinstated(ply: u32, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let Some(times) = context.game.ply(ply).and_then(|ply| ply.clock) else { return };
    let moves = |side| context.game.completed_moves(side).to_string();
    let values = [
        ("ply", &*ply.to_string()),
        ("white", &*display(times.white)),
        ("black", &*display(times.black)),
        ("white_moves", &*moves(Color::White)),
        ("black_moves", &*moves(Color::Black)),
        ("article", context.laws.topic(Topic::ClockAfterIrregularity)),
    ];
    alerts.note(order, context.say(Phrase::Reinstated, &values));
}

/// Writes a time as clocks show it.
fn display(seconds: u32) -> String {
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

fn incident(
    reason: &str,
    side: Option<Side>,
    article: Option<&str>,
    seconds: Option<u32>,
    context: &RuleContext<'_>,
) -> String {
    let side: Option<Color> = side.map(Color::from);
    let named = side.map(|side| format!("{}: {reason}", context.side(side)));
    let mut text = context.say(Phrase::Incident, &[("reason", named.as_deref().unwrap_or(reason))]);
    if let Some(article) = article {
        text.push_str(&format_args!(" ({article})").to_string());
    }
    text.push('.');
    if let (Some(side), Some(seconds)) = (side, seconds) {
        let values = [("opponent", context.side(!side)), ("time", &*context.span(seconds))];
        text.push(' ');
        text.push_str(&context.say(Phrase::IncidentTime, &values));
    }
    text
}

fn rule(
    side: Color,
    ruling: Ruling,
    order: &Order,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> Result<(), OrderError> {
    if !quickplay::applies(side, alerts.increment, context) {
        let reason =
            "a quickplay finish needs a time control without increment, its last period, and an announcement";
        return Err(OrderError::Refused(reason.to_owned()));
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
    let (time, position, moves) = (context.span(QUICKPLAY_S), context.game.position().fen(), moves(context));
    let values = [
        ("side", context.side(side)),
        ("opponent", context.side(!side)),
        ("time", time.as_str()),
        ("article", article),
        ("position", position.as_str()),
        ("moves", moves.as_str()),
    ];
    alerts.note(order, context.say(phrase, &values));
    match ruling {
        Ruling::Accepted | Ruling::Drawn => alerts.decide(context.game.len(), None, "arbiter"),
        Ruling::Increment => alerts.increment = true,
        Ruling::Refused | Ruling::Rejected | Ruling::Postponed | Ruling::NoArbiter => {}
    }
    Ok(())
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
        text.push_str(&ply.san);
    }
    text.trim_start().to_owned()
}

fn colours_reversed(context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let made = Color::ALL.into_iter().map(|side| context.game.completed_moves(side)).min().unwrap_or(0);
    let article = context.laws.topic(Topic::ColoursReversed);
    let limit = context.laws.colours_stay_after();
    let phrase =
        if limit.is_some_and(|limit| made < limit) { Phrase::ColoursNewGame } else { Phrase::ColoursStay };
    let moves = limit.unwrap_or_default().to_string();
    let values = [("moves", moves.as_str()), ("article", article)];
    let mut builder = AlertBuilder::new(
        Code::StartPositionWrong,
        Party::Both,
        context.game.len(),
        context.say(phrase, &values),
    );
    builder.article = Some(article);
    let what = if phrase == Phrase::ColoursNewGame { "new-game" } else { "go-on" };
    alerts.raise(builder.fact("colours", "reversed").fact("then", what), context);
}
