//! Owns the actions: what may have happened to a token without a report, one function each.
//!
//! Each proposes tokens for one that does not agree with what is sensed, that owes a press, or for which time makes something likely.
//! What an action costs stands in [`params`](super::params), what it does in [`token`](super::token). To add one is the normal way to
//! mend a wrong result.

mod arbiter;
mod clock;
mod hands;
mod moves;
mod unseen;

pub(crate) use self::{
    clock::press,
    unseen::{Unheard, gap_price, unheard},
};
use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Square};

use super::{
    hands::MOST,
    moment::Moment,
    price::Price,
    sensed::Context,
    token::{Proposed, Token},
};

/// Where proposed tokens go.
type Proposals<'a> = &'a mut dyn FnMut(Box<Token>);

/// What a token costs at least, and what each of its debts does.
struct Floor {
    rest: Price,
    debts: ArrayVec<(Square, Price), MOST>,
    /// Squares of which a proposal has to touch one, as it has been made otherwise.
    touching: Bitboard,
}

impl Floor {
    fn new(token: &Token, touching: Bitboard, context: &Context<'_>) -> Self {
        let debts = token.hands.debts.iter();
        Self {
            rest: token.cost + token.hands.price(context),
            debts: debts.map(|debt| (debt.square, token.hands.price_of(debt, context))).collect(),
            touching,
        }
    }

    /// Returns what a ply that explains these squares may cost in a story that is kept, unless that is less than `least`.
    fn room(&self, explained: Bitboard, least: Price, context: &Context<'_>) -> Option<Price> {
        if (explained & self.touching).is_empty() {
            return None;
        }
        let forgiven = self.debts.iter().filter(|(square, _)| explained.contains(*square));
        let room = context.limit - self.rest + forgiven.map(|(_, price)| *price).sum();
        (room >= least).then_some(room)
    }
}

/// Proposes all that may have happened to this token, one step each, and has not been proposed before; `found`: when a game was first heard
/// of in its middle. One that is not `near` to the best may only be over.
pub(crate) fn propose(
    token: &mut Token,
    near: bool,
    found: Option<Moment>,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let owed = token.hands.squares();
    if token.ended || owed.is_empty() && token.owed.is_empty() && token.open < 2 {
        return;
    }
    if owed.any() {
        arbiter::over(token, context, give);
    }
    if !near {
        return;
    }
    let hidden = moves::waits_for_more(token, owed, context);
    let touching = token.proposed.touching(hidden, context);
    if touching.any() {
        let floor = Floor::new(token, touching, context);
        moves::as_pieces_move(token, owed, hidden, &floor, context, give);
        moves::twice(token, owed, &floor, context, give);
        moves::where_it_cannot_go(token, owed, &floor, context, give);
        moves::own_piece_captured(token, owed, &floor, context, give);
        if owed.any() {
            moves::taken_back(token, touching, context, give);
            moves::amended(token, context, give);
        }
        unseen::in_a_hand_when_found(token, owed, found, context, give);
        unseen::unseen_when_found(token, owed, found, context, give);
        clock::both_unseen(token, touching, context, give);
    }
    if owed.any() {
        hands::left_there(token, owed, touching, context, give);
        hands::exchanged(token, owed, context, give);
    }
    clock::passed(token, owed, context, give);
    token.proposed = Proposed::all(hidden, context);
}
