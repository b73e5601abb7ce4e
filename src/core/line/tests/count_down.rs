//! A clock that counts down is read as any other, although nothing but how it differs is asked.

use dgt_protocol::{ClockReport, ClockTime, Lever, Side, SideTime, TurnBits};
use proptest::prelude::*;

use super::*;

fn bytes(report: &ClockReport) -> Vec<u8> {
    let mut out = [0; 16];
    Message::Clock(*report).encode(&mut out).unwrap().to_vec()
}

/// Returns all events of a line. What the host asks depends on what is due between two reads of an instant.
fn reported(line: &mut Line) -> Vec<Output> {
    std::iter::from_fn(|| line.poll_output()).filter(|output| !matches!(output, Output::Send(_))).collect()
}

proptest! {
    #[test]
    fn a_report_in_one_read_says_what_it_says_in_two(
        steps in prop::collection::vec((0_u8..30, 0_u32..4, 0_u64..2_500), 1..120),
        cut in 1_usize..9,
    ) {
        let (mut whole, mut cut_up) = (line(), line());
        let side = SideTime { time: ClockTime::from_seconds(300), ..SideTime::default() };
        let turn = TurnBits::with_active(Side::Left);
        let mut report = ClockReport { running: true, left: side, right: side, connected: true, turn, ..ClockReport::DISCONNECTED };
        let mut now = at(2);
        for (kind, fallen, millis) in steps {
            now = now + Duration::from_millis(millis);
            let active = report.lever.active();
            let (running, other) = match active {
                Side::Left => (&mut report.left, &mut report.right),
                Side::Right => (&mut report.right, &mut report.left),
            };
            let (running_s, other_s) = (running.seconds(), other.seconds());
            running.time = ClockTime::from_seconds(running_s.saturating_sub(fallen));
            match kind {
                0 => running.time = ClockTime::from_seconds(running_s + 2),
                1 => other.time = ClockTime::from_seconds(other_s.saturating_sub(1)),
                2 => other.flag_shown = !other.flag_shown,
                3 => report.running = !report.running,
                4 => report.battery_low = !report.battery_low,
                5 => report.connected = !report.connected,
                6 | 7 => {
                    running.time = ClockTime::from_seconds(running_s + 3);
                    report.lever = Lever::with_active(active.other());
                    report.turn = TurnBits::with_active(active.other());
                }
                _ => {}
            }
            let mut read = bytes(&report);
            match kind {
                8 => read = vec![0x8E, 0x00, 0x05, 0x0C, u8::from(fallen <= 1)],
                9 => read = dump(),
                10 => read = vec![0x8D, 0x00, 0x0A, 0x2A, 0x03, 0x02, 0x2A, 0x03, 0x01, 0x13],
                11 => read.extend(bytes(&report)),
                _ => {}
            }
            for line in [&mut whole, &mut cut_up] {
                line.handle_timeout(now);
            }
            prop_assert_eq!(reported(&mut whole), reported(&mut cut_up));
            whole.handle_bytes(&read, now);
            let (first, rest) = read.split_at(cut.min(read.len() - 1));
            cut_up.handle_bytes(first, now);
            cut_up.handle_bytes(rest, now);
            prop_assert_eq!(reported(&mut whole), reported(&mut cut_up));
            prop_assert_eq!(whole.damaged(), cut_up.damaged());
            let counts = |line: &mut Line| {
                let counts = line.take_counts();
                (counts.frames().collect::<Vec<_>>(), counts.errors().collect::<Vec<_>>(), counts.noise)
            };
            prop_assert_eq!(counts(&mut whole), counts(&mut cut_up));
        }
    }
}
