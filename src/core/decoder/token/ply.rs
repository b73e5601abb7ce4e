//! What it costs that a ply was made now.

use std::sync::Arc;

use shakmaty::{Bitboard, Board, Color, Piece, Square};

use super::{Completed, Made, Node, Owed, Token};
use crate::{
    decoder::{
        hands::{Cause, Debt, Part},
        moment::Moment,
        position::{Kind, Ply, World},
        price::Price,
        sensed::Context,
    },
    position::differences,
};

/// Most plies of a game; the longest that was played has fewer than a thousand.
const MOST_PLIES: u32 = 3_000;

impl Token {
    /// Makes a ply that the board shows, or is to show, if that costs no more than there is room for.
    pub(crate) fn make(&self, ply: Ply, room: Price, context: &Context<'_>) -> Option<Box<Self>> {
        let (after, made) = self.after(ply, context)?;
        let mut price = self.price_of_kind(&made, context);
        if !context.sensed.running {
            price += context.params.moves.standing;
        }
        if context.sensed.board.piece_at(ply.to) != after.board.piece_at(ply.to) {
            price += context.params.moves.choice + self.world.senseless(ply, &after);
        }
        if price > room {
            return None;
        }
        price += self.price_of_time(&made, context);
        let changed = differences(&self.world.board, &after.board);
        let since = made.shown.max(self.last.min(context.now));
        let unshown = self.price_unshown(changed, &after, since, context);
        if price + unshown + self.price_of_press(&made, context) > room {
            return None;
        }
        let mut token = self.with(after, made);
        token.cost += price;
        token.pay_unshown(changed, self, context);
        token.explain(changed, &self.world.board, since, context);
        token.hands.turn(made.mover, &token.world, context.sensed);
        token.follow(&made, context);
        Some(token)
    }

    /// Makes a ply that nobody heard, if it is legal.
    pub(crate) fn make_unheard(&self, ply: Ply, price: Price, context: &Context<'_>) -> Option<Box<Self>> {
        let (after, made) = self.after(ply, context)?;
        if !self.world.is_legal(ply, &after) {
            return None;
        }
        let made = Made { inferred: true, ..made };
        let mut token = self.with(after, made);
        token.cost += price + self.price_of_kind(&made, context);
        token.follow(&made, context);
        token.open = 0;
        Some(token)
    }

    /// Makes a second ply in the same turn; if it could have been made by itself, it is illegal because there was one before it.
    pub(crate) fn make_twice(&self, ply: Ply, room: Price, context: &Context<'_>) -> Option<Box<Self>> {
        let mut before = Box::new(self.clone());
        before.world.turn = !before.world.turn;
        before.world.en_passant = None;
        before.open = 0;
        let mut after = before.world.clone();
        after.make(ply);
        let shown = before.shown(&after, context);
        let moves = &context.params.moves;
        if shown < self.pressed_at(self.world.turn) {
            // In the opponent's time: when it comes says nothing of the ply before it.
            before.last = shown;
            *before.pressed.get_mut(self.world.turn) = shown;
            before.cost += moves.out_of_turn;
        }
        let mut token = before.make(ply, room, context)?;
        token.last = token.last.max(self.last);
        *token.pressed.get_mut(self.world.turn) = self.pressed_at(self.world.turn);
        let node = token.history.as_deref()?;
        if node.made.is_wrong() {
            return None;
        }
        token.cost += moves.illegal + moves.twice;
        let made = Made { legal: false, twice: true, ..node.made };
        token.history = Some(Arc::new(Node { made, parent: self.history.clone() }));
        Some(token)
    }

    /// Notes that the press before this ply was in time: the piece was read late.
    pub(crate) fn read_late(&self, context: &Context<'_>) -> Option<Box<Self>> {
        let claim = self.claims.last().copied().filter(|claim| claim.what == Completed::Early)?;
        let mut token = Box::new(self.clone());
        token.cost += context.params.moves.read_late;
        token.claim(claim.press, Completed::Legal, claim.side, claim.ply);
        Some(token)
    }

    /// Returns the position after a ply, and the ply with what is known of it.
    fn after(&self, ply: Ply, context: &Context<'_>) -> Option<(World, Made)> {
        let number = self.plies() + 1;
        if number > MOST_PLIES {
            return None;
        }
        let mut made = Made::new(ply, &self.world, number, context.now)?;
        let mut after = self.world.clone();
        after.make(ply);
        made.legal = self.world.is_legal(ply, &after) || self.world.leaves_pawn(ply);
        made.shown = self.shown(&after, context);
        Some((after, made))
    }

    /// Returns the token after a ply, with nothing paid.
    fn with(&self, after: World, made: Made) -> Box<Self> {
        let history = Some(Arc::new(Node { made, parent: self.history.clone() }));
        Box::new(Self { world: after, history, ..self.clone() })
    }

    /// Returns when the board showed what a ply leads to, as far as it does; by now, if it shows nothing of that.
    fn shown(&self, after: &World, context: &Context<'_>) -> Moment {
        let changed = differences(&self.world.board, &after.board);
        let shows = |square| context.sensed.board.piece_at(square) == after.board.piece_at(square);
        let since =
            changed.into_iter().filter(|square| shows(*square)).map(|square| context.sensed.changed(square));
        since.max().unwrap_or(context.now)
    }

    /// Returns what it costs that a ply is of its kind.
    fn price_of_kind(&self, made: &Made, context: &Context<'_>) -> Price {
        let moves = &context.params.moves;
        let board = &self.world.board;
        let kind = if made.leaves_pawn() {
            moves.unreplaced
        } else if made.legal {
            Price::FREE
        } else {
            moves.illegal
        };
        let others = made.moved.color != made.mover;
        let takes_own = board.color_at(made.ply.to) == Some(made.moved.color);
        if made.ply.kind != Kind::Irregular || !others && !takes_own {
            return kind;
        }
        // The opponent's hand is still there, and has gone on.
        let is_his = others
            && self.last_ply().is_some_and(|last| {
                last.ply.to == made.ply.from && made.shown.since(last.shown) < moves.still_his_ms
            });
        let price = |is_so, price| if is_so { price } else { Price::FREE };
        kind + price(others, moves.absurd) + price(takes_own, moves.absurd) + price(is_his, moves.still_his)
    }

    /// Returns what it costs that a ply was made when it was.
    fn price_of_time(&self, made: &Made, context: &Context<'_>) -> Price {
        let moves = &context.params.moves;
        let (sensed, shown) = (context.sensed, made.shown);
        let mut sum = Price::FREE;
        let own = self
            .history
            .as_deref()
            .and_then(|node| node.chain().filter(|made| made.ply.kind != Kind::Left).nth(1))
            .map_or(Moment::LONG_AGO, |made| made.shown);
        let lifted = self.hands.of(made.ply.from).and_then(|debt| debt.missing);
        if lifted.is_some_and(|part| part.cause.is_amiss() && part.since < own) {
            sum += moves.lifted_early;
        }
        if shown < self.pressed_at(made.mover) {
            sum += moves.overdue;
        }
        let early = self.pressed_at(!made.mover).since(shown);
        if early > 0 {
            sum += moves.premature.at(early);
        }
        match self.open {
            0 => {}
            1 => sum += moves.early_reply.at(shown.since(self.last)),
            _ => sum += moves.overdue,
        }
        if self.open > 0 && sensed.changed(made.ply.from) < self.last.after(moves.hands_together_ms) {
            sum += moves.hands_together;
        }
        if shown < self.last.after(-moves.order_slack_ms) {
            sum += moves.out_of_order.at(self.last.since(shown));
        }
        sum
    }

    /// Goes on from a ply: a press that is owed was for it.
    fn follow(&mut self, made: &Made, context: &Context<'_>) {
        self.last = made.shown.max(self.last);
        self.open = if context.sensed.clock { (self.open + 1).min(4) } else { 0 };
        self.hands.fresh = Some(made.ply.to).filter(|_| self.open > 0);
        let Some(owed) = self.owed_by(made.mover) else { return };
        let (price, late, begun) = price_after_press(made, owed.at, context);
        self.cost += price;
        self.owed.pop_at(0);
        *self.pressed.get_mut(owed.side) = owed.at;
        self.cost += owed.on_its_way.max(self.hands.on_its_way_at(owed.at, owed.side, context));
        self.complete(owed.press, owed.side, late);
        // It was begun after the press only: the press was for nothing.
        if late && !begun {
            self.claim(owed.press, Completed::Nothing, owed.side, made.number);
        }
    }

    /// Returns what is owed at least for squares that do not show a ply yet.
    fn price_unshown(&self, changed: Bitboard, after: &World, since: Moment, context: &Context<'_>) -> Price {
        let price = |square: Square| {
            let [expected, shown, was] =
                [&after.board, &context.sensed.board, &self.world.board].map(|board| board.piece_at(square));
            let Some(cause) = why_unshown(expected, shown, was) else { return Price::FREE };
            let never = self.hands.never(square, context.sensed, context.params);
            cause.price(context.age(since), never, self.hands.dead.contains(square), context.params)
        };
        changed.into_iter().map(price).sum()
    }

    /// Returns the press that a ply of this side is for, if one is owed.
    fn owed_by(&self, mover: Color) -> Option<Owed> {
        self.owed.first().copied().filter(|owed| owed.side == mover)
    }

    /// Returns what the presses that are owed cost after a ply.
    fn price_of_press(&self, made: &Made, context: &Context<'_>) -> Price {
        match self.owed_by(made.mover) {
            Some(owed) => price_after_press(made, owed.at, context).0,
            None => self.price_owed(context),
        }
    }

    /// Pays for good what these squares should have shown of the pieces that are gone from them, and never did.
    fn pay_unshown(&mut self, changed: Bitboard, old: &Self, context: &Context<'_>) {
        let sensors = &context.params.sensors;
        for square in changed {
            let Some(debt) = old.hands.of(square) else { continue };
            let Some(part) = debt.unreported() else { continue };
            let arriving = debt.missing.is_some();
            let never = self.hands.never(square, context.sensed, context.params);
            let never = if part.cause == Cause::Late { never } else { never.min(sensors.off_centre) };
            if self.hands.dead.contains(square) {
                self.cost += sensors.known_dead;
            } else if context.age(part.since) < sensors.blink_ms {
                self.cost +=
                    if arriving { sensors.blink } else { sensors.late(context.age(part.since), never) };
            } else {
                self.cost += never;
                if context.sensed.worked.contains(square) {
                    self.hands.lose();
                } else if arriving {
                    self.hands.dead.add(square);
                }
            }
        }
    }

    /// Forgives what a ply explains; what its squares do not show yet is owed anew.
    fn explain(&mut self, changed: Bitboard, old: &Board, since: Moment, context: &Context<'_>) {
        let sensed = context.sensed;
        self.hands.forgive(changed);
        let passing = self.last_ply().filter(|made| made.ply.kind == Kind::EnPassant);
        let forgettable = passing.and_then(|made| made.victim).map(|(square, _)| square);
        for square in changed {
            let (expected, shown) = (self.world.board.piece_at(square), sensed.board.piece_at(square));
            if expected == shown {
                continue;
            }
            let Some(cause) = why_unshown(expected, shown, old.piece_at(square)) else {
                self.settle(square, sensed.changed(square).min(context.now), context);
                continue;
            };
            let forgotten = expected.is_none() && forgettable == Some(square);
            let part = Some(Part { cause: if forgotten { Cause::Forgotten } else { cause }, since });
            let (missing, stray) = if expected.is_some() { (part, None) } else { (None, part) };
            self.cost += self.hands.owe(Debt { square, missing, stray, sunk: Price::FREE }, context.params);
        }
    }
}

/// Returns what it costs that a ply came after its press, whether it was too late, and whether it had been begun by then.
fn price_after_press(made: &Made, pressed: Moment, context: &Context<'_>) -> (Price, bool, bool) {
    let clock = &context.params.clock;
    let age = made.shown.since(pressed);
    let begun = context.sensed.changed(made.ply.from) < pressed.after(clock.poll_ms);
    let late = age > context.params.moves.too_late_ms;
    let price = if late && !begun {
        clock.nothing
    } else {
        clock.made_late.at(if age > clock.made_late.after_ms { age } else { context.age(pressed) })
    };
    (price, late, begun)
}

/// Returns why a square does not show a ply, if the board may not have reported it yet.
fn why_unshown(expected: Option<Piece>, shown: Option<Piece>, was: Option<Piece>) -> Option<Cause> {
    if expected == shown {
        None
    } else if shown == was {
        // A piece that does not arrive may be off the centre of its square.
        let arrives = expected.is_some() && shown.is_none();
        Some(if arrives { Cause::Arriving } else { Cause::Late })
    } else {
        shown.is_none().then_some(Cause::Blink)
    }
}
