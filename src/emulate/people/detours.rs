//! Ways that lead back: moves taken back, positions repeated.

use std::time::Duration;

use shakmaty::{Move, Role};

use super::{
    Ruling,
    hand::{self, Manner},
    stage::{Outcome, Stage},
};
use crate::games;
use jadoube_core::position::Position;

impl Stage<'_> {
    /// Plays another move, takes it back with the opponent's consent, and plays the right one.
    pub(super) fn take_back(&mut self, m: Move, think: Duration) -> Outcome {
        let side = self.position.turn();
        let Some(other) = games::choose(&self.position, &mut self.random).filter(|other| *other != m) else {
            return Outcome::NotHere;
        };
        let after = self.position.play(other);
        let special = other.is_castle() || other.is_promotion() || other.is_en_passant();
        if self.truth.moves.is_empty() || special || after.legal_moves().is_empty() {
            return Outcome::NotHere;
        }
        let before = self.board.clone();
        let handling = super::Handling::plain();
        let figure = hand::figure(other, side, &self.board, Manner::Usual, &handling, &mut self.random);
        let start = self.began.max(self.settled) + think;
        let press = start + figure.done + self.random.seconds(0.3, 0.7);
        if self.flag_falls_before(press) {
            return Outcome::Turn;
        }
        self.perform(&figure, start);
        self.press(side, press);
        let begin = press + self.random.seconds(0.8, 2.0);
        let ready = self.put_right(&before, begin);
        let back = ready + self.random.seconds(0.4, 1.0);
        if self.flag_falls_before(back) {
            return Outcome::Turn;
        }
        self.press(!side, back);
        let (wrong, right) = (self.position.uci(other), self.position.uci(m));
        self.remark("take-back", start, format!("{wrong} {right}"));
        let think = self.random.seconds(1.0, 3.0);
        self.make(m, self.began + think, Manner::Usual);
        Outcome::Turn
    }

    /// Moves pieces to and fro: until the position has appeared for the third time, and if nobody says a word for
    /// the fifth time.
    pub(super) fn repetition(&mut self, ruling: Ruling) -> Outcome {
        let Some(cycle) = self.cycle() else { return Outcome::NotHere };
        let rounds = match ruling {
            Ruling::Arbiter => 2,
            Ruling::Stands => 4,
        };
        self.aside(|stage| {
            for _ in 0..rounds {
                for m in cycle {
                    if stage.is_over() {
                        return;
                    }
                    let think = stage.think();
                    stage.make(m, stage.began + think, Manner::Usual);
                }
            }
        });
        Outcome::Turn
    }

    /// Finds a move and a reply that both can be undone, so that the position comes back.
    fn cycle(&self) -> Option<[Move; 4]> {
        let quiet = |position: &Position| {
            let mut moves: Vec<Move> = position.legal_moves().iter().copied().collect();
            moves.retain(|m| !m.is_zeroing() && !m.is_castle());
            // Knights first: whoever meets a knight's move to and fro thinks of nothing else.
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
