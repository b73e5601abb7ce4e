//! How games begin and end, and what lies between them.

use dgt_protocol::Message;
use shakmaty::{Color, Square};

use super::Table;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const FISCHER: &str = "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN";

#[test]
fn a_start_is_found_whether_or_not_the_board_is_rotated() {
    for rotated in [false, true] {
        let mut table = Table::new(&[]);
        table.rotated = rotated;
        table.set_up(START);
        table.start(Color::White);
        table.play("e2e4 e7e5 g1f3");
        assert_eq!(table.starts(), [format!("{START} w KQkq - 0 1")], "rotated: {rotated}");
        assert_eq!(table.moves(), "e4 e5 Nf3", "rotated: {rotated}");
    }
}

#[test]
fn a_start_is_found_in_any_order_of_setting_up() {
    for rotated in [false, true] {
        let mut table = Table::new(&[]);
        table.rotated = rotated;
        table.set_up("8/8/8/8/8/8/8/8");
        let wanted = shakmaty::Board::new();
        for (square, piece) in wanted {
            table.set(square, Some(piece));
            table.wait(0.4);
        }
        table.start(Color::White);
        table.play("d2d4 d7d5");
        assert_eq!(table.starts().len(), 1, "rotated: {rotated}");
        assert_eq!(table.moves(), "d4 d5", "rotated: {rotated}");
    }
}

#[test]
fn chess960_begins_where_it_is_played() {
    for rotated in [false, true] {
        let mut table = Table::new(&["game.chess960=true"]);
        table.rotated = rotated;
        table.set_up(FISCHER);
        table.start(Color::White);
        table.play("e2e3 e7e6");
        assert_eq!(table.starts(), [format!("{FISCHER} w KQkq - 0 1")], "rotated: {rotated}");
        assert_eq!(table.moves(), "e3 e6", "rotated: {rotated}");
    }
}

#[test]
fn castling_in_chess960_is_a_move() {
    let mut table = Table::new(&["game.chess960=true"]);
    table.set_up("bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN");
    table.start(Color::White);
    table.play("h2h3 h7h6");
    // King and rook change places: f1 to g1, g1 to f1.
    table.wait(1.0);
    table.hands("f1- g1- g1K f1R");
    table.wait(0.3);
    table.press(Color::White);
    table.wait(1.0);
    table.play("a7a6");
    assert_eq!(table.moves(), "h3 h6 O-O a6");
}

#[test]
fn chess960_does_not_begin_where_it_is_not_played() {
    let mut table = Table::new(&[]);
    table.set_up(FISCHER);
    table.wait(10.0);
    assert_eq!(table.starts(), Vec::<String>::new());
    // Once it is played all the same, pieces stand on each other's squares.
    table.start(Color::White);
    table.play("e2e3 e7e6");
    assert_eq!(table.alerts().len(), 1);
    assert!(table.alerts()[0].starts_with("start-position-wrong"), "{:?}", table.alerts());
}

#[test]
fn a_game_is_adopted_with_the_move_of_the_running_side() {
    let placement = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R";
    for (turn, letter, moves, played) in
        [(Color::Black, 'b', "g8f6 d2d3", "Nf6 d3"), (Color::White, 'w', "d2d3 g8f6", "d3 Nf6")]
    {
        let mut table = Table::position(&[], placement, turn);
        assert_eq!(table.starts(), [format!("{placement} {letter} KQkq - 0 1")]);
        assert_eq!(table.adoptions(), [true]);
        table.play(moves);
        assert_eq!((table.moves().as_str(), table.alerts()), (played, vec![]));
    }
}

#[test]
fn nothing_is_picked_up_while_nobody_plays() {
    let mut table = Table::new(&[]);
    table.set_up("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R");
    table.hands("b1- c3N g8- f6n");
    table.wait(60.0);
    assert_eq!(table.starts(), Vec::<String>::new());
}

#[test]
fn mate_and_stalemate_end_the_game() {
    let mut table = Table::game(&[]);
    table.play("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(table.adoptions(), [false]);
    assert_eq!(
        (table.results(), table.reported()),
        (vec!["0-1 mate".to_owned()], vec!["f3 e5 g4 Qh4#".to_owned()])
    );
    let mut table = Table::ordered(&[], "7k/8/8/6Q1/8/8/8/K7", Color::White);
    table.play("g5g6");
    let stalemate = vec!["1/2-1/2 stalemate".to_owned()];
    assert_eq!((table.results(), table.reported()), (stalemate, vec!["Qg6".to_owned()]));
}

/// What kings on these squares show, after three moves with the clock stopped or running.
fn kings(stopped: bool, hands: &str) -> (Vec<String>, String) {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3");
    if stopped {
        table.stop();
    }
    table.wait(1.0);
    table.hands(hands);
    table.wait(8.0);
    table.finish();
    (table.results(), table.moves())
}

#[test]
fn kings_in_the_centre_show_the_result_in_either_order() {
    for stopped in [true, false] {
        for (hands, result) in [
            ("e1- e4- e4K e8- d5k", "1-0 kings"),
            ("e8- d5k e1- e4- e4K", "1-0 kings"),
            ("e8- e5- e5k e1- d4K", "0-1 kings"),
            ("e1- e8- d4K e5- e5k", "0-1 kings"),
            ("e1- d4K e8- d5k", "1/2-1/2 kings"),
            ("e8- e5- e5k e1- e4- e4K", "1/2-1/2 kings"),
        ] {
            let reported = kings(stopped, hands);
            assert_eq!(reported, (vec![result.to_owned()], "e4 e5 Nf3".to_owned()), "{hands}, {stopped}");
        }
    }
}

#[test]
fn kings_in_the_centre_are_no_moves_where_they_could_be() {
    // Both kings have a legal move to the centre, and Black's other pieces stay where they are.
    let placement = "8/p7/3k4/8/8/4K3/P7/8";
    for (stopped, first, second) in [
        (true, "e3- e4K", "d6- d5k"),
        (false, "e3- e4K", "d6- d5k"),
        (true, "d6- d5k", "e3- e4K"),
        (false, "d6- d5k", "e3- e4K"),
    ] {
        let mut table = Table::position(&[], placement, Color::White);
        table.play("a2a4 a7a5");
        if stopped {
            table.stop();
        }
        table.wait(1.0);
        table.hands(first);
        table.wait(1.5);
        table.hands(second);
        table.wait(8.0);
        table.finish();
        assert_eq!(table.results(), ["1-0 kings"], "{first} {second}, {stopped}");
        assert_eq!(table.moves(), "a4 a5", "{first} {second}, {stopped}");
        assert_eq!(table.reported(), ["a4 a5"]);
    }
}

#[test]
fn one_king_in_the_centre_is_no_result_and_no_move() {
    for hands in ["e3- e4K", "d6- d5k", "e3- d6- d5k"] {
        let mut table = Table::position(&[], "8/p7/3k4/8/8/4K3/P7/8", Color::White);
        table.play("a2a4 a7a5");
        table.stop();
        table.wait(1.0);
        table.hands(hands);
        table.wait(10.0);
        assert_eq!((table.results(), table.moves().as_str()), (vec![], "a4 a5"), "{hands}");
        table.order(r#"{"order":"result","result":"1-0"}"#);
        assert_eq!((table.results(), table.moves().as_str()), (vec!["1-0 arbiter".to_owned()], "a4 a5"));
        assert_eq!(table.alerts(), Vec::<String>::new());
    }
}

#[test]
fn a_king_in_the_centre_already_counts_with_the_other() {
    // White's king has come to e4 by play; only Black's goes there to resign.
    let mut table = Table::position(&[], "8/p7/3k4/8/8/4K3/P7/8", Color::White);
    table.play("e3e4 d6e6 a2a4");
    table.stop();
    table.wait(1.0);
    table.hands("e6- d5k");
    table.wait(8.0);
    assert_eq!((table.results(), table.moves().as_str()), (vec!["1-0 kings".to_owned()], "Ke4 Ke6 a4"));
}

#[test]
fn pieces_that_are_set_up_again_begin_the_next_game() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5 g1f3 b8c6");
    table.stop();
    table.wait(5.0);
    table.hands("f3- g1N e4- e2P c6- b8n e5- e7p");
    table.wait(10.0);
    assert_eq!(table.reported(), ["e4 e5 Nf3 Nc6"]);
    assert_eq!(table.starts().len(), 2);
    table.start(Color::White);
    table.wait(1.0);
    table.play("d2d4 d7d5");
    assert_eq!((table.current().number(), table.moves().as_str()), (2, "d4 d5"));
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_set_up_after_an_ordered_position_begins_another_game() {
    let mut table = Table::ordered(&[], "4k3/8/8/8/8/8/P7/4K3", Color::White);
    table.play("a2a4 e8d7 a4a5 d7c6");
    table.stop();
    table.wait(5.0);
    table.hands("a5- c6- e8k a1R b1N c1B d1Q f1B g1N h1R a2P b2P c2P d2P e2P f2P g2P h2P");
    table.hands("a8r b8n c8b d8q f8b g8n h8r a7p b7p c7p d7p e7p f7p g7p h7p");
    table.wait(10.0);
    table.start(Color::White);
    table.wait(1.0);
    table.play("d2d4 d7d5");
    assert_eq!(table.moves(), "d4 d5");
    assert_eq!(table.reported(), ["a4 Kd7 a5 Kc6"]);
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_clock_started_with_all_in_place_begins_the_next_game() {
    for pause in [0.1, 1.0, 1.9] {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5 g1f3 b8c6");
        table.stop();
        table.wait(5.0);
        table.hands("f3- g1N e4- e2P c6- b8n e5- e7p");
        table.wait(pause);
        table.start(Color::White);
        table.wait(0.1);
        table.play("d2d4 d7d5");
        assert_eq!(table.reported(), ["e4 e5 Nf3 Nc6"], "{pause}");
        assert_eq!((table.current().number(), table.moves().as_str()), (2, "d4 d5"), "{pause}");
        assert_eq!(table.alerts(), Vec::<String>::new(), "{pause}");
    }
}

#[test]
fn a_clock_that_goes_on_at_the_start_position_begins_no_game() {
    let mut table = Table::game(&[]);
    table.play("g1f3 g8f6 f3g1 f6g8");
    table.stop();
    table.wait(0.5);
    table.start(Color::White);
    table.wait(1.0);
    table.play("e2e4 e7e5");
    assert_eq!((table.current().number(), table.moves().as_str()), (1, "Nf3 Nf6 Ng1 Ng8 e4 e5"));
}

#[test]
fn analysis_after_the_result_is_silent_and_the_next_game_is_not() {
    let mut table = Table::game(&[]);
    table.play("f2f3 e7e5 g2g4 d8h4");
    let mark = table.mark();
    table.stop();
    // Another move is tried, pieces go about, then the clock is pressed for fun.
    table.hands("h4- d8q g4- g3P e1- d3K e8- d4k b1- b5N");
    table.start(Color::White);
    table.wait(2.0);
    table.press(Color::White);
    table.wait(2.0);
    table.press(Color::Black);
    table.hands("a2- a6P");
    table.wait(30.0);
    table.stop();
    table.wait(60.0);
    assert_eq!(table.since(mark), Vec::<&str>::new());
    assert_eq!(
        (table.results(), table.reported()),
        (vec!["0-1 mate".to_owned()], vec!["f3 e5 g4 Qh4#".to_owned()])
    );
    table.set_up(START);
    table.wait(1.0);
    table.dump();
    table.start(Color::White);
    table.wait(2.0);
    table.play("e2e4 c7c5");
    assert_eq!((table.current().number(), table.moves().as_str()), (2, "e4 c5"));
}

#[test]
fn the_next_game_may_be_rotated() {
    let mut table = Table::game(&[]);
    table.play("f2f3 e7e5 g2g4 d8h4");
    table.stop();
    table.rotated = true;
    // A board that reports something else altogether is asked a second time.
    table.set_up(START);
    table.wait(1.0);
    assert!(table.board.wants_dump());
    table.dump();
    table.wait(5.0);
    table.start(Color::White);
    table.play("e2e4 c7c5");
    assert_eq!((table.current().number(), table.moves().as_str()), (2, "e4 c5"));
}

#[test]
fn kings_that_move_on_show_the_result_where_they_rest() {
    for stopped in [true, false] {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5 g1f3");
        if stopped {
            table.stop();
        }
        table.wait(1.0);
        // Black wins; then the arbiter looks at the score sheet, and both are put right.
        table.hands("e1- d4K e8- e5- e5k");
        table.wait(6.0);
        assert_eq!(table.results(), ["0-1 kings"], "{stopped}");
        table.hands("d4- e5- e4- e4K");
        table.wait(1.0);
        table.hands("d5k");
        table.wait(6.0);
        assert_eq!(table.results(), ["0-1 kings", "1-0 kings"], "{stopped}");
        assert_eq!(table.reported(), ["e4 e5 Nf3", "e4 e5 Nf3"], "{stopped}");
        // Once other pieces have moved the kings show nothing more.
        table.hands("f3- g1N e4- d4K");
        table.wait(6.0);
        assert_eq!(table.results().len(), 2, "{stopped}");
        assert_eq!(table.alerts(), Vec::<String>::new(), "{stopped}");
    }
}

#[test]
fn a_move_to_the_centre_is_kept_when_a_king_takes_its_square() {
    // No clock: nothing completes the last move but what follows.
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(1.0);
    for uci in "e2e4 e7e6 b1c3 g8f6 c3d5".split_whitespace() {
        table.make(uci);
        table.wait(2.0);
    }
    table.hands("d5- e8- d5k e1- e4- e4K");
    table.wait(8.0);
    table.finish();
    assert_eq!(table.results(), ["1-0 kings"]);
    assert_eq!(table.moves().replace('…', ""), "e4 e6 Nc3 Nf6 Nd5");
}

#[test]
fn a_sign_on_the_board_is_the_result() {
    use dgt_protocol::Piece::{MagicBlackWins, MagicDraw, MagicWhiteWins};
    for (sign, result) in
        [(MagicDraw, "1/2-1/2 sign"), (MagicWhiteWins, "1-0 sign"), (MagicBlackWins, "0-1 sign")]
    {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5 g1f3");
        table.stop();
        let field = table.field(Square::D5);
        table.say(&Message::FieldUpdate { field, piece: sign });
        assert!(table.board.wants_dump(), "a damaged report looks the same");
        table.wait(5.0);
        assert_eq!(table.results(), Vec::<String>::new());
        let mut placement = table.placement();
        placement.set(field, sign);
        table.say(&Message::BoardDump(placement));
        table.wait(2.0);
        assert_eq!((table.results(), table.moves().as_str()), (vec![result.to_owned()], "e4 e5 Nf3"));
        assert_eq!(table.alerts(), Vec::<String>::new());
    }
}

#[test]
fn a_sign_that_a_dump_does_not_show_is_none() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    let field = table.field(Square::D5);
    table.say(&Message::FieldUpdate { field, piece: dgt_protocol::Piece::MagicDraw });
    table.wait(0.3);
    table.dump();
    table.wait(5.0);
    table.play("g1f3 b8c6");
    assert_eq!((table.results(), table.moves().as_str()), (vec![], "e4 e5 Nf3 Nc6"));
    assert_eq!(table.alerts(), Vec::<String>::new());
}

#[test]
fn a_square_shows_its_piece_again_after_a_sign_for_a_moment() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    let field = table.field(Square::G1);
    table.say(&Message::FieldUpdate { field, piece: dgt_protocol::Piece::MagicDraw });
    table.wait(0.2);
    table.show(Square::G1, Color::White.knight().into());
    table.play("g1f3 b8c6");
    assert_eq!((table.results(), table.moves().as_str()), (vec![], "e4 e5 Nf3 Nc6"));
}

#[test]
fn games_from_a_position_and_others_follow_each_other() {
    const FEN: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let mut table = Table::new(&[]);
    FEN.clone_into(&mut std::sync::Arc::make_mut(&mut table.board.settings).game.fen);
    table.set_up("4k3/8/8/8/8/8/4P3/4K3");
    table.wait(1.0);
    table.start(Color::White);
    table.play("e2e4 e8e7");
    table.stop();
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(20.0);
    table.start(Color::White);
    table.play("e2e4 e7e5 g1f3");
    table.stop();
    table.set_up("4k3/8/8/8/8/8/4P3/4K3");
    table.dump();
    table.wait(20.0);
    table.start(Color::White);
    table.play("e1d2 e8d7 e2e3");
    assert_eq!(table.moves(), "Kd2 Kd7 e3");
}
