use shakmaty::{Role, Square};

use super::*;

fn play(game: &mut Game, moves: &str) {
    for uci in moves.split_whitespace() {
        let (from, rest) = uci.split_at(2);
        let (to, promotion) = rest.split_at(2);
        let promotion = promotion.chars().next().and_then(Role::from_char);
        let m = game.position().find(from.parse().unwrap(), to.parse().unwrap(), promotion).expect(uci);
        let ply = game.push(game.position().turn(), Played::Legal(m), Timestamp::ZERO, Confidence::Certain);
        game.complete(ply, Some(Times { white: 3600 + ply, black: 59 }), Confidence::Certain);
    }
}

fn game(moves: &str) -> Game {
    let mut game = Game::new(1, Position::initial());
    play(&mut game, moves);
    game
}

fn illegal(game: &mut Game, from: Square, to: Square) {
    let mut board = game.position().board().clone();
    let piece = board.remove_piece_at(from).unwrap();
    board.set_piece_at(to, piece);
    let irregular = Irregular { from, to, promotion: None, board, set: None };
    game.push(
        game.position().turn(),
        Played::Irregular(Box::new(irregular)),
        Timestamp::ZERO,
        Confidence::Certain,
    );
}

#[test]
fn a_piece_displaced_beside_a_move_begins_another_part() {
    let mut game = game("g1f3 a7a5 d2d3 g8f6");
    let before = game.position().clone();
    let m = before.find(Square::F3, Square::D4, None).unwrap();
    let mut board = before.board_after(m);
    let pawn = board.remove_piece_at(Square::D3).unwrap();
    board.set_piece_at(Square::C3, pawn);
    let played = Irregular { from: Square::F3, to: Square::D4, promotion: None, board, set: None };
    let played = Played::Irregular(Box::new(played));
    game.push(Color::White, played, Timestamp::ZERO, Confidence::Likely);
    play(&mut game, "a5a4 c3c4");
    let ply = game.ply(5).unwrap();
    assert!(ply.is_legal() && !ply.is_exact() && !ply.is_illegal());
    assert_eq!((ply.uci.as_str(), ply.san.as_str()), ("f3d4", "Nd4"));
    let pgn = game.pgn(&Tags::default());
    assert!(pgn.contains("3. Nd4") && !pgn.contains("3. Nd4 {[%emt 0:00:00]} 3... a4"), "{pgn}");
    let fen = "rnbqkb1r/1ppppppp/5n2/p7/3N4/2P5/PPP1PPPP/RNBQKB1R b KQkq - 0 3";
    assert!(pgn.contains(&format!("[FEN \"{fen}\"]")) && pgn.contains("3... a4"), "{pgn}");
}

#[test]
fn a_game_from_an_absurd_move_number_is_written() {
    let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 4294967295 4294967295";
    let mut game = Game::new(1, Position::from_fen(start, CastlingMode::Standard).unwrap());
    assert_eq!(game.position().fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 9999 9999");
    play(&mut game, "e1d1 e8d8 d1e1 d8e8");
    let pgn = game.pgn(&Tags::default());
    assert_eq!(game.position().fen(), "4k3/8/8/8/8/8/4P3/4K3 w - - 10003 10001");
    assert!(pgn.contains("9999. Kd1") && pgn.contains("10000. Ke1"), "{pgn}");
}

#[test]
fn withdrawn_plies_leave_no_trace() {
    let mut game = game("e2e4 e7e5 g1f3 b8c6");
    game.truncate(2);
    assert_eq!(game.position().fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    play(&mut game, "f1c4");
    assert_eq!(game.plies().last().unwrap().san.as_str(), "Bc4");
    game.truncate(9);
    assert_eq!(game.len(), 3);
}

#[test]
fn positions_after_plies_are_those_from_the_start() {
    let check = |game: &Game| {
        let mut position = game.start().clone();
        for (number, ply) in (1..).zip(game.plies()) {
            assert_eq!(game.position_after(number - 1).fen(), position.fen(), "{number}");
            position = ply.apply(&position);
        }
        assert_eq!(game.position_after(game.len()).fen(), position.fen());
    };
    let mut game = game("e2e4 e7e5 g1f3");
    check(&game);
    // Black has pressed without a move, and nobody has minded.
    let bishop = game.position().pass().find(Square::F1, Square::C4, None).unwrap();
    game.push(Color::White, Played::Legal(bishop), Timestamp::ZERO, Confidence::Certain);
    check(&game);
    illegal(&mut game, Square::B8, Square::B6);
    check(&game);
    for keep in (0..game.len()).rev() {
        game.truncate(keep);
        check(&game);
    }
    play(&mut game, "d2d4 d7d5");
    check(&game);
    // Also in long games of which some is withdrawn.
    for first in [2, 0] {
        game.truncate(first);
        for keep in [48, 44, 32, 28, 16, 12, 32] {
            while game.len() < 60 {
                play(&mut game, "g1f3 g8f6 f3g1 f6g8");
                check(&game);
            }
            game.truncate(first + keep);
            check(&game);
        }
    }
}

#[test]
fn counts_repetitions_from_the_start_position_on() {
    let game = game("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!([4, 5, 8].map(|ply| game.repetitions(ply)), [2, 2, 3]);
}

#[test]
fn repetitions_begin_anew_after_an_illegal_move_that_stands() {
    let mut game = game("g1f3 g8f6 f3g1");
    illegal(&mut game, Square::F6, Square::F5);
    play(&mut game, "g1f3 f5g3 f3g1 g3f5");
    assert_eq!(game.repetitions(4), 1);
    assert_eq!(game.repetitions(8), 2, "the position that the illegal move has left is the first");
}

#[test]
fn an_illegal_move_that_stands_continues_as_a_second_game() {
    let mut game = game("e2e4 e7e5");
    illegal(&mut game, Square::F1, Square::B4);
    play(&mut game, "f8b4");
    let pgn = game.pgn(&Tags { event: "A \"B\"".into(), ..Tags::default() });
    assert_eq!(
        pgn,
        "[Event \"A 'B'\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
         [Result \"*\"]\n[ContinuedIn \"2\"]\n\n1. e4 {[%clk 1:00:01]} 1... e5 {[%clk 0:00:59] [%emt 0:00:00] An \
         illegal move\nstands: Bf1b4} *\n\n\
         [Event \"A 'B'\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n\
         [Result \"*\"]\n[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppp1ppp/8/4p3/1B2P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2\"]\n\
         [ContinuationOf \"1\"]\n\n2... Bxb4 {[%clk 0:00:59] [%emt 0:00:00]} *\n"
    );
}

#[test]
fn a_game_from_a_position_carries_it_and_its_numbers() {
    let start = Position::from_fen("4k3/8/8/8/8/8/4p3/4K3 b - - 0 31", CastlingMode::Standard).unwrap();
    let mut game = Game::new(1, start);
    let m = game.position().find(Square::E8, Square::E7, None).unwrap();
    game.push(Color::Black, Played::Legal(m), Timestamp::ZERO, Confidence::Likely);
    game.set_result(Some(GameResult { score: Score::Draw, by: "arbiter" }));
    let pgn = game.pgn(&Tags::default());
    assert!(pgn.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 b - - 0 31\"]\n"), "{pgn}");
    assert!(pgn.ends_with("\n31... Ke7 1/2-1/2\n"), "{pgn}");
}

/// Writes a game with a clock that is set to the time of the first period, move by move: side's own times, seven seconds between moves.
fn sheet(control: &str, moves: &[(&'static str, bool, bool, u32)], result: &'static str) -> String {
    sheet_from(900, control, moves, result)
}

/// The same with a clock that is set to so many seconds.
fn sheet_from(
    set: u32,
    control: &str,
    moves: &[(&'static str, bool, bool, u32)],
    result: &'static str,
) -> String {
    let mut clock = Times { white: set, black: set };
    let tags = Tags { time_control: control.parse().ok(), ..Tags::default() };
    let mut side = Color::Black;
    let moves = moves.iter().map(|(san, legal, completed, left)| {
        side = !side;
        *(if side == Color::White { &mut clock.white } else { &mut clock.black }) = *left;
        SheetEntry {
            side,
            san,
            legal: *legal,
            completed: *completed,
            clock: Some(clock),
            elapsed: Some(7),
            inferred: None,
            after: None,
            entered: false,
            remark: None,
        }
    });
    let moves = moves.collect();
    let start = Position::initial().fen();
    let pgn = Sheet { tags: &tags, start: &start, chess960: false, moves, result }.write();
    pgn.split_once("\n\n").unwrap().1.to_owned()
}

#[test]
fn a_move_has_one_comment_with_what_is_left_and_what_it_took() {
    let moves = [
        ("e4", true, true, 895),
        ("e5", true, true, 910),
        ("Nf3", true, true, 900),
        ("Nc6", true, true, 950),
    ];
    assert_eq!(
        sheet("15+10", &moves, "*"),
        "1. e4 {[%clk 0:14:55] [%emt 0:00:15]} 1... e5 {[%clk 0:15:10] [%emt 0:00:00]}\n2. Nf3 \
         {[%clk 0:15:00] [%emt 0:00:05]} 2... Nc6 {[%clk 0:15:50] [%emt 0:00:07]}\n*\n",
        "Black's clock was put forward: the time between the moves counts"
    );
    let without = sheet("no control", &moves[..1], "*");
    assert_eq!(without, "1. e4 {[%clk 0:14:55] [%emt 0:00:07]} *\n");
}

#[test]
fn a_first_move_takes_what_the_clock_had_before_it() {
    let moves = [("e4", true, true, 915), ("e5", true, true, 890), ("Nf3", true, true, 920)];
    let usual = sheet_from(910, "15+10", &moves, "*");
    assert_eq!(
        usual,
        "1. e4 {[%clk 0:15:15] [%emt 0:00:05]} 1... e5 {[%clk 0:14:50] [%emt 0:00:30]}\n2. Nf3 \
         {[%clk 0:15:20] [%emt 0:00:05]} *\n",
        "the increment of the first move is on the clock before it"
    );
    let odds = [("e4", true, true, 915), ("e5", true, true, 290)];
    assert_eq!(
        sheet_from(300, "15+10", &odds, "*"),
        "1. e4 {[%clk 0:15:15] [%emt 0:00:07]} 1... e5 {[%clk 0:04:50] [%emt 0:00:20]} *\n",
        "what White had is not known"
    );
}

#[test]
fn periods_have_their_own_increments() {
    let control: crate::laws::TimeControl = "2/5400+30:1800".parse().unwrap();
    assert_eq!([0, 1, 2, 3].map(|played| pgn::increment(&control, played)), [30, 30, 0, 0]);
}

#[test]
fn what_may_yet_be_withdrawn_is_not_sent() {
    let pending = [("e4", true, true, 9), ("Bf1b4", false, false, 9)];
    assert_eq!(sheet("", &pending, "*"), "1. e4 {[%clk 0:00:09] [%emt 0:00:07]} *\n");
    let king = [("e4", true, true, 9), ("Ke5", true, false, 9)];
    assert_eq!(sheet("", &king, "*"), "1. e4 {[%clk 0:00:09] [%emt 0:00:07]} *\n");
    assert!(sheet("", &king, "1/2-1/2").contains("1... Ke5 1/2"), "after the end it is what it is");
    let elsewhere = [("e4", true, true, 9), ("Ke7", true, false, 9)];
    assert!(sheet("", &elsewhere, "*").ends_with("1... Ke7 *\n"));
}

#[test]
fn headers_hold_whatever_name_there_is() {
    let tags = Tags {
        event: " A\n\"B\" \\ C\u{7} ".to_owned(),
        white: "Ångström, Þór".to_owned(),
        time_control: "15+10".parse().ok(),
        more: vec![("Board", "7".to_owned()), ("WhiteElo", String::new())],
        ..Tags::default()
    };
    let pgn = game("").pgn(&tags);
    assert!(pgn.starts_with("[Event \"A 'B' \\\\ C\"]\n"), "{pgn}");
    assert!(pgn.contains("[White \"Ångström, Þór\"]"), "{pgn}");
    assert!(pgn.ends_with("[TimeControl \"900+10\"]\n[Board \"7\"]\n\n*\n"), "{pgn}");
}

#[test]
fn a_start_that_no_play_leads_to_is_in_a_comment() {
    let fen = "4k3/8/8/8/8/8/8/4K2K b - - 0 5";
    let start = Position::from_fen(fen, CastlingMode::Standard).unwrap();
    let pgn = Game::new(1, start).pgn(&Tags::default());
    assert!(pgn.ends_with(&format!("\n{{The game began from an irregular position: {fen}}} *\n")), "{pgn}");
    assert!(!pgn.contains("SetUp"), "{pgn}");
}
