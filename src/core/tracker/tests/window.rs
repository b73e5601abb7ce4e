//! What a window says of one square is what a look at all its changes says.

use proptest::prelude::*;

use super::*;
use crate::{fact::Change, tracker::window::Window};

/// Squares and pieces of which many changes are on the same.
fn changes() -> impl Strategy<Value = Vec<(u32, usize)>> {
    prop::collection::vec((0_u32..4, 0_usize..4), 0..60)
}

proptest! {
    #[test]
    fn changes_of_a_square_are_found_as_by_a_look_at_all(reports in changes(), from in 0_usize..62) {
        let pieces = [None, Some(Color::White.queen()), Some(Color::Black.pawn()), Some(Color::White.pawn())];
        let mut window = Window::new(Board::new());
        for (number, (square, is)) in reports.into_iter().enumerate() {
            let (at, square) = (Timestamp::from_micros(number.try_into().unwrap()), Square::new(square));
            let was = window.board().piece_at(square);
            window.push(Change { at, square, was, is: pieces[is], dumped: false });
        }
        for square in (0..4).map(Square::new) {
            let later = || (1..).zip(window.changes()).skip(from).filter(|(_, change)| change.square == square);
            prop_assert_eq!(window.first_of(square, from, |_| true), later().next());
            for piece in pieces.into_iter().flatten().chain([Color::White.rook()]) {
                let shown = window.board_after(from).piece_at(square) == Some(piece);
                prop_assert_eq!(window.showed(square, piece, from), shown);
                let coming = later().find(|(_, change)| change.is == Some(piece)).map(|(number, _)| number);
                prop_assert_eq!(window.first_showing(square, piece, from), if shown { Some(from) } else { coming });
                let going = later().find(|(_, change)| change.is != Some(piece)).map(|(number, _)| number);
                prop_assert_eq!(window.first_without(square, piece, from), if shown { going } else { Some(from) });
            }
        }
    }
}
