//! Games that begin while squares of the start position show nothing.

use shakmaty::{Color, Square};

use super::Table;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const FISCHER: &str = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN";
const GAME: &str = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 c2c3 g8f6 d2d4 e5d4 c3d4 c5b4";
const MOVES: &str = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d4 exd4 cxd4 Bb4+";

/// Returns the place of a start position on an ordinary board.
fn first() -> String {
    format!("{START} w KQkq - 0 1")
}

#[test]
fn a_game_is_exact_whichever_square_of_its_start_is_dead() {
    for rotated in [false, true] {
        for square in shakmaty::Board::new().occupied() {
            let mut table = Table::new(&[]);
            table.rotated = rotated;
            table.dead.push(square);
            table.set_up(START);
            table.start(Color::White);
            table.play(GAME);
            assert_eq!(table.starts(), [first()], "{square} dead, rotated: {rotated}");
            assert_eq!(table.adoptions(), [false], "{square} dead, rotated: {rotated}");
            assert_eq!(table.moves(), MOVES, "{square} dead, rotated: {rotated}");
            let named = table.alerts();
            let all_of_the_board = named.iter().all(|alert| alert.starts_with("board-mismatch"));
            assert!(all_of_the_board, "{square} dead, rotated: {rotated}: {named:?}");
        }
    }
}

/// Returns the board after a game of which the first dump showed pieces on squares where they cannot stand; `next` says whether another
/// dump shows that they do not.
fn game_beside_corrupted(rotated: bool, corrupted: &[(Square, char)], next: bool) -> Table {
    let mut table = Table::new(&[]);
    table.rotated = rotated;
    table.stands = shakmaty::Board::new();
    for (square, piece) in corrupted {
        super::set(&mut table.stands, *square, shakmaty::Piece::from_char(*piece));
    }
    table.dump();
    table.stands = shakmaty::Board::new();
    table.start(Color::White);
    let side = table.make("e2e4");
    if next {
        table.dump();
    }
    table.press(side);
    table.wait(1.2);
    table.play(GAME.strip_prefix("e2e4 ").unwrap());
    table.finish();
    table
}

#[test]
fn a_game_is_exact_whatever_piece_too_many_its_first_dump_shows() {
    for rotated in [false, true] {
        let one = [(Square::F3, 'R'), (Square::H5, 'q'), (Square::G2, 'n'), (Square::A8, 'K')]
            .map(|corrupted| vec![corrupted]);
        let two = [vec![(Square::H3, 'B'), (Square::A2, 'K')], vec![(Square::D5, 'p'), (Square::E3, 'P')]];
        for corrupted in one.into_iter().chain(two) {
            for next in [false, true] {
                let table = game_beside_corrupted(rotated, &corrupted, next);
                let case = format!("{corrupted:?}, rotated: {rotated}, other dump: {next}");
                assert_eq!(table.starts(), [first()], "{case}");
                assert_eq!(table.adoptions(), [false], "{case}");
                assert_eq!(table.moves(), MOVES, "{case}");
                let named = table.alerts();
                let of_the_board = |alert: &&str| {
                    ["board-mismatch", "start-position-wrong"].iter().any(|it| alert.starts_with(it))
                };
                let all_of_the_board = named.iter().all(|alert| of_the_board(&alert.as_str()));
                assert!(all_of_the_board && (named.is_empty() || !next), "{case}: {named:?}");
            }
        }
    }
}

#[test]
fn a_dead_square_of_the_start_is_named() {
    let mut table = Table::new(&[]);
    table.dead.push(Square::A1);
    table.set_up(START);
    table.start(Color::White);
    table.play(GAME);
    assert_eq!(table.alerts(), [r#"board-mismatch dead ["a1"]"#]);
}

#[test]
fn a_game_without_a_clock_begins_beside_a_dead_square() {
    let mut table = Table::new(&[]);
    table.dead.push(Square::G1);
    table.set_up(START);
    table.wait(1.0);
    for uci in GAME.split_whitespace() {
        table.make(uci);
        table.wait(2.0);
    }
    table.finish();
    assert_eq!((table.starts(), table.moves().replace('…', "")), (vec![first()], MOVES.to_owned()));
}

#[test]
fn the_next_game_begins_where_a_square_is_dead() {
    let mut table = Table::new(&[]);
    table.dead.push(Square::G1);
    table.set_up(START);
    table.start(Color::White);
    table.play("f2f3 e7e5 g2g4 d8h4");
    table.stop();
    table.wait(20.0);
    table.hands("h4- d8q e5- e7p f3- f2P g4- g2P");
    table.wait(5.0);
    table.start(Color::White);
    table.play(GAME);
    assert_eq!((table.starts(), table.moves()), (vec![first(), first()], MOVES.to_owned()));
    // The game before ends without a result.
    table.stop();
    table.set_up(START);
    table.dump();
    table.wait(5.0);
    assert_eq!(table.starts().len(), 3);
}

#[test]
fn pieces_that_are_set_up_slowly_begin_one_game() {
    let mut table = Table::new(&[]);
    table.set_up("8/8/8/8/8/8/8/8");
    for (square, piece) in shakmaty::Board::new() {
        table.set(square, Some(piece));
        table.wait(20.0);
    }
    table.start(Color::White);
    table.play(GAME);
    assert_eq!((table.starts(), table.moves()), (vec![first()], MOVES.to_owned()));
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_knight_in_the_hand_at_the_first_dump_begins_the_game() {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB1R");
    table.start(Color::White);
    table.hands("f3N");
    table.press(Color::White);
    table.wait(1.0);
    table.play("d7d5 d2d4");
    assert_eq!((table.starts(), table.moves()), (vec![first()], "Nf3 d5 d4".to_owned()));
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_piece_lifted_off_the_start_position_begins_no_other_game() {
    let mut table = Table::game(&[]);
    table.play("g1f3 g8f6");
    // White takes the knight back and thinks.
    table.hands("f6- g8n f3-");
    table.wait(30.0);
    table.hands("g1N");
    table.wait(1.0);
    assert_eq!(table.starts(), [first()]);
}

#[test]
fn chess960_begins_where_a_square_is_dead() {
    for square in [Square::A1, Square::F8, Square::C2] {
        let mut table = Table::new(&["game.chess960=true"]);
        table.dead.push(square);
        table.set_up(FISCHER);
        table.start(Color::White);
        table.play("e2e3 e7e6");
        assert_eq!(table.starts(), [format!("{FISCHER} w KQkq - 0 1")], "{square} dead");
        assert_eq!(table.moves(), "e3 e6", "{square} dead");
    }
}

#[test]
fn a_board_that_lacks_many_pieces_is_no_start() {
    let mut table = Table::new(&[]);
    // A lesson with pawns and kings.
    table.set_up("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3");
    table.start(Color::White);
    table.play("e2e4 e7e5");
    assert_eq!(table.starts(), ["4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"]);
}

#[test]
fn an_order_for_a_new_game_fills_the_squares_that_show_nothing() {
    let mut table = Table::new(&[]);
    table.dead.push(Square::E1);
    table.set_up(START);
    table.order(r#"{"order":"new-game"}"#);
    table.start(Color::White);
    table.play(GAME);
    assert_eq!((table.starts(), table.moves()), (vec![first()], MOVES.to_owned()));
}

/// Plays a game that is left without a result, sets the pieces up again while these squares report nothing, and plays the next one.
fn next_game_set_up_beside(left: &[Square], missing: &[Square]) -> Table {
    let mut table = Table::game(&[]);
    table.play(GAME);
    table.stop();
    table.wait(20.0);
    let (before, initial) = (table.stands.clone(), shakmaty::Board::new());
    table.dead = left.to_vec();
    let odd = crate::position::differences(&before, &initial);
    for square in odd & before.occupied() {
        table.set(square, None);
        table.wait(0.5);
    }
    table.dead = missing.to_vec();
    for square in odd & initial.occupied() {
        table.set(square, initial.piece_at(square));
        table.wait(0.5);
    }
    table.dead.clear();
    table.start(Color::White);
    table.wait(2.0);
    table.play("d2d4 d7d5 c2c4 e7e6 b1c3 g8f6");
    table.finish();
    table
}

#[test]
fn the_next_game_begins_although_a_change_was_not_reported() {
    let lost: [(&[Square], &[Square]); 5] = [
        (&[Square::C4], &[]),
        (&[], &[Square::G8]),
        (&[], &[Square::E2, Square::D7]),
        (&[Square::F3], &[Square::F8]),
        (&[Square::B4, Square::D4], &[Square::G8]),
    ];
    for (left, missing) in lost {
        let table = next_game_set_up_beside(left, missing);
        assert_eq!(table.starts(), [first(), first()], "left {left:?}, missing {missing:?}");
        assert_eq!(table.moves(), "d4 d5 c4 e6 Nc3 Nf6", "left {left:?}, missing {missing:?}");
        let named = table.alerts();
        let all_of_the_board = named.iter().all(|alert| alert.starts_with("board-mismatch"));
        assert!(all_of_the_board, "left {left:?}, missing {missing:?}: {named:?}");
    }
}

#[test]
fn odds_are_recorded_as_what_stood_there_once_play_shows() {
    for (absent, moves, played) in [
        (Square::B1, "g1f3 g8f6 a1b1 b8c6 b1a1", "Nf3 Nf6 Rb1 Nc6 Ra1"),
        (Square::D8, "e2e4 e7e5 g1f3 e8d8 b1c3", "e4 e5 Nf3 Kd8 Nc3"),
        (Square::B1, "d2d4 d7d5 c1f4 g8f6 a1c1 e7e6", "d4 d5 Bf4 Nf6 Rc1 e6"),
    ] {
        let mut table = Table::new(&[]);
        let mut board = shakmaty::Board::new();
        board.discard_piece_at(absent);
        table.set_up(&board.to_string());
        table.wait(10.0);
        table.start(Color::White);
        table.play(moves);
        table.wait(3.0);
        assert_eq!(table.moves(), played, "{absent}");
        let start = table.current().start().board().clone();
        assert_eq!(start, board, "{absent}");
        assert!(table.alerts().iter().all(|alert| !alert.starts_with("illegal")), "{:?}", table.alerts());
    }
}
