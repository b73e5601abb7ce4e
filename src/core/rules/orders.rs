//! Orders by their numbers, as each can be taken back, and what a game brings along from another board.

use shakmaty::ByColor;

use super::{Context, Notice, Referee};
use crate::order::{Order, OrderError};

impl Referee {
    /// Notes that what comes next follows from the order with this number.
    pub fn begin_order(&mut self, number: u32) {
        self.alerts.begin_order(number);
    }

    /// Notes that it was carried out, or refused.
    pub fn end_order(&mut self, carried_out: bool) {
        self.alerts.end_order(carried_out);
    }

    /// Gives the order that was carried out last another number, as it has begun a game.
    pub fn number_order(&mut self, number: u32) {
        self.alerts.number_order(number);
    }

    /// Undoes an order, as far as it has changed alerts and records.
    ///
    /// # Errors
    ///
    /// Returns an error if a later order has changed the same; then nothing has changed.
    pub fn undo_order(
        &mut self,
        number: u32,
        order: &Order,
        context: &Context<'_>,
        out: &mut Vec<Notice>,
    ) -> Result<(), OrderError> {
        let (context, rules, alerts) = self.parts(context);
        alerts.undo_order(number, &context)?;
        for rule in rules {
            rule.on_undo(order, &context);
        }
        alerts.report_counts(&context);
        self.done(out);
        Ok(())
    }

    /// Returns the confirmed irregularities of both players.
    #[must_use]
    pub fn counts(&self) -> ByColor<u32> {
        self.alerts.counts(&self.laws)
    }

    /// Adds those that a game brings along that was played elsewhere.
    pub const fn set_counts(&mut self, counts: ByColor<u32>) {
        self.alerts.set_counts(counts);
    }
}
