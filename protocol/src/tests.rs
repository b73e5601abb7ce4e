//! A session between a host and a board, and the helper that reads bytes from text.

use std::{format, string::String, vec, vec::Vec};

use crate::*;

/// Reads `8E 00 05`, also with counts as in `07*8`.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace()
        .flat_map(|word| {
            let (byte, count) = word.split_once('*').unwrap_or((word, "1"));
            vec![u8::from_str_radix(byte, 16).unwrap(); count.parse().unwrap()]
        })
        .collect()
}

/// The first seconds of a game (protocol section 8): sender, bytes, meaning.
const SESSION: &str = "
    host  | 40                                  | Reset
    host  | 4D                                  | SendVersion
    board | 93 00 05 01 08                      | version 1.08
    host  | 45                                  | SendSerial
    board | 91 00 08 31 32 33 34 35             | serial 12345
    host  | 46                                  | SendBusAddress
    board | 90 00 05 60 39                      | address 12345
    host  | 42                                  | SendBoard
    board | 86 00 43 08 09 0A 0C 0B 0A 09 08 07*8 00*32 01*8 02 03 04 06 05 04 03 02 \
                                                | rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR
    host  | 41                                  | SendClock
    host  | 4B                                  | SendUpdateNice
    board | 8D 00 0A 20 03 02 20 03 02 08       | left 182 right 182, Left stopped
    board | 8D 00 0A 20 03 02 20 03 02 09       | left 182 right 182, Left running
    board | 8E 00 05 34 00                      | e2 empty
    board | 8E 00 05 24 01                      | e4 P
    board | 8D 00 0A 20 03 02 20 03 01 09       | left 181 right 182, Left running
    board | 8D 00 0A 20 03 02 20 03 00 09       | left 180 right 182, Left running
    board | 8D 00 0A 20 03 02 20 02 59 09       | left 179 right 182, Left running
    board | 8D 00 0A 20 03 02 20 03 01 13       | left 181 right 182, Right running";

#[test]
fn golden_session() {
    let mut decoder = Decoder::new();
    let mut parser = CommandParser::new();
    for line in SESSION.lines().filter(|line| !line.trim().is_empty()) {
        let [who, bytes, meaning] = line.splitn(3, '|').map(str::trim).collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let bytes = hex(bytes);
        let mut input = &bytes[..];
        let reported = if who == "host" {
            format!("{:?}", parser.next_command(&mut input).unwrap())
        } else {
            let message = decoder.next_frame(&mut input).unwrap().message();
            assert_eq!(message.encode(&mut [0; 100]).unwrap(), bytes, "{line}");
            report(message)
        };
        let expected = if who == "host" { format!("Command({meaning})") } else { meaning.into() };
        assert_eq!(reported, expected);
        assert!(input.is_empty(), "{line}");
    }
    assert_eq!((decoder.tally().frames, decoder.tally().noise_bytes, decoder.pending()), (12, 0, 0));
    assert_eq!((parser.tally().frames, parser.tally().noise_bytes, parser.pending()), (7, 0, 0));
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the session has no others")]
fn report(message: Message<'_>) -> String {
    match message {
        Message::Version(version) => format!("version {version}"),
        Message::Serial(serial) => format!("serial {serial}"),
        Message::BusAddress(address) => format!("address {address}"),
        Message::BoardDump(placement) => format!("{placement}"),
        Message::FieldUpdate { field, piece } => match piece.letter() {
            Some(letter) => format!("{field} {letter}"),
            None => format!("{field} empty"),
        },
        Message::Clock(report) => {
            let (left, right) = (report.left.seconds(), report.right.seconds());
            let state = if report.running { "running" } else { "stopped" };
            format!("left {left} right {right}, {:?} {state}", report.lever.active())
        }
        _ => panic!("not in this session: {message:?}"),
    }
}
