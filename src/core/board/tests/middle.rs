//! Boards that are first heard of while a move is under way, in time trouble.

use shakmaty::{Color, Piece, Square};

use super::{Table, set};
use crate::fact::Fact;

impl Table {
    /// Sets up a position in which a side's time runs, and lets hands go on at once.
    fn found(placement: &str, running: Color) -> Self {
        let mut table = Self::new(&[]);
        table.set_up(placement);
        table.start(running);
        table.wait(0.3);
        table
    }

    /// Lets a square show something, and a little time pass.
    fn quickly(&mut self, square: Square, piece: Option<Piece>) {
        self.set(square, piece);
        self.wait(0.15);
    }

    /// Makes a move in time trouble, and presses.
    fn snap(&mut self, from: Square, to: Square) {
        let piece = self.stands.piece_at(from).unwrap();
        self.quickly(from, None);
        self.quickly(to, Some(piece));
        self.press(piece.color);
    }
}

#[test]
fn a_press_for_a_move_made_before_asks_for_no_other_one() {
    // Black has played 2... Nc6 and not pressed, and White's hand is at the bishop already.
    let mut table = Table::found("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", Color::Black);
    table.quickly(Square::F1, None);
    table.press(Color::Black);
    table.quickly(Square::B5, Some(Color::White.bishop()));
    table.press(Color::White);
    table.wait(0.1);
    table.snap(Square::A7, Square::A6);
    table.wait(1.0);
    table.play("b5a4 g8f6 d2d3");
    assert_eq!(table.moves(), "Bb5 a6 Ba4 Nf6 d3");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_capture_under_way_comes_before_the_reply_to_it() {
    // White's pawn from c4 is in the hand, to take on d5.
    let mut table = Table::found("rnbqkb1r/ppp1pppp/5n2/3p4/3P4/8/PP2PPPP/RNBQKBNR", Color::White);
    table.quickly(Square::D5, Some(Color::White.pawn()));
    table.press(Color::White);
    table.wait(0.1);
    table.snap(Square::F6, Square::D5);
    table.wait(1.0);
    table.play("e2e4 d5b6 g1f3 c8g4");
    assert_eq!(table.moves(), "Nxd5 e4 Nb6 Nf3 Bg4");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_pawn_in_the_hand_is_none_that_could_not_have_come() {
    // White's pawn from f2 is in the hand; that on e5 cannot go back to f4.
    let mut table = Table::found("4k3/pp4pp/3p4/4P3/8/8/PPP3PP/4K3", Color::White);
    table.quickly(Square::F4, Some(Color::White.pawn()));
    table.press(Color::White);
    table.wait(0.2);
    table.snap(Square::E8, Square::E7);
    table.wait(1.0);
    table.play("e5d6 e7d6 a2a3");
    assert_eq!(table.moves(), "Ke7 exd6+ Kxd6 a3");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

/// Finds a table whose knight is put down on g1 unheard, and on which four plies are played.
fn found_without_knight() -> Table {
    let mut table = Table::found("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKB1R", Color::White);
    table.wait(5.0);
    table.stands.set_piece_at(Square::G1, Color::White.knight());
    table.play("d2d3 d7d6 a2a3 a7a6");
    table
}

#[test]
fn a_piece_put_down_unheard_stood_there_from_the_beginning() {
    let mut table = found_without_knight();
    table.play("g1f3 b8c6");
    assert_eq!(table.moves(), "d3 d6 a3 a6 Nf3 Nc6");
    assert_eq!(table.current().start().fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn one_piece_rereads_no_game_where_the_line_hides_play() {
    let mut table = found_without_knight();
    table.board.handle_fact(Fact::Noise { noisy: true, bytes: 20 }, table.now);
    for uci in ["b2b3", "b7b6", "h2h3", "h7h6"] {
        // That the piece is lifted is not heard, so that the board shows no move exactly.
        let (from, to): (Square, Square) = (uci[0..2].parse().unwrap(), uci[2..4].parse().unwrap());
        let pawn = table.stands.piece_at(from).unwrap();
        set(&mut table.stands, from, None);
        table.quickly(to, Some(pawn));
        table.press(pawn.color);
        table.wait(4.0);
    }
    let mark = table.mark();
    table.play("g1f3 b8c6");
    assert!(!table.since(mark).contains(&"game-start"), "{:?}", table.since(mark));
    assert!(!table.since(mark).contains(&"game-start"), "{:?}", table.since(mark));
}
