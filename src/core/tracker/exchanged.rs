//! Moves that are completed after their press: a pawn left on its last rank (Art. 7.5.2) that is exchanged, a pawn captured in passing that is
//! taken off; of two moves made at once, the one that stands once the other one has been put back. They are complete as soon as the board has
//! shown them for a moment, whatever is played next, and also if nothing is, as the new piece may mate.

use std::time::Duration;

use shakmaty::{Move, Piece, Square};

use super::{Tracker, hypothesis::HypothesisPly, offence};
use crate::{
    alert::Confidence,
    fact::{Reason, Withdrawal},
    game::{Irregular, Played, Ply},
    model::wait,
    position::{Position, differences},
    time::Timestamp,
};

impl Tracker {
    /// Notes when the piece that the board shows in the place of that pawn, if it shows one, will have stood there for long enough, after
    /// a change on some square.
    pub(super) fn plan_exchange(&mut self, changed: Square, now: Timestamp) {
        let exchanged = if self.awaits_exchange() { self.completed_late() } else { None };
        let planned = self.progress.exchange_at;
        self.progress.exchange_at = exchanged.map(|(.., m)| {
            let (square, wait) = completed_on(m);
            planned.filter(|_| changed != square).unwrap_or(now + wait)
        });
    }

    /// Notes that a square changes: if the opponent takes the piece there, that pawn has become it, however short it stood there; if he takes up
    /// a piece, the pawn captured in passing is not in his hand.
    pub(super) fn note_exchanged_and_taken(&mut self, square: Square, is: Option<Piece>, now: Timestamp) {
        if self.progress.exchange_at.is_none() {
            return;
        }
        let Some((_, ply, m)) = self.completed_late() else { return };
        let is_theirs = |piece: Piece| piece.color != ply.side;
        let theirs = self.game.as_ref().map(|game| game.position().board().by_color(!ply.side));
        let takes_up = is.is_none() && theirs.is_some_and(|theirs| theirs.contains(square));
        if m.is_en_passant() {
            if takes_up {
                self.progress.exchange_at = Some(now);
            }
            return;
        }
        let in_hand = theirs.is_some_and(|theirs| (theirs & !self.window.board().occupied()).any());
        if square == m.to() && is.map_or(in_hand, is_theirs) {
            self.progress.exchange_at = Some(now);
        }
    }

    /// Returns whether no ply and no press has followed the one that left the pawn there.
    fn awaits_exchange(&self) -> bool {
        let last = self.game.as_ref().and_then(|game| game.plies().last());
        last.is_some_and(|ply| !ply.is_exact())
            && self.progress.shown.made.is_empty()
            && self.window.presses().is_empty()
            && !self.window.gap
    }

    /// Reads the ply that was played last as the move that the board shows now, if it has shown it until now.
    pub(super) fn note_exchanged_pawn(&mut self, now: Timestamp) {
        if self.progress.exchange_at.take_if(|at| *at <= now).is_none() || !self.awaits_exchange() {
            return;
        }
        let Some((keep, ply, m)) = self.completed_late() else { return };
        let step = HypothesisPly {
            played: Played::Legal(m),
            side: ply.side,
            made_at: ply.made_at,
            completed: ply.completed,
            clock: ply.clock,
            inferred: None,
            most: Confidence::Certain,
        };
        let changes = self.window.changes().to_vec();
        // Who stops the clock acts on the offence; while it runs, the opponent can still act on it.
        let acted = self.window.paused;
        self.go_back(keep);
        // Others may have explained the board by other plies, and are not where this move is played.
        self.hypotheses.retain(|hypothesis| hypothesis.position.is_legal(m));
        for hypothesis in &mut self.hypotheses {
            hypothesis.push(step.clone());
        }
        // A piece that the opponent has taken up since belongs to the reply.
        let since = self.window.last_change_of(completed_on(m).0).map_or(usize::MAX, |(index, _)| index + 1);
        self.window.cut(since, usize::MAX);
        self.window.paused = self.is_paused();
        self.publish(if acted { Withdrawal::Reinstated } else { Withdrawal::TakenBack });
        self.right_offences(&changes, &[]);
    }

    /// Returns the last ply, if it left a pawn on its last rank and the board shows another piece there, or a captured pawn that stands there no
    /// more, or was two moves of which one has been put back, and nothing else is amiss but what the opponent has taken up: the number of
    /// plies before it, the ply, and the move that it has become.
    fn completed_late(&self) -> Option<(u32, Ply, Move)> {
        let (keep, before) = self.earlier_positions(1).into_iter().next()?;
        let ply = self.game.as_ref()?.ply(keep + 1)?;
        let Played::Irregular(irregular) = &ply.played else { return None };
        let m = if let Some(square) = offence::pawn_left(&before, irregular) {
            before.find(irregular.from, square, Some(self.window.board().role_at(square)?))?
        } else {
            let passing = before.find(irregular.from, irregular.to, None).filter(|m| m.is_en_passant());
            passing.or_else(|| self.one_of_two(&before, irregular))?
        };
        let after = before.play(m);
        let odd = differences(after.board(), self.window.board()) & !self.faulty_squares();
        let taken_up = after.board().by_color(after.turn()) & !self.window.board().occupied();
        (odd & !taken_up).is_empty().then(|| (keep, ply.clone(), m))
    }

    /// Returns the one of two moves made at once that the board still shows.
    fn one_of_two(&self, before: &Position, irregular: &Irregular) -> Option<Move> {
        if offence::reason(before, irregular) != Reason::TwoMoves {
            return None;
        }
        let (shown, irregular) = (self.window.board(), &irregular.board);
        let stands = |m: &Move| {
            let piece = before.board_after(*m).piece_at(m.to());
            piece == shown.piece_at(m.to()) && piece == irregular.piece_at(m.to())
        };
        let has_departed = |m: &Move| m.from().is_some_and(|from| shown.piece_at(from).is_none());
        before.legal_moves().into_iter().find(|m| stands(m) && has_departed(m))
    }
}

/// Returns the square on which a move is completed after its press, and how long the board has to show it there.
fn completed_on(m: Move) -> (Square, Duration) {
    if let Move::EnPassant { from, to } = m {
        return (Square::from_coords(to.file(), from.rank()), wait::TAKEN_OFF);
    }
    (m.to(), wait::EXCHANGED)
}
