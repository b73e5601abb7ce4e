//! The games as they may be read at this moment, by round and board; the service fills it, web requests read it.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, PoisonError, RwLock},
};

/// What can be read; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shelf(Arc<RwLock<Arc<Books>>>);

/// Everything on the shelf.
#[derive(Clone, Debug, Default)]
pub(super) struct Books {
    /// Rounds by number.
    pub(super) rounds: BTreeMap<u32, Round>,
    /// The games that go on, or were the last: one a board.
    pub(super) current: Document,
    /// The whole event in short.
    pub(super) tournament: Document,
}

/// A round.
#[derive(Clone, Debug, Default)]
pub(super) struct Round {
    /// Games by board.
    pub(super) games: BTreeMap<u64, Arc<Page>>,
    /// All of them.
    pub(super) joined: Document,
    /// Who plays whom.
    pub(super) index: Document,
}

/// A game.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Page {
    /// As PGN.
    pub(super) pgn: Document,
    /// As LiveChess Cloud has it; empty for what only the disk knows of.
    pub(super) json: Document,
    /// Its line in the list of pairings, JSON.
    pub(super) pairing: String,
    /// Day of the game, `YYYY-MM-DD`.
    pub(super) day: String,
    /// Whether it goes on.
    pub(super) live: bool,
    /// Whether there is more than who is to play.
    pub(super) begun: bool,
}

/// A text with the tag by which a reader knows whether it has changed.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(super) struct Document {
    /// The text.
    pub(super) text: Arc<str>,
    /// In quotes, as it stands in a header.
    pub(super) tag: String,
}

impl Document {
    /// Makes a document; the tag follows from the text and from nothing else.
    pub(super) fn new(text: String) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        Self { tag: format!("\"{:x}-{:016x}\"", text.len(), hasher.finish()), text: text.into() }
    }
}

impl Shelf {
    /// Returns what is on the shelf at this moment.
    pub(super) fn books(&self) -> Arc<Books> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts everything anew.
    pub(super) fn replace(&self, books: Books) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(books);
    }
}

/// Joins games by a blank line.
pub(super) fn join<'a>(pages: impl Iterator<Item = &'a Arc<Page>>) -> Document {
    let texts: Vec<&str> = pages.map(|page| &*page.pgn.text).collect();
    Document::new(texts.join("\n"))
}
