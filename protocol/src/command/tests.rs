use super::*;
use crate::{ClockTime, Field, tests::hex};
use std::vec::Vec;

/// The command is sent as these bytes, and heard as this command.
#[track_caller]
fn check(text: &str, command: Command) {
    assert_eq!(command.to_bytes()[..], hex(text));
    check_heard(text, Some(command));
}

/// The bytes are heard as this command, or refused.
#[track_caller]
fn check_heard(text: &str, command: Option<Command>) {
    let bytes = hex(text);
    let received = CommandParser::new().next_command(&mut &bytes[..]);
    assert_eq!(received, Some(command.map_or(Received::Refused(bytes[0]), Received::Command)), "{text}");
}

#[test]
fn single_bytes() {
    for (text, command) in [
        ("40", Command::Reset),
        ("41", Command::SendClock),
        ("42", Command::SendBoard),
        ("43", Command::SendUpdate),
        ("44", Command::SendUpdateBoard),
        ("45", Command::SendSerial),
        ("46", Command::SendBusAddress),
        ("47", Command::SendTrademark),
        ("48", Command::SendHardwareVersion),
        ("49", Command::SendEventLog),
        ("4A", Command::ToBusMode),
        ("4B", Command::SendUpdateNice),
        ("4C", Command::SendBattery),
        ("4D", Command::SendVersion),
        ("50", Command::SendDraughtsDark),
        ("51", Command::ScanDraughtsDark),
        ("52", Command::SendDraughtsLight),
        ("53", Command::ScanDraughtsLight),
        ("54", Command::ScanDraughtsAll),
        ("55", Command::SendLongSerial),
        ("56", Command::SendI2cClock),
        ("57", Command::SendI2cUpdate57),
        ("58", Command::SendI2cUpdate58),
        ("59", Command::SendPegasusLock),
        ("5A", Command::SendPegasusKeyState),
    ] {
        check(text, command);
    }
}

#[test]
fn the_bootloader_cannot_be_started() {
    assert_eq!(Command::from_byte(0x4E), None);
    let all: Vec<Command> = (0..=u8::MAX).filter_map(Command::from_byte).collect();
    assert_eq!(all.len(), 25);
    for command in all {
        assert_ne!(command.to_bytes()[0], 0x4E);
        assert_eq!(Command::from_byte(command.to_bytes()[0]), Some(command));
    }
}

#[test]
fn clock_messages() {
    let clock = |message| Command::Clock(message);
    let five = ClockTime { minutes: 5, ..ClockTime::ZERO };
    let run = |control| clock(ClockMessage::SetAndRun { left: five, right: five, control });
    let text = Segments::from_text("e2  e4");
    check("2B 03 03 09 00", clock(ClockMessage::Version));
    check("2B 03 03 03 00", clock(ClockMessage::End));
    check("2B 03 03 08 00", clock(ClockMessage::Button));
    check("2B 0C 03 0C 20 20 65 32 65 34 20 20 01 00", clock(ClockMessage::ascii("  e2e4  ", 1)));
    check("2B 0F 03 0D 65 32 65 34 20 20 20 20 20 20 20 00 00", clock(ClockMessage::long_ascii("e2e4", 0)));
    check(
        "2B 0B 03 01 00 5B 7B 66 7B 00 00 01 00",
        clock(ClockMessage::Display { text, dots: 0, beep: false }),
    );
    check(
        "2B 0B 03 01 00 5B 7B 66 7B 00 24 03 00",
        clock(ClockMessage::Display { text, dots: 0x24, beep: true }),
    );
    check("2B 0A 03 0A 00 05 00 00 05 00 01 00", run(RunControl::LEFT));
    check("2B 0A 03 0A 00 05 00 00 05 00 04 00", run(RunControl::PAUSE));
    check("2B 0A 03 0A 00 05 00 00 05 00 0A 00", run(RunControl::RIGHT.and(RunControl::LEVER)));
    check("2B 04 03 0B 10 00", clock(ClockMessage::Beep(16)));
    let icons = Icons { left: 0x01, right: 0x02, left_periods: 0x21, right_periods: 0x02, special: 0x40 };
    check("2B 0B 03 02 01 02 21 02 40 00 00 00 00", clock(ClockMessage::Icons(icons)));
}

#[test]
fn clock_messages_of_other_hosts() {
    let text = Segments::from_text("e2  e4");
    let display = Command::Clock(ClockMessage::Display { text, dots: 0, beep: false });
    check_heard("2B 0B 03 01 00 5B 7B 66 7B 00 00 00 00", Some(display));
    check_heard("2B 0A 03 01 00 5B 7B 66 7B 00 00 01", Some(display));
    for refused in [
        "2B 00",
        "2B 01 03",
        "2B 02 03 00",
        "2B 03 04 09 00",
        "2B 03 03 0E 00",
        "2B 0C 03 01 00 5B 7B 66 7B 00 00 01 00 00",
        "2B 0A 03 0A 0A 05 00 00 05 00 01 00",
        "2B 0A 03 0A 00 3C 00 00 05 00 01 00",
    ] {
        check_heard(refused, None);
    }
}

#[test]
fn texts_are_cut_filled_and_kept_on_the_line() {
    let text = |text| {
        let ClockMessage::Ascii { text, .. } = ClockMessage::ascii(text, 0) else {
            panic!("another message")
        };
        text
    };
    assert_eq!(text("Zürich\n 12"), *b"Z rich  ");
    assert_eq!(text(""), *b"        ");
    for command in [
        Command::Clock(ClockMessage::Ascii { text: [0xFF; 8], beep: 0xFF }),
        Command::Clock(ClockMessage::Display { text: Segments([0xFF; 6]), dots: 0xFF, beep: true }),
        Command::Clock(ClockMessage::Beep(0xFF)),
    ] {
        assert!(command.to_bytes().iter().all(|byte| *byte < 0x80), "{command:?}");
    }
}

#[test]
fn segments() {
    for (text, expected) in [
        ("012345", "3F 06 5B 4F 66 6D"),
        ("6789ab", "7D 07 7F 6F 5F 7C"),
        ("cdefgh", "58 5E 7B 71 3D 74"),
        ("ijklmn", "10 1E 75 38 55 54"),
        ("opqrst", "5C 73 67 50 6D 78"),
        ("uvwxyz", "3E 2A 7E 64 6E 5B"),
        ("-_=?@/", "40 08 48 53 65 52"),
        ("\\|! é", "64 36 00 00 00 00"),
        ("KQ", "75 67 00 00 00 00"),
    ] {
        assert_eq!(Segments::from_text(text).0[..], hex(expected), "{text}");
    }
}

#[test]
fn leds() {
    let field = |number| Field::new(number).unwrap();
    let (e2, e4) = (field(0x34), field(0x24));
    let blink = |fields: &[Field]| Leds::Pegasus {
        speed: 3,
        repeat: 1,
        brightness: 2,
        fields: fields.iter().copied().collect(),
    };
    for (text, leds) in [
        ("60 04 01 34 24 00", Leds::Revelation { lit: true, from: e2, to: e4 }),
        ("60 04 00 34 24 00", Leds::Revelation { lit: false, from: e2, to: e4 }),
        ("60 04 00 40 40 00", Leds::RevelationOff),
        ("60 04 02 01 00 00", Leds::RevelationAutoOff(false)),
        ("60 04 02 02 01 00", Leds::RevelationAutoReverse(true)),
        ("60 07 05 03 01 02 34 24 00", blink(&[e2, e4])),
        ("60 05 05 03 01 02 00", blink(&[])),
        ("60 02 00 00", Leds::PegasusOff),
    ] {
        check(text, Command::Leds(leds));
    }
    let all: Vec<Field> = Field::all().collect();
    let bytes = Command::Leds(blink(&all)).to_bytes();
    assert_eq!((bytes.len(), bytes[1], bytes.last()), (Command::LONGEST, 69, Some(&0)), "all of them fit");
    for refused in [
        "60 00",
        "60 04 03 34 24 00",
        "60 04 01 40 24 00",
        "60 06 05 03 01 02 40 00",
        "60 46 05 03 01 02 00*66",
    ] {
        check_heard(refused, None);
    }
}

#[test]
fn developer_key_may_have_top_bits() {
    check("63 07 BE F5 AE DD A9 5F 00", Command::DeveloperKey([0xBE, 0xF5, 0xAE, 0xDD, 0xA9, 0x5F]));
    check_heard("63 03 BE F5 00", None);
    check_heard("63 07 01 02 03 04 05 06 07", None);
}
