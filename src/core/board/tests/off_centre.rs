//! Pieces that stand beside the middle of their square, and are noticed late or not at all.

use shakmaty::Color;

use super::Table;

#[test]
fn a_reply_before_a_piece_was_noticed_is_no_illegal_move() {
    let mut table = Table::ordered(
        &["event.control=blitz"],
        "2r5/B4pkp/p1nb4/3p1Pp1/Pp2P1P1/1PRP3P/8/5KQN",
        Color::White,
    );
    // Both press between two readings of the clock.
    table.hands_within(0.3, "h1- g3N");
    table.wait(0.4);
    table.hands("c8-");
    table.wait(1.6);
    table.hands_within(0.4, "a7- d4B");
    table.wait(0.7);
    table.press(Color::White);
    table.hands("a8r");
    table.wait(3.0);
    table.play("c6e5");
    assert_eq!(table.moves(), "Ng3 Ra8 Bd4+ Ne5");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn giving_time_back_with_a_piece_off_the_board_is_no_null_press() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 h1g1");
    table.wait(1.2);
    // The rook is on h1 again, which does not show it.
    table.hands("g1-");
    table.wait(1.8);
    table.press(Color::Black);
    table.wait(1.2);
    table.hands_within(0.3, "e1- g1K");
    table.wait(0.7);
    table.hands("f1R");
    table.wait(0.6);
    table.press(Color::White);
    table.wait(3.0);
    table.play("f8c5");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O Bc5");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}

#[test]
fn a_null_press_while_the_opponent_adjusts_is_reported() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 h1g1");
    table.wait(1.2);
    table.hands("f3-");
    table.wait(0.5);
    table.press(Color::Black);
    table.hands("f3N");
    table.wait(3.0);
    assert_eq!(table.alerts(), ["press-without-move"]);
}

#[test]
fn a_queen_noticed_late_was_taken_there_and_nowhere_else() {
    let mut table = Table::ordered(&["event.control=standard"], "4k3/7p/8/8/8/2q5/3R3P/7K", Color::Black);
    table.hands("c3-");
    table.wait(0.9);
    table.press(Color::Black);
    table.wait(2.6);
    table.hands("d3q");
    table.wait(3.6);
    table.hands("d2- d3-");
    table.wait(0.4);
    table.hands("d3R");
    table.wait(0.8);
    table.press(Color::White);
    table.wait(3.0);
    table.play("h7h5");
    assert_eq!(table.moves(), "Qd3 Rxd3 h5");
}

#[test]
fn a_capture_noticed_after_its_press_is_no_press_without_a_move() {
    let mut table = Table::game(&["event.control=rapid"]);
    table.play("e2e4 d7d5");
    table.hands("e4-");
    table.wait(0.66);
    table.press(Color::White);
    table.wait(0.6);
    table.hands("d5- d5P");
    table.wait(0.55);
    table.hands("d8-");
    table.wait(1.05);
    table.hands("d5- d5q");
    table.wait(1.3);
    table.press(Color::Black);
    table.wait(3.0);
    assert_eq!(table.moves(), "e4 d5 exd5 Qxd5");
    assert_eq!(table.alerts(), ["press-before-made"]);
}

#[test]
fn a_promotion_not_shown_is_no_offence_on_a_late_board() {
    // The rook is noticed long after its presses.
    for (late, is_reported) in [(1, true), (3, false)] {
        let mut table = Table::ordered(&["event.control=blitz"], "4k3/P6p/8/8/8/8/7P/R3K3", Color::White);
        for (white, black) in
            [("a1- a2R", "h7- h6p"), ("a2- a3R", "h6- h5p"), ("a3- a1R", "h5- h4p")].iter().take(late)
        {
            let (lift, place) = white.split_once(' ').unwrap();
            table.hands(lift);
            table.wait(0.6);
            table.press(Color::White);
            table.wait(1.8);
            table.hands(place);
            table.wait(1.2);
            table.hands_within(0.3, black);
            table.wait(0.4);
            table.press(Color::Black);
            table.wait(1.0);
        }
        table.hands("a7-");
        table.wait(0.8);
        table.press(Color::White);
        table.wait(4.0);
        let alerts = table.alerts();
        let reported = alerts.iter().any(|alert| alert == "illegal-move promotion-incomplete");
        assert_eq!(reported, is_reported, "{alerts:?} {}", table.moves());
    }
}
