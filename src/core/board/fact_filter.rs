//! What the rules may hear of a fact: what rests on something that is not known accuses nobody.

use std::borrow::Cow;

use shakmaty::{Bitboard, Color, Role};

use super::{Board, setup::is_start};
use crate::{
    alert::Confidence,
    fact::{Fact, Pressed, Reason, Verdict},
};

impl Board {
    /// Returns what the rules get of a fact, `None` for nothing: what rests on seats that are not known, or on
    /// what went before the board was heard of, accuses nobody.
    pub(super) fn filter_fact<'a>(&mut self, fact: &'a Fact) -> Option<Cow<'a, Fact>> {
        if self.adoption.waiting && fact.is_about_play() {
            return None;
        }
        if let Fact::Pressed(pressed) = fact
            && !matches!(pressed.verdict, Verdict::Legal | Verdict::LegalWithMismatch(_) | Verdict::Reaction)
        {
            let untouched = pressed.ply == 0
                && pressed.verdict == Verdict::Nothing
                && is_start(&pressed.before)
                && pressed.attempt.is_empty();
            let before = self.adoption.adopted
                // The first press of each side may be for what was under way.
                && (pressed.ply <= 2
                    || has_more(&pressed.board, pressed.before.board())
                    || self.adoption.answers_excused(pressed)
                    || self.rests_on_the_unheard(pressed));
            // Which side of the clock is whose bears on what a clock has reported.
            let seats_known = self.seats_known() || !self.tracker.hears_clock();
            if untouched || before || !seats_known {
                let mut pressed = pressed.clone();
                self.adoption.excused = Some((pressed.side, pressed.ply));
                if self.adoption.adopted {
                    pressed.verdict = Verdict::Reaction;
                } else {
                    pressed.confidence = Confidence::Possible;
                }
                return Some(Cow::Owned(Fact::Pressed(pressed)));
            }
        }
        Some(Cow::Borrowed(fact))
    }

    /// Returns whether an illegal move would be legal if squares that have reported nothing since the adoption showed what
    /// is not there, because a change beside the first dump was lost.
    fn rests_on_the_unheard(&self, pressed: &Pressed) -> bool {
        let Verdict::Illegal(reason) = &pressed.verdict else { return false };
        let (before, occupied) = (pressed.before.board(), pressed.before.board().occupied());
        if !self.adoption.ignores_timing {
            // A piece that was slid while the first dump was made stands in it twice, and one of the two is lifted and gone.
            let shown = occupied & pressed.board.occupied();
            return matches!(*reason, Reason::Pattern { role, from, to } if role != Role::Pawn
                && shakmaty::attacks::attacks(from, role_of(role, pressed.side), shown).contains(to));
        }
        let began = pressed.attempt.first().map_or(pressed.at, |change| change.at);
        let heard = self.adoption.verified.iter().filter(|(_, at)| *at < began);
        let heard = heard.fold(Bitboard::EMPTY, |squares, (field, _)| squares.with(self.square(*field)));
        match *reason {
            Reason::Pattern { role: Role::Pawn, from, to } => {
                // One rank forward beside its file it captures; two ranks lead there under no circumstances.
                let files = from.file().distance(to.file());
                files <= 1 && from.rank().distance(to.rank()) <= 2 - files && !heard.contains(to)
            }
            // It did not come from there.
            Reason::Pattern { from, .. } if !pressed.attempt.iter().any(|change| change.square == from) => {
                true
            }
            Reason::Pattern { role, from, to } => {
                let attacks = shakmaty::attacks::attacks(from, role_of(role, pressed.side), occupied & heard);
                attacks.contains(to)
            }
            Reason::KingInCheck { king } => {
                let board = &pressed.board;
                let attackers = board.attacks_to(king, !pressed.side, board.occupied());
                let between = |square| shakmaty::attacks::between(king, square) & !heard & !before.occupied();
                attackers.into_iter().all(|square| !heard.contains(square) || between(square).any())
            }
            Reason::Castling { .. }
            | Reason::KingCaptured
            | Reason::OpponentsPiece { .. }
            | Reason::TwoMoves
            | Reason::PromotionIncomplete
            | Reason::WrongPromotionPiece { .. }
            | Reason::PawnNotRemoved { .. }
            | Reason::EnPassantPawnLeft { .. }
            | Reason::Other => true,
        }
    }
}

/// Returns whether a board shows more pieces of a kind than another one, and no fewer pawns of their colour.
fn has_more(board: &shakmaty::Board, before: &shakmaty::Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let count = |board: &shakmaty::Board, role| board.by_piece(role_of(role, color)).count();
        let fewer_pawns = count(board, Role::Pawn) < count(before, Role::Pawn);
        Role::ALL
            .into_iter()
            .any(|role| count(board, role) > count(before, role) && !(fewer_pawns && role != Role::Pawn))
    })
}

const fn role_of(role: Role, color: Color) -> shakmaty::Piece {
    shakmaty::Piece { color, role }
}
