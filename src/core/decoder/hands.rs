//! Owns what hands do to pieces beside moving them: a debt for every square that does not show what stands there.
//!
//! A debt is made by the action that caused it, which is settled on when it is made (who was to move, what else was off its square),
//! and grows with time. It ends in one of two ways: the square shows again what it should, and what the debt cost stays paid; or a ply
//! explains it, and it is forgiven. Neither a change of turn nor a later ply changes its price.

mod cause;
mod likeliest;
mod update;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Piece, Square};

pub(crate) use self::cause::Cause;
use super::{
    logarithm::ln,
    mix::Mix,
    moment::Moment,
    params::Params,
    position::World,
    price::Price,
    sensed::{Context, Sensed},
};

/// Most squares that may be owed for at once; what does not fit is paid at once, as a piece that reads where it is not.
pub(crate) const MOST: usize = 16;

/// One side of a debt: why a piece is missing, or too many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) cause: Cause,
    pub(crate) since: Moment,
}

/// A square that does not show what stands there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Debt {
    pub(crate) square: Square,
    pub(crate) missing: Option<Part>,
    pub(crate) stray: Option<Part>,
    /// What earlier states of the square cost; forgiven with it.
    pub(crate) sunk: Price,
}

impl Debt {
    /// Returns when its piece fell.
    fn fell(&self) -> Option<Moment> {
        self.missing
            .filter(|part| matches!(part.cause, Cause::Fallen | Cause::Displaced))
            .map(|part| part.since)
    }

    fn parts(&self) -> impl Iterator<Item = Part> {
        [self.missing, self.stray].into_iter().flatten()
    }

    /// Returns the part that the board has not reported yet.
    pub(crate) fn unreported(&self) -> Option<Part> {
        self.missing.or(self.stray).filter(|part| part.cause.is_unreported())
    }
}

/// The debts of one story.
#[derive(Clone, Debug)]
pub(crate) struct Hands {
    pub(crate) debts: ArrayVec<Debt, MOST>,
    /// When something last fell that has been put up, and when it was.
    fell: Moment,
    put_up: Moment,
    /// Squares that were paid for as dead.
    pub(crate) dead: Bitboard,
    /// Where the last ply went to, if it is not pressed: nobody else has a hand there.
    pub(crate) fresh: Option<Square>,
    /// Changes that were never reported.
    lost: u32,
    /// 256·ln of one more.
    ln_lost: Price,
}

impl Hands {
    /// Nothing is owed.
    pub(crate) fn new() -> Self {
        Self {
            debts: ArrayVec::new(),
            fell: Moment::LONG_AGO,
            put_up: Moment::LONG_AGO,
            dead: Bitboard::EMPTY,
            fresh: None,
            lost: 0,
            ln_lost: Price::FREE,
        }
    }

    /// Returns the squares that are owed for.
    pub(crate) fn squares(&self) -> Bitboard {
        self.debts.iter().map(|debt| debt.square).collect()
    }

    /// Adds the causes of all debts to a key.
    pub(crate) fn add_to(&self, key: &mut Mix) {
        let mut sum = 0_u64;
        for debt in &self.debts {
            // Whatever their order is.
            let mut one = Mix::new();
            one.add(u64::from(u32::from(debt.square)));
            one.add(debt.missing.map_or(99, |part| part.cause.number()));
            one.add(debt.stray.map_or(99, |part| part.cause.number()));
            sum = sum.wrapping_add(one.key());
        }
        key.add(sum);
    }

    /// Returns what is owed for a square.
    pub(crate) fn of(&self, square: Square) -> Option<&Debt> {
        self.debts.iter().find(|debt| debt.square == square)
    }

    /// Returns what the debts cost by now. Pieces that fell together cost less than one by one.
    pub(crate) fn price(&self, context: &Context<'_>) -> Price {
        let hands = &context.params.hands;
        let mut sum = Price::FREE;
        for (index, debt) in self.debts.iter().enumerate() {
            sum += self.price_of(debt, context);
            let Some(fell) = debt.fell() else { continue };
            let is_first = !self.debts.iter().enumerate().any(|(other, before)| {
                before.fell().is_some_and(|at| {
                    at.since(fell).saturating_abs() < hands.together_ms && (at, other) < (fell, index)
                })
            });
            if !is_first {
                sum -= hands.fallen.base - hands.fallen_more;
            }
        }
        sum
    }

    /// Returns whether a piece lies elsewhere than it should.
    pub(crate) fn is_displaced(&self) -> bool {
        self.debts.iter().flat_map(Debt::parts).any(|part| part.cause.is_amiss())
    }

    /// Returns how much of it is for what lies elsewhere than it should.
    pub(crate) fn price_amiss(&self, context: &Context<'_>) -> Price {
        let amiss = self.debts.iter().filter(|debt| debt.parts().any(|part| part.cause.is_amiss()));
        amiss.map(|debt| self.price_of(debt, context) - debt.sunk).sum()
    }

    /// Returns what one of them costs by itself.
    pub(crate) fn price_of(&self, debt: &Debt, context: &Context<'_>) -> Price {
        let never = self.never(debt.square, context.sensed, context.params);
        let dead = self.dead.contains(debt.square);
        let price = |part: Part| part.cause.price(context.age(part.since), never, dead, context.params);
        debt.sunk + debt.parts().map(price).sum()
    }

    /// Returns what it costs that a change of this square is never reported.
    pub(crate) fn never(&self, square: Square, sensed: &Sensed, params: &Params) -> Price {
        if sensed.worked.contains(square) {
            sensed.lost().saturating_sub(self.ln_lost)
        } else if self.dead.without(square).any() {
            params.sensors.further_dead
        } else {
            params.sensors.dead
        }
    }

    /// Returns since when something that fell, or lies where it does not belong, has done so between two instants; what was put up before
    /// `accepted` gives no reason to press back any more.
    pub(crate) fn amiss_since(&self, from: Moment, to: Moment, accepted: Moment) -> Option<Moment> {
        let parts = self.debts.iter().flat_map(Debt::parts).filter(|part| part.cause.looks_amiss());
        let fell = Some(self.fell).filter(|_| self.put_up > accepted);
        parts.map(|part| part.since).chain(fell).filter(|at| *at > from && *at < to).min()
    }

    /// Removes a debt.
    pub(crate) fn take(&mut self, square: Square) -> Option<Debt> {
        let index = self.debts.iter().position(|debt| debt.square == square)?;
        self.debts.swap_pop(index)
    }

    /// Adds a debt, or returns what it costs where there is no room.
    pub(crate) fn owe(&mut self, debt: Debt, params: &Params) -> Price {
        let stray = params.sensors.ghost;
        if self.debts.try_push(debt).is_ok() { Price::FREE } else { stray.base + stray.most }
    }

    /// Notes that a working square has never reported a change.
    pub(crate) fn lose(&mut self) {
        self.lost = self.lost.saturating_add(1);
        self.ln_lost = ln(self.lost.saturating_add(1));
    }

    /// Notes that a square that is known to be faulty does not show what stands there.
    pub(crate) fn owe_dead(&mut self, square: Square, world: &World, now: Moment, params: &Params) {
        let part = Some(Part { cause: Cause::Late, since: now });
        let (missing, stray) =
            if world.board.piece_at(square).is_some() { (part, None) } else { (None, part) };
        self.owe(Debt { square, missing, stray, sunk: Price::FREE }, params);
    }

    /// Forgives the debts for squares that a ply explains.
    pub(crate) fn forgive(&mut self, changed: Bitboard) {
        self.debts.retain(|debt| !changed.contains(debt.square));
    }

    /// Notes that a ply has been made: what is still in a hand of its side was lifted for another reason, a piece of it that reads
    /// elsewhere is displaced, and the piece that was moved does not stand on its way any more.
    pub(crate) fn turn(&mut self, mover: Color, world: &World, sensed: &Sensed) {
        for debt in &mut self.debts {
            if let Some(part) = &mut debt.missing
                && matches!(part.cause, Cause::Hand | Cause::Pair)
                && world.board.color_at(debt.square) == Some(mover)
            {
                part.cause = Cause::Fallen;
            }
        }
        let slid: ArrayVec<Square, MOST> = self
            .debts
            .iter()
            .filter(|debt| debt.stray.is_some_and(|part| part.cause == Cause::Slid))
            .map(|debt| debt.square)
            .collect();
        for square in slid {
            let Some(piece) = sensed.board.piece_at(square).filter(|piece| piece.color == mover) else {
                continue;
            };
            let from = self.missing_by(world, piece, |cause| cause == Cause::Fallen);
            let cause = match from {
                None => Cause::Passed,
                Some(from) if from.distance(square) == 1 => Cause::Far,
                Some(_) => Cause::Farther,
            };
            if let Some(part) =
                self.debts.iter_mut().find(|debt| debt.square == square).and_then(|debt| debt.stray.as_mut())
            {
                part.cause = cause;
            }
            if from.is_some() {
                self.displace(piece, world);
            }
        }
    }

    /// Returns what it costs the player who presses now, with pieces as they are.
    pub(crate) fn at_press(&self, side: Color, world: &World, context: &Context<'_>) -> Price {
        let hands = &context.params.hands;
        let mut sum = Price::FREE;
        for debt in &self.debts {
            if let Some(part) = debt.stray
                && matches!(part.cause, Cause::Slid | Cause::Passed)
                && context.sensed.board.color_at(debt.square) == Some(side)
            {
                let hovers = context.age(part.since) < hands.hover_ms;
                sum += if hovers { hands.hover_at_press } else { hands.rested_at_press };
            }
            if self.fresh == Some(debt.square)
                && debt.missing.is_some_and(|part| part.cause == Cause::Displaced)
                && world.board.color_at(debt.square) == Some(side)
            {
                sum += hands.moved_away_at_press;
            }
            if let Some(part) = debt.missing
                && debt.stray.is_none()
                && context.age(part.since) > hands.away_ms
                && world.board.color_at(debt.square) == Some(side)
            {
                if matches!(part.cause, Cause::Hand | Cause::Pair) {
                    sum += hands.hand_at_press;
                } else if part.cause == Cause::Fallen {
                    sum += hands.fallen_at_press;
                }
            }
        }
        sum
    }

    /// Returns what it costs the player who pressed at this instant that a piece of his still reads where it had only been on its way.
    pub(crate) fn on_its_way_at(&self, pressed: Moment, side: Color, context: &Context<'_>) -> Price {
        let hands = &context.params.hands;
        let on_its_way = |debt: &&Debt| {
            debt.stray.is_some_and(|part| {
                matches!(part.cause, Cause::Slid | Cause::Passed) && part.since <= pressed
            }) && context.sensed.board.color_at(debt.square) == Some(side)
        };
        let since = self.debts.iter().filter(on_its_way).filter_map(|debt| debt.stray).map(|part| part.since);
        let price = |since: Moment| {
            if pressed.since(since) < hands.hover_ms { hands.hover_at_press } else { hands.rested_at_press }
        };
        since.map(price).sum()
    }

    /// Returns a square of this piece that is missing for such a cause.
    fn missing_by(&self, world: &World, piece: Piece, is: impl Fn(Cause) -> bool) -> Option<Square> {
        let missing = |debt: &&Debt| debt.missing.is_some_and(|part| is(part.cause));
        self.debts
            .iter()
            .filter(missing)
            .map(|debt| debt.square)
            .find(|square| world.board.piece_at(*square) == Some(piece))
    }

    /// Notes that a piece that fell reads elsewhere.
    fn displace(&mut self, piece: Piece, world: &World) {
        let fallen = |debt: &Debt| debt.missing.is_some_and(|part| part.cause == Cause::Fallen);
        let debt = self
            .debts
            .iter_mut()
            .find(|debt| fallen(debt) && world.board.piece_at(debt.square) == Some(piece));
        if let Some(part) = debt.and_then(|debt| debt.missing.as_mut()) {
            part.cause = Cause::Displaced;
        }
    }
}

#[cfg(test)]
mod tests;
