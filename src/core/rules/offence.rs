//! What illegal moves and what is treated as one have in common: who acts, how much time, which number it is.

use serde_json::{Value, json};
use shakmaty::Color;

use super::{draft::Draft, ledger::Alerts, scene::Scene, text::Phrase};
use crate::{
    alert::{Code, Proposal},
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
pub(super) fn answered(pressed: &Pressed, scene: &Scene<'_>) -> bool {
    let reply = pressed.ply.checked_add(1).and_then(|number| scene.game.ply(number));
    reply.is_some_and(|reply| reply.side != pressed.side && reply.made_at + scene.scan < pressed.at)
}

/// Writes the alert: number, penalty, the position to go back to.
pub(super) fn draft(offence: Offence<'_>, scene: &Scene<'_>, alerts: &Alerts) -> Draft {
    let Offence { code, pressed, text, remedy, move_stands } = offence;
    let (laws, side) = (&scene.laws, pressed.side);
    let draft = Draft::at_press(code, pressed, text).confidence(pressed.confidence).sentence(&remedy);
    let draft = if move_stands { draft } else { draft.fact("reinstate", pressed.before.fen()) };
    if !laws.counts(code) {
        let authority = laws.authority(code).unwrap_or_default();
        return draft.sentence(&scene.say(Phrase::NoTime, &[("authority", authority)]));
    }
    let counter = laws.counter(code);
    let number = alerts.provisional(side, counter, laws).saturating_add(1);
    let earlier: Vec<Value> =
        alerts.offences(side, laws).iter().map(|entry| entry.id.as_str().into()).collect();
    let draft = draft
        .fact("offence", number)
        .fact("loses_at", laws.loses_at())
        .fact("official", alerts.official(side, counter, laws))
        .maybe_fact("earlier", (!earlier.is_empty()).then_some(earlier));
    let draft = match laws.sanction(number) {
        Sanction::Seconds(seconds) => add_time(draft, seconds, pressed, move_stands, scene),
        // What decides the game is an alert of its own.
        Sanction::Loss | Sanction::Claim => draft,
    };
    if laws.claim_only() {
        let values =
            [("opponent", scene.side(!side)), ("authority", laws.authority(code).unwrap_or_default())];
        return draft.fact("claim_only", true).sentence(&scene.say(Phrase::OnlyOnClaim, &values));
    }
    draft
}

fn add_time(draft: Draft, seconds: u32, pressed: &Pressed, move_stands: bool, scene: &Scene<'_>) -> Draft {
    let (laws, side) = (&scene.laws, pressed.side);
    let take_back = (!move_stands && pressed.increment_s > 0).then_some((pressed.increment_s, side));
    let source = laws.seconds_article().or_else(|| laws.article(Code::GameLostIllegal)).unwrap_or_default();
    let time = scene.span(seconds);
    let values = [("opponent", scene.side(!side)), ("time", time.as_str()), ("article", source)];
    let draft =
        set_clock(draft, (seconds, take_back.map_or(0, |(seconds, _)| seconds)), pressed, move_stands, scene);
    let draft = draft
        .fact("penalty_article", source)
        .propose(Proposal { add: Some((seconds, !side)), take_back, result: None })
        .sentence(&scene.say(Phrase::GiveTime, &values));
    let draft = match laws.contested_seconds() {
        Some(other) => {
            let time = scene.span(other);
            draft
                .fact("alternatives", vec![json!({ "article": source, "add_s": other })])
                .sentence(&scene.say(Phrase::OtherReading, &[("time", &time), ("article", source)]))
        }
        None => draft,
    };
    let Some((seconds, _)) = take_back else { return draft };
    let time = scene.span(seconds);
    let article = laws.topic(Topic::ClockAfterIrregularity);
    draft.sentence(
        &scene
            .say(Phrase::TakeBackTime, &[("side", scene.side(side)), ("time", &time), ("article", article)]),
    )
}

/// Adds what the displays should show when play goes on: the times at the press, what the press won taken back, what
/// the opponent gets added (Art. 7.1; 2009: 6.13). The arbiter may judge otherwise, or leave the times as they are.
fn set_clock(
    draft: Draft,
    (seconds, take_back): (u32, u32),
    pressed: &Pressed,
    move_stands: bool,
    scene: &Scene<'_>,
) -> Draft {
    let Some(times) = pressed.clock else { return draft };
    let side = pressed.side;
    let own = times.of(side).saturating_sub(take_back);
    let theirs = times.of(!side).saturating_add(seconds);
    let (white, black) = side.fold_wb((own, theirs), (theirs, own));
    let last = scene.game.ply(pressed.ply).filter(|ply| ply.side == side && !ply.is_legal());
    let undone = usize::from(!move_stands && last.is_some());
    let moves = |of: Color| {
        let before = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
        scene.game.plies().iter().take(before).filter(|ply| ply.side == of).count()
    };
    let counted = |of: Color| moves(of).saturating_sub(if of == side { undone } else { 0 });
    draft
        .fact("clock", json!({ "white": times.white, "black": times.black }))
        .fact("set_clock", json!({ "white": white, "black": black }))
        .fact("move_counter", json!({ "white": counted(Color::White), "black": counted(Color::Black) }))
}
