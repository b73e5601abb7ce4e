//! What players do to the clock.

use shakmaty::{Bitboard, Color};

use super::Proposals;
use crate::decoder::{
    hands::Part,
    sensed::Context,
    token::{Completed, Owed, Token},
};

/// The player of this colour has pressed: what the press was for. `seen`: its lever was seen to move, so that the press before it was seen
/// as well.
pub(crate) fn press(
    token: &Token,
    side: Color,
    press: u32,
    seen: bool,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    if token.ended {
        give(Box::new(token.clone()));
        return;
    }
    if let Some(owed) = token.owed.first() {
        let replies = owed.side != side && token.owed.len() == 1;
        if replies && context.age(owed.at) < context.params.clock.bounce_ms {
            give(bounced(token, context));
        }
        if replies && context.age(owed.at) < context.params.clock.two_owed_ms {
            give(both_owed(token, side, press, context));
        }
    }
    let mut next = Box::new(token.clone());
    let first = next.give_up(context);
    while next.give_up(context).is_some() {}
    let clock = &context.params.clock;
    match first {
        Some(owed) if owed.side != side => {
            // Pressed back, since nothing was made.
            next.cost += clock.back_nothing;
            *next.pressed.get_mut(side) = context.now;
        }
        Some(_) => {
            next.cost += if seen { clock.lost } else { clock.unseen };
            next.press(side, press, seen, context);
        }
        None => next.press(side, press, seen, context),
    }
    give(next);
}

/// The lever swung to and fro: two presses in one movement.
fn bounced(token: &Token, context: &Context<'_>) -> Box<Token> {
    let clock = &context.params.clock;
    let mut next = Box::new(token.clone());
    if let Some(owed) = next.owed.pop_at(0) {
        let age = context.age(owed.at);
        next.cost += clock.bounce.at(age) + clock.owed.at_most(age, clock.owed.base);
    }
    next
}

/// Both moves are to be shown yet.
fn both_owed(token: &Token, side: Color, press: u32, context: &Context<'_>) -> Box<Token> {
    let mut next = Box::new(token.clone());
    next.owe(side, press, context);
    if let Some(second) = next.owed.get_mut(1) {
        second.top = context.params.clock.nothing;
        second.what = Completed::Nothing;
    }
    next
}

/// Both pressed between two reports of the clock.
pub(super) fn both_unseen(token: &Token, touching: Bitboard, context: &Context<'_>, give: Proposals<'_>) {
    if token.open < 2 || touching != Bitboard::FULL {
        return;
    }
    let mut next = Box::new(token.clone());
    next.cost += context.params.clock.hidden_pair;
    next.open -= 2;
    give(next);
}

/// A press without a move is accepted, and the other side goes on (7.5.3).
pub(super) fn passed(token: &Token, owed: Bitboard, context: &Context<'_>, give: Proposals<'_>) {
    let [press] = token.owed.as_slice() else { return };
    let waits = context.age(press.at) <= context.params.clock.owed.after_ms;
    if waits || (owed & context.sensed.board.by_color(press.side)).any() {
        return;
    }
    let mut next = Box::new(token.clone());
    next.owed.clear();
    next.owed.extend([Owed { top: context.params.clock.nothing, what: Completed::Nothing, ..*press }]);
    next.give_up(context);
    next.cost += context.params.moves.pass;
    let begun = |part: Part| part.since < press.at;
    let board = &token.world.board;
    let before = token.hands.debts.iter().any(|debt| {
        let color = board.color_at(debt.square).or_else(|| context.sensed.board.color_at(debt.square));
        color == Some(!press.side) && debt.missing.or(debt.stray).is_some_and(begun)
    });
    if before {
        next.cost += context.params.moves.pass_begun_before;
    }
    next.world.turn = !press.side;
    give(next);
}
