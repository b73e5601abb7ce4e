//! Castling that was pressed for with the rook still on its square, and is completed later: an offence that has been put right, and
//! nobody's second move.

use shakmaty::Move;

use super::{
    Tracker,
    hypothesis::{Hypothesis, HypothesisPly},
    offence,
};
use crate::{
    fact::{CastlingFault, Reason, Withdrawal},
    game::{Played, Ply},
    model::decision,
    position::castling_squares,
};

impl Tracker {
    /// Makes castling of an offence for which a king went two squares, once the board shows that the rook has followed.
    pub(super) fn complete_castling(&mut self) {
        let (Some(game), Some((keep, steps))) = (&self.game, self.completed_castling()) else { return };
        let mut hypothesis = Hypothesis::new(game.position_after(keep), self.faulty_squares());
        for step in steps {
            hypothesis.push(step);
        }
        self.hypotheses = vec![hypothesis];
        self.progress.settled = keep;
        self.progress.past.clear();
        self.progress.shown.clear();
        self.publish(Withdrawal::Reinstated);
    }

    /// Returns the plies from such an offence on, with castling in its place, and the number of those before it.
    fn completed_castling(&self) -> Option<(u32, Vec<HypothesisPly>)> {
        let (game, best) = (self.game.as_ref()?, self.hypotheses.first()?);
        let plies = self.progress.plies_of(best);
        let since = plies.saturating_sub(decision::CASTLED_LATE);
        let keep = (since..plies).rev().find(|keep| game.ply(keep + 1).is_some_and(Ply::is_illegal))?;
        let before = game.position_after(keep);
        let Played::Irregular(moved) = &game.ply(keep + 1)?.played else { return None };
        if offence::reason(&before, moved) != (Reason::Castling { fault: CastlingFault::RookLeft }) {
            return None;
        }
        let castling = before.find(moved.from, moved.to, None)?;
        let (Move::Castle { rook, .. }, us) = (castling, before.turn()) else { return None };
        let (_, rook_to) = castling_squares(moved.from, rook);
        let (shown, taken) = (self.window.board(), best.position.board());
        let has_followed = shown.piece_at(rook_to) == Some(us.rook()) && shown.piece_at(rook).is_none();
        if !has_followed || taken.piece_at(rook) != Some(us.rook()) {
            return None;
        }
        let mut position = before;
        let mut steps = Vec::new();
        for number in keep + 1..=plies {
            let ply = game.ply(number)?;
            let played = match &ply.played {
                Played::Legal(m) => Played::Legal(*m),
                Played::Irregular(_) if steps.is_empty() => Played::Legal(castling),
                Played::Irregular(_) => return None,
            };
            if ply.side != position.turn() || !matches!(&played, Played::Legal(m) if position.is_legal(*m)) {
                return None;
            }
            position = played.apply(&position);
            steps.push(HypothesisPly {
                played,
                side: ply.side,
                made_at: ply.made_at,
                completed: ply.completed,
                clock: ply.clock,
                inferred: ply.inferred,
                most: ply.confidence,
            });
        }
        Some((keep, steps))
    }
}
