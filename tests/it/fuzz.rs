//! A fuzzer in this process: decoders, lines with arbitrary bytes and times, captures, orders, pairings, configurations.
//!
//! Messages to the LiveChess interface, from brokers and to the web server are tried by tests beside their code (`fuzz`).
//!
//! The corpus in `tests/fuzz` is replayed, then varied: for a moment in every test run; `JADOUBE_FUZZ_S` seconds a target or
//! `JADOUBE_FUZZ_N` times if one of them is set, whichever ends first; `JADOUBE_SEED` says which variations. What breaks is
//! printed as a Rust byte string, to be kept in the corpus. `--profile fuzz` builds what is quickest, with the checks of a debug
//! build. The decoders also have a coverage-guided fuzzer in `protocol/fuzz`, with the same corpus and invariants.
//!
//! An execution is one input that passes all checks of its target. Decoders: as what a board, a bus and a host say, whole, byte by
//! byte and in pieces, what is found encoded and decoded again; as a log, read both ways. Lines: a board or a bus is sent up to some
//! hundred messages, orders, links and pauses, then thirty seconds pass and it ends; inputs whose length is a multiple of eight are
//! reported twice. Captures are read and replayed.

use std::{sync::Arc, time::Duration};

use jadoube::{config::Config, pairings};
use jadoube_core::{
    capture::Reader,
    event::Event,
    line::{Line, Link, Output},
    order::Order,
    replay,
    time::Timestamp,
};

use self::harness::{fuzz, fuzz_from};

mod harness;
#[path = "../../protocol/tests/it/invariants.rs"]
mod invariants;

/// Outputs that one input byte may lead to, at the very most.
const MOST_OUTPUTS: usize = 4096;

/// What a line still has to report at its end takes no longer: what waits is played within this, however much it is.
const FINISHES: Duration = Duration::from_secs(10);

/// A line and the time; an input is a list of things that happen to it.
struct Driven {
    line: Line,
    now: Timestamp,
    events: Vec<Event>,
    sent: Vec<Vec<u8>>,
}

impl Driven {
    fn drain(&mut self) {
        for _ in 0..MOST_OUTPUTS {
            match self.line.poll_output() {
                None => return,
                Some(Output::Event(event)) => {
                    assert!(event.at <= self.now, "{event:?} at {}", self.now);
                    self.events.push(event);
                }
                Some(Output::Send(bytes)) => self.sent.push(bytes),
                Some(Output::Question(_)) => {}
            }
        }
        panic!("the line never stops talking");
    }

    /// Lets time pass, with every deadline at its own instant.
    fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        let mut steps = 0;
        while let Some((at, why)) = self.line.poll_timeout().filter(|(at, _)| *at <= end) {
            self.now = self.now.max(at);
            self.line.handle_timeout(self.now);
            self.drain();
            steps += 1;
            assert!(steps < 100_000, "time does not pass: {why} at {at}");
        }
        self.now = end;
    }
}

/// Drives a line: the first byte says what it is, then come operations.
fn drive(input: &[u8]) -> (Vec<Event>, Vec<Vec<u8>>) {
    let (kind, mut rest) = input.split_first().map_or((0, input), |(kind, rest)| (*kind, rest));
    let config = Arc::<jadoube_core::settings::LineSettings>::default();
    let line = if kind % 2 == 0 {
        Line::new(config, "port", 1)
    } else {
        Line::on_bus(config, "port", 1, &["01025".to_owned(), "01026".to_owned()])
    };
    let mut driven = Driven { line, now: Timestamp::ZERO, events: Vec::new(), sent: Vec::new() };
    while let [operation, argument, after @ ..] = rest {
        rest = after;
        let count = usize::from(*argument);
        let mut take = |count: usize| {
            let (piece, more) = rest.split_at(count.min(rest.len()));
            rest = more;
            piece
        };
        match operation % 10 {
            0..=2 => {
                let bytes = take(count);
                driven.line.handle_bytes(bytes, driven.now);
            }
            3 => {
                let bytes = take(count % 16);
                driven.line.handle_sent(bytes, driven.now);
            }
            // What the line wanted to send goes out.
            4 => {
                for bytes in std::mem::take(&mut driven.sent) {
                    driven.line.handle_sent(&bytes, driven.now);
                }
            }
            5 => driven.pass(Duration::from_millis(u64::from(*argument))),
            6 => driven.pass(Duration::from_millis(100 * u64::from(*argument))),
            7 => driven.line.handle_link(Link::Up("port"), driven.now),
            8 => driven.line.handle_link(Link::Down("gone"), driven.now),
            _ => {
                let order = String::from_utf8_lossy(take(count)).into_owned();
                if let Ok(order) = Order::parse(&order) {
                    let board = Order::addressee(&order.json_to("01025").unwrap());
                    driven.line.handle_order_for(board.as_deref(), &order, driven.now).unwrap_or_default();
                }
            }
        }
        driven.drain();
    }
    driven.pass(Duration::from_secs(30));
    // What it carries over is bytes that a new line takes.
    let carried = driven.line.carry_over();
    let mut next = Line::new(Arc::default(), "port", 2);
    next.handle_link(Link::Up("port"), Timestamp::ZERO);
    next.handle_bytes(&carried, Timestamp::ZERO);
    driven.line.finish(driven.now);
    // What still waits is reported at the pace of a hand.
    driven.now = driven.now + FINISHES;
    driven.drain();
    (driven.events, driven.sent)
}

#[test]
fn decoders_account_for_every_byte() {
    fuzz_from("protocol/fuzz/corpus/decode", "decode", |stream| {
        invariants::hold(stream, &[stream.len() % 13 + 1, 1]);
    });
}

#[test]
fn lines_take_everything_and_say_it_twice_alike() {
    fuzz("line", |input| {
        let first = drive(input);
        if input.len().is_multiple_of(8) {
            assert_eq!(first, drive(input));
        }
    });
}

#[test]
fn captures_are_read_or_refused() {
    fuzz("capture", |input| {
        let Ok(mut reader) = Reader::new("fuzz", input) else { return };
        // A capture may say that it lasts for years.
        let until = Timestamp::from_micros(600_000_000);
        let mut last = Timestamp::ZERO;
        let outcome = replay::replay(&mut reader, Arc::default(), until, |event| {
            assert!(event.at >= last, "time goes back");
            last = event.at;
        });
        if let Err(error) = outcome {
            assert!(error.to_string().contains("fuzz"), "{error}");
        }
    });
}

#[test]
fn orders_are_understood_or_refused() {
    fuzz("order", |input| {
        let text = String::from_utf8_lossy(input);
        assert!(
            Order::addressee(&text).is_none_or(|board| text.contains("board") && board.len() <= text.len())
        );
        if let Ok(order) = Order::parse(&text) {
            let again = order.json().unwrap();
            assert_eq!(Order::parse(&again).unwrap(), order);
            assert_eq!(Order::addressee(&order.json_to("01025").unwrap()).as_deref(), Some("01025"));
        }
    });
}

#[test]
fn pairings_are_read_or_refused() {
    fuzz("pairings", |input| {
        for round in [None, Some(3)] {
            match pairings::parse("fuzz", input, round) {
                Ok(pairings) => assert!(!pairings.games.is_empty()),
                Err(error) => assert!(error.to_string().starts_with("fuzz:"), "{error}"),
            }
        }
    });
}

#[test]
fn configurations_are_read_or_refused() {
    fuzz("config", |input| {
        let text = String::from_utf8_lossy(input);
        match Config::parse("fuzz", &text, &[]) {
            Ok(config) => drop(config.check()),
            Err(error) => {
                let said = error.to_string();
                assert!(said.contains("fuzz"), "{said}");
            }
        }
        // A key of the command line.
        let setting = text.lines().next().unwrap_or_default().to_owned();
        Config::parse("fuzz", "", &[setting]).map(drop).unwrap_or_default();
    });
}
