//! Owns the position: what stands where, who is to move, and which moves are legal, even when play has left
//! the paths of the Laws.
//!
//! Knows nothing of boards, clocks or time.

mod entry;
mod irregular;
mod lawful;
mod notation;

use std::{num::NonZeroU32, str::FromStr};

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup, Move, MoveList, Piece,
    Position as _, PositionError, Role, Setup, Square, attacks,
    fen::{Epd, Fen, ParseFenError},
    san::{San, SanPlus, Suffix},
    uci::UciMove,
    zobrist::Zobrist64,
};

pub use entry::{UnreadMove, destination, moves_in};

/// Bytes of the longest move in UCI.
const UCI: usize = 5;

/// Largest number of moves in a position that is read; the longest game that can be has fewer than 9000.
const MOST_MOVES: NonZeroU32 = match NonZeroU32::new(9999) {
    Some(most) => most,
    None => NonZeroU32::MIN,
};

/// A position that play has reached, lawful or not.
///
/// An illegal move that nobody claims stands (Art. A.4.2, 7.5.1), and play goes on from a position that a chess
/// library refuses: the side not on move in check, a pawn on the last rank, a king missing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Position {
    state: Repr,
    mode: CastlingMode,
}

#[derive(Clone, Debug, Eq, PartialEq)]
enum Repr {
    Lawful(Chess),
    Irregular(Box<Setup>),
}

impl Position {
    /// Returns the initial position (Art. 2.3).
    #[must_use]
    pub const fn initial() -> Self {
        Self { state: Repr::Lawful(Chess::new()), mode: CastlingMode::Standard }
    }

    /// Accepts any setup, lawful or not.
    #[must_use]
    pub fn from_setup(setup: Setup, mode: CastlingMode) -> Self {
        if irregular::is_refused(&setup) {
            return Self { state: Repr::Irregular(Box::new(setup)), mode };
        }
        let lawful = Chess::from_setup(setup.clone(), mode)
            .or_else(PositionError::ignore_invalid_castling_rights)
            .or_else(PositionError::ignore_invalid_ep_square)
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check);
        let state = lawful.map_or_else(|_| Repr::Irregular(Box::new(setup)), Repr::Lawful);
        Self { state, mode }
    }

    /// Reads a FEN; a number of moves that no game comes to is the largest that one may.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is no FEN; any placement is taken.
    pub fn from_fen(fen: &str, mode: CastlingMode) -> Result<Self, ParseFenError> {
        let mut setup = Fen::from_str(fen)?.into_setup();
        setup.fullmoves = setup.fullmoves.min(MOST_MOVES);
        setup.halfmoves = setup.halfmoves.min(MOST_MOVES.get());
        Ok(Self::from_setup(setup, mode))
    }

    /// Returns what stands where.
    #[must_use]
    pub fn board(&self) -> &Board {
        match &self.state {
            Repr::Lawful(chess) => chess.board(),
            Repr::Irregular(setup) => &setup.board,
        }
    }

    /// Returns whether each side can have come to its pieces from the initial ones, by promotions if need be.
    #[must_use]
    pub fn has_possible_material(&self) -> bool {
        Color::ALL.into_iter().all(|color| has_possible_material(self.board(), color))
    }

    /// Returns the side to move.
    #[must_use]
    pub fn turn(&self) -> Color {
        match &self.state {
            Repr::Lawful(chess) => chess.turn(),
            Repr::Irregular(setup) => setup.turn,
        }
    }

    /// Returns the position as a chess library takes it, `None` if no lawful play can lead to it.
    #[must_use]
    pub const fn lawful(&self) -> Option<&Chess> {
        match &self.state {
            Repr::Lawful(chess) => Some(chess),
            Repr::Irregular(_) => None,
        }
    }

    /// Returns plies since the last capture or pawn move (Art. 9.3).
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        match &self.state {
            Repr::Lawful(chess) => chess.halfmoves(),
            Repr::Irregular(setup) => setup.halfmoves,
        }
    }

    /// Returns how castling is written and done.
    #[must_use]
    pub const fn mode(&self) -> CastlingMode {
        self.mode
    }

    /// Returns all legal moves (Art. 3); in an irregular position those that leave the mover's king safe.
    #[must_use]
    pub fn legal_moves(&self) -> MoveList {
        match &self.state {
            Repr::Lawful(chess) => chess.legal_moves(),
            Repr::Irregular(setup) => irregular::legal_moves(setup, self.mode),
        }
    }

    /// Adds those legal moves that go from a square to one of the `targets` of the piece there, and all that castle or
    /// capture in passing. The list has more than a kilobyte: returned, it would be copied.
    pub fn add_legal_moves_to(&self, targets: impl Fn(Role, Square) -> Bitboard, moves: &mut MoveList) {
        match &self.state {
            Repr::Lawful(chess) => lawful::add_legal_moves_to(chess, &targets, moves),
            Repr::Irregular(setup) => irregular::add_legal_moves_to(setup, self.mode, &targets, moves),
        }
    }

    /// Returns whether the move may be played.
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        match &self.state {
            Repr::Lawful(chess) => lawful::is_legal(chess, m),
            Repr::Irregular(setup) => irregular::is_legal(setup, self.mode, m),
        }
    }

    /// Returns the legal move of the piece on `from` to `to`; castling is the king's move to its final square.
    #[must_use]
    pub fn find(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        let role = self.board().role_at(from)?;
        let normal = Move::Normal { role, from, capture: self.board().role_at(to), to, promotion };
        if self.is_legal(normal) {
            return Some(normal);
        }
        let special = match role {
            Role::Pawn if promotion.is_none() => Move::EnPassant { from, to },
            Role::King => {
                let rook = self.castling_rook(from, to)?;
                Move::Castle { king: from, rook }
            }
            Role::Pawn | Role::Knight | Role::Bishop | Role::Rook | Role::Queen => return None,
        };
        self.is_legal(special).then_some(special)
    }

    fn castling_rook(&self, king: Square, to: Square) -> Option<Square> {
        self.castling_rooks()
            .into_iter()
            .find(|rook| rook.rank() == king.rank() && castling_squares(king, *rook).0 == to)
    }

    /// Returns the rooks of the side to move that still carry a castling right.
    #[must_use]
    pub fn castling_rooks(&self) -> Bitboard {
        let rights = match &self.state {
            Repr::Lawful(chess) => chess.castles().castling_rights(),
            Repr::Irregular(setup) => setup.castling_rights,
        };
        rights & self.board().by_color(self.turn())
    }

    /// Plays a legal move.
    #[must_use]
    pub fn play(&self, m: Move) -> Self {
        debug_assert!(self.is_legal(m), "{m:?} in {}", self.fen());
        match &self.state {
            Repr::Lawful(chess) => {
                let mut chess = chess.clone();
                chess.play_unchecked(m);
                Self { state: Repr::Lawful(chess), mode: self.mode }
            }
            Repr::Irregular(setup) => Self::from_setup(irregular::play(setup, m), self.mode),
        }
    }

    /// Returns what stands where after a legal move; this takes less work than to play it.
    #[must_use]
    pub fn board_after(&self, m: Move) -> Board {
        debug_assert!(
            m.from().is_some_and(|from| self.board().by_color(self.turn()).contains(from)),
            "{m:?} is a move of the side to move"
        );
        irregular::moved(self.board(), self.turn(), m)
    }

    /// Returns the position after the side to move has left `board` behind, whatever it did.
    ///
    /// Castling rights go with the kings and rooks that have left their squares; en passant is over.
    #[must_use]
    pub fn leave(&self, board: Board) -> Self {
        let mut setup = self.setup();
        let pawns = setup.board.pawns() ^ board.pawns();
        let fewer = board.occupied().count() < setup.board.occupied().count();
        setup.halfmoves = if pawns.any() || fewer { 0 } else { setup.halfmoves.saturating_add(1) };
        if setup.turn.is_black() {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        setup.turn = !setup.turn;
        setup.ep_square = None;
        let unmoved = board.rooks()
            & Color::ALL
                .into_iter()
                .filter(|color| board.king_of(*color) == setup.board.king_of(*color))
                .fold(Bitboard::EMPTY, |squares, color| {
                    squares | (board.by_color(color) & setup.board.by_color(color))
                });
        setup.castling_rights &= unmoved;
        setup.board = board;
        Self::from_setup(setup, self.mode)
    }

    /// Returns the position with the other side to move, as after a press without a move that stands.
    #[must_use]
    pub fn pass(&self) -> Self {
        let mut setup = self.setup();
        setup.turn = !setup.turn;
        setup.ep_square = None;
        Self::from_setup(setup, self.mode)
    }

    /// Returns the position with the number of a move that can follow `before`, as it is entered without one or with a first one.
    #[must_use]
    pub fn numbered_after(self, before: &Self) -> Self {
        let (mut setup, earlier) = (self.setup(), before.setup());
        let white_moved = before.turn().is_black() && self.turn().is_white();
        let least = earlier.fullmoves.saturating_add(u32::from(white_moved));
        if setup.fullmoves >= least {
            return self;
        }
        setup.fullmoves = least;
        Self::from_setup(setup, self.mode)
    }

    /// Returns the position with `board` in place of its own, and the same side to move.
    #[must_use]
    pub fn with_board(&self, board: Board) -> Self {
        Self::from_setup(Setup { board, ..self.setup() }, self.mode)
    }

    /// Returns the position with a pawn that has just passed this square (Art. 3.7.3.1).
    #[must_use]
    pub fn with_passed_square(&self, square: Square) -> Self {
        Self::from_setup(Setup { ep_square: Some(square), ..self.setup() }, self.mode)
    }

    pub(crate) fn setup(&self) -> Setup {
        match &self.state {
            Repr::Lawful(chess) => chess.to_setup(EnPassantMode::Always),
            Repr::Irregular(setup) => setup.as_ref().clone(),
        }
    }

    /// Returns whether the king of `color` is attacked; a missing king is not.
    #[must_use]
    pub fn is_check(&self, color: Color) -> bool {
        irregular::is_check(self.board(), color)
    }

    /// Returns whether the side to move is checkmated (Art. 5.1.1).
    #[must_use]
    pub fn is_checkmate(&self) -> bool {
        self.is_check(self.turn()) && self.legal_moves().is_empty()
    }

    /// Returns whether the side to move is stalemated (Art. 5.2.1).
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        self.board().king_of(self.turn()).is_some_and(|king| !self.has_free_move(king))
            && !self.is_check(self.turn())
            && self.legal_moves().is_empty()
    }

    /// Returns whether a piece that shares no line with its king can move, as nearly always; out of check such a move is legal.
    fn has_free_move(&self, king: Square) -> bool {
        let (board, side) = (self.board(), self.turn());
        let own = board.by_color(side);
        let free = own & !attacks::queen_attacks(king, Bitboard::EMPTY) & !Bitboard::from(king);
        let pawns = board.pawns() & free;
        let ahead = side.fold_wb(pawns.shift(8), pawns.shift(-8));
        (ahead & !board.occupied()).any()
            || (free & !pawns).into_iter().any(|from| (board.attacks_from(from) & !own).any())
    }

    /// Returns a key that is equal for equal positions in the sense of Art. 9.2.3: same placement, same side to
    /// move, same castling rights, same possible en passant captures.
    #[must_use]
    pub fn key(&self) -> u64 {
        match &self.state {
            Repr::Lawful(chess) => chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0,
            Repr::Irregular(setup) => irregular::key(setup),
        }
    }

    /// Returns the FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        match &self.state {
            Repr::Lawful(chess) => notation::fen(chess),
            Repr::Irregular(setup) => Fen::try_from_setup(setup.as_ref().clone())
                .map_or_else(|error| error.ignore().to_string(), |fen| fen.to_string()),
        }
    }

    /// Returns the FEN without the move counters.
    #[must_use]
    pub fn epd(&self) -> String {
        match &self.state {
            Repr::Lawful(chess) => Epd::from_position(chess, EnPassantMode::Legal).to_string(),
            Repr::Irregular(_) => self.fen().split(' ').take(4).collect::<Vec<_>>().join(" "),
        }
    }

    /// Writes a legal move in UCI: castling as the king's two squares, in Chess960 as king takes rook.
    #[must_use]
    pub fn uci(&self, m: Move) -> String {
        let mut text = String::with_capacity(UCI);
        UciMove::from_move(m, self.mode).append_to_string(&mut text);
        text
    }

    /// Writes a legal move in standard algebraic notation, with check and mate (Appendix C).
    #[must_use]
    pub fn san(&self, m: Move) -> String {
        self.san_leading_to(m, &self.play(m))
    }

    /// Does the same where the position after the move is known.
    pub(crate) fn san_leading_to(&self, m: Move, after: &Self) -> String {
        if let (Repr::Lawful(before), Repr::Lawful(after)) = (&self.state, &after.state) {
            return notation::san(before, m, after);
        }
        let suffix = match (after.is_check(after.turn()), after.is_checkmate()) {
            (_, true) => Some(Suffix::Checkmate),
            (true, false) => Some(Suffix::Check),
            _ => None,
        };
        SanPlus { san: San::disambiguate(m, &self.legal_moves()), suffix }.to_string()
    }
}

/// Returns where king and rook stand after castling (Art. 3.8.2): the king's square, then the rook's.
#[must_use]
pub fn castling_squares(king: Square, rook: Square) -> (Square, Square) {
    use shakmaty::File;
    debug_assert!(king != rook, "king and rook stand on {king}");
    let (king_file, rook_file) =
        if rook.file() > king.file() { (File::G, File::F) } else { (File::C, File::D) };
    (Square::from_coords(king_file, king.rank()), Square::from_coords(rook_file, king.rank()))
}

/// The squares of the centre, on which kings show a result.
pub const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Returns what stands beside the kings; on the squares where they show a result, other pieces may have made room.
#[must_use]
pub fn beside_kings(board: &Board) -> Board {
    let mut board = board.clone();
    for square in board.kings() | CENTRE {
        board.discard_piece_at(square);
    }
    board
}

/// Returns whether a side can have come to its pieces from the initial ones, by promotions if need be.
pub(crate) fn has_possible_material(board: &Board, color: Color) -> bool {
    let count = |role| board.by_piece(Piece { color, role }).count();
    let initial = [(Role::Queen, 1), (Role::Rook, 2), (Role::Bishop, 2), (Role::Knight, 2)];
    let promoted: usize = initial.into_iter().map(|(role, of)| count(role).saturating_sub(of)).sum();
    count(Role::King) <= 1 && count(Role::Pawn) + promoted <= 8
}

/// Returns the squares on which two placements differ.
#[must_use]
pub fn differences(a: &Board, b: &Board) -> Bitboard {
    (a.white() ^ b.white())
        | (a.black() ^ b.black())
        | (a.pawns() ^ b.pawns())
        | (a.knights() ^ b.knights())
        | (a.bishops() ^ b.bishops())
        | (a.rooks() ^ b.rooks())
        | (a.queens() ^ b.queens())
        | (a.kings() ^ b.kings())
}

/// Returns the squares on which both have a piece of the same colour, of different kinds.
#[must_use]
pub(crate) fn other_kinds(a: &Board, b: &Board) -> Bitboard {
    differences(a, b) & (a.white() & b.white() | a.black() & b.black())
}

#[cfg(test)]
mod tests;
