//! Owns the framing of a single-board stream, and the lengths of its messages.
//! Reads no clock: the caller reports when an unfinished frame timed out.

use crate::{
    Message,
    framing::{FixedBuffer, Format, FrameBuffer, Framer, SEVERAL, Tally},
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

/// A message on the line: an id and its data, with a valid length and without top bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Frame<'a> {
    /// The kind of message: one of [`id`], or an undocumented number.
    pub id: u8,
    /// The bytes after the header of three bytes.
    pub data: &'a [u8],
}

impl<'a> Frame<'a> {
    #[inline]
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let (header, data) = bytes.split_first_chunk::<3>()?;
        Some(Self { id: header[0], data })
    }

    /// Decodes the frame.
    #[inline]
    #[must_use]
    pub fn message(self) -> Message<'a> {
        Message::decode(self.id, self.data)
    }
}

/// Splits the bytes of one board into frames, for any chunking.
///
/// It never fails. After lost, added or changed bytes it is synchronised again at the next id, and every byte
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
/// A frame that is complete in the input is borrowed from it without a copy. One that arrives in pieces is assembled in
/// a buffer for the largest frame, an event log of nearly 8 KB. That is most of the decoder's
/// size, and intended: a log is delivered whole or not at all, by the same code as all other frames. Whoever has an
/// allocator and many boards brings a buffer that grows ([`Decoder::with_buffer`]).
#[derive(Clone, Debug)]
pub struct Decoder<B: FrameBuffer = FixedBuffer>(Framer<SingleBoard, B>);

impl Decoder {
    /// Makes a decoder without pending bytes.
    #[must_use]
    pub const fn new() -> Self {
        Self(Framer::new())
    }
}

impl<B: FrameBuffer> Decoder<B> {
    /// Makes a decoder without pending bytes that assembles frames in a buffer of the caller.
    #[must_use]
    pub const fn with_buffer(buffer: B) -> Self {
        Self(Framer::with(buffer))
    }

    /// Consumes bytes of `input` up to the end of the next frame, and returns the frame.
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

    /// Consumes a whole frame at the front of `input`, as [`Self::next_frame`] would, if one lies there; else nothing.
    ///
    /// For a caller that distinguishes bytes that begin a message from noise.
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

    /// Gets the id of the unfinished frame, if there is one.
    #[must_use]
    pub fn pending_id(&self) -> Option<u8> {
        self.0.pending_id()
    }

    /// Discards the unfinished frame; call it when the next byte is overdue: 0.1 to 0.5 s on a cable, 1 s by Bluetooth.
    pub fn discard_pending(&mut self) {
        self.0.discard_pending();
    }

    /// Resets the decoder after a lost link. The unfinished frame counts as noise but not as broken, because
    /// the line is not at fault; the counters continue.
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
    /// Protocol section 3.1. Limits for battery and texts are generous, because firmware versions differ;
    /// undocumented messages may be as long as a text, so that a damaged header does not block a board for long.
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
