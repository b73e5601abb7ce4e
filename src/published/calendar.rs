//! Writes calendar times as logs have them: with each event, so directly, which takes a tenth of the work.

use std::{env, fmt::Write as _, fs};

use jiff::tz::TimeZone;

/// Where Unix has the rules of its time zone.
const RULES: &str = "/etc/localtime";

const DAY: u64 = 86_400;

/// Returns the time zone of the machine.
///
/// Without `TZ` it is read where the system has it: to find it by its name, a list of all zones would be made and kept, 0.1 MB.
pub(crate) fn local_zone() -> TimeZone {
    let rules = if env::var_os("TZ").is_none() { fs::read(RULES).ok() } else { None };
    let zone = rules.and_then(|rules| TimeZone::tzif("local", &rules).ok());
    zone.unwrap_or_else(TimeZone::system)
}

/// Appends a time in UTC: what its `Display` says.
pub(crate) fn write(at: jiff::Timestamp, out: &mut String) {
    let (Ok(seconds), Ok(nanos)) = (u64::try_from(at.as_second()), u32::try_from(at.subsec_nanosecond()))
    else {
        // Before 1970.
        return write!(out, "{at}").unwrap_or_default();
    };
    let (year, month, day) = date(seconds / DAY);
    let second = seconds % DAY;
    digits(year, 4, out);
    for (before, number) in
        [('-', month), ('-', day), ('T', second / 3600), (':', second / 60 % 60), (':', second % 60)]
    {
        out.push(before);
        digits(number, 2, out);
    }
    if nanos > 0 {
        out.push('.');
        digits(nanos.into(), 9, out);
        out.truncate(out.trim_end_matches('0').len());
    }
    out.push('Z');
}

/// Returns year, month and day so many days after 1970 began, counted in years that begin in March, so that the odd day of
/// a leap year is its last.
const fn date(days: u64) -> (u64, u64, u64) {
    const ERA: u64 = 146_097;
    // Since March of the year 0.
    let days = days + 719_468;
    let in_era = days % ERA;
    let year_of_era = (in_era - in_era / 1460 + in_era / 36_524 - in_era / 146_096) / 365;
    let in_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * in_year + 2) / 153;
    let day = in_year - (153 * month + 2) / 5 + 1;
    let year = days / ERA * 400 + year_of_era;
    if month < 10 { (year, month + 3, day) } else { (year + 1, month - 9, day) }
}

fn digits(number: u64, width: u32, out: &mut String) {
    let mut power = 10_u64.pow(width.saturating_sub(1));
    while power > 0 {
        let digit = u32::try_from(number / power % 10).unwrap_or(0);
        out.push(char::from_digit(digit, 10).unwrap_or('0'));
        power /= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(at: jiff::Timestamp) {
        let mut text = String::new();
        write(at, &mut text);
        assert_eq!(text, at.to_string());
    }

    #[test]
    fn the_zone_of_the_machine_is_that_of_the_system() {
        let (own, system) = (local_zone(), TimeZone::system());
        for second in (0..4_000_000_000).step_by(10_000_019) {
            let at = jiff::Timestamp::from_second(second).unwrap();
            assert_eq!(own.to_offset(at), system.to_offset(at), "{at}");
        }
    }

    #[test]
    fn a_time_is_written_as_it_is_displayed() {
        for text in [
            "1970-01-01T00:00:00Z",
            "1969-12-31T23:59:59.5Z",
            "2000-02-29T23:59:59.12Z",
            "2100-03-01T00:00:00.000001Z",
        ] {
            check(text.parse().unwrap());
        }
        for at in [jiff::Timestamp::MIN, jiff::Timestamp::MAX, jiff::Timestamp::UNIX_EPOCH] {
            check(at);
        }
        // Every day of nine centuries, at another time each.
        for day in 0..330_000 {
            let micros = day * 86_400_000_000 + day * 7_654_321 % 86_400_000_000;
            check(jiff::Timestamp::from_microsecond(micros).unwrap());
        }
    }
}
