//! The output queue of a board: messages leave whole, in order, at line speed.

use std::collections::VecDeque;

use super::timing::wire_time;
use jadoube_core::time::Timestamp;

/// Bytes that a USB adapter hands to the host at once.
const PACKET: usize = 62;

/// Limit of the queue, bytes. A real board stops scanning long before.
const LONGEST_QUEUE: usize = 32 * 1024;

/// Messages that are being sent.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    /// Bytes, and the instant at which the last of them has arrived.
    packets: VecDeque<(Timestamp, Vec<u8>)>,
    waiting: usize,
    free_at: Timestamp,
    lost: u64,
}

impl Outbox {
    /// Appends a message that is ready at `from`; a message that exceeds the limit is lost.
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

    /// Removes and returns the next bytes that have arrived at the host by `now`.
    pub(super) fn poll(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        let (_, bytes) = self.packets.pop_front_if(|(at, _)| *at <= now)?;
        self.waiting -= bytes.len();
        Some(bytes)
    }

    /// Returns when the next bytes arrive.
    pub(super) fn next_packet(&self) -> Option<Timestamp> {
        self.packets.front().map(|(at, _)| *at)
    }

    /// Returns when the queue will be empty.
    pub(super) const fn free_at(&self) -> Timestamp {
        self.free_at
    }

    /// Returns the number of lost messages.
    pub(super) const fn lost(&self) -> u64 {
        self.lost
    }

    /// Clears the queue, as a loss of power does.
    pub(super) fn forget(&mut self, now: Timestamp) {
        *self = Self { free_at: now, lost: self.lost, ..Self::default() };
    }
}
