//! What is played after the Laws have ended a game and nobody has noticed: a dead position, a fivefold repetition, 75 moves.
//!
//! Plies that the board shows exactly are kept, the result stays, and nobody is accused: nothing is searched for.

use super::{
    Tracker,
    progress::{Showing, count},
    window::Press,
};
use crate::{
    fact::{Change, Fact, Withdrawal},
    game::{Game, Played},
    time::Timestamp,
};

impl Tracker {
    /// Goes on following a game that has just got its result.
    pub(super) fn follow_after_result(&mut self) {
        self.progress.due = None;
        self.progress.resync_at = None;
        self.progress.silence = None;
        self.progress.in_the_air = None;
        self.progress.shown.coming = None;
        self.window.cut(0, usize::MAX);
        self.progress.played_on_from = self.game.as_ref().map(Game::len);
    }

    /// Looks at the board after a change that comes after the end of the game.
    pub(super) fn change_after_result(&mut self, change: Change, now: Timestamp) {
        if self.progress.played_on_from.is_none() {
            return;
        }
        let shown = self.progress.shown.coming.as_ref().and_then(|showing| showing.step.as_ref());
        // The opponent's hand is at work: what was shown until then has been made.
        if shown.is_some_and(|shown| change.was.is_some_and(|piece| piece.color != shown.step.side)) {
            self.hold();
        }
        self.progress.shown.coming = self.compare(now).filter(|showing| self.goes_on(showing));
    }

    /// Returns whether a board shows a legal ply, or one taken back, after those that the result rests on.
    fn goes_on(&self, showing: &Showing) -> bool {
        let settled = self.progress.settled;
        let steps = self.hypotheses.first().map_or(0, |best| best.steps.len());
        let kept = settled.saturating_add(count(steps + showing.kept));
        let legal = showing.step.as_ref().is_none_or(|shown| matches!(shown.step.played, Played::Legal(_)));
        legal && self.progress.played_on_from.is_some_and(|from| kept >= from)
    }

    /// Handles a press after the end of the game: it completes a ply that the board shows exactly, or nothing.
    pub(super) fn press_after_result(&mut self, press: Press) {
        if self.progress.played_on_from.is_none() {
            self.contradict_mate(press);
            return;
        }
        self.window.press(press);
        if !self.judge_at_once() {
            self.window.cut(0, usize::MAX);
        }
    }

    /// Ends it: plies beyond `keep` were gestures. Returns whether the game has grown since its result.
    pub fn stop_following(&mut self, keep: u32) -> bool {
        if self.progress.played_on_from.is_some() {
            // What the board shows exactly has been made, however short the time was to make sure.
            self.hold();
        }
        let Some(from) = self.progress.played_on_from.take() else { return false };
        self.progress.stop_waiting();
        let Some(game) = &mut self.game else { return false };
        let keep = keep.max(from);
        if keep < game.len() {
            game.truncate(keep);
            self.facts.push(Fact::Withdrawn { ply: keep + 1, because: Withdrawal::Unfinished });
        }
        game.len() > from
    }
}
