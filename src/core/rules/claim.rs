//! Claims that an arbiter enters: are they correct, and what follows (Art. 9.5, 6.8, Guidelines III)?

use serde_json::Map;
use shakmaty::{Color, Move};

use super::{
    builder::AlertBuilder,
    context::RuleContext,
    fifty, offence, quickplay,
    store::{AlertStore, StoredAlert},
    text::Phrase,
    threefold,
};
use crate::{
    alert::{AlertState, Confidence, Proposal},
    code::Code,
    game::Played,
    laws::{OtherReading, Topic},
    order::{Claim, Ground, OrderError},
    position::UnreadMove,
};

/// Checks a claim, and says what follows.
///
/// # Errors
///
/// Returns an error with the reason if the claim cannot be made as things stand; then nothing has changed.
pub(super) fn check(
    side: Color,
    claim: &Claim,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> Result<(), OrderError> {
    let refuse = |reason: String| Err(OrderError::Refused(reason));
    if alerts.is_over(context) {
        return refuse("the game is over".to_owned());
    }
    let name = crate::side::side_name(side);
    if !matches!(claim, Claim::Time) && context.game.position().turn() != side {
        return refuse(format!("{name} is not to move"));
    }
    match claim {
        Claim::Threefold => draw(side, Code::ThreefoldClaimable, None, context, alerts),
        Claim::Fifty => draw(side, Code::FiftyClaimable, None, context, alerts),
        Claim::Intended { intended } => {
            let m = match parse(intended, context) {
                Ok(m) => m,
                Err(UnreadMove::Illegal) => {
                    illegal_intention(side, intended, context, alerts);
                    return Ok(());
                }
                Err(UnreadMove::NoMove) => {
                    return refuse(format!("{intended} is no move; write it as Nf3 or g1f3"));
                }
                Err(UnreadMove::Ambiguous(moves)) => {
                    return refuse(format!("move: {intended} may be {}", moves.join(" or ")));
                }
            };
            let mut game = context.game.clone();
            let ply = game.push(side, Played::Legal(m), context.now, Confidence::Certain);
            let after = RuleContext { game: &game, ..*context };
            // The fiftieth move is meant, also where it would be none.
            let code = if quiet_plies(context) + 2 >= fifty::PLIES && game.repetitions(ply) < threefold::TIMES
            {
                Code::FiftyClaimable
            } else {
                Code::ThreefoldClaimable
            };
            let san = context.game.position().san(m);
            draw(side, code, Some((&after, &san)), context, alerts);
        }
        Claim::Time => return time(side, context, alerts),
        Claim::Qpf { ground } => return quickplay_finish(side, *ground, context, alerts),
    }
    Ok(())
}

/// Decides a claim of a draw on the position that stands, or on the one after an intended move.
fn draw(
    side: Color,
    code: Code,
    intended: Option<(&RuleContext<'_>, &str)>,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) {
    let judged = intended.map_or(context, |(after, _)| after);
    let (correct, why) = merits(code, intended.map(|(_, san)| san), judged);
    let through = (!correct).then(|| merits_through_illegal(code, judged)).flatten();
    let open = open_irregularity(context, alerts);
    let laws = context.laws;
    let made_at = context.game.plies().last().map(|ply| ply.made_at).unwrap_or_default();
    let touched = correct && alerts.touched_since(side, made_at);
    // The alert that said he might claim has had its answer.
    alerts.close(AlertState::Expired, context.now, |entry| entry.code == code && entry.is_of(side));
    // What was played before the board was first heard of may make it correct.
    let unknown = !correct && context.game.is_adopted();
    let topic = if touched { Topic::ClaimLostByTouching } else { Topic::ClaimCorrect };
    let values = [("side", context.side(side)), ("why", why.as_str()), ("article", laws.topic(topic))];
    let right = |phrase| AlertBuilder::new(code, side, context.game.len(), context.say(phrase, &values));
    let mut builder = match (correct, touched) {
        (true, false) if open.is_some() => right(Phrase::ClaimCorrectSoFar),
        (true, false) => AlertBuilder { state: AlertState::Confirmed, ..right(Phrase::ClaimCorrect) },
        (true, true) => right(Phrase::ClaimAfterTouch).act(&context.say(Phrase::WasItTouched, &[])),
        (false, _) if unknown => unsettled(side, code, &why, context),
        (false, _) if through.is_some() => two_counts(side, code, &why, through.as_deref(), context),
        (false, _) => wrong(side, code, &why, context),
    };
    let article = match (code, intended) {
        (Code::ThreefoldClaimable, Some(_)) => laws.topic(Topic::ThreefoldIntended),
        (_, Some(_)) => laws.topic(Topic::FiftyIntended),
        (_, None) => laws.article(code).unwrap_or_default(),
    };
    builder.article = Some(article.into());
    if correct {
        builder = builder.fact("claim", "correct");
    }
    if let Some((_, san)) = intended {
        builder = builder.fact("intended", san);
        if !correct && !unknown && through.is_none() {
            let values = [("side", context.side(side)), ("move", &*context.san(san))];
            builder = builder.act(&context.say(Phrase::IntendedFollows, &values));
        }
    }
    if correct {
        builder = context.counted(builder);
    }
    if let Some(open) = &open {
        let values =
            [("alert", open.as_str()), ("article", laws.article(Code::IllegalMove).unwrap_or_default())];
        let rest = std::mem::replace(&mut builder.parts.act, context.say(Phrase::ClaimRestsOnOpen, &values));
        builder = builder.act(&rest).fact("open_offence", open.as_str());
    }
    let by = if code == Code::FiftyClaimable { "fifty" } else { "threefold" };
    if correct && !touched && open.is_none() {
        alerts.conclude(builder, None, by, context);
    } else {
        let builder = if correct { builder.propose_result(None) } else { builder };
        alerts.raise(builder, context);
    }
}

/// Returns whether a claim is correct, and what the count is; `intended` is the move that is to bring the position about.
fn merits(code: Code, intended: Option<&str>, context: &RuleContext<'_>) -> (bool, String) {
    let ply = context.game.len();
    let last = intended.map(|san| numbered(san, context));
    if code == Code::FiftyClaimable {
        let plies = quiet_plies(context);
        // The last fifty moves of both must have been completed (Art. 9.3.2); an intended one is none of them.
        let completed = intended.is_some() || context.game.plies().last().is_none_or(|ply| ply.completed);
        if plies == fifty::PLIES && !completed {
            return (false, context.say(Phrase::WhyNotCompleted, &[]));
        }
        let correct = plies >= fifty::PLIES;
        let ground = context.laws.topic(Topic::FiftyIntended);
        return match last {
            Some(last) if correct => {
                let values = [("move", last.as_str()), ("ground", ground)];
                (true, context.say(Phrase::WhyFiftyAfter, &values))
            }
            _ => {
                let phrase = if correct { Phrase::WhyMoves } else { Phrase::WhyTooFewMoves };
                (correct, context.say(phrase, &[("n", &(plies / 2).to_string())]))
            }
        };
    }
    let times = context.game.sure_repetitions(ply);
    let correct = times >= threefold::TIMES;
    let ground = context.laws.topic(Topic::ThreefoldIntended);
    let why = match last {
        Some(last) if correct => {
            let values = [("move", last.as_str()), ("nth", &*context.nth(times)), ("ground", ground)];
            context.say(Phrase::WhyWillAppear, &values)
        }
        _ => {
            let phrase = if correct { Phrase::WhyTimes } else { Phrase::WhyTooFewTimes };
            context.say(phrase, &[("times", &context.times(times))])
        }
    };
    (correct, why)
}

/// Returns what the count is through illegal moves that stand, where that makes a claim correct.
fn merits_through_illegal(code: Code, context: &RuleContext<'_>) -> Option<String> {
    if code == Code::FiftyClaimable {
        let plies = context.quiet_plies_through_illegal();
        let moves = (plies / 2).to_string();
        let differs = plies >= fifty::PLIES && plies > quiet_plies(context);
        return differs.then(|| context.say(Phrase::WhyMoves, &[("n", &moves)]));
    }
    let times = context.game.repetitions_through_illegal(context.game.len());
    (times >= threefold::TIMES).then(|| context.say(Phrase::WhyTimes, &[("times", &context.times(times))]))
}

/// Returns the first illegal move on which nobody has ruled, and after which the moves that a claim counts may yet be taken back.
fn open_irregularity(context: &RuleContext<'_>, alerts: &AlertStore) -> Option<String> {
    let open = alerts.entries().filter(|entry| alerts.is_current(entry) && entry.ply <= context.game.len());
    let mut open = open.filter(|entry| matches!(entry.code, Code::IllegalMove | Code::PromotionNotReplaced));
    let stands =
        |entry: &&StoredAlert| entry.state != AlertState::Corrected && entry.confidence >= Confidence::Likely;
    open.find(stands).map(|entry| entry.id.clone())
}

/// Writes the alert on a claim that is correct only if an illegal move that stands does not interrupt the count (the Laws do not say).
fn two_counts(
    side: Color,
    code: Code,
    why: &str,
    through: Option<&str>,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let values = [
        ("side", context.side(side)),
        ("why", why),
        ("through", through.unwrap_or_default()),
        ("article", context.laws.article(code).unwrap_or_default()),
    ];
    AlertBuilder::new(code, side, context.game.len(), context.say(Phrase::ClaimThroughIllegal, &values))
        .confidence(Confidence::Possible)
        .fact("claim", "unknown")
        .fact("counted_through", "irregularity")
        .act(&context.say(Phrase::DecideCount, &[]))
}

/// Returns plies without capture or pawn move up to the position that stands.
fn quiet_plies(context: &RuleContext<'_>) -> u32 {
    match context.game.len() {
        0 => context.game.position().halfmoves(),
        ply => context.quiet_plies(ply),
    }
}

/// Writes the last move of a game with its number, as on a score sheet.
fn numbered(san: &str, after: &RuleContext<'_>) -> String {
    let ply = after.game.len();
    let before = after.game.position_after(ply.saturating_sub(1));
    let dots = before.turn().fold_wb(".", "…");
    let fen = before.fen();
    let number = fen.rsplit(' ').next().unwrap_or_default();
    format!("{number}{dots}{}", after.san(san))
}

/// An intended move that is illegal makes the claim a wrong one.
fn illegal_intention(side: Color, intended: &str, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let why = context.say(Phrase::WhyIntendedIllegal, &[("move", &context.san(intended))]);
    let code = Code::ThreefoldClaimable;
    let builder = wrong(side, code, &why, context).fact("intended", intended);
    let article = Some(context.laws.topic(Topic::ThreefoldIntended).into());
    alerts.raise(AlertBuilder { article, ..builder }, context);
}

/// Writes the alert on a claim of which nobody knows whether it is correct, as the beginning of the game was not seen.
fn unsettled(side: Color, code: Code, why: &str, context: &RuleContext<'_>) -> AlertBuilder {
    let values = [
        ("side", context.side(side)),
        ("why", why),
        ("article", context.laws.article(code).unwrap_or_default()),
    ];
    let text = context.say(Phrase::ClaimUnknown, &values);
    AlertBuilder::new(code, side, context.game.len(), text)
        .confidence(Confidence::Possible)
        .fact("claim", "unknown")
        .fact("counted_since", "adoption")
        .act(&context.say(Phrase::DecideBySheet, &[]))
}

/// Writes the alert on a wrong claim, and what it costs.
fn wrong(side: Color, code: Code, why: &str, context: &RuleContext<'_>) -> AlertBuilder {
    let laws = context.laws;
    let seconds = laws.wrong_claim_s();
    let procedure = laws.topic(Topic::ClaimIncorrect);
    let source = laws.claim_seconds_article().unwrap_or(procedure);
    let time = context.span(seconds);
    let values = [("side", context.side(side)), ("why", why), ("article", procedure)];
    let offer = [("article", laws.topic(Topic::ClaimIsOffer))];
    let give = [("opponent", context.side(!side)), ("time", time.as_str()), ("article", source)];
    // What is said of Art. 7.5.5 holds for the clause on claims.
    let other = laws.other_reading().map_or_else(String::new, |other| {
        let article = if other.by_the_letter { procedure } else { other.article };
        offence::other_reading(OtherReading { article, ..other }, context)
    });
    let text = context.say(Phrase::ClaimIncorrect, &values);
    let mut builder = AlertBuilder::new(code, side, context.game.len(), text)
        .also(&context.say(Phrase::ClaimIsOffer, &offer))
        .act(&context.say(Phrase::GiveTime, &give))
        .act(&other);
    builder.state = AlertState::Dismissed;
    let proposal = Proposal { add: Some((seconds, !side)), ..Proposal::default() };
    builder.fact("claim", "incorrect").fact("penalty_article", source).propose(proposal)
}

/// Reads a move as it is written down, in UCI or in algebraic notation, in English or in the letters of the event's language.
pub(super) fn parse(text: &str, context: &RuleContext<'_>) -> Result<Move, UnreadMove> {
    context.game.position().read_move(text, Phrase::SanLetters.text(context.event.language))
}

fn time(side: Color, context: &RuleContext<'_>, alerts: &mut AlertStore) -> Result<(), OrderError> {
    let (name, opponent) = (crate::side::side_name(side), crate::side::side_name(!side));
    let down = |side: Color| *context.clock.flags.get(side);
    if !down(!side) {
        return Err(OrderError::Refused(format!("the clock shows no fallen flag of {opponent}")));
    }
    let out_of_time = down(side) || context.clock.times.is_some_and(|times| times.of(side) == 0);
    if context.laws.time_claim_needs_time() && out_of_time {
        let article = context.laws.topic(Topic::ClaimOnTime);
        return Err(OrderError::Refused(format!("{name} has no time left either ({article})")));
    }
    let open = alerts
        .entries()
        .find(|entry| matches!(entry.code, Code::FlagFall | Code::FlagFallDraw) && entry.is_of(!side))
        .map(|entry| entry.number);
    let Some(number) = open else {
        return Err(OrderError::Refused(format!("there is no open alert on the flag of {opponent}")));
    };
    let facts = [("claim".to_owned(), name.into())].into_iter().collect();
    alerts.confirm(number, facts, context);
    Ok(())
}

fn quickplay_finish(
    side: Color,
    ground: Option<Ground>,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> Result<(), OrderError> {
    let remaining = context.clock.times.map(|times| times.of(side));
    let name = crate::side::side_name(side);
    quickplay::check_applies(side, alerts.increment, context)?;
    quickplay::has_last_minutes(side, context)?;
    let code = Code::QpfEligible;
    let own =
        alerts.entries().find(|entry| entry.code == code && entry.is_of(side)).map(|entry| entry.number);
    if let Some(number) = own {
        alerts.change(number, AlertState::Expired, Map::new(), context.now);
    }
    let article = context.laws.authority(code).unwrap_or_default();
    let text = context.say(Phrase::QuickplayClaimed, &[("side", context.side(side)), ("article", article)]);
    let mut builder = AlertBuilder::new(code, side, context.game.len(), text)
        .also(&quickplay::ground_words(ground, context))
        .act(&context.say(Phrase::StopAndDecide, &[]))
        .maybe_fact("left_s", remaining)
        .maybe_fact("ground", ground.map(Ground::name))
        .fact("claim", name);
    builder.article = Some(article.into());
    alerts.raise(builder, context);
    Ok(())
}
