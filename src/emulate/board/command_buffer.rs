//! The input buffer of a board: bytes arrive at line speed; a command that does not fit is lost.

use std::collections::VecDeque;

use dgt_protocol::{BusCommand, CommandParser, Received};

use super::timing::BYTE;
use jadoube_core::time::Timestamp;

/// Bytes of commands that wait in single-board mode; one command waits in bus mode (protocol section 1.3).
const BUFFER: usize = 10;

/// Limit for bytes in transit; no host sends that many ahead.
const IN_TRANSIT: usize = 1024;

/// Commands that the host has sent and the board has not executed.
#[derive(Debug, Default)]
pub(super) struct CommandBuffer {
    in_transit: VecDeque<u8>,
    /// When the first byte in transit arrives.
    arrives_at: Timestamp,
    parser: CommandParser,
    waiting: VecDeque<Received>,
    lost_bytes: u64,
}

impl CommandBuffer {
    /// Queues bytes that the host writes now; they arrive at line speed.
    pub(super) fn send(&mut self, bytes: &[u8], now: Timestamp) {
        if self.in_transit.is_empty() {
            self.arrives_at = self.arrives_at.max(now) + BYTE;
        }
        let room = IN_TRANSIT - self.in_transit.len();
        self.in_transit.extend(bytes.iter().take(room));
        self.lost_bytes += count(bytes.len().saturating_sub(room));
    }

    /// Returns when the next byte arrives.
    pub(super) fn next_byte(&self) -> Option<Timestamp> {
        (!self.in_transit.is_empty()).then_some(self.arrives_at)
    }

    /// Receives the byte that is due. A command that does not fit into the buffer is lost.
    pub(super) fn receive(&mut self, now: Timestamp, bus: bool) {
        if self.next_byte().is_none_or(|at| at > now) {
            return;
        }
        let Some(byte) = self.in_transit.pop_front() else { return };
        self.arrives_at = self.arrives_at + BYTE;
        if let Some(received) = self.parser.next_command(&mut &[byte][..]) {
            let room = if bus { 0 } else { BUFFER.saturating_sub(self.waiting.iter().map(length).sum()) };
            if self.waiting.is_empty() || length(&received) <= room {
                self.waiting.push_back(received);
            } else {
                self.lost_bytes += count(length(&received));
            }
        }
    }

    /// Returns whether a command is waiting.
    pub(super) fn has_command(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Removes and returns the oldest command.
    pub(super) fn next_command(&mut self) -> Option<Received> {
        self.waiting.pop_front()
    }

    /// Returns the number of bytes that did not fit.
    pub(super) const fn lost_bytes(&self) -> u64 {
        self.lost_bytes
    }

    /// Clears the buffer, as a loss of power does; the count of lost bytes remains.
    pub(super) fn forget(&mut self) {
        *self = Self { lost_bytes: self.lost_bytes, arrives_at: self.arrives_at, ..Self::default() };
    }
}

fn length(received: &Received) -> usize {
    match received {
        Received::Command(command) => command.to_bytes().len(),
        Received::Bus(_) => BusCommand::LENGTH,
        Received::Unknown(_) | Received::Refused(_) => 1,
    }
}

fn count(bytes: usize) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}
