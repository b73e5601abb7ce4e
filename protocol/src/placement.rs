//! Owns the content of a board dump: the pieces on all 64 fields.
//! Does not check whether it is a chess position: a real board can hold any pieces on any fields.

use core::fmt::{self, Write};

use crate::{Field, Piece};

#[cfg(test)]
mod tests;

/// The pieces on all fields of the board.
///
/// ```
/// # use dgt_protocol::{Field, Piece, Placement};
/// let (before, mut after) = (Placement::start(), Placement::start());
/// let (Some(e2), Some(e4)) = (Field::at(4, 1), Field::at(4, 3)) else { unreachable!() };
/// let pawn = after.set(e2, Piece::Empty);
/// after.set(e4, pawn);
/// assert!(after.differences(&before).eq([e4, e2]));
/// ```
#[derive(Clone, Copy, Eq, Hash, PartialEq)]
pub struct Placement([Piece; Field::COUNT]);

impl Placement {
    /// The empty board.
    pub const EMPTY: Self = Self([Piece::Empty; Field::COUNT]);

    /// Reads the data of a dump, one code a field.
    #[must_use]
    pub fn from_bytes(codes: &[u8; Field::COUNT]) -> Self {
        Self(codes.map(Piece::from_byte))
    }

    /// Gets the data of a dump.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Field::COUNT] {
        self.0.map(Piece::to_byte)
    }

    /// Gets the start position with White on the first rank, the cable at White's left hand.
    #[must_use]
    pub fn start() -> Self {
        Self::from_bytes(&[
            0x8, 0x9, 0xA, 0xC, 0xB, 0xA, 0x9, 0x8, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4,
            6, 5, 4, 3, 2,
        ])
    }

    /// Gets the piece on a field.
    #[must_use]
    pub fn get(&self, field: Field) -> Piece {
        self.0.get(field.index()).copied().unwrap_or_default()
    }

    /// Sets the piece on a field, [`Piece::Empty`] for none; returns the previous one.
    pub fn set(&mut self, field: Field, piece: Piece) -> Piece {
        self.0.get_mut(field.index()).map(|place| core::mem::replace(place, piece)).unwrap_or_default()
    }

    /// Iterates over all fields, the empty ones included, in the order of a board dump.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (Field, Piece)> + ExactSizeIterator + Clone {
        Field::all().zip(self.0)
    }

    /// Iterates over the fields that show something else in another placement, in the order of a board dump.
    pub fn differences(&self, other: &Self) -> impl Iterator<Item = Field> {
        let (ours, theirs) = (self.to_bytes(), other.to_bytes());
        // Ranks that are the same, nearly all of them, are compared in one step; a bit for each field of the others.
        let mut fields = 0_u64;
        let ranks = ours.as_chunks::<8>().0.iter().zip(theirs.as_chunks::<8>().0);
        for (rank, (ours, theirs)) in ranks.enumerate().filter(|(_, (ours, theirs))| ours != theirs) {
            for (file, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
                fields |= u64::from(ours != theirs) << (8 * rank + file);
            }
        }
        core::iter::from_fn(move || {
            let field = u8::try_from(fields.trailing_zeros()).ok().and_then(Field::new)?;
            fields &= fields - 1;
            Some(field)
        })
    }

    /// Gets the same pieces seen from the opposite side of the board.
    #[must_use]
    pub fn rotated(mut self) -> Self {
        self.0.reverse();
        self
    }
}

impl Default for Placement {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Prints the placement part of a FEN; magic pieces appear as `*`.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, rank) in self.0.chunks(8).enumerate() {
            if number > 0 {
                f.write_char('/')?;
            }
            let mut empty = 0;
            for piece in rank {
                if piece.is_empty() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    write!(f, "{empty}")?;
                }
                empty = 0;
                f.write_char(piece.letter().unwrap_or('*'))?;
            }
            if empty > 0 {
                write!(f, "{empty}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}
