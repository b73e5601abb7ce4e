//! Claims that an arbiter enters: are they correct, and what follows (Art. 9.5, 6.8, Guidelines III)?

use serde_json::Map;
use shakmaty::{Color, Move, san::San, uci::UciMove};

use super::{draft::Draft, fifty, ledger::Alerts, quickplay, scene::Scene, text::Phrase, threefold};
use crate::{
    alert::{AlertState, Code, Proposal},
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
    scene: &Scene<'_>,
    alerts: &mut Alerts,
) -> Result<(), OrderError> {
    let refuse = |reason: String| Err(OrderError::Refused(reason));
    if alerts.is_over(scene) {
        return refuse("the game is over".to_owned());
    }
    let name = crate::event::side_name(side);
    if !matches!(claim, Claim::Time) && scene.game.position().turn() != side {
        return refuse(format!("{name} is not to move"));
    }
    match claim {
        Claim::Threefold => draw(side, Code::ThreefoldClaimable, None, scene, alerts),
        Claim::Fifty => draw(side, Code::FiftyClaimable, None, scene, alerts),
        Claim::Intended { intended } => {
            let Some(m) = parse(scene.game.position(), intended) else {
                return refuse(format!("{intended} is no legal move of {name}"));
            };
            let mut game = scene.game.clone();
            let ply = game.push(side, Played::Legal(m), scene.now, crate::alert::Confidence::Certain);
            let after = Scene { game: &game, ..*scene };
            let code = if after.quiet_plies(ply) >= fifty::PLIES && game.repetitions(ply) < threefold::TIMES {
                Code::FiftyClaimable
            } else {
                Code::ThreefoldClaimable
            };
            let san = scene.game.position().san(m);
            draw(side, code, Some((&after, &san)), scene, alerts);
        }
        Claim::Time => return time(side, scene, alerts),
        Claim::Qpf => return quickplay_finish(side, scene, alerts),
    }
    Ok(())
}

/// Decides a claim of a draw on the position that stands, or on the one after an intended move.
fn draw(
    side: Color,
    code: Code,
    intended: Option<(&Scene<'_>, &str)>,
    scene: &Scene<'_>,
    alerts: &mut Alerts,
) {
    let judged = intended.map_or(scene, |(after, _)| after);
    let (correct, why) = merits(code, judged);
    let laws = &scene.laws;
    let made_at = scene.game.plies().last().map(|ply| ply.made_at).unwrap_or_default();
    let touched = correct && alerts.touched_since(side, made_at);
    let (phrase, state, article) = match (correct, touched) {
        (true, false) => (Phrase::ClaimCorrect, AlertState::Confirmed, laws.topic(Topic::ClaimCorrect)),
        (true, true) => (Phrase::ClaimAfterTouch, AlertState::Open, laws.topic(Topic::ClaimLostByTouching)),
        (false, _) => (Phrase::ClaimIncorrect, AlertState::Dismissed, laws.topic(Topic::ClaimIncorrect)),
    };
    let seconds = laws.wrong_claim_s();
    let time = scene.span(seconds);
    let values = [
        ("side", scene.side(side)),
        ("opponent", scene.side(!side)),
        ("why", why.as_str()),
        ("time", time.as_str()),
        ("article", article),
    ];
    // The alert that said he might claim has had its answer.
    alerts.close(AlertState::Expired, scene.now, |entry| entry.code == code && entry.is_of(side));
    let mut draft = Draft::new(code, side, scene.game.len(), scene.say(phrase, &values));
    draft.state = state;
    draft.article = Some(match (code, intended) {
        (Code::ThreefoldClaimable, Some(_)) => laws.topic(Topic::ThreefoldIntended),
        (_, Some(_)) => laws.topic(Topic::FiftyIntended),
        (_, None) => laws.article(code).unwrap_or_default(),
    });
    draft = draft.fact("claim", if correct { "correct" } else { "incorrect" });
    if let Some((_, san)) = intended {
        draft = draft.fact("intended", san);
        if !correct {
            draft = draft.sentence(&scene.say(Phrase::IntendedFollows, &[("move", san)]));
        }
    }
    let by = if code == Code::FiftyClaimable { "fifty" } else { "threefold" };
    match (correct, touched) {
        (true, false) => alerts.conclude(draft, None, by, scene),
        (true, true) => {
            alerts.raise(draft.propose_result(None), scene);
        }
        (false, _) => {
            let proposal = Proposal { add: Some((seconds, !side)), ..Proposal::default() };
            alerts.raise(draft.propose(proposal), scene);
        }
    }
}

/// Tells whether a claim is correct, and what the count is.
fn merits(code: Code, scene: &Scene<'_>) -> (bool, String) {
    let ply = scene.game.len();
    if code == Code::FiftyClaimable {
        let plies = if ply == 0 { scene.game.position().halfmoves() } else { scene.quiet_plies(ply) };
        return (plies >= fifty::PLIES, scene.say(Phrase::WhyMoves, &[("n", &(plies / 2).to_string())]));
    }
    let times = scene.game.repetitions(ply);
    (times >= threefold::TIMES, scene.say(Phrase::WhyTimes, &[("n", &times.to_string())]))
}

/// Reads a move as it is written down, in UCI or in algebraic notation.
fn parse(position: &Position, text: &str) -> Option<Move> {
    if let Ok(UciMove::Normal { from, to, promotion }) = text.parse() {
        return position.find(from, to, promotion);
    }
    let san: San = text.parse().ok()?;
    san.to_move(position.lawful()?).ok()
}

fn time(side: Color, scene: &Scene<'_>, alerts: &mut Alerts) -> Result<(), OrderError> {
    let (name, opponent) = (crate::event::side_name(side), crate::event::side_name(!side));
    let down = |side: Color| *scene.clock.flags.get(side);
    if !down(!side) {
        return Err(OrderError::Refused(format!("the clock shows no fallen flag of {opponent}")));
    }
    let out_of_time = down(side) || scene.clock.times.is_some_and(|times| times.of(side) == 0);
    if scene.laws.time_claim_needs_time() && out_of_time {
        let article = scene.laws.topic(Topic::ClaimOnTime);
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
    alerts.confirm(number, facts, scene);
    Ok(())
}

fn quickplay_finish(side: Color, scene: &Scene<'_>, alerts: &mut Alerts) -> Result<(), OrderError> {
    let left = scene.clock.times.map(|times| times.of(side));
    let name = crate::event::side_name(side);
    if !quickplay::applies(side, alerts.increment, scene) {
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
        alerts.change(number, AlertState::Expired, Map::new(), scene.now);
    }
    let article = scene.laws.authority(code).unwrap_or_default();
    let text = scene.say(Phrase::QuickplayClaimed, &[("side", scene.side(side)), ("article", article)]);
    let mut draft =
        Draft::new(code, side, scene.game.len(), text).maybe_fact("left_s", left).fact("claim", name);
    draft.article = Some(article);
    alerts.raise(draft, scene);
    Ok(())
}
