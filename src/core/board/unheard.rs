//! What may have happened while nothing was heard of a board, by what stands on it then.

use dgt_protocol::Placement;

use super::{Board, observed::read};
use crate::position::{Position, differences};

impl Board {
    /// Returns whether what stands on the board needs no more than one legal move to be what it is, or a piece in a hand. If it does, somebody
    /// has moved several times, or as no rule lets him.
    pub(crate) fn is_one_move_away(&self, codes: &Placement) -> bool {
        let Some(game) = self.tracker.game().filter(|_| self.tracker.is_playing()) else { return true };
        let (shown, faulty) = (read(codes, self.rotated), self.tracker.faulty_squares());
        let fits = |expected: &shakmaty::Board| {
            // What is missing may be in a hand.
            (differences(expected, &shown) & shown.occupied() & !faulty).is_empty()
        };
        let leads_there = |position: &Position| {
            fits(position.board()) || position.legal_moves().iter().any(|m| fits(&position.board_after(*m)))
        };
        // A move that nobody has pressed for may not have been over.
        let unpressed = game.plies().last().filter(|ply| !ply.completed);
        let before = unpressed.map(|_| game.position_after(game.len().saturating_sub(1)));
        leads_there(game.position()) || before.is_some_and(|before| leads_there(&before))
    }
}
