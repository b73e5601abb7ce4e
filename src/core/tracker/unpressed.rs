//! Reads play that nobody presses for: that of a board that has no clock, and the last plies before a mate or a result. Where the board
//! does not show exactly what was played, a search when it is quiet takes the place of the judgement at a press.

use shakmaty::{Board, Color, Piece, Role};

use super::{
    Tracker, cost,
    evidence::ExplainedPly,
    exact_match,
    explain::Explanation,
    hypothesis::HypothesisPly,
    judge::Origin,
    progress::{ShownStep, count},
};
use crate::{
    alert::Confidence,
    fact::Withdrawal,
    game::Played,
    model::{decision, effort, wait},
    position::{CENTRE, differences},
    time::Timestamp,
};

impl Tracker {
    /// Notes whether the board has a clock.
    pub fn set_clock(&mut self, connected: bool, now: Timestamp) {
        let had_one = std::mem::replace(&mut self.reporting.clock, connected);
        if connected && !had_one {
            self.reporting.clock_back_at = self.reporting.clock_back_at.map(|at| at.min(now));
            // What was judged without presses is no evidence to pair presses with.
            self.progress.past.clear();
            self.progress.odd_since = None;
        }
    }

    /// Returns whether the clock is heard.
    pub(crate) const fn hears_clock(&self) -> bool {
        self.reporting.clock
    }

    /// Notes that nothing is heard of a clock that runs: it reports its time every second, but on a line whose boards are asked in
    /// turn.
    pub(super) fn note_clock_silence(&mut self, now: Timestamp) {
        let applies = self.running.is_some() && !self.window.gap && !self.reporting.polled;
        let heard = self.displays.latest().filter(|_| applies);
        if heard.is_some_and(|at| now.since(at.max(self.reporting.up_since)) > wait::CLOCK_SILENT) {
            self.set_clock(false, now);
            self.reporting.clock_back_at = Some(Timestamp::MAX);
        }
    }

    /// Returns whether players or arbiter have stopped the clock, and are putting things in order.
    pub(super) const fn is_paused(&self) -> bool {
        self.progress.clocked && self.running.is_none() && self.reporting.clock
    }

    /// Notes since when the board may show what no press will be judged with.
    pub(super) fn plan_search(&mut self, now: Timestamp) {
        let odd = self.window.presses().is_empty()
            && !self.window.gap
            && self.progress.resync_at.is_none()
            && self.progress.shown.coming.is_none()
            // With a clock that is soon over most times, and looked at only if it lasts.
            && (self.reporting.clock || !self.shows_no_more());
        self.progress.odd_since = odd.then(|| self.progress.odd_since.unwrap_or(now));
    }

    /// Returns when that is searched: when the board is quiet, or, without a clock, when hands have been at it for long; but not while kings
    /// may be about to show a result, or pieces may be set up for the next game: no move explains that.
    pub(super) fn search_due(&self) -> Option<Timestamp> {
        let since = self.progress.odd_since?;
        let last = self.window.last_change().unwrap_or(since);
        let quiet = last + self.tuning.scan;
        if self.reporting.clock {
            return Some(quiet + wait::UNPRESSED);
        }
        let due = (quiet + wait::QUIET).min(since + wait::PATIENCE);
        let may_be_over = self.may_report_result() || self.may_be_set_up();
        Some(if may_be_over { due.max(last + wait::HELD) } else { due })
    }

    /// Returns whether more pieces are off the board, or have come to where they stand when a game begins, than hands at play take up and
    /// bring.
    fn may_be_set_up(&self) -> bool {
        let positions = self.shown_positions();
        let Some(position) = positions.last() else { return false };
        let (stood, stands, initial) = (position.board(), self.window.board(), Board::new());
        let pieces = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)));
        let off = |piece: Piece| {
            let expected = stood.by_piece(piece) & !self.faulty_squares();
            expected.count().saturating_sub(stands.by_piece(piece).count())
        };
        let come = differences(stood, stands) & stands.occupied() & !differences(stands, &initial);
        pieces.map(off).sum::<usize>() + come.count() > decision::MOST_HANDLED
    }

    /// Searches when that is due.
    pub(super) fn search_odd(&mut self) {
        if self.reporting.clock {
            self.show_unpressed();
        } else {
            self.search_unpressed();
        }
    }

    /// Shows what was played since the last press, if several plies that keep to the rules explain all that the board shows: hands that
    /// overlap leave no moment in which it shows the first of them, and after a mate nobody presses.
    fn show_unpressed(&mut self) {
        self.progress.odd_since = None;
        let [best] = self.hypotheses.as_slice() else { return };
        // A hand moves one colour's pieces only.
        let odd = differences(best.position.board(), self.window.board()) & !best.faulty;
        let both = Color::ALL.into_iter().all(|side| (odd & self.window.board().by_color(side)).any());
        if !both
            || self.shows_no_more()
            || self.may_report_result()
            || self.reporting.hides_play()
            || self.is_paused() && self.progress.changed_at_rest.any()
        {
            return;
        }
        let found = self.search(&self.window, 0, &self.hypotheses);
        let Some(best) = found.explanations.first().filter(|best| best.is_innocent()) else { return };
        let unseen = cost::UNSEEN_PRESS.saturating_mul(count(best.steps.len()).saturating_sub(1));
        if found.cost() >= decision::TROUBLE + unseen || !self.matches(&best.position) {
            return;
        }
        let other = found.explanations.iter().find(|other| other.position != best.position);
        let most = decision::word(other.map(|other| other.cost - best.cost)).min(Confidence::Likely);
        let shown = best.steps.iter().map(|step| {
            let shown = self.shown_step(step);
            ShownStep { step: HypothesisPly { most, ..shown.step }, ..shown }
        });
        self.progress.shown.made = shown.collect();
        self.publish(Withdrawal::Reconsidered);
    }

    /// Shows the plies that the board has shown exactly, one after the other, before the clock reported that it runs again: some report
    /// seldom.
    pub(super) fn show_made_at_rest(&mut self) {
        let (mut made, mut positions) =
            (self.progress.shown.made.clone(), self.shown_positions().into_owned());
        let (first, hidden) = (made.len(), self.faulty_squares());
        let shown = made.last().map_or(0, |last| last.count);
        for (count, change) in (1..).zip(self.window.changes()).skip(shown) {
            let board = self.window.board_after(count);
            for kept in (first..=made.len()).rev() {
                let Some(position) = positions.get(kept) else { continue };
                let played = exact_match::find(position, &board, hidden).filter(Played::is_legal);
                let stands = (differences(position.board(), &board) & !hidden).is_empty();
                if !stands && played.is_none() {
                    continue;
                }
                let after = played.as_ref().map(|played| played.apply(position));
                let side = position.turn();
                made.truncate(kept);
                positions.truncate(kept + 1);
                positions.extend(after);
                made.extend(played.map(|played| {
                    let (made_at, most) = (change.at, Confidence::Likely);
                    let step = HypothesisPly {
                        played,
                        side,
                        made_at,
                        completed: false,
                        clock: None,
                        inferred: None,
                        most,
                    };
                    ShownStep { step, count }
                }));
                break;
            }
        }
        if made.len() > first && positions.last().is_some_and(|last| self.matches(last)) {
            self.progress.shown.made = made;
            self.publish(Withdrawal::Unfinished);
        }
    }

    /// Returns whether a king stands in the centre where no ply has brought it, or each of them stands there or is in a hand.
    fn may_report_result(&self) -> bool {
        let (board, hidden) = (self.window.board(), self.faulty_squares());
        let expected = |side| self.hypotheses.first().and_then(|best| best.position.board().king_of(side));
        let put_there = |side| {
            board.king_of(side).is_some_and(|king| CENTRE.contains(king) && expected(side) != Some(king))
        };
        let applies = |side| match board.king_of(side) {
            Some(king) => CENTRE.contains(king),
            None => expected(side).is_some_and(|king| !hidden.contains(king)),
        };
        Color::ALL.into_iter().any(put_there) || Color::ALL.into_iter().all(applies)
    }

    /// Searches for what was played since the last ply that counts as completed.
    pub(super) fn search_unpressed(&mut self) {
        self.progress.odd_since = None;
        let mut found = self.search_widely(0);
        if let Some(last) = self.progress.shown.made.last() {
            let has_it = |step: &ExplainedPly| step.played == last.step.played;
            found.charge(
                |explanation| {
                    if explanation.steps.iter().any(has_it) { 0 } else { cost::SHOWN_AND_GONE }
                },
            );
        }
        let Some((best, origin)) = found.best() else { return };
        if origin == Origin::Hypothesis(0) && self.is_reported(best) {
            return;
        }
        let cost = found.cost();
        if cost >= decision::TROUBLE {
            // Kings that show a result explain themselves in a moment; what play there was is plain when it has gone on.
            if best.steps.len() <= decision::MOST_SHOWN_UNCLOCKED || self.rejudge(cost, 0, 0) {
                return;
            }
        }
        if cost < decision::HOPELESS {
            self.adopt(&found, 0);
        } else if self.window.changes().len() >= effort::WINDOW / 2 {
            self.lose_track(0);
        }
    }

    /// Returns whether an explanation says no more than what is reported of the board already.
    fn is_reported(&self, explanation: &Explanation) -> bool {
        let shown = self.progress.shown.made.iter().map(|ShownStep { step, .. }| &step.played);
        explanation.steps.len() < decision::MOST_SHOWN_UNCLOCKED
            && explanation.steps.iter().map(|step| &step.played).eq(shown)
    }
}
