mod count_down;
mod unheard;

use std::sync::Arc;

use dgt_protocol::{
    Address, Answer, BusReply, EventLog, Field, LONGEST_FRAME, Message, Piece, Placement, Record,
};

use super::*;
use crate::{
    code::Code,
    event::{EventKind, LogState},
};

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

/// Returns whether the line has been called noisy by now.
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
fn the_rest_of_a_log_asked_for_before_a_restart_is_no_noise() {
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
fn a_dump_of_which_a_part_comes_after_a_standstill_is_no_noise() {
    for seconds in [2, 40] {
        let mut line = line();
        let dump = dump();
        let (first, rest) = dump.split_at(7);
        line.handle_bytes(first, at(10));
        line.handle_bytes(rest, at(10 + seconds));
        assert!(!is_noisy(&mut line));
        assert_eq!(line.damaged(), 0);
        // A message that never goes on is none.
        line.handle_bytes(first, at(60));
        line.handle_bytes(VERSION, at(62));
        assert!(!is_noisy(&mut line), "{seconds}");
    }
}

/// Lets time pass, and sends what is to be sent; returns what became of the log.
fn answer(line: &mut Line, now: Timestamp) -> Vec<LogState> {
    let mut states = Vec::new();
    line.handle_timeout(now);
    while let Some(output) = line.poll_output() {
        match output {
            Output::Send(bytes) => line.handle_sent(&bytes, now),
            Output::Event(Event { kind: EventKind::Log { state, .. }, .. }) => states.push(state),
            Output::Event(Event { kind: EventKind::Move(made), .. }) => {
                assert!(states.contains(&LogState::Read), "without the log nobody knows of {made:?}");
            }
            Output::Event(_) | Output::Question(_) => {}
        }
    }
    states
}

/// A line on which a game is in play, and the position four plies later with the log that holds them.
fn line_in_play() -> (Line, Vec<u8>, Vec<u8>) {
    let moves = [(0x34, 0), (0x24, 1), (0x0C, 0), (0x1C, 7), (0x3E, 0), (0x2D, 3), (0x01, 0), (0x12, 9)];
    let mut present = Placement::start();
    let mut log = vec![0x6F];
    for (field, piece) in moves.map(|(field, piece)| (Field::new(field).unwrap(), Piece::from_byte(piece))) {
        present.set(field, piece);
        log.extend(&*Record::Field { field, piece, quick: false }.to_bytes());
    }
    log.resize(EventLog::DOWNLOAD, 0);
    let dumped = |placement: Placement| {
        let mut frame = [0; LONGEST_FRAME];
        Message::BoardDump(placement).encode(&mut frame).unwrap().to_vec()
    };
    let mut line = line();
    // Much that is different is believed when it is said twice.
    for second in [2, 5] {
        line.handle_bytes(&dumped(Placement::start()), at(second));
        assert_eq!(answer(&mut line, at(second + 3)), []);
    }
    (line, [SERIAL, VERSION, &dumped(present)].concat(), [&[0x8F, 0x3E, 0x03], log.as_slice()].concat())
}

/// Lets the link go for a second; then the board says what stands on it.
fn replug(line: &mut Line, second: u64, said: &[u8]) {
    line.handle_link(Link::Down("pulled"), at(second));
    line.handle_link(Link::Up(PORT), at(second + 1));
    line.handle_bytes(said, at(second + 1));
}

#[test]
fn a_log_that_goes_on_is_waited_for_over_standstills() {
    let (mut line, present, log) = line_in_play();
    replug(&mut line, 10, &present);
    assert_eq!(answer(&mut line, at(11)), [LogState::Reading]);
    let mut reported = Vec::new();
    for (piece, second) in log.chunks(1600).zip((12..).step_by(4)) {
        reported.extend(answer(&mut line, at(second)));
        line.handle_bytes(piece, at(second));
    }
    reported.extend(answer(&mut line, at(40)));
    assert_eq!(reported, [LogState::Read]);
    assert!(!is_noisy(&mut line));
}

#[test]
fn an_earlier_log_is_waited_for_over_standstills() {
    let (mut line, present, log) = line_in_play();
    replug(&mut line, 10, &present);
    assert_eq!(answer(&mut line, at(11)), [LogState::Reading]);
    // A bishop is touched.
    line.handle_bytes(&[0x8E, 0x00, 0x05, 0x3D, 0x00, 0x8E, 0x00, 0x05, 0x3D, 0x04], at(11));
    let (before, rest) = log.split_at(1200);
    line.handle_bytes(before, at(12));
    replug(&mut line, 13, &[]);
    for (piece, second) in rest.chunks(1600).zip((15..).step_by(4)) {
        assert_eq!(answer(&mut line, at(second)), []);
        line.handle_bytes(piece, at(second));
    }
    assert_eq!(answer(&mut line, at(32)), []);
    // Nothing has been made of what was known before that log.
    line.handle_bytes(&present, at(32));
    assert_eq!(answer(&mut line, at(32)), [LogState::Reading]);
    line.handle_bytes(&log, at(40));
    assert_eq!(answer(&mut line, at(60)), [LogState::Read]);
    assert!(!is_noisy(&mut line));
}

#[test]
fn a_board_that_lost_its_log_reports_again_what_stands_on_it() {
    let (mut line, present, log) = line_in_play();
    // A knight moves after the dump, and the board has not heard that it is to report changes.
    let mut earlier = present.clone();
    let fields = earlier.len() - Field::COUNT;
    (earlier[fields + 0x01], earlier[fields + 0x12]) = (9, 0);
    replug(&mut line, 10, &earlier);
    assert_eq!(answer(&mut line, at(11)), [LogState::Reading]);
    let again = at(24);
    line.handle_timeout(again);
    let mut asked = Vec::new();
    while let Some(output) = line.poll_output() {
        if let Output::Send(bytes) = output {
            line.handle_sent(&bytes, again);
            asked.extend(bytes);
        }
    }
    assert!(asked.ends_with(b"\x4B\x42\x49"), "{asked:x?}");
    line.handle_bytes(&present[fields - 3..], again);
    line.handle_bytes(&log, at(25));
    assert_eq!(answer(&mut line, at(40)), [LogState::Read]);
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
fn the_rest_of_an_answer_on_a_bus_is_blamed_on_nobody() {
    let mut line = Line::on_bus(Arc::default(), PORT, 1, &["01025".to_owned(), "01026".to_owned()]);
    line.handle_link(Link::Up(PORT), at(10));
    let other = Address::from_serial("01025").unwrap();
    let mut frame = [0; LONGEST_FRAME];
    let pong = BusReply { address: other, answer: Answer::Pong }.encode(&mut frame).unwrap();
    // One board still reports what it was asked by a daemon that was killed; the other one speaks when it is asked.
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

/// A fuzzer has found this: pieces move that cannot, and the clock shows a time that is none and falls silent. A search without a
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
/// board shows then speaks for one move and, searched again, for the other, and a ply was emitted and withdrawn in turn.
#[test]
fn what_the_same_evidence_speaks_for_is_reported_once() {
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
    let reported = withdrawn.len();
    withdrawn.dedup();
    assert_eq!(reported, withdrawn.len(), "a ply is withdrawn again and again: {withdrawn:?}");
}
