//! Owns what is known of a stretch in which nothing is heard of the board: what was seen before it, and what shows that nothing was
//! played in it.

use std::time::Duration;

use shakmaty::{Bitboard, Color};

use super::{Tracker, progress::Silence};
use crate::{
    fact::Withdrawal,
    model::{cost, decision, effort, wait},
    position::{self, differences},
    time::Timestamp,
};

impl Tracker {
    /// Handles a time in which nothing was heard of the board.
    pub fn handle_gap(&mut self, now: Timestamp) {
        self.refill(now);
        if self.is_playing() {
            self.judge(now, true);
            self.note_put_right();
            self.fall_silent(now);
            self.window.gap = true;
        }
        self.stop_following(u32::MAX);
    }

    /// Notes that what was played since nothing was heard of the board is reported in its order: nothing is missing.
    pub fn end_gap(&mut self) {
        self.window.gap = false;
        self.progress.silence = None;
        self.progress.resync_at = None;
    }

    /// Returns whether moves that nobody saw are still to be searched.
    #[must_use]
    pub const fn has_unseen_moves(&self) -> bool {
        self.progress.resync_at.is_some()
    }

    /// Goes on as if the board had been heard all the time, if it was not for a moment only and nothing was put down meanwhile, or a piece that
    /// was in the hand before, where no rule lets it go; returns whether it does.
    pub(super) fn end_unmoved_silence(&mut self) -> bool {
        let silence = self.progress.silence.filter(|silence| {
            // What a log has reported just before has no times.
            let heard = !self.reporting.polled && !self.reporting.ignored_timing_at(silence.began);
            heard && self.was_short(*silence)
        });
        let put_down =
            silence.and_then(|silence| self.put_down_since(silence.since, silence.lifted, silence.running?));
        if let Some(square) = put_down {
            self.progress.put_down_unseen |= square;
            self.progress.silence = None;
            self.window.gap = false;
        }
        put_down.is_some()
    }

    /// Returns the square to which a piece has come, or where one has been taken up, if there is one, since the board showed the first `count`
    /// changes and hands had `lifted` these pieces; `None` if more has changed than that and what the side that waited may have taken up.
    fn put_down_since(&self, count: usize, lifted: Bitboard, running: Color) -> Option<Bitboard> {
        let (before, board) = (self.window.board_after(count), self.window.board());
        let changed = differences(&before, board);
        let come = changed & board.by_color(running);
        let taken_up = changed & !come;
        // Who is to move has a piece in the hand, and nothing else has happened.
        let in_hand = taken_up & before.by_color(running) & !board.occupied();
        if come.is_empty() && taken_up == in_hand && in_hand.count() == 1 && lifted.is_empty() {
            return self
                .shown_positions()
                .last()
                .is_some_and(|last| last.turn() == running)
                .then_some(in_hand);
        }
        if (taken_up & (board.occupied() | !before.by_color(!running))).any() || come.count() > 1 {
            return None;
        }
        let Some(to) = come.first() else { return Some(come) };
        let positions = self.shown_positions();
        let (position, piece) = (positions.last()?, board.piece_at(to)?);
        let from = (lifted & position.board().by_piece(piece) & !board.occupied()).single_square()?;
        let legal = position.legal_moves().iter().any(|m| m.from() == Some(from) && m.to() == to);
        (position.turn() == running && !legal).then_some(come)
    }

    /// Notes that nothing is heard of the board any more.
    pub(super) fn fall_silent(&mut self, now: Timestamp) {
        // A move that the board shows exactly has been made, however short the time was to make sure.
        if self.progress.shown.coming.as_ref().is_some_and(|showing| showing.step.is_some()) {
            self.hold();
        }
        let since = self.window.changes().len();
        let before = self.displays.shown();
        self.progress.silence.get_or_insert(Silence {
            since,
            before,
            running: self.running,
            began: before.filter(|_| self.running.is_some()).map_or(now, |(_, at)| at.min(now)),
            dumped: None,
            lifted: self.in_the_air(),
        });
    }

    /// Notes that the first dump after a silence is in; what changes after it was seen.
    pub(super) fn note_first_dump(&mut self) {
        let changes = self.window.changes().len();
        if let Some(silence) = &mut self.progress.silence {
            silence.dumped.get_or_insert(changes);
        }
    }

    /// Returns whether the first dump after a silence shows what the board had shown before.
    pub(super) fn stood_still(&self, silence: Silence) -> bool {
        let dumped = silence.dumped.unwrap_or_else(|| self.window.changes().len());
        self.window.board_after(silence.since) == self.window.board_after(dumped)
    }

    /// Returns whether a silence was so short that nobody has played several moves in it.
    pub(super) fn was_short(&self, silence: Silence) -> bool {
        self.length_of(silence) <= wait::UNHEARD
    }

    /// Returns how long a silence has lasted, at most.
    fn length_of(&self, silence: Silence) -> Duration {
        self.reporting.up_since.since(silence.began)
    }

    /// Returns what it costs to believe in a ply that was made during a silence: the shorter that was, beside the pace of this game, the more
    /// plies are unlikely.
    pub(super) fn price_of_unheard_ply(&self, silence: Silence) -> u32 {
        let rare = |expected: f64| cost::of_one_in(1.0 + expected.max(f64::MIN_POSITIVE).recip());
        self.expected_plies(silence).map_or(cost::UNHEARD, |expected| rare(expected).max(cost::UNHEARD))
    }

    /// Returns whether so many plies in a silence are less likely than one that breaks the rules.
    pub(super) fn is_too_much(&self, plies: usize, silence: Silence) -> bool {
        let plies = f64::from(u32::try_from(plies).unwrap_or(u32::MAX));
        let most = |expected: f64| decision::MOST_IN_SILENCE * (1.0 + expected);
        self.was_short(silence) && self.expected_plies(silence).is_some_and(|expected| plies > most(expected))
    }

    /// Returns how many plies take as long as a silence, at the pace of this game.
    fn expected_plies(&self, silence: Silence) -> Option<f64> {
        let plies = self.game.as_ref()?.plies();
        let last = plies.get(plies.len().saturating_sub(effort::PACE)..)?;
        let [first, .., latest] = last else { return None };
        let took = latest.made_at.since(first.made_at).as_secs_f64().max(1.0);
        Some(self.length_of(silence).as_secs_f64() * f64::from(u32::try_from(last.len() - 1).ok()?) / took)
    }

    /// Removes an irregular ply that was put right before a silence: what nobody sees is played from the position before it.
    fn note_put_right(&mut self) {
        let Some((keep, before)) = self.earlier_positions(1).into_iter().next() else { return };
        let stands = self.hypotheses.first().is_some_and(|best| self.matches(&best.position));
        if self.is_illegal_after(keep, &before) && !stands && self.matches(&before) {
            let paused = self.window.paused;
            self.take_back(keep, if paused { Withdrawal::Reinstated } else { Withdrawal::TakenBack });
        }
    }

    /// Returns whether a piece that came while nothing was heard of the board stands where no ply that has been found has put it.
    pub(super) fn stands_amiss(&self) -> bool {
        let (board, positions) = (self.window.board(), self.shown_positions());
        let odd = positions.last().map(|shown| differences(shown.board(), board) & !self.faulty_squares());
        odd.is_some_and(|odd| (odd & board.occupied() & self.progress.changed_unseen).any())
    }

    /// Returns whether the clock stood before a silence and after it: nobody plays then.
    pub(super) fn was_paused(&self, silence: Silence) -> bool {
        self.is_paused() && silence.running.is_none() && self.displays.stood_since(silence)
    }

    /// Returns how many kings stand in the centre if the board shows what the game has come to beside the kings: they were put there for a
    /// result. No legal move brings both of them there.
    pub(super) fn kings_for_result(&self) -> usize {
        let Some(best) = self.hypotheses.first() else { return 0 };
        let board = self.window.board();
        let (stood, stands) = (position::beside_kings(best.position.board()), position::beside_kings(board));
        let others = differences(&stood, &stands) & !best.faulty;
        if others.any() { 0 } else { (board.kings() & position::CENTRE).count() }
    }
}
