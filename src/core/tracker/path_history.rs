//! The positions that a search through a gap has reached, and the plies that led to each.

use shakmaty::Move;

use crate::position::Position;

/// A position that so many plies may reach.
pub(super) struct PathNode {
    pub(super) position: Position,
    pub(super) cost: u32,
    /// What is still to be done costs so much, when such positions are ranked.
    pub(super) ahead: u32,
    /// What the opponent can win here, in pawns.
    pub(super) at_risk: u32,
    pub(super) merged: u32,
    /// The position before, and the ply that led here.
    pub(super) from: Option<(usize, Move)>,
}

/// The plies that led to a position, the last one first.
#[derive(Clone)]
pub(super) struct PathHistory<'a> {
    pub(super) nodes: &'a [PathNode],
    pub(super) index: usize,
}

impl<'a> PathHistory<'a> {
    /// Returns the position before the plies that were taken off.
    pub(super) fn position(&self) -> Option<&'a Position> {
        self.nodes.get(self.index).map(|node| &node.position)
    }
}

impl Iterator for PathHistory<'_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        let (from, m) = self.nodes.get(self.index)?.from?;
        self.index = from;
        Some(m)
    }
}
