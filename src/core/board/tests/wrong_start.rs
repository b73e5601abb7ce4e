//! Games that begin with pieces on each other's squares (Art. 7.2.1), and pieces that are put right later.

use shakmaty::{Color, Square};

use super::Table;
use crate::{alert::Confidence, event::EventKind};

/// Exchanges bishop and knight before the clock starts, where all stood right; returns the table three moves later.
fn pieces_exchanged_before_the_clock_starts(dead: &[Square]) -> Table {
    let mut table = Table::new(&[]);
    table.dead = dead.to_vec();
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(2.0);
    table.hands("f1- g1- f1N g1B");
    table.wait(2.0);
    table.start(Color::White);
    table.wait(5.0);
    table.play("e2e4 e7e5 f1g3");
    table
}

#[test]
fn pieces_exchanged_before_the_clock_starts_are_a_wrong_start() {
    let table = pieces_exchanged_before_the_clock_starts(&[]);
    assert_eq!(table.moves(), "e4 e5 Ng3");
    assert_eq!(table.alerts(), [r#"start-position-wrong  ["f1","g1"]"#]);
}

#[test]
fn pieces_exchanged_beside_a_dead_square_are_a_wrong_start() {
    let table = pieces_exchanged_before_the_clock_starts(&[Square::D8]);
    assert_eq!(table.moves(), "e4 e5 Ng3");
    assert_eq!(table.alerts().first().map(String::as_str), Some(r#"start-position-wrong  ["f1","g1"]"#));
}

/// Begins a game with Black's king and queen on each other's squares and plays these moves.
fn king_and_queen_exchanged(moves: &str) -> Table {
    let mut table = Table::new(&["event.control=blitz"]);
    table.set_up("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.start(Color::White);
    table.wait(3.0);
    table.play(moves);
    table
}

/// Plays on, and checks that a second game begins from where all pieces stand right, has these moves, and accuses nobody.
fn goes_on_with_pieces_put_right(mut table: Table, moves: &str, all: &str) {
    table.play(moves);
    table.wait(3.0);
    assert_eq!(table.moves(), all);
    assert_eq!(table.starts().last(), Some(&crate::position::Position::initial().fen()));
    assert_eq!(table.starts().len(), 2);
    assert_eq!(table.alerts_beside_unread(), [r#"start-position-wrong  ["d8","e8"]"#]);
}

#[test]
fn pieces_put_right_while_the_clock_stands_are_nobodys_move() {
    let mut table = king_and_queen_exchanged("e2e4 e7e5 g1f3");
    table.stop();
    table.wait(2.0);
    table.hands("d8- e8- d8q e8k");
    table.wait(2.0);
    table.start(Color::Black);
    goes_on_with_pieces_put_right(table, "b8c6 f1b5", "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn pieces_put_right_before_a_move_are_nobodys_move() {
    let mut table = king_and_queen_exchanged("e2e4");
    table.wait(1.0);
    table.hands("d8- e8- d8q e8k");
    goes_on_with_pieces_put_right(table, "e7e5 g1f3", "e4 e5 Nf3");
}

#[test]
fn pieces_put_right_between_move_and_press_are_nobodys_move() {
    let mut table = king_and_queen_exchanged("e2e4");
    table.make("e7e5");
    table.hands("d8- e8- d8q e8k");
    table.press(Color::Black);
    table.wait(1.0);
    goes_on_with_pieces_put_right(table, "g1f3 b8c6", "e4 e5 Nf3 Nc6");
}

#[test]
fn a_king_that_walks_home_from_a_wrong_start_is_play() {
    let mut table = king_and_queen_exchanged("e2e4 e7e5 g1f3 e8e6 f1c4 d8e8 e1g1 e6d6 d2d4");
    table.wait(3.0);
    assert_eq!(table.starts().len(), 1, "{}", table.moves());
    assert_eq!(table.current().len(), 9, "{}", table.moves());
}

impl Table {
    /// Returns the alerts, but for squares that did not report what stands on them.
    fn alerts_beside_unread(&self) -> Vec<String> {
        self.alerts().into_iter().filter(|alert| !alert.starts_with("board-mismatch")).collect()
    }
}

/// Empties or fills a square without a word of the board.
fn unseen(table: &mut Table, square: Square, piece: char) {
    super::set(&mut table.stands, square, shakmaty::Piece::from_char(piece));
    table.wait(0.3);
}

#[test]
fn a_piece_put_on_a_wrong_square_unseen_makes_a_wrong_start() {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(2.0);
    table.hands("b1- c1- b1B");
    unseen(&mut table, Square::C1, 'N');
    table.wait(2.0);
    table.start(Color::White);
    table.wait(1.0);
    table.make("h2h3");
    table.press(Color::White);
    table.wait(0.2);
    table.dump();
    table.wait(2.0);
    table.play("e7e5");
    assert_eq!(table.moves(), "h3 e5");
    assert_eq!(table.alerts_beside_unread(), [r#"start-position-wrong  ["b1","c1"]"#]);
}

#[test]
fn a_game_set_up_anew_begins_with_a_piece_nobody_saw_come() {
    let mut table = Table::new(&["event.control=blitz"]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR");
    table.start(Color::White);
    table.wait(2.0);
    table.play("b2b3");
    table.stop();
    table.wait(2.0);
    table.hands("f1- g1- b3- g1N b2P");
    unseen(&mut table, Square::F1, 'B');
    table.wait(1.0);
    table.start(Color::White);
    table.wait(0.5);
    table.hands("f2-");
    table.dump();
    table.hands("f4P");
    table.press(Color::White);
    table.wait(0.2);
    table.dump();
    table.wait(2.0);
    table.play("f7f5 b1a3");
    assert_eq!(table.moves(), "f4 f5 Na3");
    assert_eq!(table.starts().last(), Some(&crate::position::Position::initial().fen()));
    assert_eq!(table.alerts_beside_unread(), [r#"start-position-wrong  ["f1","g1"]"#]);
}

#[test]
fn pieces_of_which_one_comes_home_unseen_are_put_right() {
    for lost in [Square::D8, Square::E8] {
        let mut table = king_and_queen_exchanged("e2e4 e7e5 g1f3");
        table.stop();
        table.wait(2.0);
        table.hands("d8- e8-");
        for (square, piece) in [(Square::D8, 'q'), (Square::E8, 'k')] {
            if square == lost {
                unseen(&mut table, square, piece);
            } else {
                table.hands(&format!("{square}{piece}"));
            }
        }
        table.wait(2.0);
        table.start(Color::Black);
        table.wait(1.0);
        table.make("b8c6");
        table.dump();
        table.press(Color::Black);
        goes_on_with_pieces_put_right(table, "f1b5", "e4 e5 Nf3 Nc6 Bb5");
    }
}

/// Begins a game with two pairs of pieces on each other's squares, and puts the first pair right while the clock stands.
fn first_of_two_pairs_put_right() -> Table {
    let mut table = Table::new(&["event.control=blitz"]);
    table.set_up("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKNBR");
    table.start(Color::White);
    table.wait(3.0);
    table.play("e2e4 e7e5");
    table.stop();
    table.wait(2.0);
    table.hands("d8- e8- d8q e8k");
    table
}

#[test]
fn two_pairs_put_right_one_after_the_other_make_one_game() {
    let mut table = first_of_two_pairs_put_right();
    table.wait(2.0);
    table.hands("f1- g1- f1B g1N");
    table.wait(2.0);
    table.start(Color::White);
    table.play("g1f3 b8c6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
    assert_eq!(table.starts().len(), 2);
    assert_eq!(table.starts().last(), Some(&crate::position::Position::initial().fen()));
    assert_eq!(table.alerts(), [r#"start-position-wrong  ["f1","g1","d8","e8"]"#]);
}

#[test]
fn one_of_two_pairs_is_put_right() {
    for (wait, moves) in [(0.5, "f1g3 b8c6"), (7.0, "f1e3 b8c6")] {
        let mut table = first_of_two_pairs_put_right();
        table.wait(wait);
        table.start(Color::White);
        table.play(moves);
        assert_eq!(table.current().len(), 4, "{}", table.moves());
        assert!(table.current().plies().iter().all(crate::game::Ply::is_legal), "{}", table.moves());
        assert_eq!(table.starts().len(), 2, "{:?}", table.starts());
        assert_eq!(table.alerts().len(), 2, "{:?}", table.alerts());
    }
}

#[test]
fn a_game_that_black_has_begun_is_kept_from_its_first_move() {
    for mirrored in [false, true] {
        let mut table = Table::new(&["event.control=blitz"]);
        table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        table.wait(3.0);
        let press = |table: &mut Table, side: Color| table.press(if mirrored { !side } else { side });
        table.start(if mirrored { Color::White } else { Color::Black });
        for uci in ["e7e5", "e2e4", "b8c6", "g1f3"] {
            let side = table.make(uci);
            press(&mut table, side);
            table.wait(1.2);
        }
        assert_eq!(table.moves(), "e5 e4 Nc6 Nf3", "{mirrored}");
        // On the side of the clock where White usually sits, White may have moved Black's piece.
        let suspected = if mirrored { vec![Confidence::Possible] } else { Vec::new() };
        assert_eq!(reported(&table), suspected, "{mirrored}");
        assert_eq!(overturned(&table), usize::from(mirrored), "{mirrored}");
        assert!(
            table.current().start().fen().ends_with(" b KQkq - 0 1"),
            "{}",
            table.current().start().fen()
        );
    }
}

#[test]
fn black_may_take_a_first_move_back_for_white_to_begin() {
    let mut table = Table::new(&["event.control=blitz"]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(3.0);
    table.start(Color::Black);
    table.play("e7e5");
    table.hands("e5- e7p");
    table.wait(0.5);
    table.play("e2e4 d7d5 e4d5");
    assert_eq!(table.moves(), "e4 d5 exd5");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_press_of_whites_before_the_first_move_is_no_start_by_black() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.press(Color::White);
    table.wait(2.0);
    table.play("e7e5 e2e4");
    table.finish();
    assert_eq!(table.starts(), ["rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]);
    let named = table.alerts();
    assert!(named.iter().any(|alert| alert.starts_with("press-without-move")), "{named:?}");
}

#[test]
fn white_who_moves_a_piece_of_blacks_first_is_reported() {
    let mut table = Table::game(&["event.control=standard"]);
    table.make("e7e5");
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.alerts(), ["illegal-move opponents-piece"]);
    assert_eq!(reported(&table), [Confidence::Possible]);
    // Black moves next: the first move was White's.
    table.play("d7d5 g1f3 b8c6");
    assert_eq!(table.moves(), "e7e5? d5 Nf3 Nc6");
    assert_eq!(table.alerts(), ["illegal-move opponents-piece"]);
    assert_eq!(overturned(&table), 0);
}

/// Returns how sure the alerts are.
fn reported(table: &Table) -> Vec<Confidence> {
    table.pick(|kind| if let EventKind::Alert(alert) = kind { Some(alert.confidence) } else { None })
}

/// Returns how many alerts later evidence has overturned.
fn overturned(table: &Table) -> usize {
    let updates = table.pick(|kind| {
        let EventKind::AlertUpdate(update) = kind else { return None };
        serde_json::to_string(update).unwrap().contains("overturned").then_some(())
    });
    updates.len()
}
