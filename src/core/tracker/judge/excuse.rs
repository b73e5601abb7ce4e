//! What may have happened in place of an illegal move: nobody is accused where it has.

use shakmaty::{Bitboard, Board, Color, Role, Square};

use crate::{
    alert::Confidence,
    fact::{CastlingFault, Change, Reason},
    game::{Game, Irregular, Played, Ply},
    model::{effort, wait},
    position::{Position, differences, has_possible_material},
    time::Timestamp,
    tracker::{
        Tracker,
        evidence::ExplainedPly,
        exact_match, offence,
        window::{self, Press},
    },
};

impl Tracker {
    /// Returns whether what looks like an illegal move may have come about without an offence, or by one that was completed earlier;
    /// `done_before` are the squares that showed it before the opponent's last ply.
    pub(super) fn is_excused(
        &self,
        before: &Position,
        irregular: &Irregular,
        press: Press,
        known: Bitboard,
        done_before: Bitboard,
    ) -> bool {
        let shown = self.window.base();
        // Who captures an own piece did not see it, or the position is wrong.
        let is_doubtful = || offence::captures_own(before, irregular) && !self.is_sound(press);
        // A piece of the opponent's that stands elsewhere beside two of the mover's own was moved by himself, in a ply that is missing.
        let both = || {
            let them = !before.turn();
            (irregular.board.by_color(them) & !before.board().by_color(them)).any()
                && offence::reason(before, irregular) == Reason::TwoMoves
        };
        let misread = || {
            self.reporting.was_damaged_before(press.at)
                && offence::may_be_misread(before, irregular)
                && !self.is_confirmed_by_dump(before, press)
                && !self.has_left(irregular)
        };
        // A piece that had moved by then, and may have, was moved between two presses that fell between two readings of the clock.
        let hidden = || {
            !self.displays.adds_time()
                && has_moved_legally(before, shown, done_before)
                    .is_some_and(|to| self.may_be_hidden(before, to, known))
        };
        // Where a square that has worked does not show the piece that is said to have left it, the position may be wrong.
        let came_unseen = || {
            known.contains(irregular.from)
                && (self.seen_squares.contains(irregular.from)
                    || self.may_come_from_elsewhere(before, irregular, known))
        };
        // Nobody is accused of what was done while nobody saw it, or while the clock stood still.
        let unseen = || {
            let unseen = self.progress.changed_unseen & !self.progress.put_down_unseen;
            let changed = unseen | self.progress.changed_at_rest;
            (differences(before.board(), &irregular.board) & changed).any()
        };
        // King or rook may not have moved before, where nobody saw that they did.
        let may_castle = || {
            let unseen = |ply: &Ply| ply.side == before.turn() && ply.inferred.is_some();
            let moves_either = |ply: &Ply| ply.san.starts_with(['K', 'R', 'O']);
            let mut plies = self.game.iter().flat_map(Game::plies);
            offence::reason(before, irregular) == Reason::Castling { fault: CastlingFault::RightLost }
                && plies.any(|ply| unseen(ply) && moves_either(ply))
        };
        let restored = || {
            self.stood_before(&irregular.board)
                || self.are_restored(done_before & !known, &irregular.board)
                || is_legal_from_elsewhere(before, irregular, shown)
        };
        // More pieces than play can have brought, in a game that did not begin with them.
        let gained = || {
            let began_possibly = || self.game.iter().all(|game| game.start().has_possible_material());
            !before.has_possible_material() && began_possibly()
        };
        is_doubtful()
            || self.may_stand_unread(before, irregular, known)
            || both()
            || misread()
            || offence::is_castling_misread(before, irregular)
            || hidden()
            || self.may_follow_press(before, press, known)
            || came_unseen()
            || unseen()
            || restored()
            || may_castle()
            || offence::gone(before, irregular) > 1
            || self.displaced(before, irregular, known).is_some()
            || !offence::is_work_of_hands(before, irregular)
            || gained()
    }

    /// Returns whether a legal move stood on the board between the last two readings of the clock: if they are far apart, the press may have been
    /// for it, and what came then was done in the opponent's time.
    fn may_follow_press(&self, before: &Position, press: Press, known: Bitboard) -> bool {
        let rare = |up_at: &Timestamp| press.at.since(*up_at) > wait::HIDDEN_PRESSES;
        let Some(up_at) = press.up_at.filter(rare) else { return false };
        let made = |count| exact_match::find(before, &self.window.board_after(count), known);
        let mut counts = self.window.count_until(up_at)..self.window.count_until(press.at);
        counts.any(|count| made(count).is_some_and(|played| played.is_legal()))
    }

    /// Returns whether an irregular ply would be legal if a piece that is not read where it is said to stand had gone to another square, as it may
    /// have when it moved last.
    fn may_stand_unread(&self, before: &Position, irregular: &Irregular, known: Bitboard) -> bool {
        let (shown, Some(game)) = (self.window.base(), &self.game) else { return false };
        let unread = before.board().occupied() & !shown.occupied() & known;
        let empty = !(shown.occupied() | before.board().occupied());
        unread.into_iter().any(|square| {
            let Some(piece) = before.board().piece_at(square) else { return false };
            let came = |ply: &Ply| ply.side == piece.color && ply.played.ends_on(square);
            let Some(index) = game.plies().iter().rposition(came) else { return false };
            let from = game.plies().get(index).and_then(|ply| ply.played.from());
            let goes = |to: Square| {
                let mut board = before.board().clone();
                window::set(&mut board, square, None);
                window::set(&mut board, to, Some(piece));
                let position = before.with_board(board);
                position.find(irregular.from, irregular.to, irregular.promotion).is_some()
            };
            let then = game.position_after(u32::try_from(index).unwrap_or(u32::MAX));
            then.legal_moves().iter().any(|m| m.from() == from && empty.contains(m.to()) && goes(m.to()))
        })
    }

    /// Returns whether all pieces stand as they did before the last two plies or earlier: moves were taken back by consent.
    fn stood_before(&self, shown: &Board) -> bool {
        self.earlier_positions(effort::MOST_BACK)
            .iter()
            .skip(1)
            .any(|(_, position)| position.board() == shown)
    }

    /// Returns whether squares show what stood on them in an earlier position: moves were taken back by consent.
    fn are_restored(&self, squares: Bitboard, shown: &Board) -> bool {
        let stood = |position: &Position| {
            squares.into_iter().all(|square| position.board().piece_at(square) == shown.piece_at(square))
        };
        squares.any() && self.earlier_positions(effort::MOST_BACK).iter().any(|(_, position)| stood(position))
    }

    /// Returns whether a piece of the side to move may have come to a square, in the window that was judged last, just after a ply of the
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
        let theirs = |change: &Change| change.is.or(change.was).is_some_and(|piece| piece.color != us);
        let just_before = |change: &Change| came.at.since(change.at) <= wait::HIDDEN_PRESSES;
        let pieces = past.hypothesis.position.board().by_color(us) & !known;
        let off = pieces & !past.window.board_after(index).occupied();
        came.dumped || off.count() > 1 || earlier.iter().any(|change| theirs(change) && just_before(change))
    }

    /// Returns how sure it can be that a step breaks the rules in a game that was picked up in its middle: a piece may stand on a square that
    /// has never shown anything, as before a king that seems to be in check. Where an offence stood before this one, that is likelier.
    pub(super) fn most_sure_beside_hidden(
        &self,
        before: &Position,
        number: u32,
        step: Option<&ExplainedPly>,
    ) -> Confidence {
        let Some(ExplainedPly { played: Played::Irregular(irregular), .. }) = step else {
            return Confidence::Certain;
        };
        let is_adopted = self.game.as_ref().is_some_and(Game::is_adopted);
        if !is_adopted || !self.may_stand_hidden(before, irregular) {
            return Confidence::Certain;
        }
        let stood = self.not_shown_by_dump(number.saturating_sub(1)).any(Ply::is_illegal);
        if stood { Confidence::Possible } else { Confidence::Likely }
    }

    /// Returns whether an irregular ply would be legal beside a piece on a square that has never shown anything.
    fn may_stand_hidden(&self, before: &Position, irregular: &Irregular) -> bool {
        let hidden = !(self.seen_squares | before.board().occupied() | irregular.board.occupied());
        hidden.into_iter().any(|square| {
            let role = if Bitboard::BACKRANKS.contains(square) { Role::Knight } else { Role::Pawn };
            Color::ALL.into_iter().any(|color| {
                let mut board = before.board().clone();
                window::set(&mut board, square, Some(role.of(color)));
                has_possible_material(&board, color)
                    && before
                        .with_board(board)
                        .find(irregular.from, irregular.to, irregular.promotion)
                        .is_some()
            })
        })
    }

    /// Returns whether a piece that was not seen to stand where it is said to come from may have come from another square that shows
    /// nothing, by the rules.
    fn may_come_from_elsewhere(&self, before: &Position, irregular: &Irregular, known: Bitboard) -> bool {
        let shown = self.window.base();
        let Some(piece) = before.board().piece_at(irregular.from) else { return false };
        if shown.piece_at(irregular.from) == Some(piece) {
            return false;
        }
        // What reports to be empty where nothing was shown has been left by something.
        let vacated =
            self.window.changes().iter().filter(|change| change.was.is_none() && change.is.is_none());
        let vacated = vacated.fold(Bitboard::EMPTY, |vacated, change| vacated.with(change.square));
        let others = (known | vacated | !self.seen_squares) & !shown.occupied() & !before.board().occupied();
        others.into_iter().any(|square| {
            let mut board = before.board().clone();
            window::set(&mut board, irregular.from, None);
            window::set(&mut board, square, Some(piece));
            before.with_board(board).find(square, irregular.to, irregular.promotion).is_some()
        })
    }
}

/// Returns the square to which a piece has moved if what a board shows on some squares is a legal move.
fn has_moved_legally(before: &Position, shown: &Board, squares: Bitboard) -> Option<Square> {
    let gone = squares & before.board().by_color(before.turn()) & !shown.by_color(before.turn());
    let come = squares & shown.by_color(before.turn());
    gone.into_iter().find_map(|from| {
        let fits = |to: &Square| shown.piece_at(*to) == before.board().piece_at(from);
        come.into_iter().filter(fits).find(|to| before.find(from, *to, None).is_some())
    })
}

/// Returns whether the piece that an irregular ply has moved stood elsewhere before, and went on from there as the rules allow: what broke them
/// was done earlier.
fn is_legal_from_elsewhere(before: &Position, irregular: &Irregular, shown: &Board) -> bool {
    let Some(piece) = before.board().piece_at(irregular.from) else { return false };
    if shown.piece_at(irregular.from) == Some(piece) {
        return false;
    }
    let elsewhere =
        shown.by_piece(piece) & !before.board().by_piece(piece) & !irregular.board.by_piece(piece);
    let read = before.with_board(shown.clone());
    elsewhere.into_iter().any(|square| read.find(square, irregular.to, irregular.promotion).is_some())
}
