use super::*;
use dgt_protocol::Message;

fn blitz() -> ChessClock {
    let control = "3+2".parse().expect("a time control");
    ChessClock::new(&control, Side::Left, Speed::REAL, Timestamp::ZERO)
}

fn at(seconds: f64) -> Timestamp {
    Timestamp::ZERO + Duration::from_secs_f64(seconds)
}

fn check(clock: &ChessClock, seconds: f64, expect: [u8; 7]) {
    let mut frame = [0; 10];
    let bytes = Message::Clock(clock.report(at(seconds))).encode(&mut frame).expect("a report");
    assert_eq!(bytes[3..], expect, "at {seconds} s: {bytes:02x?}");
}

/// The examples of protocol section 3.4, bytes of a real clock.
#[test]
fn a_fischer_clock_says_what_a_real_one_says() {
    let mut clock = blitz();
    check(&clock, 0.0, [0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x08]);
    clock.start(at(1.0));
    check(&clock, 1.0, [0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x09]);
    check(&clock, 2.0, [0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x09]);
    check(&clock, 4.0, [0x20, 0x03, 0x02, 0x20, 0x02, 0x59, 0x09]);
    assert!(clock.press(Side::Left, at(4.0)));
    check(&clock, 4.0, [0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13]);
    check(&clock, 5.0, [0x20, 0x03, 0x01, 0x20, 0x03, 0x01, 0x13]);
    assert!(clock.press(Side::Right, at(5.0)));
    check(&clock, 5.0, [0x20, 0x03, 0x03, 0x20, 0x03, 0x01, 0x09]);
    clock.stop(at(5.5));
    check(&clock, 60.0, [0x20, 0x03, 0x03, 0x20, 0x03, 0x01, 0x08]);
}

#[test]
fn a_press_on_the_side_that_is_down_does_nothing() {
    let mut clock = blitz();
    clock.start(at(0.0));
    assert!(!clock.press(Side::Right, at(3.0)));
    check(&clock, 3.0, [0x20, 0x03, 0x02, 0x20, 0x02, 0x59, 0x09]);
}

#[test]
fn a_lever_moved_on_a_clock_that_stands_wins_no_increment() {
    let mut clock = blitz();
    assert!(clock.press(Side::Left, at(3.0)));
    check(&clock, 3.0, [0x20, 0x03, 0x02, 0x20, 0x03, 0x02, 0x12]);
}

#[test]
fn the_flag_blocks_both_times() {
    let mut clock = blitz();
    clock.start(at(0.0));
    assert_eq!(clock.flag_fall(at(10.0)), Some(at(182.0)));
    check(&clock, 181.999, [0x20, 0x03, 0x02, 0x20, 0x00, 0x01, 0x09]);
    check(&clock, 182.0, [0x20, 0x03, 0x02, 0x30, 0x00, 0x00, 0x08]);
    clock.start(at(200.0));
    assert_eq!(clock.running(at(200.0)), None);
    assert_eq!(clock.flag_fall(at(200.0)), None);
}

#[test]
fn another_period_follows_with_the_flag_shown() {
    let control = "40/10+1:60".parse().expect("a time control");
    let mut clock = ChessClock::new(&control, Side::Right, Speed::REAL, Timestamp::ZERO);
    clock.start(at(0.0));
    check(&clock, 10.5, [0x20, 0x00, 0x01, 0x20, 0x00, 0x11, 0x13]);
    check(&clock, 12.0, [0x40, 0x00, 0x59, 0x20, 0x00, 0x11, 0x13]);
    assert_eq!(clock.flag_fall(at(12.0)), Some(at(71.0)));
    assert_eq!(clock.flag_fall(at(1.0)), Some(at(71.0)));
    check(&clock, 71.0, [0x10, 0x00, 0x00, 0x20, 0x00, 0x11, 0x12]);
}

#[test]
fn an_arbiter_sets_times_and_lever() {
    let mut clock = blitz();
    clock.start(at(0.0));
    clock.press(Side::Left, at(2.0));
    clock.stop(at(5.0));
    clock.set(Side::Right, Duration::from_secs(299), at(6.0));
    clock.set_lever(Side::Left, at(7.0));
    check(&clock, 9.0, [0x20, 0x04, 0x59, 0x20, 0x03, 0x02, 0x08]);
    clock.start(at(9.0));
    check(&clock, 10.0, [0x20, 0x04, 0x59, 0x20, 0x03, 0x01, 0x09]);
}

#[test]
fn a_fast_hall_has_a_fast_clock() {
    let control: TimeControl = "3+0".parse().expect("a time control");
    let speed = Speed::new(10.0).expect("a speed");
    let mut clock = ChessClock::new(&control, Side::Left, speed, Timestamp::ZERO);
    clock.start(at(0.0));
    check(&clock, 6.0, [0x00, 0x03, 0x00, 0x00, 0x02, 0x00, 0x09]);
    assert_eq!(clock.flag_fall(at(6.0)), Some(at(18.0)));
}
