mod faults;
mod from_start;
mod outages;

use std::{sync::Arc, time::Duration};

use jadoube_core::{
    alert::Confidence,
    capture::{Entry, Record},
    code::Code,
    event::{Event, EventKind, LinkState},
    laws::Control,
    line::{Line, Link, Output},
    order::Order,
    replay,
    settings::LineSettings,
    time::Timestamp,
};
use jadoube_emulate::{
    clock::Speed,
    games,
    hall::{self, HallOptions, bus_line::BusLine},
    people::{Handling, Incident, Thinking},
    truth::Truth,
    wire::Faults,
};

/// How long a command takes to the line.
const LATENCY: Duration = Duration::from_millis(1);

/// Players sit down, and what they do is known a round or two later.
const BEHIND: Duration = Duration::from_secs(20);

fn options(boards: usize) -> HallOptions {
    HallOptions {
        first_serial: 1025,
        first_address: None,
        boards,
        games: games::famous(),
        incidents: Vec::new(),
        ruling: None,
        handling: Handling::plain(),
        thinking: Thinking::About(4.0),
        time_control: "15+10".parse().unwrap(),
        flag_control: None,
        control: Control::Rapid,
        speed: Speed::REAL,
        faults: Faults::NONE,
        command_faults: Faults::NONE,
        hostile: Vec::new(),
        bus: true,
        seed: 3,
    }
}

/// One line of a capture.
#[derive(Clone, Debug)]
enum Said {
    Open,
    Close,
    Sent(Vec<u8>),
    Heard(Vec<u8>),
}

/// A line with several boards, in virtual time, and what a capture of it would hold.
struct Rig {
    boards: BusLine,
    truths: Vec<Truth>,
    line: Line,
    serials: Vec<String>,
    lines: Vec<(Timestamp, Said)>,
    events: Vec<Event>,
    round: Duration,
    now: Timestamp,
    /// How often what has come in is looked at, at most.
    reads_every: Duration,
    read_at: Timestamp,
    unread: Vec<u8>,
    /// First bytes of commands that do not reach the boards, each once.
    swallowed: Vec<u8>,
    /// Whether nothing is done to what is said.
    is_good: bool,
}

impl Rig {
    fn new(options: &HallOptions, known: usize) -> Self {
        let serials: Vec<String> = (0..known).map(serial).collect();
        Self::listed(options, &serials.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Makes a line on which these boards are expected.
    fn listed(options: &HallOptions, serials: &[&str]) -> Self {
        let (boards, truths) = hall::bus(options);
        let serials: Vec<String> = serials.iter().map(ToString::to_string).collect();
        let line = Line::on_bus(settings(), "bus", 1, &serials);
        let now = Timestamp::ZERO;
        let mut rig = Self {
            boards,
            truths,
            line,
            serials,
            lines: Vec::new(),
            events: Vec::new(),
            round: Duration::ZERO,
            now,
            reads_every: Duration::ZERO,
            read_at: now,
            unread: Vec::new(),
            swallowed: Vec::new(),
            is_good: options.faults == Faults::NONE && options.command_faults == Faults::NONE,
        };
        rig.link(Said::Open);
        rig
    }

    fn link(&mut self, said: Said) {
        // What is due comes before what is heard in the same instant, as in the daemon.
        self.line.handle_timeout(self.now);
        self.drain();
        feed(&mut self.line, self.now, &said);
        self.lines.push((self.now, said));
        self.drain();
    }

    fn run(&mut self, seconds: u64) {
        self.run_for(Duration::from_secs(seconds));
    }

    fn run_for(&mut self, span: Duration) {
        let end = self.now + span;
        loop {
            let read = (!self.unread.is_empty()).then_some(self.read_at);
            let next = [self.boards.poll_timeout(), read, self.line.poll_timeout().map(|(at, _)| at)];
            let Some(now) = next.into_iter().flatten().min().filter(|at| *at <= end) else { break };
            self.now = now.max(self.now);
            self.boards.handle_timeout(self.now);
            while let Some(bytes) = self.boards.poll_output(self.now) {
                self.unread.extend(bytes);
                if self.reads_every.is_zero() {
                    let bytes = std::mem::take(&mut self.unread);
                    self.link(Said::Heard(bytes));
                }
            }
            if !self.unread.is_empty() && self.read_at <= self.now {
                self.read_at = self.now + self.reads_every;
                let bytes = std::mem::take(&mut self.unread);
                self.link(Said::Heard(bytes));
            }
            self.line.handle_timeout(self.now);
            self.drain();
        }
        self.now = end;
    }

    fn drain(&mut self) {
        while let Some(output) = self.line.poll_output() {
            match output {
                Output::Send(bytes) => {
                    self.now = self.now + LATENCY;
                    if bytes.first().is_some_and(|first| self.swallowed.last() == Some(first)) {
                        self.swallowed.pop();
                    } else {
                        self.boards.handle_command_bytes(&bytes, self.now);
                    }
                    self.lines.push((self.now, Said::Sent(bytes.clone())));
                    feed(&mut self.line, self.now, &Said::Sent(bytes));
                }
                Output::Event(event) => self.events.push(event),
                Output::Question(_) => {}
            }
        }
        self.round = self.round.max(self.line.bus_round().unwrap_or_default());
    }

    /// Returns the moves of a board that stand.
    fn moves(&self, number: usize) -> Vec<String> {
        moves(&self.events, number)
    }

    fn true_moves(&self, number: usize) -> Vec<String> {
        self.truths[number].moves.iter().map(|m| m.uci.clone()).collect()
    }

    fn links(&self, number: usize) -> Vec<LinkState> {
        let own = self.events.iter().filter(|event| *event.board == *serial(number));
        own.filter_map(
            |event| if let EventKind::Link { state, .. } = event.kind { Some(state) } else { None },
        )
        .collect()
    }

    /// Returns what was reported of a board, but for its squares and its clock.
    fn story(&self, number: usize) -> String {
        self.story_of(&serial(number))
    }

    /// Returns the links of all boards.
    fn reported(&self) -> String {
        let links = self.events.iter().filter(|event| matches!(event.kind, EventKind::Link { .. }));
        links
            .map(|event| format!("{} {} {:?}", event.at, event.board, event.kind))
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn story_of(&self, board: &str) -> String {
        let reported = self.events.iter().filter(|event| {
            *event.board == *board
                && !matches!(
                    event.kind,
                    EventKind::Lift { .. } | EventKind::Place { .. } | EventKind::Clock { .. }
                )
        });
        reported.map(|event| format!("{} {:?}", event.at, event.kind)).collect::<Vec<_>>().join("\n")
    }

    /// Compares what was found with what was true.
    #[track_caller]
    fn check(&self, most_round: Duration) {
        for (number, truth) in self.truths.iter().enumerate() {
            let (found, true_moves) = (self.moves(number), self.true_moves(number));
            let length = found.len().min(true_moves.len());
            let behind = self.now.before(BEHIND);
            let made = truth.moves.iter().filter(|m| m.made_at <= behind).count();
            let story = || self.story(number);
            assert!(length > 0 && length >= made, "{length} of {made} moves: {found:?}\n{}", story());
            // The last move may be in the making.
            assert_eq!(found[..length - 1], true_moves[..length - 1], "board {number}\n{}", story());
        }
        // Nobody does anything wrong.
        let offences = self.events.iter().filter_map(|event| {
            let EventKind::Alert(alert) = &event.kind else { return None };
            // Of what is damaged one answer in 128 has a sum that fits: a clock that is not there, or wants a battery.
            let equipment = matches!(
                alert.code,
                Code::BoardLink
                    | Code::LineNoise
                    | Code::ClockStopped
                    | Code::ClockLink
                    | Code::ClockLowBattery
            );
            // What a bad line has lost may make an offence possible, and never likely.
            let serious = alert.confidence != Confidence::Possible || self.is_good;
            (serious && !equipment && !matches!(alert.code, Code::Checkmate | Code::Stalemate))
                .then(|| format!("{} {}\n{}", alert.id, alert.text, self.story_of(&event.board)))
        });
        let offences: Vec<String> = offences.collect();
        assert!(offences.is_empty(), "{}", offences.join("\n"));
        assert!(self.round <= most_round, "a round took {:?}", self.round);
    }

    /// Replays what was recorded, without asking anything.
    #[track_caller]
    fn check_replay(&self) {
        let mut line = Line::on_bus(settings(), "bus", 1, &self.serials);
        let mut events = Vec::new();
        // As a replay does: everything at its own instant.
        let wait = |line: &mut Line, until: Timestamp, events: &mut Vec<Event>| {
            while let Some((due, _)) = line.poll_timeout().filter(|(due, _)| *due <= until) {
                line.handle_timeout(due);
                events.extend(drain(line));
            }
        };
        for (at, said) in &self.lines {
            wait(&mut line, *at, &mut events);
            feed(&mut line, *at, said);
            events.extend(drain(&mut line));
        }
        wait(&mut line, self.now, &mut events);
        for (number, (replayed, live)) in events.iter().zip(&self.events).enumerate() {
            assert_eq!(replayed, live, "event {number}");
        }
        assert_eq!(events.len(), self.events.len());
    }
}

fn settings() -> Arc<LineSettings> {
    Arc::new(LineSettings::default())
}

fn serial(number: usize) -> String {
    format!("{:05}", 1025 + number)
}

fn feed(line: &mut Line, at: Timestamp, said: &Said) {
    let entry = match said {
        Said::Open => Entry::Open("bus"),
        Said::Close => Entry::Close("gone"),
        Said::Sent(bytes) => Entry::Sent(bytes),
        Said::Heard(bytes) => Entry::Received(bytes),
    };
    replay::feed(line, Record { at, entry }).unwrap();
}

fn drain(line: &mut Line) -> Vec<Event> {
    std::iter::from_fn(|| line.poll_output())
        .filter_map(|output| if let Output::Event(event) = output { Some(event) } else { None })
        .collect()
}

fn moves(events: &[Event], number: usize) -> Vec<String> {
    let mut moves: Vec<String> = Vec::new();
    let serial = serial(number);
    for event in events.iter().filter(|event| *event.board == *serial) {
        if let EventKind::GameStart { .. } = event.kind
            && !moves.is_empty()
        {
            break;
        } else if let EventKind::Move(m) = &event.kind {
            // A move that is reported again, as it is completed, withdraws nothing.
            let place = usize::try_from(m.ply).unwrap() - 1;
            if moves.get(place).is_none_or(|known| **known != *m.uci) {
                moves.truncate(place);
                moves.push(m.uci.to_string());
            }
        } else if let EventKind::Retract { ply, .. } = event.kind {
            moves.truncate(usize::try_from(ply).unwrap() - 1);
        }
    }
    moves
}

#[track_caller]
fn check_games(boards: usize, seconds: u64, most_round: Duration) -> Rig {
    let mut rig = Rig::new(&options(boards), boards);
    rig.run(seconds);
    rig.check(most_round);
    rig
}

#[test]
fn one_board_on_a_bus_is_followed() {
    let rig = check_games(1, 120, Duration::from_secs(1));
    rig.check_replay();
}

#[test]
fn ten_boards_on_a_bus_are_followed() {
    let rig = check_games(10, 120, Duration::from_secs(4));
    rig.check_replay();
}

#[test]
fn sixty_boards_on_a_bus_are_followed() {
    let rig = check_games(60, 50, Duration::from_secs(25));
    // To get to know them all takes a while; then a round is what the wire takes.
    let round = rig.line.bus_round().unwrap();
    assert!(round < Duration::from_secs(5), "{round:?}");
    assert!((0..60).all(|number| rig.links(number) == [LinkState::Up]));
}

#[test]
fn boards_that_nobody_expects_are_found() {
    let mut rig = Rig::new(&options(12), 3);
    rig.run(90);
    rig.check(Duration::from_secs(8));
    rig.check_replay();
}

#[test]
fn nothing_is_lost_when_the_line_is_down_for_a_while() {
    let mut rig = Rig::new(&options(5), 5);
    rig.run(45);
    let before: Vec<usize> = (0..5).map(|number| rig.moves(number).len()).collect();
    outages::go_down(&mut rig, Duration::from_secs(40));
    rig.run(60);
    rig.check(Duration::from_secs(8));
    assert!(before.iter().all(|count| *count > 1), "{before:?}");
    assert_eq!(rig.links(0), [LinkState::Up, LinkState::Down, LinkState::Up]);
    rig.check_replay();
}

#[test]
fn a_board_that_loses_its_power_comes_back_and_the_others_go_on() {
    let incidents = vec![Incident::Unplugged];
    let mut rig = Rig::new(&HallOptions { incidents, ..options(3) }, 3);
    rig.run(200);
    rig.check(Duration::from_secs(8));
    let downs = (0..3).filter(|number| rig.links(*number).contains(&LinkState::Down)).count();
    assert!(downs > 0);
    rig.check_replay();
}

#[test]
fn games_stay_exact_on_a_bad_line() {
    let faults = Faults {
        drop: 0.002,
        flip: 0.002,
        insert: 0.001,
        duplicate: 0.001,
        delay: 0.02,
        delay_s: 0.3,
        ..Faults::NONE
    };
    let mut rig = Rig::new(&HallOptions { faults, ..options(4) }, 4);
    rig.run(200);
    rig.check(Duration::from_secs(8));
    rig.check_replay();
}

#[test]
fn an_order_reaches_the_board_that_it_names() {
    let mut rig = Rig::new(&options(3), 3);
    rig.run(30);
    let flip = Order::Flip;
    rig.line.handle_order_for(Some("01026"), &flip, rig.now).unwrap();
    let reported = drain(&mut rig.line);
    assert!(!reported.is_empty() && reported.iter().all(|event| *event.board == *"01026"), "{reported:?}");
    let error = rig.line.handle_order_for(Some("09999"), &flip, rig.now).unwrap_err();
    assert_eq!(error.to_string(), "there is no board 09999 on bus");
    assert!(rig.line.handle_order(&flip, rig.now).is_err(), "which of the three?");
}

#[test]
fn boards_with_numbers_above_the_addresses_keep_their_numbers() {
    // The lower 14 bits of 45539 are 12771.
    let large = HallOptions { first_serial: 45539, ..options(3) };
    let mut rig = Rig::listed(&large, &["45539", "45540", "45541"]);
    rig.run(40);
    for board in ["45539", "45540", "45541"] {
        assert!(rig.story_of(board).contains("GameStart"), "{board}: {}", rig.reported());
    }
    rig.line.handle_order_for(Some("45540"), &Order::Flip, rig.now).unwrap();
    assert!(drain(&mut rig.line).iter().all(|event| *event.board == *"45540"));
}

#[test]
fn boards_at_unexpected_addresses_are_named_by_them_at_first() {
    let large = HallOptions { first_serial: 45539, first_address: Some(3001), ..options(3) };
    let mut rig = Rig::listed(&large, &["45539@3001", "45540"]);
    rig.run(60);
    for (board, expected) in [("45539", true), ("03002", true), ("03003", true), ("45540", false)] {
        assert_eq!(rig.story_of(board).contains("GameStart"), expected, "{board}: {}", rig.reported());
    }
    assert!(
        rig.story_of("45540").contains("Down"),
        "an expected board that does not answer is reported as missing"
    );
    rig.check_replay();
}

#[test]
fn a_version_that_got_lost_is_asked_for_again() {
    let mut rig = Rig::new(&options(2), 2);
    // 8B is the question for the version; the line swallows the first ones.
    rig.swallowed = vec![0x8B; 2];
    rig.run(60);
    assert!(rig.swallowed.is_empty());
    for number in 0..2 {
        assert!(rig.story(number).contains("version: Some"), "{}", rig.story(number));
    }
    rig.check_replay();
}
