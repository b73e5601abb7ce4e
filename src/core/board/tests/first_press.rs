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

#[test]
fn that_black_begins_is_not_concluded_again_where_it_was_stated() {
    let position = "r3k2r/ppp2ppp/2n1bn2/3qp3/8/2NPBN2/PPPQ1PPP/R3K2R";
    let mut table = Table::ordered(&[], position, Color::Black);
    table.hands("e8- g8k h8- e8r");
    table.press(Color::Black);
    table.wait(2.0);
    // Black puts the rook right, and White presses back.
    table.hands("e8- f8r");
    table.press(Color::White);
    table.wait(2.0);
    table.play("c3d5");
    assert!(table.starts().iter().all(|start| start.contains(" b ")), "{:?}", table.starts());
    assert!(table.alerts().iter().all(|alert| !alert.contains("white")), "{:?}", table.alerts());
}
