//! Owns field numbers and piece codes.
//! Knows no chess rules, and not at which side White sits: the caller uses [`Field::rotated`].

use core::fmt;

#[cfg(test)]
mod tests;

/// One of the 64 fields of the board: 0 is a8, 7 is h8, 63 is h1 while the cable leaves the board at White's left hand.
///
/// The board never changes its numbers. If White sits at the other side, field 0 is h1: use [`Field::rotated`]
/// for dumps, updates and log records alike (protocol section 3.2).
///
/// ```
/// # use dgt_protocol::Field;
/// let e2 = Field::at(4, 1).unwrap();
/// assert_eq!((e2.number(), e2.rotated().number()), (52, 11));
/// assert_eq!(Field::new(64), None);
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Field(u8);

impl Field {
    /// How many fields there are.
    pub const COUNT: usize = 64;

    pub(crate) const FIRST: Self = Self(0);

    /// Gets the field with this number, or `None` above 63.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < 64 { Some(Self(number)) } else { None }
    }

    /// Gets the field on a file (0 = a … 7 = h) and a rank (0 = first … 7 = eighth) of an unrotated board.
    #[must_use]
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file < 8 && rank < 8 { Some(Self((7 - rank) * 8 + file)) } else { None }
    }

    /// Iterates over all fields in the order of a board dump.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..64).map(Self)
    }

    /// Gets the number that is sent on the line, 0 to 63.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Gets the number as an index into 64 things in the order of a board dump.
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Gets the file on an unrotated board, 0 = a to 7 = h.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// Gets the rank on an unrotated board, 0 = first to 7 = eighth.
    #[must_use]
    pub const fn rank(self) -> u8 {
        7 - self.0 / 8
    }

    /// Gets the same place seen from the opposite side of the board.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self(63 - self.0)
    }
}

/// Prints the square's name on an unrotated board, such as `e4`.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// The piece on a field: none, one of twelve pieces, or one of the three magic pieces that show a result.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[repr(u8)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Piece {
    #[default]
    Empty = 0x00,
    WhitePawn = 0x01,
    WhiteRook = 0x02,
    WhiteKnight = 0x03,
    WhiteBishop = 0x04,
    WhiteKing = 0x05,
    WhiteQueen = 0x06,
    BlackPawn = 0x07,
    BlackRook = 0x08,
    BlackKnight = 0x09,
    BlackBishop = 0x0A,
    BlackKing = 0x0B,
    BlackQueen = 0x0C,
    MagicDraw = 0x0D,
    MagicWhiteWins = 0x0E,
    MagicBlackWins = 0x0F,
}

impl Piece {
    /// All sixteen codes, in their order.
    pub const ALL: [Self; 16] = [
        Self::Empty,
        Self::WhitePawn,
        Self::WhiteRook,
        Self::WhiteKnight,
        Self::WhiteBishop,
        Self::WhiteKing,
        Self::WhiteQueen,
        Self::BlackPawn,
        Self::BlackRook,
        Self::BlackKnight,
        Self::BlackBishop,
        Self::BlackKing,
        Self::BlackQueen,
        Self::MagicDraw,
        Self::MagicWhiteWins,
        Self::MagicBlackWins,
    ];

    const LETTERS: [u8; 16] = *b" PRNBKQprnbkq   ";

    /// Reads a piece code. Only the low four bits count: the rest carries an undocumented "S bit" on some boards.
    #[inline]
    #[must_use]
    pub fn from_byte(byte: u8) -> Self {
        Self::ALL.get(usize::from(byte & 0x0F)).copied().unwrap_or_default()
    }

    /// Gets the code that is sent on the line.
    #[must_use]
    #[expect(clippy::as_conversions, reason = "the discriminants are the codes")]
    pub const fn to_byte(self) -> u8 {
        self as u8
    }

    /// Gets the FEN letter of a piece, or `None` for an empty field and the magic pieces.
    #[must_use]
    pub fn letter(self) -> Option<char> {
        Self::LETTERS
            .get(usize::from(self.to_byte()))
            .filter(|&&letter| letter != b' ')
            .map(|&b| char::from(b))
    }

    /// Gets the piece with this FEN letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|piece| piece.letter() == Some(letter))
    }

    /// Says whether nothing stands there.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        matches!(self, Self::Empty)
    }
}
