//! What a broker may hold: a topic and a payload on each line. A hall is made of it, and everything that pages show of that.

use crate::{
    hub::{daemons::Daemons, orders::Orders},
    view::{Progress, counts, in_air},
};

#[test]
fn whatever_a_broker_holds_a_hall_is_made_of_it() {
    let now = "2026-11-23T10:00:00Z".parse().unwrap();
    crate::fuzz::fuzz("hub", |input| {
        let mut daemons = Daemons::after(0);
        let mut orders = Orders::new(now);
        for line in input.split(|byte| *byte == b'\n') {
            let at = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
            let (topic, payload) = line.split_at(at);
            let payload = payload.get(1..).unwrap_or_default();
            daemons.handle_message(&String::from_utf8_lossy(topic), payload, now);
            orders.handle_reply(payload);
        }
        let (boards, tables) = daemons.show(now);
        assert_eq!(boards.len(), tables.len());
        for (name, board) in &boards {
            assert_eq!(*name, board.name);
            serde_json::to_string(&**board).unwrap();
            serde_json::to_string(&(counts(board), in_air(board))).unwrap();
            if let Some(game) = &board.game {
                serde_json::to_string(&Progress::of(game)).unwrap();
                assert!(game.next().is_none_or(|(number, _)| number > 0) || !game.start.is_empty());
            }
            for alert in board.alerts.values() {
                serde_json::to_string(&board.steps(alert)).unwrap();
            }
        }
    });
}
