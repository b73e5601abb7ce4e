//! Owns what was done in one ply, be it a legal move or not.

use shakmaty::{Board, Move, Role, Square};

use crate::position::{Position, castling_squares, differences};

/// What was done in one ply.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Played {
    /// A move that the position allows.
    Legal(Move),
    /// Anything else: the squares that name it best, and what it left behind.
    Irregular(Box<Irregular>),
}

/// A ply that Art. 3 does not allow.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Irregular {
    /// Square that was left.
    pub from: Square,
    /// Square that was reached.
    pub to: Square,
    /// Piece that replaced a pawn.
    pub promotion: Option<Role>,
    /// Everything that stood on the board afterwards.
    pub board: Board,
    /// The position that an order has set: what was played before it nobody knows.
    pub set: Option<Box<Position>>,
}

/// What stands for a ply that nobody knows, as in UCI.
const UNKNOWN_UCI: &str = "0000";

/// The same in algebraic notation.
pub(crate) const UNKNOWN_SAN: &str = "--";

impl Irregular {
    /// Returns the legal move that names it, if the board differs from the one after that move by one piece only, which stands on the square
    /// beside its own, or by two that were put on each other's: they were displaced, and play went on from how the pieces stand (Art. 7.4).
    #[must_use]
    pub fn beside_displaced(&self, before: &Position) -> Option<Move> {
        self.displaced_beside(before).map(|(m, _)| m)
    }

    /// Returns the same with the two squares.
    pub(crate) fn displaced_beside(&self, before: &Position) -> Option<(Move, (Square, Square))> {
        let m = before.find(self.from, self.to, self.promotion)?;
        let after = before.board_after(m);
        let squares = displaced(&after, &self.board).filter(|(from, _)| *from != m.to()).or_else(|| {
            swapped(&after, &self.board).filter(|(one, other)| ![*one, *other].contains(&m.to()))
        })?;
        Some((m, squares))
    }
}

/// Returns the squares of two pieces of one colour, if two boards differ by them only, and each stands on the other's: they fell and were put up so.
pub(crate) fn swapped(expected: &Board, shown: &Board) -> Option<(Square, Square)> {
    let odd = differences(expected, shown);
    let (one, other) = (odd.first()?, odd.last()?);
    let exchanged =
        expected.piece_at(one) == shown.piece_at(other) && expected.piece_at(other) == shown.piece_at(one);
    let colors = (expected.color_at(one)?, expected.color_at(other)?);
    (odd.count() == 2 && exchanged && colors.0 == colors.1).then_some((one, other))
}

/// Returns from where to where a piece was displaced, if two boards differ by one piece on the square beside its own.
fn displaced(expected: &Board, shown: &Board) -> Option<(Square, Square)> {
    let odd = differences(expected, shown);
    let (from, to) =
        ((odd & !shown.occupied()).single_square()?, (odd & !expected.occupied()).single_square()?);
    let same = expected.piece_at(from) == shown.piece_at(to);
    (odd.count() == 2 && same && from.distance(to) == 1).then_some((from, to))
}

impl Played {
    /// Returns whether Art. 3 allows it, and nothing else was changed.
    #[must_use]
    pub const fn is_legal(&self) -> bool {
        matches!(self, Self::Legal(_))
    }

    /// Returns the position after it.
    #[must_use]
    pub fn apply(&self, before: &Position) -> Position {
        match self {
            Self::Legal(m) => before.play(*m),
            Self::Irregular(irregular) => match &irregular.set {
                Some(position) => (**position).clone(),
                None => before.leave(irregular.board.clone()),
            },
        }
    }

    /// Returns a ply that leads to a position that an order has set.
    #[must_use]
    pub fn set(position: Position, before: &Position) -> Self {
        let odd = differences(before.board(), position.board());
        // No piece went anywhere that anybody knows of.
        let (from, to) = (odd.first().unwrap_or(Square::A1), odd.last().unwrap_or(Square::A1));
        let board = position.board().clone();
        Self::Irregular(Box::new(Irregular {
            from,
            to,
            promotion: None,
            board,
            set: Some(Box::new(position)),
        }))
    }

    /// Returns whether an order has set the position after it.
    #[must_use]
    pub const fn is_set(&self) -> bool {
        matches!(self, Self::Irregular(irregular) if irregular.set.is_some())
    }

    /// Returns whether it is a move that Art. 3 does not allow.
    #[must_use]
    pub const fn is_illegal(&self) -> bool {
        !self.is_legal() && !self.is_set()
    }

    /// Returns whether it is a legal move beside which a piece was displaced.
    pub(super) fn is_beside_displaced(&self, before: &Position) -> bool {
        matches!(self, Self::Irregular(irregular) if irregular.set.is_none() && irregular.beside_displaced(before).is_some())
    }

    /// Returns the square that its piece left, at a castling the king.
    pub(crate) fn from(&self) -> Option<Square> {
        match self {
            Self::Legal(m) => m.from(),
            Self::Irregular(irregular) => Some(irregular.from),
        }
    }

    /// Returns whether a piece ends on this square, at a castling the king or the rook.
    pub(crate) fn ends_on(&self, square: Square) -> bool {
        match self {
            Self::Legal(Move::Castle { king, rook }) => {
                let (king_to, rook_to) = castling_squares(*king, *rook);
                square == king_to || square == rook_to
            }
            Self::Legal(m) => m.to() == square,
            Self::Irregular(irregular) => irregular.to == square,
        }
    }

    pub(super) fn uci(&self, before: &Position) -> String {
        match self {
            Self::Legal(m) => before.uci(*m),
            Self::Irregular(irregular) if irregular.set.is_some() => UNKNOWN_UCI.to_owned(),
            Self::Irregular(irregular) => {
                let promotion = irregular.promotion.map(|role| role.char().to_string()).unwrap_or_default();
                format!("{}{}{promotion}", irregular.from, irregular.to)
            }
        }
    }

    pub(super) fn san(&self, before: &Position, after: &Position) -> String {
        let irregular = match self {
            Self::Legal(m) => return before.san_leading_to(*m, after),
            Self::Irregular(irregular) if irregular.set.is_some() => return UNKNOWN_SAN.to_owned(),
            Self::Irregular(irregular) => irregular,
        };
        if let Some(m) = irregular.beside_displaced(before) {
            return before.san(m);
        }
        let role = before.board().role_at(irregular.from).or_else(|| irregular.board.role_at(irregular.to));
        let letter = role.filter(|role| *role != Role::Pawn).map(|role| role.upper_char().to_string());
        let takes = if before.board().occupied().contains(irregular.to) { "x" } else { "" };
        let promotion = irregular.promotion.map(|role| format!("={}", role.upper_char())).unwrap_or_default();
        format!("{}{}{takes}{}{promotion}", letter.unwrap_or_default(), irregular.from, irregular.to)
    }
}
