//! Plays a simulated game through the replay and counts what came out right.

use std::{collections::BTreeMap, sync::Arc};

use jadoube_core::{
    alert::{Confidence, Party},
    capture::Reader,
    code::Code,
    event::EventKind,
    replay,
    time::Timestamp,
};
use jadoube_emulate::{simulate, simulate::Simulation, truth::ExpectedAlert};

use crate::{ends, rows::Game, tamper};

/// Seconds between what happened and the alert that reports it.
const WINDOW_S: f64 = 12.0;

/// What is reported so many seconds late is still true.
const LATE_S: f64 = 60.0;

/// First line over the figures.
pub(crate) const HEADING: &str = "  games   plies         offences         suspicions  faults";

/// Second line over the figures.
pub(crate) const SUBHEADING: &str = "  exact   right         missed    false  false       named";

/// An accusation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stated {
    /// The word that it was reported with.
    pub(crate) confidence: Confidence,
    /// The probability that it was reported with, if it carries one.
    pub(crate) p: Option<f64>,
    /// Whether it is true, however late it was reported.
    pub(crate) is_true: bool,
}

/// What came out of a game.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    exact: bool,
    plies: usize,
    right: usize,
    offences: usize,
    missed: usize,
    false_alerts: usize,
    suspicions: usize,
    mismatches: usize,
    /// Every accusation.
    pub(crate) stated: Vec<Stated>,
    /// Every end and claim that follows from the moves alone, with the word it was reported with, and whether it is true.
    pub(crate) ends: Vec<(Confidence, bool)>,
    /// Every ply up to the first wrong one, that one included, with the word it was reported with, and whether it is right.
    pub(crate) words: Vec<(Confidence, bool)>,
    /// Seconds from each press that was an offence to its alert.
    pub(crate) waits: Vec<(Code, f64)>,
    /// What went wrong, in words.
    pub(crate) complaints: Vec<String>,
}

/// Adds up scores and writes them as a line of the table.
pub(crate) fn sum(scores: &[Score]) -> String {
    let count = |figure: fn(&Score) -> usize| scores.iter().map(figure).sum::<usize>();
    format!(
        "{:4}/{:<4}{:6}/{:<6}{:4}/{:<5}{:6}{:7}{:12}",
        count(|score| usize::from(score.exact)),
        scores.len(),
        count(|score| score.right),
        count(|score| score.plies),
        count(|score| score.missed),
        count(|score| score.offences),
        count(|score| score.false_alerts),
        count(|score| score.suspicions),
        count(|score| score.mismatches),
    )
}

/// Lets people play a game, and things go wrong.
pub(crate) fn simulated(game: &Game) -> Simulation {
    let mut simulation = simulate::simulate(&game.options);
    tamper::tamper(&mut simulation.lines, game.tamper, game.seed);
    simulation
}

/// Plays a game and says what came out right.
pub(crate) fn play(game: &Game) -> Score {
    let simulation = simulated(game);
    let capture = simulation.capture();
    let mut reader = Reader::new("game", capture.as_bytes()).unwrap();
    let (mut moves, mut alerts, mut stated, mut mismatches) = (Vec::new(), Vec::new(), Vec::new(), 0);
    let mut reported: BTreeMap<u32, Vec<(String, Confidence)>> = BTreeMap::new();
    let remarks = replay::replay(&mut reader, Arc::clone(&game.config), Timestamp::MAX, |event| {
        if let EventKind::Move(m) = event.kind {
            let plies = reported.entry(m.game).or_default();
            plies.truncate(before(m.ply));
            plies.push((m.uci.to_string(), m.confidence));
        } else if let EventKind::Retract { game, ply } = event.kind {
            reported.entry(game).or_default().truncate(before(ply));
        } else if let EventKind::Game(game) = event.kind {
            if game.moves.len() >= moves.len() {
                moves = game.moves.into_iter().map(|m| m.uci.to_string()).collect();
            }
        } else if let EventKind::Alert(alert) = event.kind {
            if alert.code == Code::BoardMismatch {
                mismatches += 1;
            } else {
                let p = serde_json::to_value(&alert).ok().and_then(|alert| alert.get("p")?.as_f64());
                stated.push((event.at, alert.code, alert.side, alert.confidence, p));
                if alert.confidence >= Confidence::Likely {
                    alerts.push((event.at, alert.code, alert.side));
                }
            }
        }
    });
    assert_eq!(remarks.unwrap().refused, []);
    let truth: Vec<&str> = simulation.truth.moves.iter().map(|m| m.uci.as_str()).collect();
    let mut score = Score { plies: truth.len(), mismatches, ..Score::default() };
    compare_moves(&mut score, &moves, &truth);
    if let Some(plies) = reported.into_values().max_by_key(Vec::len) {
        let words = plies.iter().zip(&truth).map(|((uci, word), truth)| (*word, uci == truth));
        let right = words.clone().take_while(|(_, is_right)| *is_right).count();
        score.words = words.take(right + 1).collect();
    }
    compare_alerts(&mut score, &alerts, &simulation.truth.alerts);
    let ends = ends::of(&simulation.truth.moves);
    for (at, code, _, confidence, _) in stated.iter().filter(|(_, code, ..)| ends::CODES.contains(code)) {
        let Some(ends) = &ends else { break };
        let is_true = ends.contains(code);
        if !is_true && *confidence == Confidence::Certain {
            score.complaints.push(format!("false though certain {code:?} at {at}"));
        }
        score.ends.push((*confidence, is_true));
    }
    for (at, code, side, confidence, p) in stated.into_iter().filter(|(_, code, ..)| is_offence(*code)) {
        let is_true = simulation.truth.alerts.iter().any(|expected| {
            let late = at.as_secs() - expected.at.as_secs();
            let whose = expected.side.is_none_or(|color| side == Party::from(color));
            expected.code == code && whose && (-WINDOW_S..=LATE_S).contains(&late)
        });
        if !is_true && confidence == Confidence::Certain {
            score.complaints.push(format!("false though certain {code:?} {side:?} at {at}"));
        }
        score.stated.push(Stated { confidence, p, is_true });
    }
    score
}

/// Returns how many plies come before this one.
fn before(ply: u32) -> usize {
    usize::try_from(ply).unwrap() - 1
}

fn compare_moves(score: &mut Score, moves: &[String], truth: &[&str]) {
    let same = |(a, b): &(&String, &&str)| a == *b;
    let head = moves.iter().zip(truth).take_while(same).count();
    let tail = moves.iter().rev().zip(truth.iter().rev()).take_while(same).count();
    score.exact = moves == truth;
    score.right = truth.len().min(head + tail);
    if !score.exact {
        let near = |list: &[&str]| list[head.min(list.len())..(head + 3).min(list.len())].join(" ");
        let got: Vec<&str> = moves.iter().map(String::as_str).collect();
        score.complaints.push(format!(
            "ply {} of {}: got {} want {} (length {})",
            head + 1,
            truth.len(),
            near(&got),
            near(truth),
            moves.len()
        ));
    }
}

fn compare_alerts(score: &mut Score, alerts: &[(Timestamp, Code, Party)], truth: &[ExpectedAlert]) {
    let mut used = vec![false; alerts.len()];
    for expected in truth {
        let fits = |(index, (at, code, side)): &(usize, &(Timestamp, Code, Party))| {
            let near = (at.as_secs() - expected.at.as_secs()).abs() <= WINDOW_S;
            let whose = expected.side.is_none_or(|color| *side == Party::from(color));
            !used[*index] && *code == expected.code && whose && near
        };
        let hit = alerts.iter().enumerate().find(fits).map(|(index, _)| index);
        if let Some(index) = hit {
            used[index] = true;
            if is_offence(expected.code) {
                score.waits.push((expected.code, alerts[index].0.as_secs() - expected.at.as_secs()));
            }
        }
        if is_offence(expected.code) {
            score.offences += 1;
            if hit.is_none() {
                score.missed += 1;
                score
                    .complaints
                    .push(format!("missed {:?} {:?} at {}", expected.code, expected.side, expected.at));
            }
        }
    }
    for ((at, code, side), _) in alerts.iter().zip(&used).filter(|(_, used)| !**used) {
        if is_offence(*code) {
            score.false_alerts += 1;
            score.complaints.push(format!("false {code:?} {side:?} at {at}"));
        } else if is_suspicion(*code) {
            score.suspicions += 1;
            score.complaints.push(format!("false suspicion {code:?} {side:?} at {at}"));
        }
    }
}

const fn is_offence(code: Code) -> bool {
    matches!(
        code,
        Code::IllegalMove
            | Code::PromotionNotReplaced
            | Code::PressWithoutMove
            | Code::TwoHandsSuspect
            | Code::IllegalPositionDraw
            | Code::FlagFall
    )
}

const fn is_suspicion(code: Code) -> bool {
    matches!(
        code,
        Code::PressBeforeMade
            | Code::CastlingRookFirst
            | Code::TouchMoveSuspect
            | Code::ReleasedPieceMoved
            | Code::PromotionChoiceChanged
            | Code::StartPositionWrong
    )
}
