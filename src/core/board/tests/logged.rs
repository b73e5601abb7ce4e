//! What a board's log says of play that nobody heard: without dates, and with presses behind what hands did after them.

use dgt_protocol::{ClockTime, Side};
use shakmaty::Color;

use super::Table;
use crate::{alert::Confidence, code::Code, event::EventKind};

impl Table {
    /// Lets a log report a press.
    fn press_logged(&mut self, side: Color) {
        *self.remaining.get_mut(side) += self.increment;
        let time = ClockTime::from_seconds(*self.remaining.get(side));
        let clock_side = if side.is_white() { Side::Left } else { Side::Right };
        self.board.handle_stop_record(clock_side, time, self.now);
        self.drain();
        (self.running, self.lever) = (Some(!side), !side);
    }
}

/// 1. e4 d5 2. Qg4 Bxg4: the queen is carried off over g5, and a log holds White's press behind that.
fn queen_taken_at_once() -> Table {
    let mut table = Table::game(&[]);
    table.increment = 2;
    table.play("e2e4 d7d5");
    table.hands("d1- g4Q g5Q g4-");
    table.press_logged(Color::White);
    table.wait(0.6);
    table.hands("g5- c8- g4b");
    table.press_logged(Color::Black);
    table.wait(2.0);
    table
}

#[test]
fn a_press_that_only_a_log_reports_is_no_certain_offence() {
    let table = queen_taken_at_once();
    let sure = table.pick(|kind| {
        let EventKind::Alert(alert) = kind else { return None };
        (alert.code == Code::IllegalMove).then_some(alert.confidence)
    });
    // The queen was taken where she stood: the true story, and not the only one.
    assert!(!sure.contains(&Confidence::Certain), "{sure:?}");
}
