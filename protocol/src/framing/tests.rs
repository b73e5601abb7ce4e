use super::*;
use crate::tests::hex;
use std::vec::Vec;

/// Frames of up to 300 bytes; those of id FF end in a 01, the others as they like.
#[derive(Clone)]
struct Any;

impl Format for Any {
    fn accepts(_id: u8, length: usize) -> bool {
        length <= 300
    }

    fn is_intact(frame: &[u8]) -> bool {
        frame[0] != 0xFF || frame.last() == Some(&0x01)
    }
}

/// Decodes in chunks of every size up to `bytes.len()`; expects the same frames and the same account each time.
#[track_caller]
fn check(bytes: &str, expected: &[&str], noise: u64, broken: u64, pending: usize) {
    let bytes = hex(bytes);
    for chunk in 1..=bytes.len() {
        let mut framer = Framer::<Any>::new();
        let mut seen = Vec::new();
        for mut input in bytes.chunks(chunk) {
            while let Some(frame) = framer.next_frame(&mut input) {
                seen.push(frame.to_vec());
            }
            assert!(input.is_empty());
        }
        let tally = framer.tally();
        assert_eq!(seen, expected.iter().map(|frame| hex(frame)).collect::<Vec<_>>(), "in chunks of {chunk}");
        assert_eq!((tally.noise_bytes, tally.broken, framer.pending()), (noise, broken, pending), "{chunk}");
        assert_eq!(tally.frames, widen(seen.len()));
        assert_eq!(tally.frame_bytes, widen(seen.iter().map(Vec::len).sum()));
        assert_eq!(tally.frame_bytes + noise + widen(pending), widen(bytes.len()));
    }
}

#[test]
fn clean() {
    check("80 00 03", &["80 00 03"], 0, 0, 0);
    check("81 00 05 01 02 82 00 04 03", &["81 00 05 01 02", "82 00 04 03"], 0, 0, 0);
    check("81 01 02 07*127 82 00 03", &["81 01 02 07*127", "82 00 03"], 0, 0, 0);
}

#[test]
fn noise_around_frames() {
    check("01 02 81 00 04 05 06 07 82 00 03 08", &["81 00 04 05", "82 00 03"], 5, 0, 0);
    check("00*40", &[], 40, 0, 0);
}

#[test]
fn an_id_cuts_the_frame_before_it_at_any_place() {
    for start in ["81", "81 00", "81 00 06", "81 00 06 01", "81 00 06 01 02"] {
        let noise = widen(hex(start).len());
        check(&std::format!("{start} 82 00 04 05"), &["82 00 04 05"], noise, 1, 0);
    }
    check("81 81 81 82 00 03", &["82 00 03"], 3, 3, 0);
}

#[test]
fn impossible_lengths_are_refused_with_the_header() {
    for length in ["00 00", "00 02", "03 00", "7F 7F"] {
        check(&std::format!("81 {length} 01 02 82 00 03"), &["82 00 03"], 5, 1, 0);
    }
}

#[test]
fn a_frame_that_is_not_intact_is_dropped_whole() {
    check("FF 00 05 01 02 FF 00 05 02 01", &["FF 00 05 02 01"], 5, 1, 0);
    check("FF 00 05 01 02 01 80 00 03", &["80 00 03"], 6, 1, 0);
}

#[test]
fn an_unfinished_frame_is_pending() {
    for (start, pending) in [("82", 1), ("82 00", 2), ("82 00 06", 3), ("82 00 06 01 02", 5)] {
        check(&std::format!("80 00 03 {start}"), &["80 00 03"], 0, 0, pending);
    }
}

#[test]
fn what_is_overdue_is_broken_and_what_was_unplugged_is_not() {
    check_giving_up(Framer::discard_pending, 1);
    check_giving_up(Framer::reset, 0);
}

fn check_giving_up(give_up: fn(&mut Framer<Any>), broken: u64) {
    let mut framer = Framer::new();
    assert_eq!(framer.next_frame(&mut &hex("81 00 06 01")[..]), None);
    for _ in 0..2 {
        give_up(&mut framer);
        let tally = Tally { frames: 0, frame_bytes: 0, noise_bytes: 4, broken };
        assert_eq!((framer.tally(), framer.pending()), (tally, 0));
    }
    assert_eq!(framer.next_frame(&mut &hex("02 03 82 00 03")[..]), Some(&hex("82 00 03")[..]));
}

#[test]
fn a_whole_frame_is_lent_from_the_input() {
    let bytes = hex("05 81 00 04 01");
    let mut framer = Framer::<Any>::new();
    let frame = framer.next_frame(&mut &bytes[..]).unwrap();
    assert!(core::ptr::eq(frame, &raw const bytes[1..]));
}

#[test]
fn a_whole_frame_is_taken_only_from_the_front() {
    let taken = |bytes: &str| {
        let bytes = hex(bytes);
        let (mut framer, mut input) = (Framer::<Any>::new(), &bytes[..]);
        let frame = framer.whole_frame(&mut input).map(<[u8]>::len);
        assert_eq!(input.len() + frame.unwrap_or(0), bytes.len());
        assert_eq!((framer.tally().frame_bytes, framer.pending()), (widen(frame.unwrap_or(0)), 0));
        frame
    };
    assert_eq!(taken("81 00 04 01 02 82"), Some(4));
    assert_eq!(taken("81 00 14 01*17 82 00 03"), Some(20));
    for other in
        ["", "81", "81 00 04", "05 81 00 04 01", "81 00 05 01 82 00 03", "81 03 00 01*400", "FF 00 04 02"]
    {
        assert_eq!(taken(other), None, "{other}");
    }
    let mut framer = Framer::<Any>::new();
    assert_eq!(framer.next_frame(&mut &hex("81 00")[..]), None);
    assert_eq!(framer.whole_frame(&mut &hex("82 00 03")[..]), None, "one is held");
}

#[test]
fn debug_is_short() {
    let mut framer = Framer::<Any>::new();
    framer.next_frame(&mut &hex("81 00 06")[..]);
    let text = std::format!("{framer:?}");
    assert!(text.contains("held: [129, 0, 6]") && text.len() < 200, "{text}");
}
