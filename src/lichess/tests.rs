use super::*;
use crate::lichess::answer::{GameAnswer, read};

fn game(text: &str) -> String {
    text.to_owned()
}

/// Counts the looks until the next push.
fn looks(pace: &mut Pace, body: &str) -> u32 {
    (0..10_000).find(|_| pace.is_due(body)).unwrap()
}

#[test]
fn a_snapshot_goes_out_when_something_has_changed() {
    let mut push = Push::default();
    assert_eq!(push.next(&[]), None, "an empty round says nothing");
    let games = [game("[White \"A\"]\n\n1. e4 *\n"), game("[White \"B\"]\n\n*\n")];
    let body = push.next(&games).unwrap();
    assert_eq!(body, "[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n*");
    push.handle_outcome(PushOutcome::Taken(Vec::new()), jiff::Timestamp::UNIX_EPOCH);
    assert_eq!(push.next(&games), None);
    assert!(push.next(&games[..1]).is_some());
    let many: Vec<String> = (0..150).map(|number| game(&format!("[Board \"{number}\"]"))).collect();
    assert_eq!(push.next(&many).unwrap().matches("[Board").count(), MOST);
}

#[test]
fn the_end_of_a_round_is_pushed_before_the_next_one() {
    let mut push = Push::default();
    let mut look = |round: u32, games: &str| {
        let round = push.round(round);
        let is_sent = push.next(&[game(games)]).is_some();
        push.handle_outcome(PushOutcome::Taken(Vec::new()), jiff::Timestamp::UNIX_EPOCH);
        (round, is_sent)
    };
    assert_eq!([look(3, "1. e4 *"), look(3, "1. e4 *")], [(3, true), (3, false)]);
    // The last result is written while the next round is wanted already.
    assert_eq!([look(4, "1. e4 *"), look(4, "1. e4 1-0")], [(3, false), (3, true)]);
    for _ in 0..QUIET {
        assert_eq!(look(4, "1. e4 1-0"), (3, false));
    }
    assert_eq!(look(4, "*"), (4, true));
}

#[test]
fn a_round_with_a_game_in_play_is_pushed_longer() {
    let mut push = Push::default();
    let mut look = |round: u32, result: &str, moves: &str| {
        let round = push.round(round);
        push.next(&[format!("[Event \"Day\"]\n[Result \"{result}\"]\n\n{moves} {result}")]);
        push.handle_outcome(PushOutcome::Taken(Vec::new()), jiff::Timestamp::UNIX_EPOCH);
        round
    };
    assert_eq!(look(3, "*", "1. e4 e5"), 3);
    for _ in 0..QUIET_UNFINISHED - 1 {
        assert_eq!(look(4, "*", "1. e4 e5"), 3);
    }
    assert_eq!(look(4, "1-0", "1. e4 e5 2. Qh5"), 3);
    for _ in 0..QUIET {
        assert_eq!(look(4, "1-0", "1. e4 e5 2. Qh5"), 3);
    }
    assert_eq!(look(4, "*", ""), 4);
}

#[test]
fn games_are_read_where_they_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let mut config = Config::default();
    assert_eq!(games_file(&config, 3), None);
    config.pgn =
        Some(crate::config::PgnConfig { dir: dir.path().into(), ..crate::config::PgnConfig::default() });
    let file = games_file(&config, 3).unwrap();
    assert_eq!(file, dir.path().join("round-3/games.pgn"));
    assert!(read_text(&file).is_empty());
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "[Event \"A\"]\n\n1. e4 *\n\n[Event \"B\"]\n\n*\n").unwrap();
    assert_eq!(split(&read_text(&file)), ["[Event \"A\"]\n\n1. e4 *\n\n", "[Event \"B\"]\n\n*\n"]);
}

#[test]
fn a_server_that_asks_for_patience_gets_it() {
    let mut pace = Pace::default();
    assert_eq!(looks(&mut pace, "a"), 0);
    for (outcome, expected) in [
        (PushOutcome::TooMany(0), 60),
        (PushOutcome::TooMany(0), 120),
        (PushOutcome::TooMany(300), 300),
        (PushOutcome::TooMany(u32::MAX), 900),
        (PushOutcome::Refused(401, String::new()), 60),
    ] {
        pace.note_outcome(&outcome);
        assert_eq!(looks(&mut pace, "a"), expected, "{outcome:?}");
    }
    pace.note_outcome(&PushOutcome::Taken(Vec::new()));
    for expected in [2, 4, 8, 16, 32, 60, 60] {
        pace.note_outcome(&PushOutcome::Unreachable(String::new()));
        assert_eq!(looks(&mut pace, "a"), expected);
    }
}

#[test]
fn answers_are_read_whatever_they_are() {
    let body = r#"{"games":[{"tags":{"Round":"1.2","White":"A","Black":"B"},"moves":2},{"tags":{},"error":"Cannot parse\nmove"}]}"#;
    let expected = [("1.2", "A - B", None), ("?", "? - ?", Some("Cannot parse move"))];
    let expected = expected.map(|(round, players, error)| GameAnswer {
        round: round.to_owned(),
        players: players.to_owned(),
        error: error.map(str::to_owned),
    });
    assert_eq!(read(200, None, body), PushOutcome::Taken(expected.to_vec()));
    assert_eq!(read(429, Some("90"), ""), PushOutcome::TooMany(90));
    assert_eq!(read(429, Some("soon"), ""), PushOutcome::TooMany(0));
    assert_eq!(read(400, None, "{\"error\":\"no\"}"), PushOutcome::Refused(400, "no".to_owned()));
    assert_eq!(read(302, None, "<html>"), PushOutcome::Refused(302, "<html>".to_owned()));
    for (status, body) in [(200, ""), (200, "[]"), (200, "{\"games\":1}"), (503, "")] {
        assert!(matches!(read(status, None, body), PushOutcome::Unreachable(_)), "{status} {body}");
    }
}

#[test]
fn what_lichess_does_not_take_is_reported_until_it_is_taken() {
    let figures = Figures::default();
    let mut push = Push::new(figures.clone());
    let now = jiff::Timestamp::UNIX_EPOCH;
    let game = |error: Option<&str>| {
        let (round, players) = ("1.1".to_owned(), "A - B".to_owned());
        PushOutcome::Taken(vec![GameAnswer { round, players, error: error.map(str::to_owned) }])
    };
    let reported = || figures.health.degraded().get(SINK).cloned();
    let counted = || {
        let export = figures.exports.read()[SINK];
        (export.successes, export.failures, export.refused_games)
    };
    push.handle_outcome(game(Some("illegal move")), now);
    assert_eq!(reported().unwrap(), "does not take game 1.1: illegal move");
    assert_eq!(counted(), (1, 0, 1));
    push.handle_outcome(PushOutcome::Refused(401, "No such token".to_owned()), now);
    let text = reported().unwrap();
    assert!(text.starts_with("refuses the push: No such token") && text.contains("game 1.1"), "{text}");
    push.handle_outcome(PushOutcome::Unreachable("timeout".to_owned()), now);
    push.handle_outcome(PushOutcome::TooMany(0), now);
    assert!(reported().unwrap().starts_with("asks for patience"), "{:?}", reported());
    assert_eq!(counted(), (1, 3, 1));
    push.handle_outcome(game(None), now);
    assert_eq!((reported(), counted()), (None, (2, 3, 0)));
    assert_eq!(figures.exports.read()[SINK].last_success, Some(now));
}
