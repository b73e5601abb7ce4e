//! The board's ear: bytes arrive one by one, and wait in a buffer that is as small as a real one's.

use std::{collections::VecDeque, time::Duration};

use dgt_protocol::{BusCommand, CommandParser, Received};

use super::BYTE;
use jadoube_core::time::Timestamp;

/// Bytes of commands that wait in single-board mode; one command waits in bus mode (protocol section 1.3).
const BUFFER: usize = 10;

/// Bytes under way on the line, more than any host has reason to send ahead.
const ON_THE_WAY: usize = 1024;

/// What the host has sent and the board has not carried out.
#[derive(Debug, Default)]
pub(super) struct Ear {
    on_the_way: VecDeque<u8>,
    /// When the first of them arrives.
    arrives_at: Timestamp,
    parser: CommandParser,
    waiting: VecDeque<Received>,
    overheard: u64,
}

impl Ear {
    /// Takes what the host writes now; it arrives no faster than the line is.
    pub(super) fn hear(&mut self, bytes: &[u8], now: Timestamp) {
        if self.on_the_way.is_empty() {
            self.arrives_at = self.arrives_at.max(now) + BYTE;
        }
        let room = ON_THE_WAY - self.on_the_way.len();
        self.on_the_way.extend(bytes.iter().take(room));
        self.overheard += count(bytes.len().saturating_sub(room));
    }

    /// Returns when the next byte arrives.
    pub(super) fn next_byte(&self) -> Option<Timestamp> {
        (!self.on_the_way.is_empty()).then_some(self.arrives_at)
    }

    /// Takes in the byte that is due; a command that finds no room is lost.
    pub(super) fn listen(&mut self, now: Timestamp, bus: bool) {
        if self.next_byte().is_none_or(|at| at > now) {
            return;
        }
        let Some(byte) = self.on_the_way.pop_front() else { return };
        self.arrives_at = self.arrives_at + BYTE;
        if let Some(received) = self.parser.next_command(&mut &[byte][..]) {
            let room = if bus { 0 } else { BUFFER.saturating_sub(self.waiting.iter().map(length).sum()) };
            if self.waiting.is_empty() || length(&received) <= room {
                self.waiting.push_back(received);
            } else {
                self.overheard += count(length(&received));
            }
        }
    }

    /// Tells whether a command waits.
    pub(super) fn has_command(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Takes the command that waits longest.
    pub(super) fn next_command(&mut self) -> Option<Received> {
        self.waiting.pop_front()
    }

    /// Returns the number of bytes that found no room.
    pub(super) const fn overheard(&self) -> u64 {
        self.overheard
    }

    /// Forgets everything, as a board does that loses its power.
    pub(super) fn forget(&mut self) {
        *self = Self { overheard: self.overheard, arrives_at: self.arrives_at, ..Self::default() };
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

/// How long the bytes of a message take on the line.
pub(super) fn wire_time(bytes: usize) -> Duration {
    BYTE * u32::try_from(bytes).unwrap_or(u32::MAX)
}
