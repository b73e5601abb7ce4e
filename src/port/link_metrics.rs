//! Counts what comes over a link, by kind of message, and finds the number of the board in it.
//!
//! It decodes the bytes a second time, before the `Line` does. The number has to be known first: bytes of another board
//! may neither be recorded in the capture of this one nor reach its `Line`. And it counts only what comes over the link:
//! a `Line` also decodes what a replay and the beginning of a new capture feed it.

use dgt_protocol::{Answer, BusDecoder, BusReply, Decoder, Flaw, Message, Tally};

use crate::metrics::MessageCounts;
use jadoube_core::settings::is_serial;

/// The decoder and the counts of one port.
#[derive(Debug)]
pub(super) struct LinkMetrics {
    decoder: LinkDecoder,
    /// The tally of the decoder up to which damage is in `counts`.
    counted: Tally,
    counts: MessageCounts,
}

#[derive(Debug)]
enum LinkDecoder {
    Single(Box<Decoder>),
    Bus(Box<BusDecoder>),
}

impl LinkMetrics {
    /// Makes the decoder for one board, or for several on a bus.
    pub(super) fn new(bus: bool) -> Self {
        let decoder =
            if bus { LinkDecoder::Bus(Box::default()) } else { LinkDecoder::Single(Box::default()) };
        Self { decoder, counted: Tally::default(), counts: MessageCounts::default() }
    }

    /// Takes bytes; returns the numbers that a board has told with them.
    pub(super) fn handle_bytes(&mut self, bytes: &[u8]) -> Vec<String> {
        let Self { decoder, counts, .. } = self;
        let mut input = bytes;
        let mut serials = Vec::new();
        match decoder {
            LinkDecoder::Single(decoder) => {
                while let Some(frame) = decoder.next_frame(&mut input) {
                    let message = frame.message();
                    count(counts, &message);
                    if let Message::Serial(told) = message
                        && is_serial(told)
                    {
                        serials.push(told.to_owned());
                    }
                }
            }
            LinkDecoder::Bus(decoder) => {
                while let Some(reply) = decoder.next_reply(&mut input) {
                    count_reply(counts, &reply);
                }
            }
        }
        self.count_noise();
        serials
    }

    /// Forgets a message that has begun: the link was closed, and what follows does not continue it.
    pub(super) fn reset(&mut self) {
        match &mut self.decoder {
            LinkDecoder::Single(decoder) => decoder.reset(),
            LinkDecoder::Bus(decoder) => decoder.reset(),
        }
        self.counted = self.tally();
    }

    /// Takes bytes that were sent. On a bus the answer to a question begins with its first byte.
    pub(super) fn handle_sent(&mut self) {
        if matches!(self.decoder, LinkDecoder::Bus(_)) {
            self.reset();
        }
    }

    /// Returns what was counts since the last call.
    pub(super) fn take(&mut self) -> MessageCounts {
        std::mem::take(&mut self.counts)
    }

    fn count_noise(&mut self) {
        let tally = self.tally();
        self.counts.noise += tally.noise_bytes - self.counted.noise_bytes;
        let broken = tally.broken - self.counted.broken;
        if broken > 0 {
            *self.counts.errors.entry("broken").or_default() += broken;
        }
        self.counted = tally;
    }

    fn tally(&self) -> Tally {
        match &self.decoder {
            LinkDecoder::Single(decoder) => decoder.tally(),
            LinkDecoder::Bus(decoder) => decoder.tally(),
        }
    }
}

/// Counts a message.
fn count(counts: &mut MessageCounts, message: &Message<'_>) {
    let kind = match message {
        Message::BoardDump(_) | Message::BoardDump100(_) | Message::DraughtsDump { .. } => "board",
        Message::FieldUpdate { .. } => "field",
        Message::Clock(_) | Message::ClockZero => "clock",
        Message::ClockAck(_) => "clock-ack",
        Message::Serial(_) | Message::LongSerial(_) => "serial",
        Message::BusAddress(_) => "bus-address",
        Message::Trademark(_) => "trademark",
        Message::Version(_) | Message::HardwareVersion(_) => "version",
        Message::Battery(_) => "battery",
        Message::EventLog(_) => "event-log",
        Message::Idle => "idle",
        Message::Unknown { .. } => "unknown",
        Message::Malformed { flaw, .. } => {
            let reason = match flaw {
                Flaw::Length => "length",
                Flaw::TopBit => "top-bit",
                Flaw::Field => "field",
                Flaw::Time => "time",
                Flaw::Percent => "percent",
            };
            *counts.errors.entry(reason).or_default() += 1;
            return;
        }
    };
    *counts.frames.entry(kind).or_default() += 1;
}

/// Counts what a board on a bus has answered.
fn count_reply(counts: &mut MessageCounts, reply: &BusReply<'_>) {
    let kind = match &reply.answer {
        Answer::Message(message) => return count(counts, message),
        Answer::Changes(_) | Answer::ChangesEven(_) => "changes",
        Answer::FromStart(_) => "event-log",
        Answer::Pong => "pong",
        Answer::StartWritten => "start-written",
        Answer::EarlyVersion => "version",
    };
    *counts.frames.entry(kind).or_default() += 1;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_a_board_says_is_counted_by_kind() {
        let mut metrics = LinkMetrics::new(false);
        let version: &[u8] = &[0x93, 0x00, 0x05, 0x01, 0x08];
        let field: &[u8] = &[0x8E, 0x00, 0x05, 0x34, 0x00];
        let no_field: &[u8] = &[0x8E, 0x00, 0x05, 0x7F, 0x00];
        let cut: &[u8] = &[0x8E, 0x00, 0x05];
        let serial: &[u8] = &[0x91, 0x00, 0x08, b'2', b'3', b'9', b'4', b'6'];
        assert_eq!(
            metrics.handle_bytes(&[version, field, &[0x0D], field, no_field, cut].concat()),
            Vec::<String>::new()
        );
        assert_eq!(metrics.handle_bytes(serial), ["23946"]);
        let counts = metrics.take();
        assert_eq!(counts.frames, BTreeMap::from([("field", 2), ("serial", 1), ("version", 1)]));
        assert_eq!(counts.errors, BTreeMap::from([("broken", 1), ("field", 1)]));
        assert_eq!(counts.noise, 4);
        assert_eq!(metrics.take(), MessageCounts::default());
        metrics.handle_bytes(cut);
        metrics.reset();
        metrics.handle_bytes(field);
        assert_eq!(metrics.take().errors, BTreeMap::new(), "a cable that was pulled is no damaged message");
    }

    #[test]
    fn answers_on_a_bus_are_counted_by_kind() {
        let mut metrics = LinkMetrics::new(true);
        let address = dgt_protocol::Address::new(1025).unwrap();
        let mut buffer = [0; 16];
        let pong = BusReply { address, answer: Answer::Pong }.encode(&mut buffer).unwrap().to_vec();
        metrics.handle_bytes(&pong);
        let mut wrong = pong.clone();
        *wrong.last_mut().unwrap() ^= 1;
        metrics.handle_bytes(&wrong);
        metrics.handle_bytes(&pong[..3]);
        metrics.handle_sent();
        metrics.handle_bytes(&pong);
        let counts = metrics.take();
        assert_eq!(counts.frames, BTreeMap::from([("pong", 2)]));
        assert_eq!((counts.errors, counts.noise), (BTreeMap::from([("broken", 1)]), 6));
    }
}
