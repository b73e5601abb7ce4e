//! What an arbiter enters that no sensor sees: resignation, draw offer, incident.

use shakmaty::Color;

use super::{
    builder::{append, score},
    context::RuleContext,
    draw_offer, incident,
    mating::{self, Winnability},
    quickplay_ruling,
    store::{AlertStore, StoredAlert},
    text::Phrase,
};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    laws::Topic,
    order::{Order, OrderError},
    score::Score,
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
        Order::Result { result } => {
            let mut text = against(result, context, alerts);
            if result == "1/2-1/2" {
                append(&mut text, &draw_offer::agreement(context));
            }
            if !text.is_empty() {
                alerts.note(order, text);
            }
        }
        Order::Confirm { alert, .. } => confirmed(alert, order, context, alerts),
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
        | Order::Dismiss { .. }
        | Order::Acknowledge { .. }
        | Order::NewGame { .. }
        | Order::SetPosition { .. }
        | Order::Move { .. }
        | Order::Choose { .. }
        | Order::Continue { .. }
        | Order::Before { .. }
        | Order::Story { .. }
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
    let mut text = context.say(phrase, &values);
    append(&mut text, &against(score((!drawn).then_some(!side)), context, alerts));
    alerts.note(order, text);
    alerts.decide(context.game.len(), (!drawn).then_some(!side), "resignation");
}

/// Says what had decided the game in another way before a result was entered: the position, a flag, illegal moves. Where play ended it
/// may only have been entered wrongly; where it is open the arbiter knows what came first.
fn against(result: &str, context: &RuleContext<'_>, alerts: &AlertStore) -> String {
    let Some(entered) = Score::parse(result).filter(|_| result != "*") else { return String::new() };
    if let Some((ended, article)) = ended_on_board(context, alerts).filter(|(ended, _)| *ended != entered) {
        let values = [("proposed", ended.text()), ("article", article)];
        return context.say(Phrase::ResultAgainstBoard, &values);
    }
    let decides = |entry: &&StoredAlert| {
        alerts.is_current(entry)
            && matches!(
                entry.code,
                Code::FlagFall
                    | Code::FlagFallDraw
                    | Code::BothFlags
                    | Code::GameLostIllegal
                    | Code::GameDrawnIllegal
                    | Code::IllegalPositionDraw
            )
    };
    let mut text = String::new();
    for alert in alerts.entries().filter(decides).filter_map(|entry| alerts.alert(entry.number)) {
        let proposed = alert.proposal.as_ref().and_then(|proposal| proposal.result);
        let Some(proposed) = proposed.filter(|proposed| *proposed != entered.text()) else { continue };
        let values = [("alert", alert.id.as_str()), ("proposed", proposed), ("article", &*alert.article)];
        if let (Code::FlagFall | Code::FlagFallDraw, Party::One(side)) = (alert.code, alert.side) {
            let values = [("side", context.side(side)), ("article", &*alert.article)];
            append(&mut text, &context.say(Phrase::FlagBefore, &values));
        } else {
            append(&mut text, &context.say(Phrase::ResultAgainstAlert, &values));
        }
    }
    text
}

/// Returns how the position that stands has ended the game, and by which article.
fn ended_on_board<'a>(context: &RuleContext<'a>, alerts: &AlertStore) -> Option<(Score, &'a str)> {
    let ends = |entry: &&StoredAlert| {
        entry.ply == context.game.len()
            && !matches!(entry.state, AlertState::Corrected | AlertState::Withdrawn | AlertState::Dismissed)
            && matches!(
                entry.code,
                Code::Checkmate
                    | Code::Stalemate
                    | Code::DeadPosition
                    | Code::FivefoldDraw
                    | Code::SeventyfiveDraw
            )
    };
    let ended = alerts.present().find(ends)?;
    let winner = match (ended.code, ended.side) {
        (Code::Checkmate, Party::One(mated)) => Some(!mated),
        _ => None,
    };
    Some((Score::won_by(winner), context.laws.article(ended.code).unwrap_or_default()))
}

/// Says that a draw offer which is confirmed has not been accepted by that.
fn confirmed(id: &str, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let offer = alerts.number(id).and_then(|number| alerts.entry(number));
    let Some(Party::One(side)) = offer.filter(|it| it.code == Code::DrawOffer).map(|it| it.side) else {
        return;
    };
    let article = context.laws.article(Code::DrawOffer).unwrap_or_default();
    let values = [("opponent", context.side(!side)), ("article", article)];
    alerts.note(order, context.say(Phrase::OfferNotResult, &values));
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
