//! Owns the commands of a host in single-board mode.
//! Does not know the replies of a board, or their times.

use crate::Bytes;

mod clock_message;
mod leds;
mod parser;
#[cfg(test)]
mod tests;

pub use self::{
    clock_message::{ClockMessage, Icons, RunControl, Segments},
    leds::{FieldList, Leds},
    parser::{CommandParser, Received},
};

/// A command of a host to a board in single-board mode (protocol section 2).
///
/// Two commands are left out: `4E` starts the boot loader, which would end a
/// game, and `2C`, a clock message over I2C, has no public description.
///
/// ```
/// # use dgt_protocol::{ClockMessage, Command};
/// assert_eq!(&*Command::SendBoard.to_bytes(), [0x42]);
/// // A message to the clock has its length behind the first byte.
/// let text = Command::Clock(ClockMessage::ascii("hello", 1)).to_bytes();
/// assert_eq!(text[0], 0x2B);
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Command {
    /// Ends all updates. It restarts nothing and has no reply.
    Reset,
    /// Asks for the clock: [`Message::Clock`](crate::Message::Clock).
    SendClock,
    /// Asks for all fields: [`Message::BoardDump`](crate::Message::BoardDump).
    SendBoard,
    /// From here on: field updates when something changes, clock reports at least every second.
    SendUpdate,
    /// From here on: field updates only; nothing from the clock, not even acknowledgements.
    SendUpdateBoard,
    /// Asks for the five-digit serial number: [`Message::Serial`](crate::Message::Serial). Every board answers it.
    SendSerial,
    /// Asks for the address in bus mode: [`Message::BusAddress`](crate::Message::BusAddress).
    SendBusAddress,
    /// Asks for the maker's text: [`Message::Trademark`](crate::Message::Trademark).
    SendTrademark,
    /// Asks newer boards for their hardware: [`Message::HardwareVersion`](crate::Message::HardwareVersion).
    SendHardwareVersion,
    /// Asks for the event log: [`Message::EventLog`](crate::Message::EventLog). It blocks the line for 8.3 seconds.
    SendEventLog,
    /// Puts the board into bus mode.
    ToBusMode,
    /// From here on: field updates and clock reports when something changes. The mode to use.
    SendUpdateNice,
    /// Asks Bluetooth boards for [`Message::Battery`](crate::Message::Battery); others stay silent.
    SendBattery,
    /// Asks for the firmware: [`Message::Version`](crate::Message::Version).
    SendVersion,
    /// Asks a draughts board for its dark squares.
    SendDraughtsDark,
    /// Makes a draughts board scan its dark squares. **Kept in EEPROM**: not for probing.
    ScanDraughtsDark,
    /// Asks a draughts board for its light squares.
    SendDraughtsLight,
    /// Makes a draughts board scan its light squares. **Kept in EEPROM**: not for probing.
    ScanDraughtsLight,
    /// Makes a draughts board scan all squares. **Kept in EEPROM**: not for probing.
    ScanDraughtsAll,
    /// Asks newer boards for the ten-digit serial number: [`Message::LongSerial`](crate::Message::LongSerial).
    SendLongSerial,
    /// Asks for the I2C clock; on a Pegasus the byte has another meaning.
    SendI2cClock,
    /// From here on: updates with the I2C clock. Lists disagree whether this or `58` is the sparing mode.
    SendI2cUpdate57,
    /// From here on: updates with the I2C clock. Lists disagree whether this or `57` is the sparing mode.
    SendI2cUpdate58,
    /// Asks a Pegasus whether it is locked.
    SendPegasusLock,
    /// Asks a Pegasus about its developer key.
    SendPegasusKeyState,
    /// Gives a Pegasus a developer key.
    DeveloperKey([u8; 6]),
    /// Sends a message to the clock.
    Clock(ClockMessage),
    /// Controls the lamps on the fields.
    Leds(Leds),
}

impl Command {
    /// The most bytes a command takes: a lamp for every field.
    pub const LONGEST: usize = 71;

    /// Gets the bytes to send.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes<{ Self::LONGEST }> {
        let code = match self {
            Self::Reset => 0x40,
            Self::SendClock => 0x41,
            Self::SendBoard => 0x42,
            Self::SendUpdate => 0x43,
            Self::SendUpdateBoard => 0x44,
            Self::SendSerial => 0x45,
            Self::SendBusAddress => 0x46,
            Self::SendTrademark => 0x47,
            Self::SendHardwareVersion => 0x48,
            Self::SendEventLog => 0x49,
            Self::ToBusMode => 0x4A,
            Self::SendUpdateNice => 0x4B,
            Self::SendBattery => 0x4C,
            Self::SendVersion => 0x4D,
            Self::SendDraughtsDark => 0x50,
            Self::ScanDraughtsDark => 0x51,
            Self::SendDraughtsLight => 0x52,
            Self::ScanDraughtsLight => 0x53,
            Self::ScanDraughtsAll => 0x54,
            Self::SendLongSerial => 0x55,
            Self::SendI2cClock => 0x56,
            Self::SendI2cUpdate57 => 0x57,
            Self::SendI2cUpdate58 => 0x58,
            Self::SendPegasusLock => 0x59,
            Self::SendPegasusKeyState => 0x5A,
            Self::DeveloperKey(key) => return Bytes::joined(&[&[DEVELOPER_KEY, 0x07], key, &[0x00]]),
            Self::Clock(message) => return message.to_bytes(),
            Self::Leds(leds) => return leds.to_bytes(),
        };
        Bytes::joined(&[&[code]])
    }

    /// Gets the command that is this one byte, or `None` for longer, unknown and forbidden ones.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x40 => Self::Reset,
            0x41 => Self::SendClock,
            0x42 => Self::SendBoard,
            0x43 => Self::SendUpdate,
            0x44 => Self::SendUpdateBoard,
            0x45 => Self::SendSerial,
            0x46 => Self::SendBusAddress,
            0x47 => Self::SendTrademark,
            0x48 => Self::SendHardwareVersion,
            0x49 => Self::SendEventLog,
            0x4A => Self::ToBusMode,
            0x4B => Self::SendUpdateNice,
            0x4C => Self::SendBattery,
            0x4D => Self::SendVersion,
            0x50 => Self::SendDraughtsDark,
            0x51 => Self::ScanDraughtsDark,
            0x52 => Self::SendDraughtsLight,
            0x53 => Self::ScanDraughtsLight,
            0x54 => Self::ScanDraughtsAll,
            0x55 => Self::SendLongSerial,
            0x56 => Self::SendI2cClock,
            0x57 => Self::SendI2cUpdate57,
            0x58 => Self::SendI2cUpdate58,
            0x59 => Self::SendPegasusLock,
            0x5A => Self::SendPegasusKeyState,
            _ => return None,
        })
    }
}

/// The commands that are followed by their size and as many bytes.
const CLOCK_MESSAGE: u8 = 0x2B;
const SET_LEDS: u8 = 0x60;
const DEVELOPER_KEY: u8 = 0x63;
