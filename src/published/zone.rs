//! The time zone of the machine.

use std::{env, fs};

use jiff::tz::TimeZone;

/// Where Unix has the rules of its time zone.
const RULES: &str = "/etc/localtime";

/// Returns the time zone of the machine; each call reads the file, so that callers keep it.
///
/// Without `TZ` it is read where the system has it: to find it by its name, a list of all zones would be made and kept, 0.1 MB.
pub(crate) fn local_zone() -> TimeZone {
    let rules = if env::var_os("TZ").is_none() { fs::read(RULES).ok() } else { None };
    let zone = rules.and_then(|rules| TimeZone::tzif("local", &rules).ok());
    zone.unwrap_or_else(TimeZone::system)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_zone_of_the_machine_is_that_of_the_system() {
        let (own, system) = (local_zone(), TimeZone::system());
        for second in (0..4_000_000_000).step_by(10_000_019) {
            let at = jiff::Timestamp::from_second(second).unwrap();
            assert_eq!(own.to_offset(at), system.to_offset(at), "{at}");
        }
    }
}
