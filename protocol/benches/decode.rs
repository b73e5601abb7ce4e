//! Throughput of a decoder on clean streams, noisy streams, and single bytes.

use dgt_protocol::{Command, CommandParser, Decoder};
use divan::{Bencher, black_box, counter::BytesCount};

const UPDATE: [u8; 5] = [0x8E, 0x00, 0x05, 0x24, 0x01];
const CLOCK: [u8; 10] = [0x8D, 0x00, 0x0A, 0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13];
const STREAM: usize = 1 << 20;

fn main() {
    divan::main();
}

#[divan::bench]
fn clean_updates(bencher: Bencher<'_, '_>) {
    run(bencher, &UPDATE.repeat(STREAM / 5), STREAM, count_frames);
}

#[divan::bench]
fn clean_clock(bencher: Bencher<'_, '_>) {
    run(bencher, &CLOCK.repeat(STREAM / 10), STREAM, count_frames);
}

#[divan::bench]
fn clean_mixed(bencher: Bencher<'_, '_>) {
    run(bencher, &mixed(), STREAM, count_frames);
}

#[divan::bench]
fn clean_updates_to_messages(bencher: Bencher<'_, '_>) {
    run(bencher, &UPDATE.repeat(STREAM / 5), STREAM, make_messages);
}

#[divan::bench]
fn clean_clock_to_messages(bencher: Bencher<'_, '_>) {
    run(bencher, &CLOCK.repeat(STREAM / 10), STREAM, make_messages);
}

#[divan::bench]
fn clean_mixed_to_messages(bencher: Bencher<'_, '_>) {
    run(bencher, &mixed(), STREAM, make_messages);
}

#[divan::bench]
fn dumps(bencher: Bencher<'_, '_>) {
    let dump: Vec<u8> = [0x86, 0x00, 0x43].into_iter().chain([0x01; 64]).collect();
    run(bencher, &dump.repeat(STREAM / 67), STREAM, count_frames);
}

/// One byte in a hundred is changed at random.
#[divan::bench]
fn noisy(bencher: Bencher<'_, '_>) {
    let mut stream = mixed();
    let mut random = Random(1);
    for byte in &mut stream {
        if random.next().is_multiple_of(100) {
            *byte = random.next().to_le_bytes()[0];
        }
    }
    run(bencher, &stream, STREAM, count_frames);
}

#[divan::bench]
fn pure_noise(bencher: Bencher<'_, '_>) {
    let mut random = Random(2);
    let stream: Vec<u8> = (0..STREAM).map(|_| random.next().to_le_bytes()[0]).collect();
    run(bencher, &stream, STREAM, count_frames);
}

#[divan::bench]
fn one_byte_at_a_time(bencher: Bencher<'_, '_>) {
    run(bencher, &mixed(), 1, count_frames);
}

#[divan::bench]
fn commands(bencher: Bencher<'_, '_>) {
    let stream = Command::SendBoard.to_bytes().repeat(STREAM);
    bencher.counter(BytesCount::of_slice(&stream)).bench(|| {
        let mut parser = CommandParser::new();
        let mut input = black_box(&*stream);
        while let Some(received) = parser.next_command(&mut input) {
            black_box(received);
        }
    });
}

fn run(bencher: Bencher<'_, '_>, stream: &[u8], chunk: usize, decode: fn(&mut Decoder, &[u8])) {
    bencher.counter(BytesCount::of_slice(stream)).bench(|| {
        let mut decoder = Decoder::new();
        for piece in black_box(stream).chunks(chunk) {
            decode(&mut decoder, piece);
        }
        decoder.tally()
    });
}

fn count_frames(decoder: &mut Decoder, mut input: &[u8]) {
    let mut sum = 0u64;
    while let Some(frame) = decoder.next_frame(&mut input) {
        sum += u64::from(frame.id) ^ frame.data.iter().take(1).map(|&byte| u64::from(byte)).sum::<u64>();
    }
    black_box(sum);
}

fn make_messages(decoder: &mut Decoder, mut input: &[u8]) {
    while let Some(frame) = decoder.next_frame(&mut input) {
        black_box(&frame.message());
    }
}

/// A stream of both kinds of frames in an order that no branch predictor learns.
fn mixed() -> Vec<u8> {
    let mut random = Random(3);
    let mut stream = Vec::with_capacity(STREAM + 10);
    while stream.len() < STREAM {
        stream.extend_from_slice(if random.next().is_multiple_of(2) { &UPDATE[..] } else { &CLOCK });
    }
    stream
}

/// A xorshift generator: the same numbers on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
