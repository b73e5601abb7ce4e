//! What nobody heard.

use shakmaty::{Bitboard, Role};

use super::Proposals;
use crate::{
    decoder::{
        moment::Moment,
        position::{Ply, World},
        price::Price,
        sensed::Context,
        token::Token,
    },
    position::differences,
};

/// A piece was in a hand when the board was first heard of.
pub(super) fn in_a_hand_when_found(
    token: &Token,
    owed: Bitboard,
    found: Option<Moment>,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let round = &context.params.round;
    if token.history.is_some() || found.is_none_or(|at| context.age(at) >= round.found_ms) {
        return;
    }
    for square in owed {
        let Some(piece) = context.sensed.board.piece_at(square) else { continue };
        let mut board = token.world.board.clone();
        board.set_piece_at(square, piece);
        for turn in [piece.color, !piece.color] {
            let mut next = Box::new(token.clone());
            next.world = World::found(board.clone(), turn);
            next.hands.take(square);
            next.cost += round.found_later;
            give(next);
        }
    }
}

/// A piece stood where the board had not shown it when it was first heard of: it has left since, and reads elsewhere.
pub(super) fn unseen_when_found(
    token: &Token,
    owed: Bitboard,
    found: Option<Moment>,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let round = &context.params.round;
    let early = found.is_some_and(|at| context.age(at) < round.found_ms);
    let departure = context.sensed.unseen.filter(|(_, at)| early && context.age(*at) < round.found_unseen_ms);
    let Some((from, at)) = departure.filter(|(from, _)| token.world.board.piece_at(*from).is_none()) else {
        return;
    };
    for square in owed {
        let Some(piece) =
            context.sensed.board.piece_at(square).filter(|piece| piece.color == token.world.turn)
        else {
            continue;
        };
        let shown_since =
            context.sensed.changed(square) > at && token.world.board.piece_at(square) != Some(piece);
        if shown_since && piece.role != Role::King {
            let mut next = Box::new(token.clone());
            next.world.board.set_piece_at(from, piece);
            next.settle(from, at, context);
            next.cost += round.found_unseen;
            give(next);
        }
    }
}

/// A ply that nobody heard.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unheard {
    ply: Ply,
    price: Price,
    /// What its story costs, with what is sensed.
    pub(crate) total: Price,
}

impl Unheard {
    /// Makes the story, if the ply is legal.
    pub(crate) fn make(self, token: &Token, context: &Context<'_>) -> Option<Box<Token>> {
        let mut next = token.make_unheard(self.ply, self.price, context)?;
        next.total = self.total;
        Some(next)
    }
}

/// Gives the plies that nobody heard, if they may lead to what is sensed at no more than `limit` in all.
pub(crate) fn unheard(token: &Token, limit: Price, context: &Context<'_>, mut give: impl FnMut(Unheard)) {
    let round = &context.params.round;
    let odd = differences(&context.sensed.board, &token.world.board);
    token.world.for_each_ply(Bitboard::FULL, |ply| {
        // A square that agreed does not after it; one that did not may.
        let squares = token.world.squares(ply);
        let least = (odd.count() + (squares & !odd).count()).saturating_sub((squares & odd).count());
        if token.cost + round.unheard + price_of_odd(least, context) > limit {
            return;
        }
        let mut after = token.world.clone();
        after.make(ply);
        let rest = round.unheard + gap_price(&after, context);
        if token.cost + rest > limit {
            return;
        }
        let sense = token.world.senseless(ply, &after);
        give(Unheard { ply, price: round.unheard + sense, total: token.cost + rest + sense });
    });
}

/// Returns what the squares cost that differ from what is sensed after an outage.
pub(crate) fn gap_price(world: &World, context: &Context<'_>) -> Price {
    price_of_odd(differences(&context.sensed.board, &world.board).count(), context)
}

/// Returns what so many squares cost that differ.
fn price_of_odd(squares: usize, context: &Context<'_>) -> Price {
    let each = context.params.round.gap_square.units();
    Price::new(each.saturating_mul(i32::try_from(squares).unwrap_or(i32::MAX)))
}
