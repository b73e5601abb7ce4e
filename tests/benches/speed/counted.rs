//! Work to be counted in instructions; tests/benches/callgrind runs it.
//!
//! `speed counted PART TIMES` does one part of the work over and over, and prints how many bytes, messages, plies and
//! events it is each time. The difference between two runs with different TIMES is the work without its preparation.

use std::hint::black_box;

use dgt_protocol::Decoder;
use jadoube_core::{
    capture::{Entry, Header, Reader, Writer},
    event::{Event, EventKind},
    line::{Line, Link, Output},
    replay,
    time::Timestamp,
};

use crate::corpus::{self, Capture};

/// Does a part so many times.
pub(crate) fn work(part: &str, times: u32) {
    let (part, hall) = part.split_once('-').unwrap_or((part, "clean"));
    let captures = corpus::captures(hall);
    let (stream, messages) = corpus::stream(hall);
    let events = corpus::events(hall);
    let reads: Vec<Vec<(Timestamp, Vec<u8>)>> = captures.iter().map(Capture::received).collect();
    let mut output = Vec::with_capacity(1 << 24);
    for _ in 0..times {
        output.clear();
        match part {
            "decode" => decode(&stream),
            "read" => captures.iter().for_each(read),
            "write" => write(&reads, &mut output),
            "line" => reads.iter().for_each(|reads| line(reads)),
            "replay" => captures.iter().for_each(replay),
            "json" => json(&events, &mut output),
            other => return println!("no part {other}"),
        }
        black_box(&output);
    }
    let plies =
        events.iter().filter(|event| matches!(&event.kind, EventKind::Move(played) if played.completed));
    println!("bytes {}", if output.is_empty() { stream.len() } else { output.len() });
    println!("messages {messages}");
    println!("plies {}", plies.count());
    println!("events {}", events.len());
}

fn decode(stream: &[u8]) {
    let (mut decoder, mut input) = (Decoder::new(), black_box(stream));
    while let Some(frame) = decoder.next_frame(&mut input) {
        black_box(frame.message());
    }
}

fn read(capture: &Capture) {
    capture.for_each(|at, entry| _ = black_box((at, entry)));
}

fn write(reads: &[Vec<(Timestamp, Vec<u8>)>], output: &mut Vec<u8>) {
    for reads in black_box(reads) {
        let mut writer = Writer::new("bench", &mut *output, &Header::new()).unwrap();
        for (at, bytes) in reads {
            writer.write(*at, Entry::Received(bytes)).unwrap();
        }
    }
}

fn json(events: &[Event], output: &mut Vec<u8>) {
    for event in black_box(events) {
        event.write_json(output);
    }
}

fn line(reads: &[(Timestamp, Vec<u8>)]) {
    let mut line = Line::new(corpus::config(), "bench", 1);
    line.handle_link(Link::Up("bench"), Timestamp::ZERO);
    for (at, bytes) in black_box(reads) {
        line.handle_timeout(*at);
        line.handle_bytes(bytes, *at);
        while let Some(output) = line.poll_output() {
            if let Output::Event(event) = output {
                drop(black_box(event));
            }
        }
    }
}

fn replay(capture: &Capture) {
    let mut reader = Reader::new("bench", black_box(capture.text.as_bytes())).unwrap();
    let sink = |event: Event| drop(black_box(event));
    replay::replay(&mut reader, corpus::config(), Timestamp::MAX, sink).unwrap();
}
