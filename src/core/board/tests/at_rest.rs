//! What happens while the clock stands still, or by consent: nobody plays then.

use shakmaty::Color;

use super::Table;

#[test]
fn a_piece_moved_while_the_clock_stood_is_not_the_next_move() {
    for (hands, played) in [("a2- a3P", "f1b5"), ("h7- h6p", "f1b5 a7a6")] {
        let mut table = Table::game(&["event.control=standard"]);
        table.play("e2e4 e7e5 g1f3 b8c6");
        table.stop();
        table.wait(2.0);
        table.hands(hands);
        table.wait(3.0);
        table.start(Color::White);
        table.wait(2.0);
        table.play(played);
        table.wait(3.0);
        let illegal = table.alerts();
        assert!(!illegal.iter().any(|alert| alert.starts_with("illegal-move")), "{hands}: {illegal:?}");
    }
}

#[test]
fn an_illegal_move_while_the_clock_stood_accuses_no_opponent() {
    let mut table = Table::game(&["event.control=rapid"]);
    table.play("e2e4 d7d5");
    table.stop();
    table.wait(1.0);
    table.hands("g1- g4N");
    table.wait(1.0);
    table.start(Color::Black);
    table.wait(3.0);
    table.play("d5e4 g4e5");
    table.wait(3.0);
    assert!(table.alerts().iter().all(|alert| !alert.starts_with("illegal-move")), "{:?}", table.alerts());
}

#[test]
fn moves_that_both_take_back_are_no_part_of_the_next_one() {
    let mut table = Table::game(&["event.control=standard"]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    table.wait(1.0);
    table.hands("b5- f1B a6- a7p");
    table.wait(1.0);
    table.make("f1c4");
    table.press(Color::White);
    table.wait(2.0);
    table.play("g8f6 d2d3");
    table.wait(3.0);
    let illegal = table.alerts();
    assert!(!illegal.iter().any(|alert| alert.starts_with("illegal-move")), "{illegal:?}");
}

#[test]
fn who_begins_with_another_move_again_has_not_offended() {
    let mut table = Table::new(&["event.control=blitz"]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(3.0);
    table.start(Color::Black);
    table.wait(2.0);
    table.play("e7e5");
    table.wait(1.0);
    table.hands("e5- e7p d7- d5p");
    table.wait(2.0);
    table.play("e2e4 d5e4 b1c3");
    table.wait(3.0);
    let illegal = table.alerts();
    assert!(!illegal.iter().any(|alert| alert.starts_with("illegal-move")), "{illegal:?}");
}

#[test]
fn a_press_that_the_opponent_takes_back_at_once_is_reported() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.wait(1.0);
    table.press(Color::White);
    table.wait(0.38);
    table.press(Color::Black);
    table.wait(2.0);
    table.play("f1b5 a7a6");
    assert_eq!(table.alerts().first().map(String::as_str), Some("press-without-move"));
}

#[test]
fn a_clock_that_is_knocked_accuses_nobody() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    for (side, seconds) in
        [(Color::White, 0.3), (Color::Black, 0.3), (Color::White, 0.2), (Color::Black, 2.0)]
    {
        table.press(side);
        table.wait(seconds);
    }
    table.play("f1b5 a7a6");
    table.wait(3.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert!(table.alerts().is_empty(), "{:?}", table.alerts());
}
