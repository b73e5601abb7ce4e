//! Both kings in check, or a pawn left on its last rank, in unsupervised rapid and blitz (Art. A.5.4).
//!
//! The arbiter waits for the next completed move; if the position is still illegal then, the game is drawn. A legal
//! mate or stalemate that comes first stands. In 2009 he intervened at once, in rapid only.

use serde_json::{Value, json};
use shakmaty::{Bitboard, Board, Color};

use super::{
    Rule, Spec,
    builder::{AlertBuilder, append},
    context::{RuleContext, completes},
    hears::Facts,
    store::{AlertStore, StoredAlert},
    text::Phrase,
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::{Fact, Pressed},
    laws::{IllegalPosition, Topic},
    order::Order,
};

pub(super) const SPEC: Spec = Spec {
    id: "illegal-position",
    codes: &[Code::IllegalPositionArmed, Code::IllegalPositionDraw, Code::IllegalPositionIntervene],
    summary: "A press leaves both kings in check, or a pawn on its last rank.",
    hears: Facts::GAME_STARTED.and(Facts::MADE).and(Facts::PRESSED).and(Facts::RIGHTED).and(Facts::WITHDRAWN),
    new: || Box::new(IllegalPositionRule::default()),
};

#[derive(Debug, Default)]
struct IllegalPositionRule {
    state: Phase,
    /// The offence that made the position illegal; acting on that ends the wait.
    offence: Option<u32>,
    /// How sure it was that the position became illegal.
    armed: Option<Confidence>,
}

#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Phase {
    /// All is well.
    #[default]
    Idle,
    /// The next completed move decides.
    Armed,
    /// It has been reported and still stands.
    Reported,
}

/// What is illegal about a position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Fault {
    BothInCheck,
    Pawn(Color),
}

impl Rule for IllegalPositionRule {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::GameStarted => *self = Self::default(),
            // With the capture of the pawn, say, there is nothing left to intervene in.
            Fact::Made { ply } if !intervenes_after(*ply, context) => {
                let number = |entry: &&StoredAlert| entry.code == Code::IllegalPositionIntervene;
                let open: Vec<u32> = alerts.entries().filter(number).map(|entry| entry.number).collect();
                for number in open {
                    alerts.close_by_move(number, *ply, context.now);
                }
            }
            Fact::Pressed(pressed) if completes(&pressed.verdict) => self.judge(pressed, context, alerts),
            // Put right, taken back or reinstated: there is nothing to wait for.
            Fact::Righted { .. } | Fact::Withdrawn { .. }
                if fault(context.game.position().board()).is_none() =>
            {
                self.state = Phase::Idle;
                alerts.close(AlertState::Corrected, context.now, |entry| {
                    matches!(entry.code, Code::IllegalPositionArmed | Code::IllegalPositionIntervene)
                });
            }
            _ => {}
        }
    }

    fn on_order(&mut self, _order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let ruled = |number: u32| alerts.entry(number).is_some_and(|it| it.state == AlertState::Confirmed);
        if self.state == Phase::Armed && self.offence.is_some_and(ruled) {
            *self = Self::default();
            alerts.close(AlertState::Corrected, context.now, |it| it.code == Code::IllegalPositionArmed);
        }
    }
}

/// Returns whether the arbiter intervenes unasked in the position that a press has left (2009, rapid).
pub(super) fn must_intervene(pressed: &Pressed, context: &RuleContext<'_>) -> bool {
    completes(&pressed.verdict) && intervenes_after(pressed.ply, context)
}

/// Returns whether the arbiter intervenes unasked in the position after a ply (2009, rapid).
pub(super) fn intervenes_after(ply: u32, context: &RuleContext<'_>) -> bool {
    context.laws.illegal_position() == IllegalPosition::Intervene
        && fault(context.game.position_after(ply).board()).is_some()
}

impl IllegalPositionRule {
    fn judge(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let rule = context.laws.illegal_position();
        if rule == IllegalPosition::Nothing {
            return;
        }
        // A board that may have read it wrongly has found nothing; where the beginning was not seen the arbiter looks.
        if pressed.confidence == Confidence::Possible && !context.game.is_adopted() {
            return;
        }
        let after = context.game.position_after(pressed.ply);
        let fault = fault(after.board());
        // The player who has just moved left his king in check: illegal, though not the position that was found.
        let other = rule == IllegalPosition::DrawIfAny && after.is_check(pressed.side);
        let was = self.state;
        self.state = match (was, fault) {
            (Phase::Idle, Some(_)) if rule == IllegalPosition::Intervene => Phase::Reported,
            (Phase::Idle, Some(_)) => Phase::Armed,
            (Phase::Armed | Phase::Reported, Some(_)) => Phase::Reported,
            (Phase::Armed, None) if other => Phase::Reported,
            (_, None) => Phase::Idle,
        };
        if was == Phase::Reported && self.state == Phase::Idle {
            alerts.close(AlertState::Expired, context.now, |it| it.code == Code::IllegalPositionIntervene);
        }
        if was == Phase::Armed {
            alerts.close(AlertState::Expired, context.now, |entry| entry.code == Code::IllegalPositionArmed);
        }
        match (was, self.state, fault) {
            (Phase::Idle, Phase::Armed, Some(fault)) => {
                let alternative = context.laws.authority(Code::IllegalMove);
                // Until the next move is made, somebody may still act on the offence that made it illegal.
                let offence = alerts.offence_at(pressed.side, pressed.at, context.laws).map(|it| it.number);
                let values = [("authority", alternative.unwrap_or_default())];
                let wait = if offence.is_some() { Phrase::WaitUnlessActed } else { Phrase::WaitForNext };
                let wait = context.say(wait, &values);
                let builder =
                    build(Code::IllegalPositionArmed, Phrase::IllegalPosition, fault, pressed, context);
                let builder = builder.maybe_fact("alternatives", alternative.map(|article| vec![article]));
                alerts.raise(builder.act(&wait), context);
                self.offence = offence;
                // Nobody saw how it came about if the game began with it.
                let found = self::fault(context.game.start().board()).is_some();
                let most = if found { Confidence::Likely } else { Confidence::Certain };
                self.armed = Some(pressed.confidence.min(most));
            }
            (Phase::Idle, Phase::Reported, Some(fault)) => {
                let code = Code::IllegalPositionIntervene;
                let authority = context.laws.topic(Topic::Intervention);
                let words = context.say(Phrase::InterveneUnasked, &[("authority", authority)]);
                alerts.raise(
                    build(code, Phrase::IllegalPosition, fault, pressed, context).act(&words),
                    context,
                );
            }
            (Phase::Armed, Phase::Reported, fault) => {
                let builder = drawn(fault, pressed, context);
                let sure = self.armed.map_or(builder.confidence, |armed| armed.min(builder.confidence));
                let loss = decided_at(pressed, alerts);
                let builder = match &loss {
                    Some(loss) => builder
                        .fact("other_reading", loss.id.as_str())
                        .act(&context.say(Phrase::OrAlert, &[("other", &loss.id)])),
                    None => builder,
                };
                let loss = loss.map(|loss| loss.number);
                if let (Some(draw), Some(loss)) = (alerts.raise(builder.confidence(sure), context), loss) {
                    let other = alerts.id(draw, context);
                    name_other(loss, other, context, alerts);
                }
            }
            _ => {}
        }
    }
}

/// Returns the alert by which the same press decides the game in another way.
fn decided_at<'a>(pressed: &Pressed, alerts: &'a AlertStore) -> Option<&'a StoredAlert> {
    let decides = |entry: &&StoredAlert| {
        entry.pressed_at == Some(pressed.at)
            && matches!(entry.code, Code::GameLostIllegal | Code::GameDrawnIllegal)
    };
    alerts.entries().find(decides)
}

/// Names the other alert that decides the game at the same press: only one of the two can.
pub(super) fn name_other(number: u32, other: String, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let words = context.say(Phrase::OrAlert, &[("other", &other)]);
    let facts = [
        ("other_reading".to_owned(), Value::from(other.clone())),
        ("text".to_owned(), Value::from(words.clone())),
    ];
    let amend = move |alert: &mut crate::alert::Alert| {
        alert.facts.insert("other_reading".to_owned(), other.into());
        append(&mut alert.parts.act, &words);
        alert.text = alert.parts.text();
    };
    alerts.amend(number, amend, facts.into_iter().collect());
}

fn drawn(fault: Option<Fault>, pressed: &Pressed, context: &RuleContext<'_>) -> AlertBuilder {
    let code = Code::IllegalPositionDraw;
    let builder = if let Some(fault) = fault {
        build(code, Phrase::IllegalPositionDraw, fault, pressed, context)
    } else {
        let authority = context.laws.authority(Code::IllegalMove).unwrap_or_default();
        let values = [
            ("side", context.side(pressed.side)),
            ("article", context.laws.article(code).unwrap_or_default()),
            ("authority", authority),
        ];
        let other = json!({ "article": authority, "side": crate::side::side_name(pressed.side) });
        AlertBuilder::at_press(code, pressed, context.say(Phrase::IllegalPositionOther, &values))
            .confidence(Confidence::Likely)
            .fact("alternatives", vec![other])
            .act(&context.say(Phrase::OrActAgainst, &values))
    };
    AlertBuilder { side: Party::Both, ..builder }
        .act(&context.say(Phrase::DeclareDrawn, &[]))
        .propose_result(None)
}

fn build(
    code: Code,
    phrase: Phrase,
    fault: Fault,
    pressed: &Pressed,
    context: &RuleContext<'_>,
) -> AlertBuilder {
    let (party, name, what) = match fault {
        Fault::BothInCheck => (Party::Both, "both-in-check", context.say(Phrase::BothInCheck, &[])),
        Fault::Pawn(side) => {
            let what = context.say(Phrase::PawnOnLastRank, &[("side", context.side(side))]);
            (Party::One(side), "pawn-on-last-rank", what)
        }
    };
    let values = [("what", what.as_str()), ("article", context.laws.article(code).unwrap_or_default())];
    let builder = AlertBuilder::at_press(code, pressed, context.say(phrase, &values));
    AlertBuilder { side: party, confidence: pressed.confidence, ..builder }.fact("fault", Value::from(name))
}

fn fault(board: &Board) -> Option<Fault> {
    let in_check = |side: Color| {
        board.king_of(side).is_some_and(|king| board.attacks_to(king, !side, board.occupied()).any())
    };
    if in_check(Color::White) && in_check(Color::Black) {
        return Some(Fault::BothInCheck);
    }
    let stranded = |side: &Color| {
        let last = Bitboard::from(side.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First));
        (board.pawns() & board.by_color(*side) & last).any()
    };
    Color::ALL.into_iter().find(stranded).map(Fault::Pawn)
}
