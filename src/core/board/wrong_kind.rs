//! Owns games that begin with a piece of the wrong kind (Art. 7.2.1), such as a second queen for a bishop: what is played is read from what
//! stands there.
//!
//! A piece that is read wrongly all the time looks the same. So nobody is accused of a move that would be legal if it were of its usual kind.

use shakmaty::{Board as Shown, CastlingMode, Piece};

use super::{
    Board,
    setup::{self, PutRight},
};
use crate::{
    fact::Pressed,
    game::{Game, Played},
    model::decision,
    position::{Position, differences},
    time::Timestamp,
};

impl Board {
    /// Begins the game again with the pieces of the wrong kind that a second dump has shown, too. The moves that were made since stay.
    pub(super) fn begin_with_wrong_kinds(&mut self, now: Timestamp) {
        let game = self.tracker.game().filter(|game| game.result().is_none() && !game.is_adopted());
        let found = game.and_then(|game| with_wrong_kinds(game, self.tracker.board()));
        match found {
            Some(found) if found.moves.is_empty() => self.begin(found.start, now),
            Some(found) => self.restart(found, now),
            None => {}
        }
    }

    /// Returns whether a press that seems to have completed an illegal move has completed a legal one if a piece of the wrong kind is read wrongly.
    pub(super) fn may_be_of_usual_kind(&self, pressed: &Pressed) -> bool {
        self.tracker.game().is_some_and(|game| is_legal_by_usual_kinds(game, pressed))
    }
}

/// Returns the start that the board shows, with the moves of the game from there.
fn with_wrong_kinds(game: &Game, shown: &Shown) -> Option<PutRight> {
    let (start, stands) = (game.start(), game.position());
    let odd = differences(stands.board(), shown) & shown.occupied();
    if odd.is_empty() || start.mode() != CastlingMode::Standard {
        return None;
    }
    let mut board = start.board().clone();
    for square in odd {
        let (piece, usual) = (shown.piece_at(square)?, start.board().piece_at(square)?);
        if piece.color != usual.color || stands.board().piece_at(square) != Some(usual) {
            return None;
        }
        board.set_piece_at(square, piece);
    }
    let start = setup::with_kinds(&board).filter(|start| !wrong_kinds(start).is_empty())?;
    let (moves, _) = setup::replayed(game, &start)?;
    Some(PutRight::of(start, moves))
}

/// Returns the pieces of which a game begins with too many, each with the one in whose place it stands.
fn wrong_kinds(start: &Position) -> Vec<(Piece, Piece)> {
    let (board, usual) = (start.board(), Shown::new());
    let wrong = differences(board, &usual);
    if start.mode() != CastlingMode::Standard || wrong.count() > decision::MOST_WRONG_KINDS {
        return Vec::new();
    }
    let pair = |square| Some((board.piece_at(square)?, usual.piece_at(square)?));
    let too_many =
        |(shown, _): &(Piece, Piece)| board.by_piece(*shown).count() > usual.by_piece(*shown).count();
    wrong.into_iter().filter_map(pair).filter(too_many).collect()
}

/// Returns whether an irregular ply would be legal if one of the pieces of a wrong kind were read wrongly.
fn is_legal_by_usual_kinds(game: &Game, pressed: &Pressed) -> bool {
    let Some(Played::Irregular(irregular)) = game.ply(pressed.ply).map(|ply| &ply.played) else {
        return false;
    };
    wrong_kinds(game.start()).into_iter().any(|(shown, usual)| {
        let board = pressed.before.board();
        board.by_piece(shown).into_iter().any(|square| {
            let mut read = board.clone();
            read.set_piece_at(square, usual);
            let before = pressed.before.with_board(read);
            before.find(irregular.from, irregular.to, irregular.promotion).is_some()
        })
    })
}
