//! A board and its clock, as they speak on the wire.

use std::collections::BTreeMap;

use dgt_protocol::{Battery, ClockReport, ClockTime, Lever, Message, Placement, Side, SideTime, TurnBits};
use jadoube::config::Config;
use jadoube_core::{
    alert::{Alert, AlertState},
    event::{Event, EventKind},
    line::{Line, Link, Output},
    order::Order,
    position::Position,
    rules::unwinnable,
    time::Timestamp,
};
use shakmaty::{ByColor, Color, Square};

use super::script::Act;

/// The line asks for a dump when a press cannot be judged at once; so long the board takes to answer at 9600 baud, seconds.
const ANSWER: f64 = 0.08;

/// A board with its clock, and the resulting events.
pub(super) struct Bench {
    line: Line,
    /// With their times.
    pub(super) alerts: Vec<(f64, Alert)>,
    /// The last state of each alert, by its name.
    pub(super) states: BTreeMap<String, AlertState>,
    /// The moves of the last game that was reported.
    pub(super) game: String,
    /// What was said of entries, and when.
    pub(super) notes: Vec<(f64, String)>,
    pub(super) result: String,
    /// When orders were refused.
    pub(super) refused: Vec<f64>,
    placement: Placement,
    left: ByColor<f64>,
    increment: f64,
    /// What the clock adds with a player's next press, beside the increment.
    adds: ByColor<f64>,
    running: Option<Color>,
    lever: Color,
    flags: ByColor<bool>,
    blocked: ByColor<bool>,
    battery_low: bool,
    connected: bool,
    since: f64,
    /// When the board answers a question for what stands on it.
    answers_at: Option<f64>,
}

impl Bench {
    pub(super) fn new(config: &Config, start: &Position) -> Self {
        let turn = start.turn();
        let periods = config.event.time_control.as_ref().and_then(|control| control.periods().first());
        let increment = periods.map_or(0, |period| period.increment_s);
        let mut bench = Self {
            line: Line::new(config.line_settings(""), "test", 1),
            alerts: Vec::new(),
            states: BTreeMap::new(),
            game: String::new(),
            notes: Vec::new(),
            result: "*".to_owned(),
            refused: Vec::new(),
            placement: Placement::EMPTY,
            left: ByColor { white: 3600.0, black: 3600.0 },
            increment: f64::from(increment),
            adds: ByColor::default(),
            running: Some(turn),
            lever: turn,
            flags: ByColor::default(),
            blocked: ByColor::default(),
            battery_low: false,
            connected: true,
            since: 0.0,
            answers_at: None,
        };
        for square in Square::ALL {
            bench.set(square, start.board().piece_at(square));
        }
        bench.line.handle_link(Link::Up("test"), stamp(-1.0));
        bench.say(-0.5, Message::Serial("12345"));
        bench.say(-0.4, Message::BoardDump(bench.placement));
        bench
    }

    /// Applies the initial state of the scenario.
    pub(super) fn begin(&mut self, left: f64, increment: Option<f64>, stopped: Option<Color>) {
        self.increment = increment.unwrap_or(self.increment);
        self.left = ByColor { white: left, black: left };
        if let Some(side) = stopped {
            self.running = None;
            self.lever = side;
        }
    }

    pub(super) fn act(&mut self, at: f64, act: &Act) {
        self.run_to(at);
        match act {
            Act::Square(square, piece) => {
                let piece = self.set(*square, *piece);
                self.say(at, Message::FieldUpdate { field: field(*square), piece });
                return;
            }
            Act::Press(side) if self.running == Some(*side) => {
                *self.left.get_mut(*side) += self.increment + std::mem::take(self.adds.get_mut(*side));
                self.lever = !*side;
                self.running = Some(!*side);
                self.answers_at = Some(at + ANSWER);
            }
            Act::Press(_) | Act::Wait => {}
            Act::Flag { side, blocked } => {
                *self.left.get_mut(*side) = 0.0;
                *self.flags.get_mut(*side) = true;
                *self.blocked.get_mut(*side) = *blocked;
            }
            Act::Unflag(side) => *self.flags.get_mut(*side) = false,
            Act::Flags => {
                self.left = ByColor { white: 0.0, black: 0.0 };
                self.flags = ByColor { white: true, black: true };
            }
            Act::Stop => self.running = None,
            Act::Start(side) => {
                self.running = Some(*side);
                self.lever = *side;
            }
            Act::Adds(side, seconds) => *self.adds.get_mut(*side) = f64::from(*seconds),
            Act::Clock(side, seconds) => *self.left.get_mut(*side) = f64::from(*seconds),
            Act::ClockThere(there) => self.connected = *there,
            Act::ClockBattery(low) => self.battery_low = *low,
            Act::Dump => {
                self.say(at, Message::BoardDump(self.placement));
                return;
            }
            Act::Order(json) => {
                let order = Order::parse(json).unwrap_or_else(|error| panic!("{json}: {error}"));
                if self.line.handle_order(&order, stamp(at)).is_err() {
                    self.refused.push(at);
                }
                self.drain(stamp(at));
                return;
            }
            Act::Link(true) => {
                self.line.handle_link(Link::Up("test"), stamp(at));
                self.say(at, Message::BoardDump(self.placement));
            }
            Act::Link(false) => {
                self.answers_at = None;
                self.line.handle_link(Link::Down(""), stamp(at));
                self.drain(stamp(at));
                return;
            }
            Act::BoardBattery(percent) => {
                let battery = Battery {
                    percent: *percent,
                    remaining: None,
                    on: None,
                    standby: None,
                    charging: false,
                    discharging: true,
                };
                self.say(at, Message::Battery(battery));
                return;
            }
            Act::Noise(count) => {
                self.line.handle_bytes(&vec![0x5a; *count], stamp(at));
                self.drain(stamp(at));
                return;
            }
        }
        self.report(at);
    }

    /// Sends a clock report and advances the time.
    pub(super) fn tick(&mut self, at: f64) {
        self.run_to(at);
        self.report(at);
    }

    pub(super) fn finish(&mut self, at: f64) {
        self.line.finish(stamp(at));
        self.drain(stamp(at));
    }

    fn set(&mut self, square: Square, piece: Option<shakmaty::Piece>) -> dgt_protocol::Piece {
        let piece = piece.and_then(|piece| dgt_protocol::Piece::from_letter(piece.char()));
        let piece = piece.unwrap_or(dgt_protocol::Piece::Empty);
        self.placement.set(field(square), piece);
        piece
    }

    fn run_to(&mut self, at: f64) {
        if let Some(answer) = self.answers_at.take_if(|answer| *answer <= at) {
            self.say(answer, Message::BoardDump(self.placement));
        }
        if let Some(side) = self.running {
            let left = self.left.get_mut(side);
            *left = (*left - (at - self.since)).max(0.0);
        }
        self.since = at;
    }

    fn report(&mut self, at: f64) {
        let side = |side: Color| SideTime {
            time: ClockTime::from_seconds(self.left.get(side).ceil().to_string().parse().unwrap()),
            flag_shown: *self.flags.get(side),
            flag_blocked: *self.blocked.get(side),
            increment: self.increment > 0.0,
        };
        let active = if self.lever.is_white() { Side::Left } else { Side::Right };
        let report = ClockReport {
            left: side(Color::White),
            right: side(Color::Black),
            running: self.running.is_some(),
            lever: Lever::with_active(active),
            battery_low: self.battery_low,
            connected: self.connected,
            turn: TurnBits::with_active(active),
        };
        self.say(at, Message::Clock(report));
    }

    fn say(&mut self, at: f64, message: Message<'_>) {
        let mut buffer = [0; 128];
        let bytes = message.encode(&mut buffer).unwrap().to_vec();
        self.line.handle_bytes(&bytes, stamp(at));
        self.drain(stamp(at));
    }

    fn drain(&mut self, now: Timestamp) {
        while let Some(output) = self.line.poll_output() {
            match output {
                Output::Event(event) => self.take(event),
                Output::Question(question) => {
                    let answer = unwinnable::verdict(&question.position, question.winner);
                    let answer = Order::Answer { alert: question.alert, mate: answer };
                    self.line.handle_order(&answer, now).expect("an answer is never refused");
                }
                Output::Send(_) => {}
            }
        }
    }

    fn take(&mut self, event: Event) {
        if let EventKind::Alert(alert) = event.kind {
            self.states.insert(alert.id.clone(), alert.state);
            self.alerts.push((event.at.as_secs() - 1.0, *alert));
        } else if let EventKind::AlertUpdate(update) = event.kind {
            self.states.insert(update.id, update.state);
        } else if let EventKind::Entry { text, .. } = event.kind {
            self.notes.push((event.at.as_secs() - 1.0, text));
        } else if let EventKind::Game(game) = event.kind {
            self.result = game.result.to_owned();
            self.game = game.moves.iter().map(|m| m.san.as_str()).collect::<Vec<_>>().join(" ");
        }
    }
}

fn field(square: Square) -> dgt_protocol::Field {
    dgt_protocol::Field::new(u8::try_from(u32::from(square.flip_vertical())).unwrap()).unwrap()
}

fn stamp(seconds: f64) -> Timestamp {
    format!("{:.6}", seconds + 1.0).parse().unwrap()
}
