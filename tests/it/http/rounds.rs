//! Rounds on a running daemon: pairings are read while boards are in use, results are entered when they are set up again.

use std::{fs, net::TcpStream, path::PathBuf};

use serde_json::{Value, json};

use super::Desk;
use crate::support::{Board, START};

/// A desk whose pairings are in a file, and its board.
struct Event {
    desk: Desk,
    board: Board<TcpStream>,
    file: PathBuf,
}

impl Event {
    fn start(pairings: &str) -> Self {
        let dir = tempfile::tempdir().unwrap().keep();
        let (file, games) = (dir.join("pairings.csv"), dir.join("pgn"));
        fs::write(&file, pairings).unwrap();
        let more = format!("[pgn]\ndir = '{}'\n[pairings]\nfile = '{}'", games.display(), file.display());
        let mut desk = Desk::start(&more);
        let board = desk.plug();
        Self { desk, board, file }
    }

    fn set_up(&mut self, game: u32) {
        self.board.send(&[&[0x86, 0x00, 0x43], START.as_slice()].concat());
        self.desk.wait_json("/api/boards/23946", |board| board["game"]["number"] == game);
    }

    /// Moves pieces, as `from`, `to` and the code of the piece, counted from a8.
    fn play(&mut self, moves: &[[u8; 3]]) {
        for [from, to, piece] in moves {
            self.board.send(&[0x8e, 0, 5, *from, 0, 0x8e, 0, 5, *to, *piece]);
        }
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let token = fs::read_to_string(self.desk.hall.dir.path().join("token")).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\nhost: {}\nauthorization: Bearer {}\ncontent-type: application/json",
            self.desk.address,
            token.trim()
        );
        let answer = self.desk.ask(&head, &body.to_string());
        (answer.status, answer.json())
    }

    fn wait_games(&self, round: u32, wanted: impl Fn(&str) -> bool) -> String {
        self.desk.wait_text(&format!("/round-{round}/games.pgn"), wanted)
    }
}

const E4: [u8; 3] = [52, 36, 1];
const D4: [u8; 3] = [51, 35, 1];
const C4: [u8; 3] = [50, 34, 1];
const E5: [u8; 3] = [12, 28, 7];

#[test]
fn skittles_are_published_in_no_round() {
    let mut event = Event::start("round,table,white,black\n1,7,Adams,Baker\n");
    event.set_up(1);
    event.play(&[E4, E5]);
    event.wait_games(1, |games| games.contains("1. e4"));
    let (status, _) =
        event.post("/api/boards/23946/orders", &json!({"order": "result", "result": "1-0", "game": 1}));
    assert_eq!(status, 200);
    event.set_up(2);
    event.play(&[D4]);
    event.desk.wait_json("/api/boards/23946", |board| board["game"]["moves"][0]["san"] == "d4");
    fs::write(&event.file, "round,table,white,black\n2,7,Clark,Davis\n").unwrap();
    event.wait_games(2, |games| games.contains("Clark"));
    event.play(&[E5]);
    event.desk.wait_json("/api/boards/23946", |board| board["game"]["moves"][1]["san"] == "e5");
    // They are on the board while the names of the next round are known, and a while later.
    let first = event.wait_games(1, |games| games.contains("1-0\n"));
    assert!(first.contains("Adams") && first.contains("1. e4") && !first.contains("d4"), "{first}");
    event.set_up(3);
    event.play(&[C4]);
    let second = event.wait_games(2, |games| games.contains("1. c4"));
    assert!(second.contains("Clark") && !second.contains("d4"), "{second}");
    let alone = event.wait_games(1, |games| games.contains("1. e4"));
    assert_eq!(alone, first);
}
