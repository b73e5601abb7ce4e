use std::sync::Arc;

use dgt_protocol::{Address, Answer, BusCommand, BusDecoder, BusRequest};

use super::*;
use crate::{
    clock::Speed,
    games,
    hall::{HallOptions, table},
    people::{Handling, Thinking},
    wire::Faults,
};

fn line(boards: usize) -> BusLine {
    let options = Arc::new(HallOptions {
        first_serial: 1025,
        first_address: None,
        boards,
        games: games::famous(),
        incidents: Vec::new(),
        ruling: None,
        handling: Handling::plain(),
        thinking: Thinking::About(1.0),
        time_control: "3+2".parse().expect("a control"),
        flag_control: None,
        control: jadoube_core::laws::Control::Blitz,
        speed: Speed::REAL,
        faults: Faults::NONE,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: true,
        seed: 1,
    });
    BusLine::new((0..boards).map(|number| table(&options, number)).collect())
}

/// Sends commands and gathers what is said in the next seconds: whole replies, and bytes that are none.
fn ask(line: &mut BusLine, at: Timestamp, commands: &[BusCommand], seconds: u64) -> (Vec<u16>, u64) {
    for command in commands {
        line.handle_command_bytes(&command.to_bytes(), at);
    }
    let end = at + Duration::from_secs(seconds);
    let mut decoder = BusDecoder::new();
    let mut from = Vec::new();
    while let Some(now) = line.poll_timeout().filter(|now| *now <= end) {
        line.handle_timeout(now);
        while let Some(bytes) = line.poll_output(now) {
            let mut input = &bytes[..];
            while let Some(reply) = decoder.next_reply(&mut input) {
                assert!(!matches!(reply.answer, Answer::Message(dgt_protocol::Message::Malformed { .. })));
                from.push(reply.address.number());
            }
        }
    }
    (from, decoder.tally().noise_bytes)
}

fn to(address: Address, request: BusRequest) -> BusCommand {
    BusCommand { address, request }
}

#[test]
fn only_the_board_that_is_meant_answers() {
    let mut line = line(10);
    for number in [1025, 1029, 1034] {
        let address = Address::new(number).expect("an address");
        let at = Timestamp::from_micros(u64::from(number) * 1_000_000);
        line.handle_timeout(at);
        assert_eq!(ask(&mut line, at, &[to(address, BusRequest::SendBoard)], 1), (vec![number], 0));
    }
}

#[test]
fn who_speaks_at_the_same_time_is_not_understood() {
    let mut line = line(100);
    let ping = to(Address::BROADCAST, BusRequest::Ping);
    let (heard, noise) = ask(&mut line, Timestamp::ZERO, &[ping], 3);
    // A hundred answers of six milliseconds each in little more than a second.
    assert!((20..80).contains(&heard.len()), "{} heard", heard.len());
    assert!(noise > 100, "{noise} bytes of noise");
}

#[test]
fn collisions_join_the_bytes() {
    let at = |bytes: u32| Timestamp::ZERO + BYTE * bytes;
    let one = Transmission { from: at(10), to: at(13), bytes: vec![0x80, 0x01, 0x02] };
    let other = Transmission { from: at(11), to: at(14), bytes: vec![0x40, 0x04, 0x08] };
    let both = collide(&one, &other);
    assert_eq!(both.bytes, [0x80, 0x41, 0x06, 0x08]);
    assert_eq!((both.from, both.to), (at(10), at(14)));
}
