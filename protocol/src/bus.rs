//! Owns bus mode, several boards on one line: addresses, checksums, commands and replies.
//! Does not know which reply belongs to which command, or when to repeat one.
//!
//! Its ids overlap those of single-board mode with other meanings, so each mode has its own decoder.

use core::fmt;

use crate::{
    EventLog, Message,
    bytes::{EncodeError, is_data, put_frame},
    framing::{Format, Framer, Tally},
    message::{DraughtsSquares, Flaw, Version},
};

#[cfg(test)]
mod tests;

/// A board's address on the bus: its serial number in 14 bits.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Address {
    high: u8,
    low: u8,
}

impl Address {
    /// All boards on the line.
    pub const BROADCAST: Self = Self { high: 0, low: 0 };

    /// Gets the address with this number, or `None` above 16383.
    #[must_use]
    pub fn new(number: u16) -> Option<Self> {
        let high = u8::try_from(number >> 7).ok().filter(|&high| is_data(high))?;
        u8::try_from(number & 0x7F).ok().map(|low| Self { high, low })
    }

    /// Gets the address of the board with this five-digit serial number. `None` for text, and for numbers above
    /// 16383: the addresses of such boards are undocumented.
    #[must_use]
    pub fn from_serial(serial: &str) -> Option<Self> {
        serial.trim().parse().ok().and_then(Self::new)
    }

    /// Gets the number, 0 to 16383.
    #[must_use]
    pub fn number(self) -> u16 {
        u16::from(self.high) << 7 | u16::from(self.low)
    }

    /// Reads the two halves of seven bits; top bits are ignored.
    #[must_use]
    pub const fn from_halves(high: u8, low: u8) -> Self {
        Self { high: high & 0x7F, low: low & 0x7F }
    }

    /// Gets the two halves of seven bits, the high one first.
    #[must_use]
    pub const fn halves(self) -> [u8; 2] {
        [self.high, self.low]
    }
}

/// Prints five digits, as the serial number has them.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.number())
    }
}

/// A command of a host to one board on the bus, or to all.
///
/// ```
/// # use dgt_protocol::{Address, BusCommand, BusRequest};
/// let address = Address::from_serial("01025").unwrap();
/// let command = BusCommand { address, request: BusRequest::SendChanges };
/// assert_eq!(BusCommand::decode(command.to_bytes()), Some(command));
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct BusCommand {
    /// The board.
    pub address: Address,
    /// The request.
    pub request: BusRequest,
}

/// The request of a bus command (protocol section 6.2).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum BusRequest {
    /// Send the clock: [`Message::Clock`].
    SendClock,
    /// Send all fields: [`Message::BoardDump`].
    SendBoard,
    /// Send the log records since the last request, **once**: [`Answer::Changes`]. If the reply is lost, send
    /// [`RepeatChanges`](Self::RepeatChanges).
    SendChanges,
    /// Send the last [`Answer::Changes`] again.
    RepeatChanges,
    /// Record the start of a game and all pieces in the log: [`Answer::StartWritten`].
    SetStartGame,
    /// Send the log records since the start of the game: [`Answer::FromStart`].
    SendFromStart,
    /// Reply with [`Answer::Pong`]. A broadcast is answered within 1.1 seconds, at a random time.
    Ping,
    /// Leave bus mode. Never broadcast it with several boards on the line.
    EndBusMode,
    /// Restart; takes seconds and has no reply.
    Reset,
    /// Reply at once with [`Answer::Pong`], and ignore the next broadcast ping.
    IgnoreNextPing,
    /// Send the firmware: [`Message::Version`] or [`Answer::EarlyVersion`].
    SendVersion,
    /// Send a draughts board's dark squares: [`Message::DraughtsDump`].
    SendDraughts,
    /// Send changes, clock and board: three answers in a row.
    SendAll,
    /// An undocumented request of newer boards, by its id.
    Other(u8),
}

impl BusCommand {
    /// How many bytes a bus command takes.
    pub const LENGTH: usize = 4;

    /// Gets the bytes to send.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::LENGTH] {
        let [high, low] = self.address.halves();
        let id = self.request.id();
        [id, high, low, checksum(&[id, high, low])]
    }

    /// Reads a command, or `None` if the checksum is wrong or a top bit out of place.
    #[must_use]
    pub fn decode(bytes: [u8; Self::LENGTH]) -> Option<Self> {
        let [id, high, low, sum] = bytes;
        let is_sound = !is_data(id) && is_data(high | low) && checksum(&[id, high, low]) == sum;
        is_sound.then_some(())?;
        Some(Self { address: Address::from_halves(high, low), request: BusRequest::from_id(id) })
    }
}

impl BusRequest {
    const fn id(self) -> u8 {
        match self {
            Self::SendClock => 0x81,
            Self::SendBoard => 0x82,
            Self::SendChanges => 0x83,
            Self::RepeatChanges => 0x84,
            Self::SetStartGame => 0x85,
            Self::SendFromStart => 0x86,
            Self::Ping => 0x87,
            Self::EndBusMode => 0x88,
            Self::Reset => 0x89,
            Self::IgnoreNextPing => 0x8A,
            Self::SendVersion => 0x8B,
            Self::SendDraughts => 0x8C,
            Self::SendAll => 0x8D,
            Self::Other(id) => id | 0x80,
        }
    }

    const fn from_id(id: u8) -> Self {
        match id {
            0x81 => Self::SendClock,
            0x82 => Self::SendBoard,
            0x83 => Self::SendChanges,
            0x84 => Self::RepeatChanges,
            0x85 => Self::SetStartGame,
            0x86 => Self::SendFromStart,
            0x87 => Self::Ping,
            0x88 => Self::EndBusMode,
            0x89 => Self::Reset,
            0x8A => Self::IgnoreNextPing,
            0x8B => Self::SendVersion,
            0x8C => Self::SendDraughts,
            0x8D => Self::SendAll,
            other => Self::Other(other),
        }
    }
}

/// A reply of one board on the bus.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BusReply<'a> {
    /// The board.
    pub address: Address,
    /// The content.
    pub answer: Answer<'a>,
}

/// The content of a bus reply (protocol section 6.2).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Answer<'a> {
    /// A message that also exists in single-board mode: clock, dumps, version; or an unknown or malformed one, with the
    /// id of the bus.
    Message(Message<'a>),
    /// The log records since the last request.
    Changes(EventLog<'a>),
    /// The same from newer boards, alternating with [`Answer::Changes`] so that a lost reply is noticed.
    ChangesEven(EventLog<'a>),
    /// The log records since the start of the game.
    FromStart(EventLog<'a>),
    /// The reply to a ping.
    Pong,
    /// The start of a game was recorded in the log.
    StartWritten,
    /// The firmware is 1.2 or older, which does not send its number.
    EarlyVersion,
}

impl<'a> BusReply<'a> {
    /// Decodes the bytes after the header of three bytes, without the checksum, which the caller checks.
    #[must_use]
    pub fn decode(id: u8, body: &'a [u8]) -> Self {
        let malformed = |flaw| Answer::Message(Message::Malformed { id, data: body, flaw });
        let (address, data) = match *body {
            [high, low, ref data @ ..] => (Address::from_halves(high, low), data),
            _ => return Self { address: Address::BROADCAST, answer: malformed(Flaw::Length) },
        };
        let answer = match (id, data) {
            (id::CLOCK, _) => Answer::Message(Message::clock(id, data)),
            (id::BOARD, _) => Answer::Message(Message::dump(id, data)),
            (id::DRAUGHTS, _) => Answer::Message(Message::draughts(id, DraughtsSquares::Dark, data)),
            (id::VERSION, &[major, minor]) => Answer::Message(Message::Version(Version { major, minor })),
            (id::VERSION, []) => Answer::EarlyVersion,
            (id::CHANGES, _) => Answer::Changes(EventLog(data)),
            (id::CHANGES_EVEN, _) => Answer::ChangesEven(EventLog(data)),
            (id::FROM_START, _) => Answer::FromStart(EventLog(data)),
            (id::PONG, []) => Answer::Pong,
            (id::START_WRITTEN, []) => Answer::StartWritten,
            _ => Answer::Message(Message::Unknown { id, data }),
        };
        Self { address, answer }
    }

    /// Writes the reply as a frame to the start of `out` and returns the frame.
    ///
    /// # Errors
    ///
    /// [`EncodeError::NoRoom`] if `out` is too small, [`EncodeError::OutOfRange`] if a value does not fit,
    /// [`EncodeError::NotOnBus`] for a message that only exists in single-board mode.
    pub fn encode<'o>(&self, out: &'o mut [u8]) -> Result<&'o [u8], EncodeError> {
        match self.answer {
            Answer::Changes(log) => self.put(out, id::CHANGES, log.0),
            Answer::ChangesEven(log) => self.put(out, id::CHANGES_EVEN, log.0),
            Answer::FromStart(log) => self.put(out, id::FROM_START, log.0),
            Answer::Pong => self.put(out, id::PONG, &[]),
            Answer::StartWritten => self.put(out, id::START_WRITTEN, &[]),
            Answer::EarlyVersion => self.put(out, id::VERSION, &[]),
            Answer::Message(message) => match message {
                Message::Clock(report) => {
                    self.put(out, id::CLOCK, &report.encode().ok_or(EncodeError::OutOfRange)?)
                }
                Message::ClockAck(ack) => self.put(out, id::CLOCK, &ack.encode()),
                Message::ClockZero => self.put(out, id::CLOCK, &[0; 7]),
                Message::BoardDump(placement) => self.put(out, id::BOARD, &placement.to_bytes()),
                Message::BoardDump100(codes) => self.put(out, id::BOARD, codes),
                Message::Version(Version { major, minor }) => self.put(out, id::VERSION, &[major, minor]),
                Message::DraughtsDump { squares: DraughtsSquares::Dark, codes } => {
                    self.put(out, id::DRAUGHTS, codes)
                }
                Message::Unknown { id, data } | Message::Malformed { id, data, .. } => {
                    self.put(out, id, data)
                }
                Message::FieldUpdate { .. }
                | Message::Serial(_)
                | Message::LongSerial(_)
                | Message::BusAddress(_)
                | Message::Trademark(_)
                | Message::HardwareVersion(_)
                | Message::Battery(_)
                | Message::DraughtsDump { squares: DraughtsSquares::Light, .. }
                | Message::EventLog(_)
                | Message::Idle => Err(EncodeError::NotOnBus),
            },
        }
    }

    fn put<'o>(&self, out: &'o mut [u8], id: u8, data: &[u8]) -> Result<&'o [u8], EncodeError> {
        let length = put_frame(out, id, &[&self.address.halves(), data, &[0]])?;
        debug_assert!(length >= 6, "header, address and checksum take {length} bytes");
        let frame = out.get_mut(..length).ok_or(EncodeError::NoRoom)?;
        if let Some((sum, covered)) = frame.split_last_mut() {
            *sum = checksum(covered);
        }
        Ok(frame)
    }
}

/// Splits the bytes of a bus into replies, for any chunking; a [`Decoder`](crate::Decoder) with checksums.
///
/// A frame with a wrong checksum counts as broken and is not returned.
///
/// ```
/// # use dgt_protocol::{Address, Answer, BusDecoder, BusReply};
/// let sent = BusReply { address: Address::from_serial("01025").unwrap(), answer: Answer::Pong };
/// let mut bytes = [0; 16];
/// let mut line = sent.encode(&mut bytes)?;
/// let mut decoder = BusDecoder::new();
/// assert_eq!(decoder.next_reply(&mut line), Some(sent));
/// assert_eq!(decoder.next_reply(&mut line), None);
/// # Ok::<(), dgt_protocol::EncodeError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BusDecoder(Framer<Bus>);

impl BusDecoder {
    /// Makes a decoder without pending bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self(Framer::new())
    }

    /// Consumes bytes of `input` up to the end of the next reply and returns it; `None` when the input is consumed.
    #[inline]
    pub fn next_reply<'a, 'i: 'a>(&'a mut self, input: &mut &'i [u8]) -> Option<BusReply<'a>> {
        let (header, body) = self.0.next_frame(input)?.split_first_chunk::<3>()?;
        let (_checksum, body) = body.split_last()?;
        Some(BusReply::decode(header[0], body))
    }

    /// Gets the account of all bytes taken so far.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.0.tally()
    }

    /// Gets how many bytes of an unfinished reply are held.
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.0.pending()
    }

    /// Discards the unfinished reply; call it when the next byte is overdue. Boards answer within 80 ms.
    pub fn discard_pending(&mut self) {
        self.0.discard_pending();
    }

    /// Resets the decoder after a lost link; see [`Decoder::reset`](crate::Decoder::reset).
    pub fn reset(&mut self) {
        self.0.reset();
    }
}

impl Default for BusDecoder {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone)]
struct Bus;

impl Format for Bus {
    fn accepts(id: u8, length: usize) -> bool {
        match id {
            id::BOARD => length == 70 || length == 106,
            id::CLOCK => length == 13,
            id::CHANGES | id::CHANGES_EVEN | id::FROM_START => length >= 6,
            id::PONG | id::START_WRITTEN => length == 6,
            id::VERSION => length == 6 || length == 8,
            id::DRAUGHTS => length == 56,
            _ => (6..=256).contains(&length),
        }
    }

    fn is_intact(frame: &[u8]) -> bool {
        frame.split_last().is_some_and(|(sum, covered)| *sum == checksum(covered))
    }
}

/// Returns the sum of all bytes modulo 128.
fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F
}

/// The ids of replies on the bus.
mod id {
    pub(super) const BOARD: u8 = 0x83;
    pub(super) const CLOCK: u8 = 0x84;
    pub(super) const CHANGES: u8 = 0x85;
    pub(super) const FROM_START: u8 = 0x86;
    pub(super) const PONG: u8 = 0x87;
    pub(super) const START_WRITTEN: u8 = 0x88;
    pub(super) const VERSION: u8 = 0x89;
    pub(super) const DRAUGHTS: u8 = 0x8A;
    pub(super) const CHANGES_EVEN: u8 = 0x8B;
}
