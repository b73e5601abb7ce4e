//! Owns the messages of a host to a clock.
//! Does not know the model of the clock, and so which messages it supports.

use super::CLOCK_MESSAGE;
use crate::{Bytes, ClockTime, Command};

/// A message of a host to the clock, passed on by the board (protocol section 2.2).
///
/// Send one at a time: the clock takes up to two seconds to acknowledge, and does so only in the modes
/// [`SendUpdate`](Command::SendUpdate) and [`SendUpdateNice`](Command::SendUpdateNice).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClockMessage {
    /// Shows six seven-segment characters (DGT XL).
    Display {
        /// The characters, from left to right.
        text: Segments,
        /// Dots, colons and ones: right 1, 2, 4; left 8, 16, 32.
        dots: u8,
        /// Whether to beep.
        beep: bool,
    },
    /// Shows the icons beside the digits.
    Icons(Icons),
    /// Ends the display of text and icons; the times are shown again.
    End,
    /// Asks for a button; the acknowledgement does not carry one.
    Button,
    /// Asks for the clock's version.
    Version,
    /// Sets the times and starts the clock. Works only in mode 23 (XL) or 25 (DGT 3000).
    SetAndRun {
        /// The left side's time.
        left: ClockTime,
        /// The right side's time.
        right: ClockTime,
        /// What counts, and how.
        control: RunControl,
    },
    /// Beeps this many times 64 milliseconds, up to 127.
    Beep(u8),
    /// Shows eight ASCII characters (DGT 3000).
    Ascii {
        /// The characters; see [`ClockMessage::ascii`].
        text: [u8; 8],
        /// The length of the beep, 0 (none) to 15.
        beep: u8,
    },
    /// Shows eleven ASCII characters (Revelation II).
    LongAscii {
        /// The characters; see [`ClockMessage::long_ascii`].
        text: [u8; 11],
        /// The length of the beep, 0 (none) to 15.
        beep: u8,
    },
}

impl ClockMessage {
    /// Makes the message that shows a text on a DGT 3000, cut or filled up to eight characters.
    #[must_use]
    pub fn ascii(text: &str, beep: u8) -> Self {
        Self::Ascii { text: characters(text), beep }
    }

    /// Makes the message that shows a text on a Revelation II, cut or filled up to eleven characters.
    #[must_use]
    pub fn long_ascii(text: &str, beep: u8) -> Self {
        Self::LongAscii { text: characters(text), beep }
    }

    /// Gets the code of the message, which its acknowledgement repeats.
    #[must_use]
    pub const fn code(&self) -> u8 {
        match self {
            Self::Display { .. } => 0x01,
            Self::Icons(_) => 0x02,
            Self::End => 0x03,
            Self::Button => 0x08,
            Self::Version => 0x09,
            Self::SetAndRun { .. } => 0x0A,
            Self::Beep(_) => 0x0B,
            Self::Ascii { .. } => 0x0C,
            Self::LongAscii { .. } => 0x0D,
        }
    }

    pub(super) fn to_bytes(self) -> Bytes<{ Command::LONGEST }> {
        match self {
            Self::Display { text, dots, beep } => {
                self.framed(&text.on_wire(), &[dots, if beep { BEEP } else { NO_BEEP }])
            }
            Self::Icons(icons) => self.framed(&icons.encode(), &[]),
            Self::End | Self::Button | Self::Version => self.framed(&[], &[]),
            Self::SetAndRun { left, right, control } => self.framed(
                &[left.hours, left.minutes, left.seconds, right.hours, right.minutes, right.seconds],
                &[control.0],
            ),
            Self::Beep(length) => self.framed(&[length], &[]),
            Self::Ascii { text, beep } => self.framed(&text, &[beep]),
            Self::LongAscii { text, beep } => self.framed(&text, &[beep]),
        }
    }

    /// Encloses the data in start and end bytes.
    fn framed(self, data: &[u8], last: &[u8]) -> Bytes<{ Command::LONGEST }> {
        let size = u8::try_from(3 + data.len() + last.len()).unwrap_or_default();
        Bytes::joined(&[&[CLOCK_MESSAGE, size, START, self.code()], data, last, &[END]]).without_top_bits()
    }

    /// Decodes the bytes after the size byte; `None` if they are no valid message.
    ///
    /// The end byte may be missing: hosts written before 2012 do not send it.
    pub(super) fn decode(payload: &[u8]) -> Option<Self> {
        let [START, code, rest @ ..] = payload else { return None };
        let data = match (code, rest) {
            (0x01 | 0x02, [data @ .., END]) if data.len() == 8 => data,
            (0x03 | 0x08 | 0x09, [END]) => &[],
            (0x0A, [data @ .., END]) if data.len() == 7 => data,
            (0x0B, [data @ .., END]) if data.len() == 1 => data,
            (0x0C, [data @ .., END]) if data.len() == 9 => data,
            (0x0D, [data @ .., END]) if data.len() == 12 => data,
            _ => rest,
        };
        match (code, data) {
            (0x01, [text @ .., dots, beep]) => Some(Self::Display {
                text: Segments(text.try_into().ok()?).on_screen(),
                dots: *dots,
                beep: beep & BEEP == BEEP,
            }),
            (0x02, data) => Icons::decode(data).map(Self::Icons),
            (0x03, []) => Some(Self::End),
            (0x08, []) => Some(Self::Button),
            (0x09, []) => Some(Self::Version),
            (0x0A, &[lh, lm, ls, rh, rm, rs, control]) => Some(Self::SetAndRun {
                left: ClockTime::new(lh, lm, ls)?,
                right: ClockTime::new(rh, rm, rs)?,
                control: RunControl(control),
            }),
            (0x0B, &[length]) => Some(Self::Beep(length)),
            (0x0C, [text @ .., beep]) => Some(Self::Ascii { text: text.try_into().ok()?, beep: *beep }),
            (0x0D, [text @ .., beep]) => Some(Self::LongAscii { text: text.try_into().ok()?, beep: *beep }),
            _ => None,
        }
    }
}

/// Six seven-segment characters, from left to right. Bits from the lowest: top, right top, right bottom, bottom, left
/// bottom, left top, middle.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Segments(pub [u8; 6]);

impl Segments {
    /// Converts a text, truncated or padded to six characters; a character without a pattern is blank.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self(characters(text).map(segments))
    }

    /// Gets the order on the line: each half of the screen backwards.
    fn on_wire(self) -> [u8; 6] {
        let mut bytes = self.0;
        for half in bytes.chunks_mut(3) {
            half.reverse();
        }
        bytes
    }

    /// Reverts [`Self::on_wire`], which is its own inverse.
    fn on_screen(self) -> Self {
        Self(self.on_wire())
    }
}

/// The icons beside the digits, bit by bit (protocol section 2.2).
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Icons {
    /// From the lowest bit: TIME, FISCH, DELAY, HGLASS, UPCNT, BYO, END.
    pub left: u8,
    /// The same for the right side.
    pub right: u8,
    /// Periods 1 to 5, then the flag.
    pub left_periods: u8,
    /// The same for the right side.
    pub right_periods: u8,
    /// From the lowest bit: clear all, sound, black-white, white-black, BAT, sound, keep over the next time change.
    pub special: u8,
}

impl Icons {
    const fn encode(self) -> [u8; 8] {
        [self.left, self.right, self.left_periods, self.right_periods, self.special, 0, 0, 0]
    }

    const fn decode(data: &[u8]) -> Option<Self> {
        let &[left, right, left_periods, right_periods, special, _, _, _] = data else { return None };
        Some(Self { left, right, left_periods, right_periods, special })
    }
}

/// What a clock does after its times were set: any of the constants, joined by [`RunControl::and`].
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct RunControl(pub u8);

impl RunControl {
    /// The left side counts down.
    pub const LEFT: Self = Self(0x01);
    /// The right side counts down.
    pub const RIGHT: Self = Self(0x02);
    /// The clock stands still.
    pub const PAUSE: Self = Self(0x04);
    /// The lever changes the side that counts.
    pub const LEVER: Self = Self(0x08);

    /// Joins two of them.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Says whether all of `other` is in it.
    #[must_use]
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Truncates or pads a text to `N` printable ASCII characters.
fn characters<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [b' '; N];
    for (place, c) in bytes.iter_mut().zip(text.chars()) {
        *place = u8::try_from(c).ok().filter(|c| (0x20..0x7F).contains(c)).unwrap_or(b' ');
    }
    bytes
}

/// Gets the seven-segment pattern of a character.
const fn segments(character: u8) -> u8 {
    match character.to_ascii_lowercase() {
        b'0' => 0x3F,
        b'1' => 0x06,
        b'2' | b'z' => 0x5B,
        b'3' => 0x4F,
        b'4' => 0x66,
        b'5' | b's' => 0x6D,
        b'6' => 0x7D,
        b'7' => 0x07,
        b'8' => 0x7F,
        b'9' => 0x6F,
        b'a' => 0x5F,
        b'b' => 0x7C,
        b'c' => 0x58,
        b'd' => 0x5E,
        b'e' => 0x7B,
        b'f' => 0x71,
        b'g' => 0x3D,
        b'h' => 0x74,
        b'i' => 0x10,
        b'j' => 0x1E,
        b'k' => 0x75,
        b'l' => 0x38,
        b'm' => 0x55,
        b'n' => 0x54,
        b'o' => 0x5C,
        b'p' => 0x73,
        b'q' => 0x67,
        b'r' => 0x50,
        b't' => 0x78,
        b'u' => 0x3E,
        b'v' => 0x2A,
        b'w' => 0x7E,
        b'x' | b'\\' => 0x64,
        b'y' => 0x6E,
        b'-' => 0x40,
        b'_' => 0x08,
        b'=' => 0x48,
        b'?' => 0x53,
        b'@' => 0x65,
        b'/' => 0x52,
        b'|' => 0x36,
        _ => 0x00,
    }
}

const START: u8 = 0x03;
const END: u8 = 0x00;
const BEEP: u8 = 0x03;
const NO_BEEP: u8 = 0x01;
