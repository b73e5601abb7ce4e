//! A table and its schedule: starts the next game when one has ended.

use std::time::Duration;

use super::schedule::Schedule;
use crate::{
    hostile::LineEvent,
    table::{CableEvent, Table},
};
use jadoube_core::time::Timestamp;

/// Time between two games, before players set up the pieces; in the line's time.
const PAUSE: Duration = Duration::from_secs(2);

/// A table and the games that are played on it.
#[derive(Debug)]
pub(super) struct ScheduledTable {
    table: Table,
    schedule: Schedule,
    /// When the next game begins.
    next_game: Timestamp,
}

impl ScheduledTable {
    pub(super) const fn new(table: Table, schedule: Schedule) -> Self {
        Self { table, schedule, next_game: Timestamp::ZERO }
    }

    pub(super) const fn table_mut(&mut self) -> &mut Table {
        &mut self.table
    }

    /// Removes and returns what happens to the cable next; orders to the host do not pass a line.
    pub(super) fn poll_line(&mut self) -> Option<LineEvent> {
        loop {
            match self.table.poll_link()? {
                CableEvent::Unplugged => return Some(LineEvent::Gone),
                CableEvent::Plugged => return Some(LineEvent::Back),
                CableEvent::Order(_) => {}
            }
        }
    }

    /// Lets everything happen that is due, the beginning of the next game included.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        self.table.handle_timeout(now);
        if self.next_game <= now {
            let play = self.schedule.next_play();
            let (_, end) = self.table.schedule_game(play, now + PAUSE);
            self.next_game = end;
        }
    }

    pub(super) fn poll_timeout(&self) -> Option<Timestamp> {
        [self.table.poll_timeout(), Some(self.next_game)].into_iter().flatten().min()
    }
}
