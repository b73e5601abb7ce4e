//! Finds the legal paths between two placements when nobody saw the moves in between.

use std::cell::Cell;

use arrayvec::ArrayVec;
use shakmaty::{Board, Color, Move};

use super::{cost, sense};
use crate::position::{Position, differences};

/// Most plies that are guessed.
pub(super) const DEPTH: usize = 8;

/// Paths kept.
const MOST: usize = 12;

/// Plies by which a path may be longer than the shortest.
const DETOUR: usize = 2;

/// Positions looked at; some ten milliseconds.
const NODES: u32 = 60_000;

/// A path and the position it leads to.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) moves: ArrayVec<Move, DEPTH>,
    pub(super) position: Position,
    pub(super) cost: u32,
}

/// Such positions that are as much work as one of a window's.
const LIGHT: u32 = 8;

/// Returns the likeliest paths from `start` to positions that show `goal`; `running` is whose time runs now.
///
/// What the search costs is taken off the `credit`.
pub(super) fn paths(
    start: &Position,
    goal: &Board,
    lies: shakmaty::Bitboard,
    running: Option<Color>,
    credit: &Cell<u32>,
) -> Vec<Path> {
    let nodes = NODES.min(credit.get().saturating_mul(LIGHT));
    let mut search = Search { start, goal, lies, running, nodes, moves: ArrayVec::new(), found: Vec::new() };
    let mut shortest = None;
    for depth in 0..=DEPTH {
        if shortest.is_some_and(|shortest| depth > shortest + DETOUR) || search.nodes == 0 {
            break;
        }
        search.run(start, depth);
        // A path that leaves the wrong side to move is only the second choice.
        if shortest.is_none() && !search.found.is_empty() {
            shortest = Some(depth);
        }
    }
    credit.set(credit.get().saturating_sub((nodes - search.nodes).div_ceil(LIGHT)));
    search.found.sort_by_key(|path| path.cost);
    search.found.truncate(MOST);
    search.found
}

struct Search<'a> {
    start: &'a Position,
    goal: &'a Board,
    lies: shakmaty::Bitboard,
    running: Option<Color>,
    nodes: u32,
    moves: ArrayVec<Move, DEPTH>,
    found: Vec<Path>,
}

impl Search<'_> {
    fn run(&mut self, position: &Position, depth: usize) {
        self.nodes = self.nodes.saturating_sub(1);
        let odd = differences(position.board(), self.goal) & !self.lies;
        if depth == 0 {
            if odd.is_empty() {
                self.take(position);
            }
            return;
        }
        if self.nodes == 0 || !self.enough(position, odd, depth) {
            return;
        }
        let moves = position.legal_moves();
        // Moves that bring something home come first: the plainest path of a length is the likeliest.
        for homeward in [true, false] {
            for m in &moves {
                let after = position.play(*m);
                let left = differences(after.board(), self.goal) & !self.lies;
                if (left.count() < odd.count()) == homeward {
                    self.moves.push(*m);
                    self.run(&after, depth - 1);
                    self.moves.pop();
                }
            }
        }
    }

    fn take(&mut self, position: &Position) {
        let plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        let wrong = self.running.is_some_and(|running| running != position.turn());
        let sense = cost::DELAY * sense::delays(self.start, &self.moves);
        let cost = cost::UNHEARD * plies + if wrong { cost::UNPRESSED } else { 0 } + sense;
        let path = Path { moves: self.moves.clone(), position: position.clone(), cost };
        match self.found.iter_mut().find(|other| other.position == *position) {
            Some(other) if other.cost <= cost => {}
            Some(other) => *other = path,
            None => self.found.push(path),
        }
    }

    /// Each side needs a ply for each piece that has to arrive, but castling brings two.
    fn enough(&self, position: &Position, odd: shakmaty::Bitboard, depth: usize) -> bool {
        let us = position.turn();
        let needed = |side: Color| {
            let arrivals = odd & self.goal.by_color(side);
            let castles = (arrivals & self.goal.kings()).any() && (arrivals & self.goal.rooks()).any();
            arrivals.count() - usize::from(castles)
        };
        needed(us) <= depth.div_ceil(2) && needed(!us) <= depth / 2
    }
}
