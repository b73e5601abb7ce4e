//! What was seen of one move: its arrivals, its departures, and what is missing of them.

use std::time::Duration;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Move, Piece, Rank, Role, Square, attacks};

use super::{Node, Search};
use crate::{
    fact::Change,
    position::{Position, castling_squares},
    tracker::{cost, move_prior, window::Press},
};

/// What was seen of one square's part in a ply.
enum Sighting {
    /// An update after this many changes.
    Reported(usize),
    /// Only a later dump.
    Dumped,
    None,
}

impl Search<'_> {
    /// Asks what was seen of a move; `None` if nothing speaks for it.
    ///
    /// Evidence for it may come from change number `earliest` on.
    pub(super) fn emission(&self, position: &Position, node: Node, earliest: usize, m: Move) -> Option<Node> {
        let trace = Trace::of(position, m);
        let coming = self.king_to_come(position, m, earliest);
        let squares = trace.squares();
        let known = self.touched | self.root.faulty | node.unshown();
        let unknown = squares & !known & !coming.map_or(Bitboard::EMPTY, Bitboard::from);
        let allowed = self.faults - node.faults;
        let too_many = match allowed {
            0 => unknown.any(),
            1 => unknown.more_than_one(),
            _ => unknown.count() > usize::try_from(allowed).unwrap_or(0),
        };
        if too_many || (squares & self.touched).is_empty() {
            return None;
        }
        let window = self.evidence.window;
        let mut after = node;
        if (squares & self.changed).is_empty() && !window.gap {
            after.cost += cost::THIS_OF_ALL;
        }
        let mut arrived = None::<usize>;
        for &(square, piece) in &trace.arrivals {
            match self.sighting(self.arrival(node, m, square, piece, earliest)) {
                Sighting::Reported(count) => {
                    // It stood there before the ply that came first was made.
                    after.cost +=
                        if count == earliest && !self.steps.is_empty() { cost::OUT_OF_ORDER } else { 0 };
                    arrived = Some(arrived.map_or(count, |so_far| so_far.max(count)));
                }
                Sighting::Dumped => after.cost += cost::LOST_AND_FOUND,
                Sighting::None if coming == Some(square) => {
                    after.cost += cost::KING_TO_COME;
                    after.paid.add(square);
                }
                Sighting::None if self.takes_fleeting(node, square, piece) => after.leave_fleeting(square),
                Sighting::None if self.is_one_too_many(&after, square) => return None,
                Sighting::None => self.miss_arrival(&mut after, position, m, square, earliest),
            }
        }
        if after.faults > self.faults || after.cost > self.bound {
            return None;
        }
        let mut shown = arrived.unwrap_or(node.shown);
        let (mut victim_left, mut stands) = (0, false);
        for &(square, piece) in &trace.departures {
            if node.hidden.contains(square) {
                after.cost += self.price_of_hidden(square, piece, arrived);
                after.leave_hidden(square);
                continue;
            }
            if node.fleeting.contains(square) && piece.color != position.turn() {
                after.leave_fleeting(square);
                continue;
            }
            if node.fleeting.contains(square) {
                self.go_on(&mut after, square, piece, arrived);
                continue;
            }
            // It may still have stood there when the last ply was shown, or have been lifted a little before.
            let since = if window.showed(square, piece, node.shown) { node.shown } else { earliest };
            match self.sighting(window.first_without(square, piece, since)) {
                Sighting::Reported(count)
                    if arrived.is_none_or(|arrived| count <= arrived || self.together(arrived, count)) =>
                {
                    let early = count == earliest && since == earliest && !self.steps.is_empty();
                    after.cost += if early { cost::LIFTED_EARLY } else { 0 };
                    shown = shown.max(count);
                }
                // A pawn captured in passing is taken off after the other has arrived.
                Sighting::Reported(count) if piece.color != position.turn() => victim_left = count,
                // It left long after it had arrived elsewhere: what left then was not this move.
                Sighting::Reported(_) => after.cost += cost::OUT_OF_ORDER,
                Sighting::Dumped => after.cost += cost::LOST_AND_FOUND,
                Sighting::None if self.is_one_too_many(&after, square) => return None,
                Sighting::None if piece.color != position.turn() => {
                    self.miss(&mut after, square, cost::VICTIM_LEFT);
                }
                Sighting::None => {
                    self.miss(&mut after, square, cost::LOST_UPDATE);
                    stands = window.board().piece_at(square) == Some(piece);
                }
            }
        }
        // Nothing at all was seen of it, and its piece stands where it stood.
        after.cost += if stands && arrived.is_none() && !window.gap { cost::NOTHING_SEEN } else { 0 };
        if after.faults > self.faults || after.cost > self.bound {
            return None;
        }
        if arrived.is_some_and(|arrived| arrived < node.shown) {
            after.cost += self.overtaken(shown, node.shown);
        }
        after.shown = shown.max(node.shown).max(victim_left);
        Some(after)
    }

    /// Returns the square to which a castling king is still to come: it was lifted, and the rook stands on its new square.
    /// A king that stands beside the middle of its square is noticed after the press.
    fn king_to_come(&self, position: &Position, m: Move, earliest: usize) -> Option<Square> {
        let Move::Castle { king, rook } = m else { return None };
        let (us, window) = (position.turn(), self.evidence.window);
        let (king_to, rook_to) = castling_squares(king, rook);
        let lifted = window.first_without(king, us.king(), earliest).is_some()
            && window.board().by_piece(us.king()).is_empty();
        (king != king_to && lifted && window.first_showing(rook_to, us.rook(), earliest).is_some())
            .then_some(king_to)
    }

    /// Returns the squares to which a move of the piece on `from` may be worth a look if at most so many of its ends may
    /// be ones that nothing is known of, or on which nothing was seen of it: at least one end has to be a square that was
    /// touched.
    ///
    /// It only spares asking [`Search::emission`] of moves that this refuses.
    pub(super) fn targets(
        &self,
        position: &Position,
        role: Role,
        from: Square,
        unshown: Bitboard,
        most_unknown: u32,
    ) -> Bitboard {
        let known = self.touched | self.root.faulty | unshown;
        let near = match (self.touched.contains(from), known.contains(from)) {
            (true, _) if most_unknown > 0 => Bitboard::FULL,
            (true, _) => known,
            (false, true) => self.touched,
            (false, false) if most_unknown > 0 => self.touched,
            (false, false) => return Bitboard::EMPTY,
        };
        let piece = Piece { color: position.turn(), role };
        let stays = !self.changed.contains(from)
            && !self.root.faulty.contains(from)
            && self.evidence.window.base().by_piece(piece).contains(from);
        match most_unknown.checked_sub(stays.into()) {
            None => Bitboard::EMPTY,
            // It may arrive as another piece.
            Some(0) if role == Role::Pawn && piece.color.relative_rank(from.rank()) == Rank::Seventh => near,
            Some(0) => near & (*self.displayed.get(piece.color).get(role) | self.root.faulty),
            Some(_) => near,
        }
    }

    /// Returns the number of changes after which a move had brought a piece to a square: what came there and left again while the piece
    /// still stood where the move starts from was passing, as a rook that slid over the square before.
    fn arrival(&self, node: Node, m: Move, square: Square, piece: Piece, earliest: usize) -> Option<usize> {
        let count = self.first_arrival(square, piece, earliest)?;
        let window = self.evidence.window;
        let Some(from) = m.from().filter(|from| window.showed(*from, piece, node.shown)) else {
            return Some(count);
        };
        let departure =
            window.first_without(square, piece, count).filter(|departure| *departure <= node.shown);
        let lifted = window.first_without(from, piece, node.shown);
        let again =
            departure.zip(lifted).and_then(|(departure, _)| window.first_showing(square, piece, departure));
        Some(again.unwrap_or(count))
    }

    /// Returns the number of changes after which a piece had arrived on a square.
    ///
    /// What an earlier position of the chain already had there has to leave first: a pawn that retakes on the square of
    /// a captured pawn, a queen that returns.
    fn first_arrival(&self, square: Square, piece: Piece, earliest: usize) -> Option<usize> {
        if !self.displayed.get(piece.color).get(piece.role).contains(square) {
            return None;
        }
        let window = self.evidence.window;
        let stood = window.showed(square, piece, earliest)
            && self.boards.iter().any(|board| board.by_piece(piece).contains(square));
        let from = if stood { window.first_without(square, piece, earliest)? } else { earliest };
        window.first_showing(square, piece, from)
    }

    /// A change that only a dump showed did happen, nobody knows when; but after a gap a dump is all there is.
    fn sighting(&self, count: Option<usize>) -> Sighting {
        let Some(count) = count else { return Sighting::None };
        let change = count.checked_sub(1).and_then(|index| self.evidence.window.changes().get(index));
        let alone = self.evidence.window.gap || !self.evidence.updates;
        let dumped = change.is_some_and(|change| change.dumped) && !alone;
        if dumped { Sighting::Dumped } else { Sighting::Reported(count) }
    }

    /// Returns whether the chain has no fault left for what was not seen of a square.
    fn is_one_too_many(&self, node: &Node, square: Square) -> bool {
        node.faults >= self.faults && !self.root.faulty.contains(square)
    }

    fn miss(&self, node: &mut Node, square: Square, price: u32) {
        node.paid.add(square);
        if self.root.faulty.contains(square) {
            node.cost += cost::KNOWN_CORRUPTED;
        } else {
            node.cost += if self.evidence.window.gap { cost::UNHEARD } else { price };
            node.faults += 1;
        }
    }

    /// Pays for a piece that was never shown where it was put.
    fn miss_arrival(&self, node: &mut Node, position: &Position, m: Move, square: Square, earliest: usize) {
        // A pawn that is to be promoted may come down first.
        let pawn = position.turn().pawn();
        let exchanged = m.is_promotion() && self.lifted_before_press(pawn, square, earliest);
        let is_other = |change: &Change| change.is.is_some_and(|piece| !(exchanged && piece == pawn));
        let other = self.evidence.window.first_of(square, earliest, is_other);
        let other = other.and_then(|(_, change)| change.is);
        // A piece of the mover's that has gone on was only passing, as a king that castles over the square of the rook.
        let shown = self.evidence.window.board().piece_at(square);
        let other = other.filter(|piece| piece.color != position.turn() || shown.is_some());
        match other {
            // Taken at once, if a later ply takes there; otherwise the end has to pay for what stands there.
            Some(piece) if piece.color != position.turn() => {
                node.cost += cost::BLINK;
                node.faults += 1;
            }
            // One that comes after it was taken with a piece like the one that it took says nothing against it.
            Some(_) | None
                if (other.is_none() || m.is_capture())
                    && !self.root.faulty.contains(square)
                    && self.may_be_fleeting(position, m, square, earliest) =>
            {
                self.miss(node, square, cost::BLINK);
                node.fleeting.add(square);
            }
            Some(_) => self.miss(node, square, cost::WRONG_PIECE),
            None => {
                self.miss(node, square, self.unseen_arrival(square));
                node.hidden.add(square);
                let known = self.root.faulty.contains(square) || self.evidence.window.gap;
                if known {
                    return;
                }
                node.cost += move_prior::destination(position, m);
                // Sense is asked last, as it takes longest.
                if node.faults <= self.faults
                    && node.cost <= self.bound
                    && move_prior::hangs(&position.play(m), square)
                {
                    node.cost += cost::SENSELESS;
                }
            }
        }
    }

    /// Prices that a piece goes on from a square that did not show it, and has arrived after so many changes: it did not stand there if
    /// it stood elsewhere at its press.
    fn price_of_hidden(&self, square: Square, piece: Piece, arrived: Option<usize>) -> u32 {
        let came =
            self.steps.iter().rev().find(|step| step.played.ends_on(square)).map_or(0, |step| step.shown);
        let changes = self.evidence.window.changes();
        let before = arrived.map_or(changes.len(), |arrived| arrived.saturating_sub(1));
        let mut since = changes.iter().enumerate().take(before).skip(came);
        let elsewhere = since.any(|(index, change)| {
            change.is == Some(piece) && self.stood_at_press(piece, change.square, index)
        });
        if elsewhere { cost::STRAY } else { cost::KNOWN_CORRUPTED }
    }

    /// Prices that a square has reported nothing of a piece that was put on it.
    pub(super) fn unseen_arrival(&self, square: Square) -> u32 {
        let works = self.evidence.seen_squares.contains(square);
        let others = self.root.faulty.without(square) & !self.evidence.seen_squares;
        match (works, others.any()) {
            (true, _) => cost::LOST_UPDATE,
            (false, false) => cost::DEAD_SQUARE,
            (false, true) => cost::FURTHER_DEAD_SQUARE,
        }
    }

    /// Returns whether a piece came to a square and was lifted again before its side pressed.
    fn lifted_before_press(&self, piece: Piece, square: Square, earliest: usize) -> bool {
        let window = self.evidence.window;
        let change = |count: usize| count.checked_sub(1).and_then(|index| window.changes().get(index));
        let came = window.first_showing(square, piece, earliest);
        let departure = came.and_then(|came| window.first_without(square, piece, came));
        let (Some(came), Some(departure)) = (came.and_then(change), departure.and_then(change)) else {
            return false;
        };
        let between =
            |press: &Press| press.side == piece.color && (came.at..=departure.at).contains(&press.at);
        !self.evidence.presses.iter().any(between)
    }

    /// Returns whether some piece may move between squares that something is known of, by its movement alone.
    pub(super) fn may_move(&self, position: &Position, unshown: Bitboard) -> bool {
        let known = self.touched | self.root.faulty | unshown;
        let us = position.turn();
        let others = !position.board().by_color(us);
        let castling = position.castling_rooks();
        (known & position.board().by_color(us)).into_iter().any(|from| {
            let Some(role) = position.board().role_at(from) else { return false };
            let reached = match role {
                // Each of the two may stand where the other goes.
                Role::King if castling.any() => return true,
                Role::Rook if castling.contains(from) => return true,
                Role::Pawn => pawn_squares(us, from),
                Role::Knight | Role::Bishop | Role::Rook | Role::Queen | Role::King => {
                    position.board().attacks_from(from)
                }
            };
            (reached & others & self.targets(position, role, from, unshown, 0)).any()
        })
    }

    /// Returns the number of changes from which evidence for a ply after `shown` changes may come.
    pub(super) fn earliest(&self, shown: usize) -> usize {
        let window = self.evidence.window;
        let last = shown.checked_sub(1).and_then(|index| window.changes().get(index));
        last.map_or(0, |change| {
            let from = change.at.before(self.evidence.jitter);
            window.changes().partition_point(|change| change.at < from)
        })
    }

    pub(super) fn together(&self, a: usize, b: usize) -> bool {
        self.apart(a, b).is_none_or(|apart| apart <= self.evidence.jitter)
    }

    /// Prices a ply that was shown after `count` changes although the ply before it was shown after `other`.
    ///
    /// The wider they are apart, the fewer of the possible phases of the scan show them in the wrong order.
    fn overtaken(&self, count: usize, other: usize) -> u32 {
        let jitter = self.evidence.jitter.as_secs_f64();
        let apart = self.apart(count, other).unwrap_or_default().as_secs_f64();
        if apart > jitter {
            return cost::OUT_OF_ORDER;
        }
        let phases = cost::of_one_in(jitter / (jitter - apart).max(f64::MIN_POSITIVE));
        (cost::OVERTAKEN + phases).min(cost::OUT_OF_ORDER)
    }

    /// Returns the time between two changes; `None` if one of them is the beginning of the window.
    pub(super) fn apart(&self, a: usize, b: usize) -> Option<Duration> {
        let changes = self.evidence.window.changes();
        let at = |count: usize| Some(changes.get(count.checked_sub(1)?)?.at);
        Some(at(a.max(b))?.since(at(a.min(b))?))
    }
}

/// Returns the squares that a pawn might go to if everything else allowed it.
fn pawn_squares(us: Color, from: Square) -> Bitboard {
    let step = us.fold_wb(8, -8);
    let pushes = [from.offset(step), from.offset(2 * step)].into_iter().flatten();
    pushes.fold(attacks::pawn_attacks(us, from), Bitboard::with)
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

    fn squares(&self) -> Bitboard {
        let changes = self.departures.iter().chain(&self.arrivals);
        changes.fold(Bitboard::EMPTY, |squares, (square, _)| squares.with(*square))
    }
}
