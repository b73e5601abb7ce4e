//! What decides a game after too many illegal moves (Art. 7.5.5, A.4.b of 2014, A.4.2 of 2017, B.3.c of 2009).

use serde_json::Value;
use shakmaty::{Color, Role};

use super::{
    Rule, Spec,
    builder::{AlertBuilder, append},
    claim_window,
    context::RuleContext,
    hears::Facts,
    illegal_position,
    mating::{self, Winnability},
    offence, promotion_not_replaced,
    store::{AlertStore, StoredAlert},
    text::Phrase,
    waiting::{self, WaitingAlerts},
};
use crate::{
    alert::{AlertState, Confidence, Party},
    code::Code,
    fact::{Fact, Pressed, Verdict},
    laws::Sanction,
    order::Order,
    position::Position,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "penalty",
    codes: &[
        Code::GameLostIllegal,
        Code::GameDrawnIllegal,
        Code::ClaimWinAvailable,
        Code::ClaimDrawAvailable,
    ],
    summary: "An illegal move is the one that decides the game, or entitles the opponent to claim it.",
    hears: Facts::ALL,
    new: || Box::new(PenaltyRule::default()),
};

#[derive(Debug, Default)]
struct PenaltyRule {
    waiting: WaitingAlerts<PendingDecision>,
}

/// An offence that decides the game, in one way or the other.
#[derive(Clone, Copy, Debug)]
struct PendingDecision {
    side: Color,
    ply: u32,
    pressed_at: Option<Timestamp>,
    confidence: Confidence,
    offence: u32,
    number: u32,
    /// The opponent must claim it.
    claim: bool,
    /// On the board as it was left the opponent could not mate, whatever holds for the position to be tested.
    bare_on_board: bool,
}

impl Rule for PenaltyRule {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::Pressed(pressed) => {
                self.judge(pressed, context, alerts);
                claim_window::close_late(pressed, context, alerts);
            }
            Fact::GameStarted | Fact::Ended => self.waiting.clear(),
            _ => {}
        }
        recount(context, alerts);
    }

    fn on_order(&mut self, order: &Order, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        if let Order::Confirm { .. } | Order::Penalty { .. } = order {
            self.confirmed(context, alerts);
        }
        recount(context, alerts);
    }

    fn on_answer(
        &mut self,
        alert: u32,
        answer: Winnability,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        match self.waiting.take(alert) {
            Some(pending) => raise(alert, pending, answer, context, alerts),
            None => waiting::settle_late(alert, answer, context, alerts),
        }
    }

    fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.waiting.deadline()
    }

    fn on_deadline(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        for (alert, pending) in self.waiting.take_due(context.now) {
            raise(alert, pending, Winnability::Unknown, context, alerts);
        }
    }
}

impl PenaltyRule {
    /// Judges a press that has just raised an offence.
    fn judge(&mut self, pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let (laws, side) = (context.laws, pressed.side);
        let Some(offence) = alerts.offence_at(side, pressed.at, laws) else { return };
        if offence.code == Code::TwoHandsSuspect || offence.confidence < Confidence::Likely {
            return;
        }
        let counted = u32::from(offence.confidence < Confidence::Certain);
        let number = alerts.provisional(side, laws.counter(offence.code), laws) + counted;
        let pending = PendingDecision {
            side,
            ply: pressed.ply,
            pressed_at: Some(pressed.at),
            confidence: offence.confidence,
            offence: offence.number,
            number,
            claim: laws.sanction(number) == Sanction::Claim,
            bare_on_board: mating::material(&pressed.board, !side) == Winnability::Unwinnable,
        };
        if let Sanction::Loss | Sanction::Claim = laws.sanction(number) {
            self.decide(pending, &tested(pressed, context), context, alerts);
        } else {
            name_each_other(pending.offence, side, context, alerts);
        }
    }

    /// The ruling may have made the offences as many as decide the game, where nothing has said so yet: only what is certain counts
    /// before it is confirmed, and what may have been two hands never does.
    fn confirmed(&mut self, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        let laws = context.laws;
        let ruled = alerts.ruled_last().into_iter().filter_map(|number| alerts.entry(number));
        let counts = |entry: &&StoredAlert| {
            entry.state == AlertState::Confirmed && laws.counts(entry.code) && alerts.is_current(entry)
        };
        let Some(entry) = ruled.filter(counts).max_by_key(|entry| entry.number) else { return };
        let Party::One(side) = entry.side else { return };
        let number = alerts.official(side, laws.counter(entry.code), laws);
        let sanction = laws.sanction(number);
        if entry.late_at.is_some() || matches!(sanction, Sanction::Seconds(_)) || is_decided(side, alerts) {
            return;
        }
        let reinstated = alerts.alert(entry.number).and_then(|alert| alert.facts.get("reinstate")?.as_str());
        let position = reinstated.and_then(|fen| Position::from_fen(fen, context.game.start().mode()).ok());
        let pending = PendingDecision {
            side,
            ply: entry.ply,
            pressed_at: entry.pressed_at,
            confidence: Confidence::Certain,
            offence: entry.number,
            number,
            claim: sanction == Sanction::Claim,
            bare_on_board: false,
        };
        self.decide(pending, position.as_ref().unwrap_or(context.game.position()), context, alerts);
    }

    fn decide(
        &mut self,
        pending: PendingDecision,
        position: &Position,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        match waiting::inquire(position, !pending.side, context, alerts) {
            (alert, Some(answer)) => raise(alert, pending, answer, context, alerts),
            (alert, None) => self.waiting.hold(alert, pending, context.now),
        }
    }
}

/// Returns whether an alert says already that the illegal moves of a player decide the game, or what the opponent may claim.
fn is_decided(side: Color, alerts: &AlertStore) -> bool {
    let decides = |entry: &StoredAlert| match entry.code {
        Code::GameLostIllegal | Code::GameDrawnIllegal => entry.is_of(side),
        Code::ClaimWinAvailable | Code::ClaimDrawAvailable => entry.is_of(!side),
        _ => false,
    };
    let stands = |entry: &StoredAlert| entry.is_open() || entry.state == AlertState::Confirmed;
    alerts.present().any(|entry| decides(entry) && stands(entry))
}

/// Returns the position in which the opponent must be able to mate: the one that is reinstated, the one with the
/// queen that the pawn becomes, or the one that stands.
fn tested(pressed: &Pressed, context: &RuleContext<'_>) -> Position {
    match pressed.verdict {
        Verdict::PromotionLeft(square) if context.laws.pawn_becomes_queen() => {
            let mut board = context.game.position_after(pressed.ply).board().clone();
            board.set_piece_at(square, Role::Queen.of(pressed.side));
            pressed.before.leave(board)
        }
        _ => match promotion_not_replaced::exchanged_late(pressed, context) {
            Some(late) if context.laws.pawn_becomes_queen() => {
                pressed.before.leave(pressed.before.board_after(late.queen))
            }
            _ => pressed.before.clone(),
        },
    }
}

fn raise(
    alert: u32,
    pending: PendingDecision,
    answer: Winnability,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) {
    let PendingDecision { side, claim, number, .. } = pending;
    // While the answer was awaited the offence may have turned out to be none.
    let acted_on = |state| state == AlertState::Confirmed;
    if !alerts.entry(pending.offence).is_some_and(|entry| entry.is_open() || acted_on(entry.state)) {
        return;
    }
    let drawn = answer == Winnability::Unwinnable;
    let (code, phrase) = match (claim, drawn) {
        (false, false) => (Code::GameLostIllegal, Phrase::GameLost),
        (false, true) => (Code::GameDrawnIllegal, Phrase::GameDrawn),
        (true, false) => (Code::ClaimWinAvailable, Phrase::ClaimWin),
        (true, true) => (Code::ClaimDrawAvailable, Phrase::ClaimDraw),
    };
    let offence_code = alerts.entry(pending.offence).map_or(Code::IllegalMove, |entry| entry.code);
    let clause = context.laws.own_penalty_clause(offence_code);
    let article = clause.or_else(|| context.laws.article(code)).unwrap_or_default();
    let completed = offence::completed(number, side, context);
    let values = [
        ("side", context.side(side)),
        ("opponent", context.side(!side)),
        ("what", completed.as_str()),
        ("article", article),
    ];
    let named = if claim { !side } else { side };
    let mut builder =
        AlertBuilder::new(code, named, pending.ply, context.say(phrase, &values)).fact("offence", number);
    builder.article = clause.map(Into::into);
    builder.authority = clause.map(Into::into);
    let open = unconfirmed(&pending, context, alerts);
    let words = if claim {
        context.say(Phrase::WaitForClaim, &[])
    } else if open.is_empty() {
        context.say(if drawn { Phrase::DeclareDrawn } else { Phrase::DeclareLost }, &[])
    } else {
        context.say(Phrase::RestsOnOpen, &[])
    };
    // Nobody declares unasked what follows from an offence that has to be claimed (2009, rapid without supervision).
    let claimed =
        alerts.alert(pending.offence).is_some_and(|offence| offence.facts.contains_key("claim_only"));
    let ruled = alerts.entry(pending.offence).is_some_and(|it| it.state == AlertState::Confirmed);
    if claimed && !claim && !ruled {
        let authority = context.laws.authority(code).unwrap_or_default();
        let values = [("opponent", context.side(!side)), ("authority", authority)];
        builder = builder.fact("claim_only", true).act(&context.say(Phrase::OnlyOnClaim, &values));
    }
    builder = builder.act(&words).maybe_fact("unconfirmed", (!open.is_empty()).then_some(open));
    builder.confidence = pending.confidence;
    builder.pressed_at = pending.pressed_at;
    builder.parent = Some(pending.offence);
    builder.number = Some(alert);
    let builder = waiting::settle(builder, answer, !side, context);
    let mut builder = offence::name_first(builder, side, context, alerts);
    if pending.bare_on_board && !drawn {
        builder.confidence = builder.confidence.min(Confidence::Likely);
        builder = builder
            .fact("mate_on_board", waiting::name(Winnability::Unwinnable))
            .also(&context.say(Phrase::BareOnBoard, &[("winner", context.side(!side))]));
    }
    let drawn = alerts
        .entries()
        .find(|entry| entry.code == Code::IllegalPositionDraw && entry.pressed_at == pending.pressed_at);
    let drawn = drawn.map(|entry| (entry.number, entry.id.clone()));
    if let (Some(number), Some((draw, id))) = (alerts.raise(builder, context), drawn) {
        illegal_position::name_other(number, id, context, alerts);
        illegal_position::name_other(draw, alerts.id(number, context), context, alerts);
    }
}

/// Names an offence and an earlier one in each other, if both are only likely: confirmed, they add up.
fn name_each_other(number: u32, side: Color, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let laws = context.laws;
    let Some(offence) = alerts.entry(number) else { return };
    let open = alerts.offences(side, laws).into_iter();
    let mut earlier = open.filter(|entry| {
        entry.number < number
            && entry.code != Code::TwoHandsSuspect
            && laws.counter(entry.code) == laws.counter(offence.code)
            && entry.confidence < Confidence::Certain
    });
    let Some(earlier) = earlier.next_back() else { return };
    let pairs = [(earlier.number, offence.id.clone()), (number, earlier.id.clone())];
    for (number, other) in pairs {
        let words = context.say(Phrase::AddsUpWith, &[("other", &other)]);
        let facts = [
            ("adds_up_with".to_owned(), Value::from(other.clone())),
            ("text".to_owned(), Value::from(words.clone())),
        ];
        let amend = move |alert: &mut crate::alert::Alert| {
            alert.facts.insert("adds_up_with".to_owned(), other.into());
            append(&mut alert.parts.act, &words);
            alert.text = alert.parts.text();
        };
        alerts.amend(number, amend, facts.into_iter().collect());
    }
}

/// Lists the earlier offences on which a loss rests and on which nobody has ruled.
fn unconfirmed(pending: &PendingDecision, context: &RuleContext<'_>, alerts: &AlertStore) -> Vec<String> {
    let laws = context.laws;
    let Some(offence) = alerts.entry(pending.offence) else { return Vec::new() };
    let counter = laws.counter(offence.code);
    let before = pending.number.saturating_sub(1);
    if alerts.official(pending.side, counter, laws) >= before {
        return Vec::new();
    }
    let open = alerts.offences(pending.side, laws).into_iter();
    open.filter(|entry| entry.number < pending.offence && laws.counter(entry.code) == counter)
        .map(|entry| entry.id.clone())
        .collect()
}

/// A loss rests on earlier offences; if one of them falls, so does the loss, and the other costs what it costs alone.
fn recount(context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let laws = context.laws;
    let mut fallen = Vec::new();
    for entry in
        alerts.entries().filter(|entry| matches!(entry.code, Code::GameLostIllegal | Code::GameDrawnIllegal))
    {
        let Party::One(side) = entry.side else { continue };
        let parent = entry.parent.and_then(|parent| alerts.entry(parent));
        let Some(offence) = parent else { continue };
        // What it rests on, and names, may have become somewhat less sure.
        let counter = laws.counter(offence.code);
        let named = alerts.alert(entry.number).and_then(|alert| alert.facts.get("unconfirmed")?.as_array());
        let is_named = |id: &str| named.is_some_and(|named| named.iter().any(|named| named == id));
        let counts = |earlier: &&StoredAlert| {
            (earlier.number == offence.number || is_named(&earlier.id))
                && earlier.confidence < Confidence::Certain
                && (earlier.number == offence.number || earlier.confidence == Confidence::Likely)
        };
        let likely = alerts.offences(side, laws).into_iter().filter(counts).count();
        let likely = u32::try_from(likely).unwrap_or(u32::MAX);
        if alerts.provisional(side, counter, laws).saturating_add(likely) < laws.loses_at() {
            fallen.push((entry.number, offence.number));
        }
    }
    // After nearly every fact.
    if fallen.is_empty() {
        return;
    }
    alerts
        .close(AlertState::Corrected, context.now, |entry| fallen.iter().any(|(it, _)| *it == entry.number));
    for (_, offence) in fallen {
        offence::reprice(offence, context, alerts);
    }
}
