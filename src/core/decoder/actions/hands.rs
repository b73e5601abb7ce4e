//! What hands do beside moving, and what is let be.

use shakmaty::Bitboard;

use super::Proposals;
use crate::decoder::{sensed::Context, token::Token};

/// A piece that was shoved stays where it lies, and the game goes on from there (7.4.1).
pub(super) fn left_there(token: &Token, owed: Bitboard, context: &Context<'_>, give: Proposals<'_>) {
    let (board, sensed) = (&token.world.board, &context.sensed.board);
    for debt in &token.hands.debts {
        let rests = |age: i32| age > context.params.hands.left_there_ms;
        let lies = debt.stray.is_some_and(|part| part.cause.is_elsewhere() && rests(context.age(part.since)));
        if !lies || board.piece_at(debt.square).is_some() {
            continue;
        }
        let Some(piece) = sensed.piece_at(debt.square) else { continue };
        for from in owed & board.by_piece(piece) & !sensed.occupied() {
            if let Some(next) = token.leave(from, debt.square, context) {
                give(next);
            }
        }
    }
}
