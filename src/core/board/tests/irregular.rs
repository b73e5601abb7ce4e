//! Illegal moves that stand, and those that are put right.

use shakmaty::Color;

use super::Table;
use crate::{alert::Confidence, code::Code, event::EventKind};

#[test]
fn an_illegal_move_that_stands_is_in_the_list_and_play_goes_on() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 b1b3 b8c6 b3d4 c6d4");
    assert_eq!(table.moves(), "e4 e5 Nb1b3? Nc6 Nd4 Nxd4");
    assert_eq!(table.alerts(), ["illegal-move pattern", "claim-window-closed"]);
}

#[test]
fn a_king_left_in_check_is_a_position_to_play_from() {
    // White's king stands in check of the rook on e8, Black does not take it, White goes on as he likes.
    let mut table = Table::ordered(&["event.control=blitz"], "4r1k1/5ppp/8/8/8/8/P3B3/4K3", Color::White);
    table.play("e2d3 h7h6 e1d2 e8d8 a2a4 d8d3 d2d3");
    assert_eq!(table.moves(), "Be2d3? h6+ Kd2 Rd8 a4 Rxd3+ Kxd3");
    assert_eq!(table.current().plies()[0].uci.as_str(), "e2d3");
}

#[test]
fn a_second_illegal_move_from_an_irregular_position_stands() {
    let mut table = Table::ordered(&["event.control=blitz"], "4r1k1/5ppp/8/8/8/8/P3B3/4K3", Color::White);
    table.play("e2d3 h7h6 a2a3 g7g6 e1f2 g8g7");
    assert_eq!(table.moves(), "Be2d3? h6+ a2a3? g6+ Kf2 Kg7");
}

#[test]
fn a_pawn_on_its_last_rank_stays_a_pawn() {
    let mut table = Table::position(&["event.control=blitz"], "8/P5kp/8/8/8/8/8/K7", Color::White);
    table.play("a7a8 h7h6 a1b2 g7f6 b2c3");
    assert_eq!(table.moves(), "a7a8? h6 Kb2 Kf6 Kc3");
    assert!(table.current().position().fen().starts_with("P7/8/5k1p/8/8/2K5/8/8 b"));
}

#[test]
fn a_king_that_was_taken_is_missed_by_nobody() {
    let mut table = Table::position(&["event.control=blitz"], "4k3/p7/8/8/8/8/P7/K3R3", Color::White);
    table.play("e1e8 a7a5 a2a4");
    assert_eq!(table.moves(), "Re1xe8? a5 a4");
}

#[test]
fn a_move_put_right_at_a_stopped_clock_leaves_the_legal_game() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 b1b3");
    table.stop();
    table.wait(2.0);
    table.hands("b3- b1N");
    table.wait(2.0);
    table.start(Color::White);
    table.play("b1c3 b8c6 c3d5");
    table.finish();
    assert_eq!(table.moves(), "e4 e5 Nc3 Nc6 Nd5");
    assert_eq!(table.alerts(), ["illegal-move pattern"]);
    assert_eq!(table.reported(), ["e4 e5 Nc3 Nc6 Nd5"]);
}

#[test]
fn a_move_put_right_after_the_answer_leaves_the_legal_game() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 b1b3 b8c6");
    table.stop();
    table.wait(2.0);
    table.hands("c6- b8n b3- b1N");
    table.wait(2.0);
    table.start(Color::White);
    table.play("b1c3 g8f6");
    assert_eq!(table.moves(), "e4 e5 Nc3 Nf6");
}

#[test]
fn a_king_left_in_check_is_put_right_with_another_move() {
    let mut table = Table::ordered(&["event.control=blitz"], "4r1k1/5ppp/8/8/8/8/P3B3/4K3", Color::White);
    table.play("e2d3");
    table.stop();
    table.wait(2.0);
    table.hands("d3- e2B");
    table.wait(2.0);
    table.start(Color::White);
    table.play("e1d2 e8e2 d2e2");
    assert_eq!(table.moves(), "Kd2 Rxe2+ Kxe2");
    assert_eq!(table.alerts(), ["illegal-move king-in-check"]);
}

#[test]
fn a_pawn_replaced_while_the_clock_stands_is_a_promotion() {
    let mut table = Table::position(&["event.control=blitz"], "8/P5kp/8/8/8/8/8/K7", Color::White);
    table.play("a7a8");
    table.stop();
    table.wait(2.0);
    table.hands("a8- a8Q");
    table.wait(2.0);
    table.start(Color::Black);
    table.play("h7h6 a8a7");
    assert_eq!(table.moves(), "a8=Q h6 Qa7+");
}

#[test]
fn a_move_put_right_while_the_clock_runs_leaves_the_legal_game() {
    // Black says so and presses back; White puts the knight back and plays another move.
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 b1b3");
    table.wait(1.0);
    table.press(Color::Black);
    table.wait(1.0);
    table.hands("b3- b1N");
    table.play("b1c3 b8c6 c3d5");
    assert_eq!(table.moves(), "e4 e5 Nc3 Nc6 Nd5");
}

#[test]
fn a_move_taken_back_by_consent_is_nobodys_offence() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e6 d2d4 f8b4");
    // Black puts the bishop back, and White gives the time back.
    table.hands("b4- f8b");
    table.wait(0.6);
    table.press(Color::White);
    table.wait(2.0);
    table.play("d7d5 b1c3");
    assert_eq!(table.moves(), "e4 e6 d4 d5 Nc3");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_capture_taken_back_by_consent_is_nobodys_offence() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 d7d5 e4d5 d8d5");
    table.hands("d5- d8q d5P");
    table.wait(0.6);
    table.press(Color::White);
    table.wait(2.0);
    table.play("g8f6 b1c3");
    assert_eq!(table.moves(), "e4 d5 exd5 Nf6 Nc3");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_clock_stopped_at_once_keeps_the_illegal_move_the_last() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 f2f4 e5f4 f1c4 d8h4");
    // The bishop, which came from f1, leaves the king in check; the queen that gives it stands where it was put.
    table.hands("c4- e2B");
    table.press(Color::White);
    table.wait(0.4);
    table.stop();
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 e5 f4 exf4 Bc4 Qh4+ Bc4e2?");
    assert_eq!(table.alerts(), ["illegal-move king-in-check"]);
}

#[test]
fn a_pawn_that_may_be_taken_in_passing_had_come_there() {
    // White forgets the pawn, and takes it off only after the press: Black's two squares are no single one instead.
    let mut table = Table::ordered(&["event.control=blitz"], "4k3/3p4/8/4P3/8/8/8/4K3", Color::Black);
    table.play("d7d5");
    table.hands("e5- d6P");
    table.press(Color::White);
    table.wait(2.0);
    table.hands("d5-");
    table.wait(1.0);
    table.play("e8f7 e1d2");
    assert_eq!(table.moves(), "d5 exd6 Kf7 Kd2");
    // It was put right before the reply.
    assert_eq!(table.alerts(), ["illegal-move en-passant-pawn-left"]);
}

#[test]
fn a_king_that_is_taken_stood_on_the_square_where_it_was_seen() {
    // Black leaves the king in check, and White takes it: it did not stand elsewhere, so that all would have been legal.
    let mut table = Table::ordered(&["event.control=blitz"], "4k3/p6p/8/8/8/8/P7/4K2Q", Color::White);
    table.play("a2a3 e8e7 h1h4 a7a6 h4e7");
    table.wait(2.0);
    assert_eq!(table.moves(), "a3 Ke7 Qh4+ a7a6? Qh4xe7?");
    let expected = ["illegal-move king-in-check", "claim-window-closed", "illegal-move king-captured"];
    assert_eq!(table.alerts(), expected);
}

#[test]
fn castling_with_the_rook_beside_its_square_is_the_kings_move() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    table.hands("e1- g1K h1- e1R");
    table.wait(0.5);
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.alerts(), ["illegal-move castling-rook-misplaced"]);
    assert_eq!(table.current().plies()[6].uci.as_str(), "e1g1");
}

#[test]
fn a_pawn_that_stays_beside_its_new_piece_is_illegal() {
    let mut table = Table::ordered(&["event.control=blitz"], "6k1/4P3/8/8/8/8/8/4K3", Color::White);
    table.hands("e8Q");
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.alerts(), ["illegal-move pawn-not-removed"]);
    table.hands("e7-");
    table.play("g8g7 e8e5");
    assert_eq!(table.moves(), "e8=Q+ Kg7 Qe5+");
}

#[test]
fn a_pawn_that_was_replaced_by_a_king_makes_no_dead_position() {
    let mut table = Table::ordered(&["event.control=blitz"], "6k1/4P3/8/8/8/8/8/4K3", Color::White);
    table.hands("e7- e8K");
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.alerts(), ["illegal-move wrong-promotion-piece"]);
    table.play("g8g7 e1d2 g7g6");
    assert_eq!(table.alerts(), ["illegal-move wrong-promotion-piece", "claim-window-closed"]);
    assert_eq!(table.results(), Vec::<String>::new());
}

#[test]
fn a_pawn_that_was_taken_in_passing_too_late_is_off_the_board() {
    for order in ["e5- d6P d5-", "d5- e5- d6P"] {
        let mut table = Table::ordered(&["event.control=blitz"], "4k3/3p4/8/4P3/8/8/8/4K3", Color::Black);
        table.play("d7d5 e1e2 e8e7");
        table.hands(order);
        table.press(Color::White);
        table.wait(2.0);
        table.play("e7d7 e2d2");
        assert_eq!(table.moves(), "d5 Ke2 Ke7 e5d6? Kd7 Kd2", "{order}");
        assert_eq!(table.alerts(), ["illegal-move pattern", "claim-window-closed"], "{order}");
        assert!(table.current().position().fen().starts_with("8/3k4/3P4/8/8/8/3K4/8 b"), "{order}");
    }
}

/// Returns how sure each illegal move is.
fn accusations(table: &Table) -> Vec<Confidence> {
    table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        (alert.code == Code::IllegalMove).then_some(alert.confidence)
    })
}

/// White takes on g3 as pawns do, and the board says c4: to it the queen stands there still, and gives check.
fn misread_capture() -> Table {
    let mut table = Table::game(&["event.control=standard"]);
    table.play("f2f4 e7e6 d2d3 d8h4 g2g3 h4g3");
    table.hands("h2- c4P");
    table.press(Color::White);
    table.wait(3.0);
    table
}

#[test]
fn a_position_that_seems_wrong_accuses_nobody_again_and_again() {
    let mut table = misread_capture();
    for moves in ["a7a6 b1c3", "a6a5 c3e4", "a5a4 e4c3", "h7h6 c3e4"] {
        table.play(moves);
        table.wait(3.0);
    }
    assert_eq!(accusations(&table), [Confidence::Likely, Confidence::Likely]);
}

#[test]
fn an_illegal_move_after_another_is_certain_after_a_dump() {
    let mut table = misread_capture();
    table.dump();
    table.wait(3.0);
    table.play("a7a6 b1c3");
    table.wait(3.0);
    assert_eq!(accusations(&table), [Confidence::Likely, Confidence::Certain]);
}

#[test]
fn a_king_beside_his_square_after_a_legal_move_has_not_moved() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.hands("f1- b5B e1- e2K");
    table.press(Color::White);
    table.wait(2.0);
    table.hands("e2- e1K");
    table.play("a7a6 b5a4");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4");
    assert_eq!(table.alerts(), [r#"board-mismatch missing ["e1","e2"]"#]);
}

#[test]
fn a_castling_with_king_and_rook_amiss_is_no_displaced_king() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6");
    table.hands("e1- h1- f1K g1R");
    table.press(Color::White);
    table.wait(3.0);
    assert_eq!(table.alerts(), ["illegal-move two-moves"]);
}

#[test]
fn a_king_played_beside_the_other_in_the_centre_is_no_result() {
    let mut table = Table::ordered(&[], "8/p7/8/3k4/8/3K4/7P/7R", Color::White);
    table.make("d3d4");
    table.press(Color::White);
    table.wait(1.0);
    table.play("a7a6 h2h3");
    table.wait(6.0);
    assert_eq!(table.results(), Vec::<String>::new());
    assert!(table.alerts().iter().any(|alert| alert.starts_with("illegal-move")), "{:?}", table.alerts());
}
