//! Offences while nothing is heard of a board, that its log reports.

use super::*;
use crate::alert::Confidence;

/// 1. e4 e5 on the board, its clock and its log.
struct Hall {
    line: Line,
    now: Timestamp,
    stands: Placement,
    log: Vec<u8>,
    /// White's time and Black's, and whether Black's runs.
    clock: (u32, u32, bool),
    heard: bool,
    alerts: Vec<(Code, Confidence)>,
    asked: usize,
}

impl Hall {
    fn in_play() -> Self {
        let mut line = Line::new(Arc::default(), PORT, 1);
        line.handle_link(Link::Up(PORT), at(0));
        let mut hall = Self {
            line,
            now: at(0),
            stands: Placement::start(),
            log: vec![0x6F],
            clock: (600, 600, false),
            heard: true,
            alerts: Vec::new(),
            asked: 0,
        };
        hall.pass(5000);
        hall.send_clock();
        hall.moves(&[(0x34, 0), (0x24, 1)]);
        hall.press(598);
        hall.moves(&[(0x0C, 0), (0x1C, 7)]);
        hall.press(598);
        hall.pass(1000);
        hall
    }

    fn say(&mut self, bytes: &[u8]) {
        if self.heard {
            self.line.handle_bytes(bytes, self.now);
        }
        self.drain();
    }

    fn drain(&mut self) {
        let mut commands = Vec::new();
        while let Some(output) = self.line.poll_output() {
            match output {
                Output::Send(bytes) => {
                    self.line.handle_sent(&bytes, self.now);
                    commands.extend(bytes);
                }
                Output::Event(Event { kind: EventKind::Alert(alert), .. }) => {
                    self.alerts.push((alert.code, alert.confidence));
                }
                Output::Event(_) | Output::Question(_) => {}
            }
        }
        for command in commands {
            self.answer(command);
        }
    }

    fn answer(&mut self, command: u8) {
        match command {
            0x41 => self.send_clock(),
            0x42 => {
                let mut frame = [0; LONGEST_FRAME];
                let dump = Message::BoardDump(self.stands).encode(&mut frame).unwrap().to_vec();
                self.say(&dump);
            }
            0x45 => self.say(SERIAL),
            0x49 => {
                self.asked += 1;
                self.pass(8000);
                let mut log = self.log.clone();
                log.resize(EventLog::DOWNLOAD, 0);
                self.say(&[&[0x8F, 0x3E, 0x03], log.as_slice()].concat());
            }
            0x4D => self.say(VERSION),
            _ => {}
        }
    }

    fn send_clock(&mut self) {
        let (white, black, black_runs) = self.clock;
        let bcd = |number: u32| u8::try_from(number / 10 * 16 + number % 10).unwrap();
        let time = |seconds: u32| [0, bcd(seconds / 60), bcd(seconds % 60)];
        let status = if black_runs { 0x01 | 0x02 | 0x10 } else { 0x01 | 0x08 };
        self.say(&[[0x8D, 0, 10].as_slice(), &time(black), &time(white), &[status]].concat());
    }

    /// Lets so many milliseconds pass.
    fn pass(&mut self, millis: u64) {
        let end = self.now + Duration::from_millis(millis);
        while let Some((due, _)) = self.line.poll_timeout().filter(|(due, _)| *due <= end) {
            self.now = self.now.max(due);
            self.line.handle_timeout(due);
            self.drain();
        }
        self.now = end;
    }

    fn moves(&mut self, changes: &[(u8, u8)]) {
        for &(field, piece) in changes {
            let (number, code) = (Field::new(field).unwrap(), Piece::from_byte(piece));
            self.stands.set(number, code);
            self.log.extend(&*Record::Field { field: number, piece: code, quick: false }.to_bytes());
            self.say(&[0x8E, 0, 5, field, piece]);
            self.pass(300);
        }
    }

    /// Lets the side whose time runs press, with so many seconds left.
    fn press(&mut self, seconds: u32) {
        let (side, left) = if self.clock.2 { (0x60, &mut self.clock.1) } else { (0x70, &mut self.clock.0) };
        *left = seconds;
        let bcd = |number: u32| u8::try_from(number / 10 * 16 + number % 10).unwrap();
        self.log.extend([side, bcd(seconds / 60), bcd(seconds % 60)]);
        self.clock.2 = !self.clock.2;
        self.send_clock();
        self.pass(1500);
    }

    fn deafen(&mut self) {
        self.line.handle_link(Link::Down("the program ended"), self.now);
        self.heard = false;
        self.drain();
    }

    fn hear(&mut self) {
        self.heard = true;
        self.line.handle_link(Link::Up(PORT), self.now);
        self.pass(20_000);
        self.alerts.retain(|(code, _)| *code != Code::BoardLink);
    }
}

#[test]
fn an_illegal_move_in_a_silence_is_in_the_log() {
    let mut hall = Hall::in_play();
    hall.deafen();
    // Ng1-d4
    hall.moves(&[(0x3E, 0), (0x23, 3)]);
    hall.press(595);
    hall.hear();
    assert_eq!((hall.asked, hall.alerts.as_slice()), (1, &[(Code::IllegalMove, Confidence::Likely)][..]));
}

#[test]
fn an_illegal_move_pressed_in_a_silence_is_in_the_log() {
    let mut hall = Hall::in_play();
    hall.moves(&[(0x3E, 0), (0x23, 3)]);
    hall.deafen();
    hall.press(595);
    hall.hear();
    assert_eq!((hall.asked, hall.alerts.as_slice()), (1, &[(Code::IllegalMove, Confidence::Likely)][..]));
}

#[test]
fn one_move_in_a_silence_needs_no_log() {
    for pressed in [false, true] {
        let mut hall = Hall::in_play();
        hall.deafen();
        hall.moves(&[(0x3E, 0), (0x2D, 3)]);
        if pressed {
            hall.press(596);
        }
        hall.hear();
        assert_eq!((hall.asked, hall.alerts.as_slice()), (0, &[][..]), "pressed: {pressed}");
    }
}

#[test]
fn an_illegal_move_of_a_piece_lifted_in_a_silence_is_reported() {
    let mut hall = Hall::in_play();
    hall.deafen();
    hall.moves(&[(0x3E, 0)]);
    hall.heard = true;
    hall.line.handle_link(Link::Up(PORT), hall.now);
    hall.pass(1500);
    hall.moves(&[(0x23, 3)]);
    hall.press(593);
    hall.pass(5000);
    hall.alerts.retain(|(code, _)| *code != Code::BoardLink);
    assert_eq!((hall.asked, hall.alerts.as_slice()), (0, &[(Code::IllegalMove, Confidence::Likely)][..]));
}
