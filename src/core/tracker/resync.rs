//! Goes on where evidence ends: after a gap, from a restored position, from a board that no play explains.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Square};

use super::{
    Tracker, cost,
    evidence::ExplainedPly,
    explain::{self, Explanation},
    gap_search::{self, Stretch},
    hypothesis::{Hypothesis, HypothesisPly},
    judge::{Findings, Origin},
    position_trust::Trust,
    progress::{ShownStep, Silence},
    window::Press,
};
use crate::{
    alert::Confidence,
    event::Times,
    fact::{Fact, MismatchCause, Withdrawal},
    game::{Irregular, Played},
    model::{decision, effort},
    position::{Position, differences},
    time::Timestamp,
};

/// What play that nobody saw may go on from.
#[derive(Clone)]
struct SearchRoot {
    /// Number of the origin among those of the findings.
    origin: usize,
    /// Plies that were seen, and that no press has completed.
    steps: ArrayVec<ExplainedPly, { effort::DEPTH }>,
    /// The position after them.
    start: Position,
    /// How many they are.
    made: usize,
    faulty: Bitboard,
    cost: u32,
}

impl Tracker {
    /// Makes a tracker that reads the same board from the beginning.
    ///
    /// What is read again has been reported before, all at once: it refills no search budget.
    #[must_use]
    pub fn successor(&self) -> Self {
        let reporting = self.reporting.of_successor();
        let (budget, refilled_at) = (self.budget.clone(), self.refilled_at);
        Self { reporting, budget, refilled_at, ..Self::new(self.tuning) }
    }

    /// Returns whether a square has shown a piece since this tracker was made.
    #[must_use]
    pub const fn has_shown(&self, square: Square) -> bool {
        self.seen_squares.contains(square)
    }

    /// Notes that the game may have begun from these positions, too: a pawn may just have passed two squares.
    pub fn start_also(&mut self, positions: Vec<Position>) {
        let Some(faulty) = self.hypotheses.first().map(|hypothesis| hypothesis.faulty) else { return };
        let hypotheses = positions
            .into_iter()
            .map(|position| Hypothesis { cost: cost::JUST_PASSED, ..Hypothesis::new(position, faulty) });
        self.hypotheses.extend(hypotheses);
    }

    /// Handles what the clock shows.
    pub fn handle_times(&mut self, times: Times, now: Timestamp) {
        if self.running.is_some() {
            self.set_clock(true, now);
        }
        self.displays.note_times(times, now);
    }

    /// Notes that the board has reported what stands on it.
    pub fn handle_dump(&mut self, now: Timestamp) {
        self.reporting.note_dump(now);
        if let Some(best) = self.hypotheses.first().filter(|best| self.matches(&best.position)) {
            let plies = self.progress.plies_of(best);
            self.progress.rely_on(plies, self.progress.trust.confirmed());
        }
        self.confirm_mismatch();
        let first = self.is_playing() && self.window.gap;
        if first {
            self.reporting.up_since = now;
            self.note_first_dump();
            if !self.end_unmoved_silence() {
                self.progress.resync_at = Some(now + self.tuning.settle);
            }
        }
        let reported =
            self.window.changes().last().copied().filter(|change| change.dumped && change.at == now);
        if let Some(change) = reported.filter(|_| self.is_playing()) {
            self.look(change, now);
        }
        self.judge_by_dump();
    }

    /// Finds the moves that were made while nothing was heard of the board.
    pub(super) fn resync(&mut self) {
        let silence = self.progress.silence.take().filter(|_| !self.reporting.polled);
        if silence.is_some_and(|silence| self.was_paused(silence)) {
            self.window.gap = false;
            return;
        }
        let mut found = Findings::default();
        if self.reporting.polled {
            // What was played comes out of the board's log, before or after the dump.
            found = self.search(&self.window, 0, &self.hypotheses);
        }
        let kings = self.kings_for_result();
        if kings < 2 {
            self.add_paths(&mut found, silence);
        }
        let no_move = found.explanations.is_empty() && self.running.is_none() && kings == 1;
        if kings == 2 || no_move {
            // The result is reported when they have stood there for a while.
            self.window.cut(usize::MAX, usize::MAX);
            return;
        }
        // Or nothing was played: the board shows what it showed before, where no move had put a piece. Or a move was under way, or broke the
        // rules: that is likelier than many moves in a short time.
        let unheard = found
            .explanations
            .first()
            .map_or(0, |best| best.steps.iter().filter(|step| step.inferred.is_some()).count());
        let seen = |silence| self.stood_still(silence) || self.is_too_much(unheard, silence);
        if found.explanations.is_empty() {
            found = self.search_through(silence);
        } else if silence.is_some_and(seen) && found.cost() >= decision::TROUBLE {
            found.add(self.search_through(silence));
        }
        self.progress.past.clear();
        if found.cost() < decision::HOPELESS {
            self.adopt(&found, 0);
        } else {
            self.take_board_as_it_stands();
        }
        if self.stands_amiss() {
            self.progress.trust = self.progress.trust.doubted();
        }
    }

    /// Searches all that was seen, before the silence and after it, as if it had been seen without one.
    fn search_through(&self, silence: Option<Silence>) -> Findings {
        let mut found = self.search(&self.window, 0, &self.hypotheses);
        let since = silence.map_or(0, |silence| silence.since);
        let dumped = silence.and_then(|silence| silence.dumped).unwrap_or(usize::MAX);
        let others = u32::try_from(found.explanations.len().saturating_sub(1)).unwrap_or(u32::MAX);
        for step in found.explanations.iter_mut().flat_map(|found| &mut found.steps) {
            let unseen = !self.reporting.polled && since < step.shown && step.shown <= dumped;
            step.inferred = unseen.then_some(others);
        }
        found
    }

    /// Finds them when a press comes first; returns whether it was one of them that it completed.
    pub(super) fn resync_at_press(&mut self, press: Press) -> bool {
        let seen = self.progress.silence.and_then(|silence| silence.dumped);
        let stands = self.hypotheses.first().is_some_and(|best| self.matches(&best.position));
        // Nothing has changed since the board was heard of again: what was pressed for had been made by then.
        if seen != Some(self.window.changes().len()) || stands {
            self.resync();
            return false;
        }
        let running = self.running.replace(!press.side);
        let mut found = Findings::default();
        self.add_paths(&mut found, self.progress.silence);
        let exact = |best: &Explanation| {
            (differences(best.position.board(), self.window.board()) & !best.faulty).is_empty()
        };
        let best = found.explanations.first();
        // None of them is his: he has pressed for nothing that was made unseen.
        let is_his = best.is_none_or(|best| best.steps.iter().any(|step| step.side == press.side));
        let exact = best.is_some_and(exact);
        self.running = running;
        if is_his && (exact || self.is_likelier_than_no_move(&found)) {
            self.running = Some(!press.side);
            self.displays.note_press(press);
            self.resync();
            return true;
        }
        self.resync();
        false
    }

    /// Returns whether what a press completed unseen is likelier than that it completed nothing: with pieces in hands, paths with and
    /// without it may lead to the same board.
    fn is_likelier_than_no_move(&self, found: &Findings) -> bool {
        let mut without = Findings::default();
        self.add_paths(&mut without, self.progress.silence);
        found.cost() < without.cost().saturating_add(cost::NULL_PRESS)
    }

    /// Adds the legal paths from each hypothesis to what stands on the board, or stood when it was heard of again.
    fn add_paths(&self, found: &mut Findings, silence: Option<Silence>) {
        let changes = self.window.changes().len();
        let shown = silence.and_then(|silence| silence.dumped).unwrap_or(changes).min(changes);
        let goal = self.window.board_after(shown);
        let before = silence.map_or(0, |silence| silence.since);
        // What was seen before the silence comes first in it.
        let seen: Vec<&ShownStep> =
            self.progress.shown.made.iter().take_while(|step| step.count <= before).collect();
        let presses = silence.and_then(|silence| self.displays.presses_since(silence));
        let ply_price = silence.map_or(cost::UNHEARD, |silence| self.price_of_unheard_ply(silence));
        let lifted = silence.map_or(Bitboard::EMPTY, |silence| silence.lifted);
        let mut merged: Vec<(u32, u32)> = Vec::new();
        for root in self.search_roots(found, &seen, silence.is_some()) {
            let SearchRoot { origin, steps, start, made, faulty, cost } = root;
            let stretch = Stretch {
                goal: &goal,
                faulty,
                running: self.running,
                presses,
                lifted: lifted & start.board().by_color(start.turn()),
                made,
                ply_price,
            };
            for path in gap_search::paths(&start, stretch, &self.budget) {
                let mut steps = steps.clone();
                let mut side = !start.turn();
                for m in path.moves {
                    side = !side;
                    let played = Played::Legal(m);
                    steps.push(ExplainedPly { played, side, shown, inferred: Some(0) });
                }
                let (position, cost) = (path.position, cost + path.cost);
                merged.push((cost, path.merged));
                let outcomes = ArrayVec::new();
                let explanation = Explanation { origin, steps, position, cost, faulty, outcomes };
                explain::insert(&mut found.explanations, explanation);
            }
        }
        // What is out of the question for practical purposes is no way that remains.
        let most = found.cost().saturating_add(decision::CERTAIN);
        let remaining = merged.iter().filter(|(cost, _)| *cost < most).map(|(_, merged)| *merged);
        let others = remaining.fold(0, u32::saturating_add).saturating_sub(1);
        for step in found.explanations.iter_mut().flat_map(|found| &mut found.steps) {
            step.inferred = step.inferred.map(|_| others);
        }
    }

    /// Returns what play that nobody saw may go on from: each hypothesis, with and without the plies that were `seen` last, and,
    /// after a silence, the position before an illegal move, which the players have put right (Art. 7.5.1).
    fn search_roots(&self, found: &mut Findings, seen: &[&ShownStep], silent: bool) -> Vec<SearchRoot> {
        let mut search_roots = Vec::new();
        for (index, hypothesis) in self.hypotheses.iter().enumerate() {
            let bare = SearchRoot {
                origin: found.originate(Origin::Hypothesis(index)),
                steps: ArrayVec::new(),
                start: hypothesis.position.clone(),
                made: 0,
                faulty: hypothesis.faulty,
                cost: hypothesis.cost,
            };
            if index > 0 || seen.is_empty() {
                search_roots.push(bare);
                continue;
            }
            let mut with_seen = bare.clone();
            with_seen.made = seen.len();
            for seen in seen {
                with_seen.start = seen.step.played.apply(&with_seen.start);
                let (played, side) = (seen.step.played.clone(), seen.step.side);
                with_seen.steps.push(ExplainedPly { played, side, shown: seen.count, inferred: None });
            }
            search_roots.push(with_seen);
            search_roots.push(SearchRoot { cost: bare.cost + cost::SHOWN_AND_GONE, ..bare });
        }
        let before = self.earlier_positions(1).into_iter().next().filter(|_| silent);
        let illegal = before.filter(|(keep, before)| self.is_illegal_after(*keep, before));
        if let (Some((keep, start)), Some(best)) = (illegal, self.hypotheses.first()) {
            search_roots.push(SearchRoot {
                origin: found.originate(Origin::Back(keep)),
                steps: ArrayVec::new(),
                start,
                made: 0,
                faulty: best.faulty,
                cost: best.cost + cost::REINSTATED,
            });
        }
        search_roots
    }

    /// Returns whether a stretch that nobody saw can still be explained in several ways that differ in what stands where.
    pub(super) fn is_open(&self) -> bool {
        let inferred = |step: &HypothesisPly| step.inferred.is_some();
        let Some((best, others)) = self.hypotheses.split_first() else { return false };
        others.iter().any(|other| {
            other.position.board() != best.position.board()
                && (other.steps.iter().any(inferred) || best.steps.iter().any(inferred))
        })
    }

    /// Goes back to an earlier position if the board shows it when the clock is started again.
    pub(super) fn restore(&mut self, now: Timestamp) {
        // Who pressed without a move, and whose time is started again, has the move: nobody takes that press for one any more.
        for hypothesis in &mut self.hypotheses {
            hypothesis.offender.take_if(|offender| Some(*offender) == self.running);
        }
        self.note_exchanged_pawn(now);
        let stands = self.hypotheses.first().is_some_and(|best| self.matches(&best.position));
        if !self.window.paused || stands {
            return;
        }
        let back = self
            .earlier_positions(effort::MOST_BACK)
            .into_iter()
            .find(|(_, position)| self.matches(position));
        if let Some((keep, _)) = back {
            self.take_back(keep, Withdrawal::Reinstated);
        } else {
            self.progress.shown.coming = self.compare(now);
            if self.progress.shown.coming.is_none() {
                self.show_made_at_rest();
            }
        }
    }

    /// Goes on from an earlier position that the board shows; offences that were committed since have been put right.
    pub(super) fn take_back(&mut self, keep: u32, because: Withdrawal) {
        self.go_back(keep);
        self.forget_offences_after(keep);
        self.window.cut(usize::MAX, usize::MAX);
        self.progress.shown.made.clear();
        self.progress.shown.coming = None;
        self.publish(because);
    }

    /// Goes on without an explanation of the first `presses`: by a legal path to what stands on the board if there is
    /// one, otherwise from the board as it stands. Where the line hides play, neither end of such a path is sure.
    pub(super) fn lose_track(&mut self, presses: usize) {
        self.window.cut(0, presses);
        let mut found = Findings::default();
        self.window.gap = true;
        if !self.reporting.hides_play() {
            self.add_paths(&mut found, None);
        }
        if found.cost() < decision::HOPELESS {
            self.adopt(&found, 0);
        } else {
            self.window.gap = false;
            self.take_board_as_it_stands();
        }
    }

    fn take_board_as_it_stands(&mut self) {
        let Some(best) = self.hypotheses.first() else { return };
        let board = self.window.board();
        let odd = differences(best.position.board(), board) & !best.faulty;
        let kings = Color::ALL.into_iter().all(|color| board.king_of(color).is_some());
        let Some((from, to)) = ends(odd, board.occupied()).filter(|_| kings) else { return };
        let side = best.position.turn();
        let made_at = self.window.last_change().unwrap_or_default();
        let irregular = Irregular { from, to, promotion: None, board: board.clone(), set: None };
        let played = Played::Irregular(Box::new(irregular));
        let mut hypothesis = Hypothesis { cost: 0, ..best.clone() };
        hypothesis.position = played.apply(&hypothesis.position);
        if self.running.is_some_and(|running| running != hypothesis.position.turn()) {
            hypothesis.position = hypothesis.position.pass();
        }
        hypothesis.steps.push(HypothesisPly {
            played,
            side,
            made_at,
            completed: true,
            clock: None,
            inferred: None,
            // It names what no play explains.
            most: Confidence::Possible,
        });
        hypothesis.offender = None;
        self.hypotheses = vec![hypothesis];
        self.progress.trust = Trust::Lost;
        self.window.cut(usize::MAX, 0);
        self.progress.past.clear();
        self.progress.shown.made.clear();
        self.progress.shown.coming = None;
        self.publish(Withdrawal::Reconsidered);
        self.facts.push(Fact::Mismatch { squares: odd, cause: MismatchCause::Unexplained });
    }
}

/// Names a change of many squares by one that was left and one that was reached.
fn ends(odd: Bitboard, occupied: Bitboard) -> Option<(Square, Square)> {
    let (vacated, reached) = (odd & !occupied, odd & occupied);
    let from = vacated.first().or_else(|| reached.first())?;
    let to = reached.first().or_else(|| vacated.last())?;
    Some((from, to))
}
