//! Presses that are told when the clock is read: by then the opponent's hand, or the next move, may be seen already.

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
