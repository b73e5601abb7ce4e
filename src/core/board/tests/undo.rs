//! What an arbiter has entered is taken back, and the game goes on as if it had not been.

use serde_json::Value;
use shakmaty::Color;

use super::Table;
use crate::{
    alert::AlertState,
    event::EventKind,
    order::{Order, OrderError},
};

impl Table {
    /// Returns the states that an alert has come to, by the number in its id; a word that has only changed is left out.
    pub(super) fn states(&self, number: u32) -> Vec<AlertState> {
        let suffix = format!("-{number}");
        let mut last = None;
        let reported = self.pick(|kind| {
            let (id, state) = if let EventKind::Alert(alert) = kind {
                (&alert.id, alert.state)
            } else if let EventKind::AlertUpdate(update) = kind {
                (&update.id, update.state)
            } else {
                return None;
            };
            id.ends_with(&suffix).then_some((
                state,
                matches!(kind, EventKind::AlertUpdate(update) if update.facts.contains_key("confidence")),
            ))
        });
        reported
            .into_iter()
            .filter(|(state, reworded)| last.replace(*state) != Some(*state) || !reworded)
            .map(|(state, _)| state)
            .collect()
    }

    /// Returns the confirmed irregularities of both players as they were reported.
    pub(super) fn counts(&self) -> Vec<(u32, u32)> {
        self.pick(|kind| {
            let EventKind::Counts { white, black, .. } = kind else { return None };
            Some((*white, *black))
        })
    }

    fn refused(&mut self, json: &str) -> String {
        match self.board.handle_order(&Order::parse(json).unwrap(), self.now) {
            Err(OrderError::Refused(reason)) => reason,
            other => panic!("{json}: {other:?}"),
        }
    }

    /// Plays until White's king has gone from e1 to e3, which is illegal; standard play.
    pub(super) fn offence() -> Self {
        let mut table = Self::game(&[]);
        table.play("e2e4 e7e5 e1e3");
        table.wait(1.0);
        assert_eq!(table.alerts(), ["illegal-move pattern"]);
        table
    }
}

const CONFIRM: &str = r#"{"order":"confirm","alert":"port-1-1","seconds":90,"reason":"seen"}"#;
const UNDO: &str = r#"{"order":"undo","alert":"port-1-1"}"#;

#[test]
fn a_ruling_is_taken_back_with_what_it_added() {
    use AlertState::{Confirmed, Dismissed, Open};
    let mut table = Table::offence();
    table.order(CONFIRM);
    table.order(UNDO);
    assert_eq!(table.states(1), [Open, Confirmed, Open]);
    assert_eq!(table.counts(), [(1, 0), (0, 0)]);
    let undone = table.pick(|kind| {
        let EventKind::AlertUpdate(update) = kind else { return None };
        update.facts.contains_key("undone").then(|| update.facts.clone())
    });
    assert_eq!((&undone[0]["seconds"], &undone[0]["reason"]), (&Value::Null, &Value::Null));
    // It can be ruled on again, and that again be taken back.
    table.order(r#"{"order":"dismiss","alert":"port-1-1"}"#);
    table.order(UNDO);
    assert_eq!(table.states(1).last(), Some(&Open));
    assert!(table.states(1).contains(&Dismissed));
    assert_eq!(table.refused(UNDO), "there is no ruling on alert port-1-1 to take back");
}

#[test]
fn a_window_that_closed_meanwhile_stays_closed() {
    let mut table = Table::new(&["event.control=blitz"]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.start(Color::White);
    table.wait(5.0);
    table.play("e2e4 e7e5 e1e3");
    table.wait(1.0);
    table.order(CONFIRM);
    table.play("b8c6");
    table.order(UNDO);
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Confirmed, AlertState::Expired]);
}

#[test]
fn a_penalty_is_taken_back_whether_or_not_an_alert_stood_for_it() {
    let mut table = Table::offence();
    table.order(r#"{"order":"penalty","side":"white","seconds":120}"#);
    table.order(r#"{"order":"penalty","side":"white","seconds":120}"#);
    table.order(r#"{"order":"penalty","side":"black"}"#);
    assert_eq!(table.counts(), [(1, 0), (2, 0), (2, 1)]);
    table.order(r#"{"order":"undo","what":"penalty","side":"white"}"#);
    table.order(r#"{"order":"undo","what":"penalty","side":"white"}"#);
    assert_eq!(table.counts()[3..], [(1, 1), (0, 1)]);
    assert_eq!(table.states(1).last(), Some(&AlertState::Open));
    let reason = table.refused(r#"{"order":"undo","what":"penalty","side":"white"}"#);
    assert_eq!(reason, "White has no penalty to take back");
    assert!(table.refused(r#"{"order":"undo","what":"penalty"}"#).contains("whose"));
    assert!(table.refused(r#"{"order":"undo"}"#).contains("what is taken back"));
}

#[test]
fn a_result_taken_back_lets_play_and_alerts_go_on() {
    let mut table = Table::offence();
    table.order(r#"{"order":"result","result":"1-0"}"#);
    assert_eq!(table.states(1).last(), Some(&AlertState::Ended));
    table.order(r#"{"order":"undo","what":"result"}"#);
    assert_eq!(table.results(), ["1-0 arbiter", "* arbiter"]);
    assert_eq!(table.states(1).last(), Some(&AlertState::Open));
    assert_eq!(table.refused(r#"{"order":"undo","what":"result"}"#), "the game has no result to take back");
    // The king is put back, and play goes on, with alerts.
    table.order(r#"{"order":"reinstate","ply":2}"#);
    table.stop();
    table.hands("e3- e1K");
    table.start(Color::White);
    table.play("g1f3 b8c6 f1b5 a7a6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    table.play("e1e3");
    table.wait(1.0);
    assert_eq!(table.alerts()[1..].iter().filter(|alert| alert.starts_with("illegal-move")).count(), 1);
}

#[test]
fn moves_made_after_a_result_are_found_once_it_goes_on() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    table.order(r#"{"order":"result","result":"1/2-1/2"}"#);
    table.play("g1f3 b8c6");
    table.order(r#"{"order":"result","result":"*"}"#);
    table.play("f1b5 a7a6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
}

#[test]
fn a_result_that_a_ruling_declared_goes_with_it() {
    let mut table = Table::offence();
    table.order(r#"{"order":"penalty","side":"white"}"#);
    table.stop();
    table.hands("e3- e1K");
    table.start(Color::White);
    table.play("g1f3 b8c6 f3f6");
    table.wait(1.0);
    let loss = table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        (alert.code.name() == "game-lost-illegal").then(|| alert.id.clone())
    });
    let [loss] = &loss[..] else { panic!("{:?}", table.alerts()) };
    table.order(&format!(r#"{{"order":"confirm","alert":"{loss}"}}"#));
    assert_eq!(table.results(), ["0-1 arbiter"]);
    assert_eq!(table.counts().last(), Some(&(2, 0)));
    table.order(&format!(r#"{{"order":"undo","alert":"{loss}"}}"#));
    assert_eq!(table.results(), ["0-1 arbiter", "* arbiter"]);
    assert_eq!(table.counts().last(), Some(&(1, 0)));
    let number = loss.rsplit('-').next().unwrap().parse().unwrap();
    assert_eq!(table.states(number).last(), Some(&AlertState::Open));
}

#[test]
fn nobody_is_given_more_time_than_a_clock_shows() {
    let mut table = Table::offence();
    let (alerts, counts) = (table.alerts(), table.counts());
    for order in [
        r#"{"order":"penalty","side":"white","seconds":36000}"#,
        r#"{"order":"confirm","alert":"port-1-1","seconds":4294967295}"#,
        r#"{"order":"incident","reason":"noise","side":"white","seconds":36000}"#,
    ] {
        let reason = table.refused(order);
        assert!(reason.contains("at most 35999 seconds"), "{order}: {reason}");
    }
    assert_eq!((table.alerts(), table.counts()), (alerts, counts), "a refused order changes nothing");
    table.order(r#"{"order":"confirm","alert":"port-1-1","seconds":35999}"#);
    assert_eq!(table.counts().last(), Some(&(1, 0)));
    table.order(r#"{"order":"penalty","side":"black","seconds":35999}"#);
    table.order(r#"{"order":"incident","reason":"noise","side":"white","seconds":35999}"#);
    assert_eq!(table.counts().last(), Some(&(1, 1)));
}

#[test]
fn a_board_is_muted_for_a_time_and_not_for_ever() {
    let mut table = Table::game(&[]);
    let reason = table.refused(r#"{"order":"mute","seconds":3601}"#);
    assert!(reason.contains("3600"), "{reason}");
    table.order(r#"{"order":"mute","seconds":3600}"#);
    table.play("e2e4 e7e5 e1e3");
    table.wait(1.0);
    assert!(table.alerts().is_empty());
    table.order(r#"{"order":"undo","what":"mute"}"#);
    table.order(r#"{"order":"reinstate","ply":2}"#);
    table.stop();
    table.hands("e3- e1K");
    table.start(Color::White);
    table.play("e1e3");
    table.wait(1.0);
    assert_eq!(table.alerts().len(), 1, "{:?}", table.alerts());
    let said = table.pick(|kind| {
        let EventKind::Entry { text, .. } = kind else { return None };
        Some(text.clone())
    });
    assert_eq!(said[0], "No alerts of this board are raised for 60 minutes.");
    assert!(said.contains(&"Alerts of this board are raised again.".to_owned()));
}

#[test]
fn an_offence_that_is_put_right_is_reported_once() {
    let mut table = Table::offence();
    table.hands("e3- e1K");
    table.wait(1.0);
    // Black's time runs on, so White has nothing to press.
    table.play("e1e2 g8f6");
    assert_eq!(table.moves(), "e4 e5 Ke2 Nf6");
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Corrected]);
    table.play("e2e1 b8c6");
    assert_eq!(table.moves(), "e4 e5 Ke2 Nf6 Ke1 Nc6");
    assert_eq!(table.alerts(), ["illegal-move pattern"]);
}

/// Returns whether evidence has overturned an alert.
fn is_overturned(table: &Table) -> bool {
    table
        .pick(|kind| {
            let EventKind::AlertUpdate(update) = kind else { return None };
            Some(update.facts.contains_key("overturned"))
        })
        .contains(&true)
}

#[test]
fn an_offence_put_right_at_a_stopped_clock_stays_one() {
    let mut table = Table::offence();
    table.stop();
    table.hands("e3- e1K");
    table.wait(5.0);
    table.start(Color::White);
    // A pawn that reads as missing makes the move a matter of search.
    table.show(shakmaty::Square::H2, None);
    table.play("e1e2 g8f6");
    assert_eq!(table.moves(), "e4 e5 Ke2 Nf6");
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Corrected]);
    assert!(!is_overturned(&table));
}

#[test]
fn an_offence_put_right_before_an_outage_is_no_move() {
    let mut table = Table::offence();
    table.hands("e3- e1K");
    table.wait(1.0);
    table.unplug();
    table.wait(20.0);
    table.plug("rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPPKPPP/RNBQ1BNR", Color::White);
    assert_eq!(table.moves(), "e4 e5 Ke2 Nf6");
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Corrected]);
    assert!(!is_overturned(&table));
}

#[test]
fn a_pawn_exchanged_at_a_stopped_clock_promotes_though_taken() {
    let mut table = Table::ordered(&[], "6k1/p7/8/8/8/8/5pP1/4R1NK", Color::Black);
    table.play("f2g1");
    table.stop();
    table.wait(2.0);
    table.hands("g1- g1q");
    table.wait(5.0);
    // White takes and presses before the clock is read, and has moved again when Black presses.
    table.make("h1g1");
    table.start(Color::Black);
    table.wait(1.0);
    table.make("a7a6");
    table.wait(0.5);
    table.make("e1a1");
    table.wait(0.6);
    table.press(Color::Black);
    table.wait(1.0);
    table.press(Color::White);
    table.wait(2.0);
    assert_eq!(table.moves(), "fxg1=Q+ Kxg1 a6 Ra1");
}

#[test]
fn a_pawn_exchanged_at_a_stopped_clock_promotes_without_play() {
    let mut table = Table::ordered(&[], "6k1/p7/8/8/8/8/5pP1/4R1NK", Color::Black);
    table.play("f2g1");
    table.stop();
    table.wait(2.0);
    table.hands("g1- g1q");
    table.wait(5.0);
    // White resigns.
    table.hands("h1- g8- e5k d4K");
    table.wait(3.0);
    assert_eq!(table.moves(), "fxg1=Q+");
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Corrected, AlertState::Corrected]);
    assert_eq!(table.results(), ["0-1 kings"]);
}

#[test]
fn a_piece_in_a_pawns_place_for_a_moment_is_no_promotion() {
    let mut table = Table::ordered(&[], "6k1/p7/8/8/8/8/5pP1/4R1NK", Color::Black);
    table.play("f2g1");
    table.stop();
    table.wait(2.0);
    table.hands("g1- g1q");
    table.wait(0.5);
    table.hands("g1- g1n");
    table.wait(5.0);
    table.start(Color::White);
    table.wait(1.0);
    table.play("e1g1");
    assert_eq!(table.moves(), "fxg1=N Rxg1");
}

#[test]
fn a_pawn_exchanged_while_the_opponents_time_runs_may_mate() {
    let mut table = Table::ordered(&["event.control=blitz"], "6k1/4Pppp/8/8/8/8/8/4K3", Color::White);
    table.play("e7e8");
    table.wait(1.0);
    table.hands("e8- e8Q");
    table.wait(4.0);
    assert_eq!(table.moves(), "e8=Q#");
    assert_eq!(table.results(), ["1-0 mate"]);
    // What the press completed stays an offence.
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Corrected, AlertState::Corrected]);
    assert!(!is_overturned(&table));
}
