//! What an arbiter enters that no sensor sees: resignation, draw offer, incident, reversed colours, the rulings of the
//! quickplay finish.

use shakmaty::Color;

use super::{
    draft::Draft,
    ledger::Alerts,
    mating::{self, Winnability},
    quickplay,
    scene::Scene,
    text::Phrase,
};
use crate::{
    alert::{Code, Party},
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
pub(super) fn enter(order: &Order, scene: &Scene<'_>, alerts: &mut Alerts) -> Result<(), OrderError> {
    let playing = || {
        if alerts.is_over(scene) { Err(OrderError::Refused("the game is over".to_owned())) } else { Ok(()) }
    };
    match order {
        Order::Resign { side } => {
            playing()?;
            resign((*side).into(), order, scene, alerts);
        }
        Order::DrawOffer { side } => {
            playing()?;
            let article = scene.laws.topic(Topic::DrawOffer);
            let values = [("side", scene.side((*side).into())), ("article", article)];
            alerts.note(order, scene.say(Phrase::DrawOffered, &values));
        }
        Order::Incident { reason, side, article, seconds } => {
            if reason.trim().is_empty() {
                return Err(OrderError::Refused("an incident needs a reason".to_owned()));
            }
            let text = incident(reason, *side, article.as_deref(), *seconds, scene);
            alerts.note(order, text);
        }
        Order::Quickplay { side, ruling } => {
            playing()?;
            rule((*side).into(), *ruling, order, scene, alerts)?;
        }
        Order::Reinstate { ply } => reinstated(*ply, order, scene, alerts),
        Order::ColoursReversed => {
            playing()?;
            colours_reversed(scene, alerts);
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
fn resign(side: Color, order: &Order, scene: &Scene<'_>, alerts: &mut Alerts) {
    let board = scene.game.position().board();
    let drawn =
        scene.laws.resignation_may_draw() && mating::material(board, !side) == Winnability::Unwinnable;
    let phrase = if drawn { Phrase::ResignedDrawn } else { Phrase::Resigned };
    let article = scene.laws.topic(Topic::Resignation);
    let values = [("side", scene.side(side)), ("opponent", scene.side(!side)), ("article", article)];
    alerts.note(order, scene.say(phrase, &values));
    alerts.decide(scene.game.len(), (!drawn).then_some(!side), "resignation");
}

/// Says what the displays showed when the last ply that stands was completed, for the arbiter to set them (Art. 7.1).
fn reinstated(ply: u32, order: &Order, scene: &Scene<'_>, alerts: &mut Alerts) {
    let Some(times) = scene.game.ply(ply).and_then(|ply| ply.clock) else { return };
    let moves = |side| scene.game.completed_moves(side).to_string();
    let values = [
        ("ply", &*ply.to_string()),
        ("white", &*display(times.white)),
        ("black", &*display(times.black)),
        ("white_moves", &*moves(Color::White)),
        ("black_moves", &*moves(Color::Black)),
        ("article", scene.laws.topic(Topic::ClockAfterIrregularity)),
    ];
    alerts.note(order, scene.say(Phrase::Reinstated, &values));
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
    scene: &Scene<'_>,
) -> String {
    let side: Option<Color> = side.map(Color::from);
    let named = side.map(|side| format!("{}: {reason}", scene.side(side)));
    let mut text = scene.say(Phrase::Incident, &[("reason", named.as_deref().unwrap_or(reason))]);
    if let Some(article) = article {
        text.push_str(&format_args!(" ({article})").to_string());
    }
    text.push('.');
    if let (Some(side), Some(seconds)) = (side, seconds) {
        let values = [("opponent", scene.side(!side)), ("time", &*scene.span(seconds))];
        text.push(' ');
        text.push_str(&scene.say(Phrase::IncidentTime, &values));
    }
    text
}

fn rule(
    side: Color,
    ruling: Ruling,
    order: &Order,
    scene: &Scene<'_>,
    alerts: &mut Alerts,
) -> Result<(), OrderError> {
    if !quickplay::applies(side, alerts.increment, scene) {
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
    let article = scene.laws.topic(topic);
    if article.is_empty() {
        let reason = format!("the Laws of {} know no request for an increment", scene.laws.edition());
        return Err(OrderError::Refused(reason));
    }
    let (time, position, moves) = (scene.span(QUICKPLAY_S), scene.game.position().fen(), moves(scene));
    let values = [
        ("side", scene.side(side)),
        ("opponent", scene.side(!side)),
        ("time", time.as_str()),
        ("article", article),
        ("position", position.as_str()),
        ("moves", moves.as_str()),
    ];
    alerts.note(order, scene.say(phrase, &values));
    match ruling {
        Ruling::Accepted | Ruling::Drawn => alerts.decide(scene.game.len(), None, "arbiter"),
        Ruling::Increment => alerts.increment = true,
        Ruling::Refused | Ruling::Rejected | Ruling::Postponed | Ruling::NoArbiter => {}
    }
    Ok(())
}

/// Writes the moves as on a score sheet.
fn moves(scene: &Scene<'_>) -> String {
    let mut text = String::new();
    for (index, ply) in scene.game.plies().iter().enumerate() {
        if ply.side == Color::White || index == 0 {
            let dots = if ply.side == Color::White { "." } else { "…" };
            text.push_str(&format_args!(" {}{dots}", index / 2 + 1).to_string());
        }
        text.push(' ');
        text.push_str(&ply.san);
    }
    text.trim_start().to_owned()
}

fn colours_reversed(scene: &Scene<'_>, alerts: &mut Alerts) {
    let made = Color::ALL.into_iter().map(|side| scene.game.completed_moves(side)).min().unwrap_or(0);
    let article = scene.laws.topic(Topic::ColoursReversed);
    let limit = scene.laws.colours_stay_after();
    let phrase =
        if limit.is_some_and(|limit| made < limit) { Phrase::ColoursNewGame } else { Phrase::ColoursStay };
    let moves = limit.unwrap_or_default().to_string();
    let values = [("moves", moves.as_str()), ("article", article)];
    let mut draft =
        Draft::new(Code::StartPositionWrong, Party::Both, scene.game.len(), scene.say(phrase, &values));
    draft.article = Some(article);
    let what = if phrase == Phrase::ColoursNewGame { "new-game" } else { "go-on" };
    alerts.raise(draft.fact("colours", "reversed").fact("then", what), scene);
}
