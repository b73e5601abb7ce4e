//! What was played while nobody heard of the board.

use shakmaty::{Color, Square};

use super::Table;
use crate::{alert::Confidence, event::EventKind, order::Order};

/// After 1. e4 e5 2. Nf3 Nc6 the cable is out; then these pieces stand there and this clock runs.
fn after_outage(placement: &str, running: Color) -> Table {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.unplug();
    table.wait(20.0);
    table.plug(placement, running);
    table
}

#[test]
fn one_ply_that_nobody_saw_is_found() {
    let table = after_outage("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R", Color::Black);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5");
    assert_eq!(table.current().plies()[4].confidence, Confidence::Certain);
}

#[test]
fn several_plies_that_nobody_saw_are_found() {
    let mut table = after_outage("r1bqkb1r/1ppp1ppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1", Color::Black);
    // Bb5 a6 Ba4 Nf6 O-O leaves no other order.
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O");
    table.play("f8e7");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    assert_eq!(table.alerts().iter().filter(|alert| alert.contains("mismatch")).count(), 0);
}

#[test]
fn the_clock_shows_whether_the_last_ply_was_pressed() {
    let placement = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";
    assert_eq!(after_outage(placement, Color::White).moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert_eq!(after_outage(placement, Color::Black).moves(), "e4 e5 Nf3 Nc6 Bb5 a6…");
    let placement = "r1bqkbnr/1ppp1ppp/p1n5/3Np3/4P3/5N2/PPPP1PPP/R1BQKB1R";
    assert_eq!(after_outage(placement, Color::Black).moves(), "e4 e5 Nf3 Nc6 Nc3 a6 Nd5");
    assert_eq!(after_outage(placement, Color::White).moves(), "e4 e5 Nf3 Nc6 Nc3 a6 Nd5…");
}

#[test]
fn paths_are_kept_until_play_decides() {
    // White has pushed c- and d-pawn, Black the a-pawn; that the d-pawn went last is known once it is taken in passing.
    let mut table = Table::position(&[], "rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR", Color::White);
    table.play("h2h3 h7h6");
    table.unplug();
    table.wait(20.0);
    table.plug("rnbqkbnr/1ppp1pp1/p6p/8/3Pp3/2P4P/PP2PPP1/RNBQKBNR", Color::Black);
    let first = table.moves();
    assert!(["h3 h6 c3 a6 d4", "h3 h6 d4 a6 c3"].contains(&first.as_str()), "{first}");
    let last = table.pick(|kind| if let EventKind::Move(m) = kind { Some(m.confidence) } else { None });
    assert_eq!(last.last(), Some(&Confidence::Possible), "nobody can know the order");
    table.play("e4d3 e2d3");
    assert_eq!(table.moves(), "h3 h6 c3 a6 d4 exd3 exd3");
    assert_eq!(table.alerts().iter().filter(|alert| alert.contains("illegal")).count(), 0);
}

#[test]
fn where_no_path_fits_it_is_said_and_the_game_goes_on() {
    let mut table = after_outage("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/8/4K3", Color::White);
    table.wait(5.0);
    let said = |table: &Table| table.alerts().iter().filter(|it| it.starts_with("board-mismatch")).count();
    table.play("f3e5 c6e5 e1e2 e5g6");
    assert_eq!(said(&table), 1, "{:?}", table.alerts());
    assert!(table.moves().ends_with("Nxe5 Nxe5 Ke2 Ng6"), "{}", table.moves());
    assert_eq!(table.alerts().iter().filter(|alert| alert.contains("illegal-move")).count(), 0);
}

#[test]
fn what_comes_after_the_gap_is_judged_as_ever() {
    let mut table = after_outage("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R", Color::Black);
    table.play("a7a6 b5c6 a8a5");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 Ra8a5?");
}

#[test]
fn what_was_seen_before_the_outage_comes_first() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    let knight = table.stands.piece_at(Square::G1);
    table.set(Square::G1, None);
    table.wait(0.5);
    table.set(Square::F3, knight);
    table.wait(1.0);
    table.unplug();
    table.wait(20.0);
    // Bb5 may have come before Nf3 for all that the two positions show.
    table.plug("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R", Color::Black);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5");
}

#[test]
fn moves_that_nobody_saw_are_marked_with_the_paths_that_remain() {
    let table = after_outage("r1bqkbnr/1ppp1ppp/p1n5/4p3/4P3/3P1N2/PPP1BPPP/RNBQK2R", Color::Black);
    let inferred = |ply: &crate::game::Ply| ply.inferred;
    let plies: Vec<_> = table.current().plies().iter().map(inferred).collect();
    assert_eq!(plies.len(), 7);
    assert_eq!(plies[..4], [None; 4]);
    assert!(plies[4..].iter().all(|ply| ply.is_some_and(|others| others > 0)), "{plies:?}");
    let words = |table: &Table| -> Vec<Confidence> {
        table.current().plies().iter().map(|ply| ply.confidence).collect()
    };
    assert!(words(&table)[4..].iter().all(|word| *word == Confidence::Possible), "{:?}", words(&table));
    let events = table.pick(|kind| if let EventKind::Move(m) = kind { Some(m.alternatives) } else { None });
    assert!(events.iter().any(|alternatives| alternatives.is_some_and(|others| others > 0)), "{events:?}");
    let table = after_outage("r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R", Color::Black);
    assert_eq!(table.current().plies()[4].inferred, Some(0));
    // It is the only one.
    assert_eq!(words(&table)[4], Confidence::Certain);
}

#[test]
fn a_press_without_a_move_soon_after_an_outage_is_reported() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.unplug();
    table.wait(5.0);
    table.plug("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", Color::White);
    table.press(Color::White);
    table.wait(3.0);
    assert!(
        table.alerts().iter().any(|alert| alert.starts_with("press-without-move")),
        "{:?}",
        table.alerts()
    );
}

/// White's king goes to e3, which is illegal and reported; the cable is out while it is put right; then these pieces stand there.
fn put_right_in_the_dark(placement: &str, running: Color) -> Table {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 e1e3");
    table.wait(2.0);
    table.unplug();
    table.wait(20.0);
    table.plug(placement, running);
    table.wait(3.0);
    table
}

#[test]
fn an_illegal_move_is_put_right_while_nobody_sees_it() {
    let mut table = put_right_in_the_dark("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR", Color::White);
    table.play("e1e2 g8f6");
    assert_eq!(table.moves(), "e4 e5 Ke2 Nf6");
    let mut table = put_right_in_the_dark("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPPKPPP/RNBQ1BNR", Color::White);
    table.play("e2d3");
    assert_eq!(table.moves(), "e4 e5 Ke2 Nf6 Kd3");
    assert!(table.alerts().contains(&"illegal-move pattern".to_owned()), "{:?}", table.alerts());
    let overturned = |kind: &EventKind| {
        let EventKind::AlertUpdate(update) = kind else { return None };
        Some(update.facts.contains_key("overturned"))
    };
    assert!(!table.pick(overturned).contains(&true), "it was made, whatever became of it");
}

#[test]
fn an_illegal_move_that_stands_after_an_outage_is_kept() {
    let mut table = put_right_in_the_dark("rnbqkbnr/ppp2ppp/3p4/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR", Color::White);
    table.play("e3e2");
    assert_eq!(table.moves(), "e4 e5 Ke1e3? d6 Ke2");
}

#[test]
fn a_piece_amiss_before_and_after_an_outage_has_played_nothing() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    // The queen is put down where it cannot go; six seconds later it stands there, and White has pressed. The arbiter steps in.
    table.hands("d1- c3Q");
    table.unplug();
    table.wait(6.0);
    table.plug("rnbqkbnr/pppp1ppp/8/4p3/4P3/2Q5/PPPP1PPP/RNB1KBNR", Color::Black);
    assert_eq!(table.moves(), "e4 e5");
    table.stop();
    table.hands("c3- d1Q");
    table.start(Color::White);
    table.play("g1f3 b8c6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_piece_adjusted_as_the_board_is_back_has_played_nothing() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3");
    table.unplug();
    table.wait(6.0);
    // Black has played, and takes its king into the hand.
    table.plug("r1bq1bnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", Color::White);
    table.hands("e8k");
    table.play("f1b5 a7a6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
}

#[test]
fn what_a_dump_has_shown_by_halves_is_no_play() {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(5.0);
    for uci in ["g1f3", "h7h5", "f3e5", "a7a6", "e2e4"] {
        table.make(uci);
        table.wait(1.5);
    }
    table.unplug();
    table.wait(15.0);
    // By its squares from a8 on, the dump first shows a knight on c6, then that another one has left e5.
    table.link_up();
    table.set_up("r1bqkbnr/1pppppp1/p1n5/8/4P2p/3N4/PPPP1PPP/RNBQKB1R");
    table.wait(3.0);
    assert!(table.moves().starts_with("Nf3 h5 Ne5 a6 e4 "), "{}", table.moves());
    let inferred: Vec<bool> = table.current().plies().iter().map(|ply| ply.inferred.is_some()).collect();
    assert_eq!(inferred, [false, false, false, false, false, true, true, true]);
}

#[test]
fn nobody_is_accused_of_what_was_moved_while_nobody_saw_it() {
    // A pawn of White's is elsewhere when the board is heard of again, in White's time; White moves another piece.
    for placement in ["4p3/4P3/5N1P/PPPP1PP1/RNBQKB1R", "4p3/4P3/8/PPPP1PPP/RNBQKBNR"] {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5 g1f3 b8c6");
        table.unplug();
        table.wait(6.0);
        table.plug(&format!("r1bqkbnr/pppp1ppp/2n5/{placement}"), Color::White);
        table.play("f1c4 g8f6");
        assert_eq!(table.alerts(), ["board-link"], "{placement}");
    }
}

#[test]
fn a_new_game_in_its_middle_ignores_what_stood_before_an_outage() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3");
    // A knight is in the air.
    table.set(Square::B8, None);
    table.unplug();
    let order = Order::parse(r#"{"order":"new-game"}"#).unwrap();
    let refused = table.board.handle_order(&order, table.now).unwrap_err().to_string();
    assert_eq!(refused, "the board has not reported what stands on it now; plug it in, or give a fen");
    table.plug("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R", Color::White);
    assert_eq!((table.starts().len(), table.moves()), (1, "e4 e5 Nf3 Nc6".to_owned()));
    table.play("f1b5");
    assert_eq!(table.alerts(), ["board-link"]);
}

#[test]
fn a_new_game_begins_while_the_cable_is_out() {
    let mut table = Table::game(&[]);
    table.unplug();
    table.order(r#"{"order":"new-game","players":{"white":"A","black":"B"}}"#);
    assert_eq!(table.starts().len(), 2);
}

#[test]
fn a_press_without_a_move_after_an_outage_completes_no_ply() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    table.unplug();
    table.wait(3.0);
    // White has played and pressed unseen; Black's time runs.
    table.link_up();
    table.set_up("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R");
    table.wait(0.1);
    table.start(Color::Black);
    table.wait(0.3);
    table.press(Color::Black);
    table.wait(8.0);
    assert_eq!(table.moves(), "e4 e5 Nf3");
    assert_eq!(table.alerts(), ["board-link", "press-without-move"]);
    let reported = table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        Some(alert.confidence)
    });
    assert_eq!(reported.last(), Some(&Confidence::Likely));
}
