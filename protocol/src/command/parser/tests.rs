use super::*;
use crate::{Address, BusRequest, tests::hex};
use std::vec::Vec;

/// Hears the same in chunks of every size.
#[track_caller]
fn check(text: &str, expected: &[Received], noise: u64, broken: u64, pending: usize) {
    let bytes = hex(text);
    for chunk in 1..=bytes.len() {
        let mut parser = CommandParser::new();
        let mut heard = Vec::new();
        for mut input in bytes.chunks(chunk) {
            while let Some(received) = parser.next_command(&mut input) {
                heard.push(received);
            }
            assert!(input.is_empty());
        }
        let tally = parser.tally();
        assert_eq!(heard, expected, "in chunks of {chunk}");
        assert_eq!((tally.noise_bytes, tally.broken, parser.pending()), (noise, broken, pending));
        assert_eq!(tally.frame_bytes + noise + widen(pending), widen(bytes.len()));
    }
}

fn bus(address: u16, request: BusRequest) -> Received {
    Received::Bus(BusCommand { address: Address::new(address).unwrap(), request })
}

#[test]
fn both_families() {
    check(
        "42 83 08 01 0C 4B 87 00 00 07",
        &[
            Received::Command(Command::SendBoard),
            bus(1025, BusRequest::SendChanges),
            Received::Command(Command::SendUpdateNice),
            bus(0, BusRequest::Ping),
        ],
        0,
        0,
        0,
    );
}

#[test]
fn a_whole_app_in_one_write() {
    check(
        "40 60 02 00 00 63 07 BE F5 AE DD A9 5F 00 5A 47 42 44",
        &[
            Received::Command(Command::Reset),
            Received::Command(Command::Leds(Leds::PegasusOff)),
            Received::Command(Command::DeveloperKey([0xBE, 0xF5, 0xAE, 0xDD, 0xA9, 0x5F])),
            Received::Command(Command::SendPegasusKeyState),
            Received::Command(Command::SendTrademark),
            Received::Command(Command::SendBoard),
            Received::Command(Command::SendUpdateBoard),
        ],
        0,
        0,
        0,
    );
}

#[test]
fn unknown_bytes_are_reported_one_by_one() {
    check("4E 00 7F 2C", &[0x4E, 0x00, 0x7F, 0x2C].map(Received::Unknown), 4, 0, 0);
}

#[test]
fn a_top_bit_cuts_what_is_unfinished() {
    check(
        "2B 0C 03 0C 41 81 08 01 0A",
        &[Received::Refused(0x2B), bus(1025, BusRequest::SendClock)],
        5,
        1,
        0,
    );
    check(
        "60 81 08 81 08 01 0A",
        &[Received::Refused(0x60), Received::Refused(0x81), bus(1025, BusRequest::SendClock)],
        3,
        2,
        0,
    );
    check("63 DF 00 00 5F", &[Received::Refused(0x63), bus(0, BusRequest::Other(0xDF))], 1, 1, 0);
}

#[test]
fn a_wrong_checksum_is_refused() {
    check("83 08 01 0D 42", &[Received::Refused(0x83), Received::Command(Command::SendBoard)], 4, 1, 0);
}

#[test]
fn what_is_overdue_is_given_up() {
    check("2B 0C 03", &[], 0, 0, 3);
    let mut parser = CommandParser::new();
    assert_eq!(parser.next_command(&mut &hex("2B 0C 03")[..]), None);
    parser.discard_pending();
    parser.discard_pending();
    assert_eq!((parser.pending(), parser.tally().noise_bytes, parser.tally().broken), (0, 3, 1));
    assert_eq!(parser.next_command(&mut &[0x42][..]), Some(Received::Command(Command::SendBoard)));
}
