//! The end of the time in which an irregularity can be acted on in unsupervised rapid and blitz (Art. A.5.2).

use shakmaty::Color;

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    context::{RuleContext, completes},
    hears::Facts,
    illegal_position,
    store::{AlertStore, StoredAlert},
    text::Phrase,
};
use crate::{
    alert::{AlertState, Party},
    code::Code,
    fact::{Fact, Pressed},
    game::Ply,
    laws::ActionWindow,
    time::Timestamp,
};

pub(super) const SPEC: Spec = Spec {
    id: "claim-window",
    codes: &[Code::ClaimWindowClosed],
    summary: "The opponent of an offender has made his next move, and nobody has acted.",
    hears: Facts::MADE.and(Facts::PRESSED),
    new: || Box::new(ClaimWindow),
};

#[derive(Debug)]
struct ClaimWindow;

/// A move, known from the board or from its press.
#[derive(Clone, Copy)]
struct CompletedMove {
    side: Color,
    ply: u32,
    at: Timestamp,
}

impl Rule for ClaimWindow {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match fact {
            Fact::Made { ply } => {
                if let Some(made) = context.game.ply(*ply) {
                    close(CompletedMove { side: made.side, ply: *ply, at: made.made_at }, context, alerts);
                }
            }
            Fact::Pressed(pressed) if completes(&pressed.verdict) => {
                close(
                    CompletedMove { side: pressed.side, ply: pressed.ply, at: pressed.at },
                    context,
                    alerts,
                );
            }
            _ => {}
        }
    }
}

/// Closes what a press has opened, if the opponent's next move was made while the press was being judged.
pub(super) fn close_late(pressed: &Pressed, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let later = (pressed.ply.saturating_add(1)..=context.game.len())
        .filter_map(|number| Some((number, context.game.ply(number)?)));
    let reply = |(number, ply): (u32, &Ply)| CompletedMove { side: ply.side, ply: number, at: ply.made_at };
    if let Some(reply) = later.map(reply).find(|reply| reply.side != pressed.side) {
        close(reply, context, alerts);
    }
}

/// Closes what a move closes. An alert is raised only where the window of an offence ends; suspicions just expire.
fn close(reply: CompletedMove, context: &RuleContext<'_>, alerts: &mut AlertStore) {
    let closed = alerts.entries().filter(|entry| is_closed_by(entry, reply));
    let righted: Vec<_> = closed.filter_map(|entry| became_legal(entry, context)).collect();
    for (pressed_at, side, overturned) in righted {
        alerts.right(pressed_at, side, overturned, context);
    }
    // While the position asks for the arbiter nothing about it is too late (2009, Art. A.4.c).
    let stays = illegal_position::intervenes_after(reply.ply, context);
    let closed =
        |entry: &&StoredAlert| is_closed_by(entry, reply) && !(stays && needs_no_claim(entry, alerts));
    let numbers: Vec<u32> = alerts.entries().filter(closed).map(|entry| entry.number).collect();
    if numbers.is_empty() {
        return;
    }
    let offences: Vec<&StoredAlert> =
        numbers.iter().filter_map(|number| alerts.entry(*number)).filter(|entry| stands(entry)).collect();
    let presses = offences.iter().all(|entry| entry.code == Code::PressWithoutMove);
    let ids: Vec<String> = offences.iter().map(|entry| entry.id.clone()).collect();
    let parent = offences.first().map(|entry| entry.number);
    for number in numbers {
        alerts.close_by_move(number, reply.ply, context.now);
    }
    if parent.is_some() {
        let code = Code::ClaimWindowClosed;
        let article = context.laws.article(code).unwrap_or_default();
        let values = [
            ("side", context.side(!reply.side)),
            ("opponent", context.side(reply.side)),
            ("article", article),
        ];
        let happened = if presses { Phrase::PressWindowClosed } else { Phrase::ClaimWindowClosed };
        let mut builder = AlertBuilder::new(code, !reply.side, reply.ply, context.say(happened, &values));
        let agree = context.laws.players_may_agree();
        let phrase = if agree { Phrase::TooLateUnlessAgreed } else { Phrase::TooLate };
        builder = builder.act(&context.say(phrase, &[]));
        builder.parent = parent;
        alerts.raise(builder.fact("alerts", ids), context);
    }
}

fn is_closed_by(entry: &StoredAlert, reply: CompletedMove) -> bool {
    let mover = match entry.window {
        ActionWindow::OpponentMoves => !reply.side,
        ActionWindow::ClaimantMoves => reply.side,
        _ => return false,
    };
    // A reply made before the press is none: the window opens with the press.
    let later = reply.ply > entry.ply && entry.pressed_at.is_none_or(|pressed| pressed <= reply.at);
    entry.side == Party::One(mover) && later && !entry.acted_on
}

/// Returns the press and the side of an illegal move in whose place the list has a legal one by now: another one was made since (`false`), or
/// it was read wrongly.
fn became_legal(entry: &StoredAlert, context: &RuleContext<'_>) -> Option<(Timestamp, Color, bool)> {
    let (Party::One(side), pressed_at) = (entry.side, entry.pressed_at?) else { return None };
    let ply = context.game.ply(entry.ply).filter(|ply| ply.side == side && ply.is_exact())?;
    let is_it = entry.code == Code::IllegalMove && entry.illegal && entry.state != AlertState::Corrected;
    is_it.then_some((pressed_at, side, ply.made_at <= pressed_at))
}

/// Returns whether an offence has left a position in which the arbiter intervenes unasked.
fn needs_no_claim(entry: &StoredAlert, alerts: &AlertStore) -> bool {
    is_offence(entry)
        && alerts.alert(entry.number).is_some_and(|alert| !alert.facts.contains_key("claim_only"))
}

/// Returns whether an offence stands from now on: what has been put right on the board does not.
fn stands(entry: &StoredAlert) -> bool {
    is_offence(entry) && entry.state != AlertState::Corrected
}

const fn is_offence(entry: &StoredAlert) -> bool {
    matches!(entry.code, Code::IllegalMove | Code::PromotionNotReplaced | Code::PressWithoutMove)
}
