//! Hands that do not wait for each other, and clocks that are pressed twice between two reports.

use shakmaty::Color;

use super::Table;
use crate::alert::Confidence;

#[test]
fn a_piece_that_is_taken_off_before_the_press_was_put_down() {
    let mut table = Table::ordered(&[], "4k3/p7/8/8/4n3/8/P7/1N2K3", Color::White);
    // Black's hand takes the knight as soon as it stands, White presses, Black's own knight follows.
    table.hands("b1- d2N d2-");
    table.press(Color::White);
    table.wait(0.2);
    table.hands("e4-");
    table.wait(0.6);
    table.hands("d2n");
    table.press(Color::Black);
    table.wait(2.0);
    table.play("e1d2 a7a6 a2a4");
    assert_eq!(table.moves(), "Nd2 Nxd2 Kxd2 a6 a4");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn three_presses_between_two_reports_are_three_presses() {
    let mut table = Table::game(&[]);
    table.increment = 30;
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.hands("f1- c4B g8- f6n d2- d3P");
    // White, Black and White again have pressed; the report shows their increments and Black's running time.
    table.remaining.white += 30;
    table.remaining.black += 30;
    table.press(Color::White);
    table.wait(2.0);
    table.play("f8c5");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 Bc5");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_square_that_reads_otherwise_accuses_nobody() {
    let mut table = Table::game(&[]);
    table.dead = vec!["a3".parse().unwrap()];
    table.play("b1a3 e7e5");
    // Where no knight is read, the pawn may pass.
    table.play("a2a4 d7d6");
    let illegal = table.alerts();
    assert!(!illegal.iter().any(|alert| alert.starts_with("illegal-move")), "{illegal:?}");
    assert_eq!(table.current().len(), 4, "{}", table.moves());
}

#[test]
fn kings_show_the_result_where_they_rest() {
    // Black's king has been brought to d5 by play.
    let mut table = Table::ordered(&[], "8/8/8/3k4/8/8/2p5/3K3R", Color::White);
    table.play("d1c2 d5d4 c2b3 d4d5");
    table.stop();
    table.wait(2.0);
    // White's comes to e4 first, then Black's leaves d5 for e5: a draw.
    table.hands("b3- e4K");
    table.wait(1.2);
    table.hands("d5- e5k");
    table.wait(3.0);
    assert_eq!(table.results().len(), 1);
    assert!(table.results()[0].contains("1/2"), "{:?}", table.results());
}

#[test]
fn a_pawn_that_was_exchanged_before_it_is_captured_had_promoted() {
    let mut table = Table::ordered(&["event.control=rapid"], "4k3/8/8/8/8/8/p1q4P/2R3K1", Color::Black);
    table.play("a2a1");
    table.wait(2.0);
    table.stop();
    table.hands("a1- a1q");
    table.wait(4.0);
    table.start(Color::White);
    table.hands("c1- a1R");
    table.press(Color::White);
    table.wait(2.0);
    table.play("e8d8");
    assert_eq!(table.moves(), "a1=Q Rxa1 Kd8");
}

#[test]
fn a_game_is_adopted_with_a_king_in_a_hand_and_no_quiet() {
    let mut table = Table::new(&[]);
    table.set_up("rnbq1rk1/ppp2ppp/5n2/8/8/5N2/PPP2PPP/RNBQ1R2");
    table.start(Color::White);
    table.hands("h1K");
    table.press(Color::White);
    for uci in "f6e4 f3e5 d8d1 f1d1 e4f2 h1g1 f2d1".split_whitespace() {
        let side = table.make(uci);
        table.wait(0.2);
        table.press(side);
    }
    table.wait(3.0);
    assert_eq!(table.moves(), "Ne4 Ne5 Qxd1 Rxd1 Nxf2+ Kg1 Nxd1");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_piece_in_hand_at_the_clocks_start_comes_from_its_square() {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR");
    table.wait(4.0);
    // Black moves the pawn d7 to d6, which one on c7 or e7 could not have done without a capture.
    table.hands("d7-");
    table.start(Color::Black);
    table.wait(0.3);
    table.hands("d6p");
    table.press(Color::Black);
    table.wait(1.5);
    table.play("g1f3 c7c6 f1e2 c8e6");
    assert_eq!(table.moves(), "d6 Nf3 c6 Be2 Be6");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_piece_that_rests_on_a_mating_square_ends_no_game() {
    let mut table = Table::ordered(&[], "4k3/8/4K3/8/8/8/8/Q7", Color::White);
    table.hands("a1- a8Q");
    table.wait(0.5);
    table.hands("a8- h8Q");
    table.wait(0.2);
    assert_eq!(table.results(), Vec::<String>::new());
    table.wait(3.0);
    assert_eq!(table.results(), ["1-0 mate"]);
}

#[test]
fn a_mate_counts_when_another_piece_is_lifted() {
    let mut table = Table::ordered(&[], "4k3/8/4K3/8/8/8/8/7Q", Color::White);
    table.hands("h1- h8Q e6-");
    table.wait(0.2);
    assert_eq!((table.results(), table.moves().as_str()), (vec!["1-0 mate".to_owned()], "Qh8#…"));
}

#[test]
fn a_piece_taken_at_once_by_a_twin_of_its_victim_was_there() {
    let mut table = Table::ordered(&[], "r5k1/8/8/8/8/8/8/R2R2K1", Color::White);
    table.play("g1h1");
    // Black's rook takes on a1 and is taken there within a scan: the square shows a white rook throughout.
    table.hands_within(0.1, "a8- d1-");
    table.press(Color::Black);
    table.wait(0.2);
    table.press(Color::White);
    table.wait(2.0);
    table.play("g8g7 a1a7");
    assert_eq!(table.moves(), "Kh1 Rxa1 Rxa1 Kg7 Ra7+");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_piece_taken_at_once_came_to_where_it_is_taken() {
    let mut table = Table::ordered(&[], "6k1/p7/5n2/8/8/2N5/P7/6K1", Color::White);
    table.play("g1h1");
    // White's hand takes the knight off as soon as it stands on d5; White's own one follows when the press has long been judged.
    table.hands("f6-");
    table.press(Color::Black);
    table.wait(0.3);
    table.hands("c3-");
    table.wait(0.5);
    table.hands("d5N");
    table.wait(0.4);
    table.press(Color::White);
    table.wait(2.0);
    table.play("a7a6 d5c3");
    assert_eq!(table.moves(), "Kh1 Nd5 Nxd5 a6 Nc3");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_captured_piece_put_down_for_a_moment_is_no_second_move() {
    let mut table = Table::ordered(&[], "r3k3/8/8/8/8/5p2/6B1/4K3", Color::Black);
    // White takes the pawn before Black presses, and puts it down beside its square.
    table.hands("a8- a7r f3- g2- e3p f3B");
    table.press(Color::Black);
    table.wait(0.6);
    table.hands("e3-");
    table.wait(0.5);
    table.press(Color::White);
    table.wait(2.0);
    table.play("e8d8");
    assert_eq!(table.moves(), "Ra7 Bxf3 Kd8");
    assert!(!table.alerts().iter().any(|alert| alert.starts_with("illegal-move")), "{:?}", table.alerts());
}

#[test]
fn a_piece_that_goes_on_within_a_scan_was_where_it_went_first() {
    let mut table = Table::ordered(&[], "r1k5/p7/8/8/2N5/8/8/6K1", Color::White);
    table.play("c4d2");
    // Black's rook goes to b8 and back while White's knight goes back.
    table.hands_within(0.1, "a8- d2- c4N a8r");
    for side in [Color::Black, Color::White, Color::Black] {
        table.press(side);
        table.wait(0.2);
    }
    table.wait(2.0);
    table.play("g1g2");
    assert_eq!(table.moves(), "Nd2 Rb8 Nc4 Ra8 Kg2");
    assert!(table.current().plies().iter().all(|ply| ply.inferred.is_none()));
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_piece_that_showed_up_elsewhere_did_not_stand_unseen() {
    let mut table = Table::game(&[]);
    table.play("d2d4 g7g6");
    table.hands("c1- e3B");
    table.press(Color::White);
    table.hands_within(0.1, "g8- f6n");
    table.press(Color::Black);
    // From f4, where it would have come from by the rules, nothing was shown.
    table.hands_within(0.1, "e3- f3B f3- g3B");
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.moves(), "d4 g6 Be3 Nf6 Be3g3?");
    let alerts = table.alerts();
    assert!(alerts.len() == 1 && alerts[0].starts_with("illegal-move"), "{alerts:?}");
}

#[test]
fn a_ply_waits_for_its_press_until_the_clock_is_read() {
    let mut table = Table::game(&[]);
    table.increment = 30;
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.hands_within(0.1, "f1- c4B g8- f6n d2- d3P b7-");
    // White, Black and White again have pressed since the clock was read.
    table.remaining.white += 30;
    table.remaining.black += 30;
    table.press(Color::White);
    table.hands_within(0.1, "b5p");
    table.press(Color::Black);
    table.wait(2.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 Nf6 d3 b5");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn presses_that_no_reading_shows_excuse_no_offence_that_follows() {
    let mut table = Table::game(&[]);
    // White and Black press between two readings: the clock shows White's time running before and after.
    table.hands_within(0.1, "a2- a3P d7- d5p c2- c3P");
    table.press(Color::White);
    table.wait(1.0);
    table.play("c7c5 d1a4");
    // The queen leaves the king in check.
    table.play("d8b6");
    table.wait(2.0);
    assert_eq!(table.moves(), "a3 d5 c3 c5 Qa4+ Qd8b6?");
    assert_eq!(table.alerts(), ["illegal-move king-in-check"]);
}

#[test]
fn a_ply_through_one_of_several_unseen_squares_is_inferred() {
    let mut table = Table::ordered(&[], "r2k4/p7/8/8/2N5/8/8/6K1", Color::White);
    table.play("c4d2");
    // Black's rook goes to b8 or c8 and back while White's knight goes back.
    table.hands_within(0.1, "a8- d2- c4N a8r");
    for side in [Color::Black, Color::White, Color::Black] {
        table.press(side);
        table.wait(0.2);
    }
    table.wait(2.0);
    table.play("g1g2");
    let inferred: Vec<_> = table.current().plies().iter().map(|ply| ply.inferred).collect();
    assert_eq!(inferred, [None, Some(1), None, None, None], "{}", table.moves());
    assert_eq!(table.current().plies()[1].confidence, Confidence::Possible);
    assert_eq!(table.alerts(), Vec::<String>::new());
}
