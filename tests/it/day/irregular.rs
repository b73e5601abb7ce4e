//! A game that goes on after an illegal move that stands, as it is pushed to Lichess: two games, linked in their headers.

use serde_json::json;
use shakmaty::{CastlingMode, Color, Position as _, fen::Fen, san::San};

use super::{restarts::Pair, serial, truth::undated};
use crate::support::PATIENCE;

/// What stands after 1. e4 e5 2. Nb1-b3.
const AFTER: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/1N6/PPPP1PPP/R1BQKBNR b KQkq - 1 2";

const HEADERS: &str = "[Event \"Day\"]\n[Site \"Hall\"]\n[Date \"????.??.??\"]\n";

const NAMES: &str = "[White \"Muster, Ada\"]\n[Black \"Test, Bo\"]\n";

/// Writes what has to be pushed, without clock times.
fn expected(result: &str) -> String {
    format!(
        "{HEADERS}[Round \"1.1\"]\n{NAMES}[Result \"*\"]\n[TimeControl \"900+10\"]\n[Board \"1\"]\n[ContinuedIn \"1.1.2\"]\n\n\
         1. e4 1... e5 {{An illegal move stands: Nb1b3}} *\n\n\
         {HEADERS}[Round \"1.1.2\"]\n{NAMES}[Result \"{result}\"]\n[SetUp \"1\"]\n[FEN \"{AFTER}\"]\n\
         [TimeControl \"900+10\"]\n[Board \"1\"]\n[ContinuationOf \"1.1\"]\n\n2... d5 3. exd5 3... Qxd5 {result}"
    )
}

/// Returns a text in one line for each header and for all moves of a game, without clock times and days.
fn plain(body: &str) -> String {
    let mut text = String::new();
    for paragraph in undated(body).split("\n\n") {
        let is_moves = !paragraph.starts_with('[');
        let clocks = |line: &str| {
            ["[WhiteClock ", "[BlackClock ", "[ReferenceTime "].iter().any(|tag| line.starts_with(tag))
        };
        let lines = paragraph.lines().filter(|line| !clocks(line));
        let lines: Vec<&str> = lines.collect();
        let mut paragraph = lines.join(if is_moves { " " } else { "\n" });
        while let Some(at) = paragraph.find("[%") {
            let end = paragraph[at..].find(']').unwrap() + at;
            paragraph.replace_range(at..=end, "");
        }
        while let Some(at) = paragraph.find("  ") {
            paragraph.remove(at);
        }
        text.push_str(&paragraph.replace("{ }", "").replace("{}", "").replace("{ ", "{").replace("  ", " "));
        text.push_str("\n\n");
    }
    text.trim_end().to_owned()
}

#[test]
fn lichess_gets_the_game_after_an_illegal_move_as_a_second_one() {
    let mut pair = Pair::begin();
    let own = serial(1);
    pair.desk.order(&own, json!({ "order": "new-game", "white": "Muster, Ada", "black": "Test, Bo" }));
    pair.play(0, 2);
    let after: Fen = AFTER.parse().unwrap();
    pair.position = after.into_position(CastlingMode::Standard).unwrap();
    pair.floor.play_irregularly(0, pair.position.board(), Color::White);
    pair.desk.wait_plies(&[(own.clone(), 3)].into());
    for (count, san) in (4..).zip(["d5", "exd5", "Qxd5"]) {
        let m = san.parse::<San>().unwrap().to_move(&pair.position).unwrap();
        pair.floor.play(0, &pair.position, m);
        pair.position.play_unchecked(m);
        pair.desk.wait_plies(&[(own.clone(), count)].into());
    }
    for result in ["*", "1/2-1/2"] {
        if result != "*" {
            pair.desk.order(&own, json!({ "order": "result", "result": result }));
        }
        let expected = expected(result);
        let mut last = String::new();
        while last != expected {
            let push = pair
                .pushes
                .recv_timeout(PATIENCE)
                .unwrap_or_else(|_| panic!("not pushed:\n{expected}\nbut\n{last}"));
            assert_eq!(push.status, 200, "{push:?}");
            last = plain(&push.body);
        }
    }
    // The stand-in plays every game through.
    assert!(!pair.desk.text("/healthz").contains("does not take"), "{}", pair.desk.text("/healthz"));
    assert_eq!(pair.desk.close(), 0);
}
