//! How sure an offence can be: on this line, on this board, after what has happened in this game.

use shakmaty::{Bitboard, Board, Color, Move, Square};

use super::search::Findings;
use crate::{
    alert::Confidence,
    fact::{Change, Reason},
    game::{Game, Irregular, Played, Ply},
    model::{decision, wait},
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
    pub(super) fn note_residual_cost(&mut self, best: &Explanation) {
        let irregular = best.steps.iter().filter(|step| !step.played.is_legal()).count();
        let unmade = |outcome: &&Outcome| matches!(outcome, Outcome::Nothing | Outcome::InTheAir(_));
        let offences = irregular + best.outcomes.iter().filter(unmade).count();
        let price = cost::ILLEGAL.saturating_mul(u32::try_from(offences).unwrap_or(u32::MAX));
        // A piece that was seen to be taken up is off the board, and no sign of play that was read wrongly.
        let taken_up = |square: &Square| {
            let piece = best.position.board().piece_at(*square);
            piece.is_some_and(|piece| self.window.taken_up(*square, piece, usize::MAX).is_some())
        };
        let off = best.faulty.into_iter().filter(taken_up).count();
        let price = price + cost::ADJUSTED_FIRST.saturating_mul(u32::try_from(off).unwrap_or(u32::MAX));
        match best.cost.saturating_sub(price) {
            0 => self.decay(),
            residual_cost => {
                self.progress.residual_cost = self.progress.residual_cost.saturating_add(residual_cost);
            }
        }
    }

    /// Notes a ply that the board showed exactly.
    pub(super) const fn decay(&mut self) {
        self.progress.residual_cost = self.progress.residual_cost.saturating_sub(decision::RESIDUAL_DECAY);
    }

    /// Returns whether the best explanation has a move that may have been a legal one with another bit in its report, on a line that has
    /// lately damaged something.
    pub(super) fn may_be_misread(&self, found: &Findings, press: Press) -> bool {
        let best = found.best().filter(|_| self.reporting.was_damaged_before(press.at));
        let start = best.and_then(|(best, origin)| Some((best, self.start_of(origin)?)));
        let Some((best, (_, mut position, _))) = start else { return false };
        best.steps.iter().any(|step| {
            let misread = matches!(step.played, Played::Irregular(ref played)
                if offence::may_be_misread(&position, played) && !self.has_left(played));
            position = step.played.apply(&position);
            misread
        })
    }

    /// Returns whether the board has also reported that the piece of an irregular ply has left its square: damage would have had to hit the
    /// same bit of two reports.
    pub(super) fn has_left(&self, irregular: &Irregular) -> bool {
        let piece = irregular.board.piece_at(irregular.to);
        let departure = |change: &Change| change.was == piece && change.is.is_none() && !change.dumped;
        piece.is_some() && self.window.first_of(irregular.to, 0, departure).is_some()
    }

    /// Returns how sure an offence can be on this line and this board, if what was seen makes it as sure as `offence_confidence`.
    pub(in crate::tracker) fn most_sure(
        &self,
        before: &Position,
        press: Press,
        offence_confidence: Confidence,
    ) -> Confidence {
        if self.has_high_residual() {
            Confidence::Possible
        } else {
            self.most_sure_at_ease(before, press, offence_confidence)
        }
    }

    /// Returns whether the last plies cost so much to explain that nobody is accused on the position that they lead to, unless a decoder that
    /// begins before them says so, too.
    pub(super) const fn has_high_residual(&self) -> bool {
        self.progress.residual_cost >= decision::HIGH_RESIDUAL
    }

    /// Returns how sure an offence can be on this line and this board, whatever the plies before it cost.
    pub(super) fn most_sure_at_ease(
        &self,
        before: &Position,
        press: Press,
        offence_confidence: Confidence,
    ) -> Confidence {
        // Nobody is accused of what follows from moves that nobody saw.
        if self.is_open() || self.reporting.hides_play() {
            return Confidence::Possible;
        }
        let sound = self.is_sound(press);
        let confirmed = self.is_confirmed_by_dump(before, press);
        // Damage that leaves a message in its form is not noticed; where dumps come, one shows it.
        let dumped_lately = press.at.since(self.reporting.dumped_at) < wait::DUMPS_COME;
        let most = match (self.reporting.damage, offence_confidence) {
            _ if (self.reporting.noisy && dumped_lately || self.reporting.corrupted) && !confirmed => {
                Confidence::Possible
            }
            _ if confirmed || self.reporting.damage == 0 => {
                if sound && (confirmed || !self.reporting.was_damaged_before(press.at)) {
                    Confidence::Certain
                } else {
                    Confidence::Likely
                }
            }
            (1, Confidence::Certain | Confidence::Likely) | (_, Confidence::Certain)
                if !self.reporting.noisy =>
            {
                Confidence::Likely
            }
            _ => Confidence::Possible,
        };
        let most = most.min(self.progress.trust.most_of_offence());
        if self.is_order_known(press) { most } else { most.min(Confidence::Likely) }
    }

    /// Returns whether it is known in which order things happened before a press: of what the first dump after an outage has shown nobody
    /// knows when it was done. A log has no dates, holds presses behind the first pieces that the opponent has taken up since, and leaves out
    /// what stood for a moment only.
    fn is_order_known(&self, press: Press) -> bool {
        let reporting = &self.reporting;
        let is_unheard = |change: &Change| change.dumped && change.at == reporting.up_since;
        press.at > reporting.logged_at && !self.window.changes().iter().any(is_unheard)
    }

    /// Returns how sure it can be that a press completed a legal move to this position. What no lawful play leads to is more likely to be
    /// read wrongly: it is no surer than the offences that have led there.
    pub(super) fn most_sure_of_legal(&self, before: &Position, after: &Position, press: Press) -> Confidence {
        let most = self.progress.trust.most_of_position();
        if after.lawful().is_some() {
            return most;
        }
        let plies = self.game.iter().flat_map(Game::plies).rev().take(decision::LATELY);
        let offences = plies.filter(|ply| ply.is_illegal()).map(|ply| ply.confidence);
        let most = offences.fold(most, Confidence::min);
        most.min(self.most_sure(before, press, Confidence::Certain))
            .min(self.progress.trust.most_of_irregular_ply())
    }

    /// Returns whether nothing is known against the board, and everything was seen.
    pub(super) fn is_sound(&self, press: Press) -> bool {
        // Of a press that only the increment shows nobody knows what stood on the board then.
        press.seen
            && !self.reporting.noisy
            && self.sensor_faults.reports_all()
            // What came to a square that is faulty, or left it, was not seen.
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
        // A piece has come to where it did not stand: something was moved.
        let count = self.window.count_until(press.at + self.patience());
        let shown = self.window.board_after(count);
        let come = |shown: &Board| {
            (shown.by_color(press.side) & !before.board().by_color(press.side) & !known).any()
        };
        // Where only dumps show it, the last one before the press may have: it may have been taken back since.
        let was_shown = || come(&self.window.board_after(self.window.count_until(press.at)));
        if come(&shown) || self.reporting.is_polled_by_dumps() && was_shown() {
            return Confidence::Possible;
        }
        // After a ply that breaks the rules and accuses nobody it is not known whose turn it is.
        let last = self.game.as_ref().and_then(|game| game.plies().last());
        let is_open = last.is_some_and(|ply| !ply.is_legal() && ply.confidence == Confidence::Possible);
        if is_open
            || self.may_be_a_bounce(press)
            || self.is_knocked(press)
            || self.may_move_unseen(before, press.side, &shown)
            || self.is_being_taken_back(before, press)
        {
            return Confidence::Possible;
        }
        // A dump after the press shows that nothing has changed.
        if self.is_confirmed(press) {
            return Confidence::Certain;
        }
        let unseen = 2 * self.sensor_faults.cost_of_loss();
        decision::word(Some(unseen.saturating_sub(cost::NULL_PRESS))).min(Confidence::Likely)
    }

    /// Returns whether the opponent had taken up the piece of his last ply when this side pressed: he may take it back, and the press gives him
    /// his time back.
    fn is_being_taken_back(&self, before: &Position, press: Press) -> bool {
        let Some(last) =
            self.game.as_ref().and_then(|game| game.plies().iter().rev().find(|ply| ply.completed))
        else {
            return false;
        };
        let count = self.window.count_until(press.at);
        last.side != press.side
            && before.board().by_color(last.side).into_iter().any(|square| {
                let piece = before.board().piece_at(square);
                last.played.ends_on(square)
                    && piece.is_some_and(|piece| self.window.taken_up(square, piece, count).is_some())
            })
    }

    /// Returns whether a piece of a side has come to where the board shows nothing, and may have gone on to where it would show nothing either: from
    /// a square that works, and so does not show it for how it stands, to any; from others to one that has never shown anything.
    fn may_move_unseen(&self, before: &Position, side: Color, shown: &Board) -> bool {
        let Some(game) = &self.game else { return false };
        // One that has not moved yet seldom does so just then.
        let come = before.board().by_color(side) & differences(game.start().board(), before.board());
        let hidden = come & !shown.occupied();
        let unseen = |m: &Move| {
            let from = m.from().filter(|from| hidden.contains(*from));
            from.is_some_and(|from| self.seen_squares.contains(from) || !self.seen_squares.contains(m.to()))
        };
        hidden.any() && before.legal_moves().iter().any(unseen)
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

    /// Returns how sure it can be that a press completed nothing where only dumps show what is played, and the opponent's last ply, of this
    /// number, was shown after it: he may have pressed without a move, and made his after this press gave him his time back.
    pub(super) fn most_sure_where_reported_since(&self, press: Press, number: u32) -> Confidence {
        let ply = self.game.as_ref().and_then(|game| game.ply(number));
        let reported_since = ply.is_some_and(|ply| ply.side != press.side && ply.made_at > press.at);
        if reported_since && self.reporting.is_polled_by_dumps() {
            Confidence::Possible
        } else {
            Confidence::Certain
        }
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
        // What stood so before the opponent moved was not all done in this turn.
        let done_before = differences(before.board(), shown) & differences(before.board(), &irregular.board);
        if self.progress.trust.most_of_irregular_ply() == Confidence::Possible
            || self.is_excused(before, irregular, press, known, done_before)
        {
            return Confidence::Possible;
        }
        // A square that was held to be faulty, and to which a piece has come after all, has shown before that nothing stood there.
        let contested = known.with(irregular.to) & differences(before.board(), shown);
        if contested.is_empty() {
            // A piece of the opponent's may have been moved by himself, out of turn.
            let own = before.board().color_at(irregular.from) == Some(before.turn());
            let knocked = self.are_knocked_over(before, known);
            let sure = offence::gone(before, irregular) == 0
                && done_before.is_empty()
                && !knocked
                && own
                && !self.may_have_come_elsewhere(before, irregular);
            return if sure { Confidence::Certain } else { Confidence::Likely };
        }
        if is_legal_as_read(before, irregular, contested, shown) {
            Confidence::Possible
        } else {
            Confidence::Likely
        }
    }

    /// Returns whether a piece is said to have come upon another one, which was not seen to leave, and one other bit in the number of the field
    /// would make a legal move of it: damage that leaves a message in its form is not noticed before something contradicts it.
    fn may_have_come_elsewhere(&self, before: &Position, irregular: &Irregular) -> bool {
        let Some(piece) = irregular.board.piece_at(irregular.to) else { return false };
        let came = self.window.first_of(irregular.to, 0, |change| change.is == Some(piece));
        // Two squares of the king are no damage.
        let castles = || matches!(offence::reason(before, irregular), Reason::Castling { .. });
        came.is_some_and(|(_, came)| came.was.is_some())
            && offence::may_be_misread(before, irregular)
            && !castles()
    }

    /// Returns how sure it can be that a ply of this number breaks the rules, after others of its side that did and stood: it is more likely
    /// that the position is wrong than that the opponent let several pass, above all where a king seems to stay in check. A dump that has
    /// shown the position shows that it is not.
    pub(super) fn most_sure_after_others(
        &self,
        before: &Position,
        number: u32,
        step: Option<&ExplainedPly>,
    ) -> Confidence {
        let Some(ExplainedPly { played: Played::Irregular(irregular), side, .. }) = step else {
            return Confidence::Certain;
        };
        // A position is no surer than the offence that led to it.
        let mut lately = self.not_shown_by_dump(number.saturating_sub(1)).peekable();
        let before_it = lately.peek().filter(|ply| ply.is_illegal());
        let led_to = before_it.map_or(Confidence::Certain, |ply| ply.confidence);
        let stood = lately.filter(|ply| ply.side == *side && ply.is_illegal()).count();
        let in_check = matches!(offence::reason(before, irregular), Reason::KingInCheck { .. });
        let most = match stood.saturating_sub(if in_check { 0 } else { decision::MOST_STANDING }) {
            0 => Confidence::Certain,
            1 => Confidence::Likely,
            _ => Confidence::Possible,
        };
        most.min(led_to)
    }

    /// Returns how sure it can be that a step was an offence at the press: what only a dump has shown since may have come later.
    pub(super) fn most_sure_of_reported_later(
        &self,
        press: Press,
        step: Option<&ExplainedPly>,
    ) -> Confidence {
        let Some(ExplainedPly { played: Played::Irregular(irregular), .. }) = step else {
            return Confidence::Certain;
        };
        let ends = Bitboard::from(irregular.from) | Bitboard::from(irregular.to);
        let later = self.window.changes().iter().filter(|change| change.dumped && change.at > press.at);
        let expected = self.reporting.updates && !self.window.gap;
        let reported_later = expected && later.into_iter().any(|change| ends.contains(change.square));
        if reported_later || (ends & self.progress.put_down_unseen).any() {
            Confidence::Likely
        } else {
            Confidence::Certain
        }
    }

    /// Returns whether a position rests on moves that nobody saw, and is not what the board shows: a piece was in the hand when
    /// the board was heard of again, or other moves were made. A square that shows nothing where it is `known` to be faulty says
    /// nothing against it.
    pub(super) fn is_contested(&self, position: &Position, known: Bitboard) -> bool {
        let shown = self.window.base();
        let odd = differences(position.board(), shown);
        (odd & (!known | shown.occupied())).any() && self.has_inferred_lately()
    }

    /// Returns whether one of the last plies was made while nobody saw it, and no dump has shown the position since: another one may have been.
    fn has_inferred_lately(&self) -> bool {
        self.not_shown_by_dump(u32::MAX).any(|ply| ply.inferred.is_some())
    }

    /// Returns the last of so many plies, the latest first, but for those after which a dump has shown the position.
    pub(super) fn not_shown_by_dump(&self, plies: u32) -> impl Iterator<Item = &Ply> {
        let index = |plies| usize::try_from(plies).unwrap_or(usize::MAX);
        let (end, shown) = (index(plies), index(self.progress.shown_by_dump));
        let plies = self.game.iter().flat_map(move |game| game.plies().iter().take(end).skip(shown));
        plies.rev().take(decision::LATELY)
    }

    /// Returns whether a dump after the press has shown once more what stands on the board.
    pub(super) fn is_confirmed_by_dump(&self, before: &Position, press: Press) -> bool {
        let changes = self.window.changes();
        let odd = differences(before.board(), self.window.board());
        let last = |square| changes.iter().rfind(|change| change.square == square);
        self.reporting.dumped_at >= press.at
            && odd
                .into_iter()
                .all(|square| last(square).is_none_or(|change| change.at < self.reporting.dumped_at))
    }

    /// Returns whether a press for nothing needs no dump to be believed: one has come, no changes are to be expected, or the
    /// board has long lost none and is asked for no dumps.
    pub(super) fn is_confirmed(&self, press: Press) -> bool {
        self.reporting.is_polled_by_dumps()
            || self.reporting.dumped_at >= press.at
            || self.sensor_faults.is_proven() && !self.reporting.dumps_come
    }
}

/// Returns whether an irregular ply would be legal if contested squares were as the board shows them, or if what has come to them unseen
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
