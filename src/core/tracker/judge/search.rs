//! Where explanations are looked for: in every hypothesis, and in what may have been passed over or taken back.

use shakmaty::{Bitboard, Color};

use crate::{
    alert::Confidence,
    game::Played,
    model::{decision, effort, wait},
    position::{Position, differences},
    time::Timestamp,
    tracker::{
        Tracker, cost,
        evidence::{Evidence, Root},
        explain::{self, Explanation},
        hypothesis::Hypothesis,
        offence,
        press::Outcome,
        progress::JudgedWindow,
        window::Window,
    },
};

/// What an explanation starts from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(in crate::tracker) enum Origin {
    /// A hypothesis as it is.
    Hypothesis(usize),
    /// A hypothesis in which a press without a move was accepted.
    Passed(usize),
    /// The first hypothesis, taken back to this ply.
    Back(u32),
}

/// What a search has found, best first.
#[derive(Default)]
pub(in crate::tracker) struct Findings {
    /// At most as many as [`explain::insert`] keeps, in a list that is moved without them.
    pub(in crate::tracker) explanations: Vec<Explanation>,
    origins: Vec<Origin>,
    /// What the search may still cost, …
    budget: u32,
    /// … and from one root.
    each: u32,
    /// What an explanation may cost that is looked for.
    limit: Option<u32>,
    /// What it has cost since this was last asked.
    consumed: u32,
}

impl Findings {
    /// Returns the best explanation and what it starts from.
    pub(in crate::tracker) fn best(&self) -> Option<(&Explanation, Origin)> {
        let best = self.explanations.first()?;
        Some((best, self.origin(best)?))
    }

    pub(in crate::tracker) fn origin(&self, explanation: &Explanation) -> Option<Origin> {
        self.origins.get(explanation.origin).copied()
    }

    /// Adds what each explanation costs beyond what the search knows.
    pub(in crate::tracker) fn charge(&mut self, price: impl Fn(&Explanation) -> u32) {
        for explanation in &mut self.explanations {
            explanation.cost += price(explanation);
        }
        self.explanations.sort_by_key(|explanation| explanation.cost);
    }

    /// Drops what is said to have been moved out of turn, and was pressed for by its own side: its time ran.
    fn drop_what_was_in_turn(&mut self, evidence: &Evidence<'_>) {
        let Some(last) = self.origins.len().checked_sub(1) else { return };
        let first = |index: &usize| *index == 0;
        self.explanations.retain(|other| {
            let pressed = other.outcomes.iter().position(|outcome| *outcome == Outcome::Ply(0));
            let press = pressed.filter(first).and_then(|index| evidence.presses.get(index));
            other.origin != last || !press.is_some_and(|press| press.seen && press.up_at.is_some())
        });
    }

    /// Presumes innocence: an explanation without an irregular move comes first if it is almost as good.
    pub(in crate::tracker) fn presume_innocence(&mut self) {
        let Some(best) = self.explanations.first().filter(|best| !best.is_regular()) else { return };
        let least = best.cost;
        let almost = |other: &Explanation| other.cost < least + decision::LIKELY && other.is_regular();
        if let Some(place) = self.explanations.iter().position(almost) {
            let mut innocent = self.explanations.remove(place);
            innocent.cost = least;
            self.explanations.insert(0, innocent);
        }
    }

    /// Returns how sure it is that somebody has offended, by the innocent explanations there are.
    pub(in crate::tracker) fn offence_confidence(&self) -> Confidence {
        let innocent = self.explanations.iter().find(|other| other.is_innocent());
        decision::word(Some(decision::lead(self.cost(), innocent.map(|innocent| innocent.cost))))
    }

    /// Returns the cost of the best explanation.
    pub(in crate::tracker) fn cost(&self) -> u32 {
        self.explanations.first().map_or(u32::MAX, |best| best.cost)
    }

    /// Adds a start; returns its number.
    pub(in crate::tracker) fn originate(&mut self, origin: Origin) -> usize {
        self.origins.push(origin);
        self.origins.len() - 1
    }

    /// Adds what another search has found.
    pub(in crate::tracker) fn add(&mut self, others: Self) {
        let origins = self.origins.len();
        self.origins.extend(others.origins);
        for mut other in others.explanations {
            other.origin += origins;
            explain::insert(&mut self.explanations, other);
        }
    }

    fn explain(
        &mut self,
        evidence: Evidence<'_>,
        origin: Origin,
        hypothesis: &Hypothesis,
        position: Position,
        price: u32,
        reinstated: bool,
    ) {
        let number = self.originate(origin);
        let goes_on = matches!(origin, Origin::Hypothesis(_));
        let offender = hypothesis.offender.filter(|_| goes_on);
        let pressed_back = hypothesis.pressed_back.filter(|_| goes_on);
        let is_back = matches!(origin, Origin::Back(_));
        let taken_back = if is_back && !evidence.window.gap {
            differences(position.board(), hypothesis.position.board())
        } else {
            Bitboard::EMPTY
        };
        let root = Root {
            number,
            position,
            faulty: hypothesis.faulty,
            cost: hypothesis.cost + price,
            offender,
            pressed_back,
            reinstated,
            taken_back: is_back && !reinstated,
            standing: taken_back & !evidence.window.touched(),
        };
        let budget = self.budget.min(self.each);
        let consumed = explain::explain(evidence, &root, budget, self.limit, &mut self.explanations);
        self.budget = self.budget.saturating_sub(consumed);
        self.consumed += consumed;
    }
}

impl Tracker {
    /// Searches a window from these hypotheses, the first `ripe` of its presses being settled.
    pub(in crate::tracker) fn search(
        &self,
        window: &Window,
        ripe: usize,
        hypotheses: &[Hypothesis],
    ) -> Findings {
        self.search_within(None, window, ripe, hypotheses)
    }

    /// Does the same for explanations that cost no more than a limit.
    fn search_within(
        &self,
        limit: Option<u32>,
        window: &Window,
        ripe: usize,
        hypotheses: &[Hypothesis],
    ) -> Findings {
        let evidence = self.evidence(window, ripe);
        let budget = self.budget.get().max(effort::LEAST);
        // Nobody is accused by what is found there.
        let (budget, each) = if self.reporting.hides_play() {
            (budget.min(effort::NODES_IN_HIDING), effort::NODES_IN_HIDING / 2)
        } else {
            (budget, budget)
        };
        let mut found = Findings { budget, each, limit, ..Findings::default() };
        for (index, hypothesis) in hypotheses.iter().enumerate() {
            found.explain(
                evidence,
                Origin::Hypothesis(index),
                hypothesis,
                hypothesis.position.clone(),
                0,
                false,
            );
        }
        self.consume(&mut found);
        found
    }

    /// Searches as [`Tracker::search`] does, but returns `None` if no explanation costs less than `cost`: to find that out is
    /// mostly less work than to find the best of those that cost more.
    pub(in crate::tracker) fn search_below(
        &self,
        cost: u32,
        window: &Window,
        ripe: usize,
        hypotheses: &[Hypothesis],
    ) -> Option<Findings> {
        let limit = Some(cost.checked_sub(1)?);
        if self.search_within(limit, window, ripe, hypotheses).explanations.is_empty() {
            return None;
        }
        Some(self.search(window, ripe, hypotheses))
    }

    /// Searches the present window also from positions that players may have passed on from or gone back to.
    pub(in crate::tracker) fn search_widely(&self, ripe: usize) -> Findings {
        let mut found = self.search(&self.window, ripe, &self.hypotheses);
        let evidence = self.evidence(&self.window, ripe);
        for (index, hypothesis) in self.hypotheses.iter().enumerate() {
            if hypothesis.offender == Some(hypothesis.position.turn()) {
                found.explain(
                    evidence,
                    Origin::Passed(index),
                    hypothesis,
                    hypothesis.position.pass(),
                    cost::PASS,
                    false,
                );
            }
        }
        // An irregular ply may have answered one that the opponent made out of turn.
        if found.cost() >= decision::TROUBLE
            && found.explanations.first().is_some_and(|best| !best.is_regular())
            && let Some(hypothesis) = self.hypotheses.first().filter(|best| best.offender.is_none())
        {
            let position = hypothesis.position.pass();
            found.explain(evidence, Origin::Passed(0), hypothesis, position, cost::OUT_OF_TURN, false);
            found.drop_what_was_in_turn(&evidence);
        }
        let widely = self.window.paused || found.cost() >= decision::TROUBLE;
        let earlier = self.earlier_positions(if widely { effort::MOST_BACK } else { 1 });
        let last = earlier.first().map_or(0, |(keep, _)| *keep);
        let illegal = earlier.first().is_some_and(|(keep, before)| self.is_illegal_after(*keep, before));
        if let Some(hypothesis) = self.hypotheses.first().filter(|_| widely || illegal) {
            let touched = self.window.touched();
            // What is explained is not looked for further back; but an illegal move is put right, whatever else may be.
            for (keep, position) in earlier {
                // Who puts pieces back moves them.
                let moved = differences(position.board(), hypothesis.position.board());
                if (moved & touched).is_empty() && !self.window.gap {
                    continue;
                }
                let further = last.saturating_sub(keep);
                let reinstated = self.window.paused || illegal && further == 0;
                let price = if reinstated { cost::REINSTATED } else { cost::TAKEN_BACK };
                let price = price + cost::TAKEN_BACK_PLY * further;
                found.explain(evidence, Origin::Back(keep), hypothesis, position, price, reinstated);
            }
        }
        self.consume(&mut found);
        found
    }

    /// Searches the evidence of the last judgement and what came since from before the ply that it began after: whoever made that
    /// ply may have taken it back and made another one, with or without the time given back.
    ///
    /// Returns `None` if no explanation by which nobody has offended costs less than `cost`.
    pub(in crate::tracker) fn search_taken_back(
        &self,
        cost: u32,
        window: &Window,
        ripe: usize,
        past: &JudgedWindow,
    ) -> Option<Findings> {
        let (game, keep) = (self.game.as_ref()?, past.plies().checked_sub(1)?);
        let (hypothesis, position) = (&past.hypothesis, game.position_after(keep));
        let moved = differences(position.board(), hypothesis.position.board());
        if position.turn() == hypothesis.position.turn() || (moved & window.touched()).is_empty() {
            return None;
        }
        let budget = self.budget.get().max(effort::LEAST);
        let limit = Some(cost.checked_sub(1)?);
        let mut found = Findings { budget, each: budget, limit, ..Findings::default() };
        let evidence = self.evidence(window, ripe);
        found.explain(evidence, Origin::Back(keep), hypothesis, position, cost::TAKEN_BACK, false);
        self.consume(&mut found);
        // Another ply is said to have been made, and a piece that is said not to have moved stands there.
        let reported = game.ply(past.plies()).map(|ply| &ply.played);
        let stands = |other: &Explanation| {
            other.is_innocent()
                && other.steps.first().map(|step| &step.played) != reported
                && (differences(other.position.board(), window.board()) & moved).is_empty()
        };
        found.explanations.first().is_some_and(stands).then_some(found)
    }

    fn consume(&self, found: &mut Findings) {
        self.budget.set(self.budget.get().saturating_sub(std::mem::take(&mut found.consumed)));
    }

    /// Refills the search budget: a board that reports a minute of play at once must not hold up the others.
    pub(in crate::tracker) fn refill(&mut self, now: Timestamp) {
        let span = now.since(self.refilled_at);
        self.refilled_at = self.refilled_at.max(now);
        let refill = u32::try_from(span.as_millis()).unwrap_or(u32::MAX).saturating_mul(effort::REFILL);
        self.budget.set(self.budget.get().saturating_add(refill).min(effort::MOST_BUDGET));
    }

    fn evidence<'a>(&self, window: &'a Window, ripe: usize) -> Evidence<'a> {
        Evidence {
            window,
            presses: window.presses(),
            ripe,
            seen_squares: self.seen_squares,
            updates: self.reporting.updates,
            jitter: self.tuning.scan * 2,
            settle: self.patience(),
            lag: self
                .tuning
                .measured
                .map_or(self.patience(), |scan| self.patience().min(scan + wait::FIRST_LOOK)),
            running: self.running,
            pressed_last: self.progress.pressed_last,
            wronged: self.wronged(),
            clocked: self.reporting.clock,
            may_hide_presses: !self.displays.adds_time() && !self.reporting.polled,
            reads_seldom: self.displays.pace() >= Some(wait::SELDOM),
            disordered: self.reporting.noisy || self.reporting.damage > 0 || self.reporting.polled,
        }
    }

    /// Returns whose opponent has completed an illegal move last, in the best hypothesis.
    fn wronged(&self) -> Option<Color> {
        let ply = self.game.as_ref()?.ply(self.progress.plies_of(self.hypotheses.first()?))?;
        (ply.is_illegal() && ply.completed).then_some(!ply.side)
    }

    /// Returns whether the ply after so many is illegal, and is put right by another move: a pawn that was left on its last rank is
    /// exchanged where it stands.
    pub(in crate::tracker) fn is_illegal_after(&self, keep: u32, before: &Position) -> bool {
        match self.game.as_ref().and_then(|game| game.ply(keep + 1)).map(|ply| &ply.played) {
            Some(played @ Played::Irregular(irregular)) => {
                !played.is_set() && offence::pawn_left(before, irregular).is_none()
            }
            Some(Played::Legal(_)) | None => false,
        }
    }

    /// Returns at most so many of the last positions before the present one, with their plies, the latest first, as the best hypothesis has
    /// them.
    pub(in crate::tracker) fn earlier_positions(&self, most: u32) -> Vec<(u32, Position)> {
        let (Some(game), Some(best)) = (&self.game, self.hypotheses.first()) else { return Vec::new() };
        let from = self.progress.plies_of(best).saturating_sub(most);
        let mut position = game.position_after(from.min(self.progress.settled));
        let mut positions = Vec::new();
        for number in from + 1..=self.progress.settled {
            let Some(ply) = game.ply(number) else { break };
            let next = ply.apply(&position);
            positions.push((number - 1, std::mem::replace(&mut position, next)));
        }
        for (number, step) in (self.progress.settled..).zip(&best.steps) {
            let next = step.apply(&position);
            positions.push((number, std::mem::replace(&mut position, next)));
        }
        positions.retain(|(number, _)| *number >= from);
        positions.reverse();
        positions
    }

    /// Returns the position after a ply of the best hypothesis.
    pub(in crate::tracker) fn position_after(&self, ply: u32) -> Option<Position> {
        let (game, best) = (self.game.as_ref()?, self.hypotheses.first()?);
        let settled = game.position_after(ply.min(self.progress.settled));
        let further = usize::try_from(ply.saturating_sub(self.progress.settled)).unwrap_or(usize::MAX);
        Some(best.steps.iter().take(further).fold(settled, |position, step| step.apply(&position)))
    }
}
