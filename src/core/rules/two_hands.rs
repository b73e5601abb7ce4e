//! Signs that a move was made with two hands (Art. 7.5.4; before 2017 Art. 4.1 only).
//!
//! A board shows no hands, only what happened faster than one hand does it, and each of its scans smears that by a
//! quarter of a second. So this is never certain, never counts before the arbiter confirms it, and looks at the
//! last attempt only: what was taken back before the press is no offence.

use std::time::Duration;

use shakmaty::{Move, Square};

use super::{
    Rule, Spec,
    attempt::{Attempt, one_scan, same_scan},
    builder::AlertBuilder,
    context::RuleContext,
    hears::Facts,
    offence::{self, Offence, Remedy},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed},
    model::hands,
    position::castling_squares,
};

pub(super) const SPEC: Spec = Spec {
    id: "two-hands",
    codes: &[Code::TwoHandsSuspect],
    summary: "A castling, capture or promotion that was pressed happened faster than one hand moves.",
    hears: Facts::PRESSED,
    new: || Box::new(TwoHands),
};

#[derive(Debug)]
struct TwoHands;

impl Rule for TwoHands {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Some((m, ply)) = context.completed_move(pressed) else { return };
        if context.game.is_chess960() {
            // There the king may leave the board while the rook moves (Guidelines II).
            return;
        }
        let attempts = Attempt::all(pressed);
        let undone_too = context.laws.two_hands_without_press();
        let judged = if undone_too {
            attempts.as_slice()
        } else {
            attempts.split_at(attempts.len().saturating_sub(1)).1
        };
        let best = judged
            .iter()
            .filter_map(|attempt| grade(attempt, m, pressed, context.scan))
            .max_by_key(|found| found.0);
        if let Some((confidence, evidence, squares)) = best {
            let builder = build(pressed, &ply.san, confidence, evidence, context, alerts);
            let squares = squares.map(|square| square.to_string()).to_vec();
            alerts.raise(builder.fact("squares", squares), context);
        }
    }
}

type Grade = (Confidence, &'static str, [Square; 2]);

fn grade(attempt: &Attempt<'_>, m: Move, pressed: &Pressed, scan: Duration) -> Option<Grade> {
    let us = pressed.side;
    match m {
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_squares(king, rook);
            let lifts = [attempt.last_lift(king, us.king())?, attempt.last_lift(rook, us.rook())?];
            let places = [attempt.last_place(king_to, us.king())?, attempt.last_place(rook_to, us.rook())?];
            let landed = [
                attempt.first_place(king_to, us.king(), lifts[0].at)?,
                attempt.first_place(rook_to, us.rook(), lifts[1].at)?,
            ];
            let (confidence, evidence) = grade_castling(lifts, places, landed, scan)?;
            Some((confidence, evidence, [king, rook]))
        }
        _ if scan > hands::SLOWEST_SCAN => None,
        Move::Normal { from, to, promotion: Some(role), .. } => {
            let pawn = |change: &&Change| {
                change.was == Some(us.pawn()) && (change.square == from || change.square == to)
            };
            let lift = attempt.changes().iter().rev().find(pawn)?;
            let place = attempt.last_place(to, role.of(us))?;
            same_scan(lift, place, scan).then_some((
                Confidence::Possible,
                "promotion-in-one-scan",
                [from, to],
            ))
        }
        Move::Normal { role, from, capture: Some(victim), to, .. } => {
            let own = attempt.last_lift(from, role.of(us))?;
            let theirs = attempt.last_lift(to, victim.of(!us)).filter(|lift| lift.is.is_none())?;
            let far = far_for_one_hand(own, theirs, scan);
            (far && same_scan(own, theirs, scan)).then_some((
                Confidence::Possible,
                "capture-in-one-scan",
                [from, to],
            ))
        }
        _ => None,
    }
}

/// One hand puts the king down before it takes the rook. So if one scan finds both gone and a later one both there,
/// two hands were at work, however slow the scans; in one and the same scan it says nothing.
fn grade_castling(
    lifts: [&Change; 2],
    places: [&Change; 2],
    landed: [&Change; 2],
    scan: Duration,
) -> Option<(Confidence, &'static str)> {
    let last_lift = lifts[0].at.max(lifts[1].at);
    let first_place = places[0].at.min(places[1].at);
    let in_the_air = first_place.since(last_lift);
    let together = same_scan(lifts[0], lifts[1], scan) && same_scan(places[0], places[1], scan);
    if together && in_the_air > one_scan(scan) {
        return Some((Confidence::Likely, "castling-both-at-once"));
    }
    // A lift is told up to a scan late: both were off the board for the rest of the time at least.
    let landed = landed[0].at.min(landed[1].at);
    if landed.since(last_lift) > one_scan(scan).max(hands::SLOW_SCAN) {
        return Some((Confidence::Likely, "castling-both-in-the-air"));
    }
    let long = in_the_air >= scan * hands::OVERLAP && scan <= hands::SLOWEST_SCAN;
    long.then_some((Confidence::Possible, "castling-both-in-the-air"))
}

fn far_for_one_hand(a: &Change, b: &Change, scan: Duration) -> bool {
    let files = u64::from(a.square.file().to_u32().abs_diff(b.square.file().to_u32()));
    let ranks = u64::from(a.square.rank().to_u32().abs_diff(b.square.rank().to_u32()));
    let apart = a.at.since(b.at).max(b.at.since(a.at)) + scan.max(hands::SLACK);
    let reach = u64::try_from(apart.as_millis()).unwrap_or(u64::MAX).saturating_mul(hands::SPEED);
    (files * files + ranks * ranks) * hands::PITCH_MM * hands::PITCH_MM >= reach.saturating_mul(reach)
}

fn build(
    pressed: &Pressed,
    san: &str,
    confidence: Confidence,
    evidence: &'static str,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let code = Code::TwoHandsSuspect;
    let article = context.laws.article(code).unwrap_or_default();
    let side = context.side(pressed.side);
    let sure = Pressed { confidence, ..pressed.clone() };
    let counts = context.laws.counts(code);
    let offence = Offence {
        code,
        pressed: &sure,
        text: context
            .say(Phrase::TwoHands, &[("side", side), ("move", &context.san(san)), ("article", article)]),
        remedy: Remedy::Words(if counts {
            context.say(Phrase::CountsIfConfirmed, &[])
        } else {
            String::new()
        }),
        move_stands: true,
    };
    offence::build(offence, context, alerts).fact("evidence", evidence).fact("move", san)
}
