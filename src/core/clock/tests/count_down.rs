//! What costs only a comparison comes to what the whole of it would.

use dgt_protocol::{ClockTime, SideTime, TurnBits};
use proptest::prelude::*;

use super::*;

/// A report that is much like the one before it, as far as these numbers say.
fn next(before: ClockReport, kind: u8, fallen: u8) -> ClockReport {
    let mut next = before;
    let active = next.lever.active();
    let side = match (kind, active) {
        (1, Side::Left) | (0 | 2.., Side::Right) => &mut next.right,
        _ => &mut next.left,
    };
    let seconds = side.seconds().saturating_sub(fallen.into());
    side.time = ClockTime::from_seconds(if kind == 2 { side.seconds() + 2 } else { seconds });
    match kind {
        3 => next.lever = Lever::with_active(active.other()),
        4 => next.running = !next.running,
        5 => next.battery_low = !next.battery_low,
        6 => next.turn = TurnBits::with_active(active.other()),
        7 => next.left.flag_shown = !next.left.flag_shown,
        8 => next.right.increment = !next.right.increment,
        9 => next = ClockReport::DISCONNECTED,
        10 => next.turn = TurnBits::with_active(next.lever.active()),
        _ => {}
    }
    next
}

proptest! {
    #[test]
    fn a_clock_that_counts_down_is_read_as_any_other(
        steps in prop::collection::vec((0_u8..24, 0_u8..6, 0_u64..3_000_000), 1..80),
        inverted: bool,
        left: bool,
    ) {
        let white = if left { Side::Left } else { Side::Right };
        let mut quick = ChessClock { inverted, ..ChessClock::default() };
        let mut whole = quick.clone();
        let time = SideTime { time: ClockTime::from_seconds(300), ..SideTime::default() };
        let mut report = ClockReport {
            right: time,
            left: time,
            running: true,
            lever: Lever::LeftUp,
            battery_low: false,
            connected: true,
            turn: TurnBits::with_active(Side::Left),
        };
        let mut now = Timestamp::ZERO;
        for (kind, fallen, micros) in steps {
            now = now + std::time::Duration::from_micros(micros);
            report = if report.connected { next(report, kind, fallen) } else { ClockReport { running: true, connected: true, ..report } };
            if let Some(due) = whole.deadline().filter(|due| *due <= now) {
                prop_assert_eq!(quick.handle_timeout(due), whole.handle_timeout(due));
            }
            let expected = whole.handle_report(report, now);
            let due = quick.deadline();
            match quick.count_down(&report, white, now) {
                None => prop_assert_eq!(quick.handle_report(report, now), expected),
                Some((shows, countdown)) => {
                    prop_assert_eq!(countdown.view, whole.view(white));
                    prop_assert_eq!(Some(countdown.side), whole.running());
                    let ticks: &[Tick] = if shows { &[Tick::Shows] } else { &[] };
                    prop_assert_eq!(ticks, &*expected);
                    prop_assert_eq!(quick.deadline(), due);
                }
            }
            prop_assert_eq!(format!("{quick:?}"), format!("{whole:?}"));
        }
    }
}

#[test]
fn most_reports_cost_a_comparison() {
    let mut clock = ChessClock::default();
    let mut shows = |seconds, bytes| {
        let report = report(bytes);
        let reported = clock.count_down(&report, Side::Left, at(seconds)).map(|(shows, _)| shows);
        if reported.is_none() {
            clock.handle_report(report, at(seconds));
        }
        reported
    };
    assert_eq!(shows(0.0, "20 03 02 20 03 02 09"), None);
    assert_eq!(shows(1.0, "20 03 02 20 03 01 09"), None, "its turn bits are not known yet");
    assert_eq!(shows(2.0, "20 03 02 20 03 00 09"), Some(true));
    assert_eq!(shows(2.5, "20 03 02 20 03 00 09"), Some(false));
    assert_eq!(shows(3.0, "20 03 02 20 03 04 13"), None, "a press");
    assert_eq!(shows(4.0, "20 03 02 20 03 03 13"), None, "the other time");
}
