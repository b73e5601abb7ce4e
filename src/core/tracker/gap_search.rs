//! Finds the legal paths between two placements when nobody saw the moves in between.
//!
//! A beam search by plies: all positions that so many plies may reach are kept once, with the most plausible path to
//! each and the number of its paths; a side that can no longer bring its pieces home in the plies that are left is
//! dropped. How many plies there were follows from the clock, if it adds time for each move, and from whose time runs.

mod distance;

use std::{
    cell::Cell,
    collections::{HashMap, hash_map::Entry},
};

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Move, Square};

use self::distance::Needs;
use super::{
    cost, move_prior,
    path_history::{PathHistory, PathNode},
};
use crate::{
    model::{decision, effort, hands},
    position::{Position, differences},
};

/// What is known of a stretch that nobody saw, besides where it began.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// What the board showed after it.
    pub(super) goal: &'a Board,
    /// Squares that read wrongly.
    pub(super) faulty: Bitboard,
    /// Whose time ran after it.
    pub(super) running: Option<Color>,
    /// What the clock says of the number of presses.
    pub(super) presses: Option<Presses>,
    /// Squares off which the side to move had lifted its pieces before.
    pub(super) lifted: Bitboard,
    /// Plies that had been made before and not been pressed.
    pub(super) made: usize,
    /// What it costs to believe in each ply of it.
    pub(super) ply_price: u32,
}

/// How many presses the clock has counted: each adds the increment to the sum of both times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Presses {
    /// Seconds by which both times together fell less than time passed.
    pub(super) added_s: f64,
    /// Seconds that a press adds.
    pub(super) increment_s: f64,
}

impl Presses {
    /// Returns what it costs to believe in so many presses.
    fn price(self, presses: usize) -> u32 {
        let presses = u32::try_from(presses).map_or(f64::MAX, f64::from);
        let off = (self.added_s - presses * self.increment_s).abs();
        // Four displays that leave out fractions of a second: an error of 0.6 s.
        let price = (off * off * cost::CLOCK_SECOND_OFF).min(f64::from(cost::CLOCK_STOOD));
        (0..=cost::CLOCK_STOOD).rev().find(|whole| f64::from(*whole) <= price).unwrap_or(0)
    }
}

/// A path and the position it leads to.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub(super) moves: ArrayVec<Move, { effort::GAP_DEPTH }>,
    pub(super) position: Position,
    pub(super) cost: u32,
    /// Paths of this length that lead to the same position, this one included.
    pub(super) merged: u32,
}

/// Returns the likeliest paths from `start` through the stretch, the best first.
///
/// What the search costs is taken off the `budget`.
pub(super) fn paths(start: &Position, stretch: Stretch<'_>, budget: &Cell<u32>) -> Vec<Path> {
    let nodes = effort::GAP_NODES.min(budget.get().saturating_mul(effort::GAP_LIGHT));
    let mut search = PathSearch { stretch, nodes, found: Vec::new() };
    let mut lengths: ArrayVec<(u32, usize), { effort::GAP_DEPTH + 1 }> =
        (0..=effort::GAP_DEPTH).map(|length| (search.length_price(start, length), length)).collect();
    lengths.sort_unstable();
    let mut likeliest = None::<u32>;
    for (price, length) in lengths {
        if likeliest.is_some_and(|likeliest| price > likeliest + decision::GAP_LENGTHS) || search.nodes == 0 {
            break;
        }
        search.run(start, length, price);
        if likeliest.is_none() && !search.found.is_empty() {
            likeliest = Some(price);
        }
    }
    debug_assert!(search.nodes <= nodes, "a search takes nodes and gives none");
    budget.set(budget.get().saturating_sub((nodes - search.nodes).div_ceil(effort::GAP_LIGHT)));
    search.found.sort_by_key(|path| path.cost);
    search.found.truncate(effort::GAP_PATHS);
    search.found
}

struct PathSearch<'a> {
    stretch: Stretch<'a>,
    nodes: u32,
    found: Vec<Path>,
}

impl PathSearch<'_> {
    /// Returns what it costs to believe in so many plies.
    fn length_price(&self, start: &Position, plies: usize) -> u32 {
        let turn = if plies.is_multiple_of(2) { start.turn() } else { !start.turn() };
        let unpressed = self.stretch.running.is_some_and(|running| running != turn);
        let presses = (self.stretch.made + plies).saturating_sub(usize::from(unpressed));
        let unheard = self.stretch.ply_price * u32::try_from(plies).unwrap_or(u32::MAX);
        let counted = self.stretch.presses.map_or(0, |clock| clock.price(presses));
        unheard + counted + if unpressed { cost::UNPRESSED } else { 0 }
    }

    /// Looks for paths of just this length.
    fn run(&mut self, start: &Position, length: usize, price: u32) {
        let root =
            PathNode { position: start.clone(), cost: price, ahead: 0, at_risk: 0, merged: 1, from: None };
        debug_assert!(length <= effort::GAP_DEPTH, "a path of {length} plies");
        let mut nodes = vec![root];
        let mut layer = 0..1;
        for ply in 0..length {
            let mut next: Vec<PathNode> = Vec::new();
            let mut places: HashMap<u64, usize> = HashMap::new();
            for index in layer.clone() {
                if self.nodes == 0 {
                    return;
                }
                self.nodes -= 1;
                self.expand(&nodes, index, length - ply - 1, &mut next, &mut places);
            }
            next.sort_by_cached_key(|node| node.cost + node.ahead);
            next.truncate(effort::GAP_WIDTH);
            layer = nodes.len()..nodes.len() + next.len();
            nodes.append(&mut next);
        }
        for index in layer {
            self.take(&nodes, index);
        }
    }

    fn expand(
        &self,
        nodes: &[PathNode],
        index: usize,
        remaining: usize,
        next: &mut Vec<PathNode>,
        places: &mut HashMap<u64, usize>,
    ) {
        let Some(node) = nodes.get(index) else { return };
        let Stretch { goal, faulty, lifted, .. } = self.stretch;
        let history = PathHistory { nodes, index };
        let us = node.position.turn();
        let ours = Needs::of(node.position.board(), goal, faulty, us);
        let theirs = Needs::of(node.position.board(), goal, faulty, !us);
        for m in node.position.legal_moves() {
            // After most moves too much is left to be done: they need not be played.
            let board = node.position.board_after(m);
            let Some(ours) = ours.after(&board, remaining / 2) else { continue };
            let Some(theirs) = theirs.after(&board, remaining.div_ceil(2)) else { continue };
            let position = node.position.play(m);
            let first = node.from.is_none() && lifted.any();
            let other = first && m.from().is_some_and(|from| !lifted.contains(from));
            let cost =
                node.cost + move_prior::price(&history, m) + if other { cost::LIFTED_AND_LEFT } else { 0 };
            match places.entry(position.key()) {
                Entry::Vacant(place) => {
                    place.insert(next.len());
                    let needed = u32::try_from(ours + theirs).unwrap_or(u32::MAX);
                    let at_risk = move_prior::at_risk(&board, us);
                    let cost = cost + move_prior::blunder(at_risk, m);
                    let ahead = effort::GAP_NEEDED * needed + effort::GAP_GONE * to_go(&board, goal);
                    let from = Some((index, m));
                    next.push(PathNode { position, cost, ahead, at_risk, merged: node.merged, from });
                }
                Entry::Occupied(place) => {
                    let Some(known) = next.get_mut(*place.get()) else { continue };
                    known.merged = known.merged.saturating_add(node.merged);
                    let cost = cost + move_prior::blunder(known.at_risk, m);
                    if cost < known.cost {
                        (known.cost, known.position, known.from) = (cost, position, Some((index, m)));
                    }
                }
            }
        }
    }

    fn take(&mut self, nodes: &[PathNode], index: usize) {
        let Some(node) = nodes.get(index) else { return };
        let Some(hands) = self.hands(&node.position) else { return };
        let mut moves: ArrayVec<Move, { effort::GAP_DEPTH }> = PathHistory { nodes, index }.collect();
        moves.reverse();
        let path =
            Path { moves, position: node.position.clone(), cost: node.cost + hands, merged: node.merged };
        match self.found.iter_mut().find(|other| other.position == path.position) {
            Some(other) => {
                let merged = other.merged.saturating_add(path.merged);
                if path.cost < other.cost {
                    *other = path;
                }
                other.merged = merged;
            }
            None => self.found.push(path),
        }
    }

    /// Returns what it costs to take a position for what the board shows: the side to move may have pieces in its hands and have
    /// taken its victim off first, or the side that has moved adjusts a piece. `None` if the board shows something else.
    fn hands(&self, position: &Position) -> Option<u32> {
        let odd = differences(position.board(), self.stretch.goal) & !self.stretch.faulty;
        if (odd & self.stretch.goal.occupied()).any() {
            return None;
        }
        let own = odd & position.board().by_color(position.turn());
        let others = odd & !own;
        if own.count() > hands::BOTH || others.count() > 1 {
            return None;
        }
        let attacked = |piece: Square| {
            position.board().attacks_to(piece, position.turn(), position.board().occupied()).any()
        };
        let other = others.first().map_or(0, |piece| {
            if attacked(piece) { cost::VICTIM_LIFTED } else { cost::ADJUSTED + cost::LIFTED_IN_SILENCE }
        });
        let count = u32::try_from(own.count()).unwrap_or(u32::MAX);
        Some(cost::LIFTED_IN_SILENCE * count + other)
    }
}

/// Returns how many more pieces there are than in the end: they are captured, or in somebody's hand.
fn to_go(board: &Board, goal: &Board) -> u32 {
    let count = |board: &Board| u32::try_from(board.occupied().count()).unwrap_or(u32::MAX);
    count(board).saturating_sub(count(goal))
}
