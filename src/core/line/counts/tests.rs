use dgt_protocol::{Address, BusCommand, BusRequest};

use super::*;
use crate::{
    line::{Line, Link},
    settings::LineSettings,
    time::Timestamp,
};

const VERSION: &[u8] = &[0x93, 0x00, 0x05, 0x01, 0x08];
const FIELD: &[u8] = &[0x8E, 0x00, 0x05, 0x34, 0x00];
const NO_FIELD: &[u8] = &[0x8E, 0x00, 0x05, 0x7F, 0x00];
const CUT: &[u8] = &[0x8E, 0x00, 0x05];
const SERIAL: &[u8] = &[0x91, 0x00, 0x08, b'2', b'3', b'9', b'4', b'6'];

fn line() -> Line {
    let mut line = Line::new(LineSettings::default().into(), "/dev/ttyACM0", 1);
    line.handle_link(Link::Up("/dev/ttyACM0"), Timestamp::ZERO);
    line
}

type Named = Vec<(&'static str, u64)>;

fn counted(line: &mut Line) -> (Named, Named, u64) {
    let counts = line.take_counts();
    (counts.frames().collect(), counts.errors().collect(), counts.noise)
}

#[test]
fn what_a_board_says_is_counted_by_kind() {
    let mut line = line();
    line.handle_bytes(&[VERSION, FIELD, &[0x0D], FIELD, NO_FIELD, CUT].concat(), Timestamp::ZERO);
    line.handle_bytes(SERIAL, Timestamp::ZERO);
    let frames = vec![("field", 2), ("serial", 1), ("version", 1)];
    assert_eq!(counted(&mut line), (frames, vec![("broken", 1), ("field", 1)], 4));
    assert_eq!(line.take_counts(), MessageCounts::default());
    line.handle_bytes(CUT, Timestamp::ZERO);
    line.handle_link(Link::Down("pulled"), Timestamp::ZERO);
    line.handle_link(Link::Up("/dev/ttyACM0"), Timestamp::ZERO);
    line.handle_bytes(FIELD, Timestamp::ZERO);
    assert_eq!(counted(&mut line).1, [], "a cable that was pulled is no damaged message");
}

#[test]
fn answers_on_a_bus_are_counted_by_kind() {
    let mut line = Line::on_bus(LineSettings::default().into(), "/dev/ttyS0", 1, &[]);
    let address = Address::new(1025).unwrap();
    let mut buffer = [0; 16];
    let pong = BusReply { address, answer: Answer::Pong }.encode(&mut buffer).unwrap().to_vec();
    let mut wrong = pong.clone();
    *wrong.last_mut().unwrap() ^= 1;
    for bytes in [&pong[..], &wrong, &pong[..3]] {
        line.handle_bytes(bytes, Timestamp::ZERO);
    }
    let question = BusCommand { address, request: BusRequest::Ping };
    line.handle_sent(&question.to_bytes(), Timestamp::ZERO);
    line.handle_bytes(&pong, Timestamp::ZERO);
    assert_eq!(counted(&mut line), (vec![("pong", 2)], vec![("broken", 1)], 6));
}

#[test]
fn a_number_is_seen_before_its_bytes_are_taken() {
    let mut line = line();
    let serial_in = |line: &Line, bytes: &[u8]| line.serials_in(bytes, Timestamp::ZERO).pop();
    assert_eq!(serial_in(&line, &[VERSION, SERIAL, FIELD].concat()).as_deref(), Some("23946"));
    assert_eq!(serial_in(&line, VERSION), None);
    assert_eq!(counted(&mut line), (vec![], vec![], 0), "to look ahead takes nothing");
    // However the bytes arrive, it is seen in those that complete it.
    for cut in 1..SERIAL.len() {
        let (begin, end) = SERIAL.split_at(cut);
        assert_eq!(serial_in(&line, begin), None);
        line.handle_bytes(begin, Timestamp::ZERO);
        assert_eq!(serial_in(&line, end).as_deref(), Some("23946"), "cut at {cut}");
        assert_eq!(serial_in(&line, FIELD), None);
        line.handle_bytes(end, Timestamp::ZERO);
    }
    // The rest of a number may come after a pause, if the machine stood still; what begins another message is not its rest.
    line.handle_bytes(&SERIAL[..5], Timestamp::ZERO);
    let later = Timestamp::from_micros(2_000_000);
    assert_eq!(line.serials_in(&SERIAL[5..], later), ["23946"]);
    assert!(line.serials_in(&[VERSION, &SERIAL[5..]].concat(), later).is_empty());
}
