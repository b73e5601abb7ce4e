//! Moves of pieces that may not be moved, and captures of pieces that may not be captured (Art. 3.1).

use std::time::Duration;

use shakmaty::{Move, Square};

use super::{
    offences::{is_check, moved},
    scene::{IncidentEffect, Scene, clock_side},
};
use crate::{games::Ending, incident::RulingStyle, random::span};
use jadoube_core::code::Code;

impl Scene<'_> {
    /// Captures an own piece.
    pub(super) fn own_captured(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let board = self.position.board();
        let own = board.by_color(side) & !board.kings();
        let moves = own.into_iter().flat_map(|from| {
            let targets = board.attacks_from(from) & own;
            targets.into_iter().map(move |to| (from, to))
        });
        let moves = self.without_check(moves);
        let Some((from, to)) = self.random.pick(&moves).copied() else {
            return IncidentEffect::NotApplicable;
        };
        self.offend(side, from, to, ruling, m, think)
    }

    /// Moves a piece of the opponent.
    pub(super) fn opponent_moved(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        let board = self.position.board();
        let theirs = board.by_color(!side) & !board.kings() & !board.pawns();
        let moves = theirs.into_iter().flat_map(|from| {
            let targets = board.attacks_from(from) & !board.occupied();
            targets.into_iter().map(move |to| (from, to))
        });
        let moves = self.without_check(moves);
        let Some((from, to)) = self.random.pick(&moves).copied() else {
            return IncidentEffect::NotApplicable;
        };
        self.offend(side, from, to, ruling, m, think)
    }

    /// Leaves the own king in check; the opponent captures it. An arbiter has the position before both put right; without one,
    /// the game ends.
    pub(super) fn king_captured(&mut self, ruling: RulingStyle, m: Move, think: Duration) -> IncidentEffect {
        let side = self.position.turn();
        // Time enough for both, and for the arbiter.
        let rest = self.clock.rest(clock_side(!side), self.began);
        if *self.offended.get(!side) || rest < span(10.0) {
            return IncidentEffect::NotApplicable;
        }
        let moves = self.moves_into_check(side);
        let Some((role, from, to)) = self.random.pick(&moves).copied() else {
            return IncidentEffect::NotApplicable;
        };
        let Some((lifted, press)) = self.may_offend(side, think, 1.2) else {
            return IncidentEffect::NotApplicable;
        };
        let before = self.board.clone();
        let placed = lifted + self.random.seconds(0.15, 0.6);
        self.set(from, None, lifted);
        self.set(to, Some(shakmaty::Piece { color: side, role }), placed);
        let board = self.board.clone();
        self.expect(Code::IllegalMove, Some(side), press, self.ply());
        if ruling == RulingStyle::Stands {
            self.commit_illegal(format!("{from}{to}"), placed);
        }
        self.press(side, press);
        let captor = board.king_of(side).and_then(|king| {
            let captors: Vec<Square> = board.attacks_to(king, !side, board.occupied()).into_iter().collect();
            self.random.pick(&captors).map(|from| (*from, king))
        });
        if let Some((from, king)) = captor {
            let lifted = press + self.random.seconds(0.6, 2.5);
            let placed = lifted + self.random.seconds(0.3, 0.8);
            let press = placed + self.random.seconds(0.3, 0.7);
            self.set(from, None, lifted);
            self.set(king, None, lifted + span(0.15));
            self.set(king, board.piece_at(from), placed);
            *self.offended.get_mut(!side) = true;
            // Both moves are to be reported, each of its player.
            self.expect(
                Code::IllegalMove,
                Some(!side),
                press,
                self.ply() + u32::from(ruling == RulingStyle::Arbiter),
            );
            if ruling == RulingStyle::Stands {
                self.commit_illegal(format!("{from}{king}"), placed);
            }
            self.press(!side, press);
        }
        if ruling == RulingStyle::Stands {
            self.end(Ending::Unknown);
            return IncidentEffect::TurnDone;
        }
        self.intervene(side, &before, side);
        self.replay_bound(&[from, to], m);
        IncidentEffect::TurnDone
    }

    /// Returns those movements after which no king is in check.
    fn without_check(&self, moves: impl Iterator<Item = (Square, Square)>) -> Vec<(Square, Square)> {
        let (board, side) = (self.position.board(), self.position.turn());
        let is_quiet = |(from, to): &(Square, Square)| {
            board.piece_at(*from).is_some_and(|piece| {
                let after = moved(board, *from, *to, piece);
                !is_check(&after, side) && !is_check(&after, !side)
            })
        };
        moves.filter(is_quiet).collect()
    }
}
