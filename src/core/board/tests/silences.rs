//! What falls into a moment in which the board cannot be heard, as a hub resets it or the program starts again, and how sure it is.

use shakmaty::Color;

use super::Table;
use crate::{alert::Confidence, code::Code, event::EventKind};

/// After 1. e4 e5 2. Nf3 Nc6, with 2 s for each press, these things are done; then the board cannot be heard for so long, in which the
/// lever is turned, and reports what stands there afterwards.
fn pressed_unheard(before: &str, seconds: f64, during: &str) -> Table {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.hands(before);
    table.unplug();
    table.wait(seconds / 2.0);
    table.press(Color::White);
    table.hands_within(0.1, during);
    table.wait(seconds / 2.0);
    table.plug_in();
    table.wait(3.0);
    table
}

fn reported(table: &Table, code: &str) -> usize {
    table.alerts().iter().filter(|alert| alert.starts_with(code)).count()
}

/// Returns how sure the accusations of illegal moves are.
fn sure_of_illegal_moves(table: &Table) -> Vec<Confidence> {
    table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        (alert.code == Code::IllegalMove).then_some(alert.confidence)
    })
}

#[test]
fn a_press_for_an_illegal_move_that_was_seen_is_reported() {
    let table = pressed_unheard("f1- b4B", 1.5, "");
    assert_eq!(reported(&table, "illegal-move"), 1, "{:?}", table.alerts());
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bf1b4?");
}

#[test]
fn a_press_for_a_legal_move_that_was_seen_completes_it() {
    let table = pressed_unheard("f1- b5B", 1.5, "");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5");
    let alerts: Vec<_> =
        table.alerts().into_iter().filter(|alert| !alert.starts_with("board-link")).collect();
    assert_eq!(alerts, Vec::<String>::new());
}

#[test]
fn a_press_without_a_move_is_reported() {
    assert_eq!(reported(&pressed_unheard("", 1.5, ""), "press-without-move"), 1);
}

#[test]
fn the_opponent_may_have_taken_up_a_piece_meanwhile() {
    let mut table = pressed_unheard("f1- b4B", 1.5, "a7-");
    table.hands("a6p");
    table.wait(2.0);
    assert_eq!(reported(&table, "illegal-move"), 1, "{:?}", table.alerts());
}

#[test]
fn the_arbiter_may_have_stopped_the_clock_since() {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.hands("f1- b4B");
    table.unplug();
    table.press(Color::White);
    table.stop();
    table.wait(1.5);
    table.plug_in();
    table.wait(3.0);
    assert_eq!(reported(&table, "illegal-move"), 1, "{:?}", table.alerts());
}

#[test]
fn nobody_is_accused_where_it_took_longer() {
    assert_eq!(reported(&pressed_unheard("f1- b4B", 9.0, ""), "illegal-move"), 0);
    assert_eq!(reported(&pressed_unheard("", 9.0, ""), "press-without-move"), 0);
}

#[test]
fn nobody_is_accused_of_what_was_put_down_unseen() {
    let table = pressed_unheard("", 1.5, "f1- b5B");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(reported(&table, "press-without-move"), 0);
    let table = pressed_unheard("", 1.5, "f1- b4B");
    assert_eq!(
        reported(&table, "illegal-move") + reported(&table, "press-without-move"),
        0,
        "{:?}",
        table.alerts()
    );
}

#[test]
fn nobody_is_accused_where_the_clock_shows_no_press() {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    table.unplug();
    // Somebody turns the lever without time being added: the clock was set anew.
    table.start(Color::Black);
    table.wait(1.5);
    table.plug_in();
    table.wait(3.0);
    assert_eq!(reported(&table, "press-without-move"), 0, "{:?}", table.alerts());
}

#[test]
fn kings_put_into_the_centre_meanwhile_show_the_result() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e6 d2d4 d7d5");
    table.stop();
    table.hands("e1- e8-");
    table.unplug();
    // White's pawn makes room.
    table.hands("e4- e4K e5k");
    table.plug_in();
    table.wait(5.0);
    assert_eq!(table.moves(), "e4 e6 d4 d5");
    assert_eq!(table.results(), ["1/2-1/2 kings"]);
}

#[test]
fn castling_may_be_under_way_meanwhile() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    table.wait(20.0);
    table.unplug();
    table.hands("e1- g1K");
    table.wait(1.0);
    table.plug_in();
    table.hands("h1- f1R");
    table.press(Color::White);
    table.wait(3.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Bc5 O-O");
}

#[test]
fn many_moves_are_not_made_up_for_a_short_silence() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    table.wait(20.0);
    table.unplug();
    // A king goes where it cannot go; with Ke2, some move and back of a knight's, and Kd3 it could.
    table.hands("e1- d3K");
    table.wait(1.0);
    table.plug_in();
    table.wait(0.3);
    table.press(Color::White);
    table.wait(3.0);
    assert!(table.current().len() <= 7, "{}", table.moves());
    assert_eq!(reported(&table, "illegal-move"), 0, "nobody saw it");
}

#[test]
fn after_a_dump_an_offence_is_as_sure_as_without_a_silence() {
    let sure = |dumped: bool| {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5 g1f3 b8c6");
        table.unplug();
        table.wait(20.0);
        table.plug("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R", Color::Black);
        if dumped {
            table.dump();
        }
        table.play("g8f6 b1b3");
        (table.moves(), sure_of_illegal_moves(&table))
    };
    assert_eq!(sure(false), ("e4 e5 Nf3 Nc6 Bb5 Nf6 Nb1b3?".to_owned(), vec![Confidence::Likely]));
    assert_eq!(sure(true), ("e4 e5 Nf3 Nc6 Bb5 Nf6 Nb1b3?".to_owned(), vec![Confidence::Likely]));
}

#[test]
fn moves_at_a_stopped_clock_are_no_play_around_a_silence() {
    for seconds in [1.5, 30.0] {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5 g1f3 b8c6");
        table.stop();
        // The players look at what might have been.
        table.hands("f1- c4B g8- f6n");
        table.unplug();
        table.wait(seconds);
        table.hands("b1- c3N");
        table.plug_in();
        table.wait(3.0);
        assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
        table.hands("c3- b1N f6- g8n c4- f1B");
        table.start(Color::White);
        table.play("f1b5 a7a6");
        assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    }
}

#[test]
fn a_piece_in_hand_before_may_have_been_put_down_illegally() {
    // Nobody saw it come down.
    let table = pressed_unheard("f1-", 1.5, "b4B");
    assert_eq!(
        (table.moves().as_str(), sure_of_illegal_moves(&table)),
        ("e4 e5 Nf3 Nc6 Bf1b4?", vec![Confidence::Likely])
    );
    let table = pressed_unheard("f1-", 1.5, "b5B");
    assert_eq!((table.moves().as_str(), sure_of_illegal_moves(&table)), ("e4 e5 Nf3 Nc6 Bb5", vec![]));
    // More has been moved, or it took longer.
    for (seconds, during) in [(1.5, "b4B a7- a6p"), (9.0, "b4B")] {
        assert_eq!(sure_of_illegal_moves(&pressed_unheard("f1-", seconds, during)), []);
    }
}

#[test]
fn nobody_is_accused_of_taking_a_piece_that_came_unseen() {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("c2c4 b8c6 h2h4 g8f6 d1a4 a7a5 b1a3 c6b4");
    table.unplug();
    // Black takes a pawn where its knight cannot go.
    table.wait(0.3);
    table.hands_within(0.1, "e2- f6- e2n");
    table.plug_in();
    table.wait(0.3);
    table.press(Color::Black);
    table.wait(4.0);
    table.hands("f1- e2- e2B");
    table.press(Color::White);
    table.wait(0.2);
    table.dump();
    table.wait(3.0);
    assert_eq!(reported(&table, "illegal-move"), 0, "{:?} {}", table.alerts(), table.moves());
}
