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

/// Lets time pass until an instant; the line may not want to be woken without end.
fn pass(line: &mut Line, until: Timestamp) {
    let mut woken = 0;
    while let Some((due, why)) = line.poll_timeout().filter(|(due, _)| *due <= until) {
        line.handle_timeout(due);
        while line.poll_output().is_some() {}
        woken += 1;
        assert!(woken < 400, "at {due} again and again: {why}");
    }
}

/// A fuzzer has found this: men move that cannot, and the clock shows a time that is none and falls silent. A search without a
/// press had the evidence before it judged again, after which the same moves were searched for again, without end and in one call.
#[test]
fn the_same_evidence_without_a_clock_is_searched_once() {
    #[rustfmt::skip]
    const POSITION: [u8; 64] = [
        8, 9, 10, 12, 11, 10, 9, 8,
        7, 7, 7, 7, 7, 7, 7, 7,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 16, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0,
        1, 1, 1, 1, 1, 1, 1, 1,
        2, 3, 4, 6, 5, 4, 3, 2,
    ];
    let clock =
        |seconds: u8, status: u8| vec![0x8D, 0x00, 0x0A, 0x20, 0x03, 0x02, seconds, 0x03, 0x02, status];
    let field = |field: u8, piece: u8| vec![0x8E, 0x00, 0x05, field, piece];
    // What is said, and the milliseconds before it.
    let said = [
        (0, SERIAL.to_vec()),
        (0, [[0x86, 0x00, 0x43].as_slice(), &POSITION].concat()),
        (0, clock(0x20, 0x08)),
        (500, clock(0x20, 0x09)),
        (0, field(52, 0)),
        (100, field(1, 5)),
        (142, [[0x06, 0x0F, 0x00, 0x05].to_vec(), field(62, 0)].concat()),
        (100, field(45, 3)),
        (200, clock(0x20, 0x13)),
        (1500, field(1, 0)),
        (100, field(18, 9)),
        (200, clock(0xBE, 0x09)),
        (1500, field(61, 0)),
        (100, field(25, 4)),
        (200, clock(0x20, 0x13)),
        (1500, field(8, 0)),
        (100, field(16, 7)),
    ];
    let mut line = Line::new(Arc::default(), PORT, 1);
    let mut now = Timestamp::ZERO;
    for (wait, bytes) in said {
        now = now + Duration::from_millis(wait);
        pass(&mut line, now);
        line.handle_bytes(&bytes, now);
    }
    pass(&mut line, now + Duration::from_secs(30));
}

/// A fuzzer has found this: a clock is heard in passing, and two moves later a knight, a bishop and a pawn move as none can. What the
/// board shows then speaks for one move and, searched again, for the other, and a ply was told and withdrawn in turn.
#[test]
fn what_the_same_evidence_speaks_for_is_told_once() {
    const POSITION: [u8; 64] = [
        8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4, 3, 2,
    ];
    let clock = |status: u8| vec![0x8D, 0x00, 0x0A, 0x20, 0x03, 0x02, 0x20, 0x03, 0x02, status];
    let field = |field: u8, piece: u8| vec![0x8E, 0x00, 0x05, field, piece];
    // What is said, and when, milliseconds.
    let said = [
        (500, [[0x86, 0x00, 0x43].as_slice(), &POSITION].concat()),
        (1000, field(52, 0)),
        (1300, clock(0x13)),
        (2900, field(28, 7)),
        (3100, clock(0x09)),
        (4900, clock(0x13)),
        (6400, field(1, 0)),
        (6500, field(18, 9)),
        (6800, field(25, 4)),
        (8500, field(8, 0)),
        (8600, field(16, 7)),
        (10_300, field(25, 0)),
        (10_400, field(8, 0)),
    ];
    let mut line = Line::new(Arc::default(), PORT, 1);
    line.handle_link(Link::Up(PORT), at(0));
    let mut withdrawn = Vec::new();
    let mut drain = |line: &mut Line| {
        while let Some(output) = line.poll_output() {
            if let Output::Event(Event { at, kind: EventKind::Retract { ply, .. }, .. }) = output {
                withdrawn.push((at, ply));
            }
        }
    };
    for (millis, bytes) in said {
        let now = Timestamp::from_micros(millis * 1000);
        while let Some((due, _)) = line.poll_timeout().filter(|(due, _)| *due <= now) {
            line.handle_timeout(due);
            drain(&mut line);
        }
        line.handle_bytes(&bytes, now);
        drain(&mut line);
    }
    while let Some((due, _)) = line.poll_timeout().filter(|(due, _)| *due <= at(40)) {
        line.handle_timeout(due);
        drain(&mut line);
    }
    let told = withdrawn.len();
    withdrawn.dedup();
    assert_eq!(told, withdrawn.len(), "a ply is withdrawn again and again: {withdrawn:?}");
}
