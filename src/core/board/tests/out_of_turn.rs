//! Players who move, move on or take back while the other one's time runs, and levers that bounce.

use shakmaty::Color;

use super::Table;

const BLITZ: &[&str] = &["event.control=blitz"];

fn words(table: &Table) -> Vec<String> {
    table.pick(|kind| {
        let crate::event::EventKind::Alert(alert) = kind else { return None };
        Some(format!("{} {}", alert.code.name(), alert.confidence.name()))
    })
}

#[test]
fn a_piece_moved_on_after_the_press_and_left_was_moved_there() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5");
    table.hands("b5- c4B");
    table.play("g8f6 d2d3 d7d6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 d6");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_move_remade_on_the_opponents_time_is_no_second_move() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5");
    table.hands("b5- f1B");
    table.wait(1.0);
    table.hands("f1- c4B");
    table.play("g8f6 d2d3");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 d3");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_piece_moved_on_after_the_press_may_move_from_there() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 d7d5 e4d5 d8d5 b1c3");
    table.hands("c3- b1N");
    table.wait(0.5);
    table.hands("b1- a3N");
    table.play("d5a5 a3c4");
    assert_eq!(table.moves(), "e4 d5 exd5 Qxd5 Na3 Qa5 Nc4");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn who_gives_time_back_for_a_take_back_has_not_offended() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5");
    table.press(Color::Black);
    table.wait(1.0);
    table.hands("b5- f1B");
    table.wait(1.0);
    table.play("f1c4 g8f6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6");
    // What was reported of the press is overturned.
    assert_eq!(words(&table), ["press-without-move likely"]);
    let overturned = table.pick(|kind| {
        let crate::event::EventKind::AlertUpdate(update) = kind else { return None };
        serde_json::to_string(update).unwrap().contains("overturned").then_some(())
    });
    assert_eq!(overturned.len(), 1);
}

#[test]
fn a_null_press_stays_one_if_the_opponent_moves_the_piece_again() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5");
    table.press(Color::Black);
    table.play("b5c4 g8f6");
    assert_eq!(words(&table).first().map(String::as_str), Some("press-without-move likely"));
    assert!(!table.since(0).contains(&"retract"), "{}", table.moves());
}

#[test]
fn who_captures_a_piece_moved_out_of_turn_has_not_offended() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3");
    table.make("d2d4");
    table.wait(2.0);
    table.play("e5d4 f3d4");
    assert!(!table.alerts().iter().any(|alert| alert.starts_with("illegal-move")), "{:?}", table.alerts());
    assert!(table.current().position().fen().starts_with("rnbqkbnr/pppp1ppp/8/8/3NP3/8/PPP2PPP/RNBQKB1R b"));
}

#[test]
fn a_piece_off_its_square_makes_two_moves_no_certain_offence() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    // White knocks the pawn over, Black puts it on a wrong square.
    table.hands("g1- h7- f3N");
    table.press(Color::White);
    table.wait(2.0);
    table.hands("h6p");
    table.play("b8c6 f1b5");
    assert!(
        words(&table).iter().any(|word| word == "board-mismatch likely" || word == "illegal-move possible")
    );
    assert!(!words(&table).iter().any(|word| word == "illegal-move certain"), "{:?}", words(&table));
}

#[test]
fn a_lever_that_bounces_is_nobodys_press() {
    for (apart, expected) in [(0.1, 0), (0.4, 1)] {
        let mut table = Table::game(BLITZ);
        table.play("e2e4 e7e5");
        table.make("g1f3");
        table.press(Color::White);
        table.wait(apart);
        table.press(Color::Black);
        table.wait(apart);
        table.press(Color::White);
        table.wait(2.0);
        table.play("b8c6 f1b5");
        assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5");
        let reported = words(&table).iter().filter(|word| word.starts_with("press-without-move")).count();
        assert_eq!(reported, expected, "{apart} s apart: {:?}", words(&table));
    }
}

#[test]
fn a_press_without_a_move_after_a_capture_is_reported() {
    let mut table = Table::game(BLITZ);
    table.play("d2d4 d7d5 c2c4 e7e5 d4e5");
    table.wait(20.0);
    table.press(Color::Black);
    table.wait(3.0);
    table.press(Color::White);
    table.play("d5d4 e2e3");
    assert_eq!(words(&table).first().map(String::as_str), Some("press-without-move likely"));
    assert_eq!(table.moves(), "d4 d5 c4 e5 dxe5 d4 e3");
}

#[test]
fn a_rook_that_follows_its_king_late_completes_castling() {
    // Before the reply, after it, and together with the next move.
    for (before, after) in [("h1- f1R", ""), ("", "h1- f1R"), ("", "d2- h1- f1R d2P")] {
        let mut table = Table::game(BLITZ);
        table.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
        table.hands("e1- g1K");
        table.press(Color::White);
        table.wait(2.0);
        table.hands(before);
        table.play("g8f6");
        table.wait(2.0);
        table.hands(after);
        table.play("d2d3 d7d6");
        assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O Nf6 d3 d6");
        let illegal = table.alerts().iter().filter(|alert| alert.starts_with("illegal-move")).count();
        assert_eq!(illegal, 1, "{:?}", table.alerts());
        // The press was an offence, though it has been put right since.
        let overturned = table.pick(|kind| {
            let crate::event::EventKind::AlertUpdate(update) = kind else { return None };
            (update.id == "port-1-1" && serde_json::to_string(update).unwrap().contains("overturned"))
                .then_some(())
        });
        assert!(overturned.is_empty());
    }
}

#[test]
fn who_hands_over_a_clock_that_ran_wrongly_has_not_offended() {
    // Black's time runs, White moves and cannot press: Black hands the clock over, and White presses.
    let mut table = Table::new(BLITZ);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(3.0);
    table.start(Color::Black);
    table.wait(2.0);
    table.make("e2e4");
    table.press(Color::Black);
    table.wait(0.5);
    table.press(Color::White);
    table.wait(1.0);
    table.play("e7e5 g1f3 b8c6 f1b5");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5");
    let certain = words(&table).into_iter().filter(|word| !word.ends_with("possible"));
    assert_eq!(certain.filter(|word| !word.starts_with("claim")).collect::<Vec<_>>(), Vec::<String>::new());
    // Once the sides of the clock are found, nothing of it is left.
    let last = table.pick(|kind| {
        let crate::event::EventKind::AlertUpdate(update) = kind else { return None };
        (update.id == "port-1-1").then(|| serde_json::to_string(update).unwrap())
    });
    assert!(last.last().is_none_or(|update| update.contains("overturned")), "{last:?}");
}

#[test]
fn the_opponents_pieces_put_back_wrongly_make_no_illegal_move() {
    // White knocks over two of his own, and puts them back in Black's time; or White knocks over Black's.
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    table.hands("g1- f1- h1- f3N");
    table.press(Color::White);
    table.wait(1.0);
    table.hands("f1R h1B");
    table.play("b8c6");
    let expected = [r#"board-mismatch missing ["f1","h1"]"#, r#"board-mismatch stray ["f1","h1"]"#];
    assert_eq!(table.alerts(), expected);
    table.hands("f1- h1- f1B h1R");
    table.play("f1c4 g8f6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6");
    assert_eq!(table.alerts(), expected);

    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    table.hands("g1- f8- g8- f3N f8n g8b");
    table.press(Color::White);
    table.wait(1.0);
    assert_eq!(table.alerts(), [r#"board-mismatch stray ["f8","g8"]"#]);
}

#[test]
fn own_pieces_put_back_wrongly_make_no_offence() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    table.hands("g1- h2- g2- f3N h3P g2P");
    table.press(Color::White);
    table.wait(1.0);
    assert_eq!(table.alerts(), [r#"board-mismatch missing ["h2","h3"]"#]);
    // After the press, in Black's time.
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    table.hands("g1- f3N h2- g2-");
    table.press(Color::White);
    table.wait(1.0);
    table.hands("h3P g2P");
    table.play("b8c6 f1b5");
    assert!(!table.alerts().iter().any(|alert| alert.starts_with("illegal-move")), "{:?}", table.alerts());
    // Two pieces that are moved one after the other were moved, unless one of them was pushed aside.
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    table.hands("g1- f3N h2- h3P");
    table.press(Color::White);
    table.wait(1.0);
    assert_eq!(words(&table), Vec::<String>::new());
    table.wait(3.0);
    assert_eq!(words(&table), ["illegal-move possible"]);
}

#[test]
fn who_replied_before_the_press_may_press_for_that_later() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5");
    table.make("f1c4");
    table.make("b8c6");
    table.make("c4b5");
    table.press(Color::White);
    table.wait(1.0);
    table.press(Color::Black);
    table.wait(2.0);
    assert_eq!(words(&table), Vec::<String>::new());
}

#[test]
fn a_move_in_the_opponents_time_and_one_in_the_own_are_two() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3");
    table.wait(1.0);
    table.make("d2d4");
    table.play("b8c6 f1b5");
    assert_eq!(words(&table), ["illegal-move likely"]);
    // With a capture.
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    table.make("g8f6");
    table.wait(2.0);
    table.play("b5c6 d7c6");
    assert_eq!(words(&table), ["illegal-move likely"]);
}

#[test]
fn a_piece_moved_in_the_opponents_time_may_be_its_owners_move() {
    let mut table = Table::game(BLITZ);
    table.play("e2e4 e7e5 g1f3");
    table.wait(2.0);
    table.make("d2d4");
    table.wait(2.0);
    table.press(Color::Black);
    table.wait(2.0);
    assert_eq!(words(&table), ["illegal-move likely"]);
}

#[test]
fn a_promoted_piece_exchanged_after_the_press_is_another_choice() {
    // Before Black moves, and together with his move; where the arbiter has stopped the clock nobody has offended.
    for (reply, stopped) in [("g8g7", false), ("g8g7", true)] {
        let mut table = Table::ordered(&[], "6k1/4P2p/8/8/8/8/8/3QK3", Color::White);
        table.hands("e7- e8R");
        table.press(Color::White);
        table.wait(3.0);
        if stopped {
            table.stop();
            table.wait(2.0);
        }
        table.hands("e8- e8Q");
        if stopped {
            table.wait(2.0);
            table.start(Color::Black);
        }
        table.wait(2.0);
        table.play(reply);
        table.wait(3.0);
        assert_eq!(table.moves(), "e8=Q+ Kg7");
        let expected: &[&str] = if stopped { &[] } else { &["promotion-choice-changed likely"] };
        assert_eq!(words(&table), expected);
    }
}

#[test]
fn who_captures_with_an_opponents_piece_has_moved_illegally() {
    for (before, illegal) in
        [("e2e4 d7d5", "d5e4"), ("e2e4 d7d5 b1c3", "e4d5"), ("e2e4 d7d5 b1c3 d5e4", "d8d2")]
    {
        let mut table = Table::game(&["event.control=standard"]);
        table.play(before);
        table.make(illegal);
        let side = table.running.unwrap();
        table.press(side);
        table.wait(4.0);
        assert_eq!(words(&table), ["illegal-move likely"], "{illegal}");
        assert_eq!(table.alerts(), ["illegal-move opponents-piece"], "{illegal}");
    }
}

#[test]
fn a_second_null_press_is_reported_after_the_arbiters_restart() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    for _ in 0..2 {
        table.press(Color::White);
        table.wait(3.0);
        table.stop();
        table.wait(5.0);
        table.start(Color::White);
        table.wait(4.0);
    }
    table.play("g1f3");
    assert_eq!(words(&table), ["press-without-move likely", "press-without-move likely"]);
    assert_eq!(table.moves(), "e4 e5 Nf3");
}
