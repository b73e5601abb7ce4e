//! What arbiters order outlives a restart, and a board that is away: a game that is to go on elsewhere, names, a position, a result.

use std::{fmt, sync::mpsc::Receiver};

use serde_json::{Value, json};
use shakmaty::{Chess, Position as _};

use super::{Push, desk::Desk, floor::Floor, lichess, moves, serial};

/// How both players are named.
const NAMES: &str = "[White \"Muster, Ada\"]\n[Black \"Test, Bo\"]";

/// A table and a board that stands ready.
pub(super) struct Pair {
    pub(super) desk: Desk,
    pub(super) floor: Floor,
    pub(super) pushes: Receiver<Push>,
    pub(super) position: Chess,
    pub(super) plies: usize,
}

impl Pair {
    pub(super) fn begin() -> Self {
        let (address, pushes) = lichess::stand_in(Vec::new());
        let desk = Desk::open(&address, &[serial(1)]);
        let mut floor = Floor::open(&desk.boards, &[serial(1), serial(2)], "15+10");
        for board in 0..2 {
            floor.set_up(board);
        }
        desk.wait_games("both games", |games| games.len() == 2);
        Self { desk, floor, pushes, position: Chess::new(), plies: 0 }
    }

    /// Plays the next moves at one of both boards.
    pub(super) fn play(&mut self, board: usize, count: usize) {
        let line = moves("e4 e5 Nf3 Nc6 Bb5 a6");
        let name = serial(u32::try_from(board).unwrap() + 1);
        self.floor.start_clock(board);
        self.desk.wait_board(&name, |board| board["clock"]["running"].is_string());
        for m in line.into_iter().skip(self.plies).take(count) {
            self.floor.play(board, &self.position, m);
            self.position.play_unchecked(m);
            self.plies += 1;
        }
        self.desk.wait_plies(&[(name, self.plies)].into());
    }

    pub(super) fn restart(&mut self) {
        self.desk.restart();
        for board in [serial(1), serial(2)] {
            self.desk.wait_board(&board, |board| board["up"] == true);
        }
    }

    fn undo(&self, id: &str) -> String {
        let path = format!("/api/boards/{}/orders", serial(1));
        let answer = self.desk.post(&path, &json!({ "order": "undo", "id": id }));
        answer["id"].as_str().unwrap().to_owned()
    }

    /// Waits until so many games that are published hold a text.
    pub(super) fn wait_published(&self, count: usize, text: &str) {
        let games = || self.desk.text("/current/games.pgn");
        crate::support::eventually(fmt::from_fn(|f| write!(f, "{count} with {text}: {}", games())), || {
            (games().matches(text).count() == count).then_some(())
        });
    }
}

#[test]
fn a_game_that_goes_on_elsewhere_is_taken_back_after_a_restart() {
    let mut pair = Pair::begin();
    let (own, spare) = (serial(1), serial(2));
    pair.desk.order(&own, json!({ "order": "new-game", "white": "Muster, Ada", "black": "Test, Bo" }));
    pair.play(0, 2);
    let before = pair.desk.json(&format!("/api/boards/{own}"))["game"].clone();
    let away = pair.desk.order(&own, json!({ "order": "continue", "board": spare }));
    pair.restart();
    // Both boards take it back: the spare one waits for nothing any more.
    let back = pair.undo(&away);
    pair.play(0, 1);
    assert_eq!(pair.desk.json(&format!("/api/boards/{own}"))["game"]["number"], before["number"]);
    pair.wait_published(1, NAMES);
    let spare_game = pair.desk.json(&format!("/api/boards/{spare}"))["game"].clone();
    assert_eq!(spare_game["moves"], json!([]), "{spare_game}");

    // What was taken back comes again at both or at none, and the spare board has begun a game of its own meanwhile.
    let again = json!({ "order": "undo", "id": back });
    assert_eq!(pair.desk.ask(&format!("/api/boards/{own}/orders"), &again).0, 409);
    pair.desk.order(&own, json!({ "order": "continue", "board": spare }));
    pair.restart();
    pair.floor.set_position(1, &pair.position.clone(), [890, 890]);
    pair.desk.wait_plies(&[(spare.clone(), pair.plies)].into());
    pair.play(1, 1);
    pair.restart();
    pair.play(1, 1);
    // As it was left, and where it goes on.
    pair.wait_published(2, NAMES);
    pair.wait_published(1, "3. Bb5");
    assert_eq!(pair.desk.close(), 0);
}

#[test]
fn a_result_after_a_position_set_while_away_is_published() {
    let mut pair = Pair::begin();
    let own = serial(1);
    pair.play(0, 3);
    pair.floor.plug(0, false);
    pair.desk.wait_board(&own, |board| board["up"] == false);
    let mut position = pair.position.clone();
    position.play_unchecked(moves("e4 e5 Nf3 Nc6")[3]);
    let fen = shakmaty::fen::Fen::from_position(&position, shakmaty::EnPassantMode::Legal).to_string();
    pair.desk.order(&own, json!({ "order": "set-position", "fen": fen }));
    pair.desk.order(&own, json!({ "order": "result", "result": "1/2-1/2" }));
    let is_over = |board: &Value| {
        board["game"]["result"] == "1/2-1/2" && board["game"]["moves"].as_array().unwrap().len() == 4
    };
    pair.desk.wait_board(&own, is_over);
    pair.wait_published(1, "[Result \"1/2-1/2\"]");
    pair.wait_published(1, "Nc6");
    // It stays when the board is back, and after a restart.
    pair.floor.plug(0, true);
    pair.restart();
    pair.desk.wait_board(&own, is_over);
    pair.wait_published(1, "[Result \"1/2-1/2\"]");
    assert_eq!(pair.desk.close(), 0);
}
