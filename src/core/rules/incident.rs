//! What only people see: the article, the sentence, and what follows, for incidents that the Laws name.

use shakmaty::Color;

use super::{
    context::RuleContext,
    mating::{self, Winnability},
    text::Phrase,
};
use crate::{
    laws::Topic,
    order::{IncidentKind, Order, OrderError},
};

/// Says what an incident means.
///
/// # Errors
///
/// Returns an error with the reason if something is missing, or if the edition has no article on it.
pub(super) fn words(order: &Order, context: &RuleContext<'_>) -> Result<String, OrderError> {
    let Order::Incident { kind, reason, side, article, seconds } = order else { return Ok(String::new()) };
    let (reason, side) = (reason.trim(), side.map(Color::from));
    let mut text = match kind {
        Some(kind) => {
            let text = named(*kind, side, context)?;
            if reason.is_empty() { text } else { format!("{text} {}", sentence(reason)) }
        }
        None if reason.is_empty() => return refused("an incident needs a reason"),
        None => {
            let named = side.map(|side| format!("{}: {reason}", context.side(side)));
            let text = context.say(Phrase::Incident, &[("reason", named.as_deref().unwrap_or(reason))]);
            let article = article.as_ref().map(|article| format!(" ({article})")).unwrap_or_default();
            sentence(&format!("{text}{article}"))
        }
    };
    if let (Some(side), Some(seconds)) = (side, seconds) {
        let values = [("opponent", context.side(!side)), ("time", &*context.span(*seconds))];
        text.push(' ');
        text.push_str(&context.say(Phrase::IncidentTime, &values));
    }
    Ok(text)
}

/// Says what the Laws say of a kind of incident.
fn named(kind: IncidentKind, side: Option<Color>, context: &RuleContext<'_>) -> Result<String, OrderError> {
    let Some(side) = side else { return refused("say whose doing it was: side white or black") };
    let laws = context.laws;
    let (phrase, topic) = match kind {
        IncidentKind::Telephone => telephone(side, context),
        IncidentKind::OutsideHelp => (Phrase::OutsideHelp, Topic::OutsideHelp),
        IncidentKind::LeftVenue => (Phrase::LeftVenue, Topic::LeavingVenue),
        IncidentKind::Disturbance => (Phrase::Disturbed, Topic::Disturbance),
        IncidentKind::Fine => (Phrase::Fine, Topic::Fine),
        IncidentKind::Explanation => (Phrase::Explanation, Topic::Explanation),
        IncidentKind::Appeal => (Phrase::Appeal, Topic::Appeal),
        IncidentKind::ClockAssistant => (Phrase::ClockAssistant, Topic::ClockAssistant),
        IncidentKind::SpecialMeasures => (Phrase::SpecialMeasures, Topic::SpecialMeasures),
    };
    let article = laws.topic(topic);
    if article.is_empty() {
        let reason =
            format!("the Laws of {} have no article on this; enter it in your own words", laws.edition());
        return Err(OrderError::Refused(reason));
    }
    let score = side.fold_wb("0-1", "1-0");
    let values = [
        ("side", context.side(side)),
        ("opponent", context.side(!side)),
        ("article", article),
        ("penalties", laws.topic(Topic::Penalties)),
        ("score", score),
    ];
    let text = context.say(phrase, &values);
    let last = laws.topic(Topic::FinalDecisions);
    if last.is_empty() || kind != IncidentKind::Appeal {
        return Ok(text);
    }
    Ok(format!("{text} {}", context.say(Phrase::NoAppeal, &[("final", last)])))
}

/// The game is lost; by the Laws of 2009 only a sound loses it, and an opponent who cannot win gets half a point.
fn telephone(side: Color, context: &RuleContext<'_>) -> (Phrase, Topic) {
    let board = context.game.position().board();
    let phrase = if !context.laws.device_loses_by_sound() {
        Phrase::Device
    } else if mating::material(board, !side) == Winnability::Unwinnable {
        Phrase::DeviceCarriedHalf
    } else {
        Phrase::DeviceCarried
    };
    (phrase, Topic::ElectronicDevice)
}

/// Ends a text with a full stop.
fn sentence(text: &str) -> String {
    if text.ends_with(['.', '!', '?']) { text.to_owned() } else { format!("{text}.") }
}

fn refused<T>(reason: &str) -> Result<T, OrderError> {
    Err(OrderError::Refused(reason.to_owned()))
}
