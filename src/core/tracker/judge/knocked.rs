//! Pieces that were knocked over or shoved while another one was moved (Art. 7.4).

use std::ops::Range;

use shakmaty::{Bitboard, Color, Piece};

use crate::{
    game::Irregular,
    model::{hands, wait},
    position::{Position, differences},
    tracker::{Tracker, offence},
};

impl Tracker {
    /// Returns the squares of the opponent's pieces that went off the board while the mover had a piece in the hand, are not
    /// captured, and have not come back: the opponent does not know yet what will be played.
    pub(super) fn knocked_over_by_mover(
        &self,
        mover: Color,
        after: &Position,
        attempt: Range<usize>,
    ) -> Bitboard {
        let missing =
            after.board().by_color(!mover) & !self.window.board().occupied() & !self.faulty_squares();
        // In a hurry the opponent has begun to reply; a press that has come since tells that he has.
        if missing.is_empty() || self.window.presses().len() > 1 {
            return Bitboard::EMPTY;
        }
        let attempt = self.window.changes().get(attempt).unwrap_or_default().iter();
        let in_hand = attempt.skip_while(|change| change.was.is_none_or(|piece| piece.color != mover));
        let mut went = Bitboard::EMPTY;
        // What has come to another square was moved.
        let come =
            |piece: Piece| (self.window.board().by_piece(piece) & !after.board().by_piece(piece)).any();
        let missing = missing
            .into_iter()
            .filter(|square| after.board().piece_at(*square).is_some_and(|piece| !come(piece)));
        let missing = missing.fold(Bitboard::EMPTY, Bitboard::with);
        for change in in_hand.filter(|change| !change.dumped && missing.contains(change.square)) {
            went.set(change.square, change.is.is_none());
        }
        went
    }

    /// Tells whether more of the mover's men were in the air at once than a move takes off their squares: some were knocked over (Art. 7.4).
    pub(super) fn are_knocked_over(&self, before: &Position, known: Bitboard) -> bool {
        self.window.most_in_the_air(before.board(), before.turn(), known) > hands::BOTH
    }

    /// Returns the squares of men that were put back wrongly beside a legal move.
    pub(super) fn displaced(
        &self,
        before: &Position,
        played: &Irregular,
        known: Bitboard,
    ) -> Option<Bitboard> {
        let knocked = self.are_knocked_over(before, known) || self.was_nudged(before, played);
        offence::displaced(before, played, knocked)
    }

    /// Tells whether what changed beside the move itself changed while its piece was in the hand, and in a moment: a piece was shoved
    /// (Art. 7.4), and no second move was made.
    fn was_nudged(&self, before: &Position, played: &Irregular) -> bool {
        let Some(m) = before.find(played.from, played.to, played.promotion) else { return false };
        let rest = differences(before.play(m).board(), &played.board);
        let changes = self.window.changes();
        let lifted = changes.iter().find(|change| change.square == played.from && change.is.is_none());
        let placed = changes.iter().rfind(|change| change.square == played.to && change.is.is_some());
        let (Some(lifted), Some(placed)) = (lifted, placed) else { return false };
        let mut beside = changes.iter().filter(|change| rest.contains(change.square)).peekable();
        let Some(first) = beside.peek().map(|change| change.at) else { return false };
        beside.all(|change| {
            !change.dumped
                && (lifted.at..=placed.at).contains(&change.at)
                && change.at.since(first) <= wait::NUDGE
        })
    }
}
