//! Recognises a move that the board shows exactly, with nothing else out of place.

use shakmaty::{Bitboard, Board, CastlingMode, Move, Role, Square};

use super::offence;
use crate::{
    game::{Irregular, Played},
    position::{Position, differences},
};

/// Returns the ply that leads from `position` to exactly `board`, squares that are faulty left aside.
///
/// The ply keeps to the movement of the pieces; it is irregular if it leaves the mover's king in check or captures
/// a king.
pub(super) fn find(position: &Position, board: &Board, faulty: Bitboard) -> Option<Played> {
    let odd = differences(position.board(), board) & !faulty;
    if odd.is_empty() || odd.count() > 4 {
        return None;
    }
    let us = position.turn();
    let vacated = odd & position.board().by_color(us) & !board.by_color(us);
    let reached = odd & board.by_color(us);
    let fits = |m: &Move| (differences(&position.board_after(*m), board) & !faulty).is_empty();
    let mut found = candidates(position, vacated, reached, faulty, board).filter(fits);
    if let Some(m) = found.next() {
        // Between two squares that are faulty only play can decide.
        return found.next().is_none().then_some(Played::Legal(m));
    }
    if position.mode() == CastlingMode::Chess960
        && let Some(king) = position.board().king_of(us)
    {
        let castling = position.castling_rooks().into_iter().map(|rook| Move::Castle { king, rook });
        if let Some(m) = castling.filter(|m| position.is_legal(*m)).find(fits) {
            return Some(Played::Legal(m));
        }
    }
    by_pattern(position, board, vacated, reached, odd)
}

fn candidates(
    position: &Position,
    vacated: Bitboard,
    reached: Bitboard,
    faulty: Bitboard,
    board: &Board,
) -> impl Iterator<Item = Move> {
    let us = position.turn();
    // A piece may come from, or go to, a square that is faulty.
    let origins = if vacated.is_empty() { faulty & position.board().by_color(us) } else { vacated };
    let targets = if reached.is_empty() { faulty & !position.board().by_color(us) } else { reached };
    origins.into_iter().flat_map(move |from| {
        targets
            .into_iter()
            .filter_map(move |to| position.find(from, to, promotion(position, board, from, to)))
    })
}

fn promotion(position: &Position, board: &Board, from: Square, to: Square) -> Option<Role> {
    let last = position.turn().fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First);
    let promotes = position.board().role_at(from) == Some(Role::Pawn) && to.rank() == last;
    promotes.then(|| board.role_at(to).unwrap_or(Role::Queen))
}

fn by_pattern(
    position: &Position,
    board: &Board,
    vacated: Bitboard,
    reached: Bitboard,
    odd: Bitboard,
) -> Option<Played> {
    let (from, to) = (vacated.single_square()?, reached.single_square()?);
    let piece = position.board().piece_at(from).filter(|piece| board.piece_at(to) == Some(*piece))?;
    let ordinary = odd.count() == 2
        && board.piece_at(from).is_none()
        && offence::reachable(position, from, piece).contains(to);
    let left_on_last_rank = piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(to);
    (ordinary && !left_on_last_rank).then(|| {
        Played::Irregular(Box::new(Irregular { from, to, promotion: None, board: board.clone(), set: None }))
    })
}
