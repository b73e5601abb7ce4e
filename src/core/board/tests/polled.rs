//! A board that reports no changes: what is played shows only in dumps, every two seconds.

use shakmaty::{Color, Square};

use super::{Table, set};

impl Table {
    /// Sets up the initial position of a board that reports nothing but dumps, and starts White's clock.
    fn silent() -> Self {
        let mut table = Self::game(&[]);
        for _ in 0..4 {
            table.look(2.0);
        }
        table
    }

    /// Waits, and lets the board report what stands on it.
    fn look(&mut self, seconds: f64) {
        self.wait(seconds);
        self.dump();
    }

    /// Puts a piece elsewhere; the board reports nothing of it.
    fn slip(&mut self, uci: &str) {
        let (from, to): (Square, Square) = (uci[0..2].parse().unwrap(), uci[2..4].parse().unwrap());
        let piece = self.stands.piece_at(from);
        set(&mut self.stands, from, None);
        set(&mut self.stands, to, piece);
    }

    /// Plays moves of which each is pressed for between two dumps, after a while of thinking.
    fn play_unseen(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            self.look(2.0);
            self.wait(1.2);
            self.slip(uci);
            self.wait(0.2);
            self.press(self.running.unwrap());
            self.look(0.6);
        }
    }
}

const OPENING: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6";

#[test]
fn moves_that_show_after_their_press_swap_no_seats() {
    let mut table = Table::silent();
    table.play_unseen(OPENING);
    // White presses for nothing; two dumps show it.
    table.look(2.0);
    table.wait(1.4);
    table.press(Color::White);
    for _ in 0..3 {
        table.look(2.0);
    }
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    assert_eq!(table.alerts(), ["press-without-move"]);
}

#[test]
fn quick_replies_that_show_with_the_next_dump_swap_no_seats() {
    let mut table = Table::silent();
    // Each dump shows a move before its press, and nothing else comes between two presses.
    for uci in OPENING.split_whitespace() {
        table.wait(1.7);
        table.slip(uci);
        table.look(0.2);
        table.wait(0.1);
        table.press(table.running.unwrap());
    }
    for _ in 0..3 {
        table.look(2.0);
    }
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
    assert_eq!(table.alerts(), [""; 0]);
}

#[test]
fn a_move_in_the_last_dump_before_the_press_is_no_null_press() {
    let mut table = Table::silent();
    table.play_unseen(OPENING);
    table.look(2.0);
    table.wait(1.7);
    table.slip("h2h3");
    table.look(0.2);
    table.wait(0.1);
    table.press(Color::White);
    table.wait(1.6);
    table.slip("h3h2");
    table.look(0.2);
    table.wait(0.5);
    table.press(Color::Black);
    table.look(1.5);
    table.play_unseen("e1f1");
    for _ in 0..3 {
        table.look(2.0);
    }
    assert_eq!(table.alerts(), [""; 0]);
}

#[test]
fn a_piece_on_its_way_goes_where_the_next_dump_shows_it() {
    let mut table = Table::silent();
    table.play_unseen(OPENING);
    table.look(2.0);
    table.wait(1.7);
    table.slip("d2d3");
    table.look(0.2);
    // The pawn goes on before the press.
    table.slip("d3d4");
    table.wait(0.2);
    table.press(Color::White);
    table.look(1.7);
    table.play_unseen("b7b5");
    for _ in 0..3 {
        table.look(2.0);
    }
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 d4 b5");
    assert_eq!(table.alerts(), [""; 0]);
}
