//! A board that was away while pieces moved, and whose changes somebody else has fetched: the log since the start of
//! the game reports, or it says something else than the board shows.

use std::collections::VecDeque;

use dgt_protocol::{
    Address, Answer, BusCommand, BusReply, BusRequest, ClockReport, EventLog, Field, LONGEST_FRAME, Mark,
    Message, Piece, Placement, Record,
};

use super::*;
use jadoube_core::event::LogState;

/// 1. e4, and 1. … e5 2. Nf3, as raw fields.
const FIRST: [(u8, u8); 2] = [(0x34, 0), (0x24, 1)];
const UNSEEN: [(u8, u8); 4] = [(0x0C, 0), (0x1C, 7), (0x3E, 0), (0x2D, 3)];
const SERIAL: &str = "01025";

/// A board that says what a test wants.
struct Script {
    line: Line,
    now: Timestamp,
    events: Vec<Event>,
    present: Placement,
    changes: VecDeque<Vec<(u8, u8)>>,
    last: Vec<u8>,
    from_start: Vec<u8>,
    silent: bool,
}

impl Script {
    fn new() -> Self {
        let mut line = Line::on_bus(settings(), "bus", 1, &[SERIAL.to_owned()]);
        line.handle_link(Link::Up("bus"), Timestamp::ZERO);
        Self {
            line,
            now: Timestamp::ZERO,
            events: Vec::new(),
            present: Placement::start(),
            changes: VecDeque::new(),
            last: Vec::new(),
            from_start: Vec::new(),
            silent: false,
        }
    }

    /// Moves pieces; what is reported of it is another thing.
    fn set(&mut self, fields: &[(u8, u8)]) {
        for (number, piece) in fields {
            self.present.set(Field::new(*number).unwrap(), Piece::from_byte(*piece));
        }
    }

    fn run(&mut self, seconds: u64) {
        let end = self.now + Duration::from_secs(seconds);
        while let Some((at, _)) = self.line.poll_timeout().filter(|(at, _)| *at <= end) {
            self.now = self.now.max(at);
            self.line.handle_timeout(self.now);
            while let Some(output) = self.line.poll_output() {
                match output {
                    Output::Event(event) => self.events.push(event),
                    Output::Question(_) => {}
                    Output::Send(bytes) => {
                        self.line.handle_sent(&bytes, self.now);
                        self.answer(BusCommand::decode(bytes.try_into().unwrap()).unwrap());
                    }
                }
            }
        }
        self.now = end;
    }

    fn answer(&mut self, command: BusCommand) {
        if self.silent || command.address == Address::BROADCAST {
            return;
        }
        let last = self.last.clone();
        let answer = match command.request {
            BusRequest::Ping | BusRequest::IgnoreNextPing => Answer::Pong,
            BusRequest::SendVersion => Answer::EarlyVersion,
            BusRequest::SendClock => Answer::Message(Message::Clock(ClockReport::DISCONNECTED)),
            BusRequest::SendBoard => Answer::Message(Message::BoardDump(self.present)),
            BusRequest::SetStartGame => Answer::StartWritten,
            BusRequest::SendFromStart => Answer::FromStart(EventLog(&self.from_start)),
            BusRequest::RepeatChanges => Answer::Changes(EventLog(&last)),
            BusRequest::SendChanges => {
                self.last = log(&self.changes.pop_front().unwrap_or_default());
                Answer::Changes(EventLog(&self.last))
            }
            BusRequest::EndBusMode
            | BusRequest::Reset
            | BusRequest::SendDraughts
            | BusRequest::SendAll
            | BusRequest::Other(_) => panic!("{command:?}"),
        };
        let mut frame = [0; LONGEST_FRAME];
        let reply = BusReply { address: command.address, answer }.encode(&mut frame).unwrap().to_vec();
        self.now = self.now + Duration::from_millis(30);
        self.line.handle_bytes(&reply, self.now);
    }

    fn logs(&self) -> Vec<LogState> {
        let states = self
            .events
            .iter()
            .filter_map(|event| if let EventKind::Log { state } = event.kind { Some(state) } else { None });
        states.collect()
    }
}

fn log(fields: &[(u8, u8)]) -> Vec<u8> {
    let record = |(number, piece): &(u8, u8)| Record::Field {
        field: Field::new(*number).unwrap(),
        piece: Piece::from_byte(*piece),
        quick: false,
    };
    fields.iter().flat_map(|field| record(field).to_bytes().to_vec()).collect()
}

/// Lets a board be away while two plies are played, and returns what the log since the start of the game says.
fn away(from_start: &[(u8, u8)]) -> Script {
    let mut script = Script::new();
    script.run(10);
    script.set(&FIRST);
    script.changes.push_back(FIRST.to_vec());
    script.run(20);
    assert_eq!(moves(&script.events, 0), ["e2e4"]);
    script.silent = true;
    script.run(30);
    script.set(&UNSEEN);
    script.from_start = [vec![Mark::Begin.to_byte()], log(from_start)].concat();
    script.silent = false;
    script.run(60);
    script
}

#[test]
fn what_nobody_saw_is_in_the_log_since_the_start() {
    let script = away(&[FIRST.as_slice(), &UNSEEN].concat());
    assert_eq!(script.logs(), [LogState::Reading, LogState::Read]);
    assert_eq!(moves(&script.events, 0), ["e2e4", "e7e5", "g1f3"], "{:#?}", script.events);
}

#[test]
fn a_log_that_leads_elsewhere_is_not_believed() {
    // 1. d4 d5 in the log of some other game.
    let script = away(&[(0x33, 0), (0x23, 1), (0x0B, 0), (0x1B, 7)]);
    assert_eq!(script.logs(), [LogState::Reading, LogState::Useless]);
    assert_eq!(moves(&script.events, 0), ["e2e4", "e7e5", "g1f3"], "found from what stands on the board");
}
