//! What arbiters order on the day: a game goes on at another board, moves are entered, and each order is taken back.

use serde_json::{Value, json};
use shakmaty::Position as _;

use super::{Day, SPARE, place, serial};

impl Day {
    /// Lets the board of a table die in its game, and the game go on at the spare one.
    pub(super) fn replace_board(&mut self, number: u32, table: u32) {
        let (name, spare) = (serial(table), serial(SPARE));
        self.floor.plug(place(table), false);
        self.desk.wait_board(&name, |board| board["up"] == false);
        self.desk.order(&name, json!({ "order": "continue", "board": spare }));
        let game = self.rounds.get_mut(&number).unwrap().get_mut(&table).unwrap();
        game.serial.clone_from(&spare);
        let left = |side: usize| {
            let own = game.played.iter().skip(side).step_by(2).next_back();
            own.map_or(super::truth::SET, |played| played.left)
        };
        self.floor.set_position(place(SPARE), &game.position, [left(0), left(1)]);
        let plies = game.played.len();
        self.desk.wait_plies(&[(spare.clone(), plies)].into());
        self.floor.start_clock(place(SPARE));
    }

    /// Gives every order that changes a game, and takes it back: the game is as it was.
    pub(super) fn take_each_order_back(&mut self, number: u32, table: u32) {
        let name = serial(table);
        let path = format!("/api/boards/{name}");
        let game = &self.rounds[&number][&table];
        let fen =
            shakmaty::fen::Fen::from_position(&game.position, shakmaty::EnPassantMode::Legal).to_string();
        let reply = game.line[game.played.len()];
        let after = game.position.clone().play(reply).unwrap();
        let after = shakmaty::fen::Fen::from_position(&after, shakmaty::EnPassantMode::Legal).to_string();
        let before = self.desk.json(&path)["game"].clone();
        let spare = serial(SPARE);
        let orders = [
            json!({ "order": "set-position", "fen": fen }),
            json!({ "order": "set-position", "fen": after }),
            json!({ "order": "set-position", "fen": "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" }),
            json!({ "order": "reinstate", "ply": 1 }),
            json!({ "order": "move", "ply": 1, "do": "replace", "move": "Na3" }),
            json!({ "order": "move", "ply": 2, "do": "delete", "plies": 2 }),
            json!({ "order": "move", "ply": 4, "do": "insert", "move": ["h6"] }),
            json!({ "order": "result", "result": "0-0" }),
            json!({ "order": "new-game" }),
            json!({ "order": "continue", "board": spare }),
            json!({ "order": "continue", "board": name }),
            json!({ "order": "flip" }),
            json!({ "order": "swap-clock" }),
            json!({ "order": "mute", "seconds": 5 }),
            json!({ "order": "penalty", "side": "white", "seconds": 60 }),
            json!({ "order": "resign", "side": "black" }),
            json!({ "order": "draw-offer", "side": "white" }),
            json!({ "order": "claim", "side": "black", "kind": "threefold" }),
            json!({ "order": "arrived", "side": "white" }),
            json!({ "order": "incident", "kind": "telephone", "side": "black" }),
            json!({ "order": "colours-reversed" }),
        ];
        for order in orders {
            let id = self.desk.order(&name, order.clone());
            let undo = self.desk.post(&format!("{path}/orders"), &json!({ "order": "undo", "id": id }));
            assert!(undo["done"] == true, "{order}: {undo}");
            self.desk.wait(&order.to_string(), &path, |board| is_same(&board["game"], &before));
        }
    }

    /// Enters a wrong move in place of one, and then the right one again.
    pub(super) fn put_a_move_right(&mut self, number: u32, table: u32) {
        let name = serial(table);
        let game = self.rounds.get_mut(&number).unwrap().get_mut(&table).unwrap();
        let last = game.played.len();
        let right = game.played[last - 1].san.clone();
        self.desk.order(&name, json!({ "order": "move", "ply": last, "do": "replace", "move": "Na3" }));
        self.desk.wait_board(&name, |board| board["game"]["moves"][last - 1]["san"] == "Na3");
        self.desk.order(&name, json!({ "order": "move", "ply": last, "do": "replace", "move": right }));
        self.desk.wait_board(&name, |board| board["game"]["moves"][last - 1]["san"] == right);
        game.played[last - 1].note = "entered by the arbiter";
    }
}

/// Returns whether a game is what it was: its moves, with their clocks and marks, and its result.
fn is_same(game: &Value, before: &Value) -> bool {
    let moves = |game: &Value| -> Vec<Value> {
        let mut moves = game["moves"].as_array().cloned().unwrap_or_default();
        for played in &mut moves {
            played.as_object_mut().unwrap().remove("at");
        }
        moves
    };
    moves(game) == moves(before) && (&game["start"], &game["result"]) == (&before["start"], &before["result"])
}
