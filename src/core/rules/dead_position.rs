//! A position in which neither player can mate any more (Art. 5.2.2): by the material, or because pawns lock it.

use shakmaty::Color;

use super::{
    Rule, Spec,
    builder::AlertBuilder,
    context::RuleContext,
    hears::Facts,
    mating::{self, Winnability, is_locked},
    store::AlertStore,
    text::Phrase,
};
use crate::{
    alert::Party,
    code::Code,
    fact::{Fact, Withdrawal},
};

pub(super) const SPEC: Spec = Spec {
    id: "dead-position",
    codes: &[Code::DeadPosition],
    summary: "It has been proved that neither player can checkmate by any series of legal moves.",
    hears: Facts::MADE.and(Facts::WITHDRAWN).and(Facts::GAME_STARTED).and(Facts::ENDED),
    new: || Box::new(DeadPosition::default()),
};

#[derive(Debug, Default)]
struct DeadPosition {
    /// A position of which one half is still to be proved.
    asked: Option<OpenQuestion>,
}

#[derive(Clone, Copy, Debug)]
struct OpenQuestion {
    number: u32,
    ply: u32,
    winner: Color,
}

impl Rule for DeadPosition {
    fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        match *fact {
            Fact::Made { ply } => self.look(ply, context, alerts),
            Fact::Withdrawn { because: Withdrawal::Unfinished, .. } => {}
            Fact::GameStarted | Fact::Ended | Fact::Withdrawn { .. } => self.asked = None,
            _ => {}
        }
    }

    fn on_answer(
        &mut self,
        alert: u32,
        answer: Winnability,
        context: &RuleContext<'_>,
        alerts: &mut AlertStore,
    ) {
        let Some(asked) = self.asked.take_if(|asked| asked.number == alert) else { return };
        let Some(position) = context.after_legal(asked.ply).filter(|_| answer == Winnability::Unwinnable)
        else {
            return;
        };
        if asked.winner == Color::White {
            let asked = OpenQuestion { winner: Color::Black, ..asked };
            alerts.ask(asked.number, &position, asked.winner, context);
            self.asked = Some(asked);
        } else {
            raise(asked.ply, Some(asked.number), "search", context, alerts);
        }
    }
}

impl DeadPosition {
    fn look(&mut self, ply: u32, context: &RuleContext<'_>, alerts: &mut AlertStore) {
        self.asked = None;
        let Some(position) = context.after_legal(ply) else { return };
        let board = position.board();
        if Color::ALL.into_iter().all(|side| mating::material(board, side) == Winnability::Unwinnable) {
            raise(ply, None, "material", context, alerts);
        } else if is_locked(board) && position.lawful().is_some() {
            let asked = OpenQuestion { number: alerts.reserve(), ply, winner: Color::White };
            alerts.ask(asked.number, &position, asked.winner, context);
            self.asked = Some(asked);
        }
    }
}

fn raise(
    ply: u32,
    number: Option<u32>,
    proof: &'static str,
    context: &RuleContext<'_>,
    alerts: &mut AlertStore,
) {
    let code = Code::DeadPosition;
    let text =
        context.say(Phrase::DeadPosition, &[("article", context.laws.article(code).unwrap_or_default())]);
    let builder = AlertBuilder { number, ..AlertBuilder::new(code, Party::Both, ply, text) };
    alerts.conclude(builder.fact("proof", proof), None, "dead", context);
}
