//! The plies of a story, newest first, shared with all stories that begin alike.

use std::sync::Arc;

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::decoder::{
    moment::Moment,
    position::{Kind, Ply, World, is_last_rank},
};

/// A ply, and what has to be known to take it back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Made {
    pub(crate) ply: Ply,
    pub(crate) mover: Color,
    /// Whether it is legal, a pawn that is not replaced aside.
    pub(crate) legal: bool,
    pub(crate) moved: Piece,
    pub(crate) victim: Option<(Square, Piece)>,
    pub(crate) castling: Bitboard,
    pub(crate) en_passant: Option<Square>,
    pub(crate) number: u32,
    /// When the board showed it, as far as it did.
    pub(crate) shown: Moment,
    /// Nobody heard it.
    pub(crate) inferred: bool,
    /// It is the second one of its turn.
    pub(crate) twice: bool,
}

impl Made {
    /// Notes what has to be known of the position before a ply.
    pub(crate) fn new(ply: Ply, before: &World, number: u32, shown: Moment) -> Option<Self> {
        Some(Self {
            ply,
            mover: before.turn,
            legal: true,
            moved: before.board.piece_at(ply.from)?,
            victim: before.victim(ply),
            castling: before.castling,
            en_passant: before.en_passant,
            number,
            shown,
            inferred: false,
            twice: false,
        })
    }

    /// Returns whether a pawn was left on its last rank.
    pub(crate) fn leaves_pawn(&self) -> bool {
        self.ply.promotion.is_none()
            && self.moved.role == Role::Pawn
            && self.ply.kind == Kind::Plain
            && is_last_rank(self.mover, self.ply.to)
    }

    /// Returns the squares that it changed.
    pub(crate) fn squares(&self) -> Bitboard {
        let Ply { from, to, kind, .. } = self.ply;
        if kind == Kind::Castling {
            return Bitboard::from(from.rank());
        }
        let victim = self.victim.map_or(Bitboard::EMPTY, |(square, _)| Bitboard::from(square));
        Bitboard::from(from) | Bitboard::from(to) | victim
    }

    /// Returns whether it broke the rules.
    pub(crate) fn is_wrong(&self) -> bool {
        !self.legal || self.leaves_pawn()
    }

    /// Puts everything back.
    pub(crate) fn undo(&self, world: &mut World) {
        let Ply { from, to, kind, .. } = self.ply;
        world.board.discard_piece_at(to);
        if kind == Kind::Castling {
            // Rooks that could castle then and stand elsewhere now.
            let rooks = self.castling & Bitboard::from(from.rank());
            let (king, beside) = (from, if to.file() > from.file() { to.offset(-1) } else { to.offset(1) });
            let home =
                rooks.into_iter().find(|rook| (rook.file() > king.file()) == (to.file() > from.file()));
            if let (Some(home), Some(beside)) = (home, beside) {
                world.board.discard_piece_at(beside);
                world.board.set_piece_at(home, self.mover.rook());
            }
        }
        if let Some((square, piece)) = self.victim {
            world.board.set_piece_at(square, piece);
        }
        world.board.set_piece_at(from, self.moved);
        world.castling = self.castling;
        if kind != Kind::Left {
            world.en_passant = self.en_passant;
            world.turn = if self.twice { !self.mover } else { self.mover };
        }
    }
}

/// A ply, and those before it.
#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) made: Made,
    pub(crate) parent: Option<Arc<Self>>,
}

impl Node {
    /// Returns the last ply, what was left on another square aside.
    pub(crate) fn last_ply(&self) -> Option<&Made> {
        self.chain().find(|made| made.ply.kind != Kind::Left)
    }

    /// Goes back from the newest.
    pub(crate) fn chain(&self) -> impl Iterator<Item = &Made> {
        std::iter::successors(Some(self), |node| node.parent.as_deref()).map(|node| &node.made)
    }

    /// Undoes the last ply, with what was left on other squares since; returns the ply and the history before it.
    pub(crate) fn take_back(&self, world: &mut World) -> Option<(Made, Option<Arc<Self>>)> {
        let mut node = self;
        loop {
            node.made.undo(world);
            if node.made.ply.kind != Kind::Left {
                return Some((node.made, node.parent.clone()));
            }
            node = node.parent.as_deref()?;
        }
    }
}

impl Drop for Node {
    /// A chain that nobody else shares is taken apart one by one: however long it is, the stack stays as it is.
    fn drop(&mut self) {
        let mut next = self.parent.take();
        while let Some(mut node) = next.and_then(Arc::into_inner) {
            next = node.parent.take();
        }
    }
}
