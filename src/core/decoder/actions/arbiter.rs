//! How games end.

use super::Proposals;
use crate::{
    decoder::{sensed::Context, token::Token},
    position::CENTRE,
};

/// The game is over, and pieces are handled freely; or the kings show its result (protocol of operators).
pub(super) fn over(token: &Token, context: &Context<'_>, give: Proposals<'_>) {
    let kings = context.sensed.board.kings();
    let centre = kings.count() == 2 && (kings & !CENTRE).is_empty();
    if token.history.is_none() || !centre && context.sensed.running {
        return;
    }
    let round = &context.params.round;
    let mut next = Box::new(token.clone());
    next.cost += if centre { round.kings } else { round.over };
    if centre {
        for square in token.world.board.kings() | kings {
            next.hands.take(square);
        }
    }
    next.cost += next.pending(context);
    next.ended = true;
    give(next);
}
