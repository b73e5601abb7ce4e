//! Judges again what was judged before, where later evidence contradicts it.

use crate::{
    model::decision,
    tracker::{Tracker, explain::Explanation, window::Window},
};

impl Tracker {
    /// Asks whether the evidence judged before, taken together with the present, tells another story.
    pub(in crate::tracker) fn think_again(&mut self, cost: u32, mut ripe: usize) -> bool {
        // All of that evidence is in doubt.
        if self.reporting.hides_play() {
            return false;
        }
        let mut window = self.window.clone();
        let (mut cost, pressed) = (cost, ripe > 0);
        for index in (0..self.progress.past.len()).rev() {
            let Some(past) = self.progress.past.get(index) else { return false };
            // What has been believed of it has had its price. Without a press to be judged, the window says again what that said.
            cost = cost.saturating_add(if pressed { past.cost } else { 0 });
            window = Window::joined(&past.window, &window);
            ripe += past.window.presses().len();
            let worth = cost.saturating_sub(decision::TROUBLE / 2);
            let root = std::slice::from_ref(&past.hypothesis);
            let Some(found) = self.search_below(worth, &window, ripe, root) else { continue };
            let better = |best: &Explanation| {
                // A ply that the board showed exactly is not withdrawn to excuse the next one.
                let lead = if self.withdraws_exact_ply(best, index) { decision::SHOWN_EXACTLY } else { 0 };
                best.cost < worth.min(cost.saturating_sub(lead)) && best.is_innocent()
            };
            if found.explanations.first().is_some_and(better) {
                self.hypotheses = vec![past.hypothesis.clone()];
                self.progress.settled = past.settled;
                self.window = window;
                self.progress.past.truncate(index);
                self.adopt(&found, ripe);
                return true;
            }
        }
        false
    }

    /// Tells whether an explanation of the windows judged last, from one of them on, has something else in the place of a ply that the
    /// board showed exactly.
    fn withdraws_exact_ply(&self, explanation: &Explanation, from: usize) -> bool {
        let windows = self.progress.past.get(from..).unwrap_or_default();
        let (Some(game), Some(first)) = (&self.game, windows.first()) else { return false };
        windows.iter().filter(|past| past.cost == 0).any(|past| {
            let step = usize::try_from(past.plies() - first.plies()).unwrap_or(usize::MAX);
            let told = game.ply(past.plies() + 1).map(|ply| &ply.played);
            explanation.steps.get(step).map(|step| &step.played) != told
        })
    }
}
