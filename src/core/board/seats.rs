//! Owns what is believed of the seats: which way the board lies, and on which side of the clock White sits.
//!
//! Four hypotheses are kept, each with a cost ([`cost`]). Nothing is decided by one hint; evidence raises the cost of the
//! hypotheses that contradict it.

use dgt_protocol::Side;
use shakmaty::{Board, Color, Role};

use crate::{clock::color, model::cost};

/// One hypothesis.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Seats {
    /// Whether the board lies the other way round.
    pub(super) rotated: bool,
    /// The side of the clock that White has.
    pub(super) white: Side,
}

/// All hypotheses; the first is the commonest.
const ALL: [Seats; 4] = [
    Seats { rotated: false, white: Side::Left },
    Seats { rotated: true, white: Side::Right },
    Seats { rotated: false, white: Side::Right },
    Seats { rotated: true, white: Side::Left },
];

/// The costs of all hypotheses.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Belief {
    costs: [u32; 4],
    /// Whose turn it is in a game that nobody has moved in, and the side of the clock that runs: the lever may be
    /// changed before the first move, so that only the last one counts.
    lever: Option<(Color, Side)>,
    /// The position was stated, not set up for a new game: its clock was started for the side to move.
    stated: bool,
    /// Somebody has moved: the lever shows nothing more.
    moved: bool,
}

impl Belief {
    /// Knows nothing but how clocks usually stand.
    pub(super) fn new() -> Self {
        let mut belief = Self::default();
        belief.add(|seats| seats.rotated != (seats.white == Side::Right), cost::CLOCK_MIRRORED);
        belief
    }

    /// Adds a cost to all hypotheses that contradict something.
    pub(super) fn add(&mut self, contradicts: impl Fn(Seats) -> bool, cost: u32) {
        for (seats, total) in ALL.into_iter().zip(&mut self.costs) {
            if contradicts(seats) {
                *total += cost;
            }
        }
        let least = self.costs.into_iter().min().unwrap_or_default();
        for total in &mut self.costs {
            *total = (*total - least).min(cost::SEAT_LEAD);
        }
    }

    /// Notes that the position and its side to move were stated by the configuration or an arbiter.
    pub(super) const fn set_stated(&mut self) {
        self.stated = true;
    }

    /// Returns whether they were stated.
    pub(super) const fn is_stated(&self) -> bool {
        self.stated
    }

    const fn lever_weight(&self) -> u32 {
        if self.stated { cost::STATED } else { cost::WRONG_LEVER }
    }

    /// Notes which side's time runs before the first move of `turn`.
    pub(super) const fn set_lever(&mut self, turn: Color, running: Side) {
        // Who was to move was stated: a press before the first move is no lever that is put right.
        if !(self.moved || self.stated && self.lever.is_some()) {
            self.lever = Some((turn, running));
        }
    }

    /// Returns whether nobody has moved in a game in which it is the turn of one, and that the time of this side of the clock ran then.
    pub(super) fn has_lever(&self, turn: Color, running: Side) -> bool {
        !self.stated && self.lever == Some((turn, running))
    }

    /// Notes that the first move has been made: the lever now is what it was. Returns whose turn it was, and the side of the clock that
    /// ran, if that is known.
    pub(super) fn settle_lever(&mut self) -> Option<(Color, Side)> {
        self.moved = true;
        let weight = self.lever_weight();
        let lever = self.lever.take();
        if let Some((turn, running)) = lever {
            self.add(|seats| color(running, seats.white) != turn, weight);
        }
        lever
    }

    /// Notes that a side has pressed after only `mover` had moved. By seats for which the `lever` had stood wrongly the opponent has
    /// handed the clock over: the mover could not press.
    pub(super) fn take_press(&mut self, side: Side, mover: Color, lever: Option<(Color, Side)>) {
        let other = |seats: Seats| color(side, seats.white) != mover;
        let handed = |seats: Seats| {
            lever.is_some_and(|(turn, running)| turn == mover && color(running, seats.white) != turn)
        };
        self.add(|seats| other(seats) && !handed(seats), cost::OTHER_COLOUR_MOVED);
        self.add(|seats| other(seats) && handed(seats), cost::HANDED_OVER);
    }

    /// Notes that White has made the first move with this side of the clock, which had counted as Black's.
    pub(super) fn take_first_move(&mut self, first: Side) {
        let counted = cost::OTHER_COLOUR_MOVED + cost::WRONG_LEVER;
        self.add(|seats| seats.white != first, counted + cost::WRONG_LEVER);
    }

    /// Handles what stands on the board, read as if it were not rotated.
    pub(super) fn take_looks(&mut self, board: &Board) {
        let looks = looks(board).clamp(-cost::LOOKS, cost::LOOKS);
        self.add(|seats| seats.rotated == (looks > 0), looks.unsigned_abs());
    }

    /// Returns all hypotheses with their costs.
    fn weighed(&self) -> impl Iterator<Item = (Seats, u32)> {
        ALL.into_iter().zip(self.costs).map(|(seats, cost)| {
            let lever = self.lever.filter(|(turn, running)| color(*running, seats.white) != *turn);
            (seats, cost + lever.map_or(0, |_| self.lever_weight()))
        })
    }

    fn cost(&self, seats: Seats) -> u32 {
        self.weighed().find(|(other, _)| *other == seats).map_or(0, |(_, cost)| cost)
    }

    /// Returns the best of the hypotheses that are allowed, and by how much it is better than `present`.
    pub(super) fn better(&self, present: Seats, allowed: impl Fn(Seats) -> bool) -> Option<(Seats, u32)> {
        let (best, cost) =
            self.weighed().filter(|(seats, _)| allowed(*seats)).min_by_key(|(_, cost)| *cost)?;
        let lead = self.cost(present).saturating_sub(cost);
        debug_assert!(self.costs.contains(&0), "costs count from the best hypothesis");
        (best != present && lead > 0).then_some((best, lead))
    }

    /// Returns whether one hypothesis leads by so much that nobody is wronged by taking it for true.
    pub(super) fn knows(&self, seats: Seats) -> bool {
        let cost = self.cost(seats);
        self.weighed().all(|(other, its)| other == seats || its >= cost + cost::SEATS_KNOWN)
    }
}

/// Returns how much a position looks as if White's end were that of the first rank; negative if it looks turned.
fn looks(board: &Board) -> i32 {
    let mut total = 0;
    for (square, piece) in board.clone() {
        let weight = match piece.role {
            Role::Pawn => cost::PAWN_RANK,
            Role::King => cost::KING_RANK,
            Role::Knight | Role::Bishop | Role::Rook | Role::Queen => continue,
        };
        // Half ranks from the middle, towards the own end.
        let from_middle = 7 - 2 * i32::try_from(u32::from(square.rank())).unwrap_or_default();
        total += weight * piece.color.fold_wb(from_middle, -from_middle);
    }
    total / 2
}

#[cfg(test)]
mod tests;
