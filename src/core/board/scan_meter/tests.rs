//! Reports of boards whose scan is known.

use super::*;

/// Reports changes that hands make at odd instants to a board that scans in this order and period; each report is late by up to
/// `late`. Returns what comes out, and after how many reports.
fn measured(order: usize, period: f64, late: f64) -> (Option<f64>, u32) {
    let mut meter = ScanMeter::default();
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        f64::from(u32::try_from(state >> 40).unwrap()) / f64::from(1u32 << 24)
    };
    let mut hand = 10.0;
    for count in 1..=200 {
        hand += 0.15 + random() * 1.5;
        let field =
            Field::new((random() * 63.9).floor().rem_euclid(64.0).to_string().parse().unwrap()).unwrap();
        let place = f64::from(ORDERS[order](field)) / 64.0 * period;
        let seen = ((hand - place) / period).ceil() * period + place;
        let at = Timestamp::ZERO + Duration::from_secs_f64(seen + random() * late);
        if let Some(found) = meter.take_report(field, at) {
            return (Some(found.as_secs_f64()), count);
        }
    }
    (None, 200)
}

#[test]
fn the_scan_is_measured_in_every_order_and_period() {
    for order in 0..3 {
        for period in [0.11, 0.2, 0.225, 0.25, 0.45, 0.55] {
            let (found, reports) = measured(order, period, 0.008);
            let found = found.unwrap_or_else(|| panic!("order {order}, {period} s: nothing"));
            assert!((found / period - 1.0).abs() < 0.02, "order {order}: {found} s in place of {period} s");
            assert!(reports <= 80, "order {order}, {period} s: {reports} reports");
        }
    }
}

#[test]
fn a_line_that_delays_reports_at_random_is_not_measured() {
    for order in 0..3 {
        assert_eq!(measured(order, 0.225, 0.3).0, None);
    }
}

#[test]
fn what_comes_out_of_a_log_is_not_measured() {
    let mut meter = ScanMeter::default();
    meter.doubt_times(Timestamp::ZERO + Duration::from_secs(1000));
    for number in 0..64 {
        let at = Timestamp::ZERO + Duration::from_millis(225 * u64::from(number));
        assert_eq!(meter.take_report(Field::new(number).unwrap(), at), None);
    }
    let ScanMeter::Measuring(comparison) = &meter else { panic!("{meter:?}") };
    assert_eq!(comparison.count, 0);
}
