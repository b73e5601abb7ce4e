//! Owns the editions of the Laws of Chess as data: which article says what, which penalty it sets, until when.
//!
//! Every difference between editions is a cell of a table in here; rules ask, they never compare editions. A new
//! edition is one variant, one field of `Row`, and then one cell in every row the compiler complains about.

mod articles;
mod event;
mod own;
mod penalties;
mod time_control;
mod windows;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de};
use thiserror::Error;

pub use articles::Topic;
pub use event::{EventSettings, Language};
pub use own::{FlagCaller, OwnPenalty, OwnRules, RuleText};
pub use penalties::{IllegalPosition, OtherReading, Sanction};
pub use time_control::{ParseTimeControlError, Period, TimeControl};
pub use windows::ActionWindow;

/// An edition of the Laws of Chess, by the year in which it came into force.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize)]
pub enum Edition {
    /// 1 July 2009.
    #[serde(rename = "2009")]
    E2009,
    /// 1 July 2014.
    #[serde(rename = "2014")]
    E2014,
    /// 1 July 2017.
    #[serde(rename = "2017")]
    E2017,
    /// 1 January 2018.
    #[serde(rename = "2018")]
    E2018,
    /// 1 January 2023.
    #[default]
    #[serde(rename = "2023")]
    E2023,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Self; 5] = [Self::E2009, Self::E2014, Self::E2017, Self::E2018, Self::E2023];

    /// Returns the year.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Row("2009", "2014", "2017", "2018", "2023").of(self)
    }

    /// Tells how a time control is classified (2009: Art. A.1, B.1; 2014 and later likewise).
    #[must_use]
    pub fn classify(self, control: &TimeControl) -> Control {
        // Seconds for sixty moves from which on it is rapid chess.
        let rapid_from = Row(15 * 60, 10 * 60 + 1, 10 * 60 + 1, 10 * 60 + 1, 10 * 60 + 1).of(self);
        match control.sixty_moves_s() {
            seconds if seconds < rapid_from => Control::Blitz,
            seconds if seconds < 60 * 60 => Control::Rapid,
            _ => Control::Standard,
        }
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
        Self::ALL.into_iter().find(named).ok_or_else(|| ParseEditionError(text.to_owned()))
    }
}

impl<'de> Deserialize<'de> for Edition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        /// Takes the year quoted or bare: people write both.
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

    /// Tells which rules bind the arbiter.
    #[must_use]
    pub const fn of(control: Control, supervised: bool) -> Self {
        match (control, supervised) {
            (Control::Standard, _) | (_, true) => Self::Competition,
            (Control::Rapid, false) => Self::RapidOtherwise,
            (Control::Blitz, false) => Self::BlitzOtherwise,
        }
    }
}

/// One cell for each edition, oldest first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<T>(pub T, pub T, pub T, pub T, pub T);

impl<T: Copy> Row<T> {
    pub(crate) const fn of(self, edition: Edition) -> T {
        match edition {
            Edition::E2009 => self.0,
            Edition::E2014 => self.1,
            Edition::E2017 => self.2,
            Edition::E2018 => self.3,
            Edition::E2023 => self.4,
        }
    }
}

/// The Laws as they apply to one event.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Laws {
    edition: Edition,
    control: Control,
    regime: Regime,
    blitz_supervised_penalty_s: u32,
    separate_counters: bool,
    two_hands_without_press: bool,
    own: Option<&'static OwnRules>,
}

impl Laws {
    /// Chooses the Laws that an event is played by.
    #[must_use]
    pub const fn of(event: &EventSettings) -> Self {
        Self {
            edition: event.rules,
            control: event.control,
            regime: Regime::of(event.control, event.supervised),
            blitz_supervised_penalty_s: event.blitz_supervised_penalty_s,
            separate_counters: event.separate_counters_2017,
            two_hands_without_press: event.two_hands_2017_without_press,
            own: event.own_rules,
        }
    }

    /// Returns the edition that numbers the articles.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns what the event rules otherwise.
    #[must_use]
    pub const fn own(&self) -> Option<&'static OwnRules> {
        self.own
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
