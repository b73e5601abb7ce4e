//! A game's record is what was sensed and what arbiters have entered: nothing is lost of it, and each order is taken back.

use super::Table;
use crate::{
    alert::AlertState,
    event::EventKind,
    order::{CarriedOut, Order, OrderError},
};

const RUY: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6";

impl Table {
    /// Carries an order out, and returns the name that it has got.
    pub(super) fn done(&mut self, json: &str) -> String {
        let CarriedOut { id, .. } = self.board.handle_order(&Order::parse(json).unwrap(), self.now).unwrap();
        self.drain();
        self.agree();
        id
    }

    pub(super) fn undo(&mut self, id: &str) -> String {
        self.done(&format!(r#"{{"order":"undo","id":"{id}"}}"#))
    }

    fn refusal(&mut self, json: &str) -> String {
        let before = self.moves();
        match Order::parse(json).and_then(|order| self.board.handle_order(&order, self.now)) {
            Err(OrderError::Refused(reason) | OrderError::Syntax(reason)) => {
                assert_eq!(self.moves(), before, "{json}");
                reason
            }
            other => panic!("{json}: {other:?}"),
        }
    }

    /// Checks that who has folded the events has the list of the game.
    pub(super) fn agree(&mut self) {
        let mut reported: Vec<String> = Vec::new();
        let place = |ply: u32| usize::try_from(ply).unwrap() - 1;
        for event in &self.events {
            if let EventKind::GameStart { .. } = event.kind {
                reported.clear();
            } else if let EventKind::Retract { ply, .. } = event.kind {
                reported.truncate(place(ply));
            } else if let EventKind::Move(played) = &event.kind {
                let index = place(played.ply);
                assert!(index <= reported.len(), "{reported:?} {}", played.san);
                let text = format!("{} {}", played.san, played.fen);
                // A move that the list has is replaced, and those after it stay.
                reported.splice(index..reported.len().min(index + 1), [text]);
            }
        }
        let game = self.current();
        let list: Vec<String> = (1..=game.len())
            .map(|ply| format!("{} {}", game.ply(ply).unwrap().san, game.position_after(ply).fen()))
            .collect();
        assert_eq!(reported, list);
    }

    fn pgn(&self) -> String {
        let pgn = self.current().pgn(&crate::game::Tags::default());
        pgn.split_once("\n\n").unwrap().1.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_position_that_stands_keeps_what_was_played() {
    let mut table = Table::game(&[]);
    table.play(RUY);
    let moves = table.moves();
    table.done(r#"{"order":"set-position","fen":"r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 1"}"#);
    assert_eq!(table.moves(), moves);
    table.play("b5a4 g8f6");
    table.agree();
    assert_eq!(table.moves(), format!("{moves} Ba4 Nf6"));
}

#[test]
fn a_position_that_legal_moves_lead_to_adds_them() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    let id = table.done(r#"{"order":"set-position","fen":"r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1"}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
    assert!(table.current().plies()[2].inferred.is_some() && table.current().plies()[3].entered);
    table.undo(&id);
    assert_eq!(table.moves(), "e4 e5");
}

#[test]
fn a_position_that_no_moves_lead_to_is_a_ply_that_nobody_knows() {
    let mut table = Table::game(&[]);
    table.play(RUY);
    let fen = "r1bqkbnr/1ppp1ppp/p7/4p3/B3P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 0 4";
    let id = table.done(&format!(r#"{{"order":"set-position","fen":"{fen}"}}"#));
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 --?");
    assert_eq!(table.current().position().fen(), fen);
    let set = "position set by the arbiter: ";
    assert!(table.pgn().contains(&format!("{set}{fen}")), "{}", table.pgn());
    let undo = table.undo(&id);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    table.undo(&undo);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 --?");
    table.undo(&id);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert!(
        table.refusal(&format!(r#"{{"order":"undo","id":"{id}"}}"#)).ends_with("has been taken back already")
    );
}

#[test]
fn what_is_cut_stays_as_a_remark() {
    let mut table = Table::game(&[]);
    table.play(RUY);
    let id = table.done(r#"{"order":"reinstate","ply":4}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
    assert!(table.pgn().contains("taken back: 3. Bb5 a6}"), "{}", table.pgn());
    table.undo(&id);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    assert!(!table.pgn().contains("taken back"), "{}", table.pgn());
    table.done(r#"{"order":"reinstate","ply":0}"#);
    assert_eq!(table.moves(), "");
}

#[test]
fn moves_are_entered_replaced_and_taken_out() {
    let mut table = Table::game(&[]);
    table.play(RUY);
    let id = table.done(r#"{"order":"move","ply":5,"do":"replace","move":"Lc4"}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bc4 a6");
    assert!(
        table.pgn().contains("Bc4 {") && table.pgn().contains("entered by the arbiter"),
        "{}",
        table.pgn()
    );
    table.undo(&id);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    // A pair that was missed, one ply after the other.
    let first = table.done(r#"{"order":"move","ply":5,"do":"insert","move":"h3"}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 h3 Bb5 a6");
    let second = table.done(r#"{"order":"move","ply":6,"do":"insert","move":"h7h6"}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 h3 h6 Bb5 a6");
    assert_eq!(table.current().position().turn(), shakmaty::Color::White);
    table.undo(&first);
    table.undo(&second);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    // The end of the score sheet.
    table.done(r#"{"order":"move","ply":7,"do":"insert","move":"4. La4 Sf6 5. 0-0"}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O");
    table.done(r#"{"order":"move","ply":8,"do":"delete","plies":2}"#);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4");
}

#[test]
fn wrong_entries_are_refused_with_what_is_near() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    let refused = table.refusal(r#"{"order":"move","ply":3,"do":"insert","move":"Nf6"}"#);
    assert!(
        refused.starts_with("move: Nf6 is no legal move after ply 2 (White to move); legal are Nf3"),
        "{refused}"
    );
    assert_eq!(
        table.refusal(r#"{"order":"move","ply":9,"do":"replace","move":"Nf3"}"#),
        "ply has to be from 1 to 2, not 9"
    );
    assert_eq!(table.refusal(r#"{"order":"move","ply":1,"do":"insert"}"#), "move is missing");
    assert!(
        table
            .refusal(r#"{"order":"move","ply":1,"do":"insert","move":5}"#)
            .contains("move has to be a text or a list of texts, not 5")
    );
    assert!(
        table
            .refusal(r#"{"order":"move","ply":1,"do":"alter","move":"e4"}"#)
            .contains("do has to be one of insert, replace, delete")
    );
    assert!(table.refusal(r#"{"order":"choose","ply":1,"path":["e4"]}"#).contains("ply 1 (e4) was seen"));
    assert_eq!(
        table.refusal(r#"{"order":"undo","id":"port-1-o7"}"#),
        "there is no order port-1-o7 in this game"
    );
}

#[test]
fn another_path_is_chosen_where_nobody_saw() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    table.done(r#"{"order":"set-position","fen":"r1bqkb1r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R w KQkq - 0 4"}"#);
    let before = table.moves();
    let refused = table.refusal(r#"{"order":"choose","ply":4,"path":["Nf3","Nc6","Nc3","d6"]}"#);
    assert!(refused.contains("others that do are 1: N"), "{refused}");
    let id = table.done(r#"{"order":"choose","ply":4,"path":["Nc3","Nf6","Nf3","Nc6"]}"#);
    assert_eq!(table.moves(), "e4 e5 Nc3 Nf6 Nf3 Nc6");
    table.undo(&id);
    assert_eq!(table.moves(), before);
    table.done(r#"{"order":"choose","ply":4,"path":1}"#);
    assert_ne!(table.moves(), before);
}

#[test]
fn play_goes_on_while_earlier_plies_are_corrected() {
    let mut table = Table::game(&[]);
    table.play("g1f3 g8f6 b1c3");
    table.hands("b8-");
    table.done(r#"{"order":"move","ply":1,"do":"replace","move":"Nc3 Nf6 Nf3"}"#);
    table.hands("c6n");
    table.press(shakmaty::Color::Black);
    table.wait(2.0);
    table.play("e2e4");
    table.agree();
    assert_eq!(table.moves(), "Nc3 Nf6 Nf3 Nc6 e4");
}

#[test]
fn results_are_taken_back_to_what_they_were() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    let first = table.done(r#"{"order":"result","result":"1-0"}"#);
    let second = table.done(r#"{"order":"result","result":"1/2-1/2"}"#);
    table.undo(&second);
    assert_eq!(table.results().last().unwrap(), "1-0 arbiter");
    table.undo(&first);
    assert_eq!(table.results().last().unwrap(), "* arbiter");
    assert!(table.current().result().is_none());
    let resigned = table.done(r#"{"order":"resign","side":"white"}"#);
    assert_eq!(table.results().last().unwrap(), "0-1 resignation");
    table.undo(&resigned);
    assert!(table.current().result().is_none());
    table.play("g1f3");
    assert_eq!(table.moves(), "e4 e5 Nf3");
}

#[test]
fn the_other_story_withdraws_an_alert() {
    let mut table = Table::offence();
    let id = table.done(r#"{"order":"story","alert":"port-1-1","reason":"shoved"}"#);
    assert_eq!(table.states(1), [AlertState::Open, AlertState::Withdrawn]);
    table.undo(&id);
    assert_eq!(table.states(1).last(), Some(&AlertState::Open));
    let seen = table.done(r#"{"order":"acknowledge","alert":"port-1-1"}"#);
    assert_eq!(table.states(1).last(), Some(&AlertState::Acknowledged));
    table.undo(&seen);
    assert_eq!(table.states(1).last(), Some(&AlertState::Open));
    let ruled = table.done(r#"{"order":"confirm","alert":"port-1-1"}"#);
    let again = table.done(r#"{"order":"dismiss","alert":"port-1-1"}"#);
    assert!(
        table.refusal(&format!(r#"{{"order":"undo","id":"{ruled}"}}"#)).contains("take that one back first")
    );
    table.undo(&again);
    table.undo(&ruled);
    assert_eq!(table.states(1).last(), Some(&AlertState::Open));
    assert_eq!(table.counts().last(), Some(&(0, 0)));
}

#[test]
fn entries_are_taken_back() {
    let mut table = Table::game(&[]);
    table.play("e2e4 e7e5");
    for order in [
        r#"{"order":"draw-offer","side":"white"}"#,
        r#"{"order":"claim","side":"white","kind":"threefold"}"#,
        r#"{"order":"incident","side":"white","kind":"telephone"}"#,
        r#"{"order":"penalty","side":"black","seconds":120}"#,
        r#"{"order":"arrived","side":"white"}"#,
        r#"{"order":"mute","seconds":60}"#,
        r#"{"order":"round-started"}"#,
        r#"{"order":"colours-reversed"}"#,
        r#"{"order":"flip"}"#,
        r#"{"order":"swap-clock"}"#,
    ] {
        let open = |table: &Table| {
            table.board.referee.open_alerts().map(|alert| alert.id.clone()).collect::<Vec<_>>()
        };
        let (before, seats) = (open(&table), table.board.seats());
        let id = table.done(order);
        let undo = table.undo(&id);
        assert_eq!(open(&table), before, "{order}");
        assert_eq!(table.board.seats(), seats, "{order}");
        assert_ne!(id, undo);
    }
    assert_eq!(table.counts().last().unwrap_or(&(0, 0)), &(0, 0));
    assert_eq!(table.moves(), "e4 e5");
}
