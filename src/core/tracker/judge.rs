//! Judges presses: what did each of them complete?
//!
//! A board that shows exactly one legal move is judged at once. Otherwise the evidence of the window is searched for
//! explanations when what is sensed late is in, an offence only when the board is quiet; what costs too much is
//! looked at again together with what was judged before.

mod excuse;
mod knocked;
mod lever;
mod patience;
mod search;
mod second_look;
mod trust;
mod verdict;

use shakmaty::{Color, Piece};

pub(super) use self::search::{Findings, Origin};
use super::{
    Tracker, cost,
    evidence::ExplainedPly,
    exact_match,
    explain::Explanation,
    hypothesis::{Hypothesis, HypothesisPly},
    press::Outcome,
    progress::{JudgedWindow, ShownStep, count},
    window::Press,
};
use crate::{
    alert::Confidence,
    fact::{Fact, Pressed, Verdict, Withdrawal},
    game::Played,
    model::{decision, effort, wait},
    position::differences,
    time::Timestamp,
};

/// Evidence that has been looked at and not been enough.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Judged {
    evidence: EvidenceExtent,
    /// Whether a press seems to have completed nothing.
    nothing: bool,
    /// Whether a move seems to be irregular for one bit of a report.
    misread: bool,
}

/// What there was to be judged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct EvidenceExtent {
    changes: usize,
    ripe: usize,
    running: Option<Color>,
}

impl Tracker {
    /// Judges a press on which the board leaves no doubt; returns whether it did.
    pub(super) fn judge_at_once(&mut self) -> bool {
        let [press] = *self.window.presses() else { return false };
        #[cfg(test)]
        if self.searches_always {
            return false;
        }
        if self.window.gap || self.window.paused {
            return false;
        }
        if let Some(coming) = self.progress.shown.coming.as_ref().and_then(|showing| showing.step.as_ref()) {
            // The piece may be in the hand still.
            if self.arrives_unseen(&coming.step) {
                return false;
            }
            self.hold();
        }
        // What was searched for without a press is searched again with it.
        let fits = |ShownStep { step, .. }: &ShownStep| {
            step.side == press.side && step.played.is_legal() && step.most == Confidence::Certain
        };
        // Of three plies the press may have completed the first or the last.
        if self.progress.shown.made.len() > 2
            || !self.progress.shown.made.first().is_some_and(fits)
            || !self.shows_no_more()
        {
            return false;
        }
        let [hypothesis, others @ ..] = self.hypotheses.as_slice() else { return false };
        // Other hypotheses have to see the same move, and nothing else.
        let sees = |other: &Hypothesis, first: &ShownStep| {
            let seen = exact_match::find(&other.position, self.window.board(), other.faulty);
            seen.as_ref() == Some(&first.step.played)
        };
        if !others.is_empty()
            && !matches!(self.progress.shown.made.as_slice(), [only] if others.iter().all(|other| sees(other, only)))
        {
            return false;
        }
        let hypothesis = hypothesis.clone();
        let mut first = self.progress.shown.made.remove(0);
        let ply = self.progress.plies_of(&hypothesis) + 1;
        if let Played::Legal(m) = first.step.played
            && let Some(role) = m.capture()
        {
            first.count = self.window.count_parked(first.count, Piece { color: !press.side, role });
        }
        let before = &hypothesis.position;
        let confidence = match before.lawful() {
            // A legal move leads to a lawful position, which the hypotheses work out. A move that is seen exactly makes no position
            // certain that was taken as it stood.
            Some(_) => self.progress.trust.most_of_position(),
            None => self.most_sure_of_legal(before, &first.step.played.apply(before), press),
        };
        let pressed = Pressed {
            confidence,
            ..self.pressed(press, Verdict::Legal, ply, hypothesis.position.clone(), 0..first.count)
        };
        self.remember(hypothesis, 0, first.count, 1);
        let step = HypothesisPly { completed: true, clock: press.clock, ..first.step };
        for hypothesis in &mut self.hypotheses {
            hypothesis.push(step.clone());
        }
        self.forget_before(first.count, 1);
        self.publish(Withdrawal::Reconsidered);
        self.facts.push(Fact::Pressed(Box::new(pressed)));
        if self.is_playing() {
            self.suspect_squares();
        }
        self.reporting.note_judged(false);
        self.decay();
        self.reporting.damage = 0;
        true
    }

    /// Returns whether the board shows just what was published, but for a piece in the hand of the side to move.
    pub(super) fn shows_no_more(&self) -> bool {
        let Some(best) = self.hypotheses.first() else { return false };
        let made = self.progress.shown.made.iter();
        let last = made.fold(best.position.clone(), |position, shown| shown.step.played.apply(&position));
        let odd = differences(last.board(), self.window.board()) & !self.faulty_squares();
        (odd & (self.window.board().occupied() | !last.board().by_color(last.turn()))).is_empty()
    }

    /// Judges the presses of the window that are settled, with `force` all of them.
    pub(super) fn judge(&mut self, now: Timestamp, force: bool) {
        self.progress.due = None;
        let ripe = |press: &&Press| force || self.first_look(**press) <= now;
        let ripe = self.window.presses().iter().take_while(ripe).count();
        let Some(first) = self.window.presses().first().copied().filter(|_| ripe > 0) else {
            self.progress.due = self.first_due();
            return;
        };
        let evidence = EvidenceExtent { changes: self.window.changes().len(), ripe, running: self.running };
        if let Some(judged) = self.judged.filter(|judged| judged.evidence == evidence)
            && !force
            && self.may_learn_more(first, judged.nothing, judged.misread, now)
        {
            self.progress.due = Some(now + wait::AGAIN);
            return;
        }
        self.complete_castling();
        let mut found = self.search_widely(ripe);
        found.presume_innocence();
        let best = found.explanations.first();
        let innocent = best.is_some_and(Explanation::is_innocent);
        let completes = |outcome: &Outcome| matches!(outcome, Outcome::Ply(_));
        let nothing = best.is_some_and(|best| !best.outcomes.iter().all(completes));
        let misread = !innocent && self.may_be_misread(&found, first);
        if !innocent && !force && self.may_learn_more(first, nothing, misread, now) {
            self.progress.due = Some(now + wait::AGAIN);
            self.judged = Some(Judged { evidence, nothing, misread });
            // The dump that was asked for at the press may have come too soon.
            self.doubt |= self.is_unconfirmed(first, nothing);
            return;
        }
        self.judged = None;
        self.reporting.note_judged(true);
        // Presumed innocence: what excuses an irregular ply may be almost as good.
        let accuses = found.explanations.first().is_some_and(|best| !best.is_regular());
        let excuse = if accuses { decision::LIKELY } else { 0 };
        let doubtful = found.cost() >= decision::TROUBLE
            || self.may_be_taken_back(&found)
            || self.may_have_been_taken(&found);
        if !doubtful || !self.rejudge(found.cost(), excuse, ripe) {
            if found.cost() < decision::HOPELESS {
                self.adopt(&found, ripe);
            } else {
                self.lose_track(ripe);
            }
        }
        // What the board shows for the next press may be taken back by the time that it is judged.
        if !self.is_playing() || !self.judge_at_once() {
            self.progress.due = self.first_due();
        }
    }

    /// Makes the explanations found the new hypotheses, and says what the best one makes of the presses.
    pub(super) fn adopt(&mut self, found: &Findings, ripe: usize) {
        let Some((best, origin)) = found.best() else { return };
        let presses: Vec<Press> = self.window.presses().iter().take(ripe).copied().collect();
        if !self.window.gap && self.reporting.updates {
            let news = best.faulty & !self.faulty_squares() & self.seen_squares;
            self.sensor_faults.note_lost(news);
        }
        let verdicts = self.verdicts(found, &presses);
        self.note_residual_cost(best);
        let (count, cut) = self.completed(best, ripe);
        let because = match origin {
            Origin::Back(_) if self.window.paused => Withdrawal::Reinstated,
            Origin::Back(_) => Withdrawal::TakenBack,
            Origin::Hypothesis(_) | Origin::Passed(_) => Withdrawal::Reconsidered,
        };
        match origin {
            Origin::Back(keep) => {
                self.go_back(keep);
                // Nobody saw how an offence was put right; that it was one stays.
                if self.window.gap {
                    self.forget_offences_after(keep);
                }
            }
            Origin::Hypothesis(index) | Origin::Passed(index) => {
                if let Some(hypothesis) = self.hypotheses.get(index).cloned() {
                    self.remember(hypothesis, best.cost, cut, ripe);
                }
            }
        }
        self.hypotheses = self.grown(found, &presses);
        self.bound_offences(&verdicts);
        // Plies that the board shows and nobody has pressed for.
        self.progress.shown.made = best.steps.iter().skip(count).map(|step| self.shown_step(step)).collect();
        self.progress.shown.coming = None;
        let changes = self.window.changes().to_vec();
        let heard_again = self.window.last_change().filter(|_| self.window.gap);
        self.forget_before(cut, presses.len());
        self.progress.silence = None;
        self.publish(because);
        self.right_offences(&changes, &verdicts);
        self.report(verdicts);
        self.resolve();
        self.suspect_squares();
        // What the board shows beyond the plies that were completed.
        if let Some(at) = self.window.last_change().or(heard_again) {
            self.progress.shown.coming = self.compare(at);
        }
    }

    pub(super) fn shown_step(&self, step: &ExplainedPly) -> ShownStep {
        let made_at = self.shown_at(step.shown);
        let shown = HypothesisPly {
            played: step.played.clone(),
            side: step.side,
            made_at,
            completed: false,
            clock: None,
            inferred: step.inferred,
            most: Confidence::Certain,
        };
        ShownStep { step: shown, count: step.shown }
    }

    /// Returns when the board had shown that many changes.
    pub(super) fn shown_at(&self, count: usize) -> Timestamp {
        let change = count.checked_sub(1).and_then(|index| self.window.changes().get(index));
        change.or(self.window.changes().first()).map_or(Timestamp::ZERO, |change| change.at)
    }

    /// Returns the hypotheses that the explanations make.
    fn grown(&self, found: &Findings, presses: &[Press]) -> Vec<Hypothesis> {
        let least = found.cost();
        let mut hypotheses: Vec<Hypothesis> = Vec::new();
        for explanation in found.explanations.iter().filter(|other| other.cost <= least + cost::MARGIN) {
            let Some(mut grown) = self.rooted(found, explanation) else { continue };
            let (count, _) = self.completed(explanation, presses.len());
            let clock = |index: usize| {
                let press = explanation.outcomes.iter().position(|outcome| *outcome == Outcome::Ply(index));
                press.and_then(|press| presses.get(press)).and_then(|press| press.clock)
            };
            grown.extend(explanation, count, |shown| self.shown_at(shown), clock);
            grown.cost = explanation.cost - least;
            if !hypotheses
                .iter()
                .any(|other| other.position == grown.position && other.faulty == grown.faulty)
            {
                hypotheses.push(grown);
            }
        }
        hypotheses
    }

    /// Returns the hypothesis that an explanation goes on from.
    ///
    /// Plies taken back are no longer settled: then all other explanations start from plies that are gone.
    fn rooted(&self, found: &Findings, explanation: &Explanation) -> Option<Hypothesis> {
        let (_, best) = found.best()?;
        let origin = found.origin(explanation)?;
        match origin {
            Origin::Back(_) if origin == best => self.hypotheses.first().cloned(),
            Origin::Back(_) => None,
            Origin::Hypothesis(_) | Origin::Passed(_) if matches!(best, Origin::Back(_)) => None,
            Origin::Hypothesis(index) => self.hypotheses.get(index).cloned(),
            Origin::Passed(index) => {
                let mut hypothesis = self.hypotheses.get(index)?.clone();
                hypothesis.position = hypothesis.position.pass();
                Some(hypothesis)
            }
        }
    }

    /// Cuts the game and the hypothesis back to an earlier ply.
    pub(super) fn go_back(&mut self, keep: u32) {
        let Some(game) = &self.game else { return };
        let end = self.progress.settled + self.hypotheses.first().map_or(0, |best| count(best.steps.len()));
        self.progress.past.clear();
        if keep < self.progress.settled {
            let position = game.position_after(keep);
            self.progress.settled = keep;
            self.hypotheses.truncate(1);
            for hypothesis in &mut self.hypotheses {
                hypothesis.go_back(&position, 0);
            }
        } else {
            // Whatever they disagree on, all hypotheses are taken back by as many plies.
            let (position, back) = (game.position_after(self.progress.settled), end.saturating_sub(keep));
            self.hypotheses.retain(|hypothesis| count(hypothesis.steps.len()) >= back);
            for hypothesis in &mut self.hypotheses {
                let kept = count(hypothesis.steps.len()) - back;
                hypothesis.go_back(&position, usize::try_from(kept).unwrap_or(0));
            }
        }
    }

    /// Returns how many steps of an explanation have been completed, and the changes that show them.
    pub(super) fn completed(&self, explanation: &Explanation, ripe: usize) -> (usize, usize) {
        let pressed = explanation.outcomes.iter().take(ripe).filter_map(|outcome| match outcome {
            Outcome::Ply(index) => Some(index + 1),
            Outcome::Nothing
            | Outcome::InTheAir(_)
            | Outcome::Reaction
            | Outcome::PressedBack
            | Outcome::NotDue => None,
        });
        // Nobody saw the presses of a gap: all plies were pressed but the last one of a side whose time still runs.
        let count = if self.window.gap && explanation.outcomes.is_empty() {
            let waits = self.running.is_some_and(|running| running != explanation.position.turn());
            explanation.steps.len().saturating_sub(usize::from(waits))
        } else if !self.reporting.clock && explanation.outcomes.is_empty() {
            // The last one may be replaced still, as a piece may be slid on.
            explanation.steps.len().saturating_sub(1)
        } else {
            pressed.max().unwrap_or(0)
        };
        let shown = explanation.steps.iter().take(count).map(|step| step.shown).max().unwrap_or(0);
        (count, shown)
    }

    /// Keeps the evidence that is about to be cut, in case it has to be judged again.
    pub(super) fn remember(&mut self, hypothesis: Hypothesis, cost: u32, count: usize, presses: usize) {
        if !self.reporting.clock && count == 0 {
            return;
        }
        // What is missing in a window with a gap was not seen; in the windows that follow it would have been.
        if self.window.gap && !self.reporting.polled {
            self.progress.past.clear();
            return;
        }
        if self.progress.past.len() == effort::MOST_PAST {
            self.progress.past.remove(0);
        }
        self.progress.past.push(JudgedWindow {
            window: self.window.head(count, presses),
            hypothesis,
            cost,
            settled: self.progress.settled,
        });
    }
}
