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

/// The lever was turned since the clock stood, and White has moved.
#[test]
fn a_start_that_nobody_reports_hides_no_press() {
    for at_rest in [0.1, 1.0, 5.0] {
        for thought in [0.0, 0.3] {
            let mut table = first_move(at_rest, thought, false);
            assert_eq!(table.moves(), "e4", "{at_rest} {thought}");
            table.play("e7e5 g1f3");
            assert_eq!(table.moves(), "e4 e5 Nf3", "{at_rest} {thought}");
            assert!(table.alerts().is_empty(), "{:?}", table.alerts());
        }
    }
}

/// Where nobody has moved, the lever was turned before the clock was started.
#[test]
fn a_lever_that_was_turned_before_the_start_is_no_press() {
    for (first, then) in [(Color::White, Color::Black), (Color::Black, Color::White)] {
        let mut table = Table::new(&[]);
        table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
        table.lever = first;
        table.stop();
        table.wait(1.0);
        table.start(then);
        table.wait(3.0);
        if then.is_black() {
            table.start(Color::White);
        }
        table.play("e2e4 e7e5 g1f3");
        table.finish();
        assert_eq!(table.moves(), "e4 e5 Nf3", "{first}");
        assert_eq!(table.alerts(), Vec::<String>::new(), "{first}");
    }
}
