//! Owns the records of the event log, as in downloads and bus replies.
//! Does not know the game: it decodes what the board recorded, and validates it.

use crate::{Bytes, ClockTime, Field, Piece, Side};

#[cfg(test)]
mod tests;

/// A part of the event log, oldest record first (protocol section 4.3).
///
/// ```
/// # use dgt_protocol::{EventLog, Field, Piece, Record};
/// let field = Field::at(4, 3).unwrap();
/// let record = Record::Field { field, piece: Piece::from_letter('P').unwrap(), quick: false };
/// assert!(EventLog(&record.to_bytes()).records().eq([record]));
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EventLog<'a>(pub &'a [u8]);

impl<'a> EventLog<'a> {
    /// Length of a download of the whole log, bytes.
    pub const DOWNLOAD: usize = 0x1F00;

    /// Iterates over the records of a part that begins with a complete record, as bus replies do.
    #[must_use]
    pub const fn records(self) -> Records<'a> {
        Records { rest: self.0, is_cut: false }
    }

    /// Iterates over the records of a download. The log is a ring that overwrites its oldest bytes, so the first
    /// record may be cut: bytes at the start that cannot begin one are [`Record::Unknown`].
    #[must_use]
    pub const fn records_of_ring(self) -> Records<'a> {
        Records { rest: self.0, is_cut: true }
    }
}

/// One record of the event log.
///
/// Records have an order and no absolute times; hints of time are the clock records,
/// [`quick`](Self::Field), and on newer boards by [`Elapsed`].
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Record {
    /// The piece on one field from here on.
    Field {
        /// The field.
        field: Field,
        /// What.
        piece: Piece,
        /// Whether less than about 250 ms passed since the previous field record.
        quick: bool,
    },
    /// The time of a side that was just stopped by the lever. Initial times are never recorded.
    Clock {
        /// Which side, as seen from the front of the clock.
        side: Side,
        /// The displayed time.
        time: ClockTime,
    },
    /// Time that passed before the next record; newer boards only.
    Elapsed(Elapsed),
    /// A mark.
    Mark(Mark),
    /// A byte that starts no record: damaged, cut off, or undocumented.
    Unknown(u8),
}

/// A record of a single byte.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[repr(u8)]
pub enum Mark {
    /// Padding; on newer boards possibly "no time passed".
    Nop2 = 0x00,
    /// The board was switched on; records of all pieces follow.
    PowerUp = 0x6A,
    /// The end of the log.
    End = 0x6B,
    /// The outer four ranks are filled, not as in the start position: Chess960.
    FourRows = 0x6C,
    /// The board is empty.
    EmptyBoard = 0x6D,
    /// The log was downloaded.
    Downloaded = 0x6E,
    /// The start position, White with the cable at the left hand.
    Begin = 0x6F,
    /// The start position, White with the cable at the right hand.
    BeginRotated = 0x7A,
    /// A game was started over the bus; records of all pieces follow.
    StartGame = 0x7B,
    /// The watchdog of the board fired. Newer boards may append a byte that decodes as [`Elapsed`].
    Watchdog = 0x7C,
    /// The clock was connected or disconnected; newer boards only.
    ClockState = 0x7D,
    /// The address changed; newer boards only.
    BusAddress = 0x7E,
    /// Padding.
    Nop = 0x7F,
}

impl Mark {
    /// All marks.
    pub const ALL: [Self; 13] = [
        Self::Nop2,
        Self::PowerUp,
        Self::End,
        Self::FourRows,
        Self::EmptyBoard,
        Self::Downloaded,
        Self::Begin,
        Self::BeginRotated,
        Self::StartGame,
        Self::Watchdog,
        Self::ClockState,
        Self::BusAddress,
        Self::Nop,
    ];

    /// Gets the byte in the log.
    #[must_use]
    #[expect(clippy::as_conversions, reason = "the discriminants are the bytes")]
    pub const fn to_byte(self) -> u8 {
        self as u8
    }

    fn from_byte(byte: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|mark| mark.to_byte() == byte)
    }
}

/// Elapsed time before a record, on newer boards: a fraction, and up to three of seconds, minutes, hours.
///
/// The unit of the fraction is undocumented. Two readings exist, at most a second apart; use the
/// difference of two records for their order, not for a ruling.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Elapsed {
    /// How many of the three follow in the log.
    parts: u8,
    fraction: u8,
    seconds: u8,
    minutes: u8,
    hours: u8,
}

impl Elapsed {
    /// Makes the shortest record of this time, to a sixteenth of a second; at most 127 hours.
    /// Zero decodes as [`Mark::Nop2`].
    #[must_use]
    pub fn from_millis(millis: u32) -> Self {
        let millis = millis.min(127 * 3_600_000 + 3_599_999);
        let part = |value: u32| u8::try_from(value).unwrap_or_default();
        let (fraction, seconds) = (part(millis % 1000 * 16 / 1000), part(millis / 1000 % 60));
        let (minutes, hours) = (part(millis / 60_000 % 60), part(millis / 3_600_000));
        let parts = match (hours, minutes, seconds) {
            (1.., _, _) => 3,
            (0, 1.., _) => 2,
            (0, 0, 1..) => 1,
            (0, 0, 0) => 0,
        };
        Self { parts, fraction, seconds, minutes, hours }
    }

    /// Gets the time in milliseconds, if the low half of the first byte counts sixteenths of a second.
    #[must_use]
    pub fn millis(self) -> u32 {
        self.whole_millis() + (u32::from(self.fraction) * 1000).div_ceil(16)
    }

    /// Gets the time in milliseconds, if the whole first byte counts 256ths of a second.
    #[must_use]
    pub fn millis_by_256ths(self) -> u32 {
        self.whole_millis() + u32::from(self.first()) * 1000 / 256
    }

    fn whole_millis(self) -> u32 {
        let seconds = u32::from(self.hours) * 3600 + u32::from(self.minutes) * 60 + u32::from(self.seconds);
        seconds * 1000
    }

    const fn first(self) -> u8 {
        debug_assert!(self.parts <= 3 && self.fraction < 16, "both fit into one byte of data");
        self.parts << 4 | self.fraction
    }
}

impl Record {
    /// The most bytes a record takes.
    pub const LONGEST: usize = 4;

    /// Gets the bytes in the log.
    ///
    /// A time that exceeds its digits becomes 0:00:00.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes<{ Self::LONGEST }> {
        match *self {
            Self::Field { field, piece, quick } => {
                let quick = if quick { QUICK } else { 0 };
                Bytes::joined(&[&[FIELD | quick | piece.to_byte(), field.number()]])
            }
            Self::Clock { side, time } => {
                let [hours, minutes, seconds] = time.encode().unwrap_or_default();
                let side = match side {
                    Side::Right => RIGHT,
                    Side::Left => LEFT,
                };
                Bytes::joined(&[&[side | hours, minutes, seconds]])
            }
            Self::Elapsed(elapsed) => {
                let following = [elapsed.seconds, elapsed.minutes, elapsed.hours];
                let following = following.get(..elapsed.parts.into()).unwrap_or_default();
                Bytes::joined(&[&[elapsed.first()], following])
            }
            Self::Mark(mark) => Bytes::joined(&[&[mark.to_byte()]]),
            Self::Unknown(byte) => Bytes::joined(&[&[byte]]),
        }
    }

    /// Reads the record at the start of some bytes, or `None` if they start none.
    fn decode(bytes: &[u8]) -> Option<Self> {
        match *bytes {
            [first @ 0x40..=0x5F, field, ..] => Some(Self::Field {
                field: Field::new(field)?,
                piece: Piece::from_byte(first),
                quick: first & QUICK != 0,
            }),
            [first @ (0x60..=0x69 | 0x70..=0x79), minutes, seconds, ..] => Some(Self::Clock {
                side: if first < LEFT { Side::Right } else { Side::Left },
                time: ClockTime::decode(first & 0x0F, minutes, seconds)?,
            }),
            [first @ 0x01..=0x3F, ref following @ ..] => {
                let parts = first >> 4;
                let mut values = [0; 3];
                for (number, place) in values.iter_mut().enumerate().take(parts.into()) {
                    *place = *following.get(number)?;
                }
                let [seconds, minutes, hours] = values;
                let is_time = seconds < 60 && minutes < 60 && hours < 0x80;
                is_time.then_some(Self::Elapsed(Elapsed {
                    parts,
                    fraction: first & 0x0F,
                    seconds,
                    minutes,
                    hours,
                }))
            }
            [byte, ..] => Mark::from_byte(byte).map(Self::Mark),
            [] => None,
        }
    }
}

/// Iterates over the records of a part of the event log. No byte is skipped: the records, joined, are the part.
///
/// Invalid bytes are returned one by one as [`Record::Unknown`], so a damaged byte affects only the
/// records that contain it.
#[derive(Clone, Debug)]
pub struct Records<'a> {
    rest: &'a [u8],
    /// Whether the first record may have lost its beginning.
    is_cut: bool,
}

impl Iterator for Records<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let (&first, rest) = self.rest.split_first()?;
        // The rest of a cut record, a field number or digits of a time, mostly looks like elapsed time.
        self.is_cut &= (0x01..FIELD).contains(&first);
        let record = if self.is_cut { None } else { Record::decode(self.rest) };
        let record = record.unwrap_or(Record::Unknown(first));
        self.rest = self.rest.get(record.to_bytes().len()..).unwrap_or(rest);
        Some(record)
    }
}

const FIELD: u8 = 0x40;
const QUICK: u8 = 0x10;
const RIGHT: u8 = 0x60;
const LEFT: u8 = 0x70;
