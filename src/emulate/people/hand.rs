//! What a hand does on the board to make one legal move.

use std::time::Duration;

use shakmaty::{Board, Color, Move, Piece, Role, Square, attacks};

use super::Handling;
use crate::random::{Random, span};
use jadoube_core::position::castling_squares;

/// A square changes during a move.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Touch {
    /// How long after the hand began.
    pub(super) after: Duration,
    /// Which square.
    pub(super) square: Square,
    /// What stands there from then on.
    pub(super) piece: Option<Piece>,
}

/// What a hand does to make a move.
#[derive(Clone, Debug, Default)]
pub(super) struct Figure {
    /// What changes, in order.
    pub(super) touches: Vec<Touch>,
    /// When the move is made: everything is in its place.
    pub(super) made: Duration,
    /// When the hand is free for the clock.
    pub(super) done: Duration,
    /// Whether the rook was lifted before the king.
    pub(super) rook_first: bool,
}

/// In what manner a move is made.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Manner {
    /// As the handling has it.
    Usual,
    /// In a twentieth of a second, without any ado.
    Quick,
    /// Slid from square to square, resting on each.
    Slow,
    /// With both hands, if it is castling.
    TwoHands,
    /// Rook first, if it is castling.
    RookFirst,
}

/// Makes the figure of a legal move.
pub(super) fn figure(
    m: Move,
    color: Color,
    board: &Board,
    manner: Manner,
    handling: &Handling,
    random: &mut Random,
) -> Figure {
    let mut hand = Hand { handling, random, board, color, manner, touches: Vec::new(), rook_first: false };
    let made = hand.make(m);
    let done = hand.put_right(m, made);
    if let Some((at, victim)) = capture(m, color) {
        hand.show_victim_late(at, victim, done);
    }
    hand.touches.sort_by_key(|touch| touch.after);
    Figure { touches: hand.touches, made, done, rook_first: hand.rook_first }
}

/// Returns where a move captures, and what.
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
    /// What stands on the board before the move.
    board: &'a Board,
    color: Color,
    manner: Manner,
    touches: Vec<Touch>,
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
                self.touch(Duration::ZERO, to, Some(self.own(role)));
                Duration::ZERO
            }
        }
    }

    fn capture(&mut self, role: Role, from: Square, to: Square, victim: Role) -> Duration {
        let piece = self.own(role);
        let total = if self.manner == Manner::Quick {
            self.travel()
        } else {
            self.random.log_normal(self.handling.capture).max(span(0.05))
        };
        let order = if self.manner == Manner::Quick {
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
                self.touch(Duration::ZERO, to, None);
                self.show_victim(to, victim, Duration::ZERO, from);
                let begin = total.mul_f64(self.random.between(0.3, 0.7));
                self.carry(from, to, piece, begin, total.saturating_sub(begin))
            }
            _ => {
                let between = total.mul_f64(self.random.between(0.2, 0.8));
                self.touch(Duration::ZERO, from, None);
                self.touch(between, to, None);
                self.show_victim(to, victim, between, from);
                self.touch(total, to, Some(piece));
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
                self.touch(arrived + gap, victim, None);
                arrived + gap
            }
            1 => {
                self.touch(Duration::ZERO, victim, None);
                self.carry(from, to, pawn, gap, travel)
            }
            _ => {
                self.touch(Duration::ZERO, from, None);
                self.touch(gap, victim, None);
                self.touch(gap + travel, to, Some(pawn));
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
            self.touch(now, to, None);
            now += self.random.seconds(0.2, 0.6);
        }
        match order {
            0 => {
                let travel = self.travel();
                now = self.carry(from, to, pawn, now, travel) + self.random.seconds(0.3, 1.2);
                self.touch(now, to, None);
                now += self.random.seconds(0.2, 0.7);
                self.touch(now, to, Some(piece));
            }
            1 => {
                self.touch(now, from, None);
                now += self.random.seconds(0.5, 1.6);
                self.touch(now, to, Some(piece));
            }
            _ => {
                self.touch(now, to, Some(piece));
                now += self.random.seconds(0.25, 1.0);
                self.touch(now, from, None);
            }
        }
        now
    }

    fn castle(&mut self, king: Square, rook: Square) -> Duration {
        let (king_to, rook_to) = castling_squares(king, rook);
        let king = (king, king_to, self.own(Role::King));
        let rook = (rook, rook_to, self.own(Role::Rook));
        if self.manner == Manner::TwoHands {
            return self.two_hands(king, rook);
        }
        self.rook_first = self.manner == Manner::RookFirst
            || self.manner == Manner::Usual && self.random.chance(self.handling.rook_first);
        let (first, second) = if self.rook_first { (rook, king) } else { (king, rook) };
        let [step, pause, last] = [0; 3].map(|_| self.random.log_normal(self.handling.castling));
        // A suspicion needs the lifts to lie in different scans.
        let pause = if self.rook_first { pause.max(span(0.4)) } else { pause };
        let now = self.place(first, Duration::ZERO, step) + pause;
        self.place(second, now, last)
    }

    /// Lifts both pieces in one instant and puts both down in another.
    fn two_hands(&mut self, king: (Square, Square, Piece), rook: (Square, Square, Piece)) -> Duration {
        let down = self.random.seconds(0.5, 0.8);
        for (from, to, piece) in [king, rook] {
            self.touch(Duration::ZERO, from, None);
            self.touch(down, to, Some(piece));
        }
        down
    }

    fn place(
        &mut self,
        (from, to, piece): (Square, Square, Piece),
        at: Duration,
        travel: Duration,
    ) -> Duration {
        self.touch(at, from, None);
        self.touch(at + travel, to, Some(piece));
        at + travel
    }

    /// Carries a piece from a square to another one, perhaps over the squares between; returns when it arrives.
    fn carry(&mut self, from: Square, to: Square, piece: Piece, at: Duration, travel: Duration) -> Duration {
        let path = self.path(from, to);
        match self.manner {
            Manner::Slow if !path.is_empty() => return self.slide(from, &path, to, piece, at, (0.3, 0.8)),
            Manner::Usual if !path.is_empty() && self.random.chance(self.handling.slide) => {
                return self.slide(from, &path, to, piece, at, (0.02, 0.1));
            }
            Manner::Usual if self.random.chance(self.handling.stopover) => {
                if let Some(rest) = self.random.pick(&path).copied() {
                    return self.slide(from, &[rest], to, piece, at, (0.25, 1.2));
                }
            }
            Manner::Usual if self.random.chance(self.handling.new_before_old) => {
                let arrived = at + travel;
                self.touch(arrived, to, Some(piece));
                let gone = arrived + self.random.seconds(0.005, 0.030);
                self.touch(gone, from, None);
                return gone;
            }
            Manner::Usual | Manner::Quick | Manner::Slow | Manner::TwoHands | Manner::RookFirst => {}
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
        self.touch(at, from, None);
        let mut now = at;
        for square in over {
            now += self.random.seconds(0.05, 0.15);
            self.touch(now, *square, Some(piece));
            now += self.random.seconds(least, most);
            self.touch(now, *square, None);
        }
        now += self.random.seconds(0.03, 0.15);
        self.touch(now, to, Some(piece));
        now
    }

    /// Lifts the piece once more and puts it right; returns when the hand is free.
    fn put_right(&mut self, m: Move, made: Duration) -> Duration {
        let again = self.manner == Manner::Usual && self.random.chance(self.handling.recentre);
        if !again || m.is_castle() {
            return made;
        }
        let piece = self.own(m.promotion().unwrap_or(m.role()));
        let lifted = made + self.random.seconds(0.15, 0.5);
        let down = lifted + self.random.seconds(0.1, 0.5);
        self.touch(lifted, m.to(), None);
        self.touch(down, m.to(), Some(piece));
        down
    }

    /// Lets a captured piece show up on a neighbouring square while it is carried off.
    fn show_victim(&mut self, on: Square, victim: Role, gone: Duration, from: Square) {
        if self.manner == Manner::Usual && self.random.chance(self.handling.ghost) {
            let victim = Piece { color: !self.color, role: victim };
            self.ghost(on, Some(from), victim, gone);
        }
    }

    fn show_victim_late(&mut self, on: Square, victim: Piece, done: Duration) {
        if self.manner == Manner::Usual && self.random.chance(self.handling.late_ghost) {
            self.ghost(on, None, victim, done);
        }
    }

    /// Shows a piece on an empty neighbouring square that the move has nothing to do with.
    fn ghost(&mut self, on: Square, from: Option<Square>, victim: Piece, gone: Duration) {
        let touched = |square: Square| self.touches.iter().any(|touch| touch.square == square);
        let path = from.map_or_else(Vec::new, |from| self.path(from, on));
        let free = attacks::king_attacks(on) & !self.board.occupied();
        let free: Vec<Square> =
            free.into_iter().filter(|square| !touched(*square) && !path.contains(square)).collect();
        if let Some(square) = self.random.pick(&free).copied() {
            let shown = gone + self.random.seconds(0.05, 0.25);
            let hidden = shown + self.random.seconds(0.08, 0.30);
            self.touch(shown, square, Some(victim));
            self.touch(hidden, square, None);
        }
    }

    /// Returns the empty squares between two, in the order in which a hand passes over them.
    fn path(&self, from: Square, to: Square) -> Vec<Square> {
        let mut path: Vec<Square> = attacks::between(from, to).into_iter().collect();
        path.sort_by_key(|square| from.distance(*square));
        if path.iter().any(|square| self.board.occupied().contains(*square)) { Vec::new() } else { path }
    }

    fn travel(&mut self) -> Duration {
        if self.manner == Manner::Quick {
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

    fn touch(&mut self, after: Duration, square: Square, piece: Option<Piece>) {
        self.touches.push(Touch { after, square, piece });
    }
}
