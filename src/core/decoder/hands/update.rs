//! What a change of a square does to the debts.

use shakmaty::{Piece, Square};

use super::{Cause, Debt, Hands, Part};
use crate::decoder::{moment::Moment, position::World, price::Price, sensed::Context};

impl Hands {
    /// Notes that a square has changed at `since`, or that what should stand there has; returns what stays paid.
    pub(crate) fn update(
        &mut self,
        square: Square,
        world: &World,
        taken: Option<(Square, Piece)>,
        since: Moment,
        context: &Context<'_>,
    ) -> Price {
        let (expected, shown) = (world.board.piece_at(square), context.sensed.board.piece_at(square));
        if expected == shown {
            let before = self.price(context);
            let old = self.take(square);
            for part in old.iter().flat_map(Debt::parts).filter(|part| part.cause.looks_amiss()) {
                self.fell = self.fell.max(part.since);
                self.put_up = since;
            }
            return before - self.price(context);
        }
        let old = self.take(square);
        let mut debt = Debt { square, missing: None, stray: None, sunk: Price::FREE };
        let mut paid = Price::FREE;
        if let Some(old) = old {
            let never = self.never(square, context.sensed, context.params);
            let was = old.stray.map_or(Price::FREE, |part| {
                part.cause.price(context.age(part.since), never, false, context.params)
            });
            // Nothing explains afterwards that a displaced piece lay here.
            if old.stray.is_some_and(|part| part.cause.is_amiss()) {
                paid = was;
            } else {
                debt.sunk = was;
            }
            debt.sunk += old.sunk;
            debt.missing = old.missing.filter(|_| expected.is_some());
        }
        let vanished = expected.filter(|_| debt.missing.is_none());
        if let Some(piece) = vanished {
            let cause = self.why_missing(square, piece, world, since, context);
            debt.missing = Some(Part { cause, since });
        }
        if let Some(piece) = shown {
            let mut cause = self.why_stray(square, piece, world, taken, context);
            if matches!(cause, Cause::Far | Cause::Farther) && self.exchange(piece, expected, world, context)
            {
                cause = Cause::Exchanged;
            }
            debt.stray = Some(Part { cause, since });
            if cause.is_elsewhere() {
                self.displace(piece, world);
            }
        }
        paid += self.owe(debt, context.params);
        if let Some(piece) = vanished {
            self.match_ahead(square, piece, world, taken, context);
        }
        paid
    }

    /// Returns whether a piece that reads on the square of another one has that one on its own square: both fell, and were put up so.
    fn exchange(&mut self, piece: Piece, other: Option<Piece>, world: &World, context: &Context<'_>) -> bool {
        let own = self.debts.iter_mut().find(|debt| {
            other.is_some()
                && world.board.piece_at(debt.square) == Some(piece)
                && context.sensed.board.piece_at(debt.square) == other
        });
        let part = own.and_then(|debt| debt.stray.as_mut()).filter(|part| part.cause.is_elsewhere());
        part.map(|part| part.cause = Cause::Exchanged).is_some()
    }

    /// Notes that a piece is reported gone from a square: what was reported of it elsewhere before is it.
    fn match_ahead(
        &mut self,
        square: Square,
        piece: Piece,
        world: &World,
        taken: Option<(Square, Piece)>,
        context: &Context<'_>,
    ) {
        let ahead = |part: &Part| {
            matches!(part.cause, Cause::Ahead | Cause::Stray | Cause::FreeStray)
                && context.age(part.since) < context.params.sensors.ahead_ms
        };
        let found = self.debts.iter_mut().find(|debt| {
            debt.square != square
                && context.sensed.board.piece_at(debt.square) == Some(piece)
                && debt.stray.as_ref().is_some_and(ahead)
        });
        let Some((at, part)) = found.and_then(|debt| Some((debt.square, debt.stray.take()?))) else { return };
        let cause = self.why_stray(at, piece, world, taken, context);
        if let Some(debt) = self.debts.iter_mut().find(|debt| debt.square == at) {
            debt.stray = Some(Part { cause, since: part.since });
        }
        if cause.is_elsewhere() {
            self.displace(piece, world);
        }
    }
}
