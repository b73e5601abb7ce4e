//! Recognises what is set up on a board: a game about to begin, a result shown by the kings.

use std::num::NonZeroU32;

use dgt_protocol::Placement;
use shakmaty::{Bitboard, Board, CastlingMode, Color, File, Move, Rank, Role, Setup, Square};

use crate::{
    game::{Game, GameResult, Played},
    model::decision,
    position::{CENTRE, Position, differences},
    score::Score,
};

/// What is said of a result that kings show.
pub(super) const BY_KINGS: &str = "kings";

/// Returns the position of a game about to begin: the initial one, or one of Chess960 if that may be.
///
/// Up to [`decision::MOST_HIDDEN`] of its pieces may be missing, as squares may show nothing. In Chess960 the other side's first
/// rank shows which piece is missing. Two squares may show pieces that cannot stand there.
pub(super) fn start(board: &Board, chess960: bool) -> Option<Position> {
    if is_initial_beside_corrupted(board) {
        return Some(Position::initial());
    }
    let full = completed(board, chess960)?;
    if full == Board::new() {
        return Some(Position::initial());
    }
    if !chess960 || !armies_in_place(&full) || !mirrored(&full) {
        return None;
    }
    let rank = back_rank(&full, Color::White);
    let [first, second] = files(rank, Role::Rook)?;
    let [king] = files(rank, Role::King)?;
    let [dark, light] = files(rank, Role::Bishop)?;
    let proper = first < king && king < second && (dark + light) % 2 == 1;
    proper.then(|| from(&full, Color::White, CastlingMode::Chess960))
}

/// Squares on which pieces stand when a game begins, whichever way round the board lies.
const CAMPS: Bitboard = Bitboard(0xffff_0000_0000_ffff);

/// Returns whether the pieces of a board stand in the camps, beside two at most, and hardly any is missing there.
pub(super) fn may_be_complete(board: &Board) -> bool {
    (CAMPS & !board.occupied()).count() <= decision::MOST_HIDDEN && (board.occupied() & !CAMPS).count() <= 2
}

/// Returns whether all pieces stand as before the first move of a game, also of one at odds.
pub(super) fn is_start(position: &Position) -> bool {
    let (board, missing) = (position.board(), CAMPS & !position.board().occupied());
    let at_odds = differences(&Board::new(), board) == missing && missing.count() <= decision::MOST_ODDS;
    board.occupied() == CAMPS || at_odds
}

/// Returns a board without the pieces beside the camps, if none of them lacks in its camp: then they may have left unreported, and are
/// not still to be set up.
pub(super) fn in_camps(board: &Board) -> Option<Board> {
    let (initial, mut others) = (Board::new(), board.clone());
    for square in board.occupied() & !CAMPS {
        let piece = others.remove_piece_at(square)?;
        if others.by_piece(piece).count() < initial.by_piece(piece).count() {
            return None;
        }
    }
    Some(others)
}

/// Returns whether all squares but one or two show the initial position and these a piece too many, or another one than stands there: every
/// piece beside them is on its square, so none can have gone there, and a line that damages dumps has put them there.
fn is_initial_beside_corrupted(board: &Board) -> bool {
    let odd = differences(&Board::new(), board);
    // Two pieces on their first ranks may stand on each other's squares.
    let is_no_play = odd.count() == 1 || odd.count() == 2 && !odd.is_subset(CAMPS);
    is_no_play && odd.is_subset(board.occupied())
}

/// Returns a board of which all pieces stand in their camps, with those of its pieces that it does not show.
fn completed(board: &Board, chess960: bool) -> Option<Board> {
    if !may_be_complete(board) || !board.occupied().is_subset(CAMPS) {
        return None;
    }
    let initial = Board::new();
    let mut full = board.clone();
    for square in CAMPS & !board.occupied() {
        let opposite = board.role_at(square.flip_vertical()).filter(|_| chess960);
        if let Some(usual) = initial.piece_at(square) {
            full.set_piece_at(square, opposite.map_or(usual, |role| role.of(usual.color)));
        }
    }
    Some(full)
}

/// Returns the position of a game that begins with pieces on each other's squares (Art. 7.2.1).
///
/// On squares that show nothing their usual pieces are taken to stand, as in [`start`], or those that an army lacks otherwise.
pub(super) fn wrong_start(board: &Board) -> Option<Position> {
    let usual = completed(board, false)?;
    let full = if has_whole_armies(&usual) { usual } else { with_pieces_that_lack(board) };
    (armies_in_place(&full) && has_whole_armies(&full))
        .then(|| from(&full, Color::White, CastlingMode::Standard))
}

/// Returns the position of a game that begins with this board, if all pieces stand in their camps with one king a side.
pub(super) fn with_kinds(board: &Board) -> Option<Position> {
    let is_start = armies_in_place(board) && kings_stand(board);
    is_start.then(|| from(board, Color::White, CastlingMode::Standard))
}

/// Returns whether each first rank has the pieces with which a game begins, on whichever squares.
fn has_whole_armies(board: &Board) -> bool {
    let pieces = |board: &Board, color| {
        let mut roles = back_rank(board, color);
        roles.sort_unstable();
        roles
    };
    Color::ALL.into_iter().all(|color| pieces(board, color) == pieces(&Board::new(), color))
}

/// Returns a board with the pieces that its armies lack on the squares of their camps that show nothing: on their own squares if those are
/// free, otherwise where one is.
fn with_pieces_that_lack(board: &Board) -> Board {
    let (initial, mut full) = (Board::new(), board.clone());
    for piece in
        Color::ALL.into_iter().flat_map(|color| Role::ALL.into_iter().map(move |role| role.of(color)))
    {
        let lacking = initial.by_piece(piece).count().saturating_sub(board.by_piece(piece).count());
        let home = if piece.role == Role::Pawn {
            initial.by_piece(piece)
        } else {
            Bitboard::from(piece.color.backrank())
        };
        for _ in 0..lacking {
            let free = home & !full.occupied();
            if let Some(square) = (free & initial.by_piece(piece)).first().or_else(|| free.first()) {
                full.set_piece_at(square, piece);
            }
        }
    }
    full
}

/// A game that began with pieces on each other's squares, of which some have been put on their own since.
#[derive(Debug)]
pub(super) struct PutRight {
    /// The start that is right then, …
    pub(super) start: Position,
    /// … and the moves from there to what the board shows.
    pub(super) moves: Vec<Move>,
    /// The squares to which pieces have come.
    right: Bitboard,
    /// All pieces stand on their own squares, and the board shows it.
    pub(super) is_complete: bool,
}

impl PutRight {
    /// Returns a start from which these moves were played.
    pub(super) const fn of(start: Position, moves: Vec<Move>) -> Self {
        Self { start, moves, right: Bitboard::EMPTY, is_complete: true }
    }

    /// Returns whether the pieces stand where they were put.
    pub(super) fn stands(&self, board: &Board) -> bool {
        (differences(&Board::new(), board) & self.right).is_empty()
    }
}

/// Returns the moves of a game as they are made from another start, and the position after them, if they are legal from there.
pub(super) fn replayed(game: &Game, start: &Position) -> Option<(Vec<Move>, Position)> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for ply in game.plies() {
        let Played::Legal(m) = ply.played else { return None };
        let m = position.find(m.from()?, m.to(), m.promotion())?;
        position = position.play(m);
        moves.push(m);
    }
    Some((moves, position))
}

/// Looks for pieces that stood on each other's squares at the start and stand on their own now; `corrupted` are squares of which the board
/// says nothing.
///
/// Only pieces that nobody has moved are put right: the same moves, from the start that is right then, lead to what the board shows. Others
/// that stood wrong may be in the hand, or have come to their squares unseen.
pub(super) fn put_right(game: &Game, board: &Board, corrupted: Bitboard) -> Option<PutRight> {
    let (initial, start) = (Board::new(), game.start().board());
    if *start == initial || game.is_adopted() || game.start().mode() != CastlingMode::Standard {
        return None;
    }
    let position = game.position();
    let changed = differences(position.board(), board) & !corrupted;
    let unmoved = differences(start, &initial) & !differences(start, position.board());
    let hidden = changed & !board.occupied();
    let right = changed & board.occupied();
    if right.is_empty() || !changed.is_subset(unmoved) || (differences(&initial, board) & right).any() {
        return None;
    }
    let put = |squares: Bitboard| {
        let mut put = start.clone();
        for square in squares {
            if let Some(piece) = initial.piece_at(square) {
                put.set_piece_at(square, piece);
            }
        }
        wrong_start(&put)
    };
    let begun = put(right).or_else(|| put(changed))?;
    let (moves, position) = replayed(game, &begun)?;
    let is_complete = hidden.is_empty() && *begun.board() == initial;
    (differences(position.board(), board) & !corrupted).is_subset(hidden).then_some(PutRight {
        start: begun,
        moves,
        right,
        is_complete,
    })
}

/// Returns a position in the middle of a game, with this side to move and every castling right that may be left.
pub(super) fn middle(board: &Board, turn: Color) -> Option<Position> {
    kings_stand(board).then(|| from(board, turn, CastlingMode::Standard))
}

/// Returns whether a board shows one king of each side.
pub(super) fn kings_stand(board: &Board) -> bool {
    Color::ALL.into_iter().all(|color| board.by_piece(color.king()).count() == 1)
}

/// Returns whether a game may begin from a position.
///
/// # Errors
///
/// Returns the reason if it may not.
pub(super) fn possible(board: &Board) -> Result<(), String> {
    with_kings(board)?;
    let pawns = board.pawns() & (Bitboard::from(Rank::First) | Bitboard::from(Rank::Eighth));
    match pawns.first() {
        Some(square) => Err(format!("a pawn stands on {square}; none can stand on the first or last rank")),
        None => Ok(()),
    }
}

/// Checks that a game may go on from a position, which may be one that no legal moves lead to.
///
/// # Errors
///
/// Returns the reason if it may not.
pub(super) fn with_kings(board: &Board) -> Result<(), String> {
    if board.occupied().is_empty() {
        return Err("the board is empty".to_owned());
    }
    for color in Color::ALL {
        let kings = board.by_piece(color.king()).count();
        if kings != 1 {
            return Err(format!(
                "{} has {kings} kings; a game needs one a side",
                crate::side::side_name(color)
            ));
        }
    }
    Ok(())
}

/// Returns the same position once for each pawn that may just have passed two squares, if it can be captured.
pub(super) fn passed_pawns(position: &Position) -> Vec<Position> {
    let (board, us) = (position.board(), position.turn());
    let (behind, origin, rank) =
        us.fold_wb((Rank::Sixth, Rank::Seventh, Rank::Fifth), (Rank::Third, Rank::Second, Rank::Fourth));
    let pawns = board.by_piece((!us).pawn()) & Bitboard::from(rank);
    let free = |pawn: &Square| {
        let square = |rank| Square::from_coords(pawn.file(), rank);
        let captors = shakmaty::attacks::pawn_attacks(!us, square(behind)) & board.by_piece(us.pawn());
        !board.occupied().contains(square(behind))
            && !board.occupied().contains(square(origin))
            && captors.any()
    };
    let passed = pawns.into_iter().filter(free).map(|pawn| Square::from_coords(pawn.file(), behind));
    passed.map(|square| from_with(board, us, position.mode(), Some(square))).collect()
}

/// Returns the result that two kings in the centre show: on the light squares White has won, on the dark ones Black,
/// on one of each it is a draw.
pub(super) fn kings_result(board: &Board) -> Option<GameResult> {
    let white = board.king_of(Color::White).filter(|king| CENTRE.contains(*king))?;
    let black = board.king_of(Color::Black).filter(|king| CENTRE.contains(*king))?;
    let winner = match (white.is_light(), black.is_light()) {
        (true, true) => Some(Color::White),
        (false, false) => Some(Color::Black),
        _ => None,
    };
    Some(GameResult { score: Score::won_by(winner), by: BY_KINGS })
}

/// Returns whether a code is a sign that shows a result, and no piece.
pub(super) const fn is_sign(code: dgt_protocol::Piece) -> bool {
    use dgt_protocol::Piece::{MagicBlackWins, MagicDraw, MagicWhiteWins};
    matches!(code, MagicDraw | MagicWhiteWins | MagicBlackWins)
}

/// Returns the result that a sign on the board shows, wherever it stands; two different ones show none.
pub(super) fn sign_result(codes: &Placement) -> Option<GameResult> {
    use dgt_protocol::Piece::{MagicBlackWins, MagicWhiteWins};
    let mut signs = codes.iter().map(|(_, code)| code).filter(|code| is_sign(*code));
    let first = signs.next()?;
    if signs.any(|sign| sign != first) {
        return None;
    }
    let winner = if first == MagicWhiteWins {
        Some(Color::White)
    } else {
        (first == MagicBlackWins).then_some(Color::Black)
    };
    Some(GameResult { score: Score::won_by(winner), by: "sign" })
}

fn from(board: &Board, turn: Color, mode: CastlingMode) -> Position {
    from_with(board, turn, mode, None)
}

fn from_with(board: &Board, turn: Color, mode: CastlingMode, ep_square: Option<Square>) -> Position {
    let rights =
        Color::ALL.into_iter().fold(Bitboard::EMPTY, |rights, color| rights | homes(board, color, mode));
    let setup = Setup {
        board: board.clone(),
        turn,
        castling_rights: rights,
        ep_square,
        fullmoves: NonZeroU32::MIN,
        ..Setup::empty()
    };
    Position::from_setup(setup, mode)
}

/// Returns the rooks with which a side may castle: in Chess960 both, otherwise those in the corners if the king
/// stands on the e-file.
fn homes(board: &Board, color: Color, mode: CastlingMode) -> Bitboard {
    let rank = Bitboard::from(color.backrank());
    let rooks = board.by_piece(color.rook()) & rank;
    match mode {
        CastlingMode::Chess960 => rooks,
        CastlingMode::Standard => {
            let at_home = board.king_of(color) == Some(Square::from_coords(File::E, color.backrank()));
            if at_home { rooks & Bitboard::CORNERS } else { Bitboard::EMPTY }
        }
    }
}

fn armies_in_place(board: &Board) -> bool {
    let pawns = |color: Color, rank: Rank| board.by_piece(color.pawn()) == Bitboard::from(rank);
    board.occupied().count() == 32
        && pawns(Color::White, Rank::Second)
        && pawns(Color::Black, Rank::Seventh)
        && board.white() == Bitboard::from(Rank::First) | Bitboard::from(Rank::Second)
        && board.black() == Bitboard::from(Rank::Seventh) | Bitboard::from(Rank::Eighth)
}

fn mirrored(board: &Board) -> bool {
    back_rank(board, Color::White) == back_rank(board, Color::Black)
}

fn back_rank(board: &Board, color: Color) -> [Option<Role>; 8] {
    File::ALL.map(|file| board.role_at(Square::from_coords(file, color.backrank())))
}

/// Returns the files on which a role stands, if there are just as many as asked for.
fn files<const N: usize>(rank: [Option<Role>; 8], role: Role) -> Option<[usize; N]> {
    let found: Vec<usize> =
        rank.iter().enumerate().filter(|(_, other)| **other == Some(role)).map(|(file, _)| file).collect();
    found.try_into().ok()
}
