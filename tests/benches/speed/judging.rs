//! Tracker and rules, each alone.
//!
//! Both get what they got in a replay of the same captures, as far as its events report.

use std::time::Duration;

use divan::{Bencher, black_box, counter::ItemsCount};
use jadoube_core::{
    clock::ClockView,
    event::{Event, EventKind},
    fact::Fact,
    game::Game,
    laws::EventSettings,
    position::Position,
    rules::{Context, Notice, Referee},
    time::Timestamp,
    tracker::{Press, Tracker, Tuning},
};
use shakmaty::{CastlingMode, Color, Piece, Square};

use crate::corpus;

/// Duration of a scan and of the wait for late changes, milliseconds.
const TUNING_MS: (u32, u32) = (225, 500);

/// An input of the tracker.
#[derive(Clone, Debug)]
enum Input {
    Square(Square, Option<Piece>),
    Press(Press),
    Running(Option<Color>),
    Start(Box<Position>),
}

/// An input of the rules.
#[derive(Debug)]
struct Judging {
    facts: Vec<Fact>,
    game: Game,
    clock: ClockView,
    at: Timestamp,
}

/// From squares and presses to facts.
#[divan::bench(args = corpus::halls(), max_time = 5)]
fn track(bencher: Bencher<'_, '_>, hall: &str) {
    let inputs: Vec<_> = corpus::captures(hall).iter().map(|capture| inputs(&capture.events())).collect();
    bencher.counter(seconds(hall)).bench(|| {
        for inputs in &inputs {
            follow(black_box(inputs), |tracker, _| {
                tracker.take_facts().for_each(|fact| drop(black_box(fact)));
            });
        }
    });
}

/// From facts to alerts.
#[divan::bench(args = corpus::halls(), max_time = 5)]
fn judge(bencher: Bencher<'_, '_>, hall: &str) {
    let judgings: Vec<Vec<Judging>> =
        corpus::captures(hall).iter().map(|capture| judgings(&capture.events())).collect();
    let event = std::sync::Arc::new(EventSettings::default());
    bencher.counter(seconds(hall)).bench(|| {
        for judgings in &judgings {
            let mut referee = Referee::new(event.clone(), TUNING_MS.0, TUNING_MS.1);
            let mut notices: Vec<Notice> = Vec::new();
            for Judging { facts, game, clock, at } in black_box(judgings) {
                let sensed = game.position().board();
                let context = Context { board: "bench", game, clock, sensed, now: *at };
                for fact in facts {
                    referee.handle(fact, &context, &mut notices);
                }
                if referee.deadline().is_some_and(|(due, _)| due <= *at) {
                    referee.handle_timeout(&context, &mut notices);
                }
                black_box(&notices);
                notices.clear();
            }
        }
    });
}

/// Feeds a tracker with the inputs of a capture, and polls it after each.
fn follow(inputs: &[(Timestamp, Input)], mut look: impl FnMut(&mut Tracker, Timestamp)) {
    let (scan, settle) = TUNING_MS;
    let mut tracker = Tracker::new(Tuning {
        scan: Duration::from_millis(scan.into()),
        settle: Duration::from_millis(settle.into()),
        measured: None,
    });
    let mut games = 0;
    for (now, input) in inputs {
        while let Some((at, _)) = tracker.deadline().filter(|(at, _)| at <= now) {
            tracker.handle_timeout(at);
            look(&mut tracker, at);
        }
        match input {
            Input::Square(square, piece) => tracker.handle_square(*square, *piece, false, *now),
            Input::Press(press) => tracker.handle_press(*press, *now),
            Input::Running(running) => tracker.handle_running(*running, *now),
            Input::Start(position) => {
                games += 1;
                tracker.start(games, Position::clone(position));
            }
        }
        look(&mut tracker, *now);
    }
}

/// Derives the inputs of the tracker from the events of a replay.
#[expect(clippy::wildcard_enum_match_arm, reason = "most events mean nothing to a tracker")]
fn inputs(events: &[Event]) -> Vec<(Timestamp, Input)> {
    let mut inputs = Vec::new();
    for event in events {
        let input = match &event.kind {
            EventKind::Lift { square, .. } => Input::Square(*square, None),
            EventKind::Place { square, piece } => Input::Square(*square, Some(*piece)),
            EventKind::Press { side, clock } => Input::Press(Press {
                side: *side,
                at: event.at,
                up_at: None,
                seen: true,
                increment_s: 0,
                clock: Some(*clock),
            }),
            EventKind::Clock { running, .. } => Input::Running(*running),
            EventKind::GameStart { fen, .. } => {
                Input::Start(Box::new(Position::from_fen(fen, CastlingMode::Standard).unwrap()))
            }
            _ => continue,
        };
        inputs.push((event.at, input));
    }
    inputs
}

/// Records the facts of a tracker, and the other inputs of the rules.
fn judgings(events: &[Event]) -> Vec<Judging> {
    let views: Vec<(Timestamp, ClockView)> = events.iter().filter_map(view).collect();
    let mut judgings = Vec::new();
    follow(&inputs(events), |tracker, at| {
        let facts: Vec<Fact> = tracker.take_facts().collect();
        if facts.is_empty() {
            return;
        }
        let shown = views.partition_point(|(then, _)| *then <= at).checked_sub(1);
        let clock = shown.and_then(|index| views.get(index)).map(|(_, view)| *view).unwrap_or_default();
        let game = tracker.game().cloned().unwrap_or_else(|| Game::new(0, Position::initial()));
        judgings.push(Judging { facts, game, clock, at });
    });
    judgings
}

fn view(event: &Event) -> Option<(Timestamp, ClockView)> {
    let EventKind::Clock { clock, running, connected, low_battery } = &event.kind else { return None };
    let view = ClockView {
        times: *clock,
        running: *running,
        connected: *connected,
        low_battery: *low_battery,
        ..ClockView::default()
    };
    Some((event.at, view))
}

fn seconds(hall: &str) -> ItemsCount {
    ItemsCount::new(corpus::captures(hall).iter().map(|capture| capture.seconds).sum::<u64>())
}
