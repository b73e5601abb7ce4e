//! A game goes on at another board, or at its own again, once the board shows its position.

use shakmaty::Color;

use super::Table;
use crate::{
    event::EventKind,
    order::{Continued, ContinuedMove, Order},
};

const AFTER: &str = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R";

/// Returns the order that takes a game of four plies from another board.
fn from_elsewhere() -> String {
    let clocked = |uci: &str, clock| ContinuedMove {
        uci: uci.to_owned(),
        clock: Some(clock),
        ..ContinuedMove::default()
    };
    let record = Continued {
        board: "23946".to_owned(),
        game: 3,
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".to_owned(),
        moves: vec![
            clocked("e2e4", (170, 180)),
            clocked("e7e5", (170, 172)),
            clocked("g1f3", (160, 172)),
            clocked("b8c6", (160, 161)),
        ],
        counts: (1, 0),
        ..Continued::default()
    };
    Order::Continue { to: None, from: None, record: Some(Box::new(record)) }.json().unwrap()
}

impl Table {
    fn continuations(&self) -> Vec<(String, u32, u32)> {
        self.pick(|kind| {
            let EventKind::GameStart { game, continued: Some(continued), .. } = kind else { return None };
            Some((continued.board.to_string(), continued.game, *game))
        })
    }

    fn reported_moves(&self) -> usize {
        self.pick(|kind| if let EventKind::Move(_) = kind { Some(()) } else { None }).len()
    }
}

#[test]
fn a_game_from_another_board_waits_for_its_position() {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.wait(3.0);
    let begun = table.starts().len();
    table.order(&from_elsewhere());
    // The arbiter sets it up by hand: nothing of that is reported.
    table.hands("e2- e4P e7- e5p g1- f3N b8-");
    table.wait(20.0);
    assert_eq!((table.starts().len(), table.reported_moves()), (begun, 0));
    table.hands("c6n");
    table.wait(1.0);
    assert_eq!(table.continuations(), [("23946".to_owned(), 3, 2)]);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
    assert_eq!(table.current().plies()[3].clock.unwrap().black, 161);
    assert_eq!(table.counts(), [(1, 0)]);
    table.start(Color::White);
    table.play("f1b5 a7a6");
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6 Bb5 a6");
    table.agree();
}

#[test]
fn a_game_goes_on_at_a_board_that_is_rotated() {
    let mut table = Table::new(&[]);
    table.rotated = true;
    table.set_up(AFTER);
    table.wait(1.0);
    table.order(&from_elsewhere());
    table.wait(1.0);
    assert_eq!(table.moves(), "e4 e5 Nf3 Nc6");
}

#[test]
fn a_spare_board_that_is_set_up_by_hand_reports_no_moves() {
    let mut table = Table::new(&[]);
    table.set_up("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR");
    table.stop();
    table.wait(3.0);
    // A position of the middle game, piece by piece.
    table.hands_within(
        1.0,
        "e2- e3P e7- e5p e1- e2K d2- d4P c2- c4P b8- d7n d7- c6n g8- f6n d1- b3Q f1- d3B a7- a6p h7- h6p",
    );
    table.wait(5.0);
    table.start(Color::White);
    table.wait(6.0);
    table.play("d4e5 c6e5");
    assert_eq!(table.moves(), "dxe5 Nxe5");
    assert!(table.current().is_adopted());
    assert!(table.reported().iter().all(String::is_empty), "{:?}", table.reported());
}
