//! Pieces that stood on a square for less than a scan, so that it told nothing of them: they were moved on at once, or the opponent
//! took them at once with a man like the one that they had taken.

use shakmaty::{Bitboard, Move, Piece, Square};

use super::{Node, Search};
use crate::{position::Position, tracker::cost};

impl Search<'_> {
    /// Tells whether the piece that a move brought to `square`, which reported nothing of it, may have stood there for less than a
    /// scan: about when it was lifted, it or the man that took it was on its way, too.
    pub(super) fn may_be_fleeting(
        &self,
        position: &Position,
        m: Move,
        square: Square,
        earliest: usize,
    ) -> bool {
        let Move::Normal { role, from, capture, promotion: None, .. } = m else { return false };
        let (us, window) = (position.turn(), self.evidence.window);
        if window.gap || !self.evidence.updates {
            return false;
        }
        let piece = Piece { color: us, role };
        let lifted = window.first_without(from, piece, earliest).filter(|count| *count > earliest);
        let Some(lifted) = lifted else { return false };
        let Some(victim) = capture else { return self.next_showing(piece, lifted).is_some() };
        let twin = Piece { color: !us, role: victim };
        let takers = position.board().attacks_to(square, !us, position.board().occupied().without(from));
        let mut changes = (1..).zip(window.changes());
        window.shows(square, lifted) == Some(twin)
            && changes.any(|(count, change)| {
                change.was == Some(twin) && takers.contains(change.square) && self.is_soon(lifted, count)
            })
    }

    /// Returns the number of changes after which a piece that was lifted shows up again, if that is soon.
    fn next_showing(&self, piece: Piece, lifted: usize) -> Option<usize> {
        let mut later = (1..).zip(self.evidence.window.changes()).skip(lifted);
        let (shown, _) = later.find(|(_, change)| change.is == Some(piece))?;
        Some(shown).filter(|shown| self.is_soon(lifted, *shown))
    }

    /// Tells whether two changes came so soon one after the other that a piece may have been put down between them for less than a scan.
    fn is_soon(&self, a: usize, b: usize) -> bool {
        self.apart(a, b).is_some_and(|apart| 2 * apart <= 3 * self.evidence.jitter)
    }

    /// Tells whether a man came to a square on which another one had stood for less than a scan, and looks like what stood there
    /// before.
    pub(super) fn takes_fleeting(&self, node: Node, square: Square, piece: Piece) -> bool {
        node.fleeting.contains(square) && self.evidence.window.shows(square, node.shown) == Some(piece)
    }

    /// Takes that a piece goes on from a square on which it is said to have stood for less than a scan, and arrives after so many changes;
    /// it did not stand there so shortly if it showed up elsewhere before, or arrived much later.
    pub(super) fn go_on(&self, node: &mut Node, square: Square, piece: Piece, arrived: Option<usize>) {
        let lifted = self.steps.iter().rev().find(|step| step.played.ends_on(square)).map(|step| step.shown);
        let next = lifted.and_then(|lifted| self.next_showing(piece, lifted));
        if next.is_none() || arrived != next {
            node.cost += self.unseen_arrival(square).saturating_sub(cost::BLINK);
        }
        node.leave_fleeting(square);
    }

    /// Prices what was said to have stood for less than a scan and has stayed.
    pub(super) fn stayed(&self, odd: Bitboard, node: Node) -> u32 {
        let further = |square| self.unseen_arrival(square).saturating_sub(cost::BLINK);
        (odd & node.fleeting).into_iter().map(further).sum()
    }
}
