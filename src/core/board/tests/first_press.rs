//! The first press of a game, soon after the clock was started.

use shakmaty::Color;

use super::Table;

/// Starts the clock, plays 1.e4 as fast as hands can and presses; the start may fall between two reports of the clock.
fn first_move(at_rest: f64, thought: f64, is_start_reported: bool) -> Table {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.stop();
    table.wait(at_rest);
    if is_start_reported {
        table.start(Color::White);
    }
    table.wait(thought);
    table.hands_within(0.1, "e2- e4P");
    table.press(Color::White);
    table.wait(8.0);
    table
}

#[test]
fn a_press_right_after_the_start_completes_the_first_move() {
    for at_rest in [0.1, 0.5, 1.0, 5.0] {
        for thought in [0.0, 0.1, 0.2, 0.3, 0.5, 1.0] {
            let table = first_move(at_rest, thought, true);
            assert_eq!(table.moves(), "e4", "{at_rest} {thought}");
        }
    }
}

/// A clock that begins to run for Black may have been started so: nobody is known to have pressed before Black answers.
#[test]
fn a_start_that_nobody_reports_leaves_the_first_move_open_until_the_reply() {
    for at_rest in [0.1, 1.0, 5.0] {
        for thought in [0.0, 0.3] {
            let mut table = first_move(at_rest, thought, false);
            assert_eq!(table.moves(), "e4…", "{at_rest} {thought}");
            table.play("e7e5 g1f3");
            assert_eq!(table.moves(), "e4 e5 Nf3", "{at_rest} {thought}");
            assert!(table.alerts().is_empty(), "{:?}", table.alerts());
        }
    }
}
