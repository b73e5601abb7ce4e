//! Interventions of an arbiter: stop the clock, restore the position, add time, start the clock.

use std::time::Duration;

use serde_json::json;
use shakmaty::{Board, Color};

use super::{
    action::Action,
    scene::{Scene, clock_side},
};
use crate::clock;
use jadoube_core::{laws::Sanction, position, side::side_name, time::Timestamp};

impl Scene<'_> {
    /// Handles an offence whose press has begun the opponent's turn: afterwards the board is as given, and
    /// the side that is to move has its clock running.
    pub(super) fn intervene(&mut self, offender: Color, board: &Board, to_move: Color) {
        let stop = self.began.max(self.settled) + self.random.seconds(0.8, 2.5);
        if self.flag_falls_before(stop) {
            return;
        }
        self.stop_clock(stop);
        let begin = stop + self.random.seconds(1.0, 3.0);
        let ready = self.restore_board(board, begin);
        let set = ready + self.random.seconds(2.0, 6.0);
        let penalty = self.penalty();
        let mut times = [Color::White, Color::Black].map(|side| self.clock.rest(clock_side(side), set));
        for (side, rest) in [Color::White, Color::Black].into_iter().zip(&mut times) {
            if side != offender {
                *rest += penalty;
            } else if to_move == offender {
                // The press won an increment, and the move is not completed.
                *rest = rest.saturating_sub(clock::increment(&self.options.time_control));
            }
        }
        let [white, black] = times;
        self.schedule(set, Action::SetClock { white, black });
        self.clock.set(clock_side(Color::White), white, set);
        self.clock.set(clock_side(Color::Black), black, set);
        let lever = set + self.random.seconds(0.3, 1.0);
        self.schedule(lever, Action::SetLever(to_move));
        self.clock.set_lever(clock_side(to_move), lever);
        if self.options.orders {
            let order = json!({
                "order": "penalty", "side": side_name(offender), "seconds": penalty.as_secs()
            });
            self.schedule(lever, Action::Order(order.to_string()));
        }
        let start = lever + self.random.seconds(0.8, 3.0);
        self.start_clock(start);
    }

    pub(super) fn stop_clock(&mut self, at: Timestamp) {
        self.schedule(at, Action::StopClock);
        self.clock.stop(at);
    }

    /// Starts the clock; a turn begins.
    pub(super) fn start_clock(&mut self, at: Timestamp) {
        self.schedule(at, Action::StartClock);
        self.clock.start(at);
        self.began = at;
    }

    /// Changes the board into another one, piece by piece; returns when that is done.
    pub(super) fn restore_board(&mut self, board: &Board, from: Timestamp) -> Timestamp {
        let differences = position::differences(&self.board, board);
        let mut now = from;
        for square in differences {
            if self.board.piece_at(square).is_some() {
                self.set(square, None, now);
                now = now + self.random.seconds(0.2, 0.7);
            }
        }
        for square in differences {
            if let Some(piece) = board.piece_at(square) {
                self.set(square, Some(piece), now);
                now = now + self.random.seconds(0.2, 0.7);
            }
        }
        now
    }

    /// Returns the time for the opponent of an offender (Art. 7.5.5, A.3, B.3).
    fn penalty(&self) -> Duration {
        match self.options.laws().sanction(1) {
            Sanction::Seconds(seconds) => Duration::from_secs(u64::from(seconds)),
            // A first offence loses or may be claimed: no time is added.
            Sanction::Loss | Sanction::Claim => Duration::ZERO,
        }
    }
}
