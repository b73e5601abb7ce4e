//! What illegal moves and what is treated as one have in common: who acts, how much time, which number it is.

use serde_json::Value;

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
    let draft = draft
        .fact("penalty_article", source)
        .propose(Proposal { add: Some((seconds, !side)), take_back, result: None })
        .sentence(&scene.say(Phrase::GiveTime, &values));
    let Some((seconds, _)) = take_back else { return draft };
    let time = scene.span(seconds);
    let article = laws.topic(Topic::ClockAfterIrregularity);
    draft.sentence(
        &scene
            .say(Phrase::TakeBackTime, &[("side", scene.side(side)), ("time", &time), ("article", article)]),
    )
}
