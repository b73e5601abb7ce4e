//! How facts move the lives of alerts on, before the rules see them.

use serde_json::{Map, Value};
use shakmaty::{ByColor, Color};

use super::{AlertStore, RuleContext, StoredAlert, touch_closes};
use crate::{
    alert::AlertState,
    code::Code,
    fact::{Fact, Withdrawal},
    laws::ActionWindow,
    time::Timestamp,
};

impl AlertStore {
    /// Moves the alerts' lives on before the rules see the fact.
    pub(in crate::rules) fn on_fact(&mut self, fact: &Fact, context: &RuleContext<'_>) {
        self.resume_if_reopened(context);
        match *fact {
            Fact::GameStarted => self.begin(context),
            Fact::Touched { side, .. } => {
                self.touched = Some((side, context.now));
                self.close(AlertState::Expired, context.now, |entry| touch_closes(entry, side));
            }
            Fact::Completed { ply } => self.complete(ply),
            Fact::Withdrawn { ply, because } => self.withdraw(ply, because, context),
            Fact::Righted { pressed_at, side, overturned } => {
                self.right(pressed_at, side, overturned, context);
            }
            Fact::Ended => self.end(context),
            Fact::ClockStopped => self.release(),
            _ => {}
        }
    }

    fn begin(&mut self, context: &RuleContext<'_>) {
        let number = context.game.number();
        self.undecide();
        self.ended = false;
        self.touched = None;
        self.increment = false;
        if self.game.replace(number).is_some_and(|before| before != number) {
            // Whatever still needs a decision stays under its own game.
            self.close(AlertState::Ended, context.now, |entry| {
                entry.window != ActionWindow::InOrder && !entry.waits_for_decision()
            });
            // What is wrong with the equipment stays wrong; its alerts keep their names.
            self.entries.retain(StoredAlert::is_open);
            self.record = ByColor::default();
            self.reported = ByColor::default();
            self.rulings.clear();
            self.journal.forget();
            self.base = self.last;
        }
    }

    fn end(&mut self, context: &RuleContext<'_>) {
        let Some(result) = context.game.result() else { return };
        let decided = matches!(result.by, "arbiter" | "flag");
        self.ended = true;
        self.held = None;
        let base = self.base;
        let own = self.entries().filter(|entry| entry.number > base);
        let numbers: Vec<(u32, ActionWindow)> = own.map(|entry| (entry.number, entry.window)).collect();
        for (number, window) in numbers {
            let proposed =
                self.alert(number).and_then(|alert| alert.proposal.as_ref()).and_then(|it| it.result);
            match window {
                ActionWindow::InOrder => {}
                ActionWindow::GameEnd if decided && proposed == Some(result.score()) => {
                    self.keep_for_resumption(number);
                    self.change(number, AlertState::Confirmed, Map::new(), context.now);
                }
                _ => self.end_one(number, context.now),
            }
        }
    }

    /// Ends an alert with its game; what players had put right stays so.
    fn end_one(&mut self, number: u32, at: Timestamp) {
        let Some(entry) = self.entry(number) else { return };
        if entry.state == AlertState::Corrected {
            self.close(AlertState::Expired, at, |entry| entry.number == number);
            return;
        }
        self.keep_for_resumption(number);
        self.change(number, AlertState::Ended, Map::new(), at);
    }

    fn keep_for_resumption(&mut self, number: u32) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) {
            entry.ended_from = Some(entry.state);
        }
    }

    /// Lets alerts go on if the result of their game was taken back.
    pub(super) fn resume_if_reopened(&mut self, context: &RuleContext<'_>) {
        if self.ended && self.game == Some(context.game.number()) && context.game.result().is_none() {
            self.resume(context.now);
        }
    }

    /// The game goes on after all, and its alerts with it.
    fn resume(&mut self, at: Timestamp) {
        self.ended = false;
        self.undecide();
        let taken = |entry: &mut StoredAlert| entry.ended_from.take().map(|before| (entry.number, before));
        let resumed: Vec<(u32, AlertState)> = self.entries.iter_mut().filter_map(taken).collect();
        for (number, before) in resumed {
            self.change(number, before, Map::new(), at);
        }
    }

    /// Plies are gone: what hung on the positions after them has not happened.
    fn withdraw(&mut self, ply: u32, because: Withdrawal, context: &RuleContext<'_>) {
        if self.decided.is_some_and(|decided| decided >= ply) && context.game.result().is_none() {
            self.undecide();
        }
        let base = self.base;
        self.close(AlertState::Corrected, context.now, |entry| {
            entry.number > base && entry.ply >= ply && hangs_on_position(entry.code)
        });
        self.reopen(ply, context.now);
        self.make_room(context);
        let acted = matches!(because, Withdrawal::Reinstated | Withdrawal::Ordered);
        let undone: Vec<u32> = self
            .entries()
            .filter(|entry| {
                entry.number > base
                    && entry.ply >= ply
                    && context.laws.counts(entry.code)
                    && entry.state != AlertState::Corrected
            })
            .filter(|_| acted || because == Withdrawal::TakenBack)
            .map(|entry| entry.number)
            .collect();
        for number in undone {
            self.put_right(number, acted, context);
        }
    }

    pub(in crate::rules) fn right(
        &mut self,
        pressed_at: Timestamp,
        side: Color,
        overturned: bool,
        context: &RuleContext<'_>,
    ) {
        // An alert on what the opponent may claim hangs on the same press, and falls with the offence that it follows from.
        let hangs = |entry: &&StoredAlert| {
            entry.pressed_at == Some(pressed_at) && entry.is_of(side) && !is_claim(entry.code)
        };
        if !overturned {
            let offence = self.entries().filter(hangs).find(|entry| is_offence(entry.code));
            if let Some(number) = offence.map(|entry| entry.number) {
                self.put_right(number, false, context);
            }
            return;
        }
        let numbers: Vec<u32> = self.entries.iter().filter(hangs).map(|entry| entry.number).collect();
        for number in numbers {
            self.void(number, context);
        }
    }

    /// An offence was put right on the board: it had been completed, and can still be acted on.
    fn put_right(&mut self, number: u32, acted_on: bool, context: &RuleContext<'_>) {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) else { return };
        let stood = std::mem::replace(&mut entry.stands, context.laws.counts(entry.code));
        entry.acted_on |= acted_on;
        // The tracker may report it twice: of the ply that is gone, and of its offence.
        if entry.state == AlertState::Corrected && stood == entry.stands {
            return;
        }
        let facts = [("corrected_at".to_owned(), Value::from(context.now.as_secs()))].into_iter().collect();
        self.change(number, AlertState::Corrected, facts, context.now);
    }

    /// It never was an offence, and what follows from it falls with it. What the arbiter has ruled on stands.
    fn void(&mut self, number: u32, context: &RuleContext<'_>) {
        let facts: Map<String, Value> = [("overturned".to_owned(), Value::from(true))].into_iter().collect();
        for number in self.children(number).into_iter().chain([number]) {
            let Some(entry) = self.entries.iter_mut().find(|entry| entry.number == number) else { continue };
            let ruled = matches!(entry.state, AlertState::Confirmed | AlertState::Dismissed);
            if !ruled && entry.state != AlertState::Withdrawn {
                entry.stands = false;
                self.change(number, AlertState::Withdrawn, facts.clone(), context.now);
            }
        }
    }

    /// Opens again what only plies closed that are gone.
    fn reopen(&mut self, ply: u32, at: Timestamp) {
        let gone = |entry: &mut StoredAlert| {
            let (_, before) = entry.closed_by.take_if(|(closed_by, _)| *closed_by >= ply)?;
            entry.stands = before == AlertState::Corrected;
            Some((entry.number, before))
        };
        let opened: Vec<(u32, AlertState)> = self.entries.iter_mut().filter_map(gone).collect();
        for (number, before) in opened {
            let righted = before == AlertState::Corrected;
            let facts = righted.then(|| ("closed".to_owned(), Value::from(false))).into_iter().collect();
            self.change(number, before, facts, at);
        }
    }

    /// A ply is completed: what it closed stays closed.
    fn complete(&mut self, ply: u32) {
        let closed =
            |entry: &&mut StoredAlert| entry.closed_by.is_some_and(|(closed_by, _)| closed_by <= ply);
        for entry in self.entries.iter_mut().filter(closed) {
            entry.closed_by = None;
            entry.alert = None;
        }
    }
}

impl StoredAlert {
    /// Returns whether a decision is still to be taken when the game is over: a result that is proposed and that the
    /// game has not got, or a claim.
    fn waits_for_decision(&self) -> bool {
        let Some(alert) = &self.alert else { return false };
        let claimed = self.code == Code::QpfEligible && alert.facts.contains_key("claim");
        let proposed = alert.proposal.as_ref().is_some_and(|proposal| proposal.result.is_some());
        claimed || self.code == Code::BothFlags || proposed && matches!(self.window, ActionWindow::GameEnd)
    }
}

/// Returns whether an alert is about the position after its ply, and not about what somebody did.
const fn hangs_on_position(code: Code) -> bool {
    matches!(
        code,
        Code::ClaimWindowClosed
            | Code::IllegalPositionArmed
            | Code::IllegalPositionDraw
            | Code::IllegalPositionIntervene
            | Code::ThreefoldClaimable
            | Code::FiftyClaimable
            | Code::FivefoldDraw
            | Code::SeventyfiveDraw
            | Code::Checkmate
            | Code::Stalemate
            | Code::DeadPosition
            | Code::CastlingRookFirst
            | Code::TouchMoveSuspect
            | Code::ReleasedPieceMoved
            | Code::PromotionChoiceChanged
    )
}

/// Returns whether a code names the player who may claim something after the opponent's press.
const fn is_claim(code: Code) -> bool {
    matches!(
        code,
        Code::ClaimWinAvailable | Code::ClaimDrawAvailable | Code::ThreefoldClaimable | Code::FiftyClaimable
    )
}

/// Returns whether a code is an irregularity that players can put right on the board.
pub(super) const fn is_offence(code: Code) -> bool {
    matches!(code, Code::IllegalMove | Code::PromotionNotReplaced | Code::PressWithoutMove)
}
