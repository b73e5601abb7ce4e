//! Owns the encoding of bytes: short sequences by value, and frames in a buffer of the caller.
//! Does not know their meaning.

use core::{error, fmt, ops::Deref};

/// At most `N` bytes, ready to be sent; reads as a slice.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct Bytes<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Bytes<N> {
    /// Joins the parts. Callers choose `N` large enough; excess bytes are cut off.
    pub(crate) fn joined(parts: &[&[u8]]) -> Self {
        debug_assert!(
            parts.iter().map(|part| part.len()).sum::<usize>() <= N,
            "the parts fit into {N} bytes"
        );
        let mut bytes = [0; N];
        let mut length = 0;
        for (place, &byte) in bytes.iter_mut().zip(parts.iter().copied().flatten()) {
            *place = byte;
            length += 1;
        }
        Self { bytes, length }
    }

    /// Clears all top bits: a byte with a top bit would be a bus command to a board.
    pub(crate) fn without_top_bits(self) -> Self {
        Self { bytes: self.bytes.map(|byte| byte & 0x7F), ..self }
    }
}

impl<const N: usize> Deref for Bytes<N> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or_default()
    }
}

impl<const N: usize> AsRef<[u8]> for Bytes<N> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<const N: usize> fmt::Debug for Bytes<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02X?}", &**self)
    }
}

/// Why a message cannot be encoded.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum EncodeError {
    /// The buffer is too small; a frame is at most [`LONGEST_FRAME`](crate::LONGEST_FRAME) bytes long.
    NoRoom,
    /// A value exceeds its field in the frame, such as ten hours or a character above 127.
    OutOfRange,
    /// The message does not exist in bus mode.
    NotOnBus,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoRoom => "the buffer is too small for the frame",
            Self::OutOfRange => "a value does not fit into its place in the frame",
            Self::NotOnBus => "bus mode has no such message",
        })
    }
}

impl error::Error for EncodeError {}

/// Splits a number into its two halves of seven bits, the high one first, as lengths and addresses are sent.
///
/// # Errors
///
/// [`EncodeError::OutOfRange`] above 16383.
pub(crate) fn halves(number: usize) -> Result<[u8; 2], EncodeError> {
    let high = u8::try_from(number >> 7).ok().filter(|&high| is_data(high)).ok_or(EncodeError::OutOfRange)?;
    let low = u8::try_from(number & 0x7F).map_err(|_| EncodeError::OutOfRange)?;
    Ok([high, low])
}

/// Returns whether a byte is data: only ids have the top bit set.
pub(crate) const fn is_data(byte: u8) -> bool {
    byte < 0x80
}

/// Returns whether all bytes are data.
#[inline]
pub(crate) fn are_data(bytes: &[u8]) -> bool {
    // The bytes of short messages lie in two words, which may overlap.
    match (bytes.len(), bytes.first_chunk(), bytes.last_chunk(), bytes.first_chunk(), bytes.last_chunk()) {
        (8..=16, Some(first), Some(last), ..) => {
            (u64::from_le_bytes(*first) | u64::from_le_bytes(*last)) & u64::from_le_bytes([0x80; 8]) == 0
        }
        (4..8, .., Some(first), Some(last)) => {
            (u32::from_le_bytes(*first) | u32::from_le_bytes(*last)) & u32::from_le_bytes([0x80; 4]) == 0
        }
        _ => is_data(bytes.iter().fold(0, |all, byte| all | byte)),
    }
}

/// Writes `id`, the length and the parts; returns the number of bytes.
///
/// # Errors
///
/// [`EncodeError::NoRoom`], and [`EncodeError::OutOfRange`] for an id without or data with a top bit.
pub(crate) fn put_frame(out: &mut [u8], id: u8, parts: &[&[u8]]) -> Result<usize, EncodeError> {
    let length = parts.iter().fold(3, |sum, part| sum + part.len());
    let frame = out.get_mut(..length).ok_or(EncodeError::NoRoom)?;
    let [high, low] = halves(length)?;
    if is_data(id) || !parts.iter().copied().flatten().copied().all(is_data) {
        return Err(EncodeError::OutOfRange);
    }
    let header = [id, high, low];
    for (place, &byte) in frame.iter_mut().zip(header.iter().chain(parts.iter().copied().flatten())) {
        *place = byte;
    }
    Ok(length)
}
