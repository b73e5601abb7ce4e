//! The results that an arbiter may enter, for the present game and for earlier ones.

use std::sync::Arc;

use super::Table;
use crate::{
    event::EventKind,
    order::{Order, OrderError},
};

impl Table {
    fn reported_results(&self) -> Vec<(u32, &'static str)> {
        self.pick(|kind| {
            let EventKind::Result { game, result, .. } = kind else { return None };
            Some((*game, *result))
        })
    }
}

#[test]
fn every_result_is_accepted_and_emitted() {
    for result in ["1-0", "0-1", "1/2-1/2", "0-0", "1/2-0", "0-1/2", "+/-", "-/+", "-/-"] {
        let mut table = Table::game(&[]);
        table.play("e2e4 e7e5");
        table.order(&format!(r#"{{"order":"result","result":"{result}"}}"#));
        assert_eq!(table.reported_results(), [(1, result)]);
        assert_eq!(table.moves(), "e4 e5");
    }
}

#[test]
fn a_result_of_an_earlier_game_is_emitted_only() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    table.order(r#"{"order":"new-game","fen":"4k3/8/8/8/8/8/8/4K2R w - - 0 1"}"#);
    for result in ["-/+", "*"] {
        table.order(&format!(r#"{{"order":"result","game":1,"result":"{result}"}}"#));
    }
    assert_eq!(table.reported_results(), [(1, "-/+"), (1, "*")]);
    for (order, reason) in [
        (r#"{"order":"result","game":1,"result":"2-0"}"#, "2-0 is no result; there are 1-0, "),
        (r#"{"order":"result","game":3,"result":"1-0"}"#, "the order is for game 3; "),
    ] {
        let refused = table.board.handle_order(&Order::parse(order).unwrap(), table.now);
        assert!(
            matches!(&refused, Err(OrderError::Refused(reported)) if reported.starts_with(reason)),
            "{refused:?}"
        );
    }
}

#[test]
fn both_players_agree_to_what_their_kings_show() {
    let results = |confirm: bool, hands: &str| {
        let mut table = Table::game(&[]);
        let settings = Arc::make_mut(&mut table.board.settings);
        Arc::make_mut(&mut settings.event).confirm_results = confirm;
        table.play("e2e4 e7e5");
        table.stop();
        table.hands("e4- e5- e1- e4K e8- d5k");
        table.wait(20.0);
        table.hands(hands);
        table.wait(20.0);
        table.results()
    };
    assert_eq!(results(true, "e4- e4K d5- d5k"), ["1-0 kings", "1-0 players"]);
    assert_eq!(results(true, "d5- d5k d5- d5k"), ["1-0 kings"]);
    assert_eq!(results(true, "e4- e1K d5- e8k"), ["1-0 kings"]);
    assert_eq!(results(false, "e4- e4K d5- d5k"), ["1-0 kings"]);
}
