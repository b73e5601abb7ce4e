//! Presses that are reported when the clock is read: by then the opponent's hand, or the next move, may be seen already.

use shakmaty::{Color, Square};

use super::Table;

/// Sits two players down and lets them play these moves; `increment` seconds are added for each.
fn after(increment: u32, dead: &[Square], moves: &str) -> Table {
    let mut table = Table::game(&["event.control=standard"]);
    table.increment = increment;
    table.dead = dead.to_vec();
    table.play(moves);
    table
}

#[test]
fn a_ply_waits_for_its_press_where_the_clock_adds_time() {
    let mut table = after(30, &[], "e2e4 e7e5 g1f3 b8c6");
    table.hands_within(0.1, "f1- c4B");
    table.wait(0.35);
    table.hands_within(0.1, "g8- f6n");
    table.report();
    table.hands_within(0.1, "d2- d3P");
    table.wait(0.4);
    table.press(Color::White);
    table.wait(0.3);
    table.press(Color::Black);
    table.wait(0.1);
    table.hands_within(0.1, "d3- d4P");
    table.wait(0.6);
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 d4");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn a_taken_piece_put_down_beside_its_square_is_no_second_move() {
    let mut table = after(30, &[], "e2e4 g8f6 d1h5 b8c6");
    table.hands_within(0.1, "d2- d3P");
    table.wait(0.6);
    table.hands_within(0.04, "g5Q h5-");
    table.press(Color::White);
    table.wait(0.7);
    table.hands_within(0.2, "f6- g5- h5n");
    table.wait(0.3);
    table.press(Color::Black);
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 Nf6 Qh5 Nc6 d3 Nxh5");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn a_piece_taken_on_its_way_after_a_capture_has_moved() {
    let mut table = after(30, &[], "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    table.hands_within(0.4, "c6- c6B");
    table.hands_within(0.3, "b5-");
    table.wait(0.4);
    table.hands_within(0.04, "c6- b5B");
    table.wait(0.05);
    table.press(Color::White);
    table.wait(0.8);
    table.hands_within(0.4, "b5- d7- c6p");
    table.press(Color::Black);
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn a_move_that_presses_hid_is_no_part_of_the_next_one() {
    let mut table = after(0, &[Square::D6], "e2e4 e7e5 f1e2 d8f6 b2b3 h7h6");
    table.play("a2a3");
    table.hands_within(0.1, "f6- d6q e2- c4B");
    table.wait(1.5);
    table.hands_within(0.1, "d6- c6q");
    table.press(Color::Black);
    table.wait(2.0);
    table.play("g2g3 h6h5");
    table.wait(2.0);
    assert_eq!(
        table.alerts().iter().filter(|alert| alert.starts_with("illegal-move")).count(),
        0,
        "{}",
        table.moves()
    );
}

#[test]
fn two_captures_on_a_square_are_seen_by_what_left() {
    let mut table = after(30, &[], "e2e4 e7e5 g1f3 d7d6 d2d4 h7h6");
    table.hands_within(0.06, "d4- d6-");
    table.press(Color::White);
    table.wait(0.05);
    table.press(Color::Black);
    table.hands_within(0.06, "f3- e5N");
    table.wait(0.2);
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 d6 d4 h6 dxe5 dxe5 Nxe5");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn a_press_with_a_piece_in_hand_put_back_is_without_a_move() {
    for answered in [false, true] {
        let mut table = after(0, &[], "e2e4 e7e5");
        table.hands("g1-");
        table.press(Color::White);
        table.wait(2.0);
        table.hands("g1N");
        if answered {
            table.press(Color::Black);
            table.play("g1f3 b8c6");
        } else {
            table.wait(1.5);
            table.play("b8c6");
        }
        assert_eq!(table.alerts(), ["press-without-move"], "{answered}");
        assert_eq!(table.moves(), if answered { "e4 e5 Nf3 Nc6" } else { "e4 e5 Nc6" });
    }
    // It was lifted again, and has come down elsewhere.
    let mut table = after(0, &[], "e2e4 e7e5");
    table.hands("g1-");
    table.press(Color::White);
    table.wait(0.7);
    table.hands("g1N g1- f3N");
    table.play("b8c6");
    assert_eq!(table.alerts(), ["press-before-made"]);
}

#[test]
fn a_captured_piece_put_down_by_its_captor_is_no_move() {
    let mut table = Table::ordered(&[], "4k3/p7/1p6/3N4/8/8/8/4K3", Color::White);
    table.hands("b6- a5p d5- b6N a5-");
    table.press(Color::White);
    table.wait(20.0);
    table.press(Color::Black);
    table.wait(5.0);
    assert_eq!(table.alerts(), ["press-without-move"]);
    assert_eq!(table.moves(), "Nxb6");
}
