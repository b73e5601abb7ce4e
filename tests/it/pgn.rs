//! Every PGN that the program writes, played again; and games over the web. Other readers: tests/steps/55-pgn.sh.

use std::{fs, path::Path};

use jadoube_core::game::{PgnReader, PgnToken};
use shakmaty::{CastlingMode, Chess, Position as _, PositionError, fen::Fen, san::SanPlus};

use crate::support::run;

/// Reads the position that a game begins with.
fn start(fen: &str) -> Chess {
    let fen = Fen::from_ascii(fen.as_bytes()).unwrap();
    // A damaged report may put more on the board than a side can have; the game then begins with that.
    let position: Result<Chess, _> = fen.into_position(CastlingMode::Chess960);
    position.or_else(PositionError::ignore_too_much_material).unwrap()
}

/// Plays all games of a text, and refuses what is no move; returns how many there are, and their plies.
#[track_caller]
fn read(text: &str) -> (usize, usize) {
    let (mut games, mut plies) = (0, 0);
    let mut position = Chess::new();
    for token in PgnReader::new(text) {
        match token.unwrap() {
            PgnToken::Game => {
                games += 1;
                position = Chess::new();
            }
            PgnToken::Tag { name: "FEN", value } => position = start(&value),
            PgnToken::Move(san) => {
                let played = san.san.to_move(&position);
                let m = played.unwrap_or_else(|error| panic!("game {games}, {san}: {error}\n{text}"));
                assert_eq!(SanPlus::from_move(position.clone(), m), san, "game {games} of\n{text}");
                position.play_unchecked(m);
                plies += 1;
            }
            PgnToken::Tag { .. } | PgnToken::Moves | PgnToken::Comment(_) | PgnToken::Outcome(_) => {}
        }
    }
    (games, plies)
}

fn captures(directory: &Path) -> Vec<String> {
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let captures = files.filter(|path| path.extension().is_some_and(|end| end == "dgtcap"));
    let mut captures: Vec<String> = captures.map(|path| path.display().to_string()).collect();
    captures.sort();
    captures
}

#[test]
fn emulated_games_are_read_wherever_they_are_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().display().to_string();
    let args = ["emulate", "--boards", "24", "--incident", "all", "--seed", "11", "--captures", &target];
    assert_eq!(run(&args, "").0, 0);
    let captures = captures(dir.path());
    let (mut stands, mut all) = (0, 0);
    for until in ["30", "90", "100000"] {
        let mut args = vec!["replay", "--format", "pgn", "--until", until, "--set", "event.time_control=3+2"];
        args.extend(captures.iter().map(String::as_str));
        let (status, text, _) = run(&args, "");
        assert_eq!(status, 0);
        let (games, plies) = read(&text);
        assert_eq!(games, text.matches("[Event ").count());
        assert_eq!(games, text.matches("\n[Result ").count());
        stands += text.matches("An illegal move stands").count();
        all += plies;
    }
    assert!(stands > 0, "among so many offences one stands");
    assert!(all > 1000, "{all} plies");
}

#[test]
fn recorded_games_are_read() {
    let captures = captures(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures")));
    for capture in &captures {
        let (_, text, _) = run(&["replay", "--format", "pgn", "--control", "blitz", capture], "");
        read(&text);
    }
    assert!(!captures.is_empty());
}

#[test]
fn a_replayed_game_has_the_day_of_its_first_move() {
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/captures/golden-session.dgtcap");
    let text = fs::read_to_string(capture).unwrap();
    let body: String =
        text.lines().filter(|line| !line.starts_with("# started")).skip(1).collect::<Vec<_>>().join("\n");
    let date = |header: &str| {
        let (_, pgn, _) =
            run(&["replay", "--format", "pgn", "-"], &format!("# dgt-capture 1\n{header}{body}\n"));
        pgn.lines().find(|line| line.starts_with("[Date ")).map(str::to_owned).unwrap()
    };
    // Wherever this runs, noon by the calendar is the same day or a neighbouring one.
    let reported = date("# started: 2024-05-18T12:00:00Z\n");
    assert!(
        ["[Date \"2024.05.17\"]", "[Date \"2024.05.18\"]", "[Date \"2024.05.19\"]"]
            .contains(&reported.as_str()),
        "{reported}"
    );
    assert_eq!(date(""), "[Date \"????.??.??\"]");
    assert_eq!(date("# started: yesterday\n"), "[Date \"????.??.??\"]");
}
