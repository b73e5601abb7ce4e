//! Presses of both players between two readings of a clock that adds no time.

use shakmaty::Color;

use super::Table;

/// Lets both players move at once, White twice, of which the clock reports only the last press.
fn ignores_timing() -> Table {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 b8a6");
    table.hands_within(0.15, "d2- d4P d7- d5p");
    table.wait(0.2);
    table.hands_within(0.15, "e4- d5- d5P");
    table.press(Color::White);
    table
}

#[test]
fn who_presses_twice_for_one_move_has_not_pressed_late() {
    let mut table = ignores_timing();
    table.hands_within(0.15, "g8- f6n");
    table.wait(0.9);
    table.press(Color::Black);
    table.hands_within(0.15, "h2- h3P");
    table.wait(0.9);
    table.press(Color::White);
    table.wait(1.2);
    table.press(Color::Black);
    table.wait(3.0);
    assert_eq!(table.moves(), "e4 Na6 d4 d5 exd5 Nf6 h3");
    assert_eq!(table.alerts(), ["press-without-move"]);
}

#[test]
fn who_presses_at_an_illegal_move_has_not_pressed_late() {
    let mut table = ignores_timing();
    table.hands_within(0.15, "g8- e4n");
    table.wait(0.9);
    table.press(Color::Black);
    table.wait(3.0);
    assert_eq!(table.moves(), "e4 Na6 d4 d5 exd5 Ng8e4?");
    assert_eq!(table.alerts(), ["illegal-move pattern"]);
}

#[test]
fn who_pressed_while_his_time_ran_has_not_moved_out_of_turn() {
    let mut table = Table::ordered(&["event.control=blitz"], "4k3/8/8/2b5/8/N7/3N4/4K3", Color::White);
    table.hands_within(0.2, "a3- c2N c5- b4b");
    table.wait(2.0);
    table.hands_within(0.3, "d2- e4N");
    table.wait(0.9);
    table.press(Color::White);
    table.wait(3.0);
    assert_eq!(table.alerts(), ["illegal-move king-in-check"]);
}

#[test]
fn a_rook_that_came_by_way_of_a_square_goes_back_there() {
    let mut table = Table::ordered(&["event.control=blitz"], "k3r3/8/8/4p3/6N1/8/8/4K3", Color::Black);
    table.hands_within(0.22, "d8r e8-");
    table.press(Color::Black);
    table.hands_within(0.01, "c8r d8-");
    table.hands_within(0.1, "e5- e5N g4-");
    table.wait(0.3);
    table.press(Color::White);
    table.wait(1.5);
    table.hands_within(0.01, "c8- d8r");
    table.wait(0.4);
    table.press(Color::Black);
    table.wait(3.0);
    assert_eq!(table.moves(), "Rc8 Nxe5 Rd8");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn moves_before_the_press_is_read_are_no_part_of_an_illegal_one() {
    let mut table = Table::game(&["event.control=standard"]);
    table.play("e2e4 e7e5");
    table.hands_within(0.2, "g1- g4N g8- f6n b1- c3N");
    table.press(Color::White);
    table.wait(3.0);
    assert_eq!(table.moves(), "e4 e5 Ng1g4? Nf6 Nc3");
    // So much at once may have been done otherwise: nobody is accused.
    assert_eq!(table.alerts(), Vec::<String>::new());
}
