//! How sure an offence can be: on this line, on this board, after what has happened in this game.

use shakmaty::{Bitboard, Board, Color, Square};

use super::search::Findings;
use crate::{
    alert::Confidence,
    fact::{Change, Reason},
    game::{Irregular, Played},
    model::{decision, effort, hands, wait},
    position::{Position, differences},
    tracker::{
        Tracker, cost,
        evidence::ExplainedPly,
        explain::Explanation,
        offence,
        press::Outcome,
        window::{self, Press},
    },
};

impl Tracker {
    /// Notes what an explanation costs beyond the price of its offences: what is too unlikely is not what happened.
    pub(super) fn note_strain(&mut self, best: &Explanation) {
        let irregular = best.steps.iter().filter(|step| !step.played.is_legal()).count();
        let unmade = |outcome: &&Outcome| matches!(outcome, Outcome::Nothing | Outcome::InTheAir(_));
        let offences = irregular + best.outcomes.iter().filter(unmade).count();
        let price = cost::ILLEGAL.saturating_mul(u32::try_from(offences).unwrap_or(u32::MAX));
        match best.cost.saturating_sub(price) {
            0 => self.relieve(),
            strain => self.progress.strain = self.progress.strain.saturating_add(strain),
        }
    }

    /// Notes a ply that the board showed exactly.
    pub(super) const fn relieve(&mut self) {
        self.progress.strain = self.progress.strain.saturating_sub(decision::RELIEF);
    }

    /// Tells whether the best explanation has a move that may have been a legal one with another bit in its report, on a line that has
    /// lately damaged something.
    pub(super) fn may_be_misread(&self, found: &Findings, press: Press) -> bool {
        let best = found.best().filter(|_| self.reporting.was_damaged_before(press.at));
        let start = best.and_then(|(best, origin)| Some((best, self.start_of(origin)?)));
        let Some((best, (_, mut position, _))) = start else { return false };
        best.steps.iter().any(|step| {
            let misread = matches!(step.played, Played::Irregular(ref played) if offence::may_be_misread(&position, played));
            position = step.played.apply(&position);
            misread
        })
    }

    /// Returns how sure an offence can be on this line and this board, if what was seen makes it as sure as `guilt`.
    pub(in crate::tracker) fn most_sure(
        &self,
        before: &Position,
        press: Press,
        guilt: Confidence,
    ) -> Confidence {
        // Nobody is accused of what follows from moves that nobody saw.
        if self.is_open() || self.reporting.hides_play() || self.progress.strain >= decision::STRAINED {
            return Confidence::Possible;
        }
        let sound = self.is_sound(press);
        let told_twice = self.is_told_twice(before, press);
        // Damage that leaves a message in its form is not noticed; where dumps come, one tells.
        let dumped_lately = press.at.since(self.reporting.dumped_at) < wait::DUMPS_COME;
        let most = match (self.reporting.damage, guilt) {
            _ if (self.reporting.loud && dumped_lately || self.reporting.lies) && !told_twice => {
                Confidence::Possible
            }
            _ if told_twice || self.reporting.damage == 0 => {
                if sound && (told_twice || !self.reporting.was_damaged_before(press.at)) {
                    Confidence::Certain
                } else {
                    Confidence::Likely
                }
            }
            (1, Confidence::Certain | Confidence::Likely) | (_, Confidence::Certain)
                if !self.reporting.loud =>
            {
                Confidence::Likely
            }
            _ => Confidence::Possible,
        };
        most.min(self.progress.trust.most_of_offence())
    }

    /// Tells whether nothing is known against the board, and everything was seen.
    fn is_sound(&self, press: Press) -> bool {
        // Of a press that only the increment tells nobody knows what stood on the board then.
        press.seen
            && !self.reporting.loud
            && !self.sensor_faults.is_late()
            && !self.sensor_faults.loses_updates()
            && !self.sensor_faults.loses_more_than_a_sound_one()
            // What came to a square that lies, or left it, was not seen.
            && self.faulty_squares().is_empty()
            && !self.has_inferred_lately()
    }

    /// Returns how sure it can be that a press completed nothing, on a board that may not have reported either end of a
    /// move.
    pub(in crate::tracker) fn most_sure_of_nothing(
        &self,
        before: &Position,
        press: Press,
        known: Bitboard,
    ) -> Confidence {
        // A man has come to where it did not stand: something was moved.
        let count = self.window.count_until(press.at + self.patience());
        let shown = self.window.board_after(count);
        if (shown.by_color(press.side) & !before.board().by_color(press.side) & !known).any() {
            return Confidence::Possible;
        }
        if self.may_be_a_bounce(press) {
            return Confidence::Possible;
        }
        // A dump after the press tells that nothing has changed.
        if self.is_confirmed(press) {
            return Confidence::Certain;
        }
        let unseen = 2 * self.sensor_faults.cost_of_loss();
        decision::word(Some(unseen.saturating_sub(cost::NULL_PRESS))).min(Confidence::Likely)
    }

    /// Returns how sure it can be that a press completed nothing where nobody saw its side press for the ply before the opponent's last one,
    /// and the opponent pressed for that: it may be for the former (Art. 6.2.2). The last of the plies has this number; those after `base`
    /// are the explanation's.
    pub(super) fn most_sure_where_unpressed(
        &self,
        side: Color,
        best: &Explanation,
        base: u32,
        number: u32,
    ) -> Confidence {
        let is_pressed = |number: u32| {
            if let Some(index) = number.checked_sub(base + 1) {
                let index = usize::try_from(index).ok()?;
                return best
                    .steps
                    .get(index)
                    .map(|step| (step.side, best.outcomes.contains(&Outcome::Ply(index))));
            }
            let ply = self.game.as_ref()?.ply(number).filter(|ply| ply.inferred.is_none())?;
            Some((ply.side, ply.clock.is_some()))
        };
        let owed = number.checked_sub(1).and_then(is_pressed) == Some((side, false));
        if owed && is_pressed(number) == Some((!side, true)) {
            Confidence::Possible
        } else {
            Confidence::Certain
        }
    }

    /// Tells whether a press follows one of the opponent's sooner than a hand does: his lever has not stayed down.
    fn may_be_a_bounce(&self, press: Press) -> bool {
        let mut earlier = self.progress.pressed_last.iter().chain(self.window.presses());
        let before = earlier.rfind(|other| other.side != press.side && other.at <= press.at);
        before.is_some_and(|before| press.at.since(before.at) < wait::BOUNCE)
    }

    /// Returns how sure it can be that a step is an offence where squares read otherwise than the position says, as it
    /// may be the position that is wrong.
    pub(super) fn most_sure_where_read_otherwise(
        &self,
        before: &Position,
        press: Press,
        known: Bitboard,
        step: Option<&ExplainedPly>,
    ) -> Confidence {
        let shown = self.window.base();
        let Some(ExplainedPly { played: Played::Irregular(irregular), .. }) = step else {
            return Confidence::Certain;
        };
        // A square that was held to lie, and to which a piece has come after all, has told before that nothing stood there.
        let contested = known.with(irregular.to) & differences(before.board(), shown);
        let misread = self.reporting.was_damaged_before(press.at)
            && offence::may_be_misread(before, irregular)
            && !self.is_told_twice(before, press);
        // What stood so before the opponent moved was not all done in this turn.
        let done_before = differences(before.board(), shown) & differences(before.board(), &irregular.board);
        // A man that had moved by then, and may have, was moved between two presses that fell between two readings of the clock.
        let moved_before = has_moved_legally(before, shown, done_before);
        let hidden = !self.displays.adds_time()
            && moved_before.is_some_and(|to| self.may_be_hidden(before, to, known));
        // Who captures an own piece did not see it, or the position is wrong.
        let captures_own = offence::captures_own(before, irregular);
        let is_doubtful = captures_own && !self.is_sound(press);
        let gone = offence::gone(before, irregular).saturating_sub(u32::from(captures_own));
        // Nobody is accused of what was done while nobody saw it, or while the clock stood still.
        let changed = self.progress.changed_unseen | self.progress.changed_at_rest;
        let unseen = (differences(before.board(), &irregular.board) & changed).any();
        let restored = self.are_restored(done_before & !known, &irregular.board)
            || is_legal_from_elsewhere(before, irregular, shown);
        // Where a square that has worked does not show the man that is said to have left it, the position may be wrong.
        let came_unseen = known.contains(irregular.from)
            && (self.seen_squares.contains(irregular.from)
                || self.may_come_from_elsewhere(before, irregular, known));
        // A man of the opponent's that stands elsewhere beside two of the mover's own was moved by himself, in a ply that is missing.
        let theirs = irregular.board.by_color(!before.turn()) & !before.board().by_color(!before.turn());
        let both = theirs.any() && offence::reason(before, irregular) == Reason::TwoMoves;
        if self.progress.trust.most_of_irregular_ply() == Confidence::Possible
            || is_doubtful
            || both
            || misread
            || hidden
            || came_unseen
            || unseen
            || restored
            || gone > 1
            || self.displaced(before, irregular, known).is_some()
            || !offence::is_work_of_hands(before, irregular)
            || !before.has_possible_material()
        {
            return Confidence::Possible;
        }
        if contested.is_empty() {
            // A man of the opponent's may have been moved by himself, out of turn.
            let own = before.board().color_at(irregular.from) == Some(before.turn());
            let knocked = self.are_knocked_over(before, known);
            let sure = gone == 0 && done_before.is_empty() && !knocked && own;
            return if sure { Confidence::Certain } else { Confidence::Likely };
        }
        if is_legal_as_read(before, irregular, contested, shown) {
            Confidence::Possible
        } else {
            Confidence::Likely
        }
    }

    /// Returns how sure it can be that a step was an offence at the press: what only a dump has told since may have come later.
    pub(super) fn most_sure_of_told_later(&self, press: Press, step: Option<&ExplainedPly>) -> Confidence {
        let Some(ExplainedPly { played: Played::Irregular(irregular), .. }) = step else {
            return Confidence::Certain;
        };
        let ends = Bitboard::from(irregular.from) | Bitboard::from(irregular.to);
        let later = self.window.changes().iter().filter(|change| change.dumped && change.at > press.at);
        let expected = self.reporting.updates && !self.window.gap;
        if expected && later.into_iter().any(|change| ends.contains(change.square)) {
            Confidence::Likely
        } else {
            Confidence::Certain
        }
    }

    /// Tells whether squares show what stood on them in an earlier position: moves were taken back by consent.
    fn are_restored(&self, squares: Bitboard, shown: &Board) -> bool {
        let stood = |position: &Position| {
            squares.into_iter().all(|square| position.board().piece_at(square) == shown.piece_at(square))
        };
        squares.any() && self.earlier_positions(effort::MOST_BACK).iter().any(|(_, position)| stood(position))
    }

    /// Tells whether more of the mover's men were in the air at once than a move takes off their squares: some were knocked over (Art. 7.4).
    fn are_knocked_over(&self, before: &Position, known: Bitboard) -> bool {
        self.window.most_in_the_air(before.board(), before.turn(), known) > hands::BOTH
    }

    /// Returns the squares of men that were put back wrongly beside a legal move.
    pub(super) fn displaced(
        &self,
        before: &Position,
        played: &Irregular,
        known: Bitboard,
    ) -> Option<Bitboard> {
        offence::displaced(before, played, self.are_knocked_over(before, known))
    }

    /// Tells whether a man of the side to move may have come to a square, in the window that was judged last, just after a ply of the
    /// opponent's, so that the clock could hide both presses, or as one of several that had been knocked over.
    fn may_be_hidden(&self, before: &Position, to: Square, known: Bitboard) -> bool {
        let us = before.turn();
        let Some(past) = self.progress.past.last() else { return true };
        let changes = past.window.changes();
        let came = |change: &Change| change.square == to && change.is.is_some();
        // Nobody saw it come.
        let Some(index) = changes.iter().rposition(came) else { return true };
        let Some((came, earlier)) = changes.get(..=index).and_then(<[Change]>::split_last) else {
            return true;
        };
        let theirs = |change: &Change| change.is.or(change.was).is_some_and(|man| man.color != us);
        let just_before = |change: &Change| came.at.since(change.at) <= wait::HIDDEN_PRESSES;
        let men = past.hypothesis.position.board().by_color(us) & !known;
        let off = men & !past.window.board_after(index).occupied();
        came.dumped || off.count() > 1 || earlier.iter().any(|change| theirs(change) && just_before(change))
    }

    /// Tells whether a piece that was not seen to stand where it is said to come from may have come from another square that shows
    /// nothing, by the rules.
    fn may_come_from_elsewhere(&self, before: &Position, irregular: &Irregular, known: Bitboard) -> bool {
        let shown = self.window.base();
        let Some(piece) = before.board().piece_at(irregular.from) else { return false };
        if shown.piece_at(irregular.from) == Some(piece) {
            return false;
        }
        // What reports to be empty where nothing was shown has been left by something.
        let left = self.window.changes().iter().filter(|change| change.was.is_none() && change.is.is_none());
        let left = left.fold(Bitboard::EMPTY, |left, change| left.with(change.square));
        let others = (known | left | !self.seen_squares) & !shown.occupied() & !before.board().occupied();
        others.into_iter().any(|square| {
            let mut board = before.board().clone();
            window::set(&mut board, irregular.from, None);
            window::set(&mut board, square, Some(piece));
            before.with_board(board).find(square, irregular.to, irregular.promotion).is_some()
        })
    }

    /// Tells whether a position rests on moves that nobody saw, and is not what the board shows: a piece was in the hand when
    /// the board was heard of again, or other moves were made. A square that shows nothing where it is `known` to lie says
    /// nothing against it.
    pub(super) fn is_contested(&self, position: &Position, known: Bitboard) -> bool {
        let shown = self.window.base();
        let odd = differences(position.board(), shown);
        (odd & (!known | shown.occupied())).any() && self.has_inferred_lately()
    }

    /// Tells whether one of the last plies was made while nobody saw it: another one may have been.
    fn has_inferred_lately(&self) -> bool {
        let plies = self.game.iter().flat_map(|game| game.plies().iter().rev().take(decision::LATELY));
        plies.into_iter().any(|ply| ply.inferred.is_some())
    }

    /// Tells whether a dump after the press has told once more what stands on the board.
    pub(super) fn is_told_twice(&self, before: &Position, press: Press) -> bool {
        let changes = self.window.changes();
        let odd = differences(before.board(), self.window.board());
        let last = |square| changes.iter().rfind(|change| change.square == square);
        self.reporting.dumped_at >= press.at
            && odd
                .into_iter()
                .all(|square| last(square).is_none_or(|change| change.at < self.reporting.dumped_at))
    }

    /// Tells whether a press for nothing needs no dump to be believed: one has come, no changes are to be expected, or the
    /// board has long lost none and is asked for no dumps.
    pub(super) fn is_confirmed(&self, press: Press) -> bool {
        self.reporting.is_polled_by_dumps()
            || self.reporting.dumped_at >= press.at
            || self.sensor_faults.is_proven() && !self.reporting.dumps_come
    }
}

/// Returns the square to which a man has moved if what a board shows on some squares is a legal move.
fn has_moved_legally(before: &Position, shown: &Board, squares: Bitboard) -> Option<Square> {
    let gone = squares & before.board().by_color(before.turn()) & !shown.by_color(before.turn());
    let come = squares & shown.by_color(before.turn());
    gone.into_iter().find_map(|from| {
        let fits = |to: &Square| shown.piece_at(*to) == before.board().piece_at(from);
        come.into_iter().filter(fits).find(|to| before.find(from, *to, None).is_some())
    })
}

/// Tells whether the man that an irregular ply has moved stood elsewhere before, and went on from there as the rules allow: what broke them
/// was done earlier.
fn is_legal_from_elsewhere(before: &Position, irregular: &Irregular, shown: &Board) -> bool {
    let Some(man) = before.board().piece_at(irregular.from) else { return false };
    if shown.piece_at(irregular.from) == Some(man) {
        return false;
    }
    let elsewhere = shown.by_piece(man) & !before.board().by_piece(man) & !irregular.board.by_piece(man);
    let read = before.with_board(shown.clone());
    elsewhere.into_iter().any(|square| read.find(square, irregular.to, irregular.promotion).is_some())
}

/// Tells whether an irregular ply would be legal if contested squares were as the board shows them, or if what has come to them unseen
/// had left the square of a twin that shows it still.
fn is_legal_as_read(before: &Position, irregular: &Irregular, contested: Bitboard, shown: &Board) -> bool {
    let mut read = before.board().clone();
    for square in contested {
        window::set(&mut read, square, shown.piece_at(square));
    }
    let without = |square: Square| {
        let mut board = read.clone();
        window::set(&mut board, square, None);
        board
    };
    let come = contested.into_iter().filter_map(|square| shown.piece_at(square));
    let twins = come.fold(Bitboard::EMPTY, |twins, piece| twins | before.board().by_piece(piece));
    let twins = twins & shown.occupied() & !contested & !Bitboard::from(irregular.from);
    let mut boards = std::iter::once(read.clone()).chain(twins.into_iter().map(without));
    boards.any(|board| {
        before.with_board(board).find(irregular.from, irregular.to, irregular.promotion).is_some()
    })
}
