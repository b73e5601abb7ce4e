//! Listens to what boards say, beside the line: the number of a board, and how much comes of each kind.
//!
//! Only what comes live is heard here, so that a restart, which replays a capture, counts nothing twice.

use dgt_protocol::{Answer, BusDecoder, BusReply, Decoder, Flaw, Message, Tally};

use crate::metrics::Said;

/// Hears the bytes of one port.
#[derive(Debug)]
pub(super) struct Ear {
    decoder: Kind,
    /// The account up to where it has been counted.
    counted: Tally,
    said: Said,
}

#[derive(Debug)]
enum Kind {
    Single(Box<Decoder>),
    Bus(Box<BusDecoder>),
}

impl Ear {
    /// Makes an ear for one board, or for several on a bus.
    pub(super) fn new(bus: bool) -> Self {
        let decoder = if bus { Kind::Bus(Box::default()) } else { Kind::Single(Box::default()) };
        Self { decoder, counted: Tally::default(), said: Said::default() }
    }

    /// Takes bytes; returns the number that a board has told with them.
    pub(super) fn hear(&mut self, bytes: &[u8]) -> Option<String> {
        let Self { decoder, said, .. } = self;
        let mut input = bytes;
        let mut serial = None;
        match decoder {
            Kind::Single(decoder) => {
                while let Some(frame) = decoder.next_frame(&mut input) {
                    let message = frame.message();
                    count(said, &message);
                    if let Message::Serial(told) = message {
                        serial = Some(told.to_owned());
                    }
                }
            }
            Kind::Bus(decoder) => {
                while let Some(reply) = decoder.next_reply(&mut input) {
                    count_reply(said, &reply);
                }
            }
        }
        self.count_noise();
        serial.filter(|serial| !serial.is_empty())
    }

    /// Begins anew: nothing of what was heard goes on in what follows.
    pub(super) fn reset(&mut self) {
        match &mut self.decoder {
            Kind::Single(decoder) => decoder.reset(),
            Kind::Bus(decoder) => decoder.reset(),
        }
        self.counted = self.tally();
    }

    /// Takes a question to the boards of a bus, whose answer begins with its first byte.
    pub(super) fn ask(&mut self) {
        if matches!(self.decoder, Kind::Bus(_)) {
            self.reset();
        }
    }

    /// Returns what was said since the last call.
    pub(super) fn take(&mut self) -> Said {
        std::mem::take(&mut self.said)
    }

    fn count_noise(&mut self) {
        let tally = self.tally();
        self.said.noise += tally.noise_bytes - self.counted.noise_bytes;
        let broken = tally.broken - self.counted.broken;
        if broken > 0 {
            *self.said.errors.entry("broken").or_default() += broken;
        }
        self.counted = tally;
    }

    fn tally(&self) -> Tally {
        match &self.decoder {
            Kind::Single(decoder) => decoder.tally(),
            Kind::Bus(decoder) => decoder.tally(),
        }
    }
}

/// Counts a message.
fn count(said: &mut Said, message: &Message<'_>) {
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
            *said.errors.entry(reason).or_default() += 1;
            return;
        }
    };
    *said.frames.entry(kind).or_default() += 1;
}

/// Counts what a board on a bus has answered.
fn count_reply(said: &mut Said, reply: &BusReply<'_>) {
    let kind = match &reply.answer {
        Answer::Message(message) => return count(said, message),
        Answer::Changes(_) | Answer::ChangesEven(_) => "changes",
        Answer::FromStart(_) => "event-log",
        Answer::Pong => "pong",
        Answer::StartWritten => "start-written",
        Answer::EarlyVersion => "version",
    };
    *said.frames.entry(kind).or_default() += 1;
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn what_a_board_says_is_counted_by_kind() {
        let mut ear = Ear::new(false);
        let version: &[u8] = &[0x93, 0x00, 0x05, 0x01, 0x08];
        let field: &[u8] = &[0x8E, 0x00, 0x05, 0x34, 0x00];
        let no_field: &[u8] = &[0x8E, 0x00, 0x05, 0x7F, 0x00];
        let cut: &[u8] = &[0x8E, 0x00, 0x05];
        let serial: &[u8] = &[0x91, 0x00, 0x08, b'2', b'3', b'9', b'4', b'6'];
        assert_eq!(ear.hear(&[version, field, &[0x0D], field, no_field, cut].concat()), None);
        assert_eq!(ear.hear(serial).as_deref(), Some("23946"));
        let said = ear.take();
        assert_eq!(said.frames, BTreeMap::from([("field", 2), ("serial", 1), ("version", 1)]));
        assert_eq!(said.errors, BTreeMap::from([("broken", 1), ("field", 1)]));
        assert_eq!(said.noise, 4);
        assert_eq!(ear.take(), Said::default());
        ear.hear(cut);
        ear.reset();
        ear.hear(field);
        assert_eq!(ear.take().errors, BTreeMap::new(), "a cable that was pulled is no damaged message");
    }

    #[test]
    fn answers_on_a_bus_are_counted_by_kind() {
        let mut ear = Ear::new(true);
        let address = dgt_protocol::Address::new(1025).unwrap();
        let mut buffer = [0; 16];
        let pong = BusReply { address, answer: Answer::Pong }.encode(&mut buffer).unwrap().to_vec();
        ear.hear(&pong);
        let mut wrong = pong.clone();
        *wrong.last_mut().unwrap() ^= 1;
        ear.hear(&wrong);
        ear.hear(&pong[..3]);
        ear.ask();
        ear.hear(&pong);
        let said = ear.take();
        assert_eq!(said.frames, BTreeMap::from([("pong", 2)]));
        assert_eq!((said.errors, said.noise), (BTreeMap::from([("broken", 1)]), 6));
    }
}
