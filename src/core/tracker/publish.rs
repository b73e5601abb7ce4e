//! Keeps the published game in step with the best hypothesis and with what the board shows beyond it.

use std::borrow::Cow;

use shakmaty::{Board, Color, Piece};

use super::{
    Tracker,
    ending::king_moved,
    exact_match,
    hypothesis::{Hypothesis, HypothesisPly},
    progress::{Showing, ShownStep, count},
    window::Press,
};
use crate::{
    alert::Confidence,
    fact::{Change, Fact, Pressed, Verdict, Withdrawal},
    game::Played,
    model::{decision, effort, wait},
    position::{Position, differences},
    time::Timestamp,
};

impl Tracker {
    /// Looks at the board after a change: what does it show beyond the best hypothesis?
    pub(super) fn look(&mut self, change: Change, now: Timestamp) {
        self.note_clock_silence(now);
        if self.progress.shown.coming.as_ref().is_some_and(|showing| self.is_over(showing, change)) {
            self.hold();
        }
        self.progress.shown.coming = self.compare(now);
        self.plan_search(now);
    }

    /// Returns whether a change shows that what the board has begun to show is made: the opponent's hand is at work.
    fn is_over(&self, showing: &Showing, change: Change) -> bool {
        let Some(shown) = &showing.step else { return false };
        let theirs = |piece: Piece| piece.color != shown.step.side;
        let moved_on = match (change.was, change.is) {
            // A piece that is lifted after the one that mates is none that is on its way.
            (Some(was), None) => {
                theirs(was) || showing.ends_game && !shown.step.played.ends_on(change.square)
            }
            (_, Some(is)) => theirs(is),
            (None, None) => false,
        };
        // Its own hand may capture with the piece that it holds.
        moved_on && !self.arrives_unseen(&shown.step)
    }

    /// Compares the board with the positions that were shown, the last one first.
    pub(super) fn compare(&self, now: Timestamp) -> Option<Showing> {
        let hypothesis = self.hypotheses.first()?;
        if self.progress.resync_at.is_some() || self.is_paused() && self.progress.rests_at < now {
            // Nobody knows what was played, or players or arbiter are putting things in order.
            return None;
        }
        let holds_at = now + self.tuning.scan + wait::HOLD;
        let positions = self.shown_positions();
        for (kept, position) in positions.iter().enumerate().rev() {
            if self.matches(position) {
                return (kept < self.progress.shown.made.len()).then_some(Showing {
                    kept,
                    step: None,
                    ends_game: false,
                    holds_at,
                });
            }
            if let Some(played) = exact_match::find(position, self.window.board(), hypothesis.faulty) {
                // On a position that is not sure, no ply breaks the rules for sure.
                let most = self.progress.trust.most_of_offence();
                let step = HypothesisPly {
                    most: if played.is_legal() { Confidence::Certain } else { most },
                    played,
                    side: position.turn(),
                    made_at: now,
                    completed: false,
                    clock: None,
                    inferred: None,
                };
                // A piece that is not to be seen is in the hand until it must have come down on a square that is faulty.
                let ends_game = step.played.is_legal() && {
                    let after = step.played.apply(position);
                    after.is_checkmate() || after.is_stalemate()
                };
                let holds_at = match (self.arrives_unseen(&step), ends_game) {
                    (true, _) => now + wait::SLOW_HAND,
                    (false, true) if !self.progress.flag_fell => now + wait::HOLD_AT_END,
                    (false, _) => holds_at,
                };
                let count = self.window.changes().len();
                return Some(Showing { kept, step: Some(ShownStep { step, count }), ends_game, holds_at });
            }
        }
        None
    }

    /// Returns whether a ply ends on a square that is faulty: nothing shows that it was made.
    pub(super) fn arrives_unseen(&self, step: &HypothesisPly) -> bool {
        matches!(&step.played, Played::Legal(m) if !m.is_castle() && self.faulty_squares().contains(m.to()))
    }

    /// Returns the position of the best hypothesis, and those after each ply shown beyond it.
    pub(super) fn shown_positions(&self) -> Cow<'_, [Position]> {
        let Some(hypothesis) = self.hypotheses.first() else { return Cow::default() };
        if self.progress.shown.made.is_empty() {
            return Cow::Borrowed(std::slice::from_ref(&hypothesis.position));
        }
        let mut positions = Vec::with_capacity(self.progress.shown.made.len() + 1);
        positions.push(hypothesis.position.clone());
        for shown in &self.progress.shown.made {
            if let Some(last) = positions.last() {
                positions.push(shown.step.played.apply(last));
            }
        }
        Cow::Owned(positions)
    }

    /// Returns whether the board shows a position, squares that are faulty left aside.
    pub(super) fn matches(&self, position: &Position) -> bool {
        (differences(position.board(), self.window.board()) & !self.faulty_squares()).is_empty()
    }

    /// Handles what the board shows as made.
    pub(super) fn hold(&mut self) {
        let Some(showing) = self.progress.shown.coming.take() else { return };
        self.progress.shown.made.truncate(showing.kept);
        self.progress.shown.made.extend(showing.step);
        self.publish(Withdrawal::Unfinished);
        self.resolve();
        let clocked = self.running.is_some() && self.reporting.clock;
        let most = if clocked { decision::MOST_SHOWN } else { decision::MOST_SHOWN_UNCLOCKED };
        // A press that has come is judged with all of them.
        if self.progress.shown.made.len() >= most
            && !(clocked && (self.may_be_pressed() || self.window.paused))
            && self.progress.due.is_none()
            && self.window.presses().is_empty()
        {
            self.complete_unpressed();
        }
    }

    /// Returns whether a press for the first of the plies shown may still be reported: the clock has reported nothing since the opponent replied, or
    /// it adds time for each press, so that none is hidden between two readings.
    fn may_be_pressed(&self) -> bool {
        let [_, reply, ..] = self.progress.shown.made.as_slice() else { return true };
        self.progress.shown.made.len() < decision::MOST_SHOWN_UNREAD
            && (self.displays.increment().is_some()
                || self.displays.latest().is_none_or(|read| read <= reply.step.made_at))
    }

    /// Notes that a flag has fallen: a mate or stalemate that the board has begun to show, or is sensed a little later, was made before
    /// and ends the game.
    pub fn note_flag(&mut self) {
        self.progress.flag_fell = true;
        if self.reporting.clock && self.search_due().is_some() {
            self.search_odd();
        }
        if self.progress.shown.coming.as_ref().is_some_and(|showing| showing.ends_game) {
            self.hold();
        }
    }

    /// A piece that was in the air at a press has come down.
    pub(super) fn resolve(&mut self) {
        let Some((side, from)) = self.progress.in_the_air.as_ref().map(|air| (air.pressed.side, air.from))
        else {
            return;
        };
        let resolved = |shown: &&ShownStep| shown.step.side == side && shown.step.played.from() == Some(from);
        let Some(shown) = self.progress.shown.made.iter().find(resolved) else { return };
        // What only a dump shows came down nobody knows when.
        let change = shown.count.checked_sub(1).and_then(|index| self.window.changes().get(index));
        let placed = shown.step.made_at;
        let seen = change.is_some_and(|change| !change.dumped);
        if let Some(mut air) = self.progress.in_the_air.take_if(|_| seen) {
            // A slow hand at the clock and a slow scan look the same so soon after a press.
            let soon = placed.since(air.pressed.at) < self.tuning.settle + self.tuning.scan;
            let no_hand = placed.since(air.pressed.at) > wait::SLOW_HAND;
            let blame_board = soon || no_hand || self.sensor_faults.is_late();
            air.pressed.confidence = if blame_board { Confidence::Possible } else { Confidence::Likely };
            air.pressed.verdict = Verdict::InTheAir { from: air.from, placed: Some(placed) };
            self.facts.push(Fact::Pressed(Box::new(air.pressed)));
            self.note_late(air.from);
        }
    }

    /// Notes that a piece that was in the air at a press stands where it stood before, or has left again. What has not been seen for longer
    /// than a hand holds it may have stood beside the middle of another square.
    pub(super) fn note_put_back(&mut self, change: Change) {
        if let Some(air) = self.progress.in_the_air.as_mut().filter(|air| air.from == change.square) {
            let stood = air.pressed.before.board().piece_at(air.from);
            let held = change.at.since(air.pressed.at) <= wait::SLOW_HAND;
            let is_back = held && !change.dumped && change.is.is_some() && change.is == stood;
            air.back_at = is_back.then_some(change.at);
        }
    }

    /// Returns when a piece that was in the air at a press has stood where it stood before for long enough: nothing was moved.
    pub(super) fn put_back_at(&self) -> Option<Timestamp> {
        self.progress.in_the_air.as_ref().and_then(|air| air.back_at).map(|at| at + wait::PUT_BACK)
    }

    /// Handles a press for one without a move, if the piece that was in the air then stands where it stood before.
    pub(super) fn report_put_back(&mut self) {
        let Some(air) = self.progress.in_the_air.take_if(|air| air.back_at.is_some()) else { return };
        let mut pressed = air.pressed;
        let Pressed { side, at, seen, increment_s, clock, .. } = pressed;
        let press = Press { side, at, up_at: None, seen, increment_s, clock };
        // A board that loses changes may have lost where the piece came down, and where the next one was lifted.
        let sure = self.most_sure(&pressed.before, press, Confidence::Certain);
        let nothing = self.most_sure_of_nothing(&pressed.before, press, self.faulty_squares());
        if sure == Confidence::Certain && nothing >= Confidence::Likely {
            pressed.verdict = Verdict::Nothing;
            pressed.confidence = Confidence::Likely;
            self.note_offence(&pressed);
            self.facts.push(Fact::Pressed(Box::new(pressed)));
        }
    }

    /// Drops the piece that was in the air at the opponent's press: it came down unseen, or he presses back. Nobody is accused.
    pub(super) fn doubt_in_the_air(&mut self, presser: Color) {
        let Some(air) = self.progress.in_the_air.take_if(|air| air.pressed.side != presser) else { return };
        let (verdict, confidence) = (Verdict::Reaction, Confidence::Possible);
        self.facts.push(Fact::Pressed(Box::new(Pressed { verdict, confidence, ..air.pressed })));
    }

    /// Counts the first ply shown as completed by those that followed (Art. 6.2.1.2).
    fn complete_unpressed(&mut self) {
        let latest = self.window.last_change();
        if !self.reporting.clock && self.hypotheses.len() > 1 && self.progress.searched_after != latest {
            // What the board shows now may speak for another one; the same evidence is searched once.
            self.progress.searched_after = latest;
            self.search_unpressed();
            return;
        }
        if self.reporting.clock {
            // Presses that were not seen cost nothing on a line that loses messages: judged again together with this ply, those that
            // follow could all be taken for the presses of the plies before.
            self.progress.past.clear();
        } else if let Some(hypothesis) = self.hypotheses.first().cloned() {
            let count = self.progress.shown.made.first().map_or(0, |first| first.count);
            self.remember(hypothesis, 0, count, 0);
        }
        let first = self.progress.shown.made.remove(0);
        let count = first.count;
        self.advance(HypothesisPly { completed: true, ..first.step });
        self.forget_before(count, 0);
        self.publish(Withdrawal::Reconsidered);
    }

    /// Adds a completed ply to the one hypothesis there is, or to the best.
    pub(super) fn advance(&mut self, step: HypothesisPly) {
        self.hypotheses.truncate(1);
        if let Some(hypothesis) = self.hypotheses.first_mut() {
            hypothesis.push(step);
        }
    }

    /// Ends the window's evidence before change number `count` and its first `presses`.
    pub(super) fn forget_before(&mut self, count: usize, presses: usize) {
        let judged = self.window.presses().iter().take(presses).next_back().copied();
        self.progress.pressed_last = judged.or(self.progress.pressed_last);
        self.window.cut(count, presses);
        for shown in &mut self.progress.shown.made {
            shown.count = shown.count.saturating_sub(count);
        }
        if let Some(shown) = self.progress.shown.coming.as_mut().and_then(|showing| showing.step.as_mut()) {
            shown.count = shown.count.saturating_sub(count);
        }
    }

    /// Brings the published game in step.
    pub(super) fn publish(&mut self, because: Withdrawal) {
        let (Some(game), Some(best)) = (&mut self.game, self.hypotheses.first()) else { return };
        let shown = &self.progress.shown.made;
        let wanted = best.steps.iter().chain(shown.iter().map(|shown| &shown.step));
        let settled = usize::try_from(self.progress.settled).unwrap_or(usize::MAX);
        let published = game.plies().iter().skip(settled);
        let same = published
            .zip(wanted.clone())
            .take_while(|(ply, step)| ply.played == step.played && ply.side == step.side);
        let keep = self.progress.settled + count(same.count());
        if keep < game.len() {
            let next =
                wanted.clone().nth(usize::try_from(keep - self.progress.settled).unwrap_or(usize::MAX));
            if let Some(step) = game.ply(keep + 1).zip(next).and_then(|(ply, next)| king_moved(ply, next)) {
                self.progress.king_moved = Some((keep + 1, step));
            }
            game.truncate(keep);
            self.facts.push(Fact::Withdrawn { ply: keep + 1, because });
        }
        for ((number, step), index) in (self.progress.settled + 1..).zip(wanted).zip(0..) {
            let most = step.most.min(decision::word_among(step.inferred));
            let confidence = || step_confidence(&self.hypotheses, shown, index).min(most);
            if number > game.len() {
                game.push(step.side, step.played.clone(), step.made_at, confidence());
                game.mark_inferred(number, step.inferred);
                self.progress.touched = false;
                self.facts.push(Fact::Made { ply: number });
            }
            if step.completed && game.ply(number).is_some_and(|ply| !ply.completed) {
                game.complete(number, step.clock, confidence());
                self.facts.push(Fact::Completed { ply: number });
            }
        }
        self.settle();
    }

    /// Puts the best hypothesis first, after something was learned that not all of them had expected.
    pub(super) fn rank_branches(&mut self) {
        let before = self.hypotheses.first().map(|best| best.position.clone());
        self.hypotheses.sort_by_key(|hypothesis| hypothesis.cost);
        let Some(best) = self.hypotheses.first() else { return };
        let (least, mut position) = (best.cost, best.position.clone());
        let is_other = before.is_some_and(|before| before != position);
        for hypothesis in &mut self.hypotheses {
            hypothesis.cost -= least;
        }
        if is_other {
            // What the board showed beyond the one that led need not be a move of this one.
            let fits = |shown: &&ShownStep| {
                let can_follow = shown.step.side == position.turn()
                    && match &shown.step.played {
                        Played::Legal(m) => position.is_legal(*m),
                        Played::Irregular(_) => false,
                    };
                if can_follow {
                    position = shown.step.played.apply(&position);
                }
                can_follow
            };
            let kept = self.progress.shown.made.iter().take_while(fits).count();
            self.progress.shown.made.truncate(kept);
            self.progress.shown.coming = None;
        }
        if is_other || self.progress.shown.made.is_empty() {
            self.publish(Withdrawal::Reconsidered);
        }
    }

    /// Moves plies on which all hypotheses agree to the settled part of the game.
    pub(super) fn settle(&mut self) {
        let unsettled = self.hypotheses.first().map_or(0, |best| best.steps.len());
        let proven = unsettled > effort::ENOUGH_UNSETTLED && self.confidence() == Confidence::Certain;
        if (proven || unsettled > effort::MOST_UNSETTLED)
            && let Some(first) = self.hypotheses.first().and_then(|best| best.steps.first()).cloned()
        {
            self.hypotheses.retain(|hypothesis| {
                hypothesis.steps.first().is_some_and(|step| step.played == first.played)
            });
        }
        if unsettled > effort::LONG_UNSETTLED {
            self.hypotheses.truncate(effort::FEW);
        }
        let Some((best, others)) = self.hypotheses.split_first() else { return };
        let agreed = best.steps.iter().enumerate().take_while(|(index, step)| {
            others
                .iter()
                .all(|other| other.steps.get(*index).is_some_and(|theirs| theirs.played == step.played))
        });
        let agreed = agreed.count();
        for hypothesis in &mut self.hypotheses {
            hypothesis.steps.drain(..agreed);
            if hypothesis.steps.capacity() > hypothesis.steps.len() + effort::ENOUGH_UNSETTLED {
                hypothesis.steps.shrink_to(effort::ENOUGH_UNSETTLED / 2);
            }
        }
        self.progress.settled += count(agreed);
    }

    /// Returns how far the best hypothesis leads.
    pub(super) fn confidence(&self) -> Confidence {
        let second = self.hypotheses.get(1).map(|hypothesis| hypothesis.cost);
        let best = self.hypotheses.first().map_or(0, |hypothesis| hypothesis.cost);
        decision::word(second.map(|second| second.saturating_sub(best)))
    }

    pub(super) fn note_touch(&mut self, change: Change) {
        if self.progress.touched || change.is.is_some() {
            return;
        }
        let (Some(game), Some(was)) = (&self.game, change.was) else { return };
        let position = game.position();
        let side = position.turn();
        let own = was.color == side && position.board().piece_at(change.square) == Some(was);
        if own || was.color != side && can_capture(position, change.square, side) {
            self.progress.touched = true;
            self.facts.push(Fact::Touched { side, square: change.square });
        }
    }
}

/// Returns how far the best hypothesis leads those that have something else in the place of its ply number `index`,
/// counted from 0; plies `shown` beyond it are counted on.
fn step_confidence(hypotheses: &[Hypothesis], shown: &[ShownStep], index: usize) -> Confidence {
    let Some((best, others)) = hypotheses.split_first() else { return Confidence::Certain };
    let shown = index.checked_sub(best.steps.len()).and_then(|index| shown.get(index));
    let differs = |other: &&Hypothesis| match (best.steps.get(index), shown) {
        (Some(step), _) => other.steps.get(index).is_none_or(|theirs| theirs.played != step.played),
        // The ply that comes next may be made in either case.
        (None, Some(ShownStep { step: HypothesisPly { played: Played::Legal(m), .. }, .. }))
            if index == best.steps.len() =>
        {
            !other.position.is_legal(*m)
        }
        (None, _) => true,
    };
    let second = others.iter().find(differs).map(|other| other.cost.saturating_sub(best.cost));
    decision::word(second)
}

fn can_capture(position: &Position, square: shakmaty::Square, side: Color) -> bool {
    let board: &Board = position.board();
    board.attacks_to(square, side, board.occupied()).any()
        && position.legal_moves().iter().any(|m| m.is_capture() && m.to() == square)
}
