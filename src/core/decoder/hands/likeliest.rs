//! Which cause a difference has, given what else is off its square: the likeliest one, settled on when the debt is made.

use shakmaty::{Bitboard, Piece, Rank, Role, Square};

use super::{Cause, Debt, Hands, Part};
use crate::decoder::{
    moment::Moment,
    position::{World, is_last_rank},
    sensed::Context,
};

impl Hands {
    /// Returns why a piece is missing.
    pub(super) fn why_missing(
        &self,
        square: Square,
        piece: Piece,
        world: &World,
        since: Moment,
        context: &Context<'_>,
    ) -> Cause {
        let has = |cause| {
            self.debts
                .iter()
                .any(|debt| debt.square != square && debt.missing.is_some_and(|part| part.cause == cause))
        };
        if context.sensed.is_free(since) {
            return Cause::Free;
        }
        if piece.color == world.turn {
            if !has(Cause::Hand) {
                return Cause::Hand;
            }
            let in_hand = self
                .debts
                .iter()
                .filter(|debt| debt.missing.is_some_and(|part| part.cause == Cause::Hand))
                .find_map(|debt| world.board.role_at(debt.square));
            let pair = matches!(
                (in_hand, piece.role),
                (Some(Role::King), Role::Rook) | (Some(Role::Rook), Role::King)
            );
            if pair && world.castling.any() && !has(Cause::Pair) {
                return Cause::Pair;
            }
        } else if !has(Cause::Victim)
            && Some(square) != self.fresh
            && world.board.attacks_to(square, world.turn, world.board.occupied()).any()
        {
            return Cause::Victim;
        }
        Cause::Fallen
    }

    /// Returns why a piece is too many; `taken` is what the last ply captured, and where.
    pub(super) fn why_stray(
        &self,
        square: Square,
        piece: Piece,
        world: &World,
        taken: Option<(Square, Piece)>,
        context: &Context<'_>,
    ) -> Cause {
        let (turn, sensed) = (world.turn, context.sensed);
        if self.missing_by(world, piece, |cause| matches!(cause, Cause::Hand | Cause::Pair)).is_some() {
            return Cause::Slid;
        }
        if self.has_unpaired(square, piece, world, context) {
            return self.why_elsewhere(square, piece, world, context);
        }
        if sensed.is_free(context.now) {
            return Cause::FreeStray;
        }
        let seventh = Bitboard::from(turn.fold_wb(Rank::Seventh, Rank::Second));
        let replaces = piece.color == turn
            && is_last_rank(turn, square)
            && !matches!(piece.role, Role::Pawn | Role::King)
            && (world.board.by_piece(turn.pawn()) & seventh).any();
        if replaces {
            return Cause::Promoting;
        }
        if taken.is_some_and(|(at, victim)| victim == piece && at.distance(square) <= 2) {
            return Cause::Beside;
        }
        if (world.board.by_piece(piece) & sensed.board.by_piece(piece)).any() {
            Cause::Ahead
        } else {
            Cause::Stray
        }
    }

    /// Returns whether more of these pieces are missing than read elsewhere.
    fn has_unpaired(&self, square: Square, piece: Piece, world: &World, context: &Context<'_>) -> bool {
        let elsewhere =
            |part: Part| part.cause.is_elsewhere() || matches!(part.cause, Cause::Beside | Cause::FreeMoved);
        let paired = |debt: &&Debt| {
            debt.square != square
                && context.sensed.board.piece_at(debt.square) == Some(piece)
                && debt.stray.is_some_and(elsewhere)
        };
        let gone = |debt: &&Debt| debt.missing.is_some() && world.board.piece_at(debt.square) == Some(piece);
        self.debts.iter().filter(gone).count() > self.debts.iter().filter(paired).count()
    }

    /// Returns how a piece that is missing has come to a square.
    fn why_elsewhere(&self, square: Square, piece: Piece, world: &World, context: &Context<'_>) -> Cause {
        if self.missing_by(world, piece, |cause| cause == Cause::Free).is_some() {
            return Cause::FreeMoved;
        }
        if self.missing_by(world, piece, Cause::is_unreported).is_some() {
            return Cause::Passed;
        }
        // Brushed to the next square, and never in the air for longer than a scan.
        let beside = |is: &dyn Fn(Part) -> bool| {
            self.debts.iter().any(|debt| {
                debt.missing.is_some_and(is)
                    && world.board.piece_at(debt.square) == Some(piece)
                    && debt.square.distance(square) == 1
            })
        };
        let brushed = |part: Part| context.age(part.since).saturating_abs() < context.params.hands.brush_ms;
        if beside(&|part| part.cause == Cause::Victim && brushed(part)) {
            Cause::Beside
        } else if beside(&|part| part.cause.is_amiss() && brushed(part)) {
            Cause::Shoved
        } else if beside(&|_| true) {
            Cause::Far
        } else {
            Cause::Farther
        }
    }
}
