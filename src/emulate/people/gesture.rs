//! The gesture of a legal move: which squares change, in which order, at which times.

use std::time::Duration;

use shakmaty::{Bitboard, Board, Color, Move, Piece, Role, Square, attacks};

use super::handling::Handling;
use crate::random::{Random, span};
use jadoube_core::position::castling_squares;

/// A change of one square during a gesture.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SquareChange {
    /// Time since the gesture began.
    pub(super) after: Duration,
    /// Which square.
    pub(super) square: Square,
    /// The piece from then on.
    pub(super) piece: Option<Piece>,
    /// How much later the board reads it: the piece stands beside the middle of its square.
    pub(super) unread: Duration,
}

impl SquareChange {
    pub(super) const fn new(after: Duration, square: Square, piece: Option<Piece>) -> Self {
        Self { after, square, piece, unread: Duration::ZERO }
    }
}

/// The square changes of a move, and their times.
#[derive(Clone, Debug, Default)]
pub(super) struct Gesture {
    /// The changes, in order.
    pub(super) changes: Vec<SquareChange>,
    /// When the move is made: all pieces are in place.
    pub(super) made: Duration,
    /// When the hand is free for the clock.
    pub(super) done: Duration,
    /// Whether the rook was lifted before the king.
    pub(super) rook_first: bool,
}

impl Gesture {
    /// Adds a change of a square.
    pub(super) fn add(&mut self, after: Duration, square: Square, piece: Option<Piece>) {
        let place = self.changes.partition_point(|change| change.after <= after);
        self.changes.insert(place, SquareChange::new(after, square, piece));
        self.done = self.done.max(after);
    }

    /// Shows a piece on a square for a while, with which the hand has nothing to do.
    pub(super) fn changes_beside(&mut self, square: Square, piece: Piece, from: Duration, until: Duration) {
        let done = self.done;
        self.add(from, square, Some(piece));
        self.add(until, square, None);
        self.done = done;
    }

    /// Forgets what happens on squares that the move does not need.
    pub(super) fn forget_squares(&mut self, squares: Bitboard) {
        self.changes.retain(|change| !squares.contains(change.square));
    }

    /// Lets the board read the last piece that is put down on a square later.
    pub(super) fn delay_reading(&mut self, square: Square, unread: Duration) {
        let last = self.changes.iter_mut().rev().find(|change| change.square == square);
        if let Some(change) = last.filter(|change| change.piece.is_some()) {
            change.unread = unread;
        }
    }

    /// Shows a piece on a square beside its target for a while, and carries it on then.
    pub(super) fn hover(
        &mut self,
        target: Square,
        (beside, piece): (Square, Piece),
        held: Duration,
        carried: Duration,
    ) {
        self.forget_squares(beside.into());
        let placed =
            self.changes.iter().rev().find(|change| change.square == target && change.piece.is_some());
        let Some(at) = placed.map(|change| change.after) else { return };
        let shift = held + carried;
        for change in self.changes.iter_mut().filter(|change| change.after >= at) {
            change.after += shift;
        }
        self.made += shift;
        self.done += shift;
        self.changes_beside(beside, piece, at, at + held);
    }
}

/// How the hand makes a move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum HandlingStyle {
    /// By the rates of [`Handling`].
    Usual,
    /// Within a twentieth of a second, without detours.
    Quick,
    /// Slid from square to square, resting on each.
    Slow,
    /// With both hands; castling only.
    TwoHands,
    /// Rook first; castling only.
    RookFirst,
}

/// Returns the gesture of a legal move.
pub(super) fn gesture(
    m: Move,
    color: Color,
    board: &Board,
    style: HandlingStyle,
    handling: &Handling,
    random: &mut Random,
) -> Gesture {
    let mut hand = Hand { handling, random, board, color, style, changes: Vec::new(), rook_first: false };
    let made = hand.make(m);
    let done = hand.recentre(m, made);
    if let Some((at, victim)) = capture(m, color) {
        hand.show_victim_late(at, victim, done);
    }
    hand.changes.sort_by_key(|change| change.after);
    Gesture { changes: hand.changes, made, done, rook_first: hand.rook_first }
}

/// Returns the square and the piece that a move captures.
fn capture(m: Move, color: Color) -> Option<(Square, Piece)> {
    let piece = |role| Piece { color: !color, role };
    match m {
        Move::Normal { capture, to, .. } => capture.map(|role| (to, piece(role))),
        Move::EnPassant { from, to } => {
            Some((Square::from_coords(to.file(), from.rank()), piece(Role::Pawn)))
        }
        Move::Castle { .. } | Move::Put { .. } => None,
    }
}

struct Hand<'a> {
    handling: &'a Handling,
    random: &'a mut Random,
    /// The pieces before the move.
    board: &'a Board,
    color: Color,
    style: HandlingStyle,
    changes: Vec<SquareChange>,
    rook_first: bool,
}

impl Hand<'_> {
    /// Makes the move; returns when it is made.
    fn make(&mut self, m: Move) -> Duration {
        match m {
            Move::Normal { from, to, capture, promotion: Some(role), .. } => {
                self.promote(from, to, capture.is_some(), role)
            }
            Move::Normal { role, from, to, capture: Some(victim), .. } => {
                self.capture(role, from, to, victim)
            }
            Move::Normal { role, from, to, .. } => {
                let travel = self.travel();
                self.carry(from, to, self.own(role), Duration::ZERO, travel)
            }
            Move::EnPassant { from, to } => self.en_passant(from, to),
            Move::Castle { king, rook } => self.castle(king, rook),
            Move::Put { role, to } => {
                self.change(Duration::ZERO, to, Some(self.own(role)));
                Duration::ZERO
            }
        }
    }

    fn capture(&mut self, role: Role, from: Square, to: Square, victim: Role) -> Duration {
        let piece = self.own(role);
        let total = if self.style == HandlingStyle::Quick {
            self.travel()
        } else {
            self.random.log_normal(self.handling.capture).max(span(0.05))
        };
        let order = if self.style == HandlingStyle::Quick {
            0
        } else {
            self.random.weighted(&self.handling.capture_orders)
        };
        match order {
            0 => {
                let arrived = self.carry(from, to, piece, Duration::ZERO, total);
                self.show_victim(to, victim, arrived, from);
                arrived
            }
            1 => {
                self.change(Duration::ZERO, to, None);
                self.show_victim(to, victim, Duration::ZERO, from);
                let begin = total.mul_f64(self.random.between(0.3, 0.7));
                self.carry(from, to, piece, begin, total.saturating_sub(begin))
            }
            _ => {
                let between = total.mul_f64(self.random.between(0.2, 0.8));
                self.change(Duration::ZERO, from, None);
                self.change(between, to, None);
                self.show_victim(to, victim, between, from);
                self.change(total, to, Some(piece));
                total
            }
        }
    }

    fn en_passant(&mut self, from: Square, to: Square) -> Duration {
        let pawn = self.own(Role::Pawn);
        let victim = Square::from_coords(to.file(), from.rank());
        let (travel, gap) = (self.travel(), self.random.seconds(0.15, 0.7));
        match self.random.weighted(&self.handling.en_passant_orders) {
            0 => {
                let arrived = self.carry(from, to, pawn, Duration::ZERO, travel);
                self.change(arrived + gap, victim, None);
                arrived + gap
            }
            1 => {
                self.change(Duration::ZERO, victim, None);
                self.carry(from, to, pawn, gap, travel)
            }
            _ => {
                self.change(Duration::ZERO, from, None);
                self.change(gap, victim, None);
                self.change(gap + travel, to, Some(pawn));
                gap + travel
            }
        }
    }

    /// Promotes in one of the ways of Art. 4.6.
    fn promote(&mut self, from: Square, to: Square, captures: bool, role: Role) -> Duration {
        let (pawn, piece) = (self.own(Role::Pawn), self.own(role));
        let order = self.random.weighted(&self.handling.promotion_orders);
        let replaces = captures && self.random.chance(0.5);
        let mut now = Duration::ZERO;
        if captures && !replaces {
            self.change(now, to, None);
            now += self.random.seconds(0.2, 0.6);
        }
        match order {
            0 => {
                let travel = self.travel();
                now = self.carry(from, to, pawn, now, travel) + self.random.seconds(0.3, 1.2);
                self.change(now, to, None);
                now += self.random.seconds(0.2, 0.7);
                self.change(now, to, Some(piece));
            }
            1 => {
                self.change(now, from, None);
                now += self.random.seconds(0.5, 1.6);
                self.change(now, to, Some(piece));
            }
            _ => {
                self.change(now, to, Some(piece));
                now += self.random.seconds(0.25, 1.0);
                self.change(now, from, None);
            }
        }
        now
    }

    fn castle(&mut self, king: Square, rook: Square) -> Duration {
        let (king_to, rook_to) = castling_squares(king, rook);
        let king = (king, king_to, self.own(Role::King));
        let rook = (rook, rook_to, self.own(Role::Rook));
        if self.style == HandlingStyle::TwoHands {
            return self.two_hands(king, rook);
        }
        self.rook_first = self.style == HandlingStyle::RookFirst
            || self.style == HandlingStyle::Usual && self.random.chance(self.handling.rook_first);
        let (first, second) = if self.rook_first { (rook, king) } else { (king, rook) };
        let [step, pause, last] = [0; 3].map(|_| self.random.log_normal(self.handling.castling));
        // The lifts have to lie in different scans to be seen in order.
        let pause = if self.rook_first { pause.max(span(0.4)) } else { pause };
        let now = self.place(first, Duration::ZERO, step) + pause;
        self.place(second, now, last)
    }

    /// Lifts both pieces at one instant and places both at another.
    fn two_hands(&mut self, king: (Square, Square, Piece), rook: (Square, Square, Piece)) -> Duration {
        let down = self.random.seconds(0.5, 0.8);
        for (from, to, piece) in [king, rook] {
            self.change(Duration::ZERO, from, None);
            self.change(down, to, Some(piece));
        }
        down
    }

    fn place(
        &mut self,
        (from, to, piece): (Square, Square, Piece),
        at: Duration,
        travel: Duration,
    ) -> Duration {
        self.change(at, from, None);
        self.change(at + travel, to, Some(piece));
        at + travel
    }

    /// Carries a piece from a square to another one, perhaps over the squares between; returns when it arrives.
    fn carry(&mut self, from: Square, to: Square, piece: Piece, at: Duration, travel: Duration) -> Duration {
        let path = self.path(from, to);
        match self.style {
            HandlingStyle::Slow if !path.is_empty() => {
                return self.slide(from, &path, to, piece, at, (0.3, 0.8));
            }
            HandlingStyle::Usual if !path.is_empty() && self.random.chance(self.handling.slide) => {
                return self.slide(from, &path, to, piece, at, (0.02, 0.1));
            }
            HandlingStyle::Usual if self.random.chance(self.handling.stopover) => {
                if let Some(rest) = self.random.pick(&path).copied() {
                    return self.slide(from, &[rest], to, piece, at, (0.25, 1.2));
                }
            }
            HandlingStyle::Usual if self.random.chance(self.handling.new_before_old) => {
                let arrived = at + travel;
                self.change(arrived, to, Some(piece));
                let gone = arrived + self.random.seconds(0.005, 0.030);
                self.change(gone, from, None);
                return gone;
            }
            HandlingStyle::Usual
            | HandlingStyle::Quick
            | HandlingStyle::Slow
            | HandlingStyle::TwoHands
            | HandlingStyle::RookFirst => {}
        }
        self.place((from, to, piece), at, travel)
    }

    /// Moves a piece over some squares, resting on each for a time between two bounds.
    fn slide(
        &mut self,
        from: Square,
        over: &[Square],
        to: Square,
        piece: Piece,
        at: Duration,
        (least, most): (f64, f64),
    ) -> Duration {
        self.change(at, from, None);
        let mut now = at;
        for square in over {
            now += self.random.seconds(0.05, 0.15);
            self.change(now, *square, Some(piece));
            now += self.random.seconds(least, most);
            self.change(now, *square, None);
        }
        now += self.random.seconds(0.03, 0.15);
        self.change(now, to, Some(piece));
        now
    }

    /// Lifts the piece once more and puts it right; returns when the hand is free.
    fn recentre(&mut self, m: Move, made: Duration) -> Duration {
        let again = self.style == HandlingStyle::Usual && self.random.chance(self.handling.recentre);
        if !again || m.is_castle() {
            return made;
        }
        let piece = self.own(m.promotion().unwrap_or(m.role()));
        let lifted = made + self.random.seconds(0.15, 0.5);
        let down = lifted + self.random.seconds(0.1, 0.5);
        self.change(lifted, m.to(), None);
        self.change(down, m.to(), Some(piece));
        down
    }

    /// Shows a captured piece on a neighbouring square while it is removed.
    fn show_victim(&mut self, on: Square, victim: Role, gone: Duration, from: Square) {
        if self.style == HandlingStyle::Usual && self.random.chance(self.handling.ghost) {
            let victim = Piece { color: !self.color, role: victim };
            self.ghost(on, Some(from), victim, gone);
        }
    }

    fn show_victim_late(&mut self, on: Square, victim: Piece, done: Duration) {
        if self.style == HandlingStyle::Usual && self.random.chance(self.handling.late_ghost) {
            self.ghost(on, None, victim, done);
        }
    }

    /// Shows a piece on an empty neighbouring square that the move does not use.
    fn ghost(&mut self, on: Square, from: Option<Square>, victim: Piece, gone: Duration) {
        let touched = |square: Square| self.changes.iter().any(|change| change.square == square);
        let path = from.map_or_else(Vec::new, |from| self.path(from, on));
        let free = attacks::king_attacks(on) & !self.board.occupied();
        let free: Vec<Square> =
            free.into_iter().filter(|square| !touched(*square) && !path.contains(square)).collect();
        if let Some(square) = self.random.pick(&free).copied() {
            let shown = gone + self.random.seconds(0.05, 0.25);
            let hidden = shown + self.random.seconds(0.08, 0.30);
            self.change(shown, square, Some(victim));
            self.change(hidden, square, None);
        }
    }

    /// Returns the empty squares between two squares, in the order of the movement.
    fn path(&self, from: Square, to: Square) -> Vec<Square> {
        let mut path: Vec<Square> = attacks::between(from, to).into_iter().collect();
        path.sort_by_key(|square| from.distance(*square));
        if path.iter().any(|square| self.board.occupied().contains(*square)) { Vec::new() } else { path }
    }

    fn travel(&mut self) -> Duration {
        if self.style == HandlingStyle::Quick {
            return self.random.seconds(0.03, 0.08);
        }
        if self.random.chance(self.handling.long_hold) {
            return self.random.seconds(1.0, 7.0);
        }
        self.random.log_normal(self.handling.quiet).max(span(0.03))
    }

    const fn own(&self, role: Role) -> Piece {
        Piece { color: self.color, role }
    }

    fn change(&mut self, after: Duration, square: Square, piece: Option<Piece>) {
        self.changes.push(SquareChange::new(after, square, piece));
    }
}
