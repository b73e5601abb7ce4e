//! What an arbiter orders: another position, an earlier one, no result.

use shakmaty::Board;

use super::{Tracker, hypothesis::Hypothesis, position_trust::Trust};
use crate::{
    fact::{Fact, Withdrawal},
    game::Game,
    position::Position,
};

impl Tracker {
    /// Goes on from a position that an arbiter has ordered; the moves before it are no longer part of the game.
    pub fn set_position(&mut self, position: Position) {
        let Some(game) = &self.game else { return };
        let number = game.number();
        if !game.is_empty() {
            self.facts.push(Fact::Withdrawn { ply: 1, because: Withdrawal::Ordered });
        }
        self.hypotheses = vec![Hypothesis::new(position.clone(), self.faulty_squares() & !self.seen_squares)];
        self.window.cut(usize::MAX, usize::MAX);
        self.reset(Game::new(number, position));
    }

    /// Goes on from the position after this ply, as an arbiter has ordered.
    pub fn reinstate(&mut self, ply: u32) {
        let Some(game) = &mut self.game else { return };
        if ply < game.len() {
            game.truncate(ply);
            self.facts.push(Fact::Withdrawn { ply: ply + 1, because: Withdrawal::Ordered });
        }
        let (length, position) = (game.len(), game.position().clone());
        self.hypotheses = vec![Hypothesis::new(position, self.faulty_squares() & !self.seen_squares)];
        self.window.cut(usize::MAX, usize::MAX);
        self.progress.settled = length;
        self.progress.rely_on(length, Trust::Sound);
        self.progress.strain = 0;
        self.progress.past.clear();
        self.progress.stop_waiting();
    }

    /// Takes what the board shows in place of a start that was taken to be meant.
    pub fn note_odd_start(&mut self, shown: Board, again: bool) {
        self.facts.push(Fact::OddStart { shown: Box::new(shown), again });
    }

    /// Takes back the result: play goes on.
    pub fn reopen(&mut self) {
        if let Some(game) = &mut self.game {
            game.set_result(None);
        }
        self.progress.played_on_from = None;
    }
}
