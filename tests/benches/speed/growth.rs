//! Whether the run time grows linearly with the input: `cargo bench --bench speed -- growth`.
//!
//! One board plays game after game for hours, and many boards play for an hour each; each row has twice as much of it as
//! the one before, and the last column says how much longer it took. Twice is linear.

use std::time::Duration;

use jadoube_core::{
    capture::{Entry, Header, Reader, Writer},
    replay,
    time::Timestamp,
};
use jadoube_emulate::{
    games,
    simulate::{self, Recorded, SimulateOptions},
};
use jadoube_runtime::clock::SystemClock;

use crate::corpus;

/// Between two games.
const PAUSE: Duration = Duration::from_mins(5);

/// Number of runs, of which the fastest counts, because the machine has other load.
const TRIES: usize = 5;

/// Prints the table.
pub(crate) fn print() {
    println!("one board, hour after hour    boards, an hour each");
    println!("hours      ms   times         boards      ms   times");
    let mut before = None;
    for number in [1, 2, 4, 8] {
        let long = fastest(&[evening(number, 1)]);
        let hours: Vec<String> = (0..number).map(|board| evening(1, u64::from(board) + 2)).collect();
        let many = fastest(&hours);
        let (long_ms, many_ms) = (millis(long), millis(many));
        let times = |now: f64, then: f64| format!("{:5.2}", now / then);
        let ratio =
            before.map_or((String::new(), String::new()), |(l, m)| (times(long_ms, l), times(many_ms, m)));
        println!("{number:5} {long_ms:7.2} {:>7} {number:14} {many_ms:7.2} {:>7}", ratio.0, ratio.1);
        before = Some((long_ms, many_ms));
    }
}

/// Makes the capture of a board on which people play for so many hours.
fn evening(hours: u32, seed: u64) -> String {
    let mut text = Vec::new();
    let mut writer = Writer::new("growth", &mut text, &Header::new()).unwrap();
    let mut begun = Timestamp::ZERO;
    let end = Timestamp::ZERO + Duration::from_hours(1) * hours;
    for (game, seed) in games::built_in().into_iter().cycle().zip(seed * 1000..) {
        let mut options = SimulateOptions::new(game, "3+2".parse().unwrap(), seed);
        // All games are played on one board.
        "20001".clone_into(&mut options.board.serial);
        options.board.rotated = false;
        let simulation = simulate::simulate(&options);
        let mut last = begun;
        for (at, record) in &simulation.lines {
            last = begun + at.since(Timestamp::ZERO);
            if last > end {
                return String::from_utf8(text).unwrap();
            }
            let entry = match record {
                Recorded::Open => Entry::Open("growth"),
                Recorded::Close => Entry::Close(""),
                Recorded::Sent(bytes) => Entry::Sent(bytes),
                Recorded::Received(bytes) => Entry::Received(bytes),
                Recorded::Order(json) => Entry::Order(json),
            };
            writer.write(last, entry).unwrap();
        }
        writer.write(last, Entry::Close("")).unwrap();
        begun = last + PAUSE;
    }
    String::new()
}

fn fastest(captures: &[String]) -> Duration {
    let config = corpus::config();
    let tries = (0..TRIES).map(|_| {
        let clock = SystemClock::start();
        for capture in captures {
            let mut reader = Reader::new("growth", capture.as_bytes()).unwrap();
            let mut events = 0;
            replay::replay(&mut reader, config.clone(), Timestamp::MAX, |_| events += 1).unwrap();
            std::hint::black_box(events);
        }
        clock.now().since(Timestamp::ZERO)
    });
    tries.min().unwrap_or_default()
}

fn millis(span: Duration) -> f64 {
    span.as_secs_f64() * 1000.0
}
