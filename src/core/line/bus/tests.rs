use dgt_protocol::{ClockReport, EventLog, LONGEST_FRAME, Placement};

use super::*;
use crate::{
    code::Code,
    event::EventKind,
    line::{Line, Output},
};

const PORT: &str = "/dev/ttyS0";

/// An answer without changes takes this long on the line.
const APART: Duration = Duration::from_millis(6);

/// A line on which the first board answers one question after the other, and may keep its answers for a while; a second one
/// has nothing to report.
struct Scripted {
    line: Line,
    address: Address,
    now: Timestamp,
    /// Answers on their way, and when they come.
    said: VecDeque<(Timestamp, Vec<u8>)>,
    /// Until then the line says nothing.
    hangs_until: Timestamp,
    /// When the last of its answers comes.
    kept_until: Timestamp,
    codes: Placement,
    changes: Vec<u8>,
    last: Vec<u8>,
    /// Bytes of the next dumps that come in the wrong order, so that the sum fits.
    exchanged: VecDeque<(usize, usize)>,
    asked: Vec<BusRequest>,
    squares: Vec<String>,
    mismatches: Vec<String>,
}

impl Scripted {
    fn new(boards: usize) -> Self {
        let serials = ["01025".to_owned(), "01026".to_owned()];
        let mut line = Line::on_bus(Arc::default(), PORT, 1, &serials[..boards]);
        line.handle_link(crate::line::Link::Up(PORT), Timestamp::ZERO);
        let mut board = Self {
            line,
            address: Address::from_serial("01025").unwrap(),
            now: Timestamp::ZERO,
            said: VecDeque::new(),
            hangs_until: Timestamp::ZERO,
            kept_until: Timestamp::ZERO,
            codes: Placement::start(),
            changes: Vec::new(),
            last: Vec::new(),
            exchanged: VecDeque::new(),
            asked: Vec::new(),
            squares: Vec::new(),
            mismatches: Vec::new(),
        };
        // All are called, and the start of a game is written.
        board.run(Duration::from_secs(10));
        assert!(board.asked.contains(&BusRequest::SetStartGame), "{:?}", board.asked);
        board.squares.clear();
        board.asked.clear();
        board
    }

    fn run(&mut self, span: Duration) {
        let end = self.now + span;
        while let Some(at) =
            [self.said.front().map(|(at, _)| *at), self.line.poll_timeout().map(|(at, _)| at)]
                .into_iter()
                .flatten()
                .min()
                .filter(|at| *at <= end)
        {
            self.now = at.max(self.now);
            while let Some((_, bytes)) = self.said.pop_front_if(|(at, _)| *at <= self.now) {
                self.line.handle_bytes(&bytes, self.now);
            }
            self.line.handle_timeout(self.now);
            while let Some(output) = self.line.poll_output() {
                match output {
                    Output::Send(command) => self.take(&command),
                    Output::Event(event) => self.note(event.kind),
                    Output::Question(_) => {}
                }
            }
        }
        self.now = end;
    }

    fn note(&mut self, kind: EventKind) {
        if let EventKind::Lift { square, .. } = kind {
            self.squares.push(format!("-{square}"));
        } else if let EventKind::Place { square, .. } = kind {
            self.squares.push(format!("+{square}"));
        } else if let EventKind::Alert(alert) = kind
            && alert.code == Code::BoardMismatch
        {
            self.mismatches.push(alert.text);
        }
    }

    /// Answers a question after whatever is on its way.
    fn take(&mut self, command: &[u8]) {
        self.line.handle_sent(command, self.now);
        let command = BusCommand::decode(command.try_into().unwrap()).unwrap();
        self.asked.push(command.request);
        if command.address == Address::BROADCAST {
            return;
        }
        let first = command.address == self.address;
        if first && command.request == BusRequest::SendChanges {
            self.last = std::mem::take(&mut self.changes);
        }
        let mut codes = if first { self.codes } else { Placement::start() }.to_bytes();
        if first
            && command.request == BusRequest::SendBoard
            && let Some((one, other)) = self.exchanged.pop_front()
        {
            codes.swap(one, other);
        }
        let dump = Placement::from_bytes(&codes);
        let last = if first { self.last.as_slice() } else { &[] };
        let answer = match command.request {
            BusRequest::SendClock => Answer::Message(Message::Clock(ClockReport::DISCONNECTED)),
            BusRequest::SendBoard => Answer::Message(Message::BoardDump(dump)),
            BusRequest::SendChanges | BusRequest::RepeatChanges => Answer::Changes(EventLog(last)),
            BusRequest::SetStartGame => Answer::StartWritten,
            BusRequest::SendVersion => Answer::EarlyVersion,
            BusRequest::Ping | BusRequest::IgnoreNextPing => Answer::Pong,
            BusRequest::SendFromStart
            | BusRequest::EndBusMode
            | BusRequest::Reset
            | BusRequest::SendDraughts
            | BusRequest::SendAll
            | BusRequest::Other(_) => panic!("nobody asks {:?}", command.request),
        };
        let mut frame = [0; LONGEST_FRAME];
        let bytes = BusReply { address: command.address, answer }.encode(&mut frame).unwrap().to_vec();
        let mut at = self.now + APART;
        if first {
            at = self.kept_until.max(self.now).max(self.hangs_until) + APART;
            self.kept_until = at;
        }
        let place = self.said.partition_point(|(other, _)| *other <= at);
        self.said.insert(place, (at, bytes));
    }

    /// Lets fields show something, as the changes say.
    fn show(&mut self, fields: &[(u8, u8)]) {
        let mut codes = self.codes.to_bytes();
        for (field, piece) in fields {
            codes[usize::from(*field)] = *piece;
            self.changes.extend([0x40 | piece, *field]);
        }
        self.codes = Placement::from_bytes(&codes);
    }

    /// Makes the move e2-e4.
    fn play(&mut self) {
        self.show(&[(52, 0), (36, 1)]);
    }

    /// Returns the squares of which anything was reported, and forgets them.
    fn reported(&mut self) -> String {
        std::mem::take(&mut self.squares).join(" ")
    }
}

#[test]
fn kept_answers_are_not_read_as_those_to_later_questions() {
    for (boards, hangs, after) in [1, 2]
        .into_iter()
        .flat_map(|boards| (400..6000).step_by(400).map(move |hangs| (boards, hangs)))
        .flat_map(|(boards, hangs)| [0, 1200, 2400, 3600].map(|after| (boards, hangs, after)))
    {
        let mut board = Scripted::new(boards);
        board.run(Duration::from_millis(after));
        board.hangs_until = board.now + Duration::from_millis(hangs);
        board.run(Duration::from_millis(hangs));
        assert!(board.kept_until > board.now, "{boards} {hangs} {after}: {:?}", board.asked);
        board.play();
        board.run(Duration::from_secs(5));
        assert_eq!(board.reported(), "-e2 +e4", "{boards} {hangs} {after}: {:?}", board.asked);
    }
}

#[test]
fn what_only_one_dump_shows_is_no_change() {
    let mut board = Scripted::new(1);
    board.line.handle_bytes(&[0x40; 20], board.now);
    board.exchanged.push_back((0, 20));
    board.run(Duration::from_secs(40));
    assert_eq!(board.reported(), "", "two bytes of a dump were in the wrong order");
    let dumps = board.asked.iter().filter(|request| **request == BusRequest::SendBoard).count();
    assert!(board.exchanged.is_empty() && dumps > 1, "{dumps} dumps");
    // Another fault each time.
    board.exchanged.extend([(0, 20), (2, 20), (0, 20)]);
    board.run(Duration::from_secs(80));
    assert_eq!(board.reported(), "");
}

#[test]
fn what_two_dumps_show_is_reported_without_a_change() {
    let mut board = Scripted::new(1);
    board.line.handle_bytes(&[0x40; 20], board.now);
    board.play();
    board.changes.clear();
    board.run(Duration::from_secs(40));
    assert_eq!(board.reported(), "+e4 -e2");
    let dumps: Vec<_> =
        board.asked.iter().enumerate().filter(|(_, request)| **request == BusRequest::SendBoard).collect();
    let (first, second) = (dumps.first().unwrap().0, dumps.get(1).unwrap().0);
    assert!(second - first < 4, "the second one is asked for in the next turn: {:?}", board.asked);
}

/// What seconds have brought is passed on at the pace of hands, and that is no flicker.
#[test]
fn a_piece_that_stands_longer_than_reported_is_no_fault() {
    let mut board = Scripted::new(1);
    board.show(&[(53, 0)]);
    board.run(Duration::from_secs(9));
    assert_eq!(board.reported(), "-f2");
    board.hangs_until = board.now + Duration::from_millis(1500);
    // It is put back, and then moved to f3.
    board.show(&[(53, 1), (53, 0), (45, 1)]);
    board.run(Duration::from_secs(9));
    assert_eq!(board.reported(), "+f2 -f2 +f3");
    assert_eq!(board.mismatches, [""; 0]);
}

#[test]
fn a_dump_is_passed_on_at_once_on_a_line_without_damage() {
    let mut board = Scripted::new(1);
    board.play();
    board.changes.clear();
    while board.asked.last() != Some(&BusRequest::SendBoard) {
        board.run(Duration::from_millis(1));
    }
    board.run(Duration::from_millis(300));
    assert_eq!(board.reported(), "+e4 -e2");
}
