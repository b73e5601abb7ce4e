//! Levers that move by themselves: what looks like a press was none.

use crate::{
    model::wait,
    tracker::{Tracker, window::Press},
};

impl Tracker {
    /// Returns whether a press follows one of the opponent's sooner than a hand does: his lever has not stayed down.
    pub(super) fn may_be_a_bounce(&self, press: Press) -> bool {
        let mut earlier = self.progress.pressed_last.iter().chain(self.window.presses());
        let before = earlier.rfind(|other| other.side != press.side && other.at <= press.at);
        before.is_some_and(|before| press.at.since(before.at) < wait::BOUNCE)
    }

    /// Returns whether the opponent has pressed since.
    pub(super) fn is_pressed_back(&self, press: Press) -> bool {
        self.window.presses().iter().any(|other| other.side != press.side && other.at > press.at)
    }

    /// Returns whether the lever went to and fro around a press sooner than two players press in turn, and no piece was moved: the clock was
    /// knocked.
    pub(super) fn is_knocked(&self, press: Press) -> bool {
        let presses: Vec<_> = self.progress.pressed_last.iter().chain(self.window.presses()).collect();
        let back = |two: &[&Press]| {
            let [first, last] = two else { return false };
            first.at == press.at && last.at.since(first.at) < wait::BOUNCE
        };
        presses.windows(2).any(back)
            || presses.windows(3).any(|three| {
                let [first, _, last] = three else { return false };
                let mut changes = self.window.changes().iter();
                (first.at..=last.at).contains(&press.at)
                    && last.at.since(first.at) < wait::KNOCKED
                    && !changes.any(|change| (first.at..=last.at).contains(&change.at))
            })
    }
}
