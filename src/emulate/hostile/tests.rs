use dgt_protocol::{Decoder, Message};

use super::*;
use jadoube_core::time::Timestamp;
use std::time::Duration;

/// What a board says in its first seconds when it is asked for its number and its pieces, and how often its line changes.
fn said(kind: HostileKind, seconds: u64) -> (Vec<u8>, usize) {
    let mut board = HostileBoard::new(kind, "01025".to_owned(), 1, Timestamp::ZERO);
    board.handle_command_bytes(&[0x45, 0x42]);
    let mut bytes = Vec::new();
    let mut changes = 0;
    let mut now = Timestamp::ZERO;
    while now < Timestamp::ZERO + Duration::from_secs(seconds) {
        board.handle_timeout(now);
        bytes.extend(std::iter::from_fn(|| board.poll_output()).flatten());
        changes += std::iter::from_fn(|| board.poll_line()).count();
        now = now + Duration::from_millis(5);
    }
    (bytes, changes)
}

#[test]
fn each_kind_does_what_it_is_named_for_within_its_line() {
    for kind in HostileKind::ALL {
        let (bytes, changes) = said(kind, 10);
        let per_second = bytes.len() / 10;
        let says_nothing = [HostileKind::Silent, HostileKind::Hang, HostileKind::Reset];
        let (least, most) = if kind == HostileKind::Flood {
            (900_000, 1_000_100)
        } else if says_nothing.contains(&kind) {
            (0, 0)
        } else {
            (1, 1010)
        };
        assert!((least..=most).contains(&per_second), "{}: {per_second} bytes a second", kind.name());
        let expected = [(HostileKind::Reopening, 200), (HostileKind::Reset, 1)];
        let expected = expected.iter().find(|(of, _)| *of == kind).map_or(0, |(_, count)| *count);
        assert_eq!(changes, expected, "{}", kind.name());
        assert_eq!(kind.name().parse::<HostileFault>().unwrap().kind, kind);
    }
}

#[test]
fn what_they_say_is_in_whole_messages() {
    let wrong = [HostileKind::RandomBytes, HostileKind::SerialText];
    for kind in HostileKind::ALL.into_iter().filter(|kind| !wrong.contains(kind)) {
        let (bytes, _) = said(kind, 3);
        let mut decoder = Decoder::new();
        let mut rest = bytes.as_slice();
        let mut messages = 0;
        while let Some(frame) = decoder.next_frame(&mut rest) {
            let garbage =
                matches!(frame.message(), Message::Malformed { .. }) && kind != HostileKind::ClockGarbage;
            assert!(!garbage, "{}", kind.name());
            messages += 1;
        }
        assert_eq!(messages == 0, bytes.is_empty(), "{}", kind.name());
        assert_eq!(decoder.pending(), 0, "{}", kind.name());
    }
}

#[test]
fn boards_are_chosen_by_number_or_from_the_last_one_on() {
    let shared = |texts: &[&str], boards| {
        let faults: Vec<HostileFault> = texts.iter().map(|text| text.parse().unwrap()).collect();
        let shared = HostileFault::shared_out(&faults, boards)?;
        Some(shared.iter().map(|fault| fault.map_or("", |fault| fault.kind.name())).collect::<Vec<_>>())
    };
    assert_eq!(shared(&["flood", "reset"], 4), Some(vec!["", "", "flood", "reset"]));
    assert_eq!(shared(&["flood", "reset:4@9", "hang:1"], 4), Some(vec!["hang", "", "flood", "reset"]));
    assert_eq!(shared(&["flood:5"], 4), None);
    assert_eq!(shared(&["flood:1", "hang:1"], 4), None);
    assert_eq!(shared(&["flood", "hang"], 1), None);
    let fault: HostileFault = "press-every-scan:2@60".parse().unwrap();
    assert_eq!((fault.board, fault.after), (Some(2), Duration::from_mins(1)));
    for wrong in ["melt", "flood:0", "flood:x", "flood@", "flood:1@-1", ""] {
        let error = wrong.parse::<HostileFault>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("'{wrong}' is no kind of board")), "{error}");
    }
}
