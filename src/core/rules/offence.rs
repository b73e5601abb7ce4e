//! What illegal moves and what is treated as one have in common: who acts, how much time, which number it is.

use serde_json::{Value, json};
use shakmaty::Color;

use super::{builder::AlertBuilder, context::RuleContext, store::AlertStore, text::Phrase};
use crate::{
    alert::Proposal,
    code::Code,
    fact::Pressed,
    laws::{Sanction, Topic},
};

/// An irregularity, as its rule describes it.
pub(super) struct Offence<'a> {
    pub(super) code: Code,
    pub(super) pressed: &'a Pressed,
    /// What happened, in words, with the article.
    pub(super) text: String,
    /// What is done on the board.
    pub(super) remedy: String,
    /// Whether the player keeps the increment that the press won, because the move stands.
    pub(super) move_stands: bool,
}

/// Tells whether the opponent had made his reply before this press, by more than the board's sensing leaves open.
pub(super) fn answered(pressed: &Pressed, context: &RuleContext<'_>) -> bool {
    let reply = pressed.ply.checked_add(1).and_then(|number| context.game.ply(number));
    reply.is_some_and(|reply| reply.side != pressed.side && reply.made_at + context.scan < pressed.at)
}

/// Writes the alert: number, penalty, the position to go back to.
pub(super) fn build(offence: Offence<'_>, context: &RuleContext<'_>, alerts: &AlertStore) -> AlertBuilder {
    let Offence { code, pressed, text, remedy, move_stands } = offence;
    let (laws, side) = (&context.laws, pressed.side);
    let builder =
        AlertBuilder::at_press(code, pressed, text).confidence(pressed.confidence).sentence(&remedy);
    let builder = if move_stands { builder } else { builder.fact("reinstate", pressed.before.fen()) };
    if !laws.counts(code) {
        let authority = laws.authority(code).unwrap_or_default();
        return builder.sentence(&context.say(Phrase::NoTime, &[("authority", authority)]));
    }
    let counter = laws.counter(code);
    let number = alerts.provisional(side, counter, laws).saturating_add(1);
    let earlier: Vec<Value> =
        alerts.offences(side, laws).iter().map(|entry| entry.id.as_str().into()).collect();
    let builder = builder
        .fact("offence", number)
        .fact("loses_at", laws.loses_at())
        .fact("official", alerts.official(side, counter, laws))
        .maybe_fact("earlier", (!earlier.is_empty()).then_some(earlier));
    let builder = match laws.sanction(number) {
        Sanction::Seconds(seconds) => add_time(builder, seconds, pressed, move_stands, context),
        // What decides the game is an alert of its own.
        Sanction::Loss | Sanction::Claim => builder,
    };
    if laws.claim_only() {
        let values =
            [("opponent", context.side(!side)), ("authority", laws.authority(code).unwrap_or_default())];
        return builder.fact("claim_only", true).sentence(&context.say(Phrase::OnlyOnClaim, &values));
    }
    builder
}

fn add_time(
    builder: AlertBuilder,
    seconds: u32,
    pressed: &Pressed,
    move_stands: bool,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let (laws, side) = (&context.laws, pressed.side);
    let take_back = (!move_stands && pressed.increment_s > 0).then_some((pressed.increment_s, side));
    let source = laws.seconds_article().or_else(|| laws.article(Code::GameLostIllegal)).unwrap_or_default();
    let time = context.span(seconds);
    let values = [("opponent", context.side(!side)), ("time", time.as_str()), ("article", source)];
    let builder = set_clock(
        builder,
        (seconds, take_back.map_or(0, |(seconds, _)| seconds)),
        pressed,
        move_stands,
        context,
    );
    let builder = builder
        .fact("penalty_article", source)
        .propose(Proposal { add: Some((seconds, !side)), take_back, result: None })
        .sentence(&context.say(Phrase::GiveTime, &values));
    let builder = match laws.contested_seconds() {
        Some(other) => {
            let time = context.span(other);
            builder
                .fact("alternatives", vec![json!({ "article": source, "add_s": other })])
                .sentence(&context.say(Phrase::OtherReading, &[("time", &time), ("article", source)]))
        }
        None => builder,
    };
    let Some((seconds, _)) = take_back else { return builder };
    let time = context.span(seconds);
    let article = laws.topic(Topic::ClockAfterIrregularity);
    builder.sentence(
        &context.say(
            Phrase::TakeBackTime,
            &[("side", context.side(side)), ("time", &time), ("article", article)],
        ),
    )
}

/// Adds what the displays should show when play goes on: the times at the press, what the press won taken back, what
/// the opponent gets added (Art. 7.1; 2009: 6.13). The arbiter may judge otherwise, or leave the times as they are.
fn set_clock(
    builder: AlertBuilder,
    (seconds, take_back): (u32, u32),
    pressed: &Pressed,
    move_stands: bool,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let Some(times) = pressed.clock else { return builder };
    let side = pressed.side;
    let own = times.of(side).saturating_sub(take_back);
    let theirs = times.of(!side).saturating_add(seconds);
    let (white, black) = side.fold_wb((own, theirs), (theirs, own));
    let last = context.game.ply(pressed.ply).filter(|ply| ply.side == side && !ply.is_legal());
    let undone = usize::from(!move_stands && last.is_some());
    let moves = |of: Color| {
        let before = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
        context.game.plies().iter().take(before).filter(|ply| ply.side == of).count()
    };
    let counted = |of: Color| moves(of).saturating_sub(if of == side { undone } else { 0 });
    builder
        .fact("clock", json!({ "white": times.white, "black": times.black }))
        .fact("set_clock", json!({ "white": white, "black": black }))
        .fact("move_counter", json!({ "white": counted(Color::White), "black": counted(Color::Black) }))
}
