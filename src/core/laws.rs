//! Owns the editions of the Laws of Chess as data: which article says what, which penalty it sets, until when.
//!
//! Every difference between editions is a line of a file in `laws/`; rules ask, they never compare editions.

mod articles;
mod event;
mod penalties;
mod rules;
mod time_control;
mod windows;

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, LazyLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use thiserror::Error;

pub use articles::Topic;
pub use event::{EventSettings, Language};
pub use penalties::{FlagCaller, IllegalPosition, OtherReading, Rulings, Sanction};
pub use rules::{Cell, Classes, Letter, Penalty, RuleText, Rules};
pub use time_control::{ParseTimeControlError, Period, TimeControl};
pub use windows::ActionWindow;

/// The editions, oldest first; each extends the one before it, and a new one is a file and a line.
const EDITIONS: [(&str, &str); 5] = [
    ("2009", include_str!("laws/2009.toml")),
    ("2014", include_str!("laws/2014.toml")),
    ("2017", include_str!("laws/2017.toml")),
    ("2018", include_str!("laws/2018.toml")),
    ("2023", include_str!("laws/2023.toml")),
];

/// What the editions say; a test reads them all.
static RULES: LazyLock<Vec<Rules>> =
    LazyLock::new(|| EDITIONS.iter().map(|(_, text)| Rules::parse(text).unwrap_or_default()).collect());

/// An edition of the Laws of Chess, by the year in which it came into force.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Edition(usize);

impl Default for Edition {
    fn default() -> Self {
        Self(EDITIONS.len() - 1)
    }
}

impl Edition {
    /// Returns all editions, oldest first.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..EDITIONS.len()).map(Self)
    }

    /// Returns the year.
    #[must_use]
    pub fn name(self) -> &'static str {
        EDITIONS.get(self.0).map_or("", |(name, _)| name)
    }

    /// Returns what it says, and then what those say that it extends.
    fn layers<'a>(self) -> impl Iterator<Item = &'a Rules> {
        std::iter::successors(RULES.get(self.0), |rules: &&'a Rules| RULES.get(rules.extends?.0))
    }

    /// Returns how a time control is classified (2009: Art. A.1, B.1; 2014 and later likewise).
    #[must_use]
    pub fn classify(self, control: &TimeControl) -> Control {
        let rapid_from = self.layers().find_map(|rules| rules.rapid_from_s).unwrap_or_default();
        match control.sixty_moves_s() {
            seconds if seconds < rapid_from => Control::Blitz,
            seconds if seconds < 60 * 60 => Control::Rapid,
            _ => Control::Standard,
        }
    }
}

impl Serialize for Edition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no edition of the Laws.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is no edition of the Laws of Chess; there are 2009, 2014, 2017, 2018 and 2023")]
pub struct ParseEditionError(String);

impl FromStr for Edition {
    type Err = ParseEditionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = |edition: &Self| edition.name() == text;
        Self::all().find(named).ok_or_else(|| ParseEditionError(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Edition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Accepts the year quoted or bare: people write both.
        struct Year;

        impl de::Visitor<'_> for Year {
            type Value = Edition;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the year of an edition of the Laws")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Edition, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, year: i64) -> Result<Edition, E> {
                self.visit_str(&year.to_string())
            }

            fn visit_u64<E: de::Error>(self, year: u64) -> Result<Edition, E> {
                self.visit_str(&year.to_string())
            }
        }

        deserializer.deserialize_any(Year)
    }
}

/// Which part of the Laws applies.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// The Competition Rules.
    #[default]
    Standard,
    /// Appendix A.
    Rapid,
    /// Appendix B.
    Blitz,
}

impl Control {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Standard, Self::Rapid, Self::Blitz];

    /// Returns the name as the configuration writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Standard => "standard",
            Self::Rapid => "rapid",
            Self::Blitz => "blitz",
        }
    }
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A text that names no part of the Laws.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0:?} is no kind of game; there are standard, rapid and blitz")]
pub struct ParseControlError(String);

impl FromStr for Control {
    type Err = ParseControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let named = |control: &Self| control.name() == text;
        Self::ALL.into_iter().find(named).ok_or_else(|| ParseControlError(text.to_owned()))
    }
}

/// Which rules bind the arbiter; a decision of the regulations for the whole event (Art. A.6, B.4).
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Regime {
    /// The Competition Rules in full: standard chess, and rapid or blitz under supervision.
    Competition,
    /// Rapid without that supervision (2009–2018: Art. A.4, 2023: Art. A.5).
    RapidOtherwise,
    /// Blitz without that supervision (2009: Art. B.3, 2014–2018: B.4, 2023: B.3).
    BlitzOtherwise,
}

impl Regime {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Competition, Self::RapidOtherwise, Self::BlitzOtherwise];

    /// Returns which rules bind the arbiter.
    #[must_use]
    pub const fn of(control: Control, supervised: bool) -> Self {
        match (control, supervised) {
            (Control::Standard, _) | (_, true) => Self::Competition,
            (Control::Rapid, false) => Self::RapidOtherwise,
            (Control::Blitz, false) => Self::BlitzOtherwise,
        }
    }
}

/// The Laws as they apply to one event.
#[derive(Clone, Debug)]
pub struct Laws {
    edition: Edition,
    control: Control,
    regime: Regime,
    blitz_supervised_penalty_s: u32,
    separate_counters: bool,
    two_hands_without_press: bool,
    own: Option<Arc<Rules>>,
}

impl Laws {
    /// Chooses the Laws that an event is played by.
    #[must_use]
    pub fn of(event: &EventSettings) -> Self {
        Self {
            edition: event.rules,
            control: event.control,
            regime: Regime::of(event.control, event.supervised),
            blitz_supervised_penalty_s: event.blitz_supervised_penalty_s,
            separate_counters: event.separate_counters_2017,
            two_hands_without_press: event.two_hands_2017_without_press,
            own: event.own_rules.clone(),
        }
    }

    /// Returns the edition that numbers the articles.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the name of the event's own rules.
    #[must_use]
    pub fn own_name(&self) -> Option<&str> {
        self.own.as_ref()?.name.as_deref()
    }

    /// Returns a sentence that these rules word otherwise than the program.
    #[must_use]
    pub fn sentence(&self, name: &str, language: Language) -> Option<&str> {
        self.layers().find_map(|rules| rules.sentence(name, language)).map(|text| &**text)
    }

    /// Returns what speaks, the event's own rules before the edition.
    fn layers(&self) -> impl Iterator<Item = &Rules> {
        self.own.as_deref().into_iter().chain(self.edition.layers())
    }

    /// Returns what the first of them says of this class of games.
    fn find<T>(&self, of: impl Fn(&Rules) -> Option<&Cell<T>>) -> Option<&T> {
        self.layers().find_map(|rules| of(rules)?.of(self.control, self.regime))
    }

    /// Returns a text that they have; an empty one takes back what the extended rules say.
    fn text(&self, of: impl Fn(&Rules) -> Option<&Cell<RuleText>>) -> Option<&str> {
        self.find(of).map(|text| &**text).filter(|text| !text.is_empty())
    }

    /// Returns the part of the Laws.
    #[must_use]
    pub const fn control(&self) -> Control {
        self.control
    }

    /// Returns the rules that bind the arbiter.
    #[must_use]
    pub const fn regime(&self) -> Regime {
        self.regime
    }
}

#[cfg(test)]
mod tests;
