//! All stages, and the last one alone.

use divan::{
    Bencher, black_box,
    counter::{BytesCount, ItemsCount},
};
use jadoube_core::{
    capture::{Entry, Reader, Record},
    event::Event,
    line::{Line, Output},
    replay,
    time::Timestamp,
};

use crate::corpus::{self, Capture};

/// From the text of captures to events.
#[divan::bench(args = corpus::halls(), max_time = 5)]
fn replay_captures(bencher: Bencher<'_, '_>, hall: &str) {
    let (captures, config) = (corpus::captures(hall), corpus::config());
    bencher.counter(seconds(captures)).bench(|| {
        for capture in captures {
            let mut reader = Reader::new("bench", black_box(capture.text.as_bytes())).unwrap();
            let sink = |event| {
                black_box(event);
            };
            black_box(replay::replay(&mut reader, config.clone(), Timestamp::MAX, sink).unwrap());
        }
    });
}

/// From bytes to events, as a port does: what is read from captures is in memory.
#[divan::bench(args = corpus::halls(), max_time = 5)]
fn line(bencher: Bencher<'_, '_>, hall: &str) {
    let (captures, config) = (corpus::captures(hall), corpus::config());
    let inputs: Vec<Vec<(Timestamp, Vec<u8>)>> = captures.iter().map(Capture::received).collect();
    bencher.counter(seconds(captures)).bench(|| {
        for input in &inputs {
            let mut line = Line::new(config.clone(), "bench", 1);
            for (at, bytes) in input {
                take(&mut line, Record { at: *at, entry: Entry::Received(black_box(bytes)) });
            }
            black_box(line);
        }
    });
}

/// From the text of captures to JSON Lines.
#[divan::bench(args = corpus::halls(), max_time = 5)]
fn replay_to_json(bencher: Bencher<'_, '_>, hall: &str) {
    let (captures, config) = (corpus::captures(hall), corpus::config());
    bencher.counter(seconds(captures)).with_inputs(|| Vec::with_capacity(1 << 24)).bench_refs(|json| {
        for capture in captures {
            let mut reader = Reader::new("bench", black_box(capture.text.as_bytes())).unwrap();
            let sink = |event: Event| event.write_json(json);
            black_box(replay::replay(&mut reader, config.clone(), Timestamp::MAX, sink).unwrap());
        }
    });
}

/// Items are events.
#[divan::bench(args = corpus::halls(), max_time = 5)]
fn events_to_json(bencher: Bencher<'_, '_>, hall: &str) {
    let events = corpus::events(hall);
    let mut json = Vec::new();
    for event in &events {
        event.write_json(&mut json);
    }
    bencher
        .counter(BytesCount::of_slice(&json))
        .counter(ItemsCount::new(events.len()))
        .with_inputs(|| Vec::with_capacity(json.len()))
        .bench_refs(|output| {
            for event in black_box(&events) {
                event.write_json(output);
            }
        });
}

fn take(line: &mut Line, record: Record<'_>) {
    line.handle_timeout(record.at);
    replay::feed(line, record).unwrap();
    while let Some(output) = line.poll_output() {
        if let Output::Event(event) = output {
            black_box(event);
        }
    }
}

fn seconds(captures: &[Capture]) -> ItemsCount {
    ItemsCount::new(captures.iter().map(|capture| capture.seconds).sum::<u64>())
}
