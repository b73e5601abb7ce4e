//! Properties of streams that look like real ones: frames, damaged frames, and noise between them.

use crate::invariants;
use dgt_protocol::{
    Ack, Address, Answer, Battery, BusCommand, BusDecoder, BusReply, BusRequest, ClockMessage, ClockReport,
    ClockTime, Command, CommandParser, Decoder, Elapsed, EventLog, Field, LONGEST_FRAME, Leds, Lever, Mark,
    Message, Piece, Placement, Received, Record, RunControl, Segments, Side, SideTime, TurnBits, Version,
};
use proptest::{collection::vec, prelude::*, sample::select};

proptest! {
    #[test]
    fn invariants_hold_for_any_bytes(stream in vec(any::<u8>(), 0..600), chunks in chunks()) {
        invariants::hold(&stream, &chunks);
    }

    #[test]
    fn invariants_hold_for_damaged_streams(stream in damaged_stream(), chunks in chunks()) {
        invariants::hold(&stream, &chunks);
    }

    #[test]
    fn messages_go_there_and_back(message in message()) {
        let mut out = [0; LONGEST_FRAME];
        let bytes = message.encode(&mut out).unwrap();
        let mut decoder = Decoder::new();
        prop_assert_eq!(decoder.next_frame(&mut &*bytes).unwrap().message(), message);
        prop_assert_eq!((decoder.tally().noise_bytes, decoder.pending()), (0, 0));
    }

    #[test]
    fn the_next_frame_after_noise_is_seen(noise in noise(), message in message(), chunks in chunks()) {
        let mut out = [0; LONGEST_FRAME];
        let stream = [&noise, message.encode(&mut out).unwrap()].concat();
        let mut decoder = Decoder::new();
        let mut last = None;
        for mut input in cut(&stream, &chunks) {
            while let Some(frame) = decoder.next_frame(&mut input) {
                last = Some((frame.id, frame.data.to_vec()));
            }
        }
        let (id, data) = last.unwrap();
        prop_assert_eq!(Message::decode(id, &data), message);
        prop_assert_eq!(decoder.pending(), 0);
    }

    #[test]
    fn bus_replies_go_there_and_back_behind_noise(noise in noise(), address in address(), message in bus_message()) {
        let reply = BusReply { address, answer: message };
        let mut out = [0; LONGEST_FRAME];
        let stream = [&noise, reply.encode(&mut out).unwrap()].concat();
        let mut decoder = BusDecoder::new();
        let mut input = &stream[..];
        let mut last = None;
        while let Some(reply) = decoder.next_reply(&mut input) {
            last = Some(std::format!("{reply:?}"));
        }
        prop_assert_eq!(last, Some(std::format!("{reply:?}")));
    }

    #[test]
    fn one_flipped_bit_never_passes_the_bus(address in address(), message in bus_message(), at in any::<usize>(), bit in 0..8u8) {
        let mut out = [0; LONGEST_FRAME];
        let mut stream = BusReply { address, answer: message }.encode(&mut out).unwrap().to_vec();
        let at = at % stream.len();
        // A wrong length moves the position of the checksum, where a matching byte may be by chance.
        prop_assume!(at != 1 && at != 2);
        stream[at] ^= 1 << bit;
        let mut decoder = BusDecoder::new();
        prop_assert_eq!(decoder.next_reply(&mut &*stream), None);
    }

    #[test]
    fn commands_are_heard_as_they_were_said(said in vec(received(), 0..20), chunks in chunks()) {
        let stream: Vec<u8> = said.iter().flat_map(bytes_of).collect();
        let mut parser = CommandParser::new();
        let mut heard = Vec::new();
        for mut input in cut(&stream, &chunks) {
            while let Some(received) = parser.next_command(&mut input) {
                heard.push(received);
            }
        }
        prop_assert_eq!(heard, said);
        prop_assert_eq!((parser.tally().noise_bytes, parser.pending()), (0, 0));
    }

    #[test]
    fn the_next_bus_command_after_noise_is_heard(noise in noise(), command in bus_command()) {
        // Only a developer key may contain top bits, and so consume a command.
        let noise: Vec<u8> = noise.into_iter().filter(|byte| *byte != 0x63).collect();
        let stream = [&noise[..], &command.to_bytes()].concat();
        let mut parser = CommandParser::new();
        let mut input = &stream[..];
        let heard = std::iter::from_fn(|| parser.next_command(&mut input)).last();
        prop_assert_eq!(heard, Some(Received::Bus(command)));
    }

    #[test]
    fn records_go_there_and_back(records in vec(record(), 0..50)) {
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes().to_vec()).collect();
        prop_assert_eq!(EventLog(&bytes).records().collect::<Vec<_>>(), records);
    }

    #[test]
    fn a_ring_is_in_step_after_its_first_record(records in vec(classic_record(), 2..50), start in any::<usize>()) {
        let bytes: Vec<u8> = records.iter().flat_map(|record| record.to_bytes().to_vec()).collect();
        let start = start % records[0].to_bytes().len();
        let read: Vec<Record> = EventLog(&bytes[start..]).records_of_ring().collect();
        prop_assert!(read.ends_with(&records[1..]), "{:?}", read);
    }
}

fn chunks() -> impl Strategy<Value = Vec<usize>> {
    vec(1..40usize, 1..8)
}

/// Bytes with many ids, so that frames begin often.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    vec(prop_oneof![any::<u8>(), 0..0x10u8, select(IDS), Just(0x8E)], 0..80)
}

fn damaged_stream() -> impl Strategy<Value = Vec<u8>> {
    let frame = message().prop_map(|message| message.encode(&mut [0; LONGEST_FRAME]).unwrap().to_vec());
    let bus = (address(), bus_message()).prop_map(|(address, answer)| {
        BusReply { address, answer }.encode(&mut [0; LONGEST_FRAME]).unwrap().to_vec()
    });
    let said = received().prop_map(|received| bytes_of(&received));
    let log = record().prop_map(|record| record.to_bytes().to_vec());
    let damage = vec((any::<prop::sample::Index>(), any::<u8>()), 0..4);
    (vec(prop_oneof![frame, bus, said, log, noise()], 1..12), damage).prop_map(|(pieces, damage)| {
        let mut stream = pieces.concat();
        for (at, byte) in damage {
            if !stream.is_empty() {
                let at = at.index(stream.len());
                match byte % 3 {
                    0 => stream[at] = byte,
                    1 => drop(stream.remove(at)),
                    _ => stream.insert(at, byte),
                }
            }
        }
        stream
    })
}

fn message() -> impl Strategy<Value = Message<'static>> {
    prop_oneof![
        (field(), piece()).prop_map(|(field, piece)| Message::FieldUpdate { field, piece }),
        report().prop_map(Message::Clock),
        any::<[u8; 4]>().prop_map(|bytes| Message::ClockAck(Ack(bytes))),
        Just(Message::ClockZero),
        Just(Message::Idle),
        any::<[u8; 64]>().prop_map(|codes| Message::BoardDump(Placement::from_bytes(&codes))),
        address().prop_map(Message::BusAddress),
        select(&["12345", "00001", "7", "123456789", ""][..]).prop_map(Message::Serial),
        select(&["3000147740", "3.25", ""][..]).prop_map(Message::LongSerial),
        select(&["", "DGT", "DGT Projects\nVs 1.00"][..]).prop_map(Message::Trademark),
        version().prop_map(Message::Version),
        version().prop_map(Message::HardwareVersion),
        battery().prop_map(Message::Battery),
        select(UNKNOWN).prop_map(|data| Message::Unknown { id: 0xA3, data }),
        Just(Message::EventLog(EventLog(&[0x7F; EventLog::DOWNLOAD]))),
    ]
}

fn bus_message() -> impl Strategy<Value = Answer<'static>> {
    const LOG: EventLog<'_> = EventLog(&[0x40, 0x34, 0x51, 0x24]);
    prop_oneof![
        report().prop_map(|report| Answer::Message(Message::Clock(report))),
        any::<[u8; 4]>().prop_map(|bytes| Answer::Message(Message::ClockAck(Ack(bytes)))),
        any::<[u8; 64]>()
            .prop_map(|codes| Answer::Message(Message::BoardDump(Placement::from_bytes(&codes)))),
        version().prop_map(|version| Answer::Message(Message::Version(version))),
        Just(Answer::Changes(LOG)),
        Just(Answer::ChangesEven(LOG)),
        Just(Answer::FromStart(LOG)),
        Just(Answer::Pong),
        Just(Answer::StartWritten),
        Just(Answer::EarlyVersion),
        Just(Answer::Message(Message::Unknown { id: 0xB0, data: &[1, 2, 3] })),
    ]
}

fn received() -> impl Strategy<Value = Received> {
    prop_oneof![command().prop_map(Received::Command), bus_command().prop_map(Received::Bus)]
}

fn bytes_of(received: &Received) -> Vec<u8> {
    match received {
        Received::Command(command) => command.to_bytes().to_vec(),
        Received::Bus(command) => command.to_bytes().to_vec(),
        Received::Unknown(_) | Received::Refused(_) => unreachable!("never said"),
    }
}

fn command() -> impl Strategy<Value = Command> {
    let data = || 0..0x80u8;
    prop_oneof![
        any::<u8>().prop_filter_map("no command", Command::from_byte),
        any::<[u8; 6]>().prop_map(Command::DeveloperKey),
        (prop::array::uniform8(data()), data())
            .prop_map(|(text, beep)| Command::Clock(ClockMessage::Ascii { text, beep })),
        (prop::array::uniform6(data()), data(), any::<bool>()).prop_map(|(text, dots, beep)| {
            Command::Clock(ClockMessage::Display { text: Segments(text), dots, beep })
        }),
        (time(), time(), data()).prop_map(|(left, right, control)| {
            Command::Clock(ClockMessage::SetAndRun { left, right, control: RunControl(control) })
        }),
        data().prop_map(|length| Command::Clock(ClockMessage::Beep(length))),
        Just(Command::Clock(ClockMessage::Version)),
        Just(Command::Clock(ClockMessage::End)),
        Just(Command::Leds(Leds::PegasusOff)),
        (any::<bool>(), field(), field()).prop_map(|(lit, from, to)| Command::Leds(Leds::Revelation {
            lit,
            from,
            to
        })),
        (data(), vec(field(), 0..64)).prop_map(|(speed, fields)| Command::Leds(Leds::Pegasus {
            speed,
            repeat: 1,
            brightness: 2,
            fields: fields.into_iter().collect(),
        })),
    ]
}

fn bus_command() -> impl Strategy<Value = BusCommand> {
    let request = select(
        &[
            BusRequest::SendClock,
            BusRequest::SendChanges,
            BusRequest::RepeatChanges,
            BusRequest::SendAll,
            BusRequest::Other(0x92),
        ][..],
    );
    (address(), request).prop_map(|(address, request)| BusCommand { address, request })
}

fn record() -> impl Strategy<Value = Record> {
    prop_oneof![
        4 => classic_record(),
        1 => (63u32..500_000_000).prop_map(|millis| Record::Elapsed(Elapsed::from_millis(millis))),
        1 => Just(Record::Mark(Mark::Nop2)),
    ]
}

/// Records of boards that do not record elapsed time.
fn classic_record() -> impl Strategy<Value = Record> {
    prop_oneof![
        (field(), piece(), any::<bool>()).prop_map(|(field, piece, quick)| Record::Field {
            field,
            piece,
            quick
        }),
        (side(), time()).prop_map(|(side, time)| Record::Clock { side, time }),
        select(&Mark::ALL[1..]).prop_map(Record::Mark),
    ]
}

fn report() -> impl Strategy<Value = ClockReport> {
    let flags = any::<[bool; 5]>();
    (side_time(), side_time(), side(), flags).prop_filter_map("zero", |(right, left, active, flags)| {
        let [running, battery_low, turn_left, turn_right, connected] = flags;
        let turn = TurnBits { left: turn_left, right: turn_right };
        let lever = Lever::with_active(active);
        let report = ClockReport { right, left, running, lever, battery_low, connected: true, turn };
        if !connected {
            return Some(ClockReport::DISCONNECTED);
        }
        (report != ClockReport { connected: true, ..ClockReport::DISCONNECTED }).then_some(report)
    })
}

fn side_time() -> impl Strategy<Value = SideTime> {
    (time(), any::<[bool; 3]>()).prop_map(|(time, [flag_blocked, flag_shown, increment])| SideTime {
        time,
        flag_blocked,
        flag_shown,
        increment,
    })
}

fn battery() -> impl Strategy<Value = Battery> {
    let pair = || prop::option::of((0..0x7Fu8, 0..0x7Fu8));
    let standby = prop::option::of((0..0x7Fu8, 0..0x7Fu8, 0..0x7Fu8));
    (0..=100u8, pair(), pair(), standby, any::<[bool; 2]>()).prop_map(
        |(percent, remaining, on, standby, state)| {
            let [charging, discharging] = state;
            Battery { percent, remaining, on, standby, charging, discharging }
        },
    )
}

fn version() -> impl Strategy<Value = Version> {
    (0..0x80u8, 0..0x80u8).prop_map(|(major, minor)| Version { major, minor })
}

fn time() -> impl Strategy<Value = ClockTime> {
    (0..36_000u32).prop_map(ClockTime::from_seconds)
}

fn field() -> impl Strategy<Value = Field> {
    (0..64u8).prop_map(|number| Field::new(number).unwrap())
}

fn piece() -> impl Strategy<Value = Piece> {
    any::<u8>().prop_map(Piece::from_byte)
}

fn side() -> impl Strategy<Value = Side> {
    select(&[Side::Left, Side::Right][..])
}

fn address() -> impl Strategy<Value = Address> {
    (0..=16_383u16).prop_map(|number| Address::new(number).unwrap())
}

fn cut<'a>(mut stream: &'a [u8], chunks: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut sizes = chunks.iter().cycle();
    std::iter::from_fn(move || {
        let (chunk, rest) = stream.split_at_checked((*sizes.next()?).clamp(1, stream.len().max(1)))?;
        stream = rest;
        Some(chunk)
    })
}

const UNKNOWN: &[&[u8]] = &[&[], &[0x00; 20], &[0x7F; 253]];

const IDS: &[u8] =
    &[0x80, 0x83, 0x84, 0x85, 0x86, 0x87, 0x89, 0x8D, 0x8E, 0x90, 0x91, 0x93, 0xA0, 0xA2, 0x2B, 0x60];
