//! What is taken back, amended, or left where it lies.

use std::sync::Arc;

use shakmaty::{Bitboard, Role, Square};

use super::{Completed, Made, Node, Token};
use crate::{
    decoder::{
        position::{Kind, Ply, is_last_rank},
        sensed::Context,
    },
    position::differences,
};

impl Token {
    /// Undoes the last ply.
    pub(crate) fn back(&self, context: &Context<'_>) -> Option<Box<Self>> {
        let moves = &context.params.moves;
        let mut token = Box::new(self.clone());
        let (made, parent) = self.history.as_deref()?.take_back(&mut token.world)?;
        // A press for nothing meanwhile was a press back.
        let pressed_back = self.owed.first().is_some_and(|owed| owed.side == self.world.turn);
        if pressed_back {
            let owed = token.owed.pop_at(0)?;
            token.cost += owed.top;
            token.claim(owed.press, Completed::Back, owed.side, made.number);
        }
        token.cost += if self.open > 0 {
            moves.back_open
        } else if !context.sensed.clock {
            moves.back_no_clock
        } else if !context.sensed.running {
            moves.back_stopped
        } else if made.is_wrong() {
            if pressed_back { moves.back_pressed } else { moves.back_illegal }
        } else if pressed_back {
            moves.back_no_clock
        } else {
            moves.back_running
        };
        token.history = parent;
        // A second one in a turn is no second one that waits for a press.
        token.open = if made.twice { self.open } else { self.open.saturating_sub(1) };
        let changed = differences(&self.world.board, &token.world.board);
        for square in changed {
            if let Some(debt) = self.hands.of(square)
                && debt.unreported().is_some()
            {
                token.cost += self.hands.price_of(debt, context);
            }
        }
        token.hands.forgive(changed);
        for square in changed {
            token.settle(square, context.sensed.changed(square), context);
        }
        Some(token)
    }

    /// Replaces the pawn that was left on the last rank.
    pub(crate) fn amend(&self, context: &Context<'_>) -> Option<Box<Self>> {
        let node = self.history.as_deref()?;
        let Made { ply, mover, .. } = node.made;
        let piece = context.sensed.board.piece_at(ply.to)?;
        let replaces = piece.color == mover && !matches!(piece.role, Role::Pawn | Role::King);
        let waits = self.world.board.piece_at(ply.to) == Some(mover.pawn()) && is_last_rank(mover, ply.to);
        if !waits || !replaces {
            return None;
        }
        let mut token = Box::new(self.clone());
        token.cost += context.params.moves.amend;
        token.world.board.set_piece_at(ply.to, piece);
        token.hands.forgive(Bitboard::from(ply.to));
        token.settle(ply.to, context.now, context);
        let ply = Ply { promotion: Some(piece.role), ..ply };
        token.history = Some(Arc::new(Node { made: Made { ply, ..node.made }, parent: node.parent.clone() }));
        Some(token)
    }

    /// Leaves a piece that was shoved from one square to another where it lies, or two that stand on each other's squares.
    pub(crate) fn leave(&self, from: Square, to: Square, context: &Context<'_>) -> Option<Box<Self>> {
        let ply = Ply { from, to, promotion: None, kind: Kind::Left };
        let made = Made::new(ply, &self.world, self.plies(), context.now)?;
        let mut token = Box::new(self.clone());
        token.world.make(ply);
        for square in [from, to] {
            if let Some(debt) = token.hands.take(square) {
                token.cost += token.hands.price_of(&debt, context);
            }
        }
        token.cost += context.params.hands.left_there;
        for square in [from, to] {
            token.settle(square, context.now, context);
        }
        token.history = Some(Arc::new(Node { made, parent: self.history.clone() }));
        Some(token)
    }
}
