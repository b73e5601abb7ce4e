//! What boards are like, and how they differ.

use std::time::Duration;

use dgt_protocol::{Battery, Version};

use super::{ClockModel, Scan, ScanOrder};
use crate::random::Random;

/// What a board is like.
#[derive(Clone, Debug)]
pub struct BoardOptions {
    /// Serial number, five digits; in bus mode the address.
    pub serial: String,
    /// Serial number of newer boards, ten digits; older ones do not answer the question for it.
    pub long_serial: Option<String>,
    /// Firmware version.
    pub version: Version,
    /// The battery of a Bluetooth board; others do not answer the question for it.
    pub battery: Option<Battery>,
    /// Whether White sits at the other side than the cable's left.
    pub rotated: bool,
    /// How the board looks at its squares.
    pub scan: Scan,
    /// How often the board asks the clock: 300 to 500 ms.
    pub clock_poll: Duration,
    /// When it asks for the first time.
    pub clock_phase: Duration,
    /// What is plugged into the clock socket.
    pub clock_model: ClockModel,
    /// Whether a host may set the clock (mode 23 or 25).
    pub pc_mode: bool,
    /// Whether the link is Bluetooth, whose boards say nothing but zeros before an acknowledgement now and then, and
    /// repeat an acknowledgement in place of times for a second. The scan takes about twice as long there.
    pub bluetooth: bool,
    /// How often on average a square reads wrongly for one scan, if it does: pieces on borders, weak coils.
    pub glitch_every: Option<Duration>,
    /// Seed of everything that chance decides.
    pub seed: u64,
}

impl BoardOptions {
    /// Describes a wired board of the usual kind, with nothing left to chance.
    #[must_use]
    pub fn new(serial: &str) -> Self {
        Self {
            serial: serial.to_owned(),
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
            pc_mode: false,
            bluetooth: false,
            glitch_every: None,
            seed: 1,
        }
    }

    /// Describes one board of a hall: phases, scan order, clock, orientation and age differ from seed to seed.
    #[must_use]
    pub fn varied(serial: &str, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let scan = Scan {
            period: random.seconds(0.200, 0.250),
            order: random.pick(&ScanOrder::ALL).copied().unwrap_or(ScanOrder::Ascending),
            phase: random.seconds(0.0, 0.250),
        };
        let newer = random.chance(0.5);
        Self {
            long_serial: newer.then(|| format!("30000{serial:0>5}")),
            version: if newer { Version { major: 4, minor: 0 } } else { Version { major: 1, minor: 8 } },
            rotated: random.chance(0.3),
            scan,
            clock_poll: random.seconds(0.300, 0.500),
            clock_phase: random.seconds(0.0, 0.500),
            clock_model: if random.chance(0.3) { ClockModel::Xl } else { ClockModel::Dgt3000 },
            seed: random.number(),
            ..Self::new(serial)
        }
    }
}
