//! A piece that captures one of its own kind and colour: the board shows only that it is off its square.

use shakmaty::{Board, Role, Square, attacks};

use super::Search;
use crate::{
    game::Irregular,
    position::{Position, differences},
    tracker::cost,
};

impl Search<'_> {
    /// Returns the ply by which a piece has captured one of its own kind and colour after so many changes: it is off its square since, and
    /// such a piece came to the square of that one, which had been taken off before or since.
    pub(super) fn like_taken(
        &self,
        position: &Position,
        shown: &Board,
        count: usize,
    ) -> Option<(Irregular, u32)> {
        let window = self.evidence.window;
        let odd = differences(position.board(), shown) & !self.root.faulty;
        let from = odd.single_square().filter(|_| !self.evidence.disordered)?;
        let piece = position.board().piece_at(from).filter(|piece| piece.color == position.turn())?;
        let lifted = window.first_without(from, piece, 0).filter(|lifted| (1..=count).contains(lifted))?;
        let pawn = piece.role == Role::Pawn;
        let reached =
            if pawn { attacks::pawn_attacks(piece.color, from) } else { position.board().attacks_from(from) };
        let came = |to: &Square| {
            let last = window.last_change_within(*to, count);
            let off = window.first_of(*to, 0, |change| change.was == Some(piece));
            let again = window.first_of(*to, lifted, |change| change.is == Some(piece));
            last.is_some_and(|last| !last.dumped && last.is == Some(piece))
                && off.is_some()
                && again.is_some()
        };
        let to = (reached & position.board().by_piece(piece)).into_iter().find(came)?;
        let played = Irregular { from, to, promotion: None, board: shown.clone(), set: None };
        Some((played, cost::LIKE_TAKEN))
    }
}
