//! Plies, made and taken back.

use shakmaty::{Bitboard, Piece, Role, attacks};

use super::{Floor, Proposals};
use crate::{
    decoder::{
        position::{Kind, Ply, is_last_rank},
        price::Price,
        sensed::Context,
        token::Token,
    },
    position::differences,
};

/// Plies as the pieces move (Art. 3.2 to 3.8), whether they leave the king in check or not, on squares that do not agree.
///
/// Where a press waits, also that the ply was made in time and read late: all that was to be lifted had been lifted then.
pub(super) fn as_pieces_move(
    token: &Token,
    owed: Bitboard,
    hidden: bool,
    floor: &Floor,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    token.world.for_each_ply(owed, |ply| {
        let piece = token.world.board.piece_at(ply.from);
        let arrived = piece.is_some_and(|piece| {
            let role = ply.promotion.unwrap_or(piece.role);
            context.sensed.board.piece_at(ply.to) == Some(Piece { role, ..piece })
        });
        if !arrived && !hidden {
            return;
        }
        let price = if arrived { Price::FREE } else { context.params.moves.choice };
        let Some(room) = floor.room(token.world.squares(ply), price, context) else { return };
        let Some(next) = token.make(ply, room, context) else { return };
        if let Some(press) = token.owed.first() {
            let until = press.at.after(context.params.clock.poll_ms);
            let vacated = differences(&token.world.board, &next.world.board) & !next.world.board.occupied();
            let elsewhere = || piece.is_some_and(|piece| context.sensed.left_after(piece, until));
            if vacated.into_iter().all(|square| context.sensed.changed(square) < until)
                && !elsewhere()
                && let Some(late) = next.read_late(context)
            {
                give(late);
            }
        }
        give(next);
    });
}

/// Returns whether a ply may have been made whose piece nobody saw arrive: a press waits for it, or the other side, or another piece of its
/// own, has gone on since; or no clock reports, and time has passed.
pub(super) fn waits_for_more(token: &Token, owed: Bitboard, context: &Context<'_>) -> bool {
    let board = &token.world.board;
    let mover = token.world.turn;
    let others = owed.into_iter().any(|square| {
        let color = context.sensed.board.color_at(square).or_else(|| board.color_at(square));
        color == Some(!mover)
    });
    !token.owed.is_empty() || others || owed.count() > 2 || !context.sensed.clock
}

/// A second ply by the side that has moved and not pressed (7.5.1).
pub(super) fn twice(
    token: &Token,
    owed: Bitboard,
    floor: &Floor,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let moves = &context.params.moves;
    if token.open != 1 || !token.last_ply().is_some_and(|made| made.legal && made.mover != token.world.turn) {
        return;
    }
    let mut other = token.world.clone();
    other.turn = !other.turn;
    other.en_passant = None;
    other.for_each_ply(owed, |ply| {
        let shows = context.sensed.board.piece_at(ply.to) == token.world.board.piece_at(ply.from);
        if owed.contains(ply.from)
            && owed.contains(ply.to)
            && shows
            && let Some(room) = floor.room(other.squares(ply), moves.illegal, context)
            && let Some(next) = token.make_twice(ply, room - moves.illegal - moves.twice, context)
        {
            give(next);
        }
    });
}

/// A piece of either side stands where it cannot go, or where one of its own side stood (3.1, 7.5.1).
pub(super) fn where_it_cannot_go(
    token: &Token,
    owed: Bitboard,
    floor: &Floor,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let (board, sensed) = (&token.world.board, &context.sensed.board);
    // A piece that goes back to where the last ply began is taken back, and no move of the opponent's.
    let back = |from, to| token.last_ply().is_some_and(|made| (made.ply.from, made.ply.to) == (to, from));
    for to in owed {
        let Some(piece) = sensed.piece_at(to) else { continue };
        let pawn = piece.color.pawn();
        let promotes = piece.role != Role::Pawn && is_last_rank(piece.color, to);
        let pawns = if promotes { board.by_piece(pawn) & !sensed.by_piece(pawn) } else { Bitboard::EMPTY };
        for from in owed & (board.by_piece(piece) & !sensed.by_piece(piece) | pawns) {
            let promotion = pawns.contains(from).then_some(piece.role);
            let ply = Ply { from, to, promotion, kind: Kind::Irregular };
            if from != to
                && !back(from, to)
                && let Some(room) =
                    floor.room(token.world.squares(ply), context.params.moves.illegal, context)
                && !token.world.can_go(from, to)
                && let Some(next) = token.make(ply, room, context)
            {
                give(next);
            }
        }
    }
}

/// An own piece is captured by another one of its kind: its square looks unchanged, and has only been lifted from and put on (3.1).
pub(super) fn own_piece_captured(
    token: &Token,
    owed: Bitboard,
    floor: &Floor,
    context: &Context<'_>,
    give: Proposals<'_>,
) {
    let (board, sensed) = (&token.world.board, context.sensed);
    for from in owed & board.by_color(token.world.turn) & !sensed.board.occupied() {
        let Some(piece) = board.piece_at(from) else { continue };
        let alike = board.by_piece(piece) & sensed.board.by_piece(piece) & !owed;
        for to in attacks::attacks(from, piece, board.occupied()) & alike {
            let ply = Ply { from, to, promotion: None, kind: Kind::Irregular };
            if sensed.changed(to) > sensed.changed(from)
                && let Some(room) =
                    floor.room(token.world.squares(ply), context.params.moves.illegal, context)
                && let Some(next) = token.make(ply, room, context)
            {
                give(next);
            }
        }
    }
}

/// The last ply is taken back: before the press, by agreement after it, or because it was illegal (7.5.1).
pub(super) fn taken_back(token: &Token, touching: Bitboard, context: &Context<'_>, give: Proposals<'_>) {
    if token.last_ply().is_none_or(|made| (made.squares() & touching).is_empty()) {
        return;
    }
    if let Some(next) = token.back(context) {
        give(next);
    }
}

/// The pawn that was left on its last rank is replaced after all (7.5.2).
pub(super) fn amended(token: &Token, context: &Context<'_>, give: Proposals<'_>) {
    if let Some(next) = token.amend(context) {
        give(next);
    }
}
