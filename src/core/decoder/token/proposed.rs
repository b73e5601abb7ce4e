//! What has been proposed for a story, so that it is not proposed again.

use shakmaty::{Bitboard, Square};

use crate::decoder::{moment::Moment, price::Price, sensed::Context};

/// How actions were last proposed for a story, and what has changed since. What was proposed then is among the stories now, or was too dear.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proposed {
    /// Squares that have changed since.
    news: Bitboard,
    /// What a story was allowed to cost.
    limit: Price,
    at: Moment,
    /// Plies were proposed whose piece nobody saw arrive.
    hidden: bool,
}

impl Proposed {
    /// Nothing was.
    pub(crate) const NOTHING: Self =
        Self { news: Bitboard::FULL, limit: Price::FREE, at: Moment::LONG_AGO, hidden: false };

    /// Notes that all is proposed that may be by now.
    pub(crate) fn all(hidden: bool, context: &Context<'_>) -> Self {
        Self { news: Bitboard::EMPTY, limit: context.limit, at: context.now, hidden }
    }

    /// Returns the squares that a proposal has to touch.
    pub(crate) fn touching(&self, hidden: bool, context: &Context<'_>) -> Bitboard {
        let is_same = self.hidden >= hidden && context.limit <= self.limit;
        if is_same { self.news } else { Bitboard::FULL }
    }

    /// Returns when that was.
    pub(crate) const fn at(&self) -> Moment {
        self.at
    }

    /// Notes that a square has changed, by which the story has become dearer.
    pub(crate) fn change(&mut self, square: Square, price: Price) {
        self.news.add(square);
        self.limit += price;
    }

    /// Notes that what is allowed has fallen.
    pub(crate) fn lower(&mut self, limit: Price, base: Price) {
        self.limit = self.limit.min(limit) - base;
    }
}
