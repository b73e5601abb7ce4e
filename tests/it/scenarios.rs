//! Rules, told as an arbiter would: what happened on the board and at the clock, and which alerts follow.
//!
//! Every file in `tests/scenarios` is named after a code and holds scenarios:
//!
//! ```text
//! == The king is left in check                  a new scenario
//! rules 2023 standard                           edition and control; `supervised` may follow
//! fen 4k3/8/8/8/7b/8/3P4/4K2R w - - 0 1         the game starts here; without it from the initial position
//! set event.time_control=3+2                    any configuration key
//! 2.5  d2-                                      at 2.5 s d2 becomes empty
//! 2.9  d4P                                      … and on d4 stands a white pawn
//! 3.2  press white                              also: stop, start white, flag white, order {…}, clock white 60
//! ---
//! 3.2  illegal-move white 7.5.1 certain +120    the alert that hangs on what happened at 3.2 s; nothing else comes
//! game d4                                       the moves at the end, where they matter
//! ```
//!
//! White has the left side of the clock. An alert may come up to 2.5 s after what it hangs on. `+120` is the time
//! proposed, `1-0` and the like the result proposed.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::PathBuf, sync::Arc};

use dgt_protocol::{ClockReport, ClockTime, Lever, Message, Placement, Side, SideTime, TurnBits};
use jadoube::{
    alert::Alert,
    config::Config,
    event::{Event, EventKind},
    line::{Line, Link, Output},
    order::Order,
    position::Position,
    rules::unwinnable,
    time::Timestamp,
};
use shakmaty::{CastlingMode, Color, Square};

/// An alert may come this much after what it hangs on, seconds.
const LATEST: f64 = 2.5;

/// What is about equipment or only for information is told where a scenario asks for it.
const SIDE_NOTES: [&str; 8] = [
    "qpf-eligible",
    "default-time",
    "clock-stopped",
    "clock-low-battery",
    "board-link",
    "clock-link",
    "board-battery",
    "line-noise",
];

#[test]
fn scenarios_raise_their_alerts_and_no_others() {
    let mut failures = String::new();
    let mut count = 0;
    for path in files() {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        for scenario in scenarios(&fs::read_to_string(&path).unwrap()) {
            count += 1;
            if let Err(why) = scenario.check() {
                writeln!(failures, "{name}: {}\n{why}", scenario.title).unwrap();
            }
        }
    }
    assert!(count > 0, "there are no scenarios");
    assert!(failures.is_empty(), "{failures}");
}

fn files() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios");
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

struct Scenario {
    title: String,
    settings: Vec<String>,
    acts: Vec<(f64, Act)>,
    expected: Vec<Expected>,
    game: Option<String>,
}

enum Act {
    Square(Square, Option<shakmaty::Piece>),
    Press(Color),
    Flag(Color),
    Stop,
    Start(Color),
    Clock(Color, u32),
    Order(String),
}

struct Expected {
    at: f64,
    words: Vec<String>,
}

fn scenarios(text: &str) -> Vec<Scenario> {
    let blocks = text.split("\n== ").map(|block| block.trim_start_matches("== "));
    blocks.filter(|block| !block.trim().is_empty() && !block.starts_with('#')).map(Scenario::read).collect()
}

impl Scenario {
    fn read(block: &str) -> Self {
        let mut lines = block.lines();
        let mut scenario = Self {
            title: lines.next().unwrap().to_owned(),
            settings: vec!["board.scan_ms=100".into()],
            acts: Vec::new(),
            expected: Vec::new(),
            game: None,
        };
        let mut expecting = false;
        for line in lines.map(|line| line.split(" #").next().unwrap().trim()) {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words.as_slice() {
                [] => {}
                ["---"] => expecting = true,
                [first, ..] if first.starts_with('#') => {}
                ["game", moves @ ..] => scenario.game = Some(moves.join(" ")),
                ["rules", edition, control, rest @ ..] => {
                    scenario.set("event.rules", edition);
                    scenario.set("event.control", control);
                    if rest == ["supervised"] {
                        scenario.set("event.supervised", "true");
                    }
                }
                ["fen", fen @ ..] => scenario.set("game.fen", &fen.join(" ")),
                ["set", ..] => {
                    scenario.settings.push(line.trim_start_matches("set").trim().to_owned());
                }
                [time, words @ ..] if expecting => {
                    let words = words.iter().map(|word| (*word).to_owned()).collect();
                    scenario.expected.push(Expected { at: time.parse().unwrap(), words });
                }
                [time, words @ ..] => {
                    let time = time.parse().unwrap_or_else(|_| panic!("'{line}' in '{}'", scenario.title));
                    scenario.acts.extend(acts(words).into_iter().map(|act| (time, act)));
                }
            }
        }
        scenario
    }

    fn set(&mut self, key: &str, value: &str) {
        self.settings.push(format!("{key}={value}"));
    }

    fn check(&self) -> Result<(), String> {
        let (alerts, game) = self.play();
        let mut left: Vec<&(f64, Alert)> = alerts.iter().collect();
        let mut failures = Vec::new();
        for expected in &self.expected {
            match left.iter().position(|(at, alert)| expected.fits(*at, alert)) {
                Some(index) => {
                    left.remove(index);
                }
                None => failures.push(format!("  missing: {} {}", expected.at, expected.words.join(" "))),
            }
        }
        for (at, alert) in left {
            let words = describe(alert);
            if !SIDE_NOTES.contains(&words.first().unwrap().as_str()) {
                failures.push(format!("  unexpected: {at} {}", words.join(" ")));
            }
        }
        if self.game.as_ref().is_some_and(|wanted| *wanted != game) {
            failures.push(format!("  the game is: {game}"));
        }
        if failures.is_empty() { Ok(()) } else { Err(failures.join("\n") + "\n") }
    }

    /// Plays the scenario through the line that runs live; returns the alerts with their times, and the game.
    fn play(&self) -> (Vec<(f64, Alert)>, String) {
        let config = Config::parse("scenario", "", &self.settings)
            .unwrap_or_else(|error| panic!("{}: {error}", self.title));
        let fen = &config.game.fen;
        let mode = if config.game.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
        let start = if fen.is_empty() { Position::initial() } else { Position::from_fen(fen, mode).unwrap() };
        let mut bench = Bench::new(config, &start);
        let end = self.acts.last().map_or(0.0, |(at, _)| *at) + 5.0;
        let mut acts = self.acts.iter().peekable();
        let mut second = 0;
        loop {
            let tick = f64::from(second);
            match acts.next_if(|(at, _)| *at <= tick) {
                Some((at, act)) => bench.act(*at, act),
                None if tick > end => break,
                None => {
                    bench.tick(tick);
                    second += 1;
                }
            }
        }
        bench.line.finish(stamp(end));
        bench.drain(stamp(end));
        (bench.alerts, bench.game)
    }
}

fn acts(words: &[&str]) -> Vec<Act> {
    match words {
        ["press", side] => vec![Act::Press(color(side))],
        ["flag", side] => vec![Act::Flag(color(side))],
        ["stop"] => vec![Act::Stop],
        ["start", side] => vec![Act::Start(color(side))],
        ["clock", side, seconds] => vec![Act::Clock(color(side), seconds.parse().unwrap())],
        ["order", json @ ..] => vec![Act::Order(json.join(" "))],
        squares => squares.iter().map(|word| square_act(word)).collect(),
    }
}

fn square_act(word: &str) -> Act {
    let (square, piece) = word.split_at(2);
    let square = square.parse().unwrap_or_else(|_| panic!("'{word}' is no change of a square"));
    let piece = piece.chars().next().unwrap();
    Act::Square(square, (piece != '-').then(|| shakmaty::Piece::from_char(piece).unwrap()))
}

fn color(word: &str) -> Color {
    match word {
        "white" => Color::White,
        "black" => Color::Black,
        other => panic!("'{other}' is no side"),
    }
}

impl Expected {
    fn fits(&self, at: f64, alert: &Alert) -> bool {
        let words = describe(alert);
        (-0.05..=LATEST).contains(&(at - self.at)) && self.words.iter().all(|word| words.contains(word))
    }
}

/// Says an alert in the words of a scenario.
fn describe(alert: &Alert) -> Vec<String> {
    let json = serde_json::to_value(alert).unwrap();
    let text = |key: &str| json[key].as_str().unwrap_or_default().to_owned();
    let mut words = vec![text("code"), text("side"), text("article"), text("confidence")];
    let proposal = &json["proposal"];
    words.extend(proposal["add_s"].as_u64().map(|seconds| format!("+{seconds}")));
    words.extend(proposal["result"].as_str().map(str::to_owned));
    words
}

fn stamp(seconds: f64) -> Timestamp {
    format!("{:.6}", seconds + 1.0).parse().unwrap()
}

/// A board and its clock, as they speak on the wire.
struct Bench {
    line: Line,
    alerts: Vec<(f64, Alert)>,
    game: String,
    left: BTreeMap<bool, f64>,
    increment: f64,
    running: Option<Color>,
    lever: Color,
    flags: BTreeMap<bool, bool>,
    since: f64,
}

impl Bench {
    fn new(config: Config, start: &Position) -> Self {
        let turn = start.turn();
        let increment = config
            .event
            .time_control
            .as_ref()
            .and_then(|control| control.periods().first())
            .map_or(0, |period| period.increment_s);
        let mut bench = Self {
            line: Line::new(Arc::new(config), "test", 1),
            alerts: Vec::new(),
            game: String::new(),
            left: BTreeMap::from([(true, 3600.0), (false, 3600.0)]),
            increment: f64::from(increment),
            running: Some(turn),
            lever: turn,
            flags: BTreeMap::new(),
            since: 0.0,
        };
        bench.line.handle_link(Link::Up("test"), stamp(-1.0));
        bench.say(-0.5, Message::Serial("12345"));
        let mut placement = Placement::EMPTY;
        for field in dgt_protocol::Field::all() {
            let square = Square::new(u32::from(field.number())).flip_vertical();
            let piece = start
                .board()
                .piece_at(square)
                .and_then(|piece| dgt_protocol::Piece::from_letter(piece.char()));
            placement.set(field, piece.unwrap_or(dgt_protocol::Piece::Empty));
        }
        bench.say(-0.4, Message::BoardDump(placement));
        bench
    }

    fn act(&mut self, at: f64, act: &Act) {
        self.run_to(at);
        match act {
            Act::Square(square, piece) => {
                let field =
                    dgt_protocol::Field::new(u8::try_from(u32::from(square.flip_vertical())).unwrap())
                        .unwrap();
                let piece = piece.and_then(|piece| dgt_protocol::Piece::from_letter(piece.char()));
                let piece = piece.unwrap_or(dgt_protocol::Piece::Empty);
                self.say(at, Message::FieldUpdate { field, piece });
                return;
            }
            Act::Press(side) if self.running == Some(*side) => {
                *self.left.get_mut(&side.is_white()).unwrap() += self.increment;
                self.lever = !*side;
                self.running = Some(!*side);
            }
            Act::Press(_) => {}
            Act::Flag(side) => {
                self.left.insert(side.is_white(), 0.0);
                self.flags.insert(side.is_white(), true);
            }
            Act::Stop => self.running = None,
            Act::Start(side) => {
                self.running = Some(*side);
                self.lever = *side;
            }
            Act::Clock(side, seconds) => {
                self.left.insert(side.is_white(), f64::from(*seconds));
            }
            Act::Order(json) => {
                let order = Order::parse(json).unwrap();
                self.line.handle_order(&order, stamp(at)).unwrap();
                self.drain(stamp(at));
                return;
            }
        }
        self.report(at);
    }

    fn tick(&mut self, at: f64) {
        self.run_to(at);
        self.report(at);
    }

    fn run_to(&mut self, at: f64) {
        if let Some(side) = self.running {
            let left = self.left.get_mut(&side.is_white()).unwrap();
            *left = (*left - (at - self.since)).max(0.0);
        }
        self.since = at;
    }

    fn report(&mut self, at: f64) {
        let side = |white: bool| SideTime {
            time: ClockTime::from_seconds(self.left[&white].ceil().to_string().parse().unwrap()),
            flag_shown: self.flags.contains_key(&white),
            flag_blocked: false,
            increment: self.increment > 0.0,
        };
        let active = if self.lever.is_white() { Side::Left } else { Side::Right };
        let report = ClockReport {
            left: side(true),
            right: side(false),
            running: self.running.is_some(),
            lever: Lever::with_active(active),
            battery_low: false,
            connected: true,
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
            self.alerts.push((event.at.as_secs() - 1.0, *alert));
        } else if let EventKind::Game(game) = event.kind {
            self.game = game.moves.iter().map(|m| m.san.as_str()).collect::<Vec<_>>().join(" ");
        }
    }
}
