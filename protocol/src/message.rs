//! Owns the messages of a board in single-board mode, decoded from and encoded to frames.
//! Does not know earlier commands or messages.

use core::fmt;

use crate::{
    Ack, Address, ClockReport, EventLog, Field, Piece, Placement,
    bytes::{EncodeError, are_data, put_frame},
    clock::{NO_CLOCK, RUNNING},
    decoder::id,
};

#[cfg(test)]
mod tests;

/// A message of a board (protocol section 3).
///
/// Decoding is total: every frame is a message, if necessary [`Unknown`](Self::Unknown) or
/// [`Malformed`](Self::Malformed).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Message<'a> {
    /// The pieces on all fields; the reply to [`SendBoard`](crate::Command::SendBoard).
    BoardDump(Placement),
    /// The piece on one field from this scan on. Lifting a piece and placing it are two updates; a capture may
    /// be one.
    FieldUpdate {
        /// The field.
        field: Field,
        /// The piece, or [`Piece::Empty`].
        piece: Piece,
    },
    /// A report of the clock.
    Clock(ClockReport),
    /// The reply of the clock to a clock message, or a button.
    ClockAck(Ack),
    /// A clock report of zeros, which Bluetooth boards send before a reply: ignore it. A stopped
    /// clock at 0:00 – 0:00 without flags or increment cannot be distinguished from it.
    ClockZero,
    /// The serial number, five digits.
    Serial(&'a str),
    /// The serial number of newer boards, ten digits; on a Revelation II its firmware.
    LongSerial(&'a str),
    /// The address in bus mode: the serial number, if that fits into 14 bits.
    BusAddress(Address),
    /// The maker's text, possibly of several lines.
    Trademark(&'a str),
    /// The firmware version.
    Version(Version),
    /// The hardware version.
    HardwareVersion(Version),
    /// The state of a Bluetooth board's battery.
    Battery(Battery),
    /// What stands on the 50 dark or light squares of a draughts board.
    DraughtsDump {
        /// Which squares.
        squares: DraughtsSquares,
        /// Their piece codes: discs 1 (white) and 4 (black), crowns 7 and 10.
        codes: &'a [u8; 50],
    },
    /// What stands on all squares of a board of ten by ten.
    BoardDump100(&'a [u8; 100]),
    /// The whole event log, 7936 bytes.
    EventLog(EventLog<'a>),
    /// A keep-alive without content.
    Idle,
    /// An undocumented message.
    Unknown {
        /// Its id.
        id: u8,
        /// Its data.
        data: &'a [u8],
    },
    /// A message of a known kind with impossible content: damaged on the line.
    Malformed {
        /// Its id.
        id: u8,
        /// Its data.
        data: &'a [u8],
        /// The error.
        flaw: Flaw,
    },
}

/// Why a message is invalid.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Flaw {
    /// The length of the data is wrong for the message. A [`Decoder`](crate::Decoder) never returns such a
    /// frame.
    Length,
    /// A data byte has its top bit set.
    TopBit,
    /// A field number is above 63.
    Field,
    /// A time has a digit above 9, or more than 59 minutes or seconds.
    Time,
    /// A percentage is above 100.
    Percent,
}

/// A version number, of firmware or hardware or a clock.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Version {
    /// Before the point.
    pub major: u8,
    /// After the point, as a number: 3.01 and 3.10 differ.
    pub minor: u8,
}

/// Prints the minor number with two digits, as in 3.01 and 3.10.
impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.major, self.minor)
    }
}

/// Half the squares of a draughts board.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum DraughtsSquares {
    Dark,
    Light,
}

/// The state of a battery (protocol section 3.7). `None` is a value that the board does not provide.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Battery {
    /// Charge, 0 to 100 %.
    pub percent: u8,
    /// Hours and minutes until empty, or until full while charging.
    pub remaining: Option<(u8, u8)>,
    /// Hours and minutes for which the board has been on.
    pub on: Option<(u8, u8)>,
    /// Days, hours and minutes of stand-by.
    pub standby: Option<(u8, u8, u8)>,
    /// Whether it is being charged.
    pub charging: bool,
    /// Whether the board is powered by it.
    pub discharging: bool,
}

impl<'a> Message<'a> {
    /// Decodes a frame with this id and data.
    #[inline]
    #[must_use]
    pub fn decode(id: u8, data: &'a [u8]) -> Self {
        match (id, data) {
            // Nearly all messages, and too short for a loop over their bytes.
            (id::FIELD_UPDATE, &[field, piece]) if are_data(data) => match Field::new(field) {
                Some(field) => Self::FieldUpdate { field, piece: Piece::from_byte(piece) },
                None => Self::Malformed { id, data, flaw: Flaw::Field },
            },
            (id::CLOCK, _) if data.len() == 7 && are_data(data) => Self::clock(id, data),
            _ => Self::decode_rare(id, data),
        }
    }

    #[cold]
    fn decode_rare(id: u8, data: &'a [u8]) -> Self {
        let malformed = |flaw| Self::Malformed { id, data, flaw };
        match (id, data) {
            _ if !are_data(data) => malformed(Flaw::TopBit),
            (id::IDLE, _) => Self::Idle,
            (id::CLOCK, _) => Self::clock(id, data),
            (id::BOARD_DUMP, _) => Self::dump(id, data),
            (id::EVENT_LOG, _) if data.len() == EventLog::DOWNLOAD => Self::EventLog(EventLog(data)),
            (id::BUS_ADDRESS, &[high, low]) => Self::BusAddress(Address::from_halves(high, low)),
            (id::SERIAL, _) => Self::Serial(text(data).split(is_padding).next().unwrap_or_default()),
            (id::LONG_SERIAL, _) => Self::LongSerial(text(data)),
            (id::TRADEMARK, _) => Self::Trademark(text(data)),
            (id::VERSION, &[major, minor]) => Self::Version(Version { major, minor }),
            (id::HARDWARE_VERSION, &[major, minor]) => Self::HardwareVersion(Version { major, minor }),
            (id::DRAUGHTS_DARK, _) => Self::draughts(id, DraughtsSquares::Dark, data),
            (id::DRAUGHTS_LIGHT, _) => Self::draughts(id, DraughtsSquares::Light, data),
            (id::BATTERY, _) => Battery::decode(data).map_or_else(malformed, Self::Battery),
            (id::FIELD_UPDATE | id::EVENT_LOG | id::BUS_ADDRESS | id::VERSION | id::HARDWARE_VERSION, _) => {
                malformed(Flaw::Length)
            }
            _ => Self::Unknown { id, data },
        }
    }

    /// Reads the seven bytes that both modes use for times and acknowledgements.
    #[inline]
    pub(crate) fn clock(id: u8, data: &'a [u8]) -> Self {
        // Nearly all are times: no acknowledgement has digits for hours.
        if let Ok(bytes @ [.., status]) = <&[u8; 7]>::try_from(data)
            && status & (NO_CLOCK | RUNNING) == RUNNING
            && let Some(report) = ClockReport::decode_connected(*bytes)
        {
            return Self::Clock(report);
        }
        Self::rare_clock(id, data)
    }

    /// Reads what is no report of a clock that runs. Separate, so that the usual case is small.
    #[cold]
    #[inline(never)]
    fn rare_clock(id: u8, data: &'a [u8]) -> Self {
        let Ok(bytes) = <&[u8; 7]>::try_from(data) else {
            return Self::Malformed { id, data, flaw: Flaw::Length };
        };
        if let Some(ack) = Ack::decode(bytes) {
            return Self::ClockAck(ack);
        }
        // Bit 6 of the status is unused.
        if let [0, 0, 0, 0, 0, 0, 0x00 | 0x40] = bytes {
            return Self::ClockZero;
        }
        match ClockReport::decode(bytes) {
            Some(report) => Self::Clock(report),
            None => Self::Malformed { id, data, flaw: Flaw::Time },
        }
    }

    /// Reads the codes that both modes use for dumps.
    pub(crate) fn dump(id: u8, data: &'a [u8]) -> Self {
        match (<&[u8; 64]>::try_from(data), <&[u8; 100]>::try_from(data)) {
            (Ok(codes), _) => Self::BoardDump(Placement::from_bytes(codes)),
            (_, Ok(codes)) => Self::BoardDump100(codes),
            _ => Self::Malformed { id, data, flaw: Flaw::Length },
        }
    }

    pub(crate) fn draughts(id: u8, squares: DraughtsSquares, data: &'a [u8]) -> Self {
        data.try_into().map_or(Self::Malformed { id, data, flaw: Flaw::Length }, |codes| Self::DraughtsDump {
            squares,
            codes,
        })
    }

    /// Writes the message as a frame to the start of `out` and returns the frame.
    ///
    /// Decoding the frame yields the message again, provided that its texts have no white space around them.
    ///
    /// # Errors
    ///
    /// [`EncodeError::NoRoom`] if `out` is too small, [`EncodeError::OutOfRange`] if a value does not fit.
    pub fn encode<'o>(&self, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
        let length = match *self {
            Self::BoardDump(placement) => put_frame(out, id::BOARD_DUMP, &[&placement.to_bytes()]),
            Self::FieldUpdate { field, piece } => {
                put_frame(out, id::FIELD_UPDATE, &[&[field.number(), piece.to_byte()]])
            }
            Self::Clock(report) => {
                put_frame(out, id::CLOCK, &[&report.encode().ok_or(EncodeError::OutOfRange)?])
            }
            Self::ClockAck(ack) => put_frame(out, id::CLOCK, &[&ack.encode()]),
            Self::ClockZero => put_frame(out, id::CLOCK, &[&[0; 7]]),
            Self::Serial(serial) if serial.len() <= 5 => put_frame(out, id::SERIAL, &[&padded::<5>(serial)?]),
            Self::Serial(serial) => put_frame(out, id::SERIAL, &[&padded::<9>(serial)?]),
            Self::LongSerial(serial) => put_frame(out, id::LONG_SERIAL, &[&padded::<10>(serial)?]),
            Self::BusAddress(address) => put_frame(out, id::BUS_ADDRESS, &[&address.halves()]),
            Self::Trademark(text) => put_frame(out, id::TRADEMARK, &[text.as_bytes()]),
            Self::Version(version) => put_frame(out, id::VERSION, &[&[version.major, version.minor]]),
            Self::HardwareVersion(version) => {
                put_frame(out, id::HARDWARE_VERSION, &[&[version.major, version.minor]])
            }
            Self::Battery(battery) => put_frame(out, id::BATTERY, &[&battery.encode()]),
            Self::DraughtsDump { squares: DraughtsSquares::Dark, codes } => {
                put_frame(out, id::DRAUGHTS_DARK, &[codes])
            }
            Self::DraughtsDump { squares: DraughtsSquares::Light, codes } => {
                put_frame(out, id::DRAUGHTS_LIGHT, &[codes])
            }
            Self::BoardDump100(codes) => put_frame(out, id::BOARD_DUMP, &[codes]),
            Self::EventLog(log) if log.0.len() != EventLog::DOWNLOAD => Err(EncodeError::OutOfRange),
            Self::EventLog(log) => put_frame(out, id::EVENT_LOG, &[log.0]),
            Self::Idle => put_frame(out, id::IDLE, &[]),
            Self::Unknown { id, data } | Self::Malformed { id, data, .. } => put_frame(out, id, &[data]),
        }?;
        out.get(..length).ok_or(EncodeError::NoRoom)
    }
}

impl Battery {
    /// Decodes as many values as there are: firmware versions send different numbers.
    fn decode(data: &[u8]) -> Result<Self, Flaw> {
        let mut bytes = [NOT_AVAILABLE; 9];
        for (place, &byte) in bytes.iter_mut().zip(data) {
            *place = byte;
        }
        let [percent, left_h, left_m, on_h, on_m, standby_d, standby_h, standby_m, state] = bytes;
        let state = if data.len() < bytes.len() { 0 } else { state };
        let known = |value: u8| (value != NOT_AVAILABLE).then_some(value);
        if percent > 100 {
            return Err(Flaw::Percent);
        }
        Ok(Self {
            percent,
            remaining: known(left_h).zip(known(left_m)),
            on: known(on_h).zip(known(on_m)),
            standby: known(standby_d)
                .zip(known(standby_h))
                .zip(known(standby_m))
                .map(|((d, h), m)| (d, h, m)),
            charging: state & CHARGING != 0,
            discharging: state & DISCHARGING != 0,
        })
    }

    fn encode(&self) -> [u8; 9] {
        let (left_h, left_m) = self.remaining.unwrap_or((NOT_AVAILABLE, NOT_AVAILABLE));
        let (on_h, on_m) = self.on.unwrap_or((NOT_AVAILABLE, NOT_AVAILABLE));
        let (standby_d, standby_h, standby_m) =
            self.standby.unwrap_or((NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE));
        let state = if self.charging { CHARGING } else { 0 } | if self.discharging { DISCHARGING } else { 0 };
        [self.percent, left_h, left_m, on_h, on_m, standby_d, standby_h, standby_m, state]
    }
}

/// Returns data as ASCII text, without blanks and padding at its ends; data has no top bits.
fn text(data: &[u8]) -> &str {
    core::str::from_utf8(data).unwrap_or_default().trim_matches(is_padding)
}

const fn is_padding(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\0'
}

fn padded<const N: usize>(text: &str) -> Result<[u8; N], EncodeError> {
    let mut bytes = [b' '; N];
    bytes.get_mut(..text.len()).ok_or(EncodeError::OutOfRange)?.copy_from_slice(text.as_bytes());
    Ok(bytes)
}

const NOT_AVAILABLE: u8 = 0x7F;
const CHARGING: u8 = 0x01;
const DISCHARGING: u8 = 0x02;
