//! Pieces that were knocked over or shoved while another one was moved (Art. 7.4).

use shakmaty::Bitboard;

use crate::{
    game::Irregular,
    model::{hands, wait},
    position::{Position, differences},
    tracker::{Tracker, offence},
};

impl Tracker {
    /// Returns whether more of the mover's pieces were in the air at once than a move takes off their squares: some were knocked over (Art. 7.4).
    pub(super) fn are_knocked_over(&self, before: &Position, known: Bitboard) -> bool {
        self.window.most_in_the_air(before.board(), before.turn(), known) > hands::BOTH
    }

    /// Returns the squares of pieces that were put back wrongly beside a legal move.
    pub(super) fn displaced(
        &self,
        before: &Position,
        played: &Irregular,
        known: Bitboard,
    ) -> Option<Bitboard> {
        let knocked = self.are_knocked_over(before, known) || self.was_nudged(before, played);
        offence::displaced(before, played, knocked)
    }

    /// Returns whether what changed beside the move itself changed while its piece was in the hand, and in a moment: a piece was shoved
    /// (Art. 7.4), and no second move was made.
    fn was_nudged(&self, before: &Position, played: &Irregular) -> bool {
        let Some(m) = before.find(played.from, played.to, played.promotion) else { return false };
        let rest = differences(before.play(m).board(), &played.board);
        let changes = self.window.changes();
        let lifted = changes.iter().find(|change| change.square == played.from && change.is.is_none());
        let arrived = changes.iter().rfind(|change| change.square == played.to && change.is.is_some());
        let (Some(lifted), Some(arrived)) = (lifted, arrived) else { return false };
        let mut beside = changes.iter().filter(|change| rest.contains(change.square)).peekable();
        let Some(first) = beside.peek().map(|change| change.at) else { return false };
        beside.all(|change| {
            !change.dumped
                && (lifted.at..=arrived.at).contains(&change.at)
                && change.at.since(first) <= wait::NUDGE
        })
    }
}
