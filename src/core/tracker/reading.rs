//! Adopts the decoder's moves, where the published ones do not lead to what the board shows.

use shakmaty::Bitboard;

use super::{
    Tracker,
    hypothesis::{Hypothesis, HypothesisPly},
    progress::count,
};
use crate::{
    alert::Confidence,
    decoder::{Params, ReadMove},
    fact::Withdrawal,
    game::{Game, Played},
    time::Timestamp,
};

impl Tracker {
    /// Returns whether every press is judged, so that the list of plies may be replaced.
    pub(crate) fn is_settled(&self) -> bool {
        self.is_playing()
            && self.running.is_some()
            && self.reporting.clock
            && !self.window.gap
            && self.progress.due.is_none()
            && self.progress.resync_at.is_none()
            && self.progress.in_the_air.is_none()
            && self.window.presses().is_empty()
    }

    /// Replaces the completed plies after the first `keep` by moves that a press has completed; `faulty` squares do not show what stands
    /// there. Does nothing while an offence among them may be put right, if these are the plies of the list, or if the first that differs is
    /// not more probable than not.
    pub(crate) fn take_reading(&mut self, keep: u32, moves: &[ReadMove], faulty: Bitboard, now: Timestamp) {
        let Some(game) = &self.game else { return };
        let same = count(plies_in_common(game, keep, moves));
        let Some(rest) = moves.get(usize::try_from(same).unwrap_or(usize::MAX)..) else { return };
        let keep = keep + same;
        let goes_on = game.ply(keep + 1).is_some_and(|ply| ply.completed);
        let claims = &Params::DEFAULT.claims;
        let first = rest.first().or_else(|| moves.last()).and_then(|read| claims.word(read.p.parts()));
        let offends = self.progress.offences.iter().any(|offence| offence.ply > keep);
        if first.is_none() || offends || rest.is_empty() && !goes_on {
            return;
        }
        let mut hypothesis = Hypothesis::new(game.position_after(keep), faulty);
        for (number, read) in (keep + 1..).zip(rest) {
            let before = game.ply(number).filter(|ply| ply.side == read.side);
            hypothesis.push(HypothesisPly {
                played: Played::Legal(read.played),
                side: read.side,
                made_at: read.made_at,
                completed: true,
                clock: before.and_then(|ply| ply.clock),
                inferred: None,
                most: claims.word(read.p.parts()).unwrap_or(Confidence::Possible).min(Confidence::Likely),
            });
        }
        let judged = rest.last().map_or(Timestamp::ZERO, |read| read.made_at);
        let changes = self.window.changes().iter().take_while(|change| change.at <= judged).count();
        self.hypotheses = vec![hypothesis];
        self.progress.settled = keep;
        self.progress.shown_by_dump = self.progress.shown_by_dump.min(keep);
        self.progress.shown.clear();
        self.progress.past.clear();
        self.progress.odd_since = None;
        self.forget_before(changes, 0);
        self.publish(Withdrawal::Reconsidered);
        self.progress.shown.coming = self.compare(now);
    }
}

/// Returns how many of the moves are the completed plies of the list after the first `keep`.
fn plies_in_common(game: &Game, keep: u32, moves: &[ReadMove]) -> usize {
    let is_it = |(number, read): &(u32, &ReadMove)| {
        game.ply(*number).is_some_and(|ply| ply.completed && ply.played == Played::Legal(read.played))
    };
    (keep + 1..).zip(moves).take_while(is_it).count()
}
