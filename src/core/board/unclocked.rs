//! Picks up a game in its middle where no clock says whose turn it is: moves that are made in turn show it.

use dgt_protocol::Piece;

use super::{
    Board,
    observed::{Observation, read},
    seats::Seats,
    setup,
};
use crate::{model::decision, position::Position, time::Timestamp};

/// Moves on a board without a clock, of which no game is known.
#[derive(Debug)]
pub(super) struct MovesInTurn {
    seats: Seats,
    /// What stood there first, and after each of them; whose turn it was at first shows with the first one.
    positions: Vec<Position>,
}

impl MovesInTurn {
    /// Handles what the board shows: a further move, another one instead of the last, or the last one taken back.
    fn look(&mut self, shown: &shakmaty::Board) {
        let latest = self.positions.len().saturating_sub(1);
        for kept in (latest.saturating_sub(1)..=latest).rev() {
            let Some(position) = self.positions.get(kept) else { return };
            if position.board() == shown {
                self.positions.truncate(kept + 1);
                return;
            }
            let other = (kept == 0).then(|| position.pass());
            for before in [Some(position.clone()), other].into_iter().flatten() {
                let made = before.legal_moves().into_iter().find(|m| before.board_after(*m) == *shown);
                if let Some(made) = made {
                    self.positions.truncate(kept);
                    let after = before.play(made);
                    self.positions.extend([before, after]);
                    return;
                }
            }
        }
    }
}

impl Board {
    /// Keeps what stands on the board, as a dump shows it, if moves that are made in turn are to show whose turn it is.
    pub(super) fn watch_for_moves(&mut self, now: Timestamp) {
        if !self.may_watch_for_moves() {
            return;
        }
        let (codes, lifted) = self.sensing.with_lifted(now);
        let goes_on = |watched: &MovesInTurn| {
            let stood = watched.positions.last();
            stood.is_some_and(|stood| *stood.board() == read(&codes, watched.seats.rotated))
        };
        if self.adoption.in_turn.as_ref().is_some_and(goes_on) {
            return;
        }
        let seats = self.seats_by_looks(&codes);
        let position = setup::middle(&read(&codes, seats.rotated), shakmaty::Color::White);
        self.adoption.in_turn = position.map(|position| MovesInTurn { seats, positions: vec![position] });
        if self.adoption.in_turn.is_some() {
            self.keep(codes, None, now);
            if let Some(field) = lifted {
                self.keep_observation(Observation::Field(field, Piece::Empty, false), now);
            }
        }
    }

    /// Picks a game up if enough moves have been made in turn.
    pub(super) fn pick_up_unclocked(&mut self, now: Timestamp) {
        if self.adoption.in_turn.is_none() {
            return;
        }
        if !self.may_watch_for_moves() {
            self.adoption.in_turn = None;
            return;
        }
        let Some(watched) = &mut self.adoption.in_turn else { return };
        watched.look(&read(&self.sensing.codes, watched.seats.rotated));
        if watched.positions.len() <= decision::MOVES_IN_TURN {
            return;
        }
        let (seats, start) = (watched.seats, watched.positions.first().cloned());
        let Some(mut record) = self.adoption.record.take() else { return };
        record.start = start;
        self.seats_by_looks(&record.base);
        self.leave_game(now);
        self.adoption = self.adoption.with_record(record);
        self.set_seating(seats, now);
        self.read_again(now);
        self.emit_seats(now);
    }

    fn may_watch_for_moves(&self) -> bool {
        !self.had_clock
            && self.tracker.game().is_none()
            && self.waiting.is_none()
            && self.settings.game.fen.is_empty()
    }
}
