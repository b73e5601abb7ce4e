//! Owns a hypothesis: one explanation of the game so far.

use shakmaty::{Bitboard, Color};

use super::{explain::Explanation, press::Outcome};
use crate::{
    alert::Confidence, event::Times, game::Played, model::decision, position::Position, time::Timestamp,
};

/// A ply of a hypothesis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HypothesisPly {
    pub(super) played: Played,
    pub(super) side: Color,
    pub(super) made_at: Timestamp,
    pub(super) completed: bool,
    /// What the clock showed when it was completed.
    pub(super) clock: Option<Times>,
    /// If nobody saw it: how many other paths remained.
    pub(super) inferred: Option<u32>,
    /// How sure it can be at most, whatever other hypotheses say.
    pub(super) most: Confidence,
}

impl HypothesisPly {
    /// Returns the position after it; the opponent passed if it was not this side's turn.
    pub(super) fn apply(&self, before: &Position) -> Position {
        if before.turn() == self.side { self.played.apply(before) } else { self.played.apply(&before.pass()) }
    }
}

/// One explanation of the game so far.
#[derive(Clone, Debug)]
pub(super) struct Hypothesis {
    /// The position after the last step.
    pub(super) position: Position,
    /// Plies since the last one that all hypotheses share.
    pub(super) steps: Vec<HypothesisPly>,
    /// Squares that are faulty if this hypothesis is true.
    pub(super) faulty: Bitboard,
    /// What it costs to believe it.
    pub(super) cost: u32,
    /// Side that has pressed without a move and has it still to make.
    pub(super) offender: Option<Color>,
    /// Side that has pressed back because pieces of the opponent's lay amiss; he presses once more.
    pub(super) pressed_back: Option<Color>,
}

impl Hypothesis {
    pub(super) const fn new(position: Position, faulty: Bitboard) -> Self {
        Self { position, steps: Vec::new(), faulty, cost: 0, offender: None, pressed_back: None }
    }

    /// Goes on with a ply that was completed.
    pub(super) fn push(&mut self, step: HypothesisPly) {
        self.position = step.played.apply(&self.position);
        self.steps.push(step);
        (self.offender, self.pressed_back) = (None, None);
    }

    /// Removes all but the first `kept` of its plies, which started from `position`.
    pub(super) fn go_back(&mut self, position: &Position, kept: usize) {
        self.steps.truncate(kept);
        self.position = self.steps.iter().fold(position.clone(), |position, step| step.apply(&position));
        (self.offender, self.pressed_back) = (None, None);
    }

    /// Goes on with the first `count` steps of an explanation.
    pub(super) fn extend(
        &mut self,
        explanation: &Explanation,
        count: usize,
        time: impl Fn(usize) -> Timestamp,
        clock: impl Fn(usize) -> Option<Times>,
    ) {
        // There may be two dozen of these lists: none takes more room than it needs.
        self.steps.reserve_exact(count.min(explanation.steps.len()));
        for (index, step) in explanation.steps.iter().take(count).enumerate() {
            self.position = step.played.apply(&self.position);
            self.steps.push(HypothesisPly {
                played: step.played.clone(),
                side: step.side,
                made_at: time(step.shown),
                // A ply that others follow has been completed, whether its press was seen or not (Art. 6.2.1.2).
                completed: true,
                clock: clock(index),
                inferred: step.inferred,
                most: decision::word(Some(decision::lead(explanation.cost, None))),
            });
        }
        self.faulty = explanation.faulty;
        self.cost = explanation.cost;
        for outcome in &explanation.outcomes {
            match outcome {
                Outcome::Nothing | Outcome::InTheAir(_) => self.offender = Some(self.position.turn()),
                // After a reaction of the opponent, who has given the time back, it is as if nothing had been pressed.
                Outcome::Ply(_) | Outcome::Reaction => (self.offender, self.pressed_back) = (None, None),
                Outcome::PressedBack => self.pressed_back = Some(self.position.turn()),
                Outcome::NotDue => self.pressed_back = None,
            }
        }
    }
}
