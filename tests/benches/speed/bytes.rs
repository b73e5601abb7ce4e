//! Input and output: decoding, reading and writing captures.

use std::{fs::File, io::Write};

use dgt_protocol::Decoder;
use divan::{
    Bencher, black_box,
    counter::{BytesCount, ItemsCount},
};
use jadoube_core::{
    capture::{Entry, Header, Reader, Writer},
    time::Timestamp,
};

use crate::corpus::{self, Capture};

/// Items are messages.
#[divan::bench(args = corpus::halls())]
fn decode(bencher: Bencher<'_, '_>, hall: &str) {
    let (stream, messages) = corpus::stream(hall);
    bencher.counter(BytesCount::of_slice(&stream)).counter(ItemsCount::new(messages)).bench(|| {
        let (mut decoder, mut input) = (Decoder::new(), black_box(&stream[..]));
        while let Some(frame) = decoder.next_frame(&mut input) {
            black_box(&frame.message());
        }
        decoder.tally()
    });
}

/// Bytes are those of the text.
#[divan::bench]
fn read_capture(bencher: Bencher<'_, '_>) {
    let captures = corpus::captures("clean");
    let length: usize = captures.iter().map(|capture| capture.text.len()).sum();
    bencher.counter(BytesCount::new(length)).bench(|| {
        for capture in captures {
            let mut reader = Reader::new("bench", black_box(capture.text.as_bytes())).unwrap();
            while let Some(record) = reader.next_record().unwrap() {
                black_box(record);
            }
        }
    });
}

/// Items are records.
#[divan::bench]
fn write_capture(bencher: Bencher<'_, '_>) {
    let records = records();
    bencher
        .counter(ItemsCount::new(records.len()))
        .with_inputs(|| Vec::with_capacity(1 << 20))
        .bench_refs(|text| write(text, &records));
}

/// Items are records; each is one `write`, and the disk gets time to take them later.
#[divan::bench]
fn write_capture_to_file(bencher: Bencher<'_, '_>) {
    let records = records();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("bench.dgtcap");
    bencher
        .counter(ItemsCount::new(records.len()))
        .with_inputs(|| File::create(&path).unwrap())
        .bench_refs(|file| write(file, &records));
}

/// Returns what one board has sent in a game.
fn records() -> Vec<(Timestamp, Vec<u8>)> {
    corpus::captures("clean").first().map(Capture::received).unwrap_or_default()
}

fn write(output: impl Write, records: &[(Timestamp, Vec<u8>)]) {
    let mut writer = Writer::new("bench", output, &Header::new()).unwrap();
    for (at, bytes) in black_box(records) {
        writer.write(*at, Entry::Received(bytes)).unwrap();
    }
}
