//! How games end, and a mate that play contradicts.

use shakmaty::Square;

use super::{
    Tracker,
    explain::Explanation,
    hypothesis::HypothesisPly,
    press::Outcome,
    window::{Press, Window},
};
use crate::{
    fact::{Fact, Withdrawal},
    game::{Game, GameResult, Ply},
    model::{decision, wait},
    position::CENTRE,
};

impl Tracker {
    /// Ends the game with a result; plies beyond `keep` were gestures.
    pub fn end(&mut self, result: GameResult, keep: u32) {
        let Some(game) = &mut self.game else { return };
        let step = self.progress.king_moved.take().filter(|(number, _)| {
            result.by == "kings" && (*number..=number + 1).contains(&game.len()) && *number <= keep + 1
        });
        let keep = step.as_ref().map_or(keep, |(number, _)| number - 1);
        if keep < game.len() {
            game.truncate(keep);
            self.facts.push(Fact::Withdrawn { ply: keep + 1, because: Withdrawal::Unfinished });
        }
        if let Some((_, step)) = step {
            let ply = game.push(step.side, step.played, step.made_at, step.most);
            self.facts.push(Fact::Made { ply });
        }
        game.set_result(Some(result));
        if result.is_unnoticed() {
            self.follow_after_result();
        } else {
            self.progress.stop_waiting();
            self.progress.played_on_from = None;
        }
        self.facts.push(Fact::Ended);
    }

    /// Withdraws the result: play goes on.
    pub fn reopen(&mut self) {
        if let Some(game) = &mut self.game {
            game.set_result(None);
        }
        self.progress.played_on_from = None;
    }

    /// Reads a press after a mate or stalemate as a sign that there was none: if moves that keep to the rules explain all that was pressed for
    /// since the last judgement, or since one before, the result is taken back.
    pub(super) fn contradict_mate(&mut self, press: Press) {
        let ended = self.game.as_ref().and_then(Game::result);
        if !ended.is_some_and(|result| matches!(result.by, "mate" | "stalemate")) || !self.window.press(press)
        {
            return;
        }
        let sides: Vec<_> = self.window.presses().iter().map(|press| press.side).collect();
        if sides.len() < decision::PRESSES_AFTER_MATE || sides.windows(2).any(|two| two.first() == two.last())
        {
            return;
        }
        self.refill(press.at);
        let mut window = self.window.clone();
        let mut root = self.hypotheses.first().cloned();
        let mut settled = self.progress.settled;
        for index in (0..=self.progress.past.len()).rev() {
            if let Some(past) = self.progress.past.get(index) {
                window = Window::joined(&past.window, &window);
                (root, settled) = (Some(past.hypothesis.clone()), past.settled);
            }
            let Some(root) = root.clone() else { return };
            let ripe = window.presses().len();
            let Some(found) =
                self.search_below(decision::TROUBLE + root.cost, &window, ripe, std::slice::from_ref(&root))
            else {
                continue;
            };
            if !found.explanations.first().is_some_and(|best| completes_all(best, ripe)) {
                continue;
            }
            self.hypotheses = vec![root];
            self.window = window;
            self.progress.settled = settled;
            self.progress.past.truncate(index);
            self.reopen();
            self.progress.reopened = Some(press.at);
            self.adopt(&found, ripe);
            return;
        }
    }

    /// Returns, once, whether play has taken the result back.
    pub(crate) const fn take_reopened(&mut self) -> bool {
        self.progress.reopened.take().is_some()
    }
}

/// Returns whether each of so many presses completed a ply, all by the rules.
fn completes_all(explanation: &Explanation, presses: usize) -> bool {
    explanation.is_innocent()
        && explanation.outcomes.len() == presses
        && explanation.outcomes.iter().all(|outcome| matches!(outcome, Outcome::Ply(_)))
}

/// Returns a king's move that has rested where it was made, and was not pressed for, if the next one replaces it by one to the centre.
pub(super) fn king_moved(ply: &Ply, next: &HypothesisPly) -> Option<HypothesisPly> {
    let to_centre = |square: Square| next.played.ends_on(square);
    let rested = next.made_at.since(ply.made_at) >= wait::KINGS_MOVED_ON;
    let same = next.side == ply.side && next.played.from() == ply.played.from();
    let of_king = ply.san.starts_with('K') && ply.is_legal() && !ply.completed;
    (of_king && same && rested && CENTRE.into_iter().any(to_centre)).then(|| HypothesisPly {
        played: ply.played.clone(),
        side: ply.side,
        made_at: ply.made_at,
        completed: false,
        clock: None,
        inferred: None,
        most: ply.confidence,
    })
}
