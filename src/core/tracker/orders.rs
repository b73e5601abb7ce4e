//! What an arbiter orders: another position, an earlier one, other plies, no result.

use std::cell::Cell;

use shakmaty::{Bitboard, Board, Move};

use super::{
    Tracker,
    gap_search::{self, Stretch},
    hypothesis::Hypothesis,
    position_trust::Trust,
    progress::{GameProgress, count},
};
use crate::{
    fact::Fact,
    game::{CutPly, Game, RecordEdit},
    model::{cost, effort},
    position::Position,
};

/// Legal moves that lead to a position, and how many other ways there are.
pub(crate) struct UnseenPath {
    pub(crate) moves: Vec<Move>,
    pub(crate) others: u32,
}

impl Tracker {
    /// Begins the game anew from a position that an arbiter has ordered, as nobody has moved yet.
    pub fn set_start(&mut self, position: Position) {
        let Some(game) = &self.game else { return };
        let number = game.number();
        self.hypotheses = vec![Hypothesis::new(position.clone(), self.faulty_squares() & !self.seen_squares)];
        self.window.cut(usize::MAX, usize::MAX);
        self.reset(Game::new(number, position));
    }

    /// Notes that the game stands as its list of plies has it, whatever the board shows.
    pub fn rely_on_list(&mut self) {
        let Some(game) = &self.game else { return };
        let (length, position) = (game.len(), game.position().clone());
        self.hypotheses = vec![Hypothesis::new(position, self.faulty_squares() & !self.seen_squares)];
        self.window.cut(usize::MAX, usize::MAX);
        self.progress.settled = length;
        self.progress.rely_on(length, Trust::Sound);
        self.progress.residual_cost = 0;
        self.progress.past.clear();
        self.progress.stop_waiting();
        self.forget_offences_after(length);
    }

    /// Replaces `removed` plies after the first `keep` by these, as an arbiter has ordered.
    pub(crate) fn edit(&mut self, keep: u32, removed: u32, with: Vec<CutPly>) -> Option<RecordEdit> {
        let base = self.game.as_ref()?.position_after(self.progress.settled);
        let edit = self.game.as_mut()?.replace_plies(keep, removed, with);
        self.follow_edit(&edit, &base);
        Some(edit)
    }

    /// Undoes a correction; returns what has changed, or the first ply that is in its way.
    pub(crate) fn take_edit_back(&mut self, edit: &RecordEdit) -> Result<Option<RecordEdit>, u32> {
        let Some(game) = &mut self.game else { return Ok(None) };
        let base = game.position_after(self.progress.settled);
        let back = game.take_edit_back(edit)?;
        self.follow_edit(&back, &base);
        Ok(Some(back))
    }

    /// Goes on from the list as it is after a correction; `base` is the position after the plies that all hypotheses shared before.
    fn follow_edit(&mut self, edit: &RecordEdit, base: &Position) {
        let end = edit.first - 1 + edit.removed;
        let moved = |number: u32| (number + edit.added).saturating_sub(edit.removed);
        let shown = count(self.progress.shown.made.len());
        let (Some(game), Some(best)) = (&self.game, self.hypotheses.first()) else { return };
        let length = game.len();
        let settled = moved(self.progress.settled);
        if !self.is_playing() || end > self.progress.plies_of(best) || length < shown {
            return self.rely_on_list();
        }
        if end <= self.progress.settled && game.position_after(settled) == *base {
            self.progress.settled = settled;
            self.progress.shown_by_dump = moved(self.progress.shown_by_dump);
            self.progress.move_offences(edit.first, edit.added, edit.removed);
            self.progress.past.clear();
            return;
        }
        let settled = length - shown;
        let tail = game.plies().iter().skip(usize::try_from(settled).unwrap_or(usize::MAX));
        let tail: Vec<_> = tail.map(|ply| ply.played.clone()).collect();
        if tail.iter().zip(&self.progress.shown.made).any(|(played, shown)| *played != shown.step.played) {
            return self.rely_on_list();
        }
        let (position, faulty) = (game.position_after(settled), best.faulty);
        self.hypotheses = vec![Hypothesis::new(position, faulty)];
        self.progress.settled = settled;
        self.progress.shown_by_dump = settled;
        self.progress.move_offences(edit.first, edit.added, edit.removed);
        self.progress.past.clear();
        self.progress.shown.coming = None;
    }

    /// Finds legal moves from the last position of the list to one that an arbiter has ordered.
    pub(crate) fn path_to(&self, position: &Position) -> Option<UnseenPath> {
        let start = self.game.as_ref()?.position();
        let budget = Cell::new(effort::MOST_BUDGET);
        let stretch = Stretch {
            goal: position.board(),
            faulty: Bitboard::EMPTY,
            running: Some(position.turn()),
            presses: None,
            lifted: Bitboard::EMPTY,
            made: 0,
            ply_price: cost::UNHEARD,
        };
        let paths = gap_search::paths(start, stretch, &budget);
        let leads = |path: &gap_search::Path| {
            path.position.board() == position.board() && path.position.turn() == position.turn()
        };
        let mut paths = paths.into_iter().filter(leads);
        let best = paths.next()?;
        let merged = paths.fold(best.merged, |merged, path| merged.saturating_add(path.merged));
        Some(UnseenPath { moves: best.moves.to_vec(), others: merged.saturating_sub(1) })
    }

    /// Goes on with a game that has been played elsewhere, or before.
    pub fn resume(&mut self, game: Game) {
        let (length, position) = (game.len(), game.position().clone());
        let faulty = self.dead_squares();
        self.hypotheses = vec![Hypothesis::new(position, faulty)];
        self.window.cut(usize::MAX, usize::MAX);
        self.reset(game);
        self.progress.settled = length;
        self.progress.rely_on(length, Trust::Sound);
        self.facts.push(Fact::GameStarted);
    }

    /// Returns whether the clock has run in the game.
    pub(crate) const fn is_clocked(&self) -> bool {
        self.progress.clocked
    }

    /// Follows no game any more.
    pub fn leave(&mut self) {
        self.game = None;
        self.hypotheses.clear();
        self.progress = GameProgress::new(self.running.is_some());
    }

    /// Handles what the board shows in place of a start that was taken to be meant.
    pub fn note_odd_start(&mut self, shown: Board, again: bool) {
        self.facts.push(Fact::OddStart { shown: Box::new(shown), again });
    }
}
