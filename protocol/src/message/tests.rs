use super::*;
use crate::{ClockTime, Frame, Lever, SideTime, TurnBits, tests::hex};
use std::vec::Vec;

/// The frame means the message, and the message is laid down as the frame.
#[track_caller]
fn check(text: &str, message: Message<'_>) {
    check_decode(text, message);
    assert_eq!(message.encode(&mut [0; 8000]).unwrap(), hex(text));
}

/// The frame means the message, which is usually sent in another form.
#[track_caller]
fn check_decode(text: &str, message: Message<'_>) {
    let bytes = hex(text);
    let (header, data) = bytes.split_at(3);
    assert_eq!(usize::from(header[1]) * 128 + usize::from(header[2]), bytes.len(), "a slip in the test");
    assert_eq!(Frame { id: header[0], data }.message(), message);
    let mut out = [0; 8000];
    let again = message.encode(&mut out).unwrap();
    assert_eq!(Message::decode(again[0], &again[3..]), message, "lost on the way back");
}

#[test]
fn board() {
    let field = |number| Field::new(number).unwrap();
    check("8E 00 05 34 00", Message::FieldUpdate { field: field(0x34), piece: Piece::Empty });
    check("8E 00 05 24 01", Message::FieldUpdate { field: field(0x24), piece: Piece::WhitePawn });
    check("8E 00 05 12 04", Message::FieldUpdate { field: field(0x12), piece: Piece::WhiteBishop });
    check_decode("8E 00 05 24 11", Message::FieldUpdate { field: field(0x24), piece: Piece::WhitePawn });
    check(
        "86 00 43 08 09 0A 0C 0B 0A 09 08 07*8 00*32 01*8 02 03 04 06 05 04 03 02",
        Message::BoardDump(Placement::start()),
    );
    check(
        "86 00 43 02 03 04 05 06 04 03 02 01*8 00*32 07*8 08 09 0A 0B 0C 0A 09 08",
        Message::BoardDump(Placement::start().rotated()),
    );
    check("86 00 67 04*100", Message::BoardDump100(&[4; 100]));
    check("94 00 35 01*50", Message::DraughtsDump { squares: DraughtsSquares::Dark, codes: &[1; 50] });
    check("95 00 35 0A*50", Message::DraughtsDump { squares: DraughtsSquares::Light, codes: &[10; 50] });
}

#[test]
fn clock() {
    let side = |hours, minutes, seconds, increment| SideTime {
        time: ClockTime { hours, minutes, seconds },
        increment,
        ..SideTime::default()
    };
    check(
        "8D 00 0A 20 03 03 20 03 01 13",
        Message::Clock(ClockReport {
            right: side(0, 3, 3, true),
            left: side(0, 3, 1, true),
            running: true,
            lever: Lever::RightUp,
            battery_low: false,
            connected: true,
            turn: TurnBits { left: false, right: true },
        }),
    );
    check("8D 00 0A 00 00 00 00 00 00 20", Message::Clock(ClockReport::DISCONNECTED));
    check("8D 00 0A 00 00 00 00 00 00 00", Message::ClockZero);
    check_decode("8D 00 0A 00 00 00 00 00 00 40", Message::ClockZero);
    check("8D 00 0A 0A 10 01 2A 00 00 00", Message::ClockAck(Ack::ready()));
    check_decode("8D 00 0A 00 10 01 2A 00 00 20", Message::ClockAck(Ack::ready()));
}

#[test]
fn identity() {
    check("91 00 08 31 32 33 34 35", Message::Serial("12345"));
    check_decode("91 00 0C 30 30 31 33 37 20 31 2E 30", Message::Serial("00137"));
    check_decode("91 00 0C 33 00 00 0A 30 20 31 2E 30", Message::Serial("3"));
    check("A2 00 0D 33 30 30 30 31 34 37 37 34 30", Message::LongSerial("3000147740"));
    check("A2 00 0D 33 2E 32 35 20*6", Message::LongSerial("3.25"));
    check("90 00 05 08 01", Message::BusAddress(Address::new(1025).unwrap()));
    check("90 00 05 34 1D", Message::BusAddress(Address::new(6685).unwrap()));
    check("93 00 05 01 02", Message::Version(Version { major: 1, minor: 2 }));
    check("96 00 05 02 00", Message::HardwareVersion(Version { major: 2, minor: 0 }));
    check("92 00 0A 44 47 54 0A 31 2E 30", Message::Trademark("DGT\n1.0"));
    check_decode("92 00 09 20 44 47 54 0A 00", Message::Trademark("DGT"));
    check("92 01 08 61*133", Message::Trademark(core::str::from_utf8(&[b'a'; 133]).unwrap()));
    check("80 00 03", Message::Idle);
    check_decode("80 00 04 01", Message::Idle);
    check("A3 00 05 01 02", Message::Unknown { id: 0xA3, data: &[1, 2] });
}

#[test]
fn versions_do_not_get_mixed_up() {
    let print = |minor| std::format!("{}", Version { major: 3, minor });
    assert_eq!((print(1).as_str(), print(10).as_str()), ("3.01", "3.10"));
}

#[test]
fn battery() {
    let full = Battery {
        percent: 100,
        remaining: None,
        on: Some((0, 0)),
        standby: Some((0, 0, 0)),
        charging: false,
        discharging: false,
    };
    check("A0 00 0C 64 7F 7F 00 00 00 00 00 00", Message::Battery(full));
    check(
        "A0 00 0C 58 00 00 00 00 00 00 00 02",
        Message::Battery(Battery { percent: 88, remaining: Some((0, 0)), discharging: true, ..full }),
    );
    check(
        "A0 00 0C 58 01 1E 02 05 03 04 06 01",
        Message::Battery(Battery {
            percent: 88,
            remaining: Some((1, 30)),
            on: Some((2, 5)),
            standby: Some((3, 4, 6)),
            charging: true,
            discharging: false,
        }),
    );
    let short = Battery { percent: 88, remaining: Some((1, 30)), on: None, standby: None, ..full };
    check_decode("A0 00 07 58 01 1E 02", Message::Battery(short));
    check_decode("A0 00 08 58 01 1E 02 05", Message::Battery(Battery { on: Some((2, 5)), ..short }));
}

#[test]
fn damaged_content_is_named() {
    for (text, flaw) in [
        ("8E 00 05 40 00", Flaw::Field),
        ("8E 00 05 7F 01", Flaw::Field),
        ("8D 00 0A 20 63 00 20 03 00 09", Flaw::Time),
        ("8D 00 0A 20 03 00 20 4F 00 09", Flaw::Time),
        ("A0 00 0C 65 7F 7F 00 00 00 00 00 00", Flaw::Percent),
        ("8E 00 04 10", Flaw::Length),
        ("8D 00 05 10 00", Flaw::Length),
        ("86 00 05 10 00", Flaw::Length),
        ("94 00 05 10 00", Flaw::Length),
        ("93 00 06 01 02 03", Flaw::Length),
        ("8F 00 05 10 00", Flaw::Length),
    ] {
        let bytes = hex(text);
        let (id, data) = (bytes[0], &bytes[3..]);
        check(text, Message::Malformed { id, data, flaw });
    }
    let data = &[0x34, 0x80];
    assert_eq!(Message::decode(0x8E, data), Message::Malformed { id: 0x8E, data, flaw: Flaw::TopBit });
}

#[test]
fn event_log_is_sent_whole_or_not_at_all() {
    let log: Vec<u8> = [0x7F; EventLog::DOWNLOAD].into();
    let mut out = [0; 8000];
    let frame = Message::EventLog(EventLog(&log)).encode(&mut out).unwrap();
    assert_eq!((frame.len(), &frame[..3]), (7939, &hex("8F 3E 03")[..]));
    assert_eq!(Message::decode(frame[0], &frame[3..]), Message::EventLog(EventLog(&log)));
    assert_eq!(Message::EventLog(EventLog(&log[1..])).encode(&mut out), Err(EncodeError::OutOfRange));
}

#[test]
fn what_does_not_fit_is_refused() {
    let clock = |hours| {
        let right = SideTime { time: ClockTime { hours, ..ClockTime::ZERO }, ..SideTime::default() };
        Message::Clock(ClockReport { right, connected: true, ..ClockReport::DISCONNECTED })
    };
    let long = std::string::String::from_utf8([b'a'; 0x4000].into()).unwrap();
    for message in [
        clock(10),
        Message::Serial("1234567890"),
        Message::LongSerial("12345678901"),
        Message::Trademark("Zürich"),
        Message::Trademark(&long),
        Message::Unknown { id: 0x23, data: &[] },
        Message::Unknown { id: 0xA3, data: &[0x80] },
        Message::Version(Version { major: 200, minor: 0 }),
    ] {
        assert_eq!(message.encode(&mut std::vec![0; 0x5000]), Err(EncodeError::OutOfRange), "{message:?}");
    }
    for room in 0..10 {
        assert_eq!(clock(9).encode(&mut [0; 10][..room]), Err(EncodeError::NoRoom));
    }
}
