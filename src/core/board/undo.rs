//! The orders of a game by their names, and how each is taken back.

use super::Board;
use crate::{
    event::EventKind,
    game::{Game, GameResult, RecordEdit},
    model::effort,
    order::{CarriedOut, Order, OrderError, refused},
    position::Position,
    time::Timestamp,
};

/// The orders of one game.
#[derive(Debug, Default)]
pub(super) struct EnteredOrders {
    game: u32,
    /// Number of the last one, from 1.
    last: u32,
    entered: Vec<EnteredOrder>,
    /// Name of the one that is being carried out.
    present: Option<String>,
}

/// An order that was carried out, and what is known of how it is taken back.
#[derive(Clone, Debug)]
pub(super) struct EnteredOrder {
    number: u32,
    order: Order,
    /// The game that it names.
    pub(super) game: Option<u32>,
    /// What it has changed in the list of plies.
    pub(super) edit: Option<RecordEdit>,
    /// The first position that the game had before.
    pub(super) start: Option<Position>,
    /// The game that was on the board before it.
    before: Option<u32>,
    /// The result of the game before it and after it, if that has changed.
    result: Option<(Option<GameResult>, Option<GameResult>)>,
    /// The earlier game that it has given a result.
    pub(super) late: Option<u32>,
    /// What is to be said of it.
    pub(super) text: Option<String>,
    /// The order that it has taken back.
    undone: Option<u32>,
    /// Whether it was taken back.
    is_undone: bool,
}

impl EnteredOrder {
    pub(super) fn new(number: u32, order: &Order) -> Self {
        Self {
            number,
            order: order.clone(),
            game: None,
            edit: None,
            start: None,
            before: None,
            result: None,
            late: None,
            text: None,
            undone: None,
            is_undone: false,
        }
    }
}

impl Board {
    /// Returns the number of the next order: that of its name, if it has one that is free.
    pub(super) fn next_order(&self, id: Option<&str>) -> u32 {
        let next = self.orders.last.saturating_add(1);
        let named = id.and_then(|id| id.rsplit_once("-o")).and_then(|(_, number)| number.parse().ok());
        named.filter(|number| *number >= next).unwrap_or(next)
    }

    /// Notes whose consequences are emitted next: those of an order, or of nobody's.
    pub(super) fn set_present_order(&mut self, number: Option<u32>) {
        let game = self.tracker.game().map_or(self.games, Game::number);
        self.orders.present = number.map(|number| {
            let number = if game == self.orders.game { number } else { 1 };
            format!("{}-{game}-o{number}", self.id)
        });
    }

    /// Keeps an order that was carried out; returns its name.
    pub(super) fn keep_order(
        &mut self,
        mut entered: EnteredOrder,
        before: Option<(u32, Option<GameResult>)>,
        now: Timestamp,
    ) -> CarriedOut {
        let game = self.tracker.game().map_or(self.games, Game::number);
        let result = self.tracker.game().and_then(Game::result);
        if entered.edit.is_some() || entered.start.is_some() {
            self.forget_readings(now);
        }
        entered.before = before.map(|(number, _)| number);
        if let Some((_, was)) = before.filter(|(number, was)| *number == game && *was != result) {
            entered.result = Some((was, result));
        }
        if self.orders.game != game {
            // Those of the game before are settled with it; the first of a game is the one that begins it.
            self.orders = EnteredOrders { game, ..EnteredOrders::default() };
            if entered.number > 1 {
                entered.number = 1;
                self.referee.number_order(1);
            }
        }
        self.orders.last = entered.number;
        let id = self.order_id(entered.number);
        let text = entered.text.clone();
        if let Some(text) = &text {
            let order = Box::new(entered.order.clone());
            self.emit(now, EventKind::Entry { order, text: text.clone(), id: Some(id.clone()) });
        }
        self.orders.entered.push(entered);
        if self.orders.entered.len() > effort::MOST_ORDERS {
            self.orders.entered.remove(0);
        }
        CarriedOut { id, text }
    }

    fn order_id(&self, number: u32) -> String {
        format!("{}-{}-o{number}", self.id, self.orders.game)
    }

    /// Finds an order by its name, or by its number in the present game.
    fn find_order(&self, id: &str) -> Result<EnteredOrder, OrderError> {
        let number = id.trim_start_matches('o').parse().ok();
        let found = self
            .orders
            .entered
            .iter()
            .find(|entered| number == Some(entered.number) || self.order_id(entered.number) == id);
        let found = found.ok_or_else(|| {
            let game = self.tracker.game().map_or(self.orders.game, Game::number);
            let of_other = id.rsplit('-').nth(1).and_then(|other| other.parse::<u32>().ok());
            match of_other.filter(|other| *other != game) {
                Some(other) => refused(format!("order {id} is of game {other}; game {game} is on the board")),
                None => refused(format!("there is no order {id} in this game")),
            }
        })?;
        if found.is_undone {
            return Err(refused(format!("order {id} has been taken back already")));
        }
        Ok(found.clone())
    }

    /// Undoes an order.
    pub(super) fn undo(
        &mut self,
        id: &str,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let target = self.find_order(id)?;
        // Who takes an undo back wants the order again.
        let again = target
            .undone
            .and_then(|number| self.orders.entered.iter().find(|it| it.number == number))
            .cloned();
        if let Some(start) = &target.start
            && self.game()?.is_empty()
        {
            let before = self.game()?.start().clone();
            self.tracker.set_start(start.clone());
            self.emit_start(now);
            entered.start = Some(before);
        } else if target.start.is_some() {
            return Err(refused("moves have been played from that position; set another one instead"));
        }
        if let Some(edit) = &target.edit {
            self.close_record(now);
            let back = self.tracker.take_edit_back(edit).map_err(|ply| {
                refused(format!("a later order has changed ply {ply}; take that one back first"))
            })?;
            if let Some(back) = back {
                self.emit_edit(&back, now);
                entered.edit = Some(back);
            }
        }
        let order = again.as_ref().map_or(&target.order, |again| &again.order).clone();
        let is_rest =
            target.edit.is_none() && target.result.is_none() && !matches!(order, Order::NewGame { .. });
        if again.is_none() && matches!(order, Order::NewGame { .. } | Order::Continue { .. }) {
            return self.take_up_again(&target, entered, now);
        }
        if matches!(order, Order::Flip | Order::SwapClock) {
            self.carry_out(&order, entered, now)?;
        } else if again.is_none() {
            self.undo_ruling(&target, now)?;
        } else if let Order::Undo { id: Some(other), .. } = &order {
            return self.undo(other, entered, now);
        } else if is_rest {
            self.carry_out(&order, entered, now)?;
        }
        if let Some(game) = target.late {
            self.emit(now, EventKind::Result { game, result: "*", by: "arbiter" });
        }
        if let Some((before, after)) = target.result
            && self.tracker.game().and_then(Game::result) == after
        {
            self.restore_result(before, now);
        }
        for other in &mut self.orders.entered {
            other.is_undone &= again.as_ref().is_none_or(|again| again.number != other.number);
        }
        self.note_undone(&target, entered);
        self.settle(now);
        Ok(())
    }

    fn note_undone(&mut self, target: &EnteredOrder, entered: &mut EnteredOrder) {
        entered.undone = Some(target.number);
        let id = self.order_id(target.number);
        entered.text.get_or_insert_with(|| format!("Order {id} was taken back."));
        for other in &mut self.orders.entered {
            other.is_undone |= other.number == target.number;
        }
    }

    /// Goes on with the game that was on the board before an order for another one.
    fn take_up_again(
        &mut self,
        target: &EnteredOrder,
        entered: &mut EnteredOrder,
        now: Timestamp,
    ) -> Result<(), OrderError> {
        let present = self.tracker.game().map(Game::number);
        if self.is_waiting() {
            self.stop_waiting(now)?;
        } else if present.is_some() && present == target.before {
            // The same game has gone on at once: there is nothing to go back to.
        } else if self.tracker.game().is_some() && matches!(target.order, Order::Continue { .. }) {
            return Err(refused("the game has gone on here; let it go on elsewhere instead"));
        } else {
            self.resume_earlier(now)?;
        }
        self.note_undone(target, entered);
        Ok(())
    }

    fn undo_ruling(&mut self, target: &EnteredOrder, now: Timestamp) -> Result<(), OrderError> {
        let (number, order) = (target.number, target.order.clone());
        self.with_referee(now, |referee, context, out| referee.undo_order(number, &order, context, out))
    }

    fn restore_result(&mut self, result: Option<GameResult>, now: Timestamp) {
        let Some(game) = self.tracker.game().map(Game::number) else { return };
        if let Some(result) = result {
            self.tracker.end(result, u32::MAX);
        } else {
            self.tracker.reopen();
            self.emit(now, EventKind::Result { game, result: "*", by: "arbiter" });
        }
    }
}

impl EnteredOrders {
    /// Returns the number of the last order in a game.
    pub(super) const fn last_of(&self, game: u32) -> u32 {
        if self.game == game { self.last } else { 0 }
    }

    /// Resumes a game in which so many orders were given before.
    pub(super) fn take_up(&mut self, game: u32, last: u32) {
        (self.game, self.last) = (game, last);
        self.entered.clear();
    }

    /// Returns the name of the order that is being carried out.
    pub(super) fn present(&self) -> Option<String> {
        self.present.clone()
    }
}
