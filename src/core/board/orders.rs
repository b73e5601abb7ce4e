//! What an arbiter's order does to a board; what it means for the rules they know themselves.

use shakmaty::Color;

use super::{Board, setup};
use crate::{
    event::EventKind,
    game::{Game, GameResult},
    order::{Order, OrderError, Undone},
    position::Position,
    score::{self, Score},
    time::Timestamp,
};

impl Board {
    /// Takes an arbiter's order.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order(&mut self, order: &Order, now: Timestamp) -> Result<(), OrderError> {
        if let Order::InGame { game, order } = order {
            return self.handle_order_in(*game, order, now);
        }
        if let Order::Answer { alert, mate } = order {
            self.with_referee(now, |referee, context, out| referee.handle_answer(alert, *mate, context, out));
            self.settle(now);
            return Ok(());
        }
        if let Order::Undo { alert, what, side } = order {
            match (alert, what) {
                (None, Some(Undone::Result)) => {
                    if self.game()?.result().is_none() {
                        return Err(refused("the game has no result to take back"));
                    }
                    return self.handle_order(&Order::Result { result: "*".to_owned() }, now);
                }
                (None, Some(Undone::Mute)) => return self.handle_order(&Order::Mute { seconds: 0 }, now),
                (None, Some(Undone::Penalty)) if side.is_none() => {
                    return Err(refused("say whose penalty is taken back: side white or black"));
                }
                (None, None) | (Some(_), Some(_)) => {
                    return Err(refused(
                        "say what is taken back: an alert, or what: penalty, result or mute",
                    ));
                }
                // A result that the ruling has declared goes with it.
                (Some(alert), None) if self.referee.has_ended_game(alert) => self.set_result("*", now)?,
                (Some(_), None) | (None, Some(Undone::Penalty)) => {}
            }
        }
        if matches!(
            order,
            Order::NewGame { .. }
                | Order::SetPosition { .. }
                | Order::Reinstate { .. }
                | Order::Result { .. }
        ) {
            self.close_record(now);
        }
        match order {
            Order::NewGame { fen, white, black, players } => {
                let named = players.clone().unwrap_or_default();
                self.new_game(fen.as_deref(), now)?;
                self.seat_players(white.clone().or(named.white), black.clone().or(named.black));
            }
            Order::SetPosition { fen } => {
                let position = self.read_fen(fen)?;
                setup::with_kings(position.board())
                    .map_err(|reason| refused(format!("'{fen}': {reason}")))?;
                self.game()?;
                self.tracker.set_position(position);
                self.settle(now);
                self.tell_start(now);
            }
            Order::Reinstate { ply } => {
                let length = self.game()?.len();
                if *ply > length {
                    return Err(refused(format!("the game has {length} plies, there is no ply {ply}")));
                }
                self.tracker.reinstate(*ply);
            }
            Order::Result { result } => self.set_result(result, now)?,
            Order::Flip => {
                self.turn(now);
                if self.adoption.adopted && self.adoption.record.is_some() {
                    self.tell_squares(!self.rotated, now);
                } else {
                    self.adoption.record = None;
                    self.show_all(now);
                    self.update_lifecycle(now);
                }
                self.take_stated(now);
            }
            Order::SwapClock => {
                self.white = self.white.other();
                let running = self.view().running;
                self.tracker.handle_running(running, now);
                self.take_stated(now);
            }
            Order::Penalty { .. }
            | Order::Confirm { .. }
            | Order::Dismiss { .. }
            | Order::Acknowledge { .. }
            | Order::Claim { .. }
            | Order::Mute { .. }
            | Order::Undo { .. }
            | Order::Arrived { .. }
            | Order::Resign { .. }
            | Order::DrawOffer { .. }
            | Order::Incident { .. }
            | Order::Quickplay { .. }
            | Order::ColoursReversed
            | Order::RoundStarted
            | Order::InGame { .. }
            | Order::Answer { .. } => {}
        }
        let answer =
            self.with_referee(now, |referee, context, out| referee.handle_order(order, context, out));
        self.settle(now);
        answer
    }

    /// Takes the names that an order gives the players of the new game.
    fn seat_players(&mut self, white: Option<String>, black: Option<String>) {
        self.players = shakmaty::ByColor { white, black };
    }

    /// Refuses an order that names another game than it would change.
    fn check_game(&self, game: u32, order: &Order) -> Result<(), OrderError> {
        let of_alert = |id: &str| id.rsplit('-').nth(1).and_then(|number| number.parse().ok());
        let changed = match order.alert() {
            Some(alert) => of_alert(alert).ok_or_else(|| refused(format!("there is no alert {alert}")))?,
            None => self.tracker.game().map_or(0, Game::number),
        };
        if changed == game {
            return Ok(());
        }
        Err(refused(format!("the order is for game {game}; it would change game {changed} of this board")))
    }

    /// Takes an order for a game that it names; a result may be that of an earlier game.
    fn handle_order_in(&mut self, game: u32, order: &Order, now: Timestamp) -> Result<(), OrderError> {
        if let Order::Result { result } = order
            && self.is_earlier(game)
        {
            return self.tell_late_result(game, result, now);
        }
        self.check_game(game, order)?;
        self.handle_order(order, now)
    }

    /// Tells whether a game was on this board before the present one.
    fn is_earlier(&self, game: u32) -> bool {
        game > 0 && self.tracker.game().is_some_and(|present| game < present.number())
    }

    /// Tells the result of a game that has left the board; nothing else follows from it here.
    fn tell_late_result(&mut self, game: u32, result: &str, now: Timestamp) -> Result<(), OrderError> {
        let result = if result == "*" { "*" } else { read_score(result)?.text() };
        self.emit(now, EventKind::Result { game, result, by: "arbiter" });
        Ok(())
    }

    fn game(&self) -> Result<&Game, OrderError> {
        self.tracker.game().ok_or_else(|| refused("there is no game on this board"))
    }

    fn read_fen(&self, fen: &str) -> Result<Position, OrderError> {
        Position::from_fen(fen, self.mode())
            .map_err(|error| refused(format!("'{fen}' is no position: {error}")))
    }

    fn new_game(&mut self, fen: Option<&str>, now: Timestamp) -> Result<(), OrderError> {
        let position = if let Some(fen) = fen {
            let position = self.read_fen(fen)?;
            setup::possible(position.board()).map_err(|reason| refused(format!("'{fen}': {reason}")))?;
            position
        } else {
            let board = self.tracker.board();
            match setup::start(board, self.settings.game.chess960) {
                Some(start) => start,
                // What stood there before may not stand there any more, and men that were in the air are missing.
                None if !self.sensing.known => {
                    return Err(refused(
                        "the board has not told what stands on it now; plug it in, or give a fen",
                    ));
                }
                None => setup::middle(board, Color::White)
                    .ok_or_else(|| refused("the board shows no position with one king a side; give a fen"))?,
            }
        };
        self.begin(position, now);
        Ok(())
    }

    fn set_result(&mut self, result: &str, now: Timestamp) -> Result<(), OrderError> {
        let (game, over) = (self.game()?.number(), self.game()?.result().is_some());
        if result == "*" {
            self.tracker.reopen();
            if over {
                self.emit(now, EventKind::Result { game, result: "*", by: "arbiter" });
            }
            return Ok(());
        }
        let score = read_score(result)?;
        let keep = self.plies_without_gesture();
        self.tracker.end(GameResult { score, by: "arbiter" }, keep);
        Ok(())
    }
}

fn read_score(result: &str) -> Result<Score, OrderError> {
    Score::parse(result).ok_or_else(|| refused(format!("{result} is no result; there are {}", score::KNOWN)))
}

fn refused(reason: impl Into<String>) -> OrderError {
    OrderError::Refused(reason.into())
}
