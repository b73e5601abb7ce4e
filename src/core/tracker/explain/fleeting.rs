//! Pieces that stood on a square for less than a scan, so that it reported nothing of them: they were moved on at once, or the opponent
//! took them at once with a piece like the one that they had taken. And pieces that the board noticed long after they had come.

use shakmaty::{Bitboard, Move, Piece, Square};

use super::{Node, Search};
use crate::{
    fact::Change,
    game::Played,
    position::Position,
    tracker::{cost, evidence::ExplainedPly},
};

impl Search<'_> {
    /// Returns where a search goes on if the piece of this move, which the board showed on its new square only after the opponent had moved, had
    /// come there at once: it stood beside the middle of the square.
    pub(super) fn noticed_late(&self, position: &Position, node: Node, shown: Node, m: Move) -> Option<Node> {
        let Move::Normal { from, to, .. } = m else { return None };
        let window = self.evidence.window;
        if window.gap || !self.evidence.updates || !self.evidence.clocked {
            return None;
        }
        // What most moves fail by is asked first, as this is asked of each that is tried.
        let came = window.changes().get(shown.shown.checked_sub(1)?).filter(|came| came.square == to)?;
        let piece = position.board().piece_at(from)?;
        let departure = window.first_without(from, piece, node.shown)?;
        let before = came.at.before(self.evidence.jitter);
        let moved =
            |change: &Change| change.at < before && change.is.is_some_and(|other| other.color != piece.color);
        let has_moved = window.changes().iter().take(shown.shown).skip(departure).any(moved);
        let was_put_back =
            || window.first_showing(from, piece, departure).is_some_and(|back| back < shown.shown);
        (has_moved && !was_put_back()).then(|| Node {
            cost: shown.cost + cost::NOTICED_LATE,
            shown: departure,
            ..shown
        })
    }

    /// Returns whether the piece that a move brought to `square`, which reported nothing of it, may have stood there for less than a
    /// scan: about when it was lifted, it or the piece that took it was on its way, too.
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
        // It was taken off in time, and nothing has stood there since.
        let taken = window.first_without(square, Piece { color: !us, role: victim }, lifted);
        let emptied = taken.is_some_and(|taken| taken > lifted && self.is_soon(lifted, taken));
        if emptied && window.board().piece_at(square).is_none() {
            return self.next_showing(piece, lifted).is_some();
        }
        let twin = Piece { color: !us, role: victim };
        let takers = position.board().attacks_to(square, !us, position.board().occupied().without(from));
        // One of any kind if the square was emptied in time, and others took there in turn.
        let captures = |piece: Piece, count| piece == twin || emptied && piece.color == !us && count > lifted;
        let mut changes = (1..).zip(window.changes());
        (emptied || window.showed(square, twin, lifted))
            && changes.any(|(count, change)| {
                change.was.is_some_and(|piece| captures(piece, count))
                    && takers.contains(change.square)
                    && self.is_soon(lifted, count)
            })
    }

    /// Returns the number of changes after which a piece that was lifted shows up again, if that is soon.
    fn next_showing(&self, piece: Piece, lifted: usize) -> Option<usize> {
        let mut later = (1..).zip(self.evidence.window.changes()).skip(lifted);
        let (shown, _) = later.find(|(_, change)| change.is == Some(piece))?;
        Some(shown).filter(|shown| self.is_soon(lifted, *shown))
    }

    /// Returns whether two changes came so soon one after the other that a piece may have been put down between them for less than a scan.
    fn is_soon(&self, a: usize, b: usize) -> bool {
        self.apart(a, b).is_some_and(|apart| 2 * apart <= 3 * self.evidence.jitter)
    }

    /// Returns whether a piece came to a square on which another one had stood for less than a scan, and looks like what stood there
    /// before.
    pub(super) fn takes_fleeting(&self, node: Node, square: Square, piece: Piece) -> bool {
        node.fleeting.contains(square) && self.evidence.window.showed(square, piece, node.shown)
    }

    /// Notes that a piece goes on from a square on which it is said to have stood for less than a scan, and arrives after so many changes;
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

    /// Counts for each ply whose piece stood so shortly on how many other squares it might have stood: it went on from there, and
    /// nothing shows which one it was. No ply is inferred if there is no other one.
    pub(super) fn count_alternatives(&self, steps: &mut [ExplainedPly]) {
        for index in 0..steps.len() {
            let Some((before, [step, after @ ..])) = steps.split_at_checked(index) else { continue };
            if step.inferred.is_none() {
                continue;
            }
            let others = match &step.played {
                Played::Legal(m) => {
                    let start = before
                        .iter()
                        .fold(self.root.position.clone(), |position, step| step.played.apply(&position));
                    self.alternatives_of(&start, *m, after)
                }
                Played::Irregular(_) => 0,
            };
            if let Some(step) = steps.get_mut(index) {
                step.inferred = Some(others).filter(|others| *others > 0);
            }
        }
    }

    /// Counts the squares other than that of `m` from which its piece might have gone on to where it goes `after`.
    fn alternatives_of(&self, start: &Position, m: Move, after: &[ExplainedPly]) -> u32 {
        let goes_on =
            |step: &ExplainedPly| matches!(step.played, Played::Legal(next) if next.from() == Some(m.to()));
        // What was taken off shows where it was put.
        let Some(next) = after.iter().position(goes_on).filter(|_| !m.is_capture()) else { return 0 };
        let Some(from) = m.from() else { return 0 };
        let explained = self.touched | self.root.faulty | start.board().occupied();
        let possible = |square: &Square| {
            let Some(mut position) = start.find(from, *square, None).map(|m| start.play(m)) else {
                return false;
            };
            for (step, index) in after.iter().zip(0..=next) {
                let Played::Legal(m) = step.played else { return false };
                let Some(mut from) = m.from() else { return false };
                if index == next {
                    from = *square;
                }
                let Some(m) = position.find(from, m.to(), m.promotion()) else { return false };
                position = position.play(m);
            }
            true
        };
        let others = (!explained).into_iter().filter(|square| *square != m.to()).filter(possible);
        u32::try_from(others.count()).unwrap_or(u32::MAX)
    }
}
