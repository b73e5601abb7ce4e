//! Memory of a board: number of allocations, bytes in use, and that noise does not increase them without bound.
//!
//! Counted on the thread of the test, from bytes in to events out, as a port does it.
#![cfg(test)]

use std::{sync::Arc, time::Duration};

use allocation_counter::{AllocationInfo, measure};
use dgt_protocol::{ClockReport, ClockTime, Decoder, Message, Side};
use jadoube::config::Config;
use jadoube_core::settings::LineSettings;
use jadoube_core::{
    event::EventKind,
    line::{Line, Link, Output},
    time::Timestamp,
};
use jadoube_emulate::{
    games,
    random::Random,
    simulate::{self, Recorded, SimulateOptions},
    wire::Faults,
};

/// Most that a board in play may hold, bytes.
const BOARD: i64 = 48 * 1024;

/// The same on a noisy line, where many explanations of many plies are kept.
const NOISY_BOARD: i64 = 64 * 1024;

/// Most allocations for a ply, from the first square to the press, all its events included.
const PLY: u64 = 50;

/// What a board sends in a game, and when.
type Received = Vec<(Timestamp, Vec<u8>)>;

/// What a line has put out.
#[derive(Debug, Default)]
struct Counted {
    events: u32,
    sends: u32,
    plies: u32,
}

#[test]
fn a_clock_that_shows_nothing_new_allocates_nothing() {
    let (mut line, last, mut now) = in_play();
    for _ in 0..100 {
        now = now + Duration::from_millis(100);
        let mut counted = Counted::default();
        let info = measure(|| counted = take(&mut line, &last, now));
        // A dump that is asked for now and then is another matter.
        assert!(counted.sends > 0 || info.count_total == 0, "{info:?} {counted:?}");
        assert_eq!(counted.events, 0);
    }
}

#[test]
fn a_second_on_the_clock_allocates_nothing() {
    let (mut line, last, mut now) = in_play();
    let mut report = clock(&last).unwrap();
    let mut seconds = 0;
    for _ in 0..30 {
        now = now + Duration::from_secs(1);
        let side = match report.lever.active() {
            Side::Left => &mut report.left,
            Side::Right => &mut report.right,
        };
        side.time = ClockTime::from_seconds(side.time.total_seconds() - 1);
        let mut counted = Counted::default();
        let bytes = encoded(report);
        let info = measure(|| counted = take(&mut line, &bytes, now));
        assert!(counted.sends > 0 || info.count_total == 0, "{info:?} {counted:?}");
        seconds += counted.events;
    }
    assert!(seconds > 20, "the clock ran for {seconds} seconds only");
}

#[test]
fn a_ply_allocates_little() {
    let mut total = 0;
    let mut plies = 0;
    for (seed, game) in games::built_in().into_iter().enumerate() {
        let received =
            received(&SimulateOptions::new(game, "3+2".parse().unwrap(), seed.try_into().unwrap()));
        let mut counted = Counted::default();
        let info = measure(|| counted = play(&mut line(config()), &received));
        total += info.count_total;
        plies += u64::from(counted.plies);
    }
    println!("{} allocations a ply, {plies} plies", total / plies);
    assert!(total / plies <= PLY, "{} allocations a ply", total / plies);
}

#[test]
fn a_board_in_play_holds_little() {
    check_held(Faults::NONE, BOARD);
}

#[test]
fn a_board_on_a_noisy_line_holds_little() {
    check_held(Faults::NOISY, NOISY_BOARD);
}

#[track_caller]
fn check_held(faults: Faults, limit: i64) {
    let mut most = 0;
    for (seed, game) in games::built_in().into_iter().enumerate() {
        let mut options = SimulateOptions::new(game, "3+2".parse().unwrap(), seed.try_into().unwrap());
        options.faults = faults;
        let received = received(&options);
        let config = config();
        // Texts are unpacked once for all boards.
        play(&mut line(Arc::clone(&config)), &received);
        let mut held = None;
        let info = measure(|| {
            let mut line = line(config);
            play(&mut line, &received);
            held = Some(line);
        });
        most = most.max(info.bytes_current);
    }
    println!("{} KiB a board at most", most / 1024);
    assert!(most <= limit, "{most} bytes");
}

#[test]
fn hours_of_noise_do_not_grow() {
    let mut random = Random::new(1);
    let (mut line, _, mut now) = in_play();
    let mut hour = |line: &mut Line| -> AllocationInfo {
        measure(|| {
            for _ in 0..3600 {
                now = now + Duration::from_secs(1);
                let noise: [u8; 16] = std::array::from_fn(|_| random.byte());
                take(line, &noise, now);
            }
        })
    };
    // The first hour fills what is bounded.
    hour(&mut line);
    let held: i64 = (0..3).map(|_| hour(&mut line).bytes_current).sum();
    assert!(held < 4096, "three hours of noise have left {held} bytes more");
}

/// Returns a line in the middle of a game whose clock runs, the clock's last report as bytes, and the time.
fn in_play() -> (Line, Vec<u8>, Timestamp) {
    let game = games::built_in().remove(0);
    let mut received = received(&SimulateOptions::new(game, "3+2".parse().unwrap(), 1));
    received.truncate(received.len() / 2);
    let mut line = line(config());
    play(&mut line, &received);
    let last = received.iter().rev().find_map(|(_, bytes)| clock(bytes)).unwrap();
    assert!(last.running);
    (line, encoded(last), received.last().unwrap().0)
}

fn line(config: Arc<LineSettings>) -> Line {
    let mut line = Line::new(config, "port", 1);
    line.handle_link(Link::Up("port"), Timestamp::ZERO);
    line
}

fn config() -> Arc<LineSettings> {
    Config::parse("test", "", &["event.control=blitz".to_owned()]).unwrap().line_settings("")
}

fn received(options: &SimulateOptions) -> Received {
    let lines = simulate::simulate(options).lines.into_iter();
    lines
        .filter_map(|(at, line)| if let Recorded::Received(bytes) = line { Some((at, bytes)) } else { None })
        .collect()
}

/// Gives a line all that a board has sent.
fn play(line: &mut Line, received: &Received) -> Counted {
    let mut all = Counted::default();
    for (at, bytes) in received {
        let counted = take(line, bytes, *at);
        all.events += counted.events;
        all.sends += counted.sends;
        all.plies += counted.plies;
    }
    all
}

/// Gives a line what one `read` returned, and takes all it has to say.
fn take(line: &mut Line, bytes: &[u8], now: Timestamp) -> Counted {
    let mut counted = Counted::default();
    line.handle_timeout(now);
    line.handle_bytes(bytes, now);
    while let Some(output) = line.poll_output() {
        match output {
            Output::Event(event) => {
                counted.events += 1;
                counted.plies += u32::from(matches!(event.kind, EventKind::Move(played) if played.completed));
            }
            Output::Send(_) => counted.sends += 1,
            Output::Question(_) => {}
        }
    }
    counted
}

/// Returns the last report of the clock in bytes from a board.
fn clock(mut bytes: &[u8]) -> Option<ClockReport> {
    let mut decoder = Decoder::new();
    let mut last = None;
    while let Some(frame) = decoder.next_frame(&mut bytes) {
        if let Message::Clock(report) = frame.message() {
            last = Some(report);
        }
    }
    last
}

fn encoded(report: ClockReport) -> Vec<u8> {
    let mut buffer = [0; 16];
    Message::Clock(report).encode(&mut buffer).unwrap().to_vec()
}
