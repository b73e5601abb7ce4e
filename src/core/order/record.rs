//! What the orders that correct a game's record hold: moves, paths, and a game that goes on elsewhere.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor},
};

/// What is done with the plies of a record.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditKind {
    /// Moves are entered before the ply.
    Insert,
    /// Moves are entered in place of the ply and of those after it, as many as there are.
    Replace,
    /// The ply is taken out.
    Delete,
}

/// Moves as an arbiter enters them: one text or several, each with one move or a piece of a score sheet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EnteredMoves(pub Vec<String>);

/// The path that was played unseen: its moves, or its number among those that remain, from 1.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PathChoice {
    /// Its number.
    Number(u32),
    /// Its moves.
    Moves(EnteredMoves),
}

/// A game that is continued on another board, or on its own again.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Continued {
    /// The board that it comes from.
    pub board: String,
    /// Its number there.
    pub game: u32,
    /// Its first position.
    pub fen: String,
    /// Its plies.
    pub moves: Vec<ContinuedMove>,
    /// White's name, if an order has given it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub white: Option<String>,
    /// Black's name, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub black: Option<String>,
    /// Confirmed irregularities of White and Black.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub counts: (u32, u32),
    /// Its result, if it had one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// Orders that were given in it.
    #[serde(default, skip_serializing_if = "is_none")]
    pub orders: u32,
    /// Whether it was first heard of in its middle.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub adopted: bool,
}

/// A ply of such a game.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ContinuedMove {
    /// The move in UCI.
    pub uci: String,
    /// The position after it, if it is no legal move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// What the clock showed when it was completed: White's seconds and Black's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<(u32, u32)>,
    /// If nobody saw it: the number of other paths that remained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternatives: Option<u32>,
    /// Whether an order has entered it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub entered: bool,
    /// What the record says beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remark: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_nothing(counts: &(u32, u32)) -> bool {
    matches!(counts, (0, 0))
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
const fn is_none(number: &u32) -> bool {
    *number == 0
}

impl Serialize for EnteredMoves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => one.serialize(serializer),
            many => many.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for EnteredMoves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Texts)
    }
}

struct Texts;

impl<'de> Visitor<'de> for Texts {
    type Value = EnteredMoves;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of texts")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<EnteredMoves, E> {
        Ok(EnteredMoves(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<EnteredMoves, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element()? {
            texts.push(text);
        }
        Ok(EnteredMoves(texts))
    }
}

impl Serialize for PathChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(serializer),
            Self::Moves(moves) => moves.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for PathChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Choice)
    }
}

struct Choice;

impl<'de> Visitor<'de> for Choice {
    type Value = PathChoice;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, a text or a list of texts")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<PathChoice, E> {
        let wrong = || E::invalid_value(serde::de::Unexpected::Unsigned(number), &self);
        u32::try_from(number).map(PathChoice::Number).map_err(|_| wrong())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<PathChoice, E> {
        Texts.visit_str(text).map(PathChoice::Moves)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<PathChoice, A::Error> {
        Texts.visit_seq(list).map(PathChoice::Moves)
    }
}
