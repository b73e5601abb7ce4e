//! What a file of rules says: an edition of the Laws, or what a federation or an organiser changes of one.
//!
//! Both have the same keys; what a file does not say, the one that it extends says.

use std::{collections::BTreeMap, fmt, marker::PhantomData, sync::Arc};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, IntoDeserializer as _, value::MapAccessDeserializer},
};

use super::{ActionWindow, Control, Edition, FlagCaller, IllegalPosition, Language, Regime, Rulings, Topic};
use crate::code::Code;

/// A text of the rules.
pub type RuleText = Arc<str>;

/// What a file of rules says.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Rules {
    /// Name, for people and in the evidence; editions have none, their year is in every alert.
    pub name: Option<RuleText>,
    /// The edition that they extend.
    pub extends: Option<Edition>,
    /// Seconds for sixty moves from which on a game is rapid, and not blitz (Art. B.1).
    pub rapid_from_s: Option<u32>,
    /// Who calls a fallen flag.
    pub flags: Option<Cell<FlagCaller>>,
    /// What is provided against a position that no legal play leads to.
    pub illegal_position: Option<Cell<IllegalPosition>>,
    /// Moves of each player after which a wrong set-up or clock setting stands; 0: it never does.
    pub start_claim_moves: Option<Cell<usize>>,
    /// Moves of each player after which reversed colours stay; 0: the game goes on anyhow.
    pub colours_stay_after: Option<Cell<usize>>,
    /// What may be ruled in one way or the other.
    pub rulings: Rulings,
    /// The article of a code; empty: there is no such rule.
    pub articles: BTreeMap<Code, Cell<RuleText>>,
    /// The article that says what the arbiter may do, if it is another; empty: none does.
    pub authority: BTreeMap<Code, Cell<RuleText>>,
    /// The penalty clause of a code that has its own.
    pub clauses: BTreeMap<Code, Cell<RuleText>>,
    /// Articles on what is no alert.
    pub topics: BTreeMap<Topic, Cell<RuleText>>,
    /// What closes the window of a code, if not the end of the game.
    pub windows: BTreeMap<Code, Cell<ActionWindow>>,
    /// Which codes count as completed illegal moves.
    pub counts: BTreeMap<Code, Cell<bool>>,
    /// What an irregularity costs.
    pub penalty: Option<Classes<Penalty>>,
    /// What an incorrect claim of a draw costs.
    pub wrong_claim: Option<Classes<Penalty>>,
    /// Sentences by their names in `SENTENCES.md`, in English.
    pub sentences_en: BTreeMap<String, RuleText>,
    /// The same in German.
    pub sentences_de: BTreeMap<String, RuleText>,
    /// The same in French; what these and the next two lack is said as in English.
    pub sentences_fr: BTreeMap<String, RuleText>,
    /// The same in Spanish.
    pub sentences_es: BTreeMap<String, RuleText>,
    /// The same in Italian.
    pub sentences_it: BTreeMap<String, RuleText>,
}

/// What an irregularity costs.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Penalty {
    /// Seconds for the opponent.
    pub seconds: u32,
    /// The number of the irregularity that loses; 0: none does.
    pub loses_at: u32,
    /// The article that sets the time, if it is not the one that gives the arbiter the power.
    pub article: Option<RuleText>,
    /// Whether it loses only on the opponent's claim.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub claimed: bool,
    /// What the clause gives read literally, where that is hardly meant.
    pub letter: Option<Letter>,
}

/// The literal reading of a clause.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Letter {
    /// Seconds for the opponent.
    pub seconds: u32,
    /// The article that is read.
    pub article: Option<RuleText>,
}

/// A value for all games, or one for each class of them.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell<T> {
    /// The same for all.
    All(T),
    /// Not the same for all.
    Each(Classes<T>),
}

impl<T> Cell<T> {
    pub(super) fn of(&self, control: Control, regime: Regime) -> Option<&T> {
        match self {
            Self::All(value) => Some(value),
            Self::Each(classes) => classes.of(control, regime),
        }
    }
}

/// Values for classes of games.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Classes<T> {
    /// Standard games.
    standard: Option<T>,
    /// Rapid games; also with supervision, if nothing is said of that.
    rapid: Option<T>,
    /// Blitz games, likewise.
    blitz: Option<T>,
    /// Rapid games with supervision.
    rapid_supervised: Option<T>,
    /// Blitz games with supervision.
    blitz_supervised: Option<T>,
    /// All games by the Competition Rules: standard, and others with supervision.
    competition: Option<T>,
    /// Rapid and blitz games without it.
    otherwise: Option<T>,
}

impl<T> Classes<T> {
    /// Returns the value for a class, from what is said of it alone to what is said of more.
    pub(super) fn of(&self, control: Control, regime: Regime) -> Option<&T> {
        let supervised = regime == Regime::Competition;
        let (first, second, third) = match (control, supervised) {
            (Control::Standard, _) => (&self.standard, Some(&self.competition), None),
            (Control::Rapid, true) => (&self.rapid_supervised, Some(&self.competition), Some(&self.rapid)),
            (Control::Rapid, false) => (&self.rapid, Some(&self.otherwise), None),
            (Control::Blitz, true) => (&self.blitz_supervised, Some(&self.competition), Some(&self.blitz)),
            (Control::Blitz, false) => (&self.blitz, Some(&self.otherwise), None),
        };
        [Some(first), second, third].into_iter().flatten().flatten().next()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Cell<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Derived, an error would not say what is wrong with the value.
        struct Either<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Either<T> {
            type Value = Cell<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a value, or a table with one for each class of games")
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Cell<T>, E> {
                T::deserialize(value.into_deserializer()).map(Cell::All)
            }

            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Cell<T>, E> {
                T::deserialize(value.into_deserializer()).map(Cell::All)
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Cell<T>, E> {
                T::deserialize(value.into_deserializer()).map(Cell::All)
            }

            fn visit_str<E: de::Error>(self, value: &str) -> Result<Cell<T>, E> {
                T::deserialize(value.into_deserializer()).map(Cell::All)
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<Cell<T>, A::Error> {
                Classes::deserialize(MapAccessDeserializer::new(map)).map(Cell::Each)
            }
        }

        deserializer.deserialize_any(Either(PhantomData))
    }
}

impl Rules {
    /// Reads a file.
    ///
    /// # Errors
    ///
    /// Returns an error with the line if it is no TOML, or says what rules cannot say.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Returns a sentence by its name.
    pub(super) fn sentence(&self, name: &str, language: Language) -> Option<&RuleText> {
        match language {
            Language::En => self.sentences_en.get(name),
            Language::De => self.sentences_de.get(name),
            Language::Fr => self.sentences_fr.get(name).or_else(|| self.sentences_en.get(name)),
            Language::Es => self.sentences_es.get(name).or_else(|| self.sentences_en.get(name)),
            Language::It => self.sentences_it.get(name).or_else(|| self.sentences_en.get(name)),
        }
    }

    /// Lists what is changed, one line each, as the file has it.
    #[must_use]
    pub fn changes(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let said = Self { name: None, extends: None, ..self.clone() };
        list("", &serde_json::to_value(said).unwrap_or_default(), &mut lines);
        lines
    }
}

/// Lists the values below a key.
fn list(key: &str, value: &serde_json::Value, lines: &mut Vec<String>) {
    if let Some(values) = value.as_object() {
        for (name, value) in values {
            let below = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
            list(&below, value, lines);
        }
    } else if !value.is_null() {
        lines.push(format!("{key} = {value}"));
    }
}
