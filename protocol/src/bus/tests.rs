use super::*;
use crate::{ClockReport, Field, Mark, Piece, Placement, Record, tests::hex};
use std::{format, string::ToString, vec::Vec};

#[test]
fn addresses_are_serial_numbers() {
    for (serial, halves) in
        [("01025", [0x08, 0x01]), ("06685", [0x34, 0x1D]), ("12345", [0x60, 0x39]), ("16383", [0x7F, 0x7F])]
    {
        let address = Address::from_serial(serial).unwrap();
        assert_eq!((address.halves(), address.to_string().as_str()), (halves, serial));
        assert_eq!(Address::from_halves(halves[0], halves[1]), address);
        assert_eq!(Address::new(address.number()), Some(address));
    }
    assert_eq!(Address::from_serial(" 1025 "), Address::new(1025));
    assert_eq!(Address::from_serial("16384"), None);
    assert_eq!(Address::from_serial("24689"), None);
    assert_eq!(Address::from_serial("x"), None);
    assert_eq!(Address::BROADCAST.number(), 0);
}

#[test]
fn commands() {
    for (text, address, request) in [
        ("81 08 01 0A", 1025, BusRequest::SendClock),
        ("82 08 01 0B", 1025, BusRequest::SendBoard),
        ("83 08 01 0C", 1025, BusRequest::SendChanges),
        ("84 08 01 0D", 1025, BusRequest::RepeatChanges),
        ("85 08 01 0E", 1025, BusRequest::SetStartGame),
        ("86 08 01 0F", 1025, BusRequest::SendFromStart),
        ("87 08 01 10", 1025, BusRequest::Ping),
        ("89 08 01 12", 1025, BusRequest::Reset),
        ("8A 08 01 13", 1025, BusRequest::IgnoreNextPing),
        ("8B 08 01 14", 1025, BusRequest::SendVersion),
        ("8C 08 01 15", 1025, BusRequest::SendDraughts),
        ("8D 08 01 16", 1025, BusRequest::SendAll),
        ("87 00 00 07", 0, BusRequest::Ping),
        ("88 00 00 08", 0, BusRequest::EndBusMode),
        ("89 00 00 09", 0, BusRequest::Reset),
        ("83 34 1D 54", 6685, BusRequest::SendChanges),
        ("81 10 06 17", 2054, BusRequest::SendClock),
        ("92 08 01 1B", 1025, BusRequest::Other(0x92)),
    ] {
        let command = BusCommand { address: Address::new(address).unwrap(), request };
        let bytes: [u8; 4] = hex(text).try_into().unwrap();
        assert_eq!(command.to_bytes(), bytes, "{text}");
        assert_eq!(BusCommand::decode(bytes), Some(command));
        for broken in 0..4 {
            let mut bytes = bytes;
            bytes[broken] ^= 0x04;
            assert_eq!(BusCommand::decode(bytes), None);
            bytes[broken] ^= 0x84;
            assert_eq!(BusCommand::decode(bytes), None);
        }
    }
}

/// The bytes are this reply, both ways.
#[track_caller]
fn check(text: &str, address: u16, answer: Answer<'_>) {
    let bytes = hex(text);
    let reply = BusReply { address: Address::new(address).unwrap(), answer };
    assert_eq!(BusDecoder::new().next_reply(&mut &bytes[..]), Some(reply));
    assert_eq!(reply.encode(&mut [0; 200]).unwrap(), bytes);
}

#[test]
fn replies() {
    let version = Message::Version(Version { major: 1, minor: 2 });
    check("87 00 06 08 01 16", 1025, Answer::Pong);
    check("88 00 06 08 01 17", 1025, Answer::StartWritten);
    check("89 00 08 08 01 01 02 1D", 1025, Answer::Message(version));
    check("89 00 06 08 01 18", 1025, Answer::EarlyVersion);
    check("85 00 06 08 01 14", 1025, Answer::Changes(EventLog(&[])));
    check("85 00 0A 08 01 40 34 51 24 01", 1025, Answer::Changes(EventLog(&[0x40, 0x34, 0x51, 0x24])));
    check("85 00 06 06 50 61", 848, Answer::Changes(EventLog(&[])));
    check("85 00 0A 06 50 18 0C 40 30 79", 848, Answer::Changes(EventLog(&[0x18, 0x0C, 0x40, 0x30])));
    check("8B 00 06 08 01 1A", 1025, Answer::ChangesEven(EventLog(&[])));
    check("86 00 07 08 01 7B 11", 1025, Answer::FromStart(EventLog(&[0x7B])));
    check(
        &format!("83 00 46 08 01 {} 7C", "08 09 0A 0C 0B 0A 09 08 07*8 00*32 01*8 02 03 04 06 05 04 03 02"),
        1025,
        Answer::Message(Message::BoardDump(Placement::start())),
    );
    check("84 00 0D 08 01 00*7 1A", 1025, Answer::Message(Message::ClockZero));
    check("84 00 0D 08 01 00*6 20 3A", 1025, Answer::Message(Message::Clock(ClockReport::DISCONNECTED)));
    let dark = Message::DraughtsDump { squares: DraughtsSquares::Dark, codes: &[1; 50] };
    check("8A 00 38 08 01 01*50 7D", 1025, Answer::Message(dark));
    let unknown = Message::Unknown { id: 0xB0, data: &[0x31, 0x32] };
    check("B0 00 08 08 01 31 32 24", 1025, Answer::Message(unknown));
    let malformed = Message::Malformed { id: 0x84, data: &[0, 0x6F, 0, 0, 0, 0, 1], flaw: Flaw::Time };
    check("84 00 0D 08 01 00 6F 00*4 01 0A", 1025, Answer::Message(malformed));
}

#[test]
fn clock_reply_reads_as_in_single_mode() {
    let bytes = hex("84 00 0D 08 01 20 03 02 20 03 01 09 6C");
    let mut decoder = BusDecoder::new();
    let reply = decoder.next_reply(&mut &bytes[..]).unwrap();
    let Answer::Message(Message::Clock(report)) = reply.answer else { panic!("{reply:?}") };
    assert_eq!((report.left.seconds(), report.right.seconds(), report.running), (181, 182, true));
    assert_eq!(reply.encode(&mut [0; 20]).unwrap(), bytes);
}

#[test]
fn changes_hold_records() {
    let bytes = hex("85 00 0A 08 01 40 34 51 24 01");
    let mut decoder = BusDecoder::new();
    let reply = decoder.next_reply(&mut &bytes[..]).unwrap();
    let Answer::Changes(log) = reply.answer else { panic!("{reply:?}") };
    let field = |number| Field::new(number).unwrap();
    assert_eq!(
        log.records().collect::<Vec<_>>(),
        [
            Record::Field { field: field(0x34), piece: Piece::Empty, quick: false },
            Record::Field { field: field(0x24), piece: Piece::WhitePawn, quick: true },
        ],
    );
}

#[test]
fn a_whole_log_fits_into_one_reply() {
    let log = [Mark::Nop.to_byte(); EventLog::DOWNLOAD];
    let reply = BusReply { address: Address::BROADCAST, answer: Answer::FromStart(EventLog(&log)) };
    let mut out = [0; crate::LONGEST_FRAME];
    let bytes = reply.encode(&mut out).unwrap();
    assert_eq!(bytes.len(), crate::LONGEST_FRAME);
    let mut decoder = BusDecoder::new();
    let (start, mut end) = bytes.split_at(1000);
    assert_eq!(decoder.next_reply(&mut &*start), None);
    assert_eq!(decoder.next_reply(&mut end), Some(reply));
}

#[test]
fn a_wrong_checksum_is_counted_and_dropped() {
    let bytes = hex("01 87 00 06 08 01 17 88 00 06 08 01 17 84 00 06 08 01 13 87 00");
    for chunk in 1..=bytes.len() {
        let mut decoder = BusDecoder::new();
        let mut answers = Vec::new();
        for mut input in bytes.chunks(chunk) {
            while let Some(reply) = decoder.next_reply(&mut input) {
                answers.push(reply.encode(&mut [0; 20]).unwrap().to_vec());
            }
        }
        assert_eq!(answers, [hex("88 00 06 08 01 17")]);
        let tally = Tally { frames: 1, frame_bytes: 6, noise_bytes: 13, broken: 2 };
        assert_eq!((decoder.tally(), decoder.pending()), (tally, 2));
        decoder.discard_pending();
        assert_eq!((decoder.tally().broken, decoder.pending()), (3, 0));
        decoder.reset();
        assert_eq!(decoder.tally().noise_bytes, 15);
    }
}

#[test]
fn what_the_bus_does_not_know_is_refused() {
    let refuse = |message, error| {
        let reply = BusReply { address: Address::BROADCAST, answer: Answer::Message(message) };
        assert_eq!(reply.encode(&mut [0; 20]), Err(error));
    };
    refuse(Message::Serial("12345"), EncodeError::NotOnBus);
    refuse(Message::Idle, EncodeError::NotOnBus);
    refuse(Message::BoardDump(Placement::EMPTY), EncodeError::NoRoom);
    refuse(Message::Unknown { id: 0xB0, data: &[0x80] }, EncodeError::OutOfRange);
}

#[test]
fn each_kind_has_its_lengths() {
    let lengths =
        |id| (3..=crate::LONGEST_FRAME).filter(|length| Bus::accepts(id, *length)).collect::<Vec<_>>();
    for (id, expected) in [
        (id::BOARD, [70, 106].into()),
        (id::CLOCK, [13].into()),
        (id::CHANGES, (6..=7942).collect()),
        (id::CHANGES_EVEN, (6..=7942).collect()),
        (id::FROM_START, (6..=7942).collect()),
        (id::PONG, [6].into()),
        (id::START_WRITTEN, [6].into()),
        (id::VERSION, [6, 8].into()),
        (id::DRAUGHTS, [56].into()),
        (0xB0, (6..=256).collect::<Vec<_>>()),
    ] {
        assert_eq!(lengths(id), expected, "{id:02X}");
    }
}
