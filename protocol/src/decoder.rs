//! Owns the cutting of a single-board stream into frames, and the lengths its messages have.
//! Knows no clock: when a started frame does not go on, the caller says so.

use crate::{
    Message,
    framing::{Format, Framer, SEVERAL, Tally},
};

#[cfg(test)]
mod tests;

/// The ids of the messages that a board sends in single-board mode (protocol section 3.1).
pub mod id {
    #![expect(missing_docs, reason = "named as their variants in `Message`, where each is explained")]
    pub const IDLE: u8 = 0x80;
    pub const BOARD_DUMP: u8 = 0x86;
    pub const CLOCK: u8 = 0x8D;
    pub const FIELD_UPDATE: u8 = 0x8E;
    pub const EVENT_LOG: u8 = 0x8F;
    pub const BUS_ADDRESS: u8 = 0x90;
    pub const SERIAL: u8 = 0x91;
    pub const TRADEMARK: u8 = 0x92;
    pub const VERSION: u8 = 0x93;
    pub const DRAUGHTS_DARK: u8 = 0x94;
    pub const DRAUGHTS_LIGHT: u8 = 0x95;
    pub const HARDWARE_VERSION: u8 = 0x96;
    pub const BATTERY: u8 = 0xA0;
    pub const LONG_SERIAL: u8 = 0xA2;
}

/// A message as it lay on the line: an id and its data, the length checked and all top bits clear.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Frame<'a> {
    /// What kind of message this is; one of [`id`] or a number that nobody has documented.
    pub id: u8,
    /// What follows the three bytes of header.
    pub data: &'a [u8],
}

impl<'a> Frame<'a> {
    #[inline]
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let (header, data) = bytes.split_first_chunk::<3>()?;
        Some(Self { id: header[0], data })
    }

    /// Says what the frame means.
    #[inline]
    #[must_use]
    pub fn message(self) -> Message<'a> {
        Message::decode(self.id, self.data)
    }
}

/// Cuts the bytes from one board into frames, however they arrive.
///
/// It never fails. After lost, added or changed bytes it is in step again at the next id, and every byte it was given
/// is counted exactly once in its [`Tally`] or is [`pending`](Self::pending).
///
/// ```
/// # use dgt_protocol::{Decoder, Message};
/// let mut decoder = Decoder::new();
/// let mut input: &[u8] = &[0x0D, 0x0A, 0x93, 0x00, 0x05, 0x01, 0x08];
/// while let Some(frame) = decoder.next_frame(&mut input) {
///     assert!(matches!(frame.message(), Message::Version(version) if version.minor == 8));
/// }
/// assert_eq!((decoder.tally().frames, decoder.tally().noise_bytes), (1, 2));
/// ```
///
/// A frame that lies whole in the input is lent from there without a copy. One that comes in pieces is put together in
/// a buffer inside, which is as large as the largest frame, an event log of nearly 8 KB. That is most of the decoder's
/// size, and bought on purpose: a log is delivered whole or not at all, by the same few lines as everything else.
#[derive(Clone, Debug)]
pub struct Decoder(Framer<SingleBoard>);

impl Decoder {
    /// Makes a decoder that has seen nothing yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(Framer::new())
    }

    /// Takes bytes off the front of `input` up to the end of the next frame.
    ///
    /// Returns `None` when the input is used up; the start of a frame that it ends with is kept for the next call.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else the input goes through memory, and a third of the speed with it"
    )]
    pub fn next_frame<'a, 'i: 'a>(&'a mut self, input: &mut &'i [u8]) -> Option<Frame<'a>> {
        Frame::of(self.0.next_frame(input)?)
    }

    /// Takes a whole frame off the front of `input`, as [`Self::next_frame`] would, if one lies there; else nothing.
    ///
    /// For a caller that has something to do between a byte that begins a message and one that belongs to none.
    #[inline]
    pub fn whole_frame<'i>(&mut self, input: &mut &'i [u8]) -> Option<Frame<'i>> {
        Frame::of(self.0.whole_frame(input)?)
    }

    /// Gets the account of all bytes taken so far.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.0.tally()
    }

    /// Gets how many bytes of an unfinished frame are held. If they stay too long, call [`Self::discard_pending`].
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.0.pending()
    }

    /// Gives up the unfinished frame, because its next byte is overdue: 100 to 500 ms on a cable, 1 s over Bluetooth.
    pub fn discard_pending(&mut self) {
        self.0.discard_pending();
    }

    /// Starts afresh because the link was lost. The unfinished frame becomes noise but is not called broken, since
    /// the line did nothing wrong; the counters go on.
    pub fn reset(&mut self) {
        self.0.reset();
    }
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new()
    }
}

#[derive(Clone)]
struct SingleBoard;

impl Format for SingleBoard {
    /// Protocol section 3.1. Battery and text lengths are generous, because firmwares differ; what nobody has
    /// documented may be as long as a text, but not so long that a damaged header silences a board.
    #[inline]
    fn accepts(id: u8, length: usize) -> bool {
        match id {
            id::BOARD_DUMP => length == 67 || length == 103,
            id::EVENT_LOG => length == 7939,
            id::SERIAL => length == 8 || length == 12,
            id::DRAUGHTS_DARK | id::DRAUGHTS_LIGHT => length == 53,
            id::BATTERY => (4..=16).contains(&length),
            id::TRADEMARK => (3..=512).contains(&length),
            _ => match Self::only_length(id) {
                SEVERAL => (3..=256).contains(&length),
                only => length == only,
            },
        }
    }

    #[inline]
    fn only_length(id: u8) -> usize {
        match id {
            id::CLOCK => 10,
            id::FIELD_UPDATE | id::BUS_ADDRESS | id::VERSION | id::HARDWARE_VERSION => 5,
            id::LONG_SERIAL => 13,
            _ => SEVERAL,
        }
    }
}
