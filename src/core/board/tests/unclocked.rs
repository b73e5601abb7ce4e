//! Play without a clock that reports presses.

use shakmaty::Color;

use super::Table;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

impl Table {
    /// Makes moves that nobody presses for.
    fn make_all(&mut self, moves: &str) {
        for uci in moves.split_whitespace() {
            self.make(uci);
            self.wait(1.0);
        }
    }

    /// Plays 2. Bb5 Nc6: the bishop is put on c4 first, and Black's hand is at work before it is slid on.
    fn slide(&mut self) {
        self.hands("f1- c4B b8- b5B c4- c6n");
        self.wait(2.0);
    }
}

#[test]
fn a_board_without_a_clock_is_followed_past_inexact_squares() {
    let mut table = Table::new(&[]);
    table.set_up(START);
    table.wait(3.0);
    table.make_all("e2e4 e7e5");
    table.slide();
    table.make_all("g1f3 a7a6 b5c6 d7c6");
    table.finish();
    assert_eq!(table.moves(), "e4 e5 Bb5 Nc6 Nf3 a6 Bxc6 dxc6…");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_clock_that_is_silent_for_a_while_is_as_good_as_none() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    // Nothing is heard of it, while it runs.
    table.running = None;
    table.wait(8.0);
    table.slide();
    table.make_all("g1f3 a7a6");
    assert_eq!(table.moves(), "e4 e5 Bb5 Nc6 Nf3 a6…");
    // Black's last press is what the next report shows, and one unseen of each side in between.
    table.increment = 2;
    table.remaining.white += 2;
    table.press(Color::Black);
    table.wait(2.0);
    table.play("b5c6 d7c6");
    assert_eq!(table.moves(), "e4 e5 Bb5 Nc6 Nf3 a6 Bxc6 dxc6");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn the_last_move_without_a_clock_stays_at_the_kings_result() {
    let mut table = Table::new(&[]);
    table.set_up(START);
    table.wait(3.0);
    table.make_all("d2d4 g8f6 c2c4 e7e6 b1c3");
    // White's king, whose side has moved last, is off the board for a while.
    table.hands("e1-");
    table.wait(2.0);
    table.hands("e4K e8-");
    table.wait(2.0);
    table.hands("d5k");
    table.wait(3.0);
    assert_eq!(table.moves(), "d4 Nf6 c4 e6 Nc3…");
    assert_eq!(table.results(), ["1-0 kings"]);
}

#[test]
fn a_reply_to_a_press_that_was_answered_is_pressed_for_later() {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("e2e4 e7e5");
    // Nothing is heard of the clock.
    table.running = None;
    table.wait(8.0);
    table.make_all("g1f3 b8c6");
    table.hands("f1-");
    // Both have pressed, as the next report shows; White puts the bishop down a moment later.
    table.remaining.white += 2;
    table.press(Color::Black);
    table.wait(0.25);
    for (words, side) in [
        ("b5B", Color::White),
        ("a7- a6p", Color::Black),
        ("b5- c6B", Color::White),
        ("d7- c6p", Color::Black),
    ] {
        for word in words.split(' ') {
            table.wait(0.1);
            let (square, piece) = word.split_at(2);
            table.set(square.parse().unwrap(), piece.chars().next().and_then(shakmaty::Piece::from_char));
        }
        table.wait(0.1);
        table.press(side);
    }
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn play_before_the_clock_is_reread_when_the_seats_change() {
    let mut table = Table::new(&[]);
    // The clock will stand otherwise than on most boards that lie like this one.
    table.rotated = true;
    table.set_up(START);
    table.wait(3.0);
    table.make_all("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 b1c3 d7d6");
    table.start(Color::White);
    table.play("d2d3 g8f6 c1g5 h7h6 f3e5 d6e5");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Bc5 Nc3 d6 d3 Nf6 Bg5 h6 Nxe5 dxe5");
}

#[test]
fn pieces_that_are_set_up_without_a_clock_take_no_move_back() {
    let mut table = Table::new(&[]);
    table.set_up(START);
    table.wait(3.0);
    table.make_all("g1f3 g8f6 b1a3 a7a6 d2d4 b8c6 c1d2 f6h5 d2c3 c6a7 d4d5 h5f4");
    table.wait(4.0);
    table.hands("a3- f3- a6- c3- a7- d5- f4- b1N g8n d2P a7p g1N c1B b8n");
    table.wait(4.0);
    assert_eq!(table.reported(), ["Nf3 Nf6 Na3 a6 d4 Nc6 Bd2 Nh5 Bc3 Na7 d5 Nf4"]);
    assert_eq!(table.starts().len(), 2);
}

#[test]
fn moves_in_turn_pick_a_game_up_without_a_clock() {
    let mut table = Table::new(&[]);
    table.set_up("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R");
    table.wait(5.0);
    table.make_all("f8c5 b1c3 g8f6");
    assert_eq!(table.starts(), Vec::<String>::new());
    table.make_all("d2d3 d7d6");
    table.finish();
    let start = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 1";
    assert_eq!((table.starts(), table.adoptions()), (vec![start.to_owned()], vec![true]));
    assert_eq!(table.moves(), "Bc5 Nc3 Nf6 d3 d6…");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn plies_before_a_rare_report_of_a_running_clock_are_shown() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    table.stop();
    table.wait(10.0);
    // The clock runs again, and does not report it yet.
    table.make_all("g1f3 b8c6");
    table.start(Color::White);
    table.make_all("f1c4");
    assert_eq!(table.moves(), "e4 e5 Nf3… Nc6… Bc4…");
}
