//! Every PGN that the program writes, as pgn-reader takes it; and games over the web.

use std::{fs, ops::ControlFlow, path::Path};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position as _, PositionError, fen::Fen};

use crate::support::run;

/// Plays the games of a text and refuses what is no move.
#[derive(Default)]
struct Player {
    plies: usize,
}

impl Visitor for Player {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = Result<(), String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(Chess::new())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).map_err(|error| error.to_string());
            // A damaged report may put more on the board than a side can have; the game then begins with that.
            let position = |fen: Fen| {
                let position: Result<Chess, _> = fen.into_position(CastlingMode::Chess960);
                position.or_else(PositionError::ignore_too_much_material).map_err(|error| error.to_string())
            };
            match fen.and_then(position) {
                Ok(position) => *start = position,
                Err(error) => return ControlFlow::Break(Err(error)),
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<Self::Output, Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(position) {
            Ok(m) => {
                let written = SanPlus::from_move(position.clone(), m);
                if written != san {
                    return ControlFlow::Break(Err(format!("{san} is written {written}")));
                }
                position.play_unchecked(m);
                self.plies += 1;
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!("{san}: {error}"))),
        }
    }

    fn end_game(&mut self, _position: Chess) -> Self::Output {
        Ok(())
    }
}

/// Reads all games of a text; returns how many there are, and their plies.
#[track_caller]
fn read(text: &str) -> (usize, usize) {
    let mut player = Player::default();
    let mut reader = Reader::new(text.as_bytes());
    let mut games = 0;
    while let Some(outcome) = reader.read_game(&mut player).unwrap() {
        assert_eq!(outcome, Ok(()), "game {games} of\n{text}");
        games += 1;
    }
    (games, player.plies)
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
