use dgt_protocol::Decoder;

use super::*;
use crate::{
    alert::Confidence,
    capture::{Entry, Reader},
    decoder::{Claimed, Completed},
};

/// Reads a recording in pieces of so many bytes, and returns what is reported of it.
fn follow(name: &str, piece: usize) -> Vec<(Timestamp, Output)> {
    let path = format!("{}/../../tests/captures/{name}.dgtcap", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read(path).unwrap();
    let mut reader = Reader::new(name, text.as_slice()).unwrap();
    let mut follower = Follower::new(&Params::DEFAULT, &Position::initial());
    let (mut decoder, mut outputs, mut end) = (Decoder::new(), Vec::new(), Timestamp::ZERO);
    while let Some(record) = reader.next_record().unwrap() {
        end = record.at;
        match record.entry {
            Entry::Open(_) => {
                decoder = Decoder::new();
                follower.handle_link_up(end);
            }
            Entry::Received(bytes) => {
                for mut chunk in bytes.chunks(piece) {
                    while let Some(frame) = decoder.next_frame(&mut chunk) {
                        follower.handle_message(&frame.message(), end);
                    }
                }
            }
            Entry::Close(_) | Entry::Sent(_) | Entry::Order(_) => {}
        }
    }
    follower.finish(end + std::time::Duration::from_secs(10));
    outputs.extend(std::iter::from_fn(|| follower.poll_output()));
    outputs
}

fn claims(outputs: &[(Timestamp, Output)]) -> Vec<(Claimed, Color, Option<Confidence>)> {
    outputs
        .iter()
        .filter_map(|(_, output)| match output {
            Output::Claim(reported) => Some((reported.claimed, reported.side, reported.word)),
            Output::Flag { .. } | Output::Game(_) => None,
        })
        .collect()
}

#[test]
fn a_pawn_left_on_its_last_rank_is_claimed() {
    let claims = claims(&follow("pawn-left", 1 << 16));
    let left = Claimed::Completed(Completed::Unreplaced);
    assert!(claims.contains(&(left, Color::White, Some(Confidence::Certain))), "{claims:?}");
}

#[test]
fn presses_do_not_depend_on_how_bytes_arrive() {
    let whole = follow("pawn-left", 1 << 16);
    assert_eq!(whole, follow("pawn-left", 1 << 16), "the same twice");
    assert_eq!(whole, follow("pawn-left", 1));
    assert!(matches!(whole.last(), Some((_, Output::Game(moves))) if moves.len() > 4));
}

#[test]
fn noise_fills_nothing_up() {
    let mut follower = Follower::new(&Params::DEFAULT, &Position::initial());
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(state >> 33).unwrap()
    };
    follower.handle_message(&Message::BoardDump(Placement::start()), Timestamp::ZERO);
    for step in 1..120_u64 {
        let field = dgt_protocol::Field::new(u8::try_from(next() % 64).unwrap()).unwrap();
        let piece = dgt_protocol::Piece::from_byte(u8::try_from(next() % 13).unwrap());
        follower
            .handle_message(&Message::FieldUpdate { field, piece }, Timestamp::from_micros(step * 100_000));
    }
    let most = 2 * Params::DEFAULT.search.beam;
    assert!(follower.effort().0 <= most && follower.outputs.len() <= WAITING);
}
