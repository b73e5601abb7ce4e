//! A pawn left on its last rank (Art. 7.5.2) that is exchanged after the press: the promotion is complete as soon as the new piece has
//! stood there for a moment, whatever is played next, and also if nothing is, as it may mate.

use shakmaty::Move;

use super::{Tracker, hypothesis::HypothesisPly, offence};
use crate::{
    alert::Confidence,
    fact::Withdrawal,
    game::{Played, Ply},
    model::wait,
    time::Timestamp,
};

impl Tracker {
    /// Notes when the piece that the board shows in the place of that pawn, if it shows one, will have stood there for long enough.
    pub(super) fn plan_exchange(&mut self, now: Timestamp) {
        let is_exchanged = self.awaits_exchange() && self.exchanged_pawn().is_some();
        self.progress.exchange_at = is_exchanged.then(|| now + wait::EXCHANGED);
    }

    /// Returns whether no ply and no press has followed the one that left the pawn there.
    fn awaits_exchange(&self) -> bool {
        let last = self.game.as_ref().and_then(|game| game.plies().last());
        last.is_some_and(Ply::is_illegal)
            && self.progress.shown.made.is_empty()
            && self.window.presses().is_empty()
            && !self.window.gap
    }

    /// Takes the pawn that was moved last for the piece that stands in its place, if one has stood there until now.
    pub(super) fn note_exchanged_pawn(&mut self, now: Timestamp) {
        if self.progress.exchange_at.take_if(|at| *at <= now).is_none() || !self.awaits_exchange() {
            return;
        }
        let Some((keep, ply, m)) = self.exchanged_pawn() else { return };
        let step = HypothesisPly {
            played: Played::Legal(m),
            side: ply.side,
            made_at: ply.made_at,
            completed: ply.completed,
            clock: ply.clock,
            inferred: None,
            most: Confidence::Certain,
        };
        let changes = self.window.changes().to_vec();
        // Who stops the clock acts on the offence; while it runs, the opponent can still act on it.
        let acted = self.window.paused;
        self.go_back(keep);
        for hypothesis in &mut self.hypotheses {
            hypothesis.push(step.clone());
        }
        self.window.cut(usize::MAX, usize::MAX);
        self.window.paused = self.is_paused();
        self.publish(if acted { Withdrawal::Reinstated } else { Withdrawal::TakenBack });
        self.right_offences(&changes, &[]);
    }

    /// Returns the last ply, if it left a pawn on its last rank and the board shows another piece there and nothing else amiss: the
    /// number of plies before it, the ply, and the move that it has become.
    fn exchanged_pawn(&self) -> Option<(u32, Ply, Move)> {
        let (keep, before) = self.earlier_positions(1).into_iter().next()?;
        let ply = self.game.as_ref()?.ply(keep + 1)?;
        let Played::Irregular(irregular) = &ply.played else { return None };
        let square = offence::pawn_left(&before, irregular)?;
        let role = self.window.board().role_at(square)?;
        let m = before.find(irregular.from, square, Some(role))?;
        self.matches(&before.play(m)).then(|| (keep, ply.clone(), m))
    }
}
