//! Owns the lamps on the fields of some boards.
//! Does not know the model of the board: the layouts of Revelation II and Pegasus differ.

use core::fmt;

use super::SET_LEDS;
use crate::{Bytes, Command, Field};

/// A command for the lamps (protocol section 2.3).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Leds {
    /// Revelation II: switches the lamps of a move on or off.
    Revelation {
        /// On or off.
        lit: bool,
        /// One of the fields.
        from: Field,
        /// The other one.
        to: Field,
    },
    /// Revelation II, firmware after 3.21: all off.
    RevelationOff,
    /// Revelation II, firmware after 3.21: whether a lamp goes out when the piece on its field changes.
    RevelationAutoOff(bool),
    /// Revelation II, firmware after 3.21: whether the board turns round by itself when White sits at the other side.
    RevelationAutoReverse(bool),
    /// Pegasus: lets the lamps of some fields blink.
    Pegasus {
        /// How fast.
        speed: u8,
        /// How often.
        repeat: u8,
        /// How bright.
        brightness: u8,
        /// The field.
        fields: FieldList,
    },
    /// Pegasus: all off.
    PegasusOff,
}

impl Leds {
    pub(super) fn to_bytes(self) -> Bytes<{ Command::LONGEST }> {
        match self {
            Self::Revelation { lit, from, to } => revelation([u8::from(lit), from.number(), to.number()]),
            Self::RevelationOff => revelation([0x00, ALL, ALL]),
            Self::RevelationAutoOff(on) => revelation([OPTION, AUTO_OFF, u8::from(on)]),
            Self::RevelationAutoReverse(on) => revelation([OPTION, AUTO_REVERSE, u8::from(on)]),
            Self::Pegasus { speed, repeat, brightness, fields } => {
                let numbers = fields.fields.map(Field::number);
                let numbers = numbers.get(..fields.length).unwrap_or_default();
                let size = u8::try_from(numbers.len()).map_or(0, |count| count + 5);
                let settings = [PEGASUS, speed & 0x7F, repeat & 0x7F, brightness & 0x7F];
                Bytes::joined(&[&[SET_LEDS, size], &settings, numbers, &[0x00]])
            }
            Self::PegasusOff => Bytes::joined(&[&[SET_LEDS, 0x02, 0x00, 0x00]]),
        }
    }

    /// Reads what follows the size byte; `None` if neither board would understand it.
    pub(super) fn decode(payload: &[u8]) -> Option<Self> {
        match *payload {
            [0x00, 0x00] => Some(Self::PegasusOff),
            [0x00, ALL, _, 0x00] => Some(Self::RevelationOff),
            [pattern @ (0 | 1), from, to, 0x00] => {
                Some(Self::Revelation { lit: pattern == 1, from: Field::new(from)?, to: Field::new(to)? })
            }
            [OPTION, AUTO_OFF, on @ (0 | 1), 0x00] => Some(Self::RevelationAutoOff(on == 1)),
            [OPTION, AUTO_REVERSE, on @ (0 | 1), 0x00] => Some(Self::RevelationAutoReverse(on == 1)),
            [PEGASUS, speed, repeat, brightness, ref numbers @ .., 0x00] => {
                let mut fields = FieldList::default();
                for &number in numbers {
                    fields.push(Field::new(number)?).ok()?;
                }
                Some(Self::Pegasus { speed, repeat, brightness, fields })
            }
            _ => None,
        }
    }
}

/// Up to 64 fields in an order of their own.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct FieldList {
    fields: [Field; Field::COUNT],
    length: usize,
}

impl FieldList {
    /// Adds a field at the end.
    ///
    /// # Errors
    ///
    /// Gives the field back if the list is full.
    pub fn push(&mut self, field: Field) -> Result<(), Field> {
        *self.fields.get_mut(self.length).ok_or(field)? = field;
        self.length += 1;
        Ok(())
    }

    /// Iterates over the fields.
    pub fn iter(&self) -> impl Iterator<Item = Field> + Clone {
        self.fields.into_iter().take(self.length)
    }
}

impl Default for FieldList {
    fn default() -> Self {
        Self { fields: [Field::FIRST; Field::COUNT], length: 0 }
    }
}

/// Keeps the first 64.
impl FromIterator<Field> for FieldList {
    fn from_iter<I: IntoIterator<Item = Field>>(fields: I) -> Self {
        let mut list = Self::default();
        for field in fields.into_iter().take(Field::COUNT) {
            if list.push(field).is_err() {
                break;
            }
        }
        list
    }
}

impl fmt::Debug for FieldList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

fn revelation([pattern, start, end]: [u8; 3]) -> Bytes<{ Command::LONGEST }> {
    Bytes::joined(&[&[SET_LEDS, 0x04, pattern, start, end, 0x00]])
}

const ALL: u8 = 0x40;
const OPTION: u8 = 0x02;
const AUTO_OFF: u8 = 0x01;
const AUTO_REVERSE: u8 = 0x02;
const PEGASUS: u8 = 0x05;
