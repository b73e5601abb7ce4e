use std::sync::Arc;

use dgt_protocol::{Address, Answer, BusReply, LONGEST_FRAME};

use super::*;
use crate::{code::Code, event::EventKind};

const PORT: &str = "/dev/ttyACM0";
const SERIAL: &[u8] = &[0x91, 0x00, 0x08, b'2', b'3', b'9', b'4', b'6'];
const VERSION: &[u8] = &[0x93, 0x00, 0x05, 0x01, 0x08];

/// A dump of a board without pieces.
fn dump() -> Vec<u8> {
    [[0x86, 0x00, 0x43].as_slice(), &[0; 64]].concat()
}

fn at(second: u64) -> Timestamp {
    Timestamp::from_micros(second * 1_000_000)
}

/// Tells whether the line has been called noisy by now.
fn is_noisy(line: &mut Line) -> bool {
    let mut noisy = false;
    while let Some(output) = line.poll_output() {
        if let Output::Event(event) = output {
            noisy |= matches!(&event.kind, EventKind::Alert(alert) if alert.code == Code::LineNoise);
        }
    }
    noisy
}

/// A line that has just come up, on which a board is known.
fn line() -> Line {
    let mut line = Line::new(Arc::default(), PORT, 1);
    line.handle_link(Link::Up(PORT), at(0));
    line.handle_bytes(&[SERIAL, VERSION, &dump()].concat(), at(1));
    assert!(!is_noisy(&mut line));
    line
}

#[test]
fn the_rest_of_a_log_that_was_asked_for_before_a_restart_is_no_noise() {
    let mut line = line();
    // A capture of a daemon that was killed: the next one opens the port while the board still sends its log.
    line.handle_bytes(&[[0x8F, 0x3E, 0x03].as_slice(), &[0x40; 100]].concat(), at(9));
    line.handle_link(Link::Up(PORT), at(10));
    for second in 11..15 {
        line.handle_bytes(&[0x40; 1900], at(second));
        assert!(!is_noisy(&mut line));
    }
    line.handle_bytes(&[SERIAL, VERSION, &dump()].concat(), at(15));
    assert!(!is_noisy(&mut line));
    line.handle_bytes(&[0x40; 12], at(16));
    assert!(is_noisy(&mut line), "what follows a message belongs to none");
}

#[test]
fn what_is_longer_than_any_message_is_noise() {
    let mut line = line();
    line.handle_link(Link::Down("pulled"), at(10));
    line.handle_link(Link::Up(PORT), at(11));
    line.handle_bytes(&[0x40; 7942], at(12));
    assert!(!is_noisy(&mut line));
    line.handle_bytes(&[0x40; 12], at(13));
    assert!(is_noisy(&mut line));
}

#[test]
fn a_dump_that_a_cable_has_cut_is_no_noise() {
    for pulled in [true, false] {
        let mut line = line();
        line.handle_bytes(dump().get(..40).unwrap(), at(10));
        if pulled {
            line.handle_link(Link::Down("pulled"), at(10));
        }
        line.handle_link(Link::Up(PORT), at(11));
        line.handle_bytes(&[SERIAL, VERSION, &dump()].concat(), at(12));
        assert!(!is_noisy(&mut line), "pulled: {pulled}");
    }
}

#[test]
fn the_rest_of_an_answer_on_a_bus_is_blamed_on_nobody_who_speaks_meanwhile() {
    let mut line = Line::on_bus(Arc::default(), PORT, 1, &["01025".to_owned(), "01026".to_owned()]);
    line.handle_link(Link::Up(PORT), at(10));
    let other = Address::from_serial("01025").unwrap();
    let mut frame = [0; LONGEST_FRAME];
    let pong = BusReply { address: other, answer: Answer::Pong }.encode(&mut frame).unwrap();
    // One board still tells what it was asked by a daemon that was killed; the other one speaks when it is asked.
    let (mut now, mut asked) = (at(10), 0);
    for _ in 0..100 {
        now = now + Duration::from_millis(62);
        line.handle_bytes(&[0x40; 60], now);
        while let Some(output) = line.poll_output() {
            match output {
                Output::Send(command) => {
                    asked += 1;
                    line.handle_sent(&command, now);
                    let command = BusCommand::decode(command.try_into().unwrap());
                    if command.is_some_and(|command| command.address == other) {
                        line.handle_bytes(pong, now);
                    }
                }
                Output::Event(event) => {
                    let noisy =
                        matches!(&event.kind, EventKind::Alert(alert) if alert.code == Code::LineNoise);
                    assert!(!noisy, "{event:?}");
                }
                Output::Question(_) => {}
            }
        }
    }
    assert_eq!(asked, 0, "a question while another board speaks is answered into its words");
    line.handle_timeout(now + Duration::from_millis(200));
    assert!(matches!(line.poll_output(), Some(Output::Send(_))), "the line is free");
}
