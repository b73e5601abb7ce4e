use proptest::prelude::*;

use super::*;

fn check(text: &str, expect: &[(&str, &str, usize)]) {
    let read = read_pgn(text);
    assert_eq!(read.flaws, [], "{text}");
    let games: Vec<(&str, &str, usize)> =
        read.games.iter().map(|game| (game.name.as_str(), game.ending.score(), game.moves.len())).collect();
    assert_eq!(games, expect, "{text}");
}

#[test]
fn pgn_is_read_tolerantly() {
    check("1. e4 e5 2. Nf3", &[("? - ?", "*", 3)]);
    check(
        "[Event \"x\"]\r\n[White \"A \\\"B\\\"\"]\r\n[Black \"C\"]\r\n\r\n1.e4 {best (by test)} e5 $1 (1... c5 2. Nf3 (2. c3) \
         d6) 2.Nf3!? ; and so on\nNc6 2. ... 1/2-1/2",
        &[("A \"B\" - C", "1/2-1/2", 4)],
    );
    check(
        "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n[White \"B\"]\n1. d4 1-0",
        &[("A - ?", "0-1", 4), ("B - ?", "1-0", 1)],
    );
    check("[White \"A\"]\n1. e4\n[White \"B\"]\n1. d4", &[("A - ?", "*", 1), ("B - ?", "*", 1)]);
    check("% escaped\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. 0-0", &[("? - ?", "*", 7)]);
    check("1. e4 { a comment\nover lines } e5", &[("? - ?", "*", 2)]);
    check("[White \"A\"]\n\n1. e4 e5\n\n2. Nf3 1-0\n\n1. d4 *", &[("A - ?", "1-0", 3), ("? - ?", "*", 1)]);
}

#[test]
fn what_cannot_be_played_is_reported_with_its_place_and_skipped() {
    let check = |text: &str, expect: &[usize], flaw: &str| {
        let read = read_pgn(text);
        let plies: Vec<usize> = read.games.iter().map(|game| game.moves.len()).collect();
        assert_eq!(plies, expect, "{text}");
        let flaws: Vec<String> = read.flaws.iter().map(ToString::to_string).collect();
        assert_eq!(flaws.join("; "), flaw);
    };
    check("", &[], "");
    check("[White \"A\"]\n", &[], "");
    check(
        "1. e4\ne5 2. Ke3 Nf6 1-0 1. d4 *",
        &[2, 1],
        "game 1: '2. Ke3' is no legal move (rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2)",
    );
    check(
        "[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]\n1. Ke2",
        &[],
        "game 1: begins from a position of its own, and pieces stand in the initial one",
    );
    check("1. e4 {no end", &[1], "game 1: unterminated comment");
    // A bracket is missing, as in a file from a real tournament.
    check("1. d4 1/2-1/2\n\nEvent \"x\"]\n[Site \"y\"]\n\n1. e4 e5", &[1, 2], "");
}

#[test]
fn thinking_times_are_taken_from_comments() {
    let games = read_pgn(
        "[TimeControl \"180+2\"]\n1. e4 {[%clk 0:03:00]} e5 {[%clk 0:02:59][%emt 0:00:03]} 2. Nf3 {[%clk 0:02:50]} Nc6 3. Bb5 \
         {[%clk 0:02:52.4]}",
    )
    .games;
    let seconds: Vec<Option<u64>> =
        games[0].thinks.iter().map(|think| think.map(|think| think.as_secs())).collect();
    assert_eq!(seconds, [None, Some(3), Some(12), None, Some(0)]);
}

#[test]
fn the_famous_games_are_all_there_and_end_as_they_did() {
    let games = famous();
    assert_eq!(games.len(), famous::COUNT, "a move is not legal");
    let endings: Vec<&str> = games.iter().map(|game| game.ending.score()).collect();
    assert_eq!(endings, ["1-0", "1-0", "1-0", "1-0", "1-0", "1-0", "1-0", "0-1", "*", "1/2-1/2", "*"]);
}

#[test]
fn the_famous_games_have_every_kind_of_move() {
    let moves: Vec<Move> = famous().into_iter().flat_map(|game| game.moves).collect();
    let count = |is: fn(&Move) -> bool| moves.iter().filter(|m| is(m)).count();
    assert!(count(|m| m.is_en_passant()) >= 1);
    assert!(count(|m| m.is_promotion()) >= 3);
    assert!(count(|m| m.promotion() == Some(shakmaty::Role::Knight)) >= 1);
    assert!(count(|m| m.is_castle()) >= 6);
}

#[test]
fn made_up_games_are_legal_and_the_same_again() {
    for seed in 1..=40 {
        let game = invent(seed, 120);
        assert_eq!(game, invent(seed, 120));
        let mut position = Position::initial();
        for m in &game.moves {
            assert!(position.is_legal(*m), "seed {seed}");
            position = position.play(*m);
        }
    }
}

/// Random play would end in a bare board; this is what makes the games look like chess.
#[test]
fn made_up_games_are_sensible() {
    let games: Vec<GameRecord> = (1..=60).map(|seed| invent(seed, 160)).collect();
    let count = |is: fn(&Move) -> bool| games.iter().flat_map(|game| &game.moves).filter(|m| is(m)).count();
    let plies: usize = games.iter().map(|game| game.moves.len()).sum();
    assert!((3000..9000).contains(&plies), "{plies}");
    assert!((plies / 10..plies / 3).contains(&count(|m| m.is_capture())), "{}", count(|m| m.is_capture()));
    assert!(count(|m| m.is_castle()) > 40, "{}", count(|m| m.is_castle()));
    assert!(count(|m| m.is_promotion()) > 10, "{}", count(|m| m.is_promotion()));
    let won = games.iter().filter(|game| matches!(game.ending, Ending::Won(_))).count();
    assert!((20..=58).contains(&won), "{won}");
}

#[test]
fn two_dozen_games_come_with_the_program() {
    assert_eq!(built_in().len(), famous::COUNT + 12);
}

proptest! {
    #[test]
    fn no_text_is_too_strange(text in "[\\[\\](){};$%a-hKQRBNxO0-8+#=. \"\n-]{0,200}") {
        let read = read_pgn(&text);
        prop_assert!(read.games.iter().all(|game| game.thinks.len() == game.moves.len()));
    }
}
