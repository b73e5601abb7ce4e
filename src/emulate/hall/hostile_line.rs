//! The line of a board that is broken or meant to do harm, from some instant on.

use super::scheduled_table::ScheduledTable;
use crate::hostile::{HostileBoard, HostileFault, LineEvent};
use jadoube_core::time::Timestamp;

/// A table whose board becomes a hostile one.
#[derive(Debug)]
pub(super) struct HostileLine {
    table: ScheduledTable,
    from: Timestamp,
    board: HostileBoard,
    /// Whether it has become one.
    is_hostile: bool,
}

impl HostileLine {
    pub(super) fn new(table: ScheduledTable, fault: HostileFault, serial: String, seed: u64) -> Self {
        let from = Timestamp::ZERO + fault.after;
        let board = HostileBoard::new(fault.kind, serial, seed, from);
        Self { table, from, board, is_hostile: false }
    }

    pub(super) fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        if self.is_hostile {
            self.board.handle_command_bytes(bytes);
        } else {
            self.table.table_mut().handle_command_bytes(bytes, now);
        }
    }

    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        self.is_hostile |= self.from <= now;
        if self.is_hostile {
            self.board.handle_timeout(now);
        } else {
            self.table.handle_timeout(now);
        }
    }

    pub(super) fn poll_line(&mut self) -> Option<LineEvent> {
        if self.is_hostile { self.board.poll_line() } else { self.table.poll_line() }
    }

    /// Returns whether what a host sends is read.
    pub(super) fn reads(&self) -> bool {
        !self.is_hostile || self.board.reads()
    }

    pub(super) fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        if self.is_hostile { self.board.poll_output() } else { self.table.table_mut().poll_output(now) }
    }

    pub(super) fn poll_timeout(&self) -> Option<Timestamp> {
        if self.is_hostile {
            self.board.poll_timeout()
        } else {
            Some(self.table.poll_timeout().map_or(self.from, |next| next.min(self.from)))
        }
    }
}
