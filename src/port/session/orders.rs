//! An arbiter's order on its way to a board, and into its capture.

use super::PortSession;
use jadoube_core::{
    capture::Entry,
    order::{CarriedOut, Order, OrderError},
    time::Timestamp,
};

impl PortSession {
    /// Handles an arbiter's order; it is recorded if it is carried out.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order is refused; then nothing has changed.
    pub(crate) fn order(
        &mut self,
        board: &str,
        order: &Order,
        now: Timestamp,
    ) -> Result<CarriedOut, OrderError> {
        if let Order::Answer { .. } | Order::Before { .. } = order.inner() {
            return Err(OrderError::Refused("an answer is found by a search, nobody enters it".to_owned()));
        }
        self.check_addressee(board)?;
        let now = self.begin_input(now);
        // Only a capture says what an order is called.
        let done = self.line.handle_order_for(Some(board), &order.called(None), now)?;
        let order = &order.called(Some(&done.id));
        let json = if self.line.is_bus() { order.json_to(board) } else { order.json() }?;
        self.writer.output_mut().keep();
        self.record(now, Entry::Order(&json));
        self.drain(Some((board, order)));
        self.disk.is_pressing = true;
        Ok(done)
    }
}
