//! Owns clock reports: times, flags, lever, state of both sides.
//! Does not know which side is White's: it depends on how the clock stands.

#[cfg(test)]
mod tests;

/// A side of the clock, as seen from its front. The board never swaps them.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Side {
    /// The left side: White's, if the clock stands as the board does in its normal orientation.
    Left,
    /// The right side.
    Right,
}

impl Side {
    /// Gets the opposite side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// A report of the clock (protocol section 3.4).
///
/// A report of zeros is never decoded as [`Message::Clock`](crate::Message::Clock): Bluetooth boards send it
/// without information, so it is a [`Message::ClockZero`](crate::Message::ClockZero).
///
/// ```
/// # use dgt_protocol::{ClockReport, Side};
/// // Times are left 0:03:20 and right 0:03:20; it runs, and the right side's lever is up: the left player has pressed.
/// let report = ClockReport::decode(&[0x20, 0x03, 0x02, 0x20, 0x03, 0x01, 0x13]).unwrap();
/// assert!(report.running && report.connected);
/// assert_eq!(report.lever.active(), Side::Right);
/// assert_eq!(ClockReport::decode(&report.encode().unwrap()), Some(report));
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct ClockReport {
    /// The right side's time and flags. It comes first on the line, whatever headers older than 2011 say.
    pub right: SideTime,
    /// The left side's time and flags.
    pub left: SideTime,
    /// Whether the clock runs; it does not before the start, when stopped, and when a flag has stopped it.
    pub running: bool,
    /// Which side of the lever is up, and with it whose time counts.
    pub lever: Lever,
    /// Whether the display shows the battery sign.
    pub battery_low: bool,
    /// Whether a clock is connected. If not, all other values are invalid and decoding clears them.
    pub connected: bool,
    /// The two advisory turn bits.
    pub turn: TurnBits,
}

impl ClockReport {
    /// The report of a board without a clock.
    pub const DISCONNECTED: Self = Self {
        right: SideTime::ZERO,
        left: SideTime::ZERO,
        running: false,
        lever: Lever::LeftUp,
        battery_low: false,
        connected: false,
        turn: TurnBits { left: false, right: false },
    };

    /// Gets the time and flags of one side.
    #[must_use]
    pub const fn side(&self, side: Side) -> SideTime {
        match side {
            Side::Left => self.left,
            Side::Right => self.right,
        }
    }

    /// Reads the seven data bytes. `None` if digits are out of range; acknowledgements are to be tested for first.
    #[inline]
    #[must_use]
    pub fn decode(data: &[u8; 7]) -> Option<Self> {
        let &[.., status] = data;
        if status & NO_CLOCK != 0 { Some(Self::DISCONNECTED) } else { Self::decode_connected(*data) }
    }

    /// Reads the data bytes of a clock that is connected.
    #[inline]
    pub(crate) fn decode_connected(data: [u8; 7]) -> Option<Self> {
        let [right_hours, _, _, left_hours, _, _, status] = data;
        let (right, left) = times(data)?;
        Some(Self {
            right: SideTime::with_flags(right, right_hours),
            left: SideTime::with_flags(left, left_hours),
            running: status & RUNNING != 0,
            lever: if status & RIGHT_UP != 0 { Lever::RightUp } else { Lever::LeftUp },
            battery_low: status & BATTERY_LOW != 0,
            connected: true,
            turn: TurnBits { left: status & TURN_LEFT != 0, right: status & TURN_RIGHT != 0 },
        })
    }

    /// Gets the seven data bytes, or `None` if a time exceeds its digits.
    #[must_use]
    pub fn encode(&self) -> Option<[u8; 7]> {
        let bits = [
            (self.running, RUNNING),
            (self.lever == Lever::RightUp, RIGHT_UP),
            (self.battery_low, BATTERY_LOW),
            (self.turn.left, TURN_LEFT),
            (self.turn.right, TURN_RIGHT),
            (!self.connected, NO_CLOCK),
        ];
        let [right_hours, right_minutes, right_seconds] = self.right.encode()?;
        let [left_hours, left_minutes, left_seconds] = self.left.encode()?;
        let status = join(bits);
        Some([right_hours, right_minutes, right_seconds, left_hours, left_minutes, left_seconds, status])
    }
}

/// Which side of the lever is up. Pressing a side pushes it down and starts the other one.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Lever {
    /// The left side is up: the right player pressed last.
    LeftUp,
    /// The right side is up: the left player pressed last.
    RightUp,
}

impl Lever {
    /// Gets the side whose player is to move, because the opponent has pressed.
    #[must_use]
    pub const fn active(self) -> Side {
        match self {
            Self::LeftUp => Side::Left,
            Self::RightUp => Side::Right,
        }
    }

    /// Gets the lever's position while this side is to move.
    #[must_use]
    pub const fn with_active(side: Side) -> Self {
        match side {
            Side::Left => Self::LeftUp,
            Side::Right => Self::RightUp,
        }
    }
}

/// Two status bits whose meaning differs between clocks and modes: do not rely on them; use the lever.
///
/// The names follow the recordings, where the bit of the active side is set.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct TurnBits {
    /// Bit 3: the left side's turn on most clocks.
    pub left: bool,
    /// Bit 4: the right side's turn on most clocks.
    pub right: bool,
}

impl TurnBits {
    /// Gets the bits that a usual clock shows while this side is to move.
    #[must_use]
    pub fn with_active(side: Side) -> Self {
        Self { left: side == Side::Left, right: side == Side::Right }
    }
}

/// The time and flags of one side of the clock.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct SideTime {
    /// The displayed time.
    pub time: ClockTime,
    /// Whether the flag has fallen and the clock stopped at zero.
    pub flag_blocked: bool,
    /// Whether a fallen flag is shown while the clock may run on in the next period.
    pub flag_shown: bool,
    /// Whether time is added per move (Fischer or Bronstein).
    pub increment: bool,
}

impl SideTime {
    const ZERO: Self =
        Self { time: ClockTime::ZERO, flag_blocked: false, flag_shown: false, increment: false };

    /// Gets the whole time in seconds.
    #[must_use]
    pub fn seconds(&self) -> u32 {
        self.time.total_seconds()
    }

    /// Returns whether the flag has fallen, by either bit.
    #[must_use]
    pub const fn flag(&self) -> bool {
        self.flag_blocked || self.flag_shown
    }

    /// Adds the flags in the byte of the hours.
    #[inline]
    const fn with_flags(time: ClockTime, hours: u8) -> Self {
        Self {
            time,
            flag_blocked: hours & FLAG_BLOCKED != 0,
            flag_shown: hours & FLAG_SHOWN != 0,
            increment: hours & INCREMENT != 0,
        }
    }

    fn encode(self) -> Option<[u8; 3]> {
        let bits =
            [(self.flag_blocked, FLAG_BLOCKED), (self.flag_shown, FLAG_SHOWN), (self.increment, INCREMENT)];
        let [hours, minutes, seconds] = self.time.encode()?;
        Some([hours | join(bits), minutes, seconds])
    }
}

/// Hours, minutes and seconds within the digits of a clock: at most 9:59:59.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct ClockTime {
    /// 0 to 9.
    pub hours: u8,
    /// 0 to 59.
    pub minutes: u8,
    /// 0 to 59.
    pub seconds: u8,
}

impl ClockTime {
    /// 0:00:00.
    pub const ZERO: Self = Self { hours: 0, minutes: 0, seconds: 0 };

    /// Makes a time of hours up to 9, minutes and seconds up to 59.
    #[must_use]
    pub const fn new(hours: u8, minutes: u8, seconds: u8) -> Option<Self> {
        if hours <= 9 && minutes < 60 && seconds < 60 { Some(Self { hours, minutes, seconds }) } else { None }
    }

    /// Makes a time from seconds; larger values become 9:59:59.
    #[must_use]
    pub fn from_seconds(total: u32) -> Self {
        let total = total.min(35_999);
        let part = |value: u32| u8::try_from(value).unwrap_or(u8::MAX);
        Self { hours: part(total / 3600), minutes: part(total / 60 % 60), seconds: part(total % 60) }
    }

    /// Gets the whole time in seconds.
    #[must_use]
    pub fn total_seconds(self) -> u32 {
        u32::from(self.hours) * 3600 + u32::from(self.minutes) * 60 + u32::from(self.seconds)
    }

    /// Reads one binary digit and two bytes of BCD.
    pub(crate) fn decode(hours: u8, minutes: u8, seconds: u8) -> Option<Self> {
        Self::new(hours, from_bcd(minutes)?, from_bcd(seconds)?)
    }

    pub(crate) fn encode(self) -> Option<[u8; 3]> {
        (self.hours <= 9).then_some(())?;
        Some([self.hours, to_bcd(self.minutes)?, to_bcd(self.seconds)?])
    }
}

/// Decodes both times at once, for speed: most messages of a board are clock reports.
#[inline]
fn times(data: [u8; 7]) -> Option<(ClockTime, ClockTime)> {
    const EACH: u64 = 0x01_01_01_01_01_01;
    // Hours have four bits, the others two digits each.
    const DIGITS: u64 = 0xFF_FF_0F_FF_FF_0F;
    let [right_hours, right_minutes, right_seconds, left_hours, left_minutes, left_seconds, _] = data;
    let bytes = [right_hours, right_minutes, right_seconds, left_hours, left_minutes, left_seconds, 0, 0];
    let digits = u64::from_le_bytes(bytes) & DIGITS;
    // A digit above 9 carries into bit 4, and tens above 5 into bit 7.
    let above_nine = ((digits & (0x0F * EACH)) + 0x06 * EACH) & (0x10 * EACH);
    let above_fifty = (((digits & (0x7F * EACH)) + 0x20 * EACH) | digits) & (0x80 * EACH);
    if above_nine | above_fifty != 0 {
        return None;
    }
    // Each sixteen represents ten.
    let tens = digits >> 4 & (0x07 * EACH);
    let [right_hours, right_minutes, right_seconds, left_hours, left_minutes, left_seconds, _, _] =
        (digits - 6 * tens).to_le_bytes();
    Some((
        ClockTime { hours: right_hours, minutes: right_minutes, seconds: right_seconds },
        ClockTime { hours: left_hours, minutes: left_minutes, seconds: left_seconds },
    ))
}

/// Reads the two decimal digits of 0 to 59.
fn from_bcd(byte: u8) -> Option<u8> {
    let (tens, units) = (byte >> 4, byte & 0x0F);
    (tens < 6 && units < 10).then_some(tens * 10 + units)
}

fn to_bcd(value: u8) -> Option<u8> {
    (value < 60).then_some(((value / 10) << 4) | (value % 10))
}

fn join<const N: usize>(bits: [(bool, u8); N]) -> u8 {
    bits.into_iter().filter(|(is_set, _)| *is_set).fold(0, |byte, (_, bit)| byte | bit)
}

const FLAG_BLOCKED: u8 = 0x10;
const INCREMENT: u8 = 0x20;
const FLAG_SHOWN: u8 = 0x40;

pub(crate) const RUNNING: u8 = 0x01;
const RIGHT_UP: u8 = 0x02;
const BATTERY_LOW: u8 = 0x04;
const TURN_LEFT: u8 = 0x08;
const TURN_RIGHT: u8 = 0x10;
pub(crate) const NO_CLOCK: u8 = 0x20;
