//! What is wrong with a board is named once, and the game stays exact.

use dgt_protocol::{Message, Placement};
use shakmaty::{Color, Piece, Square};

use super::Table;
use crate::{alert::Confidence, code::Code, event::EventKind};

const FIRST: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
const SECOND: &str = "c2c3 g8f6 d2d4 e5d4 c3d4 c5b4";
const GAME: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+";

fn piece(letter: char) -> Option<Piece> {
    Piece::from_char(letter)
}

/// Lets a square show something for a moment, then what stands there.
fn moment(table: &mut Table, square: Square, shows: Option<Piece>) {
    table.show(square, shows);
    table.wait(0.25);
    table.show(square, table.stands.piece_at(square));
    table.wait(2.0);
}

#[track_caller]
fn check(mut table: Table, named: &[&str]) {
    table.wait(2.0);
    table.finish();
    assert_eq!(table.moves(), GAME);
    assert_eq!(table.alerts(), named);
}

#[test]
fn a_sound_board_is_blamed_for_nothing() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    table.dump();
    table.play(SECOND);
    table.dump();
    check(table, &[]);
}

#[test]
fn a_dead_square_is_named_once() {
    let mut table = Table::game(&[]);
    table.dead.push(Square::D4);
    table.play(FIRST);
    table.play(SECOND);
    check(table, &[r#"board-mismatch dead ["d4"]"#]);
}

#[test]
fn a_weak_square_is_named_once() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    for _ in 0..8 {
        moment(&mut table, Square::C6, None);
    }
    table.play(SECOND);
    moment(&mut table, Square::C6, None);
    check(table, &[r#"board-mismatch weak ["c6"]"#]);
}

#[test]
fn a_piece_that_is_put_right_twice_is_no_weak_square() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    moment(&mut table, Square::C6, None);
    moment(&mut table, Square::C6, None);
    table.play(SECOND);
    check(table, &[]);
}

#[test]
fn pieces_that_are_put_right_one_by_one_are_no_weak_squares() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    for square in [Square::A1, Square::A2, Square::B2, Square::G2, Square::H8, Square::H7, Square::C8] {
        moment(&mut table, square, None);
    }
    table.play(SECOND);
    check(table, &[]);
}

#[test]
fn a_piece_off_the_centre_of_its_square_is_named_once() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    table.show(Square::H2, None);
    table.play(SECOND);
    check(table, &[r#"board-mismatch missing ["h2"]"#]);
}

#[test]
fn pieces_that_are_noticed_late_become_the_board_s_fault() {
    let mut table = Table::game(&[]);
    let late = |table: &mut Table, from: Square, to: Square| {
        let piece = table.stands.piece_at(from).unwrap();
        table.wait(1.0);
        table.set(from, None);
        table.wait(0.5);
        table.press(piece.color);
        table.wait(1.5);
        table.set(to, Some(piece));
        table.wait(1.5);
    };
    for (from, to, reply) in
        [(Square::E2, Square::E4, "e7e5"), (Square::G1, Square::F3, "b8c6"), (Square::F1, Square::C4, "f8c5")]
    {
        late(&mut table, from, to);
        table.play(reply);
    }
    table.play(SECOND);
    let confidence = table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        (alert.code == Code::PressBeforeMade).then_some(alert.confidence)
    });
    // No sensor distinguishes a move that was made late from one that was read late.
    assert_eq!(confidence, [Confidence::Possible; 3]);
    let named = r#"board-mismatch late ["g1"]"#;
    check(table, &["press-before-made", "press-before-made", named, "press-before-made"]);
}

#[test]
fn a_wrong_code_is_named_once() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    moment(&mut table, Square::D8, piece('n'));
    moment(&mut table, Square::A1, piece('P'));
    table.play(SECOND);
    check(table, &[r#"board-mismatch wrong-code ["d8"]"#]);
}

#[test]
fn another_colour_may_be_a_capture_and_its_recapture() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    moment(&mut table, Square::D8, piece('Q'));
    table.play(SECOND);
    check(table, &[]);
}

#[test]
fn a_ghost_is_named_once_whether_it_stays_or_not() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    moment(&mut table, Square::A5, piece('q'));
    moment(&mut table, Square::H4, piece('q'));
    table.play(SECOND);
    check(table, &[r#"board-mismatch stray ["a5"]"#]);
    let mut table = Table::game(&[]);
    table.play(FIRST);
    table.show(Square::A5, piece('q'));
    table.play(SECOND);
    check(table, &[r#"board-mismatch stray ["a5"]"#]);
}

#[test]
fn a_piece_carried_over_squares_is_no_ghost() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    table.play("c2c3 g8f6 d2d4");
    // Black takes, and White's pawn is carried over d3 and e3.
    table.wait(1.0);
    table.hands("d4- d3P d3- e5- d4p e3P e3-");
    table.press(Color::Black);
    table.wait(1.0);
    table.play("c3d4 c5b4");
    check(table, &[]);
}

#[test]
fn a_lost_update_is_named_when_a_dump_shows_it() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    // White's pawn leaves c2 and stands on c3; nobody hears of the second.
    table.wait(1.0);
    table.hands("c2-");
    table.dead.push(Square::C3);
    table.hands("c3P");
    table.dead.clear();
    table.wait(0.3);
    table.press(Color::White);
    table.wait(2.5);
    table.dump();
    table.play("g8f6 d2d4 e5d4 c3d4 c5b4");
    check(table, &[r#"board-mismatch untold ["c3"]"#]);
}

#[test]
fn a_dump_that_is_ahead_of_an_update_contradicts_nothing() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    table.wait(1.0);
    table.hands("c2-");
    table.dead.push(Square::C3);
    table.set(Square::C3, piece('P'));
    table.dead.clear();
    table.dump();
    table.wait(0.1);
    table.show(Square::C3, piece('P'));
    table.wait(0.5);
    table.press(Color::White);
    table.wait(1.0);
    table.play("g8f6 d2d4 e5d4 c3d4 c5b4");
    check(table, &[]);
}

#[test]
fn a_dump_that_contradicts_everything_is_not_believed_at_once() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    let stands = table.stands.clone();
    table.set_up("PPPPPPPP/8/8/8/8/8/8/pppppppp");
    table.wait(1.0);
    assert!(table.board.wants_dump());
    table.stands = stands;
    table.dump();
    table.play(SECOND);
    check(table, &[]);
}

#[test]
fn a_dump_with_a_byte_too_many_is_asked_for_again() {
    let mut table = Table::game(&[]);
    table.play(FIRST);
    table.wait(1.0);
    assert!(!table.board.wants_dump());
    let mut codes = table.board.codes().unwrap().to_bytes();
    let last = codes[63];
    // A byte came in before e1: the king seems to stand on f1, and the code of h1 follows the dump.
    codes.copy_within(60..63, 61);
    codes[60] = 0;
    table.board.note_damage(table.now);
    table.say(&Message::BoardDump(Placement::from_bytes(&codes)));
    table.board.handle_stray(last, table.now);
    table.wait(1.0);
    assert!(table.board.wants_dump());
    assert_eq!(table.board.codes().unwrap().to_bytes()[60], dgt_protocol::Piece::WhiteKing.to_byte());
    // Nothing follows this one.
    table.dump();
    table.play(SECOND);
    check(table, &[]);
}

#[test]
fn a_first_dump_with_a_byte_too_many_begins_no_game() {
    let mut table = Table::new(&[]);
    let mut codes = Placement::start().to_bytes();
    codes.copy_within(40..63, 41);
    codes[40] = 7;
    table.board.note_damage(table.now);
    table.say(&Message::BoardDump(Placement::from_bytes(&codes)));
    table.board.handle_stray(Placement::start().to_bytes()[63], table.now);
    table.wait(1.0);
    assert_eq!(table.board.codes(), None);
    assert!(table.board.wants_dump());
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.start(Color::White);
    table.wait(5.0);
    table.play(&format!("{FIRST} {SECOND}"));
    check(table, &[]);
}

#[test]
fn a_slow_board_is_followed_exactly() {
    // Over Bluetooth every change comes up to half a second late, most of them after the press.
    for settings in [&["board.scan_ms=450", "board.settle_ms=900"][..], &[]] {
        let mut table = Table::game(settings);
        let moves = format!("{FIRST} {SECOND}");
        for uci in moves.split_whitespace() {
            let (from, to): (Square, Square) = (uci[0..2].parse().unwrap(), uci[2..4].parse().unwrap());
            let piece = table.stands.piece_at(from).unwrap();
            table.wait(1.0);
            table.set(from, None);
            table.wait(0.3);
            table.press(piece.color);
            table.wait(0.4);
            table.set(to, Some(piece));
        }
        check(table, &[]);
    }
}

#[test]
fn what_a_dead_square_leaves_open_stays_open() {
    // The pawn of g2 goes to g4, which is dead; for all that is seen it may stand on g3.
    let mut table = Table::game(&[]);
    table.dead = vec![Square::G4];
    table.play("g2g4 a7a6 a2a3 b7b6 b2b3 c7c6 c2c3 d7d6 d2d3 e7e6 e2e3 g8f6 g1f3 f6d7 f3d4 d7f6");
    table.play("d4e2 a6a5 a3a4 b6b5 b3b4 f8e7 f1g2 e8f8 e1f1 f8e8 f1e1 e8f8 e1f1");
    // A knight on g3 says that it does not.
    table.play("f8e8 e2g3 e8f8");
    let moves = table.moves();
    assert!(moves.starts_with("g4 a6 "), "{moves}");
    assert_eq!(table.current().len(), 32, "{moves}");
    let accused = table.alerts().into_iter().filter(|alert| alert.starts_with("illegal-move"));
    assert_eq!(accused.collect::<Vec<_>>(), Vec::<String>::new());
}

#[test]
fn a_press_without_a_move_is_reported_beside_a_dead_square() {
    let mut table = Table::new(&[]);
    table.dead.push(Square::G2);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.start(Color::White);
    table.wait(5.0);
    table.play(FIRST);
    table.dump();
    table.wait(2.0);
    // The pawn of g2 may have gone to g3 only if that square is dead, too.
    table.press(Color::White);
    table.wait(0.1);
    table.dump();
    table.wait(2.0);
    let reported = table.alerts().iter().filter(|alert| alert.starts_with("press-without-move")).count();
    assert_eq!(reported, 1, "{:?}", table.alerts());
}

#[test]
fn a_piece_long_not_shown_did_not_move_from_that_square() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3");
    // It shows nothing any more, whatever has become of the pawn.
    table.show("c2".parse().unwrap(), None);
    table.play("b8c6 f1c4 g8f6");
    table.hands("c5P");
    table.press(Color::White);
    table.wait(3.0);
    assert!(!table.alerts().iter().any(|alert| alert.starts_with("illegal-move")), "{:?}", table.alerts());
}

#[test]
fn a_piece_goes_on_from_a_dead_square_in_two_moves() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6 d2d3 d7d6");
    table.dead = vec!["d2".parse().unwrap()];
    // The bishop goes to d2 and on to g5; Black's reply stands before it is lifted.
    table.hands_within(0.15, "c1- h7- h6p g5B");
    for side in [Color::White, Color::Black, Color::White] {
        table.press(side);
        table.wait(0.2);
    }
    table.wait(2.0);
    table.play("f7f6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 d3 d6 Bd2 h6 Bg5 f6");
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_move_illegal_by_one_bit_waits_for_a_dump_on_a_bad_line() {
    let played = |stands: Square| {
        let mut table = Table::game(&[]);
        table.dump();
        table.board.note_damage(table.now);
        table.wait(0.1);
        table.board.note_damage(table.now);
        table.play("e2e4 e7e5 d2d3 d7d6");
        assert_eq!(table.alerts(), [""; 0]);
        // The knight is reported on e3, which one bit distinguishes from d3, g3 and f3.
        table.hands("g1-");
        table.show(Square::E3, piece('N'));
        super::set(&mut table.stands, stands, piece('N'));
        table.wait(0.5);
        table.press(Color::White);
        table.wait(3.0);
        assert_eq!(table.alerts(), [""; 0]);
        table.dump();
        table.wait(3.0);
        (table.moves(), table.alerts().iter().any(|alert| alert.starts_with("illegal-move")))
    };
    assert_eq!(played(Square::F3), ("e4 e5 d3 d6 Nf3".to_owned(), false));
    assert_eq!(played(Square::E3), ("e4 e5 d3 d6 Ng1e3?".to_owned(), true));
}

#[test]
fn castling_of_which_one_bit_was_read_otherwise_accuses_nobody() {
    let mut table = Table::game(&["event.control=blitz"]);
    table.play("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6");
    table.hands_within(0.6, "e1- g3K h1- f1R");
    table.wait(0.7);
    table.press(Color::White);
    table.wait(3.0);
    table.play("f8c5");
    table.wait(3.0);
    let alerts = table.alerts();
    assert!(alerts.iter().all(|alert| !alert.starts_with("illegal-move")), "{alerts:?} {}", table.moves());
}
