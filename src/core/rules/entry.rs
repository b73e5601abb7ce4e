//! What an arbiter enters that no sensor sees: resignation, draw offer, incident.

use shakmaty::Color;

use super::{
    context::RuleContext,
    draw_offer, incident,
    mating::{self, Winnability},
    quickplay_ruling,
    store::AlertStore,
    text::Phrase,
};
use crate::{
    laws::Topic,
    order::{Order, OrderError},
};

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
            alerts.note(order, draw_offer::words((*side).into(), context));
        }
        Order::Result { result } if result == "1/2-1/2" => {
            let text = draw_offer::agreement(context);
            if !text.is_empty() {
                alerts.note(order, text);
            }
        }
        Order::Incident { .. } => alerts.note(order, incident::words(order, context)?),
        Order::Quickplay { side, ruling, ground } => {
            playing()?;
            quickplay_ruling::rule((*side).into(), (*ruling, *ground), order, context, alerts)?;
        }
        Order::Mute { seconds } => {
            let phrase = if *seconds == 0 { Phrase::MuteEnded } else { Phrase::Muted };
            alerts.note(order, context.say(phrase, &[("time", &*context.span(*seconds))]));
        }
        Order::Reinstate { ply } => reinstated(*ply, order, context, alerts),
        // Where nobody has been seen, White's clock runs until a player arrives (Art. 6.7.2).
        Order::RoundStarted if context.game.is_empty() && context.event.default_time_s.is_some() => {
            let both = context.laws.topic(Topic::BothLate);
            alerts.note(order, context.say(Phrase::NeitherPresent, &[("both", both)]));
        }
        Order::ColoursReversed => playing()?,
        Order::Penalty { .. }
        | Order::Confirm { .. }
        | Order::Dismiss { .. }
        | Order::Acknowledge { .. }
        | Order::NewGame { .. }
        | Order::SetPosition { .. }
        | Order::Move { .. }
        | Order::Choose { .. }
        | Order::Continue { .. }
        | Order::Before { .. }
        | Order::Story { .. }
        | Order::Result { .. }
        | Order::Claim { .. }
        | Order::Flip
        | Order::SwapClock
        | Order::Undo { .. }
        | Order::Arrived { .. }
        | Order::RoundStarted
        | Order::InGame { .. }
        | Order::Called { .. }
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
    crate::time::ClockFace(seconds.into()).to_string()
}
