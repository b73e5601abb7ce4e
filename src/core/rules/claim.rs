//! Claims that an arbiter enters: are they correct, and what follows (Art. 9.5, 6.8, Guidelines III)?

use serde_json::Map;
use shakmaty::{Color, Move, san::San, uci::UciMove};

use super::{
    builder::AlertBuilder, context::RuleContext, fifty, quickplay, store::AlertStore, text::Phrase, threefold,
};
use crate::{
    alert::{AlertState, Proposal},
    code::Code,
    game::Played,
    laws::Topic,
    order::{Claim, OrderError},
    position::Position,
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
            let Some(m) = parse(context.game.position(), intended) else {
                return refuse(format!("{intended} is no legal move of {name}"));
            };
            let mut game = context.game.clone();
            let ply = game.push(side, Played::Legal(m), context.now, crate::alert::Confidence::Certain);
            let after = RuleContext { game: &game, ..*context };
            let code = if after.quiet_plies(ply) >= fifty::PLIES && game.repetitions(ply) < threefold::TIMES {
                Code::FiftyClaimable
            } else {
                Code::ThreefoldClaimable
            };
            let san = context.game.position().san(m);
            draw(side, code, Some((&after, &san)), context, alerts);
        }
        Claim::Time => return time(side, context, alerts),
        Claim::Qpf => return quickplay_finish(side, context, alerts),
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
    let (correct, why) = merits(code, judged);
    let laws = &context.laws;
    let made_at = context.game.plies().last().map(|ply| ply.made_at).unwrap_or_default();
    let touched = correct && alerts.touched_since(side, made_at);
    let (phrase, state, article) = match (correct, touched) {
        (true, false) => (Phrase::ClaimCorrect, AlertState::Confirmed, laws.topic(Topic::ClaimCorrect)),
        (true, true) => (Phrase::ClaimAfterTouch, AlertState::Open, laws.topic(Topic::ClaimLostByTouching)),
        (false, _) => (Phrase::ClaimIncorrect, AlertState::Dismissed, laws.topic(Topic::ClaimIncorrect)),
    };
    let seconds = laws.wrong_claim_s();
    let time = context.span(seconds);
    let values = [
        ("side", context.side(side)),
        ("opponent", context.side(!side)),
        ("why", why.as_str()),
        ("time", time.as_str()),
        ("article", article),
    ];
    // The alert that said he might claim has had its answer.
    alerts.close(AlertState::Expired, context.now, |entry| entry.code == code && entry.is_of(side));
    let mut builder = AlertBuilder::new(code, side, context.game.len(), context.say(phrase, &values));
    builder.state = state;
    builder.article = Some(match (code, intended) {
        (Code::ThreefoldClaimable, Some(_)) => laws.topic(Topic::ThreefoldIntended),
        (_, Some(_)) => laws.topic(Topic::FiftyIntended),
        (_, None) => laws.article(code).unwrap_or_default(),
    });
    builder = builder.fact("claim", if correct { "correct" } else { "incorrect" });
    if let Some((_, san)) = intended {
        builder = builder.fact("intended", san);
        if !correct {
            builder = builder.sentence(&context.say(Phrase::IntendedFollows, &[("move", san)]));
        }
    }
    let by = if code == Code::FiftyClaimable { "fifty" } else { "threefold" };
    match (correct, touched) {
        (true, false) => alerts.conclude(builder, None, by, context),
        (true, true) => {
            alerts.raise(builder.propose_result(None), context);
        }
        (false, _) => {
            let proposal = Proposal { add: Some((seconds, !side)), ..Proposal::default() };
            alerts.raise(builder.propose(proposal), context);
        }
    }
}

/// Tells whether a claim is correct, and what the count is.
fn merits(code: Code, context: &RuleContext<'_>) -> (bool, String) {
    let ply = context.game.len();
    if code == Code::FiftyClaimable {
        let plies = if ply == 0 { context.game.position().halfmoves() } else { context.quiet_plies(ply) };
        return (plies >= fifty::PLIES, context.say(Phrase::WhyMoves, &[("n", &(plies / 2).to_string())]));
    }
    let times = context.game.repetitions(ply);
    (times >= threefold::TIMES, context.say(Phrase::WhyTimes, &[("n", &times.to_string())]))
}

/// Reads a move as it is written down, in UCI or in algebraic notation.
fn parse(position: &Position, text: &str) -> Option<Move> {
    if let Ok(UciMove::Normal { from, to, promotion }) = text.parse() {
        return position.find(from, to, promotion);
    }
    let san: San = text.parse().ok()?;
    san.to_move(position.lawful()?).ok()
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
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) -> Result<(), OrderError> {
    let left = context.clock.times.map(|times| times.of(side));
    let name = crate::side::side_name(side);
    if !quickplay::applies(side, alerts.increment, context) {
        let reason =
            "a quickplay finish needs a time control without increment, its last period, and an announcement";
        return Err(OrderError::Refused(reason.to_owned()));
    }
    if !left.is_some_and(|left| left > 0 && left < quickplay::LAST_S) {
        return Err(OrderError::Refused(format!("{name} does not have less than two minutes left")));
    }
    let code = Code::QpfEligible;
    let own =
        alerts.entries().find(|entry| entry.code == code && entry.is_of(side)).map(|entry| entry.number);
    if let Some(number) = own {
        alerts.change(number, AlertState::Expired, Map::new(), context.now);
    }
    let article = context.laws.authority(code).unwrap_or_default();
    let text = context.say(Phrase::QuickplayClaimed, &[("side", context.side(side)), ("article", article)]);
    let mut builder = AlertBuilder::new(code, side, context.game.len(), text)
        .maybe_fact("left_s", left)
        .fact("claim", name);
    builder.article = Some(article);
    alerts.raise(builder, context);
    Ok(())
}
