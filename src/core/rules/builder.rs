//! An alert as a rule writes it, before the store gives it a number.

use serde_json::{Map, Value};
use shakmaty::{Bitboard, Color};

use super::penalty_basis::Basis;
use crate::{
    alert::{AlertState, Confidence, Parts, Party, Proposal},
    code::Code,
    fact::{Pressed, Weight},
    laws::RuleText,
    score::Score,
    time::Timestamp,
};

/// An alert as a rule writes it.
#[derive(Debug)]
pub(super) struct AlertBuilder {
    pub(super) code: Code,
    pub(super) side: Party,
    pub(super) ply: u32,
    pub(super) confidence: Confidence,
    /// How probable it is, if that was inferred.
    pub(super) weight: Option<Weight>,
    pub(super) facts: Map<String, Value>,
    pub(super) proposal: Option<Proposal>,
    /// What happened, and what to do.
    pub(super) parts: Parts,
    /// The article, if it is not the code's own.
    pub(super) article: Option<RuleText>,
    /// The article that gives the power, if it is not the code's own.
    pub(super) authority: Option<RuleText>,
    /// The press it hangs on.
    pub(super) pressed_at: Option<Timestamp>,
    /// The alert that it follows from.
    pub(super) parent: Option<u32>,
    /// The number that was reserved for it.
    pub(super) number: Option<u32>,
    pub(super) state: AlertState,
    /// What a penalty for it is computed from.
    pub(super) basis: Option<Basis>,
}

impl AlertBuilder {
    pub(super) fn new(code: Code, side: impl Into<Party>, ply: u32, text: String) -> Self {
        Self {
            code,
            side: side.into(),
            ply,
            confidence: Confidence::Certain,
            weight: None,
            facts: Map::new(),
            proposal: None,
            parts: Parts { happened: text, ..Parts::default() },
            article: None,
            authority: None,
            pressed_at: None,
            parent: None,
            number: None,
            state: AlertState::Open,
            basis: None,
        }
    }

    /// Starts an alert that hangs on a press.
    pub(super) fn at_press(code: Code, pressed: &Pressed, text: String) -> Self {
        let builder = Self {
            pressed_at: Some(pressed.at),
            weight: pressed.weight,
            ..Self::new(code, pressed.side, pressed.ply, text)
        };
        builder.fact("pressed_at", pressed.at.as_secs())
    }

    pub(super) fn confidence(self, confidence: Confidence) -> Self {
        Self { confidence, ..self }
    }

    pub(super) fn fact(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.facts.insert(key.to_owned(), value.into());
        self
    }

    pub(super) fn maybe_fact(self, key: &str, value: Option<impl Into<Value>>) -> Self {
        match value {
            Some(value) => self.fact(key, value),
            None => self,
        }
    }

    pub(super) fn squares(self, squares: Bitboard) -> Self {
        self.fact("squares", squares_text(squares))
    }

    pub(super) fn propose(self, proposal: Proposal) -> Self {
        Self { proposal: (proposal != Proposal::default()).then_some(proposal), ..self }
    }

    pub(super) fn propose_result(self, winner: Option<Color>) -> Self {
        self.propose(Proposal { result: Some(score(winner)), ..Proposal::default() })
    }

    /// Adds a sentence to what happened.
    pub(super) fn also(mut self, sentence: &str) -> Self {
        append(&mut self.parts.happened, sentence);
        self
    }

    /// Adds a sentence to what is to be done.
    pub(super) fn act(mut self, sentence: &str) -> Self {
        append(&mut self.parts.act, sentence);
        self
    }
}

/// Appends a sentence to others.
pub(super) fn append(text: &mut String, sentence: &str) {
    if !sentence.is_empty() {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(sentence);
    }
}

/// Returns the score of a game that `winner` has won.
pub(super) const fn score(winner: Option<Color>) -> &'static str {
    Score::won_by(winner).text()
}

/// Lists squares as JSON.
pub(super) fn squares_text(squares: Bitboard) -> Value {
    squares.into_iter().map(|square| Value::from(square.to_string())).collect()
}
