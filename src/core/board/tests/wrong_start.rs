//! Games that begin with men on each other's squares (Art. 7.2.1), and men that are put right later.

use shakmaty::{Color, Square};

use super::Table;

/// Exchanges bishop and knight before the clock starts, where all stood right; returns the table three moves later.
fn men_exchanged_before_the_clock_starts(dead: &[Square]) -> Table {
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
fn men_exchanged_before_the_clock_starts_are_a_wrong_start() {
    let table = men_exchanged_before_the_clock_starts(&[]);
    assert_eq!(table.moves(), "e4 e5 Ng3");
    assert_eq!(table.alerts(), [r#"start-position-wrong  ["f1","g1"]"#]);
}

#[test]
fn men_exchanged_beside_a_dead_square_are_a_wrong_start() {
    let table = men_exchanged_before_the_clock_starts(&[Square::D8]);
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

/// Plays on, and checks that a second game begins from where all men stand right, has these moves, and accuses nobody.
fn goes_on_with_men_put_right(mut table: Table, moves: &str, all: &str) {
    table.play(moves);
    table.wait(3.0);
    assert_eq!(table.moves(), all);
    assert_eq!(table.starts().last(), Some(&crate::position::Position::initial().fen()));
    assert_eq!(table.starts().len(), 2);
    assert_eq!(table.alerts(), [r#"start-position-wrong  ["d8","e8"]"#]);
}

#[test]
fn men_put_right_while_the_clock_stands_are_nobodys_move() {
    let mut table = king_and_queen_exchanged("e2e4 e7e5 g1f3");
    table.stop();
    table.wait(2.0);
    table.hands("d8- e8- d8q e8k");
    table.wait(2.0);
    table.start(Color::Black);
    goes_on_with_men_put_right(table, "b8c6 f1b5", "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn men_put_right_before_a_move_are_nobodys_move() {
    let mut table = king_and_queen_exchanged("e2e4");
    table.wait(1.0);
    table.hands("d8- e8- d8q e8k");
    goes_on_with_men_put_right(table, "e7e5 g1f3", "e4 e5 Nf3");
}

#[test]
fn men_put_right_between_a_move_and_its_press_are_nobodys_move() {
    let mut table = king_and_queen_exchanged("e2e4");
    table.make("e7e5");
    table.hands("d8- e8- d8q e8k");
    table.press(Color::Black);
    table.wait(1.0);
    goes_on_with_men_put_right(table, "g1f3 b8c6", "e4 e5 Nf3 Nc6");
}

#[test]
fn a_king_that_walks_home_from_a_wrong_start_is_play() {
    let mut table = king_and_queen_exchanged("e2e4 e7e5 g1f3 e8e6 f1c4 d8e8 e1g1 e6d6 d2d4");
    table.wait(3.0);
    assert_eq!(table.starts().len(), 1, "{}", table.moves());
    assert_eq!(table.current().len(), 9, "{}", table.moves());
}
