//! Finds the explanations of a window: which plies, from which position, would have left this evidence.
//!
//! A depth-first search over plies that the evidence speaks for. Each ply pays for what should have been seen and
//! was not; each end pays for what is seen and should not be, and for presses that nothing was made for.

mod emission;
mod fleeting;
mod like_taken;
mod residual;
mod shoved;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Board, ByColor, ByRole, Color, Move, MoveList, Square};

use super::{
    cost,
    evidence::{Evidence, ExplainedPly, Root},
    offence,
    press::{self, Outcome},
};
use crate::{
    fact::Change,
    game::{Irregular, Played},
    model::{decision, effort},
    position::{Position, differences},
};

/// What would have left the evidence.
#[derive(Clone)]
pub(super) struct Explanation {
    /// Number of the root it starts from.
    pub(super) origin: usize,
    pub(super) steps: ArrayVec<ExplainedPly, { effort::DEPTH }>,
    pub(super) position: Position,
    pub(super) cost: u32,
    /// Squares that read otherwise than the position says, beside those in somebody's hand.
    pub(super) faulty: Bitboard,
    /// What each press completed.
    pub(super) outcomes: ArrayVec<Outcome, { effort::MOST_PRESSES }>,
}

impl Explanation {
    /// Returns whether all its plies are legal.
    pub(super) fn is_regular(&self) -> bool {
        self.steps.iter().all(|step| step.played.is_legal())
    }

    /// Returns whether nothing in it is an offence.
    pub(super) fn is_innocent(&self) -> bool {
        self.is_regular()
            && self.outcomes.iter().all(|outcome| !matches!(outcome, Outcome::Nothing | Outcome::InTheAir(_)))
    }
}

/// Searches for the explanations of the window from one root that cost no more than the limit, if there is one; the best come
/// first.
///
/// Returns how much work it was, at most `budget`.
pub(super) fn explain(
    evidence: Evidence<'_>,
    root: &Root,
    budget: u32,
    limit: Option<u32>,
    found: &mut Vec<Explanation>,
) -> u32 {
    // Every position is weighed against the whole window.
    let weight = u32::try_from(1 + evidence.window.changes().len() / effort::HEAVY).unwrap_or(u32::MAX);
    let most = effort::NODES.min(budget / weight);
    let bound = found.first().map_or(u32::MAX, |best| best.cost + cost::MARGIN);
    let bound = limit.map_or(bound, |limit| bound.min(limit));
    let mut search = Search {
        evidence,
        touched: evidence.window.touched()
            | differences(root.position.board(), evidence.window.base())
            | differences(root.position.board(), evidence.window.board()),
        changed: evidence.window.touched(),
        displayed: evidence.window.displayed(),
        root,
        faults: 0,
        nodes: most,
        bound,
        boards: ArrayVec::new(),
        shown: ArrayVec::new(),
        steps: ArrayVec::new(),
        found,
    };
    search.run(0);
    // What of the positions is kept from the search with two faults.
    let mut spared = 0;
    // Only evidence that cannot be explained without a fault is worth a search among faults.
    for faults in 1..=2 {
        let explained = |best: &Explanation| {
            best.cost <= root.cost + cost::ILLEGAL / 2 && (faults > 1 || !search.arrives_unseen(best))
        };
        if !search.found.first().is_some_and(explained) {
            // Two faults at once are worth a look only where they cast doubt on the best.
            if let (2, Some(best)) = (faults, search.found.first()) {
                search.bound = search.bound.min(best.cost + decision::CERTAIN);
                spared = search.nodes.saturating_sub(effort::NODES_WITH_TWO_FAULTS);
                search.nodes -= spared;
            }
            search.run(faults);
        }
    }
    (most - search.nodes - spared) * weight
}

/// Adds an explanation in its place, unless one that leads to the same costs less, or there are enough better ones.
pub(super) fn insert(found: &mut Vec<Explanation>, new: Explanation) {
    if let Some(twin) = found.iter().position(|old| old.faulty == new.faulty && old.position == new.position)
    {
        if found.get(twin).is_some_and(|old| old.cost <= new.cost) {
            return;
        }
        found.remove(twin);
    }
    let place = found.partition_point(|old| old.cost <= new.cost);
    if found.len() >= effort::EXPLANATIONS {
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
    /// Squares that changed.
    changed: Bitboard,
    /// Squares on which each piece was shown at some time.
    displayed: ByColor<ByRole<Bitboard>>,
    root: &'a Root,
    /// Changes per chain that may have gone unreported.
    faults: u32,
    nodes: u32,
    bound: u32,
    boards: ArrayVec<Board, { effort::DEPTH + 1 }>,
    /// What the board showed after some numbers of changes.
    shown: ArrayVec<(usize, Board), 8>,
    steps: ArrayVec<ExplainedPly, { effort::DEPTH }>,
    found: &'a mut Vec<Explanation>,
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
    /// Those of them on which a piece is said to have stood for less than a scan, until it goes on or is taken.
    fleeting: Bitboard,
    /// Those of them that a piece is said to have come to and not shown, until it goes on.
    hidden: Bitboard,
    /// Those from which it has gone on.
    silent: Bitboard,
}

impl Node {
    /// Returns the squares on which a piece stands that was never shown there.
    fn unshown(&self) -> Bitboard {
        self.fleeting | self.hidden
    }

    /// Notes that a piece has gone on from a square on which it stood for less than a scan, or was taken there.
    fn leave_fleeting(&mut self, square: Square) {
        self.fleeting.discard(square);
        self.paid.discard(square);
    }

    /// Notes that a piece has gone on from a square that has not shown it.
    fn leave_hidden(&mut self, square: Square) {
        self.hidden.discard(square);
        self.silent.add(square);
        self.paid.discard(square);
    }
}

impl Search<'_> {
    fn run(&mut self, faults: u32) {
        self.faults = faults;
        self.boards.clear();
        self.steps.clear();
        let node = Node {
            cost: self.root.cost,
            shown: 0,
            faults: 0,
            paid: Bitboard::EMPTY,
            fleeting: Bitboard::EMPTY,
            hidden: Bitboard::EMPTY,
            silent: Bitboard::EMPTY,
        };
        let position = self.root.position.clone();
        self.visit(&position, node);
    }

    /// Returns whether a piece went to a square that is known to be faulty: it may as well have gone to one of which that is not known yet.
    fn arrives_unseen(&self, explanation: &Explanation) -> bool {
        explanation.steps.iter().any(|step| match step.played {
            Played::Legal(m) => self.root.faulty.contains(m.to()) && !self.changed.contains(m.to()),
            Played::Irregular(_) => false,
        })
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
        if self.steps.len() < effort::SEARCHED {
            // Without faults left only what moves between squares that something is known of is worth a look.
            if node.faults < self.faults || self.may_move(position, node.unshown()) {
                let earliest = self.earliest(node.shown);
                let most = self.faults - node.faults;
                let mut moves = MoveList::new();
                let targets = |role, from| self.targets(position, role, from, node.unshown(), most);
                position.add_legal_moves_to(targets, &mut moves);
                for m in &moves {
                    self.try_move(position, node, earliest, *m);
                }
            }
            if self.faults == node.faults {
                self.try_irregular(position, node);
            }
        }
        self.boards.pop();
    }

    fn try_move(&mut self, position: &Position, node: Node, earliest: usize, m: Move) {
        let Some(emission) = self.emission(position, node, earliest, m) else { return };
        let after = position.play(m);
        // How many others are as good is counted where the explanation is complete.
        let inferred = emission.unshown().contains(m.to()).then_some(0);
        let late = self.noticed_late(position, node, emission, m);
        self.step(&after, position.turn(), Played::Legal(m), emission, inferred);
        if let Some(late) = late {
            self.step(&after, position.turn(), Played::Legal(m), late, inferred);
        }
    }

    fn step(&mut self, after: &Position, side: Color, played: Played, node: Node, inferred: Option<u32>) {
        self.steps.push(ExplainedPly { played, side, shown: node.shown, inferred });
        self.visit(after, node);
        self.steps.pop();
    }

    /// Reads what stood on the board at the next press for a ply, however irregular; or what stood there when its side
    /// had put something down last, as the opponent may have replied before the press was seen.
    fn try_irregular(&mut self, position: &Position, node: Node) {
        if !self.evidence.clocked && self.evidence.presses.is_empty() {
            self.try_irregular_replied(position, node);
            return;
        }
        let side = position.turn();
        let done = self.steps.iter().filter(|step| step.side == side).count();
        let ripe = self.evidence.presses.iter().take(self.evidence.ripe);
        let mut own = ripe.filter(|press| press.side == side);
        // Those for earlier plies may have fallen between two readings of the clock.
        let hidden = self.evidence.may_hide_presses && done > 0;
        let Some(press) = (if hidden { own.clone().nth(done).or(own.next_back()) } else { own.nth(done) })
        else {
            // It may lie between two readings of the clock: the opponent has accepted the move.
            if self.evidence.reads_seldom {
                self.try_irregular_replied(position, node);
            }
            return;
        };
        let window = self.evidence.window;
        // What stood there at the press is shown by the next dump, if there are only dumps.
        let delay = if self.evidence.updates { self.evidence.jitter / 2 } else { self.evidence.settle };
        let pressed = window.count_until(press.at + delay).max(node.shown);
        self.try_irregular_after(position, node, pressed);
        // What a dump shows next stood there at the press, if no update has reported it since.
        if self.evidence.updates && !window.gap {
            let reported_next =
                window.changes().iter().skip(pressed).take_while(|change| change.dumped).count();
            if reported_next > 0 {
                self.try_irregular_after(position, node, pressed + reported_next);
            }
        }
        let since = window.changes().iter().enumerate().take(pressed).skip(node.shown);
        let theirs = |change: &Change| change.is.or(change.was).is_some_and(|piece| piece.color != side);
        let own = |change: &Change| change.is.is_some_and(|piece| piece.color == side);
        let mut put_down = since.filter(|(_, change)| own(change)).map(|(index, _)| index + 1);
        // Where it came from may report a little later. Who captures what was put down may take it off first.
        let reply = |count: usize| {
            let down = count.checked_sub(1).and_then(|index| window.changes().get(index));
            let taken = |change: &Change| down.is_some_and(|down| down.square == change.square);
            let mut later = window.changes().iter().take(pressed).skip(count);
            later.position(|change| theirs(change) || taken(change)).map(|further| count + further)
        };
        let first = put_down.next();
        let last = put_down.next_back().and_then(reply);
        // Where reports are missing it shows too little, and would double the work.
        let first = first.filter(|_| !self.evidence.disordered).and_then(reply);
        for count in first.into_iter().chain(last.filter(|last| Some(*last) != first)) {
            self.try_irregular_after(position, node, count);
        }
    }

    /// Reads what stood on the board when the opponent's hand went to work for a ply, where no clock has reported a press: he has accepted it.
    fn try_irregular_replied(&mut self, position: &Position, node: Node) {
        let (side, window) = (position.turn(), self.evidence.window);
        let is_own = |change: &Change| change.is.is_some_and(|piece| piece.color == side);
        let is_reply =
            |change: &Change| change.is.is_none() && change.was.is_some_and(|piece| piece.color != side);
        let mut put_down = false;
        let replies = window.changes().iter().enumerate().skip(node.shown).filter(|(_, change)| {
            put_down |= is_own(change);
            let replies = put_down && is_reply(change);
            put_down &= !replies;
            replies
        });
        for (count, _) in replies.take(2) {
            self.try_irregular_after(position, node, count);
        }
    }

    fn try_irregular_after(&mut self, position: &Position, node: Node, count: usize) {
        let side = position.turn();
        let window = self.evidence.window;
        let mut shown = self.board_after(count);
        let mut node = node;
        // A king has come, no other piece has left, and the leaving of the king was not reported.
        let two = shown.by_piece(side.king()).count() == 2;
        if let Some(king) = position.board().king_of(side).filter(|_| two)
            && (position.board().by_color(side) & !shown.by_color(side)).is_empty()
        {
            shown.discard_piece_at(king);
            node.cost += cost::LOST_UPDATE;
            node.paid.add(king);
        }
        let played = offence::irregular(position, &shown, self.root.faulty);
        let Some((played, price)) = played.or_else(|| self.like_taken(position, &shown, count)) else {
            return;
        };
        let played = self.named_by_move(position, played, count);
        let price = price + self.moved_in_his_time(position, &played, count);
        let taken_up = |square, piece| window.taken_up(square, piece, count).is_some();
        let alone = offence::beside_taken_up(position, &played, taken_up);
        let node = Node { shown: count, ..node };
        self.step_irregular(position, node, differences(position.board(), &shown), played, price);
        for (played, price) in alone {
            self.step_irregular(position, node, differences(position.board(), &played.board), played, price);
        }
    }

    /// Prices that the player to move has moved a piece of the opponent's that had left its square in the opponent's time.
    fn moved_in_his_time(&self, position: &Position, played: &Irregular, count: usize) -> u32 {
        let us = position.turn();
        if position.board().color_at(played.from) != Some(!us) {
            return 0;
        }
        let squares = Bitboard::from(played.from).with(played.to);
        let before = self.evidence.changed_in_time_of(!us, squares, count);
        if before { cost::MOVED_IN_HIS_TIME } else { 0 }
    }

    /// Handles what the first `node.shown` changes have left on `changed` squares for a ply.
    fn step_irregular(
        &mut self,
        position: &Position,
        node: Node,
        changed: Bitboard,
        played: Irregular,
        price: u32,
    ) {
        let window = self.evidence.window;
        let dumped = |square: &Square| {
            let last = window.last_change_within(*square, node.shown);
            last.is_some_and(|change| change.dumped) && !window.gap && self.evidence.updates
        };
        let found = u32::try_from(changed.into_iter().filter(dumped).count()).unwrap_or(0);
        let next = Node { cost: node.cost + price + found * cost::LOST_AND_FOUND, ..node };
        if next.cost <= self.bound {
            let played = Played::Irregular(Box::new(played));
            let after = played.apply(position);
            self.step(&after, position.turn(), played, next, None);
        }
    }

    /// Returns what the board showed after so many changes; few such numbers are asked for, and all again and again.
    fn board_after(&mut self, count: usize) -> Board {
        if let Some((_, board)) = self.shown.iter().find(|(known, _)| *known == count) {
            return board.clone();
        }
        let board = self.evidence.window.board_after(count);
        if self.shown.is_full() {
            self.shown.pop();
        }
        self.shown.push((count, board.clone()));
        board
    }

    /// Weighs the chain as it stands.
    fn end(&mut self, position: &Position, node: Node) {
        let cost = node.cost + self.parity(position);
        let Some(most) = self.bound.checked_sub(cost) else { return };
        let Some((deviation, faulty)) = self.deviation(position, node, most) else { return };
        let cost = cost + deviation;
        let paired = press::pair(&self.evidence, self.root, &self.steps, position);
        let cost = cost + paired.cost;
        if cost > self.bound {
            return;
        }
        let (_, shoved) = self.shoved(position, faulty & !self.root.faulty & !node.paid);
        let cost = cost + self.transients(self.bound - cost, shoved);
        if cost > self.bound {
            return;
        }
        let mut steps = self.steps.clone();
        self.count_alternatives(&mut steps);
        let explanation = Explanation {
            origin: self.root.number,
            steps,
            position: position.clone(),
            cost,
            faulty,
            outcomes: paired.outcomes,
        };
        insert(self.found, explanation);
        if let Some(best) = self.found.first() {
            self.bound = self.bound.min(best.cost + cost::MARGIN);
        }
    }
}
