//! Finds the explanations of a window: which plies, from which position, would have left this evidence.
//!
//! A depth-first search over plies that the evidence speaks for. Each ply pays for what should have been seen and
//! was not; each end pays for what is seen and should not be, and for presses that nothing was made for.

use std::time::Duration;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, Color, Move, Piece, Role, Square};

use super::{
    cost,
    press::{self, Outcome},
    sense,
    window::{MOST_PRESSES, Press, Window},
};
use crate::{
    game::Played,
    position::{Position, castling_squares, differences},
};

/// Longest chain of plies that one window is searched for.
pub(super) const DEPTH: usize = 8;

/// Explanations kept of one window.
pub(super) const MOST: usize = 24;

/// Positions that one search looks at before it is content with what it has.
const NODES: u32 = 20_000;

/// What the search knows besides the position it starts from.
#[derive(Clone, Copy)]
pub(super) struct Evidence<'a> {
    pub(super) window: &'a Window,
    /// All presses, and how many of them are settled; the others may still wait for their plies.
    pub(super) presses: &'a [Press],
    pub(super) ripe: usize,
    /// Squares that have shown a piece, and so work.
    pub(super) alive: Bitboard,
    /// Differences in time below this say nothing about order.
    pub(super) jitter: Duration,
    /// What is sensed within this after a press happened before it.
    pub(super) settle: Duration,
    /// Whose time runs.
    pub(super) running: Option<Color>,
}

/// What an explanation starts from.
#[derive(Clone)]
pub(super) struct Root {
    /// Number by which explanations name it.
    pub(super) number: usize,
    pub(super) position: Position,
    /// Squares that this branch holds to be lying.
    pub(super) lies: Bitboard,
    /// What starting from here costs.
    pub(super) cost: u32,
    /// Side that has pressed without a move and has it still to make.
    pub(super) offender: Option<Color>,
}

/// One ply of an explanation.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) played: Played,
    pub(super) side: Color,
    /// Number of changes after which the board had shown it.
    pub(super) shown: usize,
}

/// What would have left the evidence.
#[derive(Clone)]
pub(super) struct Explanation {
    /// Number of the root it starts from.
    pub(super) origin: usize,
    pub(super) steps: ArrayVec<Step, DEPTH>,
    pub(super) position: Position,
    pub(super) cost: u32,
    /// Squares that read otherwise than the position says, beside those in somebody's hand.
    pub(super) lies: Bitboard,
    /// What each press completed.
    pub(super) outcomes: ArrayVec<Outcome, MOST_PRESSES>,
}

impl Explanation {
    /// Tells whether nothing in it is an offence.
    pub(super) fn is_innocent(&self) -> bool {
        self.steps.iter().all(|step| step.played.is_legal())
            && self.outcomes.iter().all(|outcome| !matches!(outcome, Outcome::Nothing | Outcome::InTheAir(_)))
    }
}

/// Searches for the explanations of the window from one root; the best come first.
pub(super) fn explain(evidence: Evidence<'_>, root: &Root, found: &mut ArrayVec<Explanation, MOST>) {
    let bound = found.first().map_or(u32::MAX, |best| best.cost + cost::MARGIN);
    let mut search = Search {
        evidence,
        touched: evidence.window.touched()
            | differences(root.position.board(), evidence.window.base())
            | differences(root.position.board(), evidence.window.board()),
        root,
        faults: 0,
        nodes: NODES,
        bound,
        boards: ArrayVec::new(),
        steps: ArrayVec::new(),
        found,
    };
    search.run(0);
    // Only evidence that cannot be explained without a fault is worth a search among faults.
    for faults in 1..=2 {
        if search.found.first().is_none_or(|best| best.cost > root.cost + cost::ILLEGAL / 2) {
            search.run(faults);
        }
    }
}

/// Adds an explanation in its place, unless one that leads to the same costs less, or there are enough better ones.
pub(super) fn insert(found: &mut ArrayVec<Explanation, MOST>, new: Explanation) {
    if let Some(twin) = found.iter().position(|old| old.lies == new.lies && old.position == new.position) {
        if found.get(twin).is_some_and(|old| old.cost <= new.cost) {
            return;
        }
        found.remove(twin);
    }
    let place = found.partition_point(|old| old.cost <= new.cost);
    if found.is_full() {
        if place == found.len() {
            return;
        }
        found.pop();
    }
    found.insert(place, new);
}

struct Search<'a> {
    evidence: Evidence<'a>,
    touched: Bitboard,
    root: &'a Root,
    /// Changes per chain that may have gone unreported.
    faults: u32,
    nodes: u32,
    bound: u32,
    boards: ArrayVec<Board, { DEPTH + 1 }>,
    steps: ArrayVec<Step, DEPTH>,
    found: &'a mut ArrayVec<Explanation, MOST>,
}

/// What was seen of one square's part in a ply.
enum Sighting {
    /// An update after this many changes.
    Reported(usize),
    /// Only a later dump.
    Dumped,
    None,
}

/// Where a search stands.
#[derive(Clone, Copy)]
struct Node {
    cost: u32,
    /// Number of changes by which the last ply had been shown.
    shown: usize,
    /// Faults used up.
    faults: u32,
    /// Squares whose deviation is paid for.
    paid: Bitboard,
}

impl Search<'_> {
    fn run(&mut self, faults: u32) {
        self.faults = faults;
        self.boards.clear();
        self.steps.clear();
        let node = Node { cost: self.root.cost, shown: 0, faults: 0, paid: Bitboard::EMPTY };
        let position = self.root.position.clone();
        self.visit(&position, node);
    }

    fn visit(&mut self, position: &Position, node: Node) {
        self.nodes = self.nodes.saturating_sub(1);
        if node.cost > self.bound || self.nodes == 0 {
            return;
        }
        self.boards.push(position.board().clone());
        // A chain that needs more faults is only new where it uses them all.
        if node.faults == self.faults {
            self.end(position, node);
        }
        if !self.steps.is_full() {
            for m in position.legal_moves() {
                self.try_move(position, node, m);
            }
            if self.faults == node.faults {
                self.try_irregular(position, node);
            }
        }
        self.boards.pop();
    }

    fn try_move(&mut self, position: &Position, node: Node, m: Move) {
        let Some(sight) = self.sight(position, node, m) else { return };
        let after = position.play(m);
        self.step(&after, position.turn(), Played::Legal(m), sight);
    }

    fn step(&mut self, after: &Position, side: Color, played: Played, node: Node) {
        self.steps.push(Step { played, side, shown: node.shown });
        self.visit(after, node);
        self.steps.pop();
    }

    /// Asks what was seen of a move; `None` if nothing speaks for it.
    fn sight(&self, position: &Position, node: Node, m: Move) -> Option<Node> {
        let trace = Trace::of(position, m);
        let known = self.touched | self.root.lies;
        let unknown = trace.squares().filter(|square| !known.contains(*square)).count();
        let (allowed, seen) = (self.faults - node.faults, trace.squares().any(|square| self.touched.contains(square)));
        if unknown > usize::try_from(allowed).unwrap_or(0) || !seen {
            return None;
        }
        let window = self.evidence.window;
        let earliest = self.earliest(node.shown);
        let mut after = node;
        let mut arrived = None::<usize>;
        for &(square, piece) in &trace.arrivals {
            match self.sighting(window.first_showing(square, piece, earliest)) {
                Sighting::Reported(count) => {
                    // It stood there before the ply that came first was made.
                    after.cost += if count == earliest && !self.steps.is_empty() { cost::OUT_OF_ORDER } else { 0 };
                    arrived = Some(arrived.map_or(count, |so_far| so_far.max(count)));
                }
                Sighting::Dumped => after.cost += cost::LOST_AND_FOUND,
                Sighting::None => self.miss_arrival(&mut after, position, m, square, earliest),
            }
        }
        let mut shown = arrived.unwrap_or(node.shown);
        for &(square, piece) in &trace.departures {
            // It may still have stood there when the last ply was shown, or have been lifted a little before.
            let since = if window.shows(square, node.shown) == Some(piece) { node.shown } else { earliest };
            match self.sighting(window.first_without(square, piece, since)) {
                Sighting::Reported(count)
                    if arrived.is_none_or(|arrived| count <= arrived || self.together(arrived, count)) =>
                {
                    let early = count == earliest && since == earliest && !self.steps.is_empty();
                    after.cost += if early { cost::LIFTED_EARLY } else { 0 };
                    shown = shown.max(count);
                }
                // It left long after it had arrived elsewhere: what left then was not this move.
                Sighting::Reported(_) => after.cost += cost::OUT_OF_ORDER,
                Sighting::Dumped => after.cost += cost::LOST_AND_FOUND,
                Sighting::None if piece.color != position.turn() => self.miss(&mut after, square, cost::VICTIM_LEFT),
                Sighting::None => self.miss(&mut after, square, cost::LOST_LIFT),
            }
        }
        if after.faults > self.faults || after.cost > self.bound {
            return None;
        }
        if arrived.is_some_and(|arrived| arrived < node.shown) {
            after.cost += if self.together(shown, node.shown) { cost::OVERTAKEN } else { cost::OUT_OF_ORDER };
        }
        after.shown = shown.max(node.shown);
        Some(after)
    }

    /// A change that only a dump told did happen, nobody knows when; but after a gap a dump is all there is.
    fn sighting(&self, count: Option<usize>) -> Sighting {
        let Some(count) = count else { return Sighting::None };
        let change = count.checked_sub(1).and_then(|index| self.evidence.window.changes().get(index));
        let dumped = change.is_some_and(|change| change.dumped) && !self.evidence.window.gap;
        if dumped { Sighting::Dumped } else { Sighting::Reported(count) }
    }

    fn miss(&self, node: &mut Node, square: Square, price: u32) {
        node.paid.add(square);
        if self.root.lies.contains(square) {
            node.cost += cost::KNOWN_LIE;
        } else {
            node.cost += if self.evidence.window.gap { cost::UNHEARD } else { price };
            node.faults += 1;
        }
    }

    /// Pays for a piece that was never shown where it was put.
    fn miss_arrival(&self, node: &mut Node, position: &Position, m: Move, square: Square, earliest: usize) {
        let mut reports = self.evidence.window.changes().iter().skip(earliest).filter(|change| change.square == square);
        let other = reports.find_map(|change| change.is);
        match other {
            // Taken at once, if a later ply takes there; otherwise the end has to pay for what stands there.
            Some(piece) if piece.color != position.turn() => {
                node.cost += cost::BLINK;
                node.faults += 1;
            }
            Some(_) => self.miss(node, square, cost::WRONG_PIECE),
            None => {
                let works = self.evidence.alive.contains(square);
                let price = if works { cost::LOST_PLACE } else { cost::DEAD_SQUARE };
                let hangs = sense::hangs(&position.play(m), square);
                self.miss(node, square, price + if hangs { cost::SENSELESS } else { 0 });
            }
        }
    }

    /// Returns the number of changes from which evidence for a ply after `shown` changes may come.
    fn earliest(&self, shown: usize) -> usize {
        let window = self.evidence.window;
        let last = shown.checked_sub(1).and_then(|index| window.changes().get(index));
        last.map_or(0, |change| {
            let from = change.at.before(self.evidence.jitter);
            window.changes().partition_point(|change| change.at < from)
        })
    }

    fn together(&self, a: usize, b: usize) -> bool {
        let at = |count: usize| {
            count.checked_sub(1).and_then(|index| self.evidence.window.changes().get(index)).map(|change| change.at)
        };
        match (at(a.min(b)), at(a.max(b))) {
            (Some(first), Some(second)) => second.since(first) <= self.evidence.jitter,
            _ => true,
        }
    }

    /// Takes what stood on the board at the next press for a ply, however irregular.
    fn try_irregular(&mut self, position: &Position, node: Node) {
        let side = position.turn();
        let done = self.steps.iter().filter(|step| step.side == side).count();
        let ripe = self.evidence.presses.iter().take(self.evidence.ripe);
        let Some(press) = ripe.filter(|press| press.side == side).nth(done) else { return };
        let window = self.evidence.window;
        let count = window.count_until(press.at + self.evidence.jitter / 2).max(node.shown);
        let shown = window.board_after(count);
        let Some((played, price)) = super::offence::irregular(position, &shown, self.root.lies) else { return };
        let after = played.apply(position);
        let changed = differences(position.board(), &shown);
        let dumped = |square: &Square| {
            let last = window.changes().iter().take(count).rev().find(|change| change.square == *square);
            last.is_some_and(|change| change.dumped) && !window.gap
        };
        let found = u32::try_from(changed.into_iter().filter(dumped).count()).unwrap_or(0);
        let next = Node { cost: node.cost + price + found * cost::LOST_AND_FOUND, shown: count, ..node };
        if next.cost <= self.bound {
            self.step(&after, side, played, next);
        }
    }

    /// Weighs the chain as it stands.
    fn end(&mut self, position: &Position, node: Node) {
        let (deviation, lies) = self.deviation(position, node);
        let paired = press::pair(&self.evidence, self.root, &self.steps, position);
        let cost = node.cost + deviation + paired.cost + self.transients() + self.parity(position);
        if cost > self.bound {
            return;
        }
        let explanation = Explanation {
            origin: self.root.number,
            steps: self.steps.clone(),
            position: position.clone(),
            cost,
            lies,
            outcomes: paired.outcomes,
        };
        insert(self.found, explanation);
        if let Some(best) = self.found.first() {
            self.bound = self.bound.min(best.cost + cost::MARGIN);
        }
    }

    /// After a gap the clock tells whose turn it is, unless the last ply is still to be pressed.
    fn parity(&self, position: &Position) -> u32 {
        if !self.evidence.window.gap || !self.evidence.presses.is_empty() {
            return 0;
        }
        let wrong = self.evidence.running.is_some_and(|side| side != position.turn());
        let plies = u32::try_from(self.steps.len()).unwrap_or(u32::MAX);
        cost::UNHEARD * plies + if wrong { cost::UNPRESSED } else { 0 }
    }

    /// Prices the squares that read otherwise than the position says, and returns those that lie.
    fn deviation(&self, position: &Position, node: Node) -> (u32, Bitboard) {
        let board = self.evidence.window.board();
        let known = self.root.lies | node.paid;
        let odd = differences(position.board(), board);
        let us = position.turn();
        let mut price = 0;
        let mut lies = odd & known;
        for square in odd & !known {
            let (is_lie, cost) = match (position.board().piece_at(square), board.piece_at(square)) {
                (Some(wanted), None) => match (wanted.color == us, self.lifted_since(square, node.shown)) {
                    (true, true) => (false, cost::IN_HAND),
                    (true, false) => (false, cost::LIFTED_EARLY),
                    (false, true) if self.attacked(position, square) => (false, cost::VICTIM_LIFTED),
                    (false, true) if !self.moved_to(square) => (false, cost::ADJUSTED),
                    (false, _) => (true, cost::MISSING),
                },
                (None, Some(seen)) if seen.color == us && self.in_hand(position, seen, known) => (false, cost::PARKED),
                (Some(wanted), Some(seen))
                    if wanted.color != us && seen.color == us && self.in_hand(position, seen, known) =>
                {
                    (false, cost::PARKED)
                },
                (None, Some(_)) => (true, cost::STRAY),
                (Some(_), Some(_)) => (true, cost::WRONG_PIECE),
                (None, None) => (false, 0),
            };
            price += cost;
            if is_lie {
                lies.add(square);
            }
        }
        // A square that lies goes on lying while nothing is expected of it.
        (price, lies | (self.root.lies & !odd))
    }

    /// Tells whether a ply of the chain ended on this square.
    fn moved_to(&self, square: Square) -> bool {
        self.steps.iter().any(|step| match &step.played {
            Played::Legal(Move::Castle { king, rook }) => {
                let (king_to, rook_to) = castling_squares(*king, *rook);
                square == king_to || square == rook_to
            }
            Played::Legal(m) => m.to() == square,
            Played::Irregular(irregular) => irregular.to == square,
        })
    }

    /// Tells whether a square was emptied after so many changes, or hardly before.
    fn lifted_since(&self, square: Square, count: usize) -> bool {
        let last = self.evidence.window.changes().iter().rposition(|change| change.square == square);
        last.is_some_and(|index| index + 1 > count || self.together(index + 1, count))
    }

    fn attacked(&self, position: &Position, square: Square) -> bool {
        position.board().attacks_to(square, position.turn(), position.board().occupied()).any()
    }

    /// Tells whether such a piece is off its square, and so may show up elsewhere.
    fn in_hand(&self, position: &Position, piece: Piece, lies: Bitboard) -> bool {
        let lifted = position.board().by_piece(piece) & !self.evidence.window.board().by_piece(piece) & !lies;
        lifted.any() || !matches!(piece.role, Role::Pawn | Role::King) && self.promoting(position)
    }

    fn promoting(&self, position: &Position) -> bool {
        let seventh = position.turn().fold_wb(shakmaty::Rank::Seventh, shakmaty::Rank::Second);
        (position.board().by_piece(position.turn().pawn()) & Bitboard::from(seventh)).any()
    }

    /// Prices what showed up for a while and belongs to no position of the chain.
    fn transients(&self) -> u32 {
        let window = self.evidence.window;
        let mut price = 0;
        for (index, change) in window.changes().iter().enumerate() {
            let known = self.boards.iter().any(|board| match change.was {
                None if change.is.is_none() => board.occupied().contains(change.square),
                _ => board.piece_at(change.square) == change.is,
            });
            if known {
                continue;
            }
            price += match change.is {
                None if change.was.is_none() => cost::GHOST,
                None => cost::TOUCHED,
                Some(piece) if self.stood_at_press(piece, change.square, index) => cost::GHOST,
                Some(piece) if self.carried(piece, index) => cost::PASSED_OVER,
                Some(_) => cost::GHOST,
            };
        }
        price
    }

    /// Tells whether a piece still stood where this change had brought it when its side pressed.
    fn stood_at_press(&self, piece: Piece, square: Square, index: usize) -> bool {
        let changes = self.evidence.window.changes();
        let Some(arrived) = changes.get(index).map(|change| change.at) else { return false };
        let left = changes.iter().skip(index + 1).find(|change| change.square == square).map(|change| change.at);
        self.evidence.presses.iter().any(|press| {
            press.side == piece.color
                && arrived <= press.at
                && left.is_none_or(|left| left.since(press.at) > self.evidence.settle)
        })
    }

    /// Tells whether a piece was off a square where some position of the chain has it.
    fn carried(&self, piece: Piece, index: usize) -> bool {
        let window = self.evidence.window;
        self.boards.iter().any(|board| {
            board.by_piece(piece).into_iter().any(|home| {
                window.shows(home, index) != Some(piece) || window.shows(home, index + 2) != Some(piece)
            })
        })
    }
}

/// What a move changes on the board.
struct Trace {
    departures: ArrayVec<(Square, Piece), 2>,
    arrivals: ArrayVec<(Square, Piece), 2>,
}

impl Trace {
    fn of(position: &Position, m: Move) -> Self {
        let us = position.turn();
        let mut departures = ArrayVec::new();
        let mut arrivals = ArrayVec::new();
        match m {
            Move::Normal { role, from, to, promotion, .. } => {
                departures.push((from, Piece { color: us, role }));
                arrivals.push((to, Piece { color: us, role: promotion.unwrap_or(role) }));
            }
            Move::EnPassant { from, to } => {
                departures.push((from, us.pawn()));
                departures.push((Square::from_coords(to.file(), from.rank()), (!us).pawn()));
                arrivals.push((to, us.pawn()));
            }
            Move::Castle { king, rook } => {
                let (king_to, rook_to) = castling_squares(king, rook);
                for (from, to, piece) in [(king, king_to, us.king()), (rook, rook_to, us.rook())] {
                    if from != to {
                        arrivals.push((to, piece));
                        if from != king_to && from != rook_to {
                            departures.push((from, piece));
                        }
                    }
                }
            }
            Move::Put { .. } => {}
        }
        Self { departures, arrivals }
    }

    fn squares(&self) -> impl Iterator<Item = Square> {
        self.departures.iter().chain(&self.arrivals).map(|(square, _)| *square)
    }
}
