//! A square's change.

use shakmaty::{Piece, Square};

use crate::decoder::{beam::Beam, moment::Moment};

impl Beam {
    /// Handles what a square shows.
    pub(crate) fn handle_square(&mut self, square: Square, is: Option<Piece>, now: Moment) {
        let depth = self.params.search.depth_at_change;
        if self.sensed.board.piece_at(square) != is {
            self.sensed.put(square, is, &self.params, now);
            self.for_each_token(now, |token, context| token.handle_square(square, context));
            self.search(now, depth);
        } else if is.is_none() {
            // A piece left, and nobody had seen it come.
            self.for_each_token(now, |token, context| {
                let sensors = &context.params.sensors;
                let expected = token.hands.of(square).is_some();
                let price = if expected { sensors.blink } else { sensors.unseen_visit };
                token.cost += price;
                token.change(square, price);
            });
            self.sensed.touch(square, now);
            self.sensed.unseen = Some((square, now));
            self.search(now, depth);
        }
    }
}
