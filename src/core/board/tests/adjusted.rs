//! Pieces that are taken up, or knocked over, beside the move that is made (Art. 4.2 and 7.4).

use shakmaty::Color;

use super::Table;

/// The moves as a game writes them, and the codes of all alerts.
fn played_and_reported(table: &Table) -> (String, Vec<String>) {
    (table.moves(), table.alerts())
}

#[test]
fn an_illegal_move_is_of_the_piece_moved_not_of_one_lifted() {
    let mut table = Table::game(&[]);
    table.play("e2e4 g7g6 d2d4");
    table.hands("f7- h5p");
    table.wait(0.6);
    table.hands("g6-");
    table.wait(0.4);
    table.press(Color::Black);
    table.wait(2.0);
    table.hands("g6p");
    table.wait(3.0);
    table.play("b1c3");
    let (moves, alerts) = played_and_reported(&table);
    assert!(moves.starts_with("e4 g6 d4 f7h5? Nc3"), "{moves}");
    assert!(alerts.iter().any(|alert| alert.starts_with("illegal-move")), "{alerts:?}");
}

#[test]
fn pieces_knocked_over_make_no_illegal_move_of_a_legal_one() {
    let mut table = Table::game(&[]);
    table.play("e2e4 g7g6 d2d4 g8f6 b1c3");
    table.hands("f6- e7- a7-");
    table.wait(0.4);
    table.hands("a6p");
    table.wait(0.4);
    table.press(Color::Black);
    table.wait(2.0);
    table.hands("e7p f6n");
    table.wait(1.0);
    table.play("g1f3");
    assert_eq!(table.moves(), "e4 g6 d4 Nf6 Nc3 a6 Nf3");
    assert!(table.alerts().iter().all(|alert| !alert.starts_with("illegal-move")), "{:?}", table.alerts());
}

#[test]
fn an_offence_is_reported_although_pieces_were_knocked_over() {
    let mut table = Table::game(&[]);
    table.play("e2e4 g7g6 d2d4 g8f6 b1c3");
    for (taken_up, moved) in [("f6- e7- d7-", "a7- a6p"), ("f6- e7- d7-", "a6- a5p")] {
        table.hands(taken_up);
        table.wait(0.3);
        table.hands(moved);
        table.wait(0.4);
        table.press(Color::Black);
        table.wait(2.0);
        table.hands("d7p e7p f6n");
        table.wait(1.0);
        table.play(if moved.starts_with("a7") { "g1f3" } else { "f3g1" });
    }
    table.hands("c8- c5b");
    table.wait(0.5);
    table.press(Color::Black);
    table.wait(5.0);
    assert!(table.alerts().iter().any(|alert| alert.starts_with("illegal-move")), "{:?}", table.alerts());
}

#[test]
fn a_piece_put_down_early_and_put_right_after_the_press_moved() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.hands("h7-");
    table.wait(0.6);
    table.hands("f1- b5B");
    table.wait(0.4);
    table.press(Color::White);
    table.hands("b5-");
    table.wait(0.7);
    table.hands("b5B");
    table.wait(0.5);
    table.hands("h7p");
    table.wait(1.0);
    table.play("g8f6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 Nf6");
    assert_eq!(table.alerts(), Vec::<String>::new());
}
