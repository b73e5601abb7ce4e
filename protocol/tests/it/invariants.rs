//! Invariants for any input. The fuzzer includes this file, so it depends on the crate only.

use dgt_protocol::{
    BusDecoder, BusReply, CommandParser, Decoder, EventLog, LONGEST_FRAME, Message, Received, Records, Tally,
};

/// Decodes the stream in the given chunks and at once, and panics if an invariant does not hold.
pub(crate) fn hold(stream: &[u8], chunks: &[usize]) {
    let whole = [stream.len()];
    assert_eq!(decode(stream, chunks), decode(stream, &whole));
    assert_eq!(decode_bus(stream, chunks), decode_bus(stream, &whole));
    assert_eq!(parse(stream, chunks), parse(stream, &whole));
    read_log(stream, EventLog(stream).records_of_ring());
    read_log(stream, EventLog(stream).records());
}

/// Decodes single-board frames: every byte is accounted for, and encoding a message and decoding it gives it again.
fn decode(stream: &[u8], chunks: &[usize]) -> (Vec<u8>, Vec<usize>, Tally, usize) {
    let (mut decoder, mut second) = (Decoder::new(), Decoder::new());
    let mut out = [0; LONGEST_FRAME];
    let mut frames = Vec::new();
    let mut lengths = Vec::new();
    for mut input in cut(stream, chunks) {
        while let Some(frame) = decoder.next_frame(&mut input) {
            let message = frame.message();
            let again = message.encode(&mut out).unwrap();
            assert_eq!(Message::decode(again[0], &again[3..]), message);
            assert_eq!(second.next_frame(&mut &*again).unwrap().message(), message);
            frames.push(frame.id);
            frames.extend_from_slice(frame.data);
            lengths.push(3 + frame.data.len());
        }
        assert!(input.is_empty());
    }
    check(decoder.tally(), lengths.len(), lengths.iter().sum(), decoder.pending(), stream.len());
    (frames, lengths, decoder.tally(), decoder.pending())
}

/// Decodes bus replies under the same conditions; encoding a reply gives the same bytes again.
fn decode_bus(stream: &[u8], chunks: &[usize]) -> (Vec<u8>, Vec<usize>, Tally, usize) {
    let (mut decoder, mut second) = (BusDecoder::new(), BusDecoder::new());
    let mut out = [0; LONGEST_FRAME];
    let mut frames = Vec::new();
    let mut lengths = Vec::new();
    for mut input in cut(stream, chunks) {
        while let Some(reply) = decoder.next_reply(&mut input) {
            let again = reply.encode(&mut out).unwrap();
            assert_eq!(BusReply::decode(again[0], &again[3..again.len() - 1]), reply);
            assert_eq!(second.next_reply(&mut &*again), Some(reply));
            frames.extend_from_slice(again);
            lengths.push(again.len());
        }
        assert!(input.is_empty());
    }
    check(decoder.tally(), lengths.len(), lengths.iter().sum(), decoder.pending(), stream.len());
    (frames, lengths, decoder.tally(), decoder.pending())
}

/// Parses commands under the same conditions; the boot loader is never among them.
fn parse(stream: &[u8], chunks: &[usize]) -> (Vec<Received>, Tally, usize) {
    let mut parser = CommandParser::new();
    let mut heard = Vec::new();
    for mut input in cut(stream, chunks) {
        while let Some(received) = parser.next_command(&mut input) {
            match received {
                Received::Command(command) => check_command(&command.to_bytes(), received),
                Received::Bus(command) => check_command(&command.to_bytes(), received),
                Received::Unknown(_) | Received::Refused(_) => {}
            }
            heard.push(received);
        }
        assert!(input.is_empty());
    }
    let tally = parser.tally();
    let accepted = |received: &&Received| matches!(received, Received::Command(_) | Received::Bus(_));
    let refused = heard.iter().filter(|received| matches!(received, Received::Refused(_))).count();
    let frames = heard.iter().filter(accepted).count();
    assert_eq!((tally.frames, tally.broken), (to_u64(frames), to_u64(refused)));
    assert_eq!(tally.frame_bytes + tally.noise_bytes + to_u64(parser.pending()), to_u64(stream.len()));
    (heard, tally, parser.pending())
}

/// The bytes of a command are read as this command, and are not the boot loader's.
fn check_command(again: &[u8], received: Received) {
    assert_ne!(again.first(), Some(&0x4E));
    assert_eq!(CommandParser::new().next_command(&mut &*again), Some(received));
}

/// Log records, joined, are the log.
fn read_log(log: &[u8], records: Records<'_>) {
    let mut rest = log;
    for record in records {
        rest = rest.strip_prefix(&*record.to_bytes()).unwrap();
    }
    assert!(rest.is_empty(), "{rest:?}");
}

fn check(tally: Tally, frames: usize, frame_bytes: usize, pending: usize, all: usize) {
    assert_eq!((tally.frames, tally.frame_bytes), (to_u64(frames), to_u64(frame_bytes)));
    assert_eq!(tally.frame_bytes + tally.noise_bytes + to_u64(pending), to_u64(all));
    assert!(tally.broken <= tally.noise_bytes);
}

/// Cuts a stream into chunks of these sizes, over and over.
fn cut<'a>(mut stream: &'a [u8], chunks: &'a [usize]) -> impl Iterator<Item = &'a [u8]> {
    let mut sizes = chunks.iter().cycle();
    std::iter::from_fn(move || {
        let size = sizes.next().map_or(usize::MAX, |size| *size).clamp(1, stream.len().max(1));
        let (chunk, rest) = stream.split_at_checked(size)?;
        stream = rest;
        Some(chunk)
    })
}

fn to_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap()
}
