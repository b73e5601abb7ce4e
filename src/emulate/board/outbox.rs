//! The board's mouth: messages leave whole, one after another, no faster than the line is.

use std::collections::VecDeque;

use super::ear::wire_time;
use jadoube_core::time::Timestamp;

/// Bytes that a USB adapter hands to the host at once.
const PACKET: usize = 62;

/// Bytes that may wait. A real board stops looking at its squares long before.
const LONGEST_QUEUE: usize = 32 * 1024;

/// What the board is saying.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Bytes, and when the last of them has passed the line.
    packets: VecDeque<(Timestamp, Vec<u8>)>,
    waiting: usize,
    free_at: Timestamp,
    lost: u64,
}

impl Outbox {
    /// Appends a message that is ready at `from`; it is lost if too much waits already.
    pub(super) fn push(&mut self, message: &[u8], from: Timestamp) {
        if self.waiting + message.len() > LONGEST_QUEUE {
            self.lost += 1;
            return;
        }
        self.free_at = self.free_at.max(from);
        for packet in message.chunks(PACKET) {
            self.free_at = self.free_at + wire_time(packet.len());
            self.packets.push_back((self.free_at, packet.to_vec()));
        }
        self.waiting += message.len();
    }

    /// Returns the next bytes that have passed the line.
    pub(super) fn poll(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        let (_, bytes) = self.packets.pop_front_if(|(at, _)| *at <= now)?;
        self.waiting -= bytes.len();
        Some(bytes)
    }

    /// Returns when there are bytes to be had.
    pub(super) fn next_packet(&self) -> Option<Timestamp> {
        self.packets.front().map(|(at, _)| *at)
    }

    /// Returns when all that waits has passed the line.
    pub(super) const fn free_at(&self) -> Timestamp {
        self.free_at
    }

    /// Returns the number of messages that found no room.
    pub(super) const fn lost(&self) -> u64 {
        self.lost
    }

    /// Throws everything away, as happens when the power goes.
    pub(super) fn forget(&mut self, now: Timestamp) {
        *self = Self { free_at: now, lost: self.lost, ..Self::default() };
    }
}
