//! Rules of a federation or an organiser: what they change of an edition of the Laws, as a value that somebody else has read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Mutex,
};

use serde::{Deserialize, Deserializer, Serialize};

use super::{Control, Edition, Language};
use crate::code::Code;

/// A text of a rule; the same text is kept once, however often it is read.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(transparent)]
pub struct RuleText(&'static str);

/// Longest text of a rule, bytes.
const LONGEST: usize = 500;

impl RuleText {
    /// Returns the text.
    #[must_use]
    pub const fn text(self) -> &'static str {
        self.0
    }

    fn keep(text: &str) -> Self {
        static KEPT: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
        let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = kept.get(text) {
            return Self(known);
        }
        let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
        kept.insert(text);
        Self(text)
    }
}

impl fmt::Display for RuleText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl<'de> Deserialize<'de> for RuleText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if text.len() > LONGEST {
            return Err(serde::de::Error::custom(format_args!(
                "a text of a rule has at most {LONGEST} bytes"
            )));
        }
        Ok(Self::keep(&text))
    }
}

/// What a federation or an organiser rules otherwise than an edition of the Laws; what is not named stays as it is there.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct OwnRules {
    /// Name of the rules, for people and in the evidence.
    pub name: Option<RuleText>,
    /// The edition that they extend.
    pub extends: Edition,
    /// The article of a code, in place of the edition's.
    pub articles: BTreeMap<Code, RuleText>,
    /// The article that says what the arbiter may do.
    pub authority: BTreeMap<Code, RuleText>,
    /// What an irregularity costs in each class of games.
    pub penalty: BTreeMap<Control, OwnPenalty>,
    /// Which codes count as completed illegal moves.
    pub counts: BTreeMap<Code, bool>,
    /// Seconds for an incorrect claim of a draw.
    pub wrong_claim_s: Option<u32>,
    /// Who calls a fallen flag.
    pub flags: Option<FlagCaller>,
    /// Moves of each player after which a wrong set-up or clock setting stands; 0: it never does.
    pub start_claim_moves: Option<usize>,
    /// Sentences by their names in `SENTENCES.md`, in English.
    pub sentences_en: BTreeMap<String, RuleText>,
    /// The same in German.
    pub sentences_de: BTreeMap<String, RuleText>,
}

/// What an irregularity costs.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct OwnPenalty {
    /// Seconds for the opponent.
    pub seconds: u32,
    /// The number of the irregularity that loses; 0: none does.
    pub loses_at: u32,
    /// The article that sets the time.
    #[serde(default)]
    pub article: Option<RuleText>,
}

/// Who calls a fallen flag.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FlagCaller {
    /// The arbiter, as soon as it is seen.
    Arbiter,
    /// Only the players: the arbiter does not point it out.
    Players,
}

impl OwnRules {
    /// Keeps the rules for as long as the program runs; the same ones are kept once.
    #[must_use]
    pub fn keep(self) -> &'static Self {
        static KEPT: Mutex<Vec<&'static OwnRules>> = Mutex::new(Vec::new());
        let mut kept = KEPT.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = kept.iter().find(|known| ***known == self) {
            return known;
        }
        let rules: &'static Self = Box::leak(Box::new(self));
        kept.push(rules);
        rules
    }

    /// Returns a sentence by its name, if it is changed.
    #[must_use]
    pub fn sentence(&self, name: &str, language: Language) -> Option<&'static str> {
        let sentences = match language {
            Language::En => &self.sentences_en,
            Language::De => &self.sentences_de,
        };
        sentences.get(name).map(|text| text.text())
    }

    /// Lists what is changed, one line each, for people.
    #[must_use]
    pub fn changes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (what, articles) in [("article", &self.articles), ("authority", &self.authority)] {
            lines.extend(articles.iter().map(|(code, text)| format!("{what} of {}: {text}", code.name())));
        }
        for (control, penalty) in &self.penalty {
            let loses = match penalty.loses_at {
                0 => "none loses".to_owned(),
                number => format!("number {number} loses"),
            };
            lines.push(format!("penalty in {control}: {} s, {loses}", penalty.seconds));
        }
        lines.extend(self.counts.iter().map(|(code, counts)| {
            format!("{} {}", code.name(), if *counts { "counts" } else { "does not count" })
        }));
        lines.extend(self.wrong_claim_s.map(|seconds| format!("incorrect claim of a draw: {seconds} s")));
        lines.extend(self.flags.map(|caller| match caller {
            FlagCaller::Arbiter => "flags are called by the arbiter".to_owned(),
            FlagCaller::Players => "flags are called by the players only".to_owned(),
        }));
        lines.extend(self.start_claim_moves.map(|moves| match moves {
            0 => "a wrong set-up never stands".to_owned(),
            moves => format!("a wrong set-up stands after {moves} moves of each player"),
        }));
        for (language, sentences) in [("en", &self.sentences_en), ("de", &self.sentences_de)] {
            lines.extend(sentences.keys().map(|name| format!("sentence {name} in {language}")));
        }
        lines
    }
}
