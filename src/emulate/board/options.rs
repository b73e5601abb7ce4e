//! Properties of boards, and how they vary.

use std::time::Duration;

use dgt_protocol::{Battery, Version};

use super::{ClockModel, Scan, ScanOrder};
use crate::random::Random;

/// Properties of a board.
#[derive(Clone, Debug)]
pub struct BoardOptions {
    /// Serial number, five digits.
    pub serial: String,
    /// The address in bus mode, if it is not the lower 14 bits of the serial number.
    pub bus_address: Option<u16>,
    /// Serial number of newer boards, ten digits; older ones do not answer the question for it.
    pub long_serial: Option<String>,
    /// Firmware version.
    pub version: Version,
    /// The battery of a Bluetooth board; others do not answer the question for it.
    pub battery: Option<Battery>,
    /// Whether the board is turned: White's first rank is at fields 0 to 7.
    pub rotated: bool,
    /// How the board scans its squares.
    pub scan: Scan,
    /// Period of the clock polls: 300 to 500 ms on real boards.
    pub clock_poll: Duration,
    /// Instant of the first poll, from the start of the board.
    pub clock_phase: Duration,
    /// What is plugged into the clock socket.
    pub clock_model: ClockModel,
    /// Whether a host may set the clock (mode 23 or 25); if not, it is refused, which hosts report as an error of the clock.
    pub pc_mode: bool,
    /// Whether the link is Bluetooth: such boards sometimes send zeros before an acknowledgement, and
    /// repeat an acknowledgement in place of times for a second. The scan takes about twice as long there.
    pub bluetooth: bool,
    /// Mean time between wrong readings of a square for one scan (pieces on borders, weak coils); `None` for never.
    pub glitch_every: Option<Duration>,
    /// Seed of all random choices.
    pub seed: u64,
}

impl BoardOptions {
    /// Returns a wired board of the usual kind, without random properties.
    #[must_use]
    pub fn new(serial: &str) -> Self {
        Self {
            serial: serial.to_owned(),
            bus_address: None,
            long_serial: None,
            version: Version { major: 1, minor: 8 },
            battery: None,
            rotated: false,
            scan: Scan {
                period: Duration::from_millis(225),
                order: ScanOrder::Ascending,
                phase: Duration::ZERO,
            },
            clock_poll: Duration::from_millis(400),
            clock_phase: Duration::ZERO,
            clock_model: ClockModel::Dgt3000,
            pc_mode: true,
            bluetooth: false,
            glitch_every: None,
            seed: 1,
        }
    }

    /// Returns a board whose phases, scan order, clock, orientation and age depend on the seed.
    #[must_use]
    pub fn varied(serial: &str, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let scan = Scan {
            period: random.seconds(0.200, 0.250),
            order: random.pick(&ScanOrder::ALL).copied().unwrap_or(ScanOrder::Ascending),
            phase: random.seconds(0.0, 0.250),
        };
        let newer = random.chance(0.5);
        let varied = Self {
            rotated: random.chance(0.3),
            scan,
            clock_poll: random.seconds(0.300, 0.500),
            clock_phase: random.seconds(0.0, 0.500),
            clock_model: if random.chance(0.3) { ClockModel::Xl } else { ClockModel::Dgt3000 },
            seed: random.number(),
            ..Self::new(serial)
        };
        if newer { varied.newer() } else { varied }
    }

    /// Makes it a newer board, which has a long serial number beside the one of five digits.
    #[must_use]
    pub fn newer(self) -> Self {
        Self {
            long_serial: Some(format!("30000{:0>5}", self.serial)),
            version: Version { major: 4, minor: 0 },
            ..self
        }
    }
}
