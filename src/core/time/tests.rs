use super::*;

#[track_caller]
fn check(text: &str, micros: Option<u64>) {
    assert_eq!(text.parse::<Timestamp>().ok(), micros.map(Timestamp::from_micros), "{text}");
}

#[test]
fn reads_seconds_with_up_to_six_decimals() {
    check("0", Some(0));
    check("0.000001", Some(1));
    check("12.345678", Some(12_345_678));
    check("12.3", Some(12_300_000));
    check("3600.", Some(3_600_000_000));
}

#[test]
fn refuses_what_is_no_time() {
    for text in ["", ".5", "-1", "+1", "1e3", "1.2345678", "1,5", " 1", "99999999999999999999"] {
        check(text, None);
    }
}

#[test]
fn prints_what_it_reads() {
    assert_eq!(Timestamp::from_micros(12_345_678).to_string(), "12.345678");
    assert_eq!(Timestamp::from_micros(5).to_string(), "0.000005");
}

#[test]
fn never_leaves_the_timeline() {
    assert_eq!(Timestamp::ZERO.before(Duration::from_secs(1)), Timestamp::ZERO);
    assert_eq!(Timestamp::MAX + Duration::from_secs(1), Timestamp::MAX);
    assert_eq!(Timestamp::ZERO.since(Timestamp::MAX), Duration::ZERO);
}

#[test]
fn splits_a_time_off_a_line_as_it_would_read_it() {
    let mut usual = 0;
    for text in [
        "0.000000",
        "12.345678",
        "999999.999999",
        "1000000.000000",
        ".000000",
        "1.00000",
        "1.0000000",
        "1",
        "1.00000x",
        "x.000000",
        "1:000000",
        "",
        "00012.000001",
    ] {
        for rest in ["", " ", " < 8e", "\t< 8e", "< 8e"] {
            let line = format!("{text}{rest}");
            let Some((at, after)) = Timestamp::split_off(line.as_bytes()) else { continue };
            usual += 1;
            let (time, expected) = line.split_once(' ').unwrap();
            assert_eq!(time.parse(), Ok(at), "{line}");
            assert_eq!(after, expected.as_bytes(), "{line}");
        }
    }
    // Four of the texts with each of two rests; all else is left to the other way.
    assert_eq!(usual, 8);
}

proptest::proptest! {
    #[test]
    fn splits_off_every_time_that_captures_have(micros in 0_u64..1_000_000_000_000) {
        let at = Timestamp::from_micros(micros);
        let line = format!("{at} <");
        proptest::prop_assert_eq!(Timestamp::split_off(line.as_bytes()), Some((at, &b"<"[..])));
    }
}
