//! Signs that a move was made with two hands (Art. 7.5.4; before 2017 Art. 4.1 only).
//!
//! A board shows no hands, only what happened faster than one hand does it, and its scan smears that. How long pieces
//! were in the air is bounded by the scan as it was measured on this board (`model/hands.rs`), and the bounds are in the alert.
//! It is never certain, never counts before the arbiter confirms it, and looks at the last attempt only: what was taken
//! back before the press is no offence.

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
    time::Timestamp,
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
        if matches!(m, Move::Normal { capture: None, promotion: None, .. } | Move::EnPassant { .. }) {
            // Nothing of these is judged.
            return;
        }
        let attempts = Attempt::all(pressed);
        let undone_too = context.laws.two_hands_without_press();
        let judged = if undone_too {
            attempts.as_slice()
        } else {
            attempts.split_at(attempts.len().saturating_sub(1)).1
        };
        let found = judged.iter().filter_map(|attempt| grade(attempt, m, pressed, context));
        if let Some(found) = found.max_by_key(|found| found.confidence) {
            alerts.raise(build(pressed, &ply.san, found, context, alerts), context);
        }
    }
}

/// What speaks for two hands.
#[derive(Clone, Copy, Debug)]
struct Suspicion {
    confidence: Confidence,
    evidence: &'static str,
    squares: [Square; 2],
    /// For how long both pieces were in the air, or how far apart two events were: at least and at most.
    bounds: [Duration; 2],
}

fn grade(attempt: &Attempt<'_>, m: Move, pressed: &Pressed, context: &RuleContext<'_>) -> Option<Suspicion> {
    let (us, scan, at_most) = (pressed.side, context.scan, context.scan_at_most);
    let apart = |a: &Change, b: &Change| {
        let apart = a.at.since(b.at).max(b.at.since(a.at));
        [apart.saturating_sub(at_most), apart + at_most]
    };
    match m {
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castling_squares(king, rook);
            let lifts = [attempt.last_lift(king, us.king())?, attempt.last_lift(rook, us.rook())?];
            let places = [attempt.last_place(king_to, us.king())?, attempt.last_place(rook_to, us.rook())?];
            let stood =
                [attempt.first_stand(us.king(), lifts[0])?, attempt.first_stand(us.rook(), lifts[1])?];
            let (lifted, stood) = (lifts[0].at.max(lifts[1].at), stood[0].at.min(stood[1].at));
            let bounds = bounds(lifted, stood, at_most);
            let (confidence, evidence) = grade_castling(lifts, places, bounds, context)?;
            Some(Suspicion { confidence, evidence, squares: [king, rook], bounds })
        }
        _ if scan > hands::SLOWEST_SCAN || context.is_polled() => None,
        Move::Normal { from, to, promotion: Some(role), .. } => {
            let pawn = |change: &&Change| {
                change.was == Some(us.pawn()) && (change.square == from || change.square == to)
            };
            let lift = attempt.changes().iter().rev().find(pawn)?;
            let place = attempt.last_place(to, role.of(us))?;
            same_scan(lift, place, scan).then_some(Suspicion {
                confidence: Confidence::Possible,
                evidence: "promotion-in-one-scan",
                squares: [from, to],
                bounds: apart(lift, place),
            })
        }
        Move::Normal { role, from, capture: Some(victim), to, .. } => {
            let own = attempt.last_lift(from, role.of(us))?;
            let theirs = attempt.last_lift(to, victim.of(!us)).filter(|lift| lift.is.is_none())?;
            let bounds = apart(own, theirs);
            // A board that has not been measured is taken to be a common one, which only makes something possible.
            let measured = context.is_scan_measured();
            let within = if measured {
                bounds[1]
            } else {
                debug_assert!(bounds[1] >= at_most, "the upper bound has a scan in it");
                bounds[1].saturating_sub(at_most) + scan.max(hands::COMMON_SCAN)
            };
            let faster = |speed| same_scan(own, theirs, scan) && is_faster([from, to], within, speed);
            let confidence = if measured && faster(hands::IMPOSSIBLE_SPEED) {
                Confidence::Likely
            } else if faster(hands::SPEED) {
                Confidence::Possible
            } else {
                return None;
            };
            Some(Suspicion { confidence, evidence: "capture-in-one-scan", squares: [from, to], bounds })
        }
        _ => None,
    }
}

/// Returns for how long what was reported as lifted and then as placed was in the air, at least and at most.
fn bounds(lifted: Timestamp, stood: Timestamp, scan_at_most: Duration) -> [Duration; 2] {
    let reported = stood.since(lifted);
    [reported.saturating_sub(scan_at_most), reported + scan_at_most]
}

/// One hand puts the king down before it takes the rook. So if both were off the board at one instant before either stood,
/// two hands were at work, however slow the scans; in one and the same scan it says nothing.
fn grade_castling(
    lifts: [&Change; 2],
    places: [&Change; 2],
    in_the_air: [Duration; 2],
    context: &RuleContext<'_>,
) -> Option<(Confidence, &'static str)> {
    let scan = context.scan;
    debug_assert!(in_the_air[0] <= in_the_air[1], "at least is no more than at most");
    let last_lift = lifts[0].at.max(lifts[1].at);
    let first_place = places[0].at.min(places[1].at);
    let shown = first_place.since(last_lift);
    let together = same_scan(lifts[0], lifts[1], scan) && same_scan(places[0], places[1], scan);
    if together && shown > one_scan(scan) && !context.is_polled() {
        return Some((Confidence::Likely, "castling-both-at-once"));
    }
    if in_the_air[0] > Duration::ZERO {
        // One hand may take the rook up with the king in it, and put them down in turn, or take them up in turn and put them down at once.
        let apart = |pair: [&Change; 2]| pair[0].at.since(pair[1].at).max(pair[1].at.since(pair[0].at));
        let at_once = apart(lifts).max(apart(places)) < hands::IN_TURN.max(scan);
        let sure = if at_once { Confidence::Likely } else { Confidence::Possible };
        return Some((sure, "castling-both-in-the-air"));
    }
    let long = shown >= scan * hands::OVERLAP && scan <= hands::SLOWEST_SCAN && !context.is_polled();
    long.then_some((Confidence::Possible, "castling-both-in-the-air"))
}

/// Returns whether one hand would have to be faster than this, millimetres a millisecond, from one square to the other.
fn is_faster(squares: [Square; 2], within: Duration, speed: u64) -> bool {
    let [a, b] = squares;
    let files = u64::from(a.file().to_u32().abs_diff(b.file().to_u32()));
    let ranks = u64::from(a.rank().to_u32().abs_diff(b.rank().to_u32()));
    let reach = u64::try_from(within.as_millis()).unwrap_or(u64::MAX).saturating_mul(speed);
    (files * files + ranks * ranks) * hands::PITCH_MM * hands::PITCH_MM >= reach.saturating_mul(reach)
}

fn build(
    pressed: &Pressed,
    san: &str,
    found: Suspicion,
    context: &RuleContext<'_>,
    alerts: &AlertStore,
) -> AlertBuilder {
    let code = Code::TwoHandsSuspect;
    let article = context.laws.article(code).unwrap_or_default();
    let side = context.side(pressed.side);
    let sure = Pressed { confidence: found.confidence, ..pressed.clone() };
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
    let squares = found.squares.map(|square| square.to_string()).to_vec();
    let [least, most] = found.bounds.map(|bound| u64::try_from(bound.as_millis()).unwrap_or(u64::MAX));
    let builder = offence::build(offence, context, alerts).fact("evidence", found.evidence).fact("move", san);
    builder
        .fact("squares", squares)
        .fact("least_ms", least)
        .maybe_fact("most_ms", context.is_dated.then_some(most))
}
