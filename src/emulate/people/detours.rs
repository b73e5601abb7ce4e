//! Moves that are taken back, positions that are repeated.

use std::time::Duration;

use shakmaty::{Move, Role};

use super::{
    gesture::{self, HandlingStyle},
    handling::Handling,
    scene::{IncidentEffect, Scene},
};
use crate::{games, incident::RulingStyle};
use jadoube_core::position::Position;

impl Scene<'_> {
    /// Plays another move, takes it back with the opponent's consent, and plays the right one.
    pub(super) fn take_back(&mut self, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let Some(other) = games::choose(&self.position, &mut self.random).filter(|other| *other != m) else {
            return IncidentEffect::NotApplicable;
        };
        let after = self.position.play(other);
        let special = other.is_castle() || other.is_promotion() || other.is_en_passant();
        if self.truth.moves.is_empty() || special || after.legal_moves().is_empty() {
            return IncidentEffect::NotApplicable;
        }
        self.notice_amiss(true);
        let before = self.board.clone();
        let handling = Handling::plain();
        let gesture =
            gesture::gesture(other, side, &self.board, HandlingStyle::Usual, &handling, &mut self.random);
        let start = self.began.max(self.settled) + think;
        let press = start + gesture.done + self.random.seconds(0.3, 0.7);
        if self.flag_falls_before(press) {
            return IncidentEffect::TurnDone;
        }
        self.perform(&gesture, start);
        self.press(side, press);
        let begin = press + self.random.seconds(0.8, 2.0);
        let ready = self.restore_board(&before, begin);
        let back = ready + self.random.seconds(0.4, 1.0);
        if self.flag_falls_before(back) {
            return IncidentEffect::TurnDone;
        }
        self.press(!side, back);
        let (wrong, right) = (self.position.uci(other), self.position.uci(m));
        self.remark("take-back", start, format!("{wrong} {right}"));
        let think = self.random.seconds(1.0, 3.0);
        self.make(m, self.began + think, HandlingStyle::Usual);
        IncidentEffect::TurnDone
    }

    /// Moves pieces to and fro until the position has occurred three times, and without an intervention
    /// five times.
    pub(super) fn repetition(&mut self, ruling: RulingStyle) -> IncidentEffect {
        let Some(cycle) = self.cycle() else { return IncidentEffect::NotApplicable };
        let rounds = match ruling {
            RulingStyle::Arbiter => 2,
            RulingStyle::Stands => 4,
        };
        self.play_off_record(|scene| {
            for _ in 0..rounds {
                for m in cycle {
                    if scene.is_over() {
                        return;
                    }
                    let think = scene.think();
                    scene.make(m, scene.began + think, HandlingStyle::Usual);
                }
            }
        });
        IncidentEffect::TurnDone
    }

    /// Finds a move and a reply that can both be undone, so that the position is repeated.
    fn cycle(&self) -> Option<[Move; 4]> {
        let quiet = |position: &Position| {
            let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
            moves.retain(|m| !m.is_zeroing() && !m.is_castle());
            // Knights first: a knight's move to and fro allows no other reading.
            moves.sort_by_key(|m| m.role() != Role::Knight);
            moves
        };
        let back = |position: &Position, m: &Move| position.find(m.to(), m.from()?, None);
        for there in quiet(&self.position) {
            let first = self.position.play(there);
            for reply in quiet(&first) {
                let second = first.play(reply);
                let Some(home) = back(&second, &there) else { continue };
                let third = second.play(home);
                let Some(answer) = back(&third, &reply) else { continue };
                if third.play(answer).key() == self.position.key() {
                    return Some([there, reply, home, answer]);
                }
            }
        }
        None
    }
}
