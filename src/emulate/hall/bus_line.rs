//! Several boards on one line: all hear everything, and who speaks at the same time is not understood.

use std::time::Duration;

use super::{evening::Evening, task::Player};
use crate::{board::BYTE, table::Table};
use jadoube_core::time::Timestamp;

/// How long the adapter waits for more before it hands over what has come in.
const LATENCY: Duration = Duration::from_millis(16);

/// A line with several boards.
#[derive(Debug)]
pub struct BusLine {
    players: Vec<Player>,
    /// Until when each of them has spoken.
    spoke_until: Vec<Timestamp>,
    /// What was said and has not been handed over.
    said: Vec<Saying>,
}

/// Bytes on the line, from when to when.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Saying {
    from: Timestamp,
    to: Timestamp,
    bytes: Vec<u8>,
}

impl BusLine {
    pub(super) fn new(tables: Vec<(Table, Evening)>) -> Self {
        let players: Vec<Player> =
            tables.into_iter().map(|(table, evening)| Player::new(table, evening)).collect();
        Self { spoke_until: vec![Timestamp::ZERO; players.len()], players, said: Vec::new() }
    }

    /// Lets every board hear what the host says.
    pub fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        for player in &mut self.players {
            player.table_mut().handle_command_bytes(bytes, now);
        }
    }

    /// Lets everything happen that is due.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        for (player, spoke_until) in self.players.iter_mut().zip(&mut self.spoke_until) {
            player.handle_timeout(now);
            // One board without power leaves the line as it is.
            while player.table_mut().poll_link().is_some() {}
            while let Some(bytes) = player.table_mut().poll_output(now) {
                let takes = BYTE * u32::try_from(bytes.len()).unwrap_or(u32::MAX);
                // A busy machine looks late; a board does not talk over itself for that.
                let from = now.before(takes).max(*spoke_until);
                *spoke_until = from + takes;
                self.said.push(Saying { from, to: *spoke_until, bytes });
            }
        }
    }

    /// Returns the next bytes for the host.
    pub fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        let first = self.said.iter().map(|saying| saying.to + LATENCY).min().filter(|at| *at <= now)?;
        let mut heard = self.take_saying(|saying| saying.to + LATENCY == first)?;
        while let Some(other) = self.take_saying(|saying| saying.from < heard.to && heard.from < saying.to) {
            heard = collide(&heard, &other);
        }
        Some(heard.bytes)
    }

    /// Returns when something happens next.
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        let players = self.players.iter().filter_map(Player::poll_timeout);
        let said = self.said.iter().map(|saying| saying.to + LATENCY);
        players.chain(said).min()
    }

    fn take_saying(&mut self, is: impl Fn(&Saying) -> bool) -> Option<Saying> {
        let place = self.said.iter().position(is)?;
        Some(self.said.remove(place))
    }
}

/// Returns what is heard when two speak at once: any board can pull the line up.
fn collide(one: &Saying, other: &Saying) -> Saying {
    let from = one.from.min(other.from);
    let mut bytes = Vec::new();
    for saying in [one, other] {
        let offset = saying.from.since(from).as_micros() / BYTE.as_micros().max(1);
        let offset = usize::try_from(offset).unwrap_or(0);
        bytes.resize(bytes.len().max(offset + saying.bytes.len()), 0);
        for (place, byte) in bytes.iter_mut().skip(offset).zip(&saying.bytes) {
            *place |= byte;
        }
    }
    Saying { from, to: one.to.max(other.to), bytes }
}

#[cfg(test)]
mod tests;
