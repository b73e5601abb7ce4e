//! Owns the framing of a byte stream for both modes: resynchronisation, and the account of every byte.
//! Does not know messages; lengths and checksums come from its [`Format`].

use core::{fmt, marker::PhantomData};

use crate::bytes::{are_data, is_data};

#[cfg(test)]
mod tests;

/// Bytes of the longest real frame: a bus reply with the whole event log of 7936 bytes.
pub const LONGEST_FRAME: usize = 7942;

/// Where a decoder assembles a frame that arrives in pieces.
///
/// A frame is written from its first byte on, piece by piece, and has at most [`LONGEST_FRAME`] bytes.
pub trait FrameBuffer {
    /// Gets what was written since the last write at 0; what follows it is ignored.
    fn bytes(&self) -> &[u8];

    /// Writes a piece behind the first `at` bytes, which stay as they are.
    fn write(&mut self, at: usize, piece: &[u8]);
}

/// Room for the longest frame, without an allocator.
#[derive(Clone)]
pub struct FixedBuffer([u8; LONGEST_FRAME]);

impl FixedBuffer {
    pub(crate) const fn new() -> Self {
        Self([0; LONGEST_FRAME])
    }
}

impl FrameBuffer for FixedBuffer {
    fn bytes(&self) -> &[u8] {
        &self.0
    }

    fn write(&mut self, at: usize, piece: &[u8]) {
        for (place, &byte) in self.0.iter_mut().skip(at).zip(piece) {
            *place = byte;
        }
    }
}

/// The account of all bytes that a decoder consumed: their number is `frame_bytes + noise_bytes + pending`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Tally {
    /// Complete frames returned.
    pub frames: u64,
    /// Bytes of these frames.
    pub frame_bytes: u64,
    /// Bytes outside of complete frames.
    pub noise_bytes: u64,
    /// Frames that began and were discarded: cut short by the next one, of an invalid length for their id, with a
    /// wrong checksum, or timed out.
    pub broken: u64,
}

/// The differences between the framings of single-board mode and bus mode.
pub(crate) trait Format {
    /// Returns whether a frame with this id may be `length` bytes long, header included.
    fn accepts(id: u8, length: usize) -> bool;

    /// Returns the only length up to 16 that [`Self::accepts`] for this id; [`SEVERAL`] if there is none.
    /// Complete frames of this length need no further check.
    fn only_length(_id: u8) -> usize {
        SEVERAL
    }

    /// Returns whether a complete frame of an accepted length is valid.
    fn is_intact(_frame: &[u8]) -> bool {
        true
    }
}

/// Longer than any frame.
pub(crate) const SEVERAL: usize = usize::MAX;

/// Splits a stream into frames of `id`, two length bytes, data.
///
/// Its rule: **only an id has its top bit set**. A top bit always starts a frame, even inside
/// another one, and no byte before it can damage the frame that it starts.
#[derive(Clone)]
pub(crate) struct Framer<F, B = FixedBuffer> {
    /// The start of an incomplete frame: `held` bytes, the first of them an id.
    partial: B,
    held: usize,
    tally: Tally,
    format: PhantomData<F>,
}

impl<F> Framer<F> {
    pub(crate) const fn new() -> Self {
        Self::with(FixedBuffer::new())
    }
}

impl<F, B> Framer<F, B> {
    pub(crate) const fn with(partial: B) -> Self {
        let tally = Tally { frames: 0, frame_bytes: 0, noise_bytes: 0, broken: 0 };
        Self { partial, held: 0, tally, format: PhantomData }
    }
}

impl<F: Format, B: FrameBuffer> Framer<F, B> {
    /// Consumes bytes of `input` up to the end of the next frame, and returns it with its header.
    #[inline(always)]
    #[expect(
        clippy::inline_always,
        reason = "else the input goes through memory, and a third of the speed with it"
    )]
    pub(crate) fn next_frame<'a, 'i: 'a>(&'a mut self, input: &mut &'i [u8]) -> Option<&'a [u8]> {
        if let Some(frame) = self.whole_frame(input) {
            return Some(frame);
        }
        self.next_frame_amid_trouble(input)
    }

    /// Consumes a whole frame at the front of `input` if one lies there and none is held; else nothing.
    #[inline]
    pub(crate) fn whole_frame<'i>(&mut self, input: &mut &'i [u8]) -> Option<&'i [u8]> {
        if self.held > 0 {
            return None;
        }
        self.split_short_frame(input).or_else(|| self.split_whole_frame(input))
    }

    /// Continues where the input does not begin with a complete frame. Separate, so that the usual case is small enough
    /// to be inlined.
    #[cold]
    #[inline(never)]
    fn next_frame_amid_trouble<'a, 'i: 'a>(&'a mut self, input: &mut &'i [u8]) -> Option<&'a [u8]> {
        while !input.is_empty() {
            if self.held == 0 {
                self.drop_noise(input);
                if let Some(frame) = self.split_whole_frame(input) {
                    return Some(frame);
                }
            }
            if let Some(length) = self.buffer_piece(input) {
                return self.partial.bytes().get(..length);
            }
        }
        None
    }

    pub(crate) const fn tally(&self) -> Tally {
        self.tally
    }

    pub(crate) const fn pending(&self) -> usize {
        self.held
    }

    pub(crate) fn pending_id(&self) -> Option<u8> {
        self.partial.bytes().first().copied().filter(|_| self.held > 0)
    }

    pub(crate) fn discard_pending(&mut self) {
        if self.held > 0 {
            self.tally.broken += 1;
        }
        self.reset();
    }

    pub(crate) fn reset(&mut self) {
        self.count_noise(self.held);
        self.held = 0;
    }

    /// The fastest path: a valid frame of an id with one short length, as nearly all frames are. It is checked
    /// in one step.
    #[inline]
    fn split_short_frame<'i>(&mut self, input: &mut &'i [u8]) -> Option<&'i [u8]> {
        let window: &[u8; WINDOW] = input.first_chunk()?;
        let [id, high, low, ..] = *window;
        let length = F::only_length(id);
        let is_frame = !is_data(id) && high == 0 && usize::from(low) == length && next_id(window) >= length;
        if !is_frame {
            return None;
        }
        let (frame, rest) = input.split_at_checked(length)?;
        debug_assert!(F::accepts(id, length) && F::is_intact(frame), "an only length needs no further check");
        *input = rest;
        self.count_frame(length);
        Some(frame)
    }

    /// The fast path: a valid frame that is complete at the front of the input is borrowed from it.
    /// Anything else is left to [`Self::buffer_piece`], which accounts for errors.
    #[inline]
    fn split_whole_frame<'i>(&mut self, input: &mut &'i [u8]) -> Option<&'i [u8]> {
        let length = Self::length(input)?;
        let (frame, rest) = input.split_at_checked(length)?;
        if !is_unbroken(input, length) || !F::is_intact(frame) {
            return None;
        }
        *input = rest;
        self.count_frame(length);
        Some(frame)
    }

    /// Consumes bytes up to the next id.
    fn drop_noise(&mut self, input: &mut &[u8]) {
        let noise = take(input, run_of(input, is_data));
        self.count_noise(noise.len());
    }

    /// The slow path: extends or starts the partial frame; returns its length when it is complete.
    fn buffer_piece(&mut self, input: &mut &[u8]) -> Option<usize> {
        if self.held == 0 {
            self.append(take(input, 1));
        }
        let wanted = if self.held < 3 { 3 } else { Self::length(self.partial.bytes()).unwrap_or(3) };
        debug_assert!(wanted >= self.held, "{} bytes are held of a frame of {wanted}", self.held);
        let missing = wanted - self.held;
        let piece = input.get(..missing).unwrap_or(input);
        let piece = take(input, if are_data(piece) { piece.len() } else { run_of(piece, is_data) });
        self.append(piece);
        if piece.len() < missing {
            if !input.is_empty() {
                self.discard_pending();
            }
            return None;
        }
        match Self::length(self.partial.bytes()) {
            Some(length) if length > self.held => None,
            Some(length) if self.partial.bytes().get(..length).is_some_and(F::is_intact) => {
                self.held = 0;
                self.count_frame(length);
                Some(length)
            }
            Some(_) | None => {
                self.discard_pending();
                None
            }
        }
    }

    /// Reads the length from a header, or `None` if that is no header of a frame that exists.
    #[inline]
    fn length(header: &[u8]) -> Option<usize> {
        let &[id, high, low, ..] = header else { return None };
        if is_data(id) || !is_data(high | low) {
            return None;
        }
        let length = usize::from(high) << 7 | usize::from(low);
        (F::accepts(id, length) && (3..=LONGEST_FRAME).contains(&length)).then_some(length)
    }

    fn append(&mut self, piece: &[u8]) {
        self.partial.write(self.held, piece);
        self.held += piece.len();
        debug_assert!(self.held <= LONGEST_FRAME, "no header announces more");
    }

    #[inline]
    fn count_frame(&mut self, length: usize) {
        debug_assert!((3..=LONGEST_FRAME).contains(&length), "a frame of {length} bytes");
        self.tally.frames += 1;
        self.tally.frame_bytes += widen(length);
    }

    fn count_noise(&mut self, bytes: usize) {
        debug_assert!(self.tally.noise_bytes.checked_add(widen(bytes)).is_some(), "a counter is full");
        self.tally.noise_bytes += widen(bytes);
    }
}

/// Prints the pending bytes, not the whole buffer.
impl<F, B: FrameBuffer> fmt::Debug for Framer<F, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let held = self.partial.bytes().get(..self.held).unwrap_or_default();
        f.debug_struct("Framer").field("held", &held).field("tally", &self.tally).finish_non_exhaustive()
    }
}

/// Bytes that are checked in one step.
const WINDOW: usize = 16;

/// Finds the first id behind the first byte; [`WINDOW`] if there is none.
#[inline]
fn next_id(window: &[u8; WINDOW]) -> usize {
    let ids = u128::from_le_bytes(*window) & u128::from_le_bytes([0x80; WINDOW]) & !0xFF;
    usize::try_from(ids.trailing_zeros() / 8).unwrap_or(WINDOW)
}

/// Says whether the stream's first `length` bytes have no top bit but the first one's.
#[inline]
fn is_unbroken(stream: &[u8], length: usize) -> bool {
    debug_assert!(length >= 3, "a frame has a header, and {length} bytes are none");
    match stream.first_chunk() {
        Some(window) if length <= WINDOW => next_id(window) >= length,
        _ => stream.get(1..length).is_some_and(are_data),
    }
}

/// Removes up to `count` bytes from the front.
fn take<'i>(input: &mut &'i [u8], count: usize) -> &'i [u8] {
    let (piece, rest) = input.split_at_checked(count).unwrap_or((input, &[]));
    *input = rest;
    piece
}

/// Counts the bytes at the front that satisfy `is`.
fn run_of(bytes: &[u8], is: fn(u8) -> bool) -> usize {
    bytes.iter().position(|&byte| !is(byte)).unwrap_or(bytes.len())
}

#[expect(clippy::as_conversions, reason = "no platform has a usize above 64 bits")]
pub(crate) const fn widen(length: usize) -> u64 {
    length as u64
}
