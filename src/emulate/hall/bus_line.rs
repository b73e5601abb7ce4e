//! Several boards on one line: all receive every command, and simultaneous replies collide.

use std::time::Duration;

use super::{schedule::Schedule, scheduled_table::ScheduledTable};
use crate::{
    board::timing::{BYTE, wire_time},
    table::Table,
};
use jadoube_core::time::Timestamp;

/// How long the adapter waits for more bytes before it delivers what has arrived.
const LATENCY: Duration = Duration::from_millis(16);

/// A line with several boards.
#[derive(Debug)]
pub struct BusLine {
    tables: Vec<ScheduledTable>,
    /// When the last transmission of each table ends.
    sent_until: Vec<Timestamp>,
    /// Transmissions that the host has not received.
    transmissions: Vec<Transmission>,
}

/// Bytes on the line, with their begin and end.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Transmission {
    from: Timestamp,
    to: Timestamp,
    bytes: Vec<u8>,
}

impl BusLine {
    pub(super) fn new(tables: Vec<(Table, Schedule)>) -> Self {
        let tables: Vec<ScheduledTable> =
            tables.into_iter().map(|(table, schedule)| ScheduledTable::new(table, schedule)).collect();
        Self { sent_until: vec![Timestamp::ZERO; tables.len()], tables, transmissions: Vec::new() }
    }

    /// Passes the bytes of the host to every board.
    pub fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        for table in &mut self.tables {
            table.table_mut().handle_command_bytes(bytes, now);
        }
    }

    /// Executes all that is due up to `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        for (table, sent_until) in self.tables.iter_mut().zip(&mut self.sent_until) {
            table.handle_timeout(now);
            // One board without power leaves the line as it is.
            while table.table_mut().poll_link().is_some() {}
            while let Some(bytes) = table.table_mut().poll_output(now) {
                let takes = wire_time(bytes.len());
                // A busy machine looks late; a board does not talk over itself for that.
                let from = now.before(takes).max(*sent_until);
                *sent_until = from + takes;
                self.transmissions.push(Transmission { from, to: *sent_until, bytes });
            }
        }
    }

    /// Removes and returns the next bytes for the host.
    pub fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        let first = self
            .transmissions
            .iter()
            .map(|transmission| transmission.to + LATENCY)
            .min()
            .filter(|at| *at <= now)?;
        let mut received = self.remove_transmission(|transmission| transmission.to + LATENCY == first)?;
        while let Some(other) = self.remove_transmission(|transmission| {
            transmission.from < received.to && received.from < transmission.to
        }) {
            received = collide(&received, &other);
        }
        Some(received.bytes)
    }

    /// Returns when the next event is due.
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        let tables = self.tables.iter().filter_map(ScheduledTable::poll_timeout);
        let transmissions = self.transmissions.iter().map(|transmission| transmission.to + LATENCY);
        tables.chain(transmissions).min()
    }

    fn remove_transmission(&mut self, is: impl Fn(&Transmission) -> bool) -> Option<Transmission> {
        let place = self.transmissions.iter().position(is)?;
        Some(self.transmissions.remove(place))
    }
}

/// Returns the bytes that a host receives when two boards send at once: each of them can pull the line up.
fn collide(one: &Transmission, other: &Transmission) -> Transmission {
    let from = one.from.min(other.from);
    let mut bytes = Vec::new();
    for transmission in [one, other] {
        let offset = transmission.from.since(from).as_micros() / BYTE.as_micros().max(1);
        let offset = usize::try_from(offset).unwrap_or(0);
        bytes.resize(bytes.len().max(offset + transmission.bytes.len()), 0);
        for (place, byte) in bytes.iter_mut().skip(offset).zip(&transmission.bytes) {
            *place |= byte;
        }
    }
    Transmission { from, to: one.to.max(other.to), bytes }
}

#[cfg(test)]
mod tests;
