//! The games as they may be read at this moment, by round and board; the service fills it, web requests read it.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::{Arc, PoisonError, RwLock},
};

use jiff::Timestamp;

/// What can be read; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct GameStore(Arc<RwLock<Arc<Index>>>);

/// All games, by round.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    /// Rounds by number.
    pub(crate) rounds: BTreeMap<u32, RoundGames>,
    /// The round that goes on, where rounds are counted.
    pub(crate) round: Option<u32>,
    /// The games that go on, or were the last: one a board.
    pub(crate) current: Document,
    /// The whole event in short.
    pub(crate) tournament: Document,
}

/// A round.
#[derive(Clone, Debug, Default)]
pub(crate) struct RoundGames {
    /// Games by board.
    pub(crate) games: BTreeMap<u64, Arc<GameDocument>>,
    /// All of them.
    pub(crate) joined: Document,
    /// Who plays whom.
    pub(crate) index: Document,
}

/// A game.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct GameDocument {
    /// As PGN.
    pub(crate) pgn: Document,
    /// As LiveChess Cloud has it; empty for what only the disk knows of.
    pub(crate) json: Document,
    /// Its line in the list of pairings, JSON.
    pub(crate) pairing: String,
    /// Who plays, for pages.
    pub(crate) names: [String; 2],
    /// The result, or `*`.
    pub(crate) result: &'static str,
    /// The position that the public sees, and the move that has led there.
    pub(crate) position: (String, String),
    /// Day of the game, `YYYY-MM-DD`.
    pub(crate) day: String,
    /// How many plies the public sees; `None` of what an earlier process has written.
    pub(crate) plies: Option<usize>,
    /// Whether it goes on.
    pub(crate) live: bool,
    /// Whether there is more than who is to play.
    pub(crate) begun: bool,
}

/// A text with the tag by which a reader knows whether it has changed; documents with the same text are equal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    /// The text.
    pub(crate) text: Arc<str>,
    /// In quotes, as it stands in a header.
    pub(crate) tag: String,
    /// Since when this is the text of its address, as everybody could see; `None` before it is published.
    pub(crate) since: Option<Timestamp>,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Document {}

impl Document {
    /// Makes a document; the tag follows from the text and from nothing else.
    pub(crate) fn new(text: String) -> Self {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let tag = format!("\"{:x}-{:016x}\"", text.len(), hasher.finish());
        Self { tag, text: text.into(), since: None }
    }

    /// Keeps the time of what was published under the same address if the text is the same.
    fn date(&mut self, published: Option<&Self>, now: Timestamp) {
        let published = published.filter(|published| *published == self);
        self.since = published.and_then(|published| published.since).or(Some(now));
    }
}

impl Index {
    /// Dates what differs from what is published: this instant, at which it becomes readable, and not that of the moves.
    pub(crate) fn date(&mut self, published: &Self, now: Timestamp) {
        self.current.date(Some(&published.current), now);
        self.tournament.date(Some(&published.tournament), now);
        for (number, round) in &mut self.rounds {
            let known = published.rounds.get(number);
            round.joined.date(known.map(|known| &known.joined), now);
            round.index.date(known.map(|known| &known.index), now);
            for (board, game) in &mut round.games {
                let known = known.and_then(|known| known.games.get(board));
                if known.is_some_and(|known| Arc::ptr_eq(known, game)) {
                    continue;
                }
                let game = Arc::make_mut(game);
                game.pgn.date(known.map(|known| &known.pgn), now);
                game.json.date(known.map(|known| &known.json), now);
            }
        }
    }
}

impl GameStore {
    /// Returns what is on the games at this moment.
    pub(crate) fn index(&self) -> Arc<Index> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Puts everything anew.
    pub(crate) fn replace(&self, index: Index) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(index);
    }
}

/// Joins games by a blank line.
pub(crate) fn join<'a>(pages: impl Iterator<Item = &'a Arc<GameDocument>>) -> Document {
    let texts: Vec<&str> = pages.map(|page| &*page.pgn.text).collect();
    Document::new(texts.join("\n"))
}

/// Returns whether a game that this program has written holds moves.
pub(crate) fn has_moves(game: &str) -> bool {
    game.contains("\n1. ") || game.contains("...")
}

/// Returns whether a game that this program has written has a result.
pub(crate) fn has_result(game: &str) -> bool {
    !game.contains("[Result \"*\"]")
}
