//! Every byte in every state of the decoders: none panics, none loses a byte, and the next message is whole.
//!
//! A decoder is between messages, or holds the start of one: the id; the id and half of the length; the header and some of
//! the data. What the data bytes are makes no difference before the last of them, so each state is entered once, and
//! then gets each of the 256 bytes. What has to follow is computed from lengths that are written down here again.
//! All states of short messages are entered, for all ids, and those of the shortest and the longest message beyond these of each
//! documented kind. Some are also given at once with what follows: what lies whole in the input is taken by other code.

use std::ops::RangeInclusive;

use dgt_protocol::{BusDecoder, Decoder, Tally};

/// Lengths up to this one are tried for every id, documented or not.
const SHORT: usize = 16;

/// Bytes of a message that are also given at once with what follows: a whole header, and some of the data.
const AT_ONCE: RangeInclusive<usize> = 3..=6;

/// A decoder under test.
trait Subject: Clone {
    /// Ids whose messages beyond `SHORT` are tried; the last one is undocumented.
    const LONG: &'static [u8];

    /// Whole messages, none of which may be lost behind anything.
    const MESSAGES: &'static [&'static [u8]];

    fn new() -> Self;

    /// Handles all bytes.
    fn feed(&mut self, bytes: &[u8]);

    fn tally(&self) -> Tally;

    fn pending(&self) -> usize;

    /// Returns whether there are messages of this length, header included (PROTOCOL.md).
    fn has_length(id: u8, length: usize) -> bool;

    /// Returns whether a message of such a length is right.
    fn is_right(_message: &[u8]) -> bool {
        true
    }
}

impl Subject for Decoder {
    const LONG: &'static [u8] = &[0x86, 0x8F, 0x91, 0x92, 0x94, 0xA0, 0xA2, 0x81];
    const MESSAGES: &'static [&'static [u8]] = &[
        &[0x80, 0x00, 0x03],
        &[0x8D, 0x00, 0x0A, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07],
        &[0x8E, 0x00, 0x05, 0x34, 0x01],
        &[0x91, 0x00, 0x08, 0x30, 0x31, 0x30, 0x32, 0x35],
        &[0x93, 0x00, 0x05, 0x01, 0x08],
    ];

    fn new() -> Self {
        Self::new()
    }

    fn feed(&mut self, bytes: &[u8]) {
        let mut input = bytes;
        while self.next_frame(&mut input).is_some() {}
        assert!(input.is_empty());
    }

    fn tally(&self) -> Tally {
        self.tally()
    }

    fn pending(&self) -> usize {
        self.pending()
    }

    fn has_length(id: u8, length: usize) -> bool {
        match id {
            0x86 => [67, 103].contains(&length),
            0x8D => length == 10,
            0x8E | 0x90 | 0x93 | 0x96 => length == 5,
            0x8F => length == 7939,
            0x91 => [8, 12].contains(&length),
            0x92 => (3..=512).contains(&length),
            0x94 | 0x95 => length == 53,
            0xA0 => (4..=16).contains(&length),
            0xA2 => length == 13,
            _ => (3..=256).contains(&length),
        }
    }
}

impl Subject for BusDecoder {
    const LONG: &'static [u8] = &[0x83, 0x84, 0x85, 0x89, 0x8A, 0x81];
    const MESSAGES: &'static [&'static [u8]] = &[
        // A pong and a version of board 04 01.
        &[0x87, 0x00, 0x06, 0x04, 0x01, 0x12],
        &[0x89, 0x00, 0x08, 0x04, 0x01, 0x01, 0x02, 0x19],
    ];

    fn new() -> Self {
        Self::new()
    }

    fn feed(&mut self, bytes: &[u8]) {
        let mut input = bytes;
        while self.next_reply(&mut input).is_some() {}
        assert!(input.is_empty());
    }

    fn tally(&self) -> Tally {
        self.tally()
    }

    fn pending(&self) -> usize {
        self.pending()
    }

    fn has_length(id: u8, length: usize) -> bool {
        match id {
            0x83 => [70, 106].contains(&length),
            0x84 => length == 13,
            0x85 | 0x86 | 0x8B => (6..=7942).contains(&length),
            0x87 | 0x88 => length == 6,
            0x89 => [6, 8].contains(&length),
            0x8A => length == 56,
            _ => (6..=256).contains(&length),
        }
    }

    fn is_right(message: &[u8]) -> bool {
        let (sum, covered) = message.split_last().unwrap();
        covered.iter().map(|byte| u32::from(*byte)).sum::<u32>() % 128 == u32::from(*sum)
    }
}

/// What a decoder has to have counted, and what it has to hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Expected {
    tally: Tally,
    pending: usize,
}

impl Expected {
    fn of(subject: &impl Subject) -> Self {
        Self { tally: subject.tally(), pending: subject.pending() }
    }

    /// Returns what has to be after one more byte; `held` is the start of a message, or nothing.
    fn after<S: Subject>(self, held: &mut Vec<u8>, byte: u8) -> Self {
        let Self { mut tally, .. } = self;
        let whole = |message: &[u8]| {
            let length = usize::from(*message.get(1)?) * 128 + usize::from(*message.get(2)?);
            S::has_length(message[0], length).then_some(length).or(Some(0))
        };
        if byte >= 0x80 {
            // An id begins a message, whatever was there.
            tally.noise_bytes += to_u64(held.len());
            tally.broken += u64::from(!held.is_empty());
            held.clear();
            held.push(byte);
        } else if held.is_empty() {
            tally.noise_bytes += 1;
        } else {
            held.push(byte);
            match whole(held) {
                Some(0) => {
                    tally.noise_bytes += to_u64(held.len());
                    tally.broken += 1;
                    held.clear();
                }
                Some(length) if length == held.len() => {
                    if S::is_right(held) {
                        tally.frames += 1;
                        tally.frame_bytes += to_u64(length);
                    } else {
                        tally.noise_bytes += to_u64(length);
                        tally.broken += 1;
                    }
                    held.clear();
                }
                Some(_) | None => {}
            }
        }
        Self { tally, pending: held.len() }
    }
}

/// Gives every byte, and every message, to a decoder that holds these bytes, and had no others before.
fn check<S: Subject>(subject: &S, held: &[u8]) {
    let before = Expected::of(subject);
    assert_eq!(before.pending, held.len(), "{held:02x?}");
    let mut scratch = Vec::with_capacity(held.len() + 1);
    let mut next = subject.clone();
    for byte in 0..=u8::MAX {
        scratch.clear();
        scratch.extend_from_slice(held);
        let expected = before.after::<S>(&mut scratch, byte);
        next.clone_from(subject);
        next.feed(&[byte]);
        assert_eq!(Expected::of(&next), expected, "{held:02x?}, then {byte:02x}");
        if AT_ONCE.contains(&held.len()) {
            assert_eq!(at_once::<S>(held, &[byte]), expected, "{held:02x?} and {byte:02x} at once");
        }
    }
    for message in S::MESSAGES {
        next.clone_from(subject);
        next.feed(message);
        let tally = next.tally();
        assert_eq!(
            (tally.frames, next.pending()),
            (before.tally.frames + 1, 0),
            "{held:02x?}, {message:02x?}"
        );
        if AT_ONCE.contains(&held.len()) {
            assert_eq!(
                at_once::<S>(held, message),
                Expected::of(&next),
                "{held:02x?}, {message:02x?} at once"
            );
        }
    }
}

/// Gives all to a new decoder in one piece.
fn at_once<S: Subject>(held: &[u8], then: &[u8]) -> Expected {
    let mut subject = S::new();
    subject.feed(&[held, then].concat());
    Expected::of(&subject)
}

/// Enters every state of messages of this id with a length up to `SHORT`, and of the shortest and the longest one beyond if it is
/// documented.
fn check_id<S: Subject>(id: u8) {
    let mut long = (SHORT + 1..1 << 14).filter(|length| S::LONG.contains(&id) && S::has_length(id, *length));
    let (shortest, longest) = (long.next(), long.next_back());
    let mut subject = S::new();
    subject.feed(&[id]);
    check(&subject, &[id]);
    for high in 0..0x80 {
        let mut subject = subject.clone();
        subject.feed(&[high]);
        check(&subject, &[id, high]);
    }
    for length in (4..=SHORT).chain(shortest).chain(longest).filter(|length| S::has_length(id, *length)) {
        let (high, low) = (u8::try_from(length >> 7).unwrap(), u8::try_from(length & 0x7F).unwrap());
        let mut held = vec![id, high, low];
        let mut subject = S::new();
        subject.feed(&held);
        while held.len() < length {
            check(&subject, &held);
            subject.feed(&[0x05]);
            held.push(0x05);
        }
    }
}

fn to_u64(count: usize) -> u64 {
    u64::try_from(count).unwrap()
}

/// Tries a quarter of the ids: the tests of a decoder run side by side.
fn check_quarter<S: Subject>(quarter: u8) {
    if quarter == 0 {
        check(&S::new(), &[]);
    }
    for id in (0x80..=u8::MAX).filter(|id| id % 4 == quarter) {
        check_id::<S>(id);
    }
}

#[test]
fn every_byte_in_every_state_of_a_board_first_quarter() {
    check_quarter::<Decoder>(0);
}

#[test]
fn every_byte_in_every_state_of_a_board_second_quarter() {
    check_quarter::<Decoder>(1);
}

#[test]
fn every_byte_in_every_state_of_a_board_third_quarter() {
    check_quarter::<Decoder>(2);
}

#[test]
fn every_byte_in_every_state_of_a_board_last_quarter() {
    check_quarter::<Decoder>(3);
}

#[test]
fn every_byte_in_every_state_of_a_bus_first_quarter() {
    check_quarter::<BusDecoder>(0);
}

#[test]
fn every_byte_in_every_state_of_a_bus_second_quarter() {
    check_quarter::<BusDecoder>(1);
}

#[test]
fn every_byte_in_every_state_of_a_bus_third_quarter() {
    check_quarter::<BusDecoder>(2);
}

#[test]
fn every_byte_in_every_state_of_a_bus_last_quarter() {
    check_quarter::<BusDecoder>(3);
}
