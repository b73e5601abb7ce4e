//! Which rule an illegal castling broke (Art. 3.8.2).

use shakmaty::{Bitboard, File, Square};

use super::{context::RuleContext, text::Phrase};
use crate::{
    fact::{CastlingFault, Pressed},
    position::castling_squares,
};

/// Names the rule for programs, and explains it to people.
pub(super) fn explain(
    pressed: &Pressed,
    fault: CastlingFault,
    to: Option<Square>,
    context: &RuleContext<'_>,
) -> (&'static str, String) {
    let say = |phrase| context.say(phrase, &[]);
    match fault {
        CastlingFault::RightLost => return ("castling-right-lost", say(Phrase::WhyCastlingRight)),
        CastlingFault::RookMisplaced => {
            let king_castles = |to: Square| matches!(to.file(), File::C | File::G);
            let both = to.is_some_and(|to| !king_castles(to));
            let why = if both { Phrase::WhyCastlingBothWrong } else { Phrase::WhyCastlingRookWrong };
            return ("castling-rook-misplaced", say(why));
        }
        CastlingFault::RookLeft | CastlingFault::ThroughCheck => {}
    }
    let incomplete = || ("castling-incomplete", say(Phrase::WhyCastlingRookLeft));
    let through = || ("castling-through-check", say(Phrase::WhyCastlingOut));
    let (before, us) = (&pressed.before, pressed.side);
    let board = before.board();
    let (Some(king), Some(to)) = (board.king_of(us), to) else { return through() };
    let rooks = board.by_piece(us.rook()) & Bitboard::from(king.rank());
    let towards = |rook: &Square| (rook.file() > king.file()) == (to.file() > king.file());
    let leads = |rook: &Square| castling_squares(king, *rook).0 == to;
    let Some(rook) = rooks.into_iter().find(|rook| towards(rook) && leads(rook)) else { return through() };
    let (king_to, rook_to) = castling_squares(king, rook);
    // In Chess960 the rook may stand on its square already.
    if fault == CastlingFault::RookLeft && rook_to != rook {
        return incomplete();
    }
    let path = between(king, king_to).with(king_to);
    let others = board.occupied().without(king).without(rook);
    if ((path | between(rook, rook_to).with(rook_to) | between(king, rook)) & others).any() {
        return ("castling-piece-between", say(Phrase::WhyCastlingBetween));
    }
    let occupied = board.occupied().without(king);
    let attacked = |square: Square| board.attacks_to(square, !us, occupied).any();
    let at = |phrase, square: Square| context.say(phrase, &[("square", &square.to_string())]);
    if attacked(king) {
        return ("castling-out-of-check", say(Phrase::WhyCastlingOut));
    }
    if let Some(square) = between(king, king_to).into_iter().find(|square| attacked(*square)) {
        return ("castling-through-check", at(Phrase::WhyCastlingThrough, square));
    }
    let after = occupied.without(rook).with(rook_to);
    if board.attacks_to(king_to, !us, after).any() {
        return ("castling-into-check", at(Phrase::WhyCastlingInto, king_to));
    }
    through()
}

fn between(a: Square, b: Square) -> Bitboard {
    shakmaty::attacks::between(a, b)
}
