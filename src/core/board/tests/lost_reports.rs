//! Reports that a sound line has lost, and what must not follow from that.

use shakmaty::{Color, Square};

use super::{Table, set};

/// Moves a piece that is reported to have left, and never to have come.
fn vanishing(table: &mut Table, from: Square, to: Square) {
    let piece = table.stands.piece_at(from).unwrap();
    table.set(from, None);
    set(&mut table.stands, to, Some(piece));
    table.wait(1.0);
    table.press(piece.color);
    table.wait(5.0);
}

/// A mate by the queen, if White's has gone to g2 and not to d2; of both moves the board shows the same.
fn mated_or_not() -> Table {
    let mut table = Table::ordered(&[], "2r2rk1/5ppp/1p1RpP2/p7/8/PP3qP1/1B2Q2P/4R1Kb", Color::White);
    vanishing(&mut table, Square::E2, Square::D2);
    table.play("f3g2");
    table.wait(5.0);
    assert_eq!(table.moves(), "Qg2 Qxg2#");
    table
}

#[test]
fn a_mate_nobody_saw_exactly_does_not_end_a_game_that_goes_on() {
    let mut table = mated_or_not();
    assert_eq!(table.results(), Vec::<String>::new());
    table.play("d2g2 h1g2 f6g7");
    table.wait(5.0);
    assert_eq!(table.moves(), "Qd2 Qg2+ Qxg2 Bxg2 fxg7");
    assert_eq!(table.alerts(), ["checkmate"]);
}

#[test]
fn a_mate_nobody_saw_exactly_ends_the_game_at_a_stopped_clock() {
    let mut table = mated_or_not();
    table.stop();
    table.wait(1.0);
    assert_eq!(table.results(), ["0-1 mate"]);
}

#[test]
fn a_mate_that_nobody_saw_exactly_ends_a_game_that_is_over() {
    let mut table = mated_or_not();
    table.finish();
    assert_eq!(table.results(), ["0-1 mate"]);
}

#[test]
fn a_game_that_was_picked_up_long_ago_has_begun_as_it_was_found() {
    let mut table = Table::position(&[], "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", Color::White);
    table.play("f1b5 a7a6 b5a4 g8f6");
    vanishing(&mut table, Square::D2, Square::D3);
    table.play("f8e7 d3d4");
    // The pawn from h7 is only reported to have come.
    set(&mut table.stands, Square::H7, None);
    table.hands("h6p");
    table.wait(1.0);
    table.press(Color::Black);
    table.wait(2.0);
    table.play("b1c3");
    table.finish();
    assert_eq!(table.starts().len(), 1, "{:?}", table.starts());
    assert_eq!(table.moves(), "Bb5 a6 Ba4 Nf6 d3 Be7 d4 h6 Nc3");
}

#[test]
fn a_press_with_a_piece_in_hand_has_a_move_after_more_moves() {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("e2e4 e7e5");
    // Reports are lost, so that a dump is waited for before a press is said to have completed nothing.
    vanishing(&mut table, Square::A2, Square::A3);
    table.dump();
    table.play("a7a6");
    table.play("g1f3");
    table.hands("g7-");
    table.press(Color::Black);
    table.wait(0.8);
    table.hands("g6p");
    table.wait(0.4);
    // They play on at once, the pieces that Black has on other squares by then had not moved when he pressed.
    table.play("g2g3 f8g7 f1g2");
    table.wait(12.0);
    table.play("e8f8 h2h3");
    assert!(table.moves().ends_with("Nf3 g6 g3 Bg7 Bg2 Kf8 h3"), "{}", table.moves());
    let alerts = table.alerts();
    assert!(alerts.iter().all(|alert| !alert.starts_with("press-without-move")), "{alerts:?}");
}
