use super::*;
use crate::LONGEST_FRAME;
use std::{vec, vec::Vec};

/// The lengths that exist for an id, by trying them.
fn lengths(id: u8) -> Vec<usize> {
    let of_length = |length: usize| -> usize {
        let mut stream = vec![0; length];
        stream[0] = id;
        stream[1] = u8::try_from(length >> 7).unwrap();
        stream[2] = u8::try_from(length & 0x7F).unwrap();
        let mut decoder = Decoder::new();
        let mut input = &stream[..];
        core::iter::from_fn(|| decoder.next_frame(&mut input).map(|frame| frame.data.len() + 3)).sum()
    };
    (3..=600).chain(7930..=LONGEST_FRAME + 1).filter(|length| of_length(*length) == *length).collect()
}

#[test]
fn each_kind_has_its_lengths() {
    for (id, expected) in [
        (0x80, (3..=256).collect()),
        (0x86, vec![67, 103]),
        (0x8D, vec![10]),
        (0x8E, vec![5]),
        (0x8F, vec![7939]),
        (0x90, vec![5]),
        (0x91, vec![8, 12]),
        (0x92, (3..=512).collect()),
        (0x93, vec![5]),
        (0x94, vec![53]),
        (0x95, vec![53]),
        (0x96, vec![5]),
        (0xA0, (4..=16).collect()),
        (0xA2, vec![13]),
        (0xA3, (3..=256).collect()),
        (0xFF, (3..=256).collect()),
    ] {
        assert_eq!(lengths(id), expected, "{id:02X}");
    }
}

#[test]
fn no_frame_of_an_existing_length_is_malformed_by_its_length() {
    for id in 0x80..=0xFF {
        for length in (3..=600).chain(7930..=LONGEST_FRAME).filter(|length| SingleBoard::accepts(id, *length))
        {
            let data = vec![0; length - 3];
            let message = Message::decode(id, &data);
            assert!(!matches!(message, Message::Malformed { .. }), "{message:?}");
        }
    }
}

#[test]
fn one_wrong_length_costs_one_message() {
    let stream = crate::tests::hex("8E 00 05 34 00 8E 01 05 24 01 8E 00 05 0C 00");
    let mut decoder = Decoder::new();
    let mut input = &stream[..];
    let mut fields = Vec::new();
    while let Some(frame) = decoder.next_frame(&mut input) {
        fields.push(frame.data[0]);
    }
    assert_eq!(fields, [0x34, 0x0C]);
    assert_eq!((decoder.tally().noise_bytes, decoder.tally().broken), (5, 1));
}

#[test]
fn an_id_with_one_short_length_accepts_no_other() {
    for id in 0x80..=0xFF {
        let only = SingleBoard::only_length(id);
        let accepted = (0..=8000).filter(|length| SingleBoard::accepts(id, *length));
        assert!(only == SEVERAL || only <= 16 && accepted.eq([only]), "{id:#x}");
    }
}
