//! What an arbiter's order does to a board; what it means for the rules they know themselves.

use shakmaty::Color;

use super::{Board, setup, undo::EnteredOrder};
use crate::{
    event::EventKind,
    game::{Game, GameResult},
    order::{CarriedOut, Order, OrderError, Players, Undone, refused},
    position::Position,
    score::{self, Score},
    time::Timestamp,
};

impl Board {
    /// Handles an arbiter's order; returns the name by which it is taken back.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order(&mut self, order: &Order, now: Timestamp) -> Result<CarriedOut, OrderError> {
        let inner = order.inner();
        if let Order::Answer { alert, mate } = inner {
            self.with_referee(now, |referee, context, out| referee.handle_answer(alert, *mate, context, out));
            self.settle(now);
            return Ok(CarriedOut::default());
        }
        // A result may be that of an earlier game, and such a game may go on.
        let late = order.game().filter(|game| self.is_earlier(*game));
        let is_free = matches!(inner, Order::Continue { .. })
            || matches!(inner, Order::Result { .. }) && late.is_some();
        if let Order::Before { record } = inner {
            self.set_earlier(record);
            return Ok(CarriedOut::default());
        }
        if let Some(game) = order.game().filter(|_| !is_free) {
            self.check_game(game, inner)?;
        }
        let before = self.tracker.game().map(|game| (game.number(), game.result()));
        let number = self.next_order(order.id());
        self.referee.begin_order(number);
        self.set_present_order(Some(number));
        let mut entered = EnteredOrder::new(number, inner);
        entered.game = order.game();
        let outcome = if let Order::Undo { id: Some(id), .. } = inner {
            self.undo(id, &mut entered, now)
        } else if let (Order::Result { result }, Some(game)) = (inner, late) {
            entered.late = late;
            self.emit_late_result(game, result, now)
        } else {
            self.carry_out(inner, &mut entered, now)
        };
        self.referee.end_order(outcome.is_ok());
        self.set_present_order(None);
        outcome?;
        Ok(self.keep_order(entered, before, now))
    }

    pub(super) fn carry_out(
        &mut self,
        order: &Order,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        if let Order::Undo { alert, what, side, .. } = order
            && let Some(other) = self.undone(alert.as_deref(), *what, side.is_some(), now)?
        {
            return self.carry_out(&other, entered, now);
        }
        if matches!(
            order,
            Order::NewGame { .. }
                | Order::SetPosition { .. }
                | Order::Reinstate { .. }
                | Order::Result { .. }
                | Order::Move { .. }
                | Order::Choose { .. }
        ) {
            self.close_record(now);
        }
        match order {
            Order::NewGame { fen, white, black, players } => {
                let named = players.clone().unwrap_or_default();
                let players =
                    Players { white: white.clone().or(named.white), black: black.clone().or(named.black) };
                self.new_game(fen.as_deref(), players, now)?;
            }
            Order::SetPosition { fen } => {
                let position = self.read_ordered(fen)?;
                let start =
                    Some(self.game()?).filter(|game| game.is_empty()).map(|game| game.start().clone());
                entered.edit = self.set_position(position, now);
                entered.start = start.filter(|_| entered.edit.is_none());
            }
            Order::Reinstate { ply } => {
                let length = self.game()?.len();
                if *ply > length {
                    return Err(refused(format!("the game has {length} plies, there is no ply {ply}")));
                }
                entered.edit = self.reinstate(*ply, now);
            }
            Order::Move { ply, edit, moves, plies } => {
                self.edit_moves((*ply, *edit, *plies), moves.as_ref(), entered, now)?;
            }
            Order::Continue { to, from, record } => {
                let ends = (entered.game, to.as_deref(), from.as_deref());
                self.continue_game(ends, record.as_deref(), entered, now)?;
            }
            Order::Choose { ply, path } => self.choose(*ply, path, entered, now)?,
            Order::Result { result } => self.set_result(result, now)?,
            Order::Flip => {
                self.turn(now);
                if self.adoption.adopted && self.adoption.record.is_some() {
                    self.emit_squares(!self.rotated, now);
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
            | Order::Story { .. }
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
            | Order::Before { .. }
            | Order::Called { .. }
            | Order::Answer { .. } => {}
        }
        let answer =
            self.with_referee(now, |referee, context, out| referee.handle_order(order, context, out));
        self.settle(now);
        answer
    }

    /// Returns the order that takes back what an undo names; none where that is up to the rules.
    fn undone(
        &mut self,
        alert: Option<&str>,
        what: Option<Undone>,
        has_side: bool,
        now: Timestamp,
    ) -> Result<Option<Order>, OrderError> {
        match (alert, what) {
            (None, Some(Undone::Result)) => {
                if self.game()?.result().is_none() {
                    return Err(refused("the game has no result to take back"));
                }
                Ok(Some(Order::Result { result: "*".to_owned() }))
            }
            (None, Some(Undone::Mute)) => Ok(Some(Order::Mute { seconds: 0 })),
            (None, Some(Undone::Penalty)) if !has_side => {
                Err(refused("say whose penalty is taken back: side white or black"))
            }
            (None, None) | (Some(_), Some(_)) => Err(refused(
                "say what is taken back: the id of an order, an alert, or what: penalty, result or mute",
            )),
            // A result that the ruling has declared goes with it.
            (Some(alert), None) => {
                if self.referee.has_ended_game(alert) {
                    self.set_result("*", now)?;
                }
                Ok(None)
            }
            (None, Some(Undone::Penalty)) => Ok(None),
        }
    }

    /// Refuses an order that names another game than it would change.
    fn check_game(&self, game: u32, order: &Order) -> Result<(), OrderError> {
        let of_alert = |id: &str| id.rsplit('-').nth(1).and_then(|number| number.parse().ok());
        let changed = match order.alert() {
            Some(alert) => of_alert(alert).ok_or_else(|| refused(format!("there is no alert {alert}")))?,
            None => self.tracker.game().map_or(self.games, Game::number),
        };
        if changed == game {
            return Ok(());
        }
        Err(refused(format!("the order is for game {game}; it would change game {changed} of this board")))
    }

    /// Returns whether a game was on this board before the present one.
    fn is_earlier(&self, game: u32) -> bool {
        game > 0 && self.tracker.game().is_some_and(|present| game < present.number())
    }

    /// Reports the result of a game that has left the board; nothing else follows from it here.
    fn emit_late_result(&mut self, game: u32, result: &str, now: Timestamp) -> Result<(), OrderError> {
        let result = if result == "*" { "*" } else { read_score(result)?.text() };
        self.emit(now, EventKind::Result { game, result, by: "arbiter" });
        Ok(())
    }

    pub(super) fn game(&self) -> Result<&Game, OrderError> {
        self.tracker.game().ok_or_else(|| refused("there is no game on this board"))
    }

    pub(super) fn read_fen(&self, fen: &str) -> Result<Position, OrderError> {
        Position::from_fen(fen, self.mode())
            .map_err(|error| refused(format!("'{fen}' is no position: {error}")))
    }

    fn new_game(&mut self, fen: Option<&str>, players: Players, now: Timestamp) -> Result<(), OrderError> {
        let position = if let Some(fen) = fen {
            let position = self.read_fen(fen)?;
            setup::possible(position.board()).map_err(|reason| refused(format!("'{fen}': {reason}")))?;
            position
        } else {
            let board = self.tracker.board();
            match setup::start(board, self.settings.game.chess960) {
                Some(start) => start,
                // What stood there before may not stand there any more, and pieces that were in the air are missing.
                None if !self.sensing.known => {
                    return Err(refused(
                        "the board has not reported what stands on it now; plug it in, or give a fen",
                    ));
                }
                None => setup::middle(board, Color::White)
                    .ok_or_else(|| refused("the board shows no position with one king a side; give a fen"))?,
            }
        };
        self.begin_of(players, position, now);
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
