//! What hands do beside moving, and what is let be.

use shakmaty::Bitboard;

use super::Proposals;
use crate::decoder::{sensed::Context, token::Token};

/// A piece that was shoved stays where it lies, and the game goes on from there (7.4.1).
pub(super) fn left_there(
    token: &Token,
    owed: Bitboard,
    touching: Bitboard,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let (board, sensed) = (&token.world.board, &context.sensed.board);
    for debt in &token.hands.debts {
        let rests = |age: i32| age > context.params.hands.left_there_ms;
        let rests_elsewhere =
            debt.stray.is_some_and(|part| part.cause.is_elsewhere() && rests(context.age(part.since)));
        if !rests_elsewhere || board.piece_at(debt.square).is_some() {
            continue;
        }
        let Some(piece) = sensed.piece_at(debt.square) else { continue };
        let rested = debt.stray.is_some_and(|part| rests(token.proposed.at().since(part.since)));
        let touching = if rested { touching } else { Bitboard::FULL };
        for from in owed & board.by_piece(piece) & !sensed.occupied() {
            if (touching.contains(from) || touching.contains(debt.square))
                && let Some(next) = token.leave(from, debt.square, context)
            {
                give(next);
            }
        }
    }
}

/// Two pieces that fell are put up on each other's squares, and the game goes on (7.4.1).
pub(super) fn exchanged(token: &Token, owed: Bitboard, context: &Context<'_>, give: Proposals<'_>) {
    let (board, sensed) = (&token.world.board, &context.sensed.board);
    let rests = |square| context.age(context.sensed.changed(square)) > context.params.hands.left_there_ms;
    let odd: Bitboard =
        (owed & board.occupied() & sensed.occupied()).into_iter().filter(|at| rests(*at)).collect();
    for from in odd {
        for to in odd & !Bitboard::from(from) {
            if from < to
                && sensed.piece_at(to) == board.piece_at(from)
                && sensed.piece_at(from) == board.piece_at(to)
                && let Some(next) = token.leave(from, to, context)
            {
                give(next);
            }
        }
    }
}
