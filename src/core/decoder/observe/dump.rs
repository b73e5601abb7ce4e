//! The whole board, shown at once.

use shakmaty::Board;

use crate::{
    decoder::{beam::Beam, moment::Moment},
    position::differences,
};

impl Beam {
    /// Handles a dump; `gap`: nobody has heard the board since the last message.
    pub(crate) fn handle_dump(&mut self, board: &Board, gap: bool, now: Moment) {
        for square in differences(board, &self.sensed.board) {
            let is = board.piece_at(square);
            if gap {
                self.sensed.put(square, is, &self.params, now);
            } else {
                self.handle_square(square, is, now);
            }
        }
        if gap {
            self.search_gap(now);
        }
    }
}
