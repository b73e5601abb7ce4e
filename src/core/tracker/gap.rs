//! Finds the legal paths between two placements when nobody saw the moves in between.

use std::cell::Cell;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Move, Piece};

use super::{cost, sense};
use crate::position::{Position, differences};

/// Most plies that are guessed.
pub(super) const DEPTH: usize = 8;

/// Paths kept.
const MOST: usize = 12;

/// Plies by which a path may be longer than the shortest.
const DETOUR: usize = 2;

/// Positions whose moves are looked at; some ten milliseconds.
const NODES: u32 = 12_000;

/// Squares that castling changes beyond the two of any other move.
const CASTLING: usize = 2;

/// Captures en passant that a path is expected to hold at most; each changes one square beyond the two.
const EN_PASSANT: usize = 2;

/// Moves that a position can have.
const MOST_MOVES: usize = 256;

/// A path and the position it leads to.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) moves: ArrayVec<Move, DEPTH>,
    pub(super) position: Position,
    pub(super) cost: u32,
}

/// Such positions that are as much work as one of a window's.
const LIGHT: u32 = 2;

/// Returns the likeliest paths from `start` to positions that show `goal`; `running` is whose time runs now.
///
/// What the search costs is taken off the `credit`.
pub(super) fn paths(
    start: &Position,
    goal: &Board,
    lies: Bitboard,
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
    lies: Bitboard,
    running: Option<Color>,
    nodes: u32,
    moves: ArrayVec<Move, DEPTH>,
    found: Vec<Path>,
}

impl Search<'_> {
    fn run(&mut self, position: &Position, depth: usize) {
        let odd = differences(position.board(), self.goal) & !self.lies;
        if depth == 0 {
            if odd.is_empty() {
                self.take(position);
            }
            return;
        }
        self.nodes = self.nodes.saturating_sub(1);
        if self.nodes == 0 || !self.enough(position, odd, depth) {
            return;
        }
        let most = most_changes(position, depth - 1);
        let left = |m: Move| (m, self.left(position, odd, m).count());
        let moves: ArrayVec<(Move, usize), MOST_MOVES> =
            position.legal_moves().into_iter().map(left).filter(|(_, left)| *left <= most).collect();
        // Moves that bring something home come first: the plainest path of a length is the likeliest.
        for homeward in [true, false] {
            for (m, left) in &moves {
                if (*left < odd.count()) == homeward {
                    self.moves.push(*m);
                    self.run(&position.play(*m), depth - 1);
                    self.moves.pop();
                }
            }
        }
    }

    /// Returns the squares that are not as they should be after a move.
    fn left(&self, position: &Position, odd: Bitboard, m: Move) -> Bitboard {
        let Move::Normal { role, from, to, promotion, .. } = m else {
            return differences(position.play(m).board(), self.goal) & !self.lies;
        };
        let piece = Piece { color: position.turn(), role: promotion.unwrap_or(role) };
        let mut wrong = Bitboard::from(from) & self.goal.occupied();
        if self.goal.piece_at(to) != Some(piece) {
            wrong.add(to);
        }
        odd.without(from).without(to) | (wrong & !self.lies)
    }

    fn take(&mut self, position: &Position) {
        let plies = u32::try_from(self.moves.len()).unwrap_or(u32::MAX);
        let wrong = self.running.is_some_and(|running| running != position.turn());
        let sense = cost::DELAY * sense::delays(self.start, &self.moves)
            + cost::DETOUR * sense::detours(self.start, &self.moves);
        let cost = cost::UNHEARD * plies + if wrong { cost::UNPRESSED } else { 0 } + sense;
        let path = Path { moves: self.moves.clone(), position: position.clone(), cost };
        match self.found.iter_mut().find(|other| other.position == *position) {
            Some(other) if other.cost <= cost => {}
            Some(other) => *other = path,
            None => self.found.push(path),
        }
    }

    /// Each side needs a ply for each piece that has to arrive, but castling brings two.
    fn enough(&self, position: &Position, odd: Bitboard, depth: usize) -> bool {
        let us = position.turn();
        let needed = |side: Color| {
            let arrivals = odd & self.goal.by_color(side);
            let castles = (arrivals & self.goal.kings()).any() && (arrivals & self.goal.rooks()).any();
            arrivals.count() - usize::from(castles)
        };
        needed(us) <= depth.div_ceil(2) && needed(!us) <= depth / 2
    }
}

/// Returns how many squares so many plies can change at most.
fn most_changes(position: &Position, plies: usize) -> usize {
    if plies == 0 {
        return 0;
    }
    // Who is not to move has the rights of before; one side's castling too many does no harm.
    2 * plies + 2 * CASTLING + if position.board().pawns().any() { EN_PASSANT } else { 0 }
}
