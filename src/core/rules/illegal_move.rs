//! A completed illegal move (Art. 7.5.1).

use shakmaty::Square;

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    castling,
    context::RuleContext,
    hears::Facts,
    obligation,
    offence::{self, Offence, Remedy},
    promotion_not_replaced,
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Confidence,
    code::Code,
    fact::{Fact, Pressed, Reason, Verdict},
    game::Played,
    laws::ActionWindow,
};

pub(super) const SPEC: Spec = Spec {
    id: "illegal-move",
    codes: &[Code::IllegalMove],
    summary: "A press completes a move that Art. 3 does not allow.",
    hears: Facts::PRESSED,
    new: || Box::new(IllegalMove),
};

#[derive(Debug)]
struct IllegalMove;

impl Rule for IllegalMove {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let Fact::Pressed(pressed) = fact else { return };
        let Verdict::Illegal(reason) = pressed.verdict else { return };
        // The pawn stood there when the clock was pressed: another paragraph (Art. 7.5.2).
        if promotion_not_replaced::exchanged_late(pressed, context).is_some() {
            return;
        }
        let answered = offence::answered(pressed, context);
        // Where a reply closes the window there was none: the press came too late to open it.
        if answered && context.laws.window(Code::IllegalMove) == ActionWindow::OpponentMoves {
            return;
        }
        let builder = build(pressed, reason, context, alerts);
        // Art. 6.2.1.2 completes a move without its press, Art. 7.5.1 asks for it: the arbiter decides.
        let sure = if answered { builder.confidence.min(Confidence::Likely) } else { builder.confidence };
        alerts.raise(builder.confidence(sure), context);
    }
}

fn build(pressed: &Pressed, reason: Reason, context: &RuleContext<'_>, alerts: &AlertStore) -> AlertBuilder {
    let code = Code::IllegalMove;
    let article = context.laws.article(code).unwrap_or_default();
    let ply = context.game.ply(pressed.ply).filter(|ply| ply.side == pressed.side);
    let to = ply.map(|ply| match &ply.played {
        Played::Irregular(irregular) => irregular.to,
        Played::Legal(m) => m.to(),
    });
    let (detail, why) = explain(reason, pressed, to, context);
    let values = [("side", context.side(pressed.side)), ("why", why.as_str()), ("article", article)];
    let offence = Offence {
        code,
        pressed,
        text: context.say(Phrase::IllegalMove, &values),
        remedy: Remedy::Reinstate(obligation::words(pressed, context)),
        move_stands: false,
    };
    offence::build(offence, context, alerts)
        .fact("reason", detail)
        .maybe_fact("move", ply.map(|ply| ply.uci.as_str()))
}

/// Names a reason for programs, and explains it to people.
fn explain(
    reason: Reason,
    pressed: &Pressed,
    to: Option<Square>,
    context: &RuleContext<'_>,
) -> (&'static str, String) {
    let say = |phrase, values: &[(&str, &str)]| context.say(phrase, values);
    match promoted_in_check(reason, pressed, context) {
        Reason::Pattern { role, from, to } => {
            let (from, to) = (from.to_string(), to.to_string());
            (
                "pattern",
                say(Phrase::WhyPattern, &[("piece", &context.the(role)), ("from", &from), ("to", &to)]),
            )
        }
        Reason::KingInCheck { king } => {
            let went = pressed.before.board().king_of(pressed.side) != Some(king);
            let phrase = if went { Phrase::WhyIntoCheck } else { Phrase::WhyCheck };
            ("king-in-check", say(phrase, &[("square", &king.to_string())]))
        }
        Reason::Castling { fault } => castling::explain(pressed, fault, to, context),
        Reason::KingCaptured => ("king-captured", say(Phrase::WhyKingCaptured, &[])),
        Reason::OpponentsPiece { from } => {
            ("opponents-piece", say(Phrase::WhyOpponentsPiece, &[("square", &from.to_string())]))
        }
        Reason::TwoMoves => ("two-moves", say(Phrase::WhyTwoMoves, &[])),
        Reason::PromotionIncomplete => ("promotion-incomplete", say(Phrase::WhyPromotionIncomplete, &[])),
        Reason::WrongPromotionPiece { square, piece } => {
            let values = [("square", &*square.to_string()), ("piece", &context.coloured(piece))];
            ("wrong-promotion-piece", say(Phrase::WhyPromotionPiece, &values))
        }
        Reason::PawnNotRemoved { square } => {
            ("pawn-not-removed", say(Phrase::WhyPawnNotRemoved, &[("square", &square.to_string())]))
        }
        Reason::EnPassantPawnLeft { square } => {
            ("en-passant-pawn-left", say(Phrase::WhyEnPassant, &[("square", &square.to_string())]))
        }
        Reason::Other => ("other", say(Phrase::WhyOther, &[])),
    }
}

/// Notes that a pawn on its last rank leaves the own king in check, which no promotion would have mended: that is what was wrong.
fn promoted_in_check(reason: Reason, pressed: &Pressed, context: &RuleContext<'_>) -> Reason {
    let Reason::WrongPromotionPiece { piece, .. } = reason else { return reason };
    let after = context.game.position_after(pressed.ply);
    let king = after.board().king_of(pressed.side).filter(|_| after.is_check(pressed.side));
    king.filter(|_| piece == pressed.side.pawn()).map_or(reason, |king| Reason::KingInCheck { king })
}
