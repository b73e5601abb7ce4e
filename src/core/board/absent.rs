//! Games that began without some pieces (odds): what shows nothing is taken for a dead square, until play shows that none stood there.

use shakmaty::{Bitboard, Board as Pieces, Move};

use super::{
    Board,
    setup::{self, PutRight},
};
use crate::{
    event::Continuation,
    game::{Game, Played},
    position::{Position, differences},
    time::Timestamp,
};

impl Board {
    /// Begins the game again without pieces that were taken to stand on squares that show nothing, if what the board shows now can only have
    /// been played without them; returns whether it did.
    pub(super) fn begin_without_absent(&mut self, now: Timestamp) -> bool {
        if self.pending.absent.is_empty() {
            return false;
        }
        let Some(game) = self.tracker.game().filter(|game| game.result().is_none()) else { return false };
        let (shown, start) = (self.tracker.board(), game.start().board());
        // A piece that shows itself where it began stood there.
        let back = self.pending.absent & shown.occupied() & !differences(start, shown);
        let absent = self.pending.absent & !back;
        self.pending.absent = absent;
        let Some(found) = begun_without(game, shown, absent) else { return false };
        let before = Continuation { board: self.id.clone(), game: game.number() };
        // It is the same game.
        self.continued = Some(before);
        self.restart(found, now);
        self.continued = None;
        true
    }
}

/// Looks whether a game can have begun without these pieces, and cannot have come with them to what the board shows by one more move.
fn begun_without(game: &Game, shown: &Pieces, absent: Bitboard) -> Option<PutRight> {
    if absent.is_empty() || *game.start().board() != Pieces::new() || game.is_adopted() {
        return None;
    }
    let mut pieces = Pieces::new();
    for square in absent {
        pieces.discard_piece_at(square);
    }
    let start = setup::middle(&pieces, game.start().turn())?;
    let (mut with, mut without) = (game.start().clone(), start.clone());
    let mut moves: Vec<Move> = Vec::new();
    for ply in game.plies() {
        let Played::Legal(m) = ply.played else { break };
        let Some(same) = without.find(m.from()?, m.to(), m.promotion()) else { break };
        (with, without) = (with.play(m), without.play(same));
        moves.push(same);
    }
    let leads = |position: &Position, unseen: Bitboard| {
        let is_shown = |m: &Move| (differences(&position.board_after(*m), shown) & !unseen).is_empty();
        position.legal_moves().into_iter().any(|m| is_shown(&m))
    };
    let is_odds = leads(&without, Bitboard::EMPTY) && !leads(&with, absent);
    is_odds.then(|| PutRight::of(start, moves))
}
