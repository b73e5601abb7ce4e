use super::*;
use crate::tests::hex;

fn decode(text: &str) -> Option<ClockReport> {
    ClockReport::decode(&hex(text).try_into().unwrap())
}

/// The bytes, left and right seconds, the side whose time counts, and whether it runs.
#[track_caller]
fn check(text: &str, left: u32, right: u32, active: Side, running: bool) -> ClockReport {
    let report = decode(text).unwrap();
    assert_eq!((report.left.seconds(), report.right.seconds()), (left, right));
    assert_eq!((report.lever.active(), report.running, report.connected), (active, running, true));
    assert_eq!(report.encode().unwrap()[..], hex(text));
    report
}

#[test]
fn reports_of_a_real_clock() {
    let report = check("20 03 02 20 03 02 08", 182, 182, Side::Left, false);
    assert!(report.left.increment && report.right.increment, "the 20 is no hour");
    assert_eq!(report.turn, TurnBits::with_active(Side::Left));
    let report = check("20 03 01 20 03 01 13", 181, 181, Side::Right, true);
    assert_eq!(report.turn, TurnBits::with_active(Side::Right));
    check("20 01 46 20 01 49 12", 109, 106, Side::Right, false);
    check("01 30 00 01 29 58 09", 5398, 5400, Side::Left, true);
}

#[test]
fn flags() {
    let report = check("30 00 00 20 00 16 12", 16, 0, Side::Right, false);
    assert!(report.right.flag_blocked && !report.right.flag_shown && report.side(Side::Right).flag());
    assert!(!report.side(Side::Left).flag());
    let report = check("00 15 00 41 30 00 09", 5400, 900, Side::Left, true);
    assert!(report.left.flag_shown && !report.left.flag_blocked);
}

#[test]
fn battery_bit_leaves_the_rest_alone() {
    assert!(check("00 00 10 00 00 10 0D", 10, 10, Side::Left, true).battery_low);
}

#[test]
fn without_a_clock_no_time_is_read() {
    for text in ["00 00 00 00 00 00 20", "0F 7F 7F 0F 7F 7F 7F", "20 03 02 20 03 02 29"] {
        assert_eq!(decode(text), Some(ClockReport::DISCONNECTED));
    }
    assert_eq!(ClockReport::DISCONNECTED.encode().unwrap()[..], hex("00 00 00 00 00 00 20"));
}

#[test]
fn impossible_digits_are_refused() {
    for text in [
        "0B 00 00 00 00 00 01",
        "00 4F 00 00 00 00 01",
        "00 60 00 00 00 00 01",
        "00 00 00 00 00 60 01",
        "00 00 00 00 00 0A 01",
        "00 00 00 0C 00 00 01",
    ] {
        assert_eq!(decode(text), None, "{text}");
    }
}

#[test]
fn times_go_there_and_back() {
    for total in (0..36_000).step_by(7) {
        let time = ClockTime::from_seconds(total);
        assert_eq!(time.total_seconds(), total);
        let [hours, minutes, seconds] = time.encode().unwrap();
        assert_eq!(ClockTime::decode(hours, minutes, seconds), Some(time));
    }
    assert_eq!(ClockTime::from_seconds(u32::MAX), ClockTime { hours: 9, minutes: 59, seconds: 59 });
    for time in [(10, 0, 0), (0, 60, 0), (0, 0, 60)] {
        assert_eq!(ClockTime::new(time.0, time.1, time.2), None);
        assert_eq!(ClockTime { hours: time.0, minutes: time.1, seconds: time.2 }.encode(), None);
    }
}

#[test]
fn lever_and_sides() {
    for side in [Side::Left, Side::Right] {
        assert_eq!(Lever::with_active(side).active(), side);
        assert_eq!(side.other().other(), side);
        assert_ne!(side.other(), side);
    }
}

#[test]
fn every_byte_in_every_place_reads_as_it_does_alone() {
    let usual = [0x21, 0x59, 0x00, 0x09, 0x30, 0x08];
    for place in 0..6 {
        for byte in 0..=0xFF {
            let mut bytes = usual;
            bytes[place] = byte;
            let [rh, rm, rs, lh, lm, ls] = bytes;
            let alone = |hours: u8, minutes, seconds| ClockTime::decode(hours & 0x0F, minutes, seconds);
            let expected = alone(rh, rm, rs).zip(alone(lh, lm, ls));
            let report = ClockReport::decode(&[rh, rm, rs, lh, lm, ls, 0x01]);
            assert_eq!(report.map(|report| (report.right.time, report.left.time)), expected, "{bytes:02X?}");
        }
    }
}
