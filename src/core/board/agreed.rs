//! Both players agree to the result that their kings show: each lifts the own king and puts it back.

use dgt_protocol::Piece;
use shakmaty::{Role, Square};

use super::{Board, from_code, setup};
use crate::game::{Game, GameResult};

/// What is said of such a result.
const BY_PLAYERS: &str = "players";

impl Board {
    /// Handles what has been put on a square: where results have to be confirmed, a king that comes back agrees to what the kings show.
    pub(super) fn note_agreement(&mut self, square: Square, code: Piece) {
        let reported =
            self.tracker.game().and_then(Game::result).filter(|reported| reported.by == setup::BY_KINGS);
        let Some(reported) = reported.filter(|_| self.settings.event.confirm_results) else { return };
        let Some(king) = from_code(code).filter(|piece| piece.role == Role::King) else { return };
        let shown = self.tracker.board();
        let stands = setup::kings_result(shown).is_some_and(|shown| shown.score == reported.score);
        if !stands || shown.king_of(king.color) != Some(square) {
            return;
        }
        *self.pending.agreed.get_mut(king.color) = true;
        if self.pending.agreed.iter().all(|agreed| *agreed) {
            self.tracker.end(GameResult { by: BY_PLAYERS, ..reported }, u32::MAX);
        }
    }
}
