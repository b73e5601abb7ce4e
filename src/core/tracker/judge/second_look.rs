//! Judges again what was judged before, where later evidence contradicts it.

use shakmaty::{Bitboard, Move, Role, Square};

use super::{Findings, Origin};
use crate::{
    fact::Change,
    game::Played,
    model::{decision, wait},
    position::differences,
    tracker::{
        Tracker, cost, evidence::ExplainedPly, explain::Explanation, hypothesis::Hypothesis, window::Window,
    },
};

impl Tracker {
    /// Asks whether the evidence judged before, taken together with the present, has another story; one in which a ply was taken
    /// back may cost more by `excuse`.
    pub(in crate::tracker) fn rejudge(&mut self, cost: u32, excuse: u32, mut ripe: usize) -> bool {
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
            let taken_back = (index + 1 == self.progress.past.len())
                .then(|| self.search_taken_back(worth + excuse, &window, ripe, past))
                .flatten();
            let root = std::slice::from_ref(&past.hypothesis);
            let better = |best: &Explanation| {
                // A ply that the board showed exactly is not withdrawn to excuse the next one.
                let lead = if self.withdraws_exact_ply(best, index) { decision::SHOWN_EXACTLY } else { 0 };
                best.cost < worth.min(cost.saturating_sub(lead))
                    && best.is_innocent()
                    && !self.denies_piece_that_stood(best, index, &window)
            };
            let found = taken_back.or_else(|| {
                let found = self.search_below(worth, &window, ripe, root)?;
                found.explanations.first().is_some_and(better).then_some(found)
            });
            if let Some(found) = found {
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

    /// Judges the last press again if the piece of its ply goes on to another square, as its player may have slid it over the first one: the press
    /// was reported while it was on its way.
    pub(in crate::tracker) fn note_slid_on(&mut self, change: Change) {
        let (Some(past), Some(game)) = (self.progress.past.last(), &self.game) else { return };
        let ([press], Some(piece)) = (past.window.presses(), change.is) else { return };
        let ply = game.ply(past.plies() + 1).filter(|ply| ply.completed && game.len() == past.plies() + 1);
        let Some(Played::Legal(Move::Normal { from, to, promotion: None, .. })) = ply.map(|ply| &ply.played)
        else {
            return;
        };
        let position = &past.hypothesis.position;
        let lag = self.tuning.measured.unwrap_or(self.tuning.scan) + wait::FIRST_LOOK;
        let departure = self.window.taken_up(*to, piece, usize::MAX);
        if change.dumped
            || past.cost > 0
            || position.board().piece_at(*from) != Some(piece)
            || position.find(*from, change.square, None).is_none()
            || !self.window.presses().is_empty()
            || departure.is_none_or(|departure| {
                departure.at.since(press.at) > lag || change.at.since(departure.at) > lag
            })
        {
            return;
        }
        let Some(past) = self.progress.past.pop() else { return };
        self.window = Window::joined(&past.window, &self.window);
        self.hypotheses = vec![past.hypothesis];
        self.progress.settled = past.settled;
        self.progress.shown.clear();
        self.progress.due = self.first_due();
    }

    /// Returns whether a press without a move, after which the opponent moved on, may have given him his time back: he had put the pieces of
    /// his last ply on their squares again before.
    pub(super) fn may_be_taken_back(&self, found: &Findings) -> bool {
        let Some((_, Origin::Passed(index))) = found.best() else { return false };
        let (Some(game), Some(hypothesis)) = (&self.game, self.hypotheses.get(index)) else { return false };
        let plies = self.progress.plies_of(hypothesis);
        let before = game.position_after(plies.saturating_sub(1));
        let departure =
            before.board().by_color(before.turn()) & differences(before.board(), hypothesis.position.board());
        let displayed = self.window.displayed();
        let stood = |square: Square| {
            let piece = before.board().piece_at(square);
            piece.is_some_and(|piece| displayed.get(piece.color).get(piece.role).contains(square))
        };
        departure.any() && departure.into_iter().all(stood)
    }

    /// Returns whether the present ply goes to a square on which, by another hypothesis than that of the best explanation, the opponent's
    /// last piece has come down unseen: it may have been taken there at once.
    pub(super) fn may_have_been_taken(&self, found: &Findings) -> bool {
        let Some(ExplainedPly { played: Played::Legal(m), side, .. }) =
            found.best().and_then(|(best, _)| best.steps.first())
        else {
            return false;
        };
        let came = |other: &Hypothesis| {
            let piece = other.position.board().piece_at(m.to()).filter(|piece| piece.color != *side);
            piece.is_some() && self.window.base().piece_at(m.to()) != piece
        };
        !m.is_capture() && self.hypotheses.iter().any(came)
    }

    /// Returns whether an explanation of the windows judged last, from one of them on, never has a piece where a ply that the board showed
    /// exactly had put it, although the piece stood there at the press and long after it: no slide and no hand shows that.
    fn denies_piece_that_stood(&self, explanation: &Explanation, from: usize, joined: &Window) -> bool {
        let windows = self.progress.past.get(from..).unwrap_or_default();
        let (Some(game), Some(first)) = (&self.game, windows.first()) else { return false };
        let mut boards = vec![first.hypothesis.position.clone()];
        for step in &explanation.steps {
            boards.extend(boards.last().map(|position| step.played.apply(position)));
        }
        windows.iter().any(|past| {
            let (Some(press), Some(ply)) = (past.window.presses().first(), game.ply(past.plies() + 1)) else {
                return false;
            };
            let to = match &ply.played {
                Played::Legal(Move::Normal { to, .. }) if past.cost == 0 => to,
                // So does an irregular one that was no more than that.
                Played::Irregular(irregular) if past.cost <= cost::ILLEGAL => &irregular.to,
                Played::Legal(_) | Played::Irregular(_) => return false,
            };
            let Some(piece) = game.position_after(past.plies() + 1).board().piece_at(*to) else {
                return false;
            };
            // A pawn that was left on its last rank is replaced there.
            if piece.role == Role::Pawn && Bitboard::BACKRANKS.contains(*to) {
                return false;
            }
            let stood = joined.has_stood_since(*to, piece, press.at, wait::STOOD);
            stood && boards.iter().all(|position| position.board().piece_at(*to) != Some(piece))
        })
    }

    /// Returns whether an explanation of the windows judged last, from one of them on, has something else in the place of a ply that the
    /// board showed exactly.
    fn withdraws_exact_ply(&self, explanation: &Explanation, from: usize) -> bool {
        let windows = self.progress.past.get(from..).unwrap_or_default();
        let (Some(game), Some(first)) = (&self.game, windows.first()) else { return false };
        windows.iter().filter(|past| past.cost == 0).any(|past| {
            let step = usize::try_from(past.plies() - first.plies()).unwrap_or(usize::MAX);
            let reported = game.ply(past.plies() + 1).map(|ply| &ply.played);
            explanation.steps.get(step).map(|step| &step.played) != reported
        })
    }
}
