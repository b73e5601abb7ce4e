//! Corrections of a game's record: its list of plies is sensed, and an arbiter edits it. What was played before stays.

use super::{Board, setup};
use crate::{
    event::EventKind,
    fact::{Fact, Withdrawal},
    game::{CutPly, Game, Played, RecordEdit},
    order::OrderError,
    position::Position,
    time::Timestamp,
};

impl Board {
    /// Lets the game go on from a position. What was played before stays: if the position has stood before, it is reinstated; else
    /// the plies in between are those that legal moves lead there with, or one that nobody knows.
    pub(super) fn set_position(&mut self, position: Position, now: Timestamp) -> Option<RecordEdit> {
        self.take_result_back(now);
        let game = self.tracker.game()?;
        if game.is_empty() {
            self.tracker.set_start(position);
            self.settle(now);
            self.emit_start(now);
            return None;
        }
        let is_it = |stood: &Position| stood.board() == position.board() && stood.turn() == position.turn();
        let length = game.len();
        if let Some(ply) = (0..=length).rev().find(|ply| is_it(&game.position_after(*ply))) {
            return self.cut_after(ply, now);
        }
        let mut before = game.position().clone();
        let with = if let Some(path) = self.tracker.path_to(&position) {
            let enter = |m| {
                let played = Played::Legal(m);
                let entered = CutPly::entered(played.clone(), &before, now).inferred(path.others);
                before = played.apply(&before);
                entered
            };
            path.moves.into_iter().map(enter).collect()
        } else {
            let side = !position.turn();
            let position = position.numbered_after(&before);
            let remark = format!("position set by the arbiter: {}", position.fen());
            let entered = CutPly::entered(Played::set(position, &before), &before, now);
            vec![entered.of(side).inferred(0).remarked(remark)]
        };
        let edit = self.tracker.edit(length, 0, with)?;
        self.tracker.rely_on_list();
        self.emit_edit(&edit, now);
        Some(edit)
    }

    /// Lets the game go on from the position after this ply; those after it stay as a remark.
    pub(super) fn reinstate(&mut self, ply: u32, now: Timestamp) -> Option<RecordEdit> {
        if ply < self.tracker.game().map_or(0, Game::len) {
            self.take_result_back(now);
        }
        self.cut_after(ply, now)
    }

    fn cut_after(&mut self, ply: u32, now: Timestamp) -> Option<RecordEdit> {
        let length = self.tracker.game()?.len();
        debug_assert!(ply <= length, "{ply} of {length} plies are kept");
        let edit = self.tracker.edit(ply, length.saturating_sub(ply), Vec::new())?;
        if let Some(game) = self.tracker.game_mut() {
            game.remark_on_cut(ply, &edit);
        }
        self.tracker.rely_on_list();
        self.emit_edit(&edit, now);
        Some(edit)
    }

    fn take_result_back(&mut self, now: Timestamp) {
        let Some(game) = self.tracker.game().filter(|game| game.result().is_some()) else { return };
        let game = game.number();
        self.tracker.reopen();
        self.emit(now, EventKind::Result { game, result: "*", by: "arbiter" });
    }

    /// Emits a correction, and informs the rules of what it means for the position.
    pub(super) fn emit_edit(&mut self, edit: &RecordEdit, now: Timestamp) {
        let Some((game, length)) = self.tracker.game().map(|game| (game.number(), game.len())) else {
            return;
        };
        let first = edit.first;
        debug_assert!(edit.added <= length, "what was entered is in the list");
        let was = (length + edit.removed).saturating_sub(edit.added);
        if first <= was {
            let is_at_end = first + edit.removed > was;
            if is_at_end {
                let fact = Fact::Withdrawn { ply: first, because: Withdrawal::Ordered };
                self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
            }
            self.emit(now, EventKind::Retract { game, ply: first });
        }
        // Beside the ply before it the record may say something else now.
        let is_remarked =
            self.tracker.game().and_then(|game| game.ply(first - 1)).is_some_and(|ply| ply.remark.is_some());
        let reported = if first > 1 && (is_remarked || edit.has_remark()) { first - 1 } else { first };
        for ply in reported..=length {
            let completed =
                self.tracker.game().and_then(|game| game.ply(ply)).is_some_and(|ply| ply.completed);
            self.report_move(ply, completed, now);
        }
        // What hangs on the position that stands now.
        if edit.added > 0 && first + edit.added > length {
            for fact in [Fact::Made { ply: length }, Fact::Completed { ply: length }] {
                self.with_referee(now, |referee, context, out| referee.handle(&fact, context, out));
            }
        }
        if self.tracker.game().is_some_and(|game| game.result().is_some()) {
            self.report_game(now);
        }
        self.settle(now);
    }

    /// Reads a position that a game may go on from, be it one that no legal moves lead to.
    pub(super) fn read_ordered(&self, fen: &str) -> Result<Position, OrderError> {
        let position = self.read_fen(fen)?;
        setup::with_kings(position.board())
            .map_err(|reason| OrderError::Refused(format!("'{fen}': {reason}")))?;
        Ok(position)
    }
}
