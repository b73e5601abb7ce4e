//! Decides how long to wait before a port is opened again.

use std::time::Duration;

use jadoube_runtime::fnv;

const FIRST: Duration = Duration::from_millis(250);
const LONGEST: Duration = Duration::from_secs(5);

/// Waits that double, each a little off, so that the ports of a hub do not come back in step.
#[derive(Clone, Debug)]
pub(super) struct Backoff {
    seed: u64,
    attempt: u32,
}

impl Backoff {
    /// Starts for the port of this name, which alone decides how far each wait is off.
    pub(super) fn new(port: &str) -> Self {
        Self { seed: hash(fnv::EMPTY, port.as_bytes()), attempt: 0 }
    }

    /// Returns how long to wait.
    pub(super) fn pause(&mut self) -> Duration {
        let pause = FIRST.saturating_mul(1 << self.attempt.min(5)).min(LONGEST);
        self.attempt = self.attempt.saturating_add(1);
        let off = hash(self.seed, &self.attempt.to_le_bytes()) % 41;
        // 80 to 120 percent.
        pause * (80 + u32::try_from(off).unwrap_or(20)) / 100
    }

    /// Starts again: the port works.
    pub(super) const fn reset(&mut self) {
        self.attempt = 0;
    }
}

/// Mixes the upper half of the checksum into the lower one, which decides.
fn hash(start: u64, bytes: &[u8]) -> u64 {
    let mixed = fnv::extended(start, bytes);
    mixed ^ (mixed >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_five_seconds_and_start_again() {
        let mut backoff = Backoff::new("/dev/ttyACM0");
        let waits: Vec<Duration> = (0..8).map(|_| backoff.pause()).collect();
        for (wait, ideal) in waits.iter().zip([250, 500, 1000, 2000, 4000, 5000, 5000, 5000]) {
            let ideal = Duration::from_millis(ideal);
            assert!(*wait >= ideal * 8 / 10 && *wait <= ideal * 12 / 10, "{wait:?} for {ideal:?}");
        }
        backoff.reset();
        assert_eq!(backoff.pause(), waits[0]);
    }

    #[test]
    fn ports_are_not_in_step_and_each_always_waits_the_same() {
        let waits = |port: &str| {
            let mut backoff = Backoff::new(port);
            (0..6).map(|_| backoff.pause()).collect::<Vec<_>>()
        };
        assert_eq!(waits("/dev/ttyACM0"), waits("/dev/ttyACM0"));
        assert_ne!(waits("/dev/ttyACM0"), waits("/dev/ttyACM1"));
    }
}
