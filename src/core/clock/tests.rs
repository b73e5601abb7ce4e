mod count_down;
mod exhaustive;

use dgt_protocol::{Decoder, Message};

use super::*;

/// Feeds reports as `seconds: bytes d0 … d6` and prints what the clock makes of them.
fn run(reports: &[(f64, &str)]) -> Vec<String> {
    let mut clock = ChessClock::default();
    let mut out = Vec::new();
    for (seconds, bytes) in reports {
        let now = at(*seconds);
        if let Some(due) = clock.deadline().filter(|due| *due <= now) {
            out.extend(describe(due, &clock.handle_timeout(due)));
        }
        out.extend(describe(now, &clock.handle_report(report(bytes), now)));
    }
    if let Some(due) = clock.deadline() {
        out.extend(describe(due, &clock.handle_timeout(due)));
    }
    out
}

fn at(seconds: f64) -> Timestamp {
    format!("{seconds:.3}").parse().unwrap()
}

fn report(bytes: &str) -> ClockReport {
    let text = format!("8d 00 0a {bytes}");
    let frame: Vec<u8> = text.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect();
    let mut input = frame.as_slice();
    let Message::Clock(report) = Decoder::new().next_frame(&mut input).unwrap().message() else {
        panic!("{bytes} is no clock report")
    };
    report
}

fn describe(now: Timestamp, ticks: &Ticks) -> Vec<String> {
    ticks
        .iter()
        .filter(|tick| **tick != Tick::Shows)
        .map(|tick| format!("{} {tick:?}", now.as_secs()))
        .collect()
}

#[track_caller]
fn check(reports: &[(f64, &str)], ticks: &[&str]) {
    // The first report always says that the clock is there.
    assert_eq!(run(reports).get(1..).unwrap(), ticks);
}

#[test]
fn a_press_carries_the_increment() {
    check(
        &[
            (0.0, "20 03 02 20 03 02 08"),
            (1.0, "20 03 02 20 03 02 09"),
            (4.0, "20 03 02 20 02 59 09"),
            (5.0, "20 03 02 20 03 01 13"),
            (6.0, "20 03 01 20 03 01 13"),
        ],
        &[
            "1 Started { side: Left, lever_moved: false }",
            "5 Pressed { side: Left, seen: true, increment_s: 2 }",
        ],
    );
}

#[test]
fn a_tick_hides_no_second_of_the_increment() {
    check(
        &[
            (0.0, "20 03 02 20 03 02 09"),
            (3.0, "20 03 02 20 02 59 09"),
            (4.0, "20 03 02 20 03 01 13"),
            (6.0, "20 03 00 20 03 01 13"),
            (7.0, "20 03 01 20 03 01 09"),
        ],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "4 Pressed { side: Left, seen: true, increment_s: 2 }",
            "7 Pressed { side: Right, seen: true, increment_s: 2 }",
        ],
    );
}

#[test]
fn the_turn_bits_do_not_matter() {
    check(
        &[(0.0, "20 03 02 20 03 02 11"), (1.0, "20 03 02 20 03 02 0b")],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1 Pressed { side: Left, seen: true, increment_s: 0 }",
        ],
    );
}

#[test]
fn two_presses_inside_one_poll_show_in_the_times() {
    let pair = [
        "6 Pressed { side: Right, seen: false, increment_s: 2 }",
        "6 Pressed { side: Left, seen: false, increment_s: 2 }",
    ];
    check(
        &[(0.0, "20 03 00 20 03 00 09"), (5.0, "20 03 00 20 03 02 13"), (6.0, "20 03 02 20 03 04 13")],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "5 Pressed { side: Left, seen: true, increment_s: 2 }",
            pair[0],
            pair[1],
        ],
    );
    // Without an increment a second of the wrong side says as much.
    check(
        &[(0.0, "00 03 00 00 03 00 09"), (1.0, "00 02 59 00 03 00 09")],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1 Pressed { side: Left, seen: false, increment_s: 0 }",
            "1 Pressed { side: Right, seen: false, increment_s: 0 }",
        ],
    );
}

#[test]
fn three_presses_inside_one_poll_are_three() {
    check(
        &[(0.0, "20 03 00 20 03 00 09"), (5.0, "20 03 00 20 03 02 13"), (6.0, "20 03 04 20 03 04 09")],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "5 Pressed { side: Left, seen: true, increment_s: 2 }",
            "6 Pressed { side: Right, seen: false, increment_s: 2 }",
            "6 Pressed { side: Left, seen: false, increment_s: 2 }",
            "6 Pressed { side: Right, seen: true, increment_s: 2 }",
        ],
    );
}

#[test]
fn an_arbiter_may_set_a_clock_that_stands() {
    check(
        &[
            (0.0, "20 03 02 20 03 02 09"),
            (1.0, "20 03 02 20 03 02 08"),
            (9.0, "20 05 02 20 03 02 12"),
            (12.0, "20 05 02 20 03 02 13"),
        ],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1 Stopped",
            "12 Started { side: Right, lever_moved: false }",
        ],
    );
}

#[test]
fn a_running_clock_does_not_jump() {
    // One damaged report, contradicted by the next: it never happened.
    check(
        &[(0.0, "20 03 02 20 03 02 09"), (1.0, "20 03 02 21 20 03 03"), (1.9, "20 03 02 20 03 00 09")],
        &["0 Started { side: Left, lever_moved: false }"],
    );
    // Two that agree, or one that nothing contradicts, did.
    check(
        &[(0.0, "20 03 02 20 03 02 09"), (1.0, "20 03 02 21 20 03 09"), (1.9, "20 03 02 21 20 02 13")],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1.9 Pressed { side: Left, seen: true, increment_s: 4620 }",
        ],
    );
    check(
        &[(0.0, "20 03 02 20 03 02 09"), (1.0, "20 03 02 21 20 03 08")],
        &["0 Started { side: Left, lever_moved: false }", "2.5 Stopped"],
    );
}

#[test]
fn a_lever_that_moves_without_an_increment_needs_two_reports() {
    let four_presses = [
        (0.0, "20 15 00 20 15 00 09"),
        (1.0, "20 15 00 20 15 10 13"),
        (2.0, "20 15 10 20 15 10 09"),
        (3.0, "20 15 10 20 15 20 13"),
        (4.0, "20 15 20 20 15 20 09"),
    ];
    let reported = [
        "0 Started { side: Left, lever_moved: false }",
        "1 Pressed { side: Left, seen: true, increment_s: 10 }",
        "2 Pressed { side: Right, seen: true, increment_s: 10 }",
        "3 Pressed { side: Left, seen: true, increment_s: 10 }",
        "4 Pressed { side: Right, seen: true, increment_s: 10 }",
    ];
    // A damaged byte moved it, and the next report moves it back.
    let back = [(5.0, "20 15 20 20 15 19 13"), (5.3, "20 15 20 20 15 19 09")];
    check(&[&four_presses[..], &back].concat(), &reported);
    // It stays there: this clock adds nothing any more.
    let stays = [(5.0, "20 15 20 20 15 19 13"), (6.0, "20 15 19 20 15 19 13")];
    let and_pressed = [&reported[..], &["6 Pressed { side: Left, seen: true, increment_s: 0 }"]].concat();
    check(&[&four_presses[..], &stays].concat(), &and_pressed);
}

#[test]
fn a_weak_battery_of_a_running_clock_needs_two_reports() {
    check(
        &[(0.0, "20 03 02 20 03 02 09"), (1.0, "20 03 02 20 03 01 0d"), (2.0, "20 03 02 20 03 00 09")],
        &["0 Started { side: Left, lever_moved: false }"],
    );
    check(
        &[(0.0, "20 03 02 20 03 02 09"), (1.0, "20 03 02 20 03 01 0d"), (2.0, "20 03 02 20 03 00 0d")],
        &["0 Started { side: Left, lever_moved: false }", "2 LowBattery(true)"],
    );
}

#[test]
fn flags_that_cannot_have_fallen_need_two_reports() {
    // One time has been left out, and both hours that follow look like a flag.
    check(
        &[(0.0, "20 15 53 20 15 50 09"), (1.0, "15 53 20 15 15 49 09"), (2.0, "20 15 53 20 15 48 09")],
        &["0 Started { side: Left, lever_moved: false }"],
    );
    // Ten minutes were left.
    check(
        &[(0.0, "20 10 00 20 10 00 09"), (1.0, "20 10 00 30 40 00 09"), (2.0, "20 10 00 20 09 58 09")],
        &["0 Started { side: Left, lever_moved: false }"],
    );
}

#[test]
fn a_flag_is_reported_once() {
    check(
        &[(0.0, "20 00 01 20 00 16 13"), (1.0, "30 00 00 20 00 16 12"), (2.0, "30 00 00 20 00 16 12")],
        &[
            "0 Started { side: Right, lever_moved: false }",
            "1 Stopped",
            "1 Flag { side: Right, blocked: true }",
        ],
    );
}

#[test]
fn a_new_period_comes_with_a_flag() {
    check(
        &[(0.0, "00 00 01 00 20 00 13"), (1.0, "40 30 00 00 20 00 13")],
        &["0 Started { side: Right, lever_moved: false }", "1 Flag { side: Right, blocked: false }"],
    );
}

#[test]
fn a_clock_comes_and_goes() {
    check(
        &[(0.0, "20 03 02 20 03 02 09"), (1.0, "00 00 00 00 00 00 20"), (3.0, "20 03 02 20 03 00 0d")],
        &[
            "0 Started { side: Left, lever_moved: false }",
            // It ran: one report is not enough.
            "2.5 Connected(false)",
            "3 Connected(true)",
            "3 LowBattery(true)",
            "3 Started { side: Left, lever_moved: false }",
        ],
    );
}

#[test]
fn an_inverted_lever_is_found_by_falling_times() {
    let mut clock = ChessClock::default();
    for (second, left) in (0u32..6).zip(["10", "09", "08", "07", "06", "05"]) {
        let now = Timestamp::from_micros(u64::from(second) * 1_000_000);
        clock.handle_report(report(&format!("00 03 00 00 03 {left} 13")), now);
    }
    assert_eq!(clock.running(), Some(Side::Left));
}

#[test]
fn colours_keep_their_seats() {
    let mut clock = ChessClock::default();
    clock.handle_report(report("20 03 01 20 02 59 13"), Timestamp::ZERO);
    let view = clock.view(Side::Left);
    assert_eq!((view.times, view.running), (Some(Times { white: 179, black: 181 }), Some(Color::Black)));
    let view = clock.view(Side::Right);
    assert_eq!((view.times, view.running), (Some(Times { white: 181, black: 179 }), Some(Color::White)));
}

/// On a bus a log is replayed at the pace of hands, and what its clock shows may be doubted for what took seconds.
#[test]
fn a_doubted_report_is_forgotten_at_a_later_press_in_the_log() {
    let mut clock = ChessClock::default();
    clock.handle_report(report("20 15 48 20 15 43 13"), at(0.0));
    clock.handle_report(report("20 15 44 20 15 43 13"), at(0.5));
    let side = clock.running().unwrap();
    let time = report("20 15 53 20 15 53 13").side(side).time;
    let reported: Vec<_> = clock
        .handle_stop_record(side, time, at(3.0))
        .iter()
        .flat_map(|ticks| describe(at(3.0), ticks))
        .collect();
    assert_eq!(reported, [format!("3 Pressed {{ side: {side:?}, seen: true, increment_s: 5 }}")]);
    assert_eq!(clock.deadline(), None);
}

#[test]
fn a_damaged_lever_is_no_press_where_the_next_report_is_lost() {
    check(
        &[
            (0.0, "20 55 58 21 09 14 09"),
            (0.5, "20 55 58 21 09 14 09"),
            (1.0, "20 55 58 21 09 14 13"),
            (2.0, "20 55 57 21 09 14 13"),
            (2.8, "20 55 56 21 09 14 11"),
            (4.6, "20 55 55 21 09 14 13"),
        ],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1 Pressed { side: Left, seen: true, increment_s: 0 }",
        ],
    );
}

#[test]
fn a_time_that_was_read_wrongly_and_comes_back_is_no_press() {
    check(
        &[
            (0.0, "20 02 55 20 03 03 09"),
            (1.0, "20 02 55 20 03 03 13"),
            (2.0, "20 02 54 20 03 13 13"),
            (3.0, "20 02 53 20 03 03 13"),
            (3.5, "20 02 53 20 03 03 13"),
        ],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1 Pressed { side: Left, seen: true, increment_s: 0 }",
        ],
    );
}

#[test]
fn a_damaged_lever_is_not_settled_by_another_damaged_report() {
    check(
        &[
            (0.0, "20 02 55 20 03 03 09"),
            (0.5, "20 02 55 20 03 03 09"),
            (1.0, "20 02 55 20 03 05 13"),
            (2.0, "20 02 54 20 03 05 13"),
            (3.0, "20 02 53 20 08 05 13"),
            (3.5, "20 02 55 20 03 04 0b"),
            (4.5, "20 02 55 20 03 05 13"),
        ],
        &[
            "0 Started { side: Left, lever_moved: false }",
            "1 Pressed { side: Left, seen: true, increment_s: 2 }",
        ],
    );
}
