//! Counts what has come over a line: messages by kind, and what of it is damaged.

use std::ops::AddAssign;

use dgt_protocol::{Answer, BusReply, Flaw, Message, Tally};

/// What has come over a line.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct MessageCounts {
    kinds: Kinds,
    flaws: Flaws,
    /// Bytes that belong to no whole message.
    pub noise: u64,
}

/// Makes a struct of counters, each with the name that it is published under, in the order of the names.
macro_rules! counters {
    ($type:ident { $($field:ident = $name:literal,)* }) => {
        #[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
        struct $type {
            $($field: u64,)*
        }

        impl $type {
            /// Returns all counters that are not zero.
            fn iter(self) -> impl Iterator<Item = (&'static str, u64)> {
                [$(($name, self.$field),)*].into_iter().filter(|(_, count)| *count > 0)
            }
        }

        impl AddAssign for $type {
            fn add_assign(&mut self, more: Self) {
                $(self.$field += more.$field;)*
            }
        }
    };
}

counters!(Kinds {
    battery = "battery",
    board = "board",
    bus_address = "bus-address",
    changes = "changes",
    clock = "clock",
    clock_ack = "clock-ack",
    event_log = "event-log",
    field = "field",
    idle = "idle",
    pong = "pong",
    serial = "serial",
    start_written = "start-written",
    trademark = "trademark",
    unknown = "unknown",
    version = "version",
});

counters!(Flaws {
    broken = "broken",
    field = "field",
    length = "length",
    percent = "percent",
    time = "time",
    top_bit = "top-bit",
});

impl MessageCounts {
    /// Returns the whole messages by kind, in alphabetical order; kinds that have not come are left out.
    pub fn frames(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.kinds.iter()
    }

    /// Returns the messages that were thrown away by reason, in alphabetical order; reasons that have not been met are
    /// left out.
    pub fn errors(&self) -> impl Iterator<Item = (&'static str, u64)> {
        self.flaws.iter()
    }

    fn message(&mut self, message: &Message<'_>) {
        let Self { kinds, flaws, .. } = self;
        let counter = match message {
            Message::BoardDump(_) | Message::BoardDump100(_) | Message::DraughtsDump { .. } => {
                &mut kinds.board
            }
            Message::FieldUpdate { .. } => &mut kinds.field,
            Message::Clock(_) | Message::ClockZero => &mut kinds.clock,
            Message::ClockAck(_) => &mut kinds.clock_ack,
            Message::Serial(_) | Message::LongSerial(_) => &mut kinds.serial,
            Message::BusAddress(_) => &mut kinds.bus_address,
            Message::Trademark(_) => &mut kinds.trademark,
            Message::Version(_) | Message::HardwareVersion(_) => &mut kinds.version,
            Message::Battery(_) => &mut kinds.battery,
            Message::EventLog(_) => &mut kinds.event_log,
            Message::Idle => &mut kinds.idle,
            Message::Unknown { .. } => &mut kinds.unknown,
            Message::Malformed { flaw, .. } => match flaw {
                Flaw::Length => &mut flaws.length,
                Flaw::TopBit => &mut flaws.top_bit,
                Flaw::Field => &mut flaws.field,
                Flaw::Time => &mut flaws.time,
                Flaw::Percent => &mut flaws.percent,
            },
        };
        *counter += 1;
    }
}

impl AddAssign for MessageCounts {
    fn add_assign(&mut self, more: Self) {
        self.kinds += more.kinds;
        self.flaws += more.flaws;
        self.noise += more.noise;
    }
}

/// Counts beside a decoder.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MessageCounter {
    counts: MessageCounts,
    /// The decoder's tally up to which damage is in `counts`.
    counted: Tally,
}

impl MessageCounter {
    /// Handles a message of a single board.
    pub(super) fn message(&mut self, message: &Message<'_>) {
        self.counts.message(message);
    }

    /// Handles a report of the clock.
    pub(super) const fn clock(&mut self) {
        self.counts.kinds.clock += 1;
    }

    /// Handles a reply on a bus.
    pub(super) fn reply(&mut self, reply: &BusReply<'_>) {
        let kinds = &mut self.counts.kinds;
        let counter = match &reply.answer {
            Answer::Message(message) => return self.counts.message(message),
            Answer::Changes(_) | Answer::ChangesEven(_) => &mut kinds.changes,
            Answer::FromStart(_) => &mut kinds.event_log,
            Answer::Pong => &mut kinds.pong,
            Answer::StartWritten => &mut kinds.start_written,
            Answer::EarlyVersion => &mut kinds.version,
        };
        *counter += 1;
    }

    /// Handles the decoder's tally after bytes.
    pub(super) const fn damage(&mut self, tally: Tally) {
        debug_assert!(tally.noise_bytes >= self.counted.noise_bytes, "a tally only grows");
        self.counts.noise += tally.noise_bytes - self.counted.noise_bytes;
        self.counts.flaws.broken += tally.broken - self.counted.broken;
        self.counted = tally;
    }

    /// Handles bytes that the decoder has not seen, as nobody has heard the beginning of their message.
    pub(super) const fn headless(&mut self, bytes: u64) {
        self.counts.noise += bytes;
    }

    /// Handles the decoder's tally after a reset: what it has thrown away is no damage.
    pub(super) const fn skip(&mut self, tally: Tally) {
        self.counted = tally;
    }

    /// Returns what has come since the last call.
    pub(super) fn take(&mut self) -> MessageCounts {
        std::mem::take(&mut self.counts)
    }
}

#[cfg(test)]
mod tests;
