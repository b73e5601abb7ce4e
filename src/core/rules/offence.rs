//! What illegal moves and what is treated as one have in common: who acts, how much time, which number it is.

use serde_json::{Map, Value, json};
use shakmaty::{ByColor, Color};

use super::{
    builder::{AlertBuilder, append},
    context::RuleContext,
    illegal_position::must_intervene,
    penalty_basis::Basis,
    store::{AlertStore, StoredAlert},
    text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party, Proposal},
    code::Code,
    fact::{Pressed, Verdict},
    game::Ply,
    laws::{OtherReading, Sanction, TimeControl, Topic},
};

/// An irregularity, as its rule describes it.
pub(super) struct Offence<'a> {
    pub(super) code: Code,
    pub(super) pressed: &'a Pressed,
    /// What happened, in words, with the article.
    pub(super) text: String,
    /// What is done on the board.
    pub(super) remedy: Remedy,
    /// Whether the player keeps the increment that the press won, because the move stands.
    pub(super) move_stands: bool,
}

/// What is done on the board about an irregularity.
pub(super) enum Remedy {
    /// The position before the move is put back; the sentence says what binds the player then.
    Reinstate(String),
    /// Something else, in words.
    Words(String),
}

/// Returns whether the opponent had made his reply before this press, by more than the board's sensing leaves open.
pub(super) fn answered(pressed: &Pressed, context: &RuleContext<'_>) -> bool {
    let reply = pressed.ply.checked_add(1).and_then(|number| context.game.ply(number));
    reply.is_some_and(|reply| reply.side != pressed.side && reply.made_at + context.scan < pressed.at)
}

/// Returns the irregularity of the opponent to which a press only reacts: since that nobody has made a move.
///
/// The excuse ends with its matter: with the next move made, also one in the place of an illegal move that was taken back, and
/// with the first press back.
pub(super) fn cause<'a>(
    pressed: &Pressed,
    context: &RuleContext<'_>,
    alerts: &'a AlertStore,
) -> Option<&'a StoredAlert> {
    let opponent = !pressed.side;
    let last = context.game.ply(pressed.ply).map(|ply| ply.made_at);
    let causes = |entry: &&StoredAlert| {
        let irregular = matches!(
            entry.code,
            Code::IllegalMove | Code::PromotionNotReplaced | Code::PressWithoutMove | Code::PressBeforeMade
        );
        let moved_since = entry.pressed_at.zip(last).is_some_and(|(at, last)| last > at);
        irregular
            && entry.is_of(opponent)
            && entry.ply >= pressed.ply
            && entry.state != AlertState::Dismissed
            && !moved_since
            && entry.pressed_back_at.is_none_or(|at| at == pressed.at)
    };
    alerts.present().rev().find(causes)
}

/// Writes the alert: number, penalty, the position to go back to.
pub(super) fn build(offence: Offence<'_>, context: &RuleContext<'_>, alerts: &AlertStore) -> AlertBuilder {
    let Offence { code, pressed, text, remedy, move_stands } = offence;
    let (laws, side) = (context.laws, pressed.side);
    let mut builder = AlertBuilder::at_press(code, pressed, text).confidence(pressed.confidence);
    if !laws.counts(code) {
        let authority = laws.authority(code).unwrap_or_default();
        let builder = put_right(builder, remedy, pressed, context, alerts);
        return builder.act(&context.say(Phrase::NoTime, &[("authority", authority)]));
    }
    let basis = basis(pressed, move_stands, context, alerts);
    builder.basis = Some(basis);
    let counter = laws.counter(code);
    let number = alerts.provisional(side, counter, laws).saturating_add(1);
    let earlier: Vec<Value> =
        alerts.offences(side, laws).iter().map(|entry| entry.id.as_str().into()).collect();
    let builder = builder
        .fact("offence", number)
        .fact("loses_at", laws.loses_at())
        .fact("official", alerts.official(side, counter, laws))
        .maybe_fact("earlier", (!earlier.is_empty()).then_some(earlier));
    let builder = name_late(builder, side, counter, context, alerts);
    let builder = if context.game.is_adopted() {
        builder.fact("counted_since", "adoption").also(&context.say(Phrase::EarlierUnknown, &[]))
    } else {
        builder
    };
    // In 2009 the arbiter of a rapid game intervenes in some positions although players have to claim (Art. A.4.c).
    let unasked = !laws.claim_only() || must_intervene(pressed, context);
    let builder = if unasked {
        builder
    } else {
        let values =
            [("opponent", context.side(!side)), ("authority", laws.authority(code).unwrap_or_default())];
        builder.fact("claim_only", true).act(&context.say(Phrase::OnlyOnClaim, &values))
    };
    match laws.sanction(number) {
        Sanction::Seconds(seconds) => {
            let builder = put_right(builder, remedy, pressed, context, alerts);
            let builder = add_time(builder, seconds, basis, context, alerts);
            name_first(builder, side, context, alerts)
        }
        // What decides the game is an alert of its own, and nothing is put back.
        Sanction::Loss | Sanction::Claim => match remedy {
            Remedy::Words(words) if code == Code::TwoHandsSuspect => builder.act(&words),
            // Too doubtful for that: it would be, once it is confirmed.
            remedy if builder.confidence < Confidence::Likely => {
                let builder = put_right(builder, remedy, pressed, context, alerts);
                let what = completed(number, side, context);
                let article = laws.article(Code::GameLostIllegal).unwrap_or_default();
                let values = [("what", what.as_str()), ("article", article)];
                let builder = builder.act(&context.say(Phrase::WouldDecide, &values));
                name_first(builder, side, context, alerts)
            }
            _ => builder,
        },
    }
}

fn put_right(
    builder: AlertBuilder,
    remedy: Remedy,
    pressed: &Pressed,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let obligation = match remedy {
        Remedy::Words(words) => return builder.act(&words),
        Remedy::Reinstate(obligation) => obligation,
    };
    // The position before the first illegal move is the last one that was right (Art. 7.5.1).
    if let Some((side, position)) = first_position(alerts) {
        let values = [
            ("side", context.side(side)),
            ("article", context.laws.article(Code::IllegalMove).unwrap_or_default()),
        ];
        return builder.fact("reinstate", position).act(&context.say(Phrase::ReinstateFirst, &values));
    }
    builder.fact("reinstate", pressed.before.fen()).act(&context.say(Phrase::Reinstate, &[])).act(&obligation)
}

/// Returns whose open irregularity comes first, and the position before it.
fn first_position(alerts: &AlertStore) -> Option<(Color, String)> {
    let stands = |entry: &&StoredAlert| {
        matches!(entry.state, AlertState::Open | AlertState::Acknowledged) && entry.code == Code::IllegalMove
    };
    alerts.entries().filter(|entry| alerts.is_current(entry)).filter(stands).find_map(|entry| {
        let position = alerts.alert(entry.number)?.facts.get("reinstate")?.as_str()?;
        match entry.side {
            Party::One(side) => Some((side, position.to_owned())),
            Party::Both => None,
        }
    })
}

fn basis(pressed: &Pressed, move_stands: bool, context: &RuleContext<'_>, alerts: &AlertStore) -> Basis {
    let side = pressed.side;
    let illegal = |ply: &Ply| !ply.is_legal() || matches!(pressed.verdict, Verdict::Illegal(_));
    let last = context.game.ply(pressed.ply).filter(|ply| ply.side == side && illegal(ply));
    let undone = usize::from(!move_stands && last.is_some());
    let first = alerts
        .entries()
        .filter(|entry| alerts.is_current(entry) && !move_stands && entry.code == Code::IllegalMove)
        .filter(|entry| matches!(entry.state, AlertState::Open | AlertState::Acknowledged))
        .find_map(|entry| entry.basis);
    let moves = |of: Color| {
        let before = usize::try_from(pressed.ply).unwrap_or(usize::MAX);
        context.game.plies().iter().take(before).filter(|ply| ply.side == of).count()
    };
    let counted = |of: Color| moves(of).saturating_sub(if of == side { undone } else { 0 });
    let counted = ByColor { white: counted(Color::White), black: counted(Color::Black) };
    let increment_s = if move_stands { 0 } else { whole_increment(pressed, context) };
    Basis { side, clock: pressed.clock, increment_s, counted: first.map_or(counted, |first| first.counted) }
}

/// Returns the increment that a press won. A tick may hide a second of it: the time control knows better.
fn whole_increment(pressed: &Pressed, context: &RuleContext<'_>) -> u32 {
    let measured = pressed.increment_s;
    let control = context.event.time_control.as_ref();
    let known = control.into_iter().flat_map(TimeControl::periods).map(|period| period.increment_s);
    known.filter(|whole| measured > 0 && *whole == measured + 1).max().unwrap_or(measured)
}

fn add_time(
    builder: AlertBuilder,
    seconds: u32,
    basis: Basis,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let penalty = penalty(builder.code, seconds, basis, context, alerts);
    let mut builder = builder.propose(penalty.proposal).act(&penalty.words);
    builder.facts.extend(penalty.facts);
    builder
}

/// What the opponent of an offender gets, and what the displays should show then.
struct TimePenalty {
    proposal: Proposal,
    words: String,
    facts: Map<String, Value>,
}

fn penalty(
    code: Code,
    seconds: u32,
    basis: Basis,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> TimePenalty {
    let (laws, side) = (context.laws, basis.side);
    let take_back = (basis.increment_s > 0).then_some((basis.increment_s, side));
    let source = laws.seconds_article().or_else(|| laws.own_penalty_clause(code));
    let source = source.or_else(|| laws.article(Code::GameLostIllegal)).unwrap_or_default();
    let mut words = String::new();
    let mut facts = set_clock(seconds, basis, alerts);
    facts.insert("penalty_article".to_owned(), source.into());
    let time = context.span(seconds);
    let values = [("opponent", context.side(!side)), ("time", time.as_str()), ("article", source)];
    append(&mut words, &context.say(Phrase::GiveTime, &values));
    if let Some(other) = laws.other_reading() {
        facts
            .insert("alternatives".to_owned(), json!([{ "article": other.article, "add_s": other.seconds }]));
        append(&mut words, &other_reading(other, context));
    }
    if let Some((seconds, _)) = take_back {
        let time = context.span(seconds);
        let article = laws.topic(Topic::ClockAfterIrregularity);
        let values = [("side", context.side(side)), ("time", time.as_str()), ("article", article)];
        append(&mut words, &context.say(Phrase::TakeBackTime, &values));
    }
    TimePenalty { proposal: Proposal { add: Some((seconds, !side)), take_back, result: None }, words, facts }
}

/// Says what another reading of the clause gives.
pub(super) fn other_reading(other: OtherReading<'_>, context: &RuleContext<'_>) -> String {
    let phrase = if other.by_the_letter { Phrase::ByTheLetter } else { Phrase::ByAnalogy };
    context.say(phrase, &[("time", &context.span(other.seconds)), ("article", other.article)])
}

/// Says how many irregularities of a player have been completed.
pub(super) fn completed(number: u32, side: Color, context: &RuleContext<'_>) -> String {
    let phrase = match number {
        1 => Phrase::FirstIs,
        2 => Phrase::SecondIs,
        3 => Phrase::ThirdIs,
        _ => Phrase::NthIs,
    };
    let nth = context.say(phrase, &[("n", &number.to_string())]);
    let treated = context.laws.counts(Code::PressWithoutMove);
    let phrase = if treated { Phrase::CompletedOffence } else { Phrase::CompletedIllegal };
    context.say(phrase, &[("nth", &nth), ("side", context.side(side))])
}

/// Names irregularities that were confirmed too late: they are not counted (Art. A.5.2).
fn name_late(
    builder: AlertBuilder,
    side: Color,
    counter: u8,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let late = alerts.confirmed_late(side, counter, context.laws);
    let Some(last) = late.last().cloned() else { return builder };
    let article = context.laws.article(Code::ClaimWindowClosed).unwrap_or_default();
    let words = context.say(Phrase::LateNotCounted, &[("alert", &last), ("article", article)]);
    builder.fact("not_counted", late).also(&words)
}

/// Names what comes before an irregularity: a set-up for which the game is cancelled, or a flag that had fallen, whoever's it is: what
/// was completed after it gives nobody time (Art. 6.9).
pub(super) fn name_first(
    builder: AlertBuilder,
    side: Color,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let flag = alerts
        .entries()
        .filter(|entry| alerts.is_current(entry))
        .find(|entry| matches!(entry.code, Code::FlagFall | Code::FlagFallDraw | Code::BothFlags));
    let Some(flag) = flag else { return name_set_up(builder, context, alerts) };
    let article = context.laws.article(Code::FlagFall).unwrap_or_default();
    let whose = if let Party::One(whose) = flag.side { whose } else { side };
    let first = context.say(Phrase::FlagFirst, &[("side", context.side(whose)), ("article", article)]);
    let builder = builder.fact("flag", flag.id.as_str());
    name_set_up(before(builder, first), context, alerts)
}

/// Names a wrong set-up on which nobody has ruled: the game may be cancelled for it (Art. 7.2.1).
pub(super) fn name_set_up(
    builder: AlertBuilder,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let wrong = |entry: &&StoredAlert| alerts.is_current(entry) && entry.code == Code::StartPositionWrong;
    let Some(set_up) = alerts.entries().find(wrong) else { return builder };
    let article = context.laws.article(set_up.code).unwrap_or_default();
    let first = context.say(Phrase::SetUpFirst, &[("alert", &set_up.id), ("article", article)]);
    before(builder.fact("set_up", set_up.id.as_str()), first)
}

/// Puts a sentence before what else is to be done.
fn before(mut builder: AlertBuilder, first: String) -> AlertBuilder {
    let rest = std::mem::replace(&mut builder.parts.act, first);
    builder.act(&rest)
}

/// Returns what the displays should show when play goes on: the times at the press, what the press won taken back, what
/// the opponent gets added (Art. 7.1; 2009: 6.13), and the same for what is open besides. The arbiter may judge
/// otherwise, or leave the times as they are.
fn set_clock(seconds: u32, basis: Basis, alerts: &AlertStore) -> Map<String, Value> {
    let Some(times) = basis.clock else { return Map::new() };
    let mut added = ByColor { white: 0, black: 0 };
    let mut taken = ByColor { white: 0, black: 0 };
    *added.get_mut(!basis.side) += seconds;
    *taken.get_mut(basis.side) += basis.increment_s;
    let current = alerts.entries().filter(|entry| alerts.is_current(entry));
    let others = current.filter(|entry| matches!(entry.state, AlertState::Open | AlertState::Acknowledged));
    for proposal in others.filter_map(|entry| alerts.alert(entry.number)?.proposal.as_ref()) {
        if let Some((seconds, to)) = proposal.add {
            *added.get_mut(to) += seconds;
        }
        if let Some((seconds, from)) = proposal.take_back {
            *taken.get_mut(from) += seconds;
        }
    }
    let shown =
        |side: Color| times.of(side).saturating_sub(*taken.get(side)).saturating_add(*added.get(side));
    let counted = basis.counted;
    [
        ("clock".to_owned(), json!({ "white": times.white, "black": times.black })),
        ("set_clock".to_owned(), json!({ "white": shown(Color::White), "black": shown(Color::Black) })),
        ("move_counter".to_owned(), json!({ "white": counted.white, "black": counted.black })),
    ]
    .into_iter()
    .collect()
}

/// Gives an offence that no longer decides the game the penalty that it has by itself.
pub(super) fn reprice(number: u32, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let Some((basis, code)) = alerts.entry(number).and_then(|entry| Some((entry.basis?, entry.code))) else {
        return;
    };
    let open = alerts.alert(number).is_some_and(|alert| alert.proposal.is_none());
    let laws = context.laws;
    let before = alerts.official(basis.side, laws.counter(code), laws);
    let Sanction::Seconds(seconds) = laws.sanction(before.saturating_add(1)) else { return };
    if !open {
        return;
    }
    let TimePenalty { proposal, words, facts } = penalty(code, seconds, basis, context, alerts);
    let mut changes = facts.clone();
    changes.insert("offence".to_owned(), before.saturating_add(1).into());
    changes.insert("proposal".to_owned(), serde_json::to_value(&proposal).unwrap_or_default());
    changes.insert("text".to_owned(), words.clone().into());
    let amend = move |alert: &mut crate::alert::Alert| {
        alert.facts.extend(facts);
        alert.facts.insert("offence".to_owned(), before.saturating_add(1).into());
        alert.proposal = Some(proposal);
        append(&mut alert.parts.act, &words);
        alert.text = alert.parts.text();
    };
    alerts.amend(number, amend, changes);
}
