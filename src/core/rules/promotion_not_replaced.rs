//! A pawn that stands on its last rank when the clock is pressed (Art. 7.5.2).

use serde_json::Value;
use shakmaty::{Color, Move, Rank, Role};

use super::{
    Rule, Spec,
    builder::append,
    context::RuleContext,
    hears::Facts,
    offence::{self, Offence, Remedy},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Change, Fact, Pressed, Reason, Verdict},
    game::Played,
    model::hands,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "promotion-not-replaced",
    codes: &[Code::PromotionNotReplaced],
    summary: "A press leaves a pawn on its last rank where a queen would have been legal.",
    hears: Facts::PRESSED.and(Facts::RIGHTED),
    new: || Box::new(PromotionNotReplaced),
};

#[derive(Debug)]
struct PromotionNotReplaced;

impl Rule for PromotionNotReplaced {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::Pressed(pressed) => judge(pressed, context, alerts),
            Fact::Righted { pressed_at, side, overturned: false } => {
                name_wrong_piece(*pressed_at, *side, context, alerts);
            }
            _ => {}
        }
    }
}

/// A pawn that was exchanged after the press, while the press was still being judged.
pub(super) struct LateExchange {
    /// The promotion, to a queen.
    pub(super) queen: Move,
    /// What stands there by now.
    replaced: Option<(Role, Timestamp)>,
}

/// Returns the promotion of a pawn that stood on its last rank at a press and was taken off only after it, by more than a scan: sensing
/// late does not explain that.
pub(super) fn exchanged_late(pressed: &Pressed, context: &RuleContext<'_>) -> Option<LateExchange> {
    let judged = matches!(
        pressed.verdict,
        Verdict::Legal | Verdict::LegalWithMismatch(_) | Verdict::Illegal(Reason::PromotionIncomplete)
    );
    // A board that is polled on a line with others reports much later what it has seen.
    if !judged || !pressed.seen || !context.is_dated || context.scan_at_most >= hands::POLLED {
        return None;
    }
    let (pawn, last) = (pressed.side.pawn(), pressed.side.fold_wb(Rank::Eighth, Rank::First));
    let stood =
        |change: &&Change| change.is == Some(pawn) && change.square.rank() == last && change.at <= pressed.at;
    let square = pressed.attempt.iter().rfind(stood).filter(|change| !change.dumped)?.square;
    let mut since = pressed.attempt.iter().filter(|change| change.square == square && change.at > pressed.at);
    let departure = since.next().filter(|change| !change.dumped && change.was == Some(pawn))?;
    if departure.at.since(pressed.at) <= context.scan {
        return None;
    }
    let moves = pressed.before.legal_moves();
    let came = |m: &&Move| {
        let lifted = |change: &Change| Some(change.square) == m.from() && change.was == Some(pawn);
        m.to() == square && m.promotion() == Some(Role::Queen) && pressed.attempt.iter().any(lifted)
    };
    let queen = *moves.iter().find(came)?;
    let put = since.rev().find_map(|change| Some((change.is?.role, change.at)));
    Some(LateExchange { queen, replaced: put.or_else(|| Some((departure.is?.role, departure.at))) })
}

fn judge(pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let late = exchanged_late(pressed, context);
    let square = match (&pressed.verdict, &late) {
        (Verdict::PromotionLeft(square), _) => *square,
        (_, Some(late)) => late.queen.to(),
        _ => return,
    };
    let code = Code::PromotionNotReplaced;
    let (side, square) = (context.side(pressed.side), square.to_string());
    let article = context.laws.article(code).unwrap_or_default();
    let queen = context.laws.pawn_becomes_queen();
    let replaced = late.as_ref().and_then(|late| late.replaced);
    let remedy = match replaced {
        // It has become one by now.
        Some((Role::Queen, _)) if queen => Remedy::Words(String::new()),
        _ if queen => Remedy::Words(context.say(Phrase::BecomesQueen, &[("square", &square)])),
        _ => Remedy::Reinstate(super::obligation::words(pressed, context)),
    };
    let offence = Offence {
        code,
        pressed,
        text: context
            .say(Phrase::PromotionLeft, &[("side", side), ("square", &square), ("article", article)]),
        remedy,
        move_stands: queen,
    };
    let mut builder = offence::build(offence, context, alerts).fact("square", square);
    if late.is_some() {
        let at = replaced.map(|(_, at)| at.as_secs());
        builder.confidence = builder.confidence.min(Confidence::Likely);
        builder = builder.maybe_fact("corrected_at", at);
    }
    alerts.raise(builder, context);
}

/// Says that a pawn which the player exchanged after the press has to be a queen, where another piece was put there.
fn name_wrong_piece(pressed_at: Timestamp, side: Color, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let Some(entry) = alerts.offence_at(side, pressed_at, context.laws) else { return };
    let (number, code) = (entry.number, entry.code);
    let chosen =
        context.game.ply(entry.ply).filter(|ply| ply.side == side).and_then(|ply| match &ply.played {
            Played::Legal(m) => m.promotion(),
            Played::Irregular(_) => None,
        });
    let Some(chosen) = chosen.filter(|chosen| *chosen != Role::Queen) else { return };
    if code != Code::PromotionNotReplaced || !context.laws.pawn_becomes_queen() {
        return;
    }
    let values = [
        ("piece", &*context.coloured(chosen.of(side))),
        ("article", context.laws.article(code).unwrap_or_default()),
    ];
    let words = context.say(Phrase::NoQueen, &values);
    let facts = [
        ("replaced_by".to_owned(), Value::from(chosen.char().to_string())),
        ("text".to_owned(), Value::from(words.clone())),
    ];
    let amend = |alert: &mut crate::alert::Alert| {
        alert.facts.insert("replaced_by".to_owned(), chosen.char().to_string().into());
        append(&mut alert.parts.act, &words);
        alert.text = alert.parts.text();
    };
    alerts.amend(number, amend, facts.into_iter().collect());
}
