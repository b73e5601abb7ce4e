//! Owns which kinds of facts a rule gets: a ply brings half a dozen facts, and most rules need one of them.

use std::sync::LazyLock;

use super::{ALL, Spec};
use crate::fact::Fact;

/// A set of kinds of facts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Facts(u32);

impl Facts {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self(u32::MAX);
    pub(super) const GAME_STARTED: Self = Self(1 << 0);
    pub(super) const PLAY_STARTED: Self = Self(1 << 1);
    pub(super) const MADE: Self = Self(1 << 2);
    pub(super) const COMPLETED: Self = Self(1 << 3);
    pub(super) const WITHDRAWN: Self = Self(1 << 4);
    pub(super) const PRESSED: Self = Self(1 << 5);
    pub(super) const RIGHTED: Self = Self(1 << 6);
    pub(super) const TOUCHED: Self = Self(1 << 7);
    pub(super) const FLAG: Self = Self(1 << 8);
    pub(super) const CLOCK_STOPPED: Self = Self(1 << 9);
    pub(super) const CLOCK_STARTED: Self = Self(1 << 10);
    pub(super) const ENDED: Self = Self(1 << 11);
    pub(super) const MISMATCH: Self = Self(1 << 12);
    pub(super) const MISMATCH_CLEARED: Self = Self(1 << 13);
    pub(super) const LINK: Self = Self(1 << 14);
    pub(super) const CLOCK_LINK: Self = Self(1 << 15);
    pub(super) const CLOCK_BATTERY: Self = Self(1 << 16);
    pub(super) const BOARD_BATTERY: Self = Self(1 << 17);
    pub(super) const NOISE: Self = Self(1 << 18);
    /// No fact: the rule may have a deadline.
    pub(super) const TIME: Self = Self(1 << 19);
    pub(super) const ODD_START: Self = Self(1 << 20);

    /// Returns the kind of a fact.
    pub(super) const fn of(fact: &Fact) -> Self {
        match fact {
            Fact::GameStarted => Self::GAME_STARTED,
            Fact::OddStart { .. } => Self::ODD_START,
            Fact::PlayStarted => Self::PLAY_STARTED,
            Fact::Made { .. } => Self::MADE,
            Fact::Completed { .. } => Self::COMPLETED,
            Fact::Withdrawn { .. } => Self::WITHDRAWN,
            Fact::Pressed(_) => Self::PRESSED,
            Fact::Righted { .. } => Self::RIGHTED,
            Fact::Touched { .. } => Self::TOUCHED,
            Fact::Flag { .. } => Self::FLAG,
            Fact::ClockStopped => Self::CLOCK_STOPPED,
            Fact::ClockStarted { .. } => Self::CLOCK_STARTED,
            Fact::Ended => Self::ENDED,
            Fact::Mismatch { .. } => Self::MISMATCH,
            Fact::MismatchCleared { .. } => Self::MISMATCH_CLEARED,
            Fact::Link { .. } => Self::LINK,
            Fact::ClockLink { .. } => Self::CLOCK_LINK,
            Fact::ClockBattery { .. } => Self::CLOCK_BATTERY,
            Fact::BoardBattery { .. } => Self::BOARD_BATTERY,
            Fact::Noise { .. } => Self::NOISE,
        }
    }

    /// Returns these kinds and another.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the places in [`ALL`] of the rules that hear a single kind.
    pub(super) fn hearers(self) -> impl Iterator<Item = usize> {
        let mut rules = self.hearer_bits();
        std::iter::from_fn(move || {
            let place = usize::try_from(rules.trailing_zeros()).ok().filter(|_| rules != 0)?;
            rules &= rules - 1;
            Some(place)
        })
    }

    /// Returns the same, a bit for each place.
    fn hearer_bits(self) -> u64 {
        static HEARERS: LazyLock<[u64; 32]> = LazyLock::new(|| {
            std::array::from_fn(|kind| {
                let hears = |spec: &Spec| u64::from(spec.hears.contains(Facts(1 << kind)));
                ALL.iter().enumerate().fold(0, |rules, (place, spec)| rules | hears(spec) << place)
            })
        });
        let kind = usize::try_from(self.0.trailing_zeros()).unwrap_or(usize::MAX);
        HEARERS.get(kind).copied().unwrap_or(0)
    }

    /// Returns whether a kind is among them.
    pub(super) const fn contains(self, kind: Self) -> bool {
        self.0 & kind.0 == kind.0
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    const NAMES: [(&str, Facts); 20] = [
        ("GameStarted", Facts::GAME_STARTED),
        ("OddStart", Facts::ODD_START),
        ("PlayStarted", Facts::PLAY_STARTED),
        ("Made", Facts::MADE),
        ("Completed", Facts::COMPLETED),
        ("Withdrawn", Facts::WITHDRAWN),
        ("Pressed", Facts::PRESSED),
        ("Righted", Facts::RIGHTED),
        ("Touched", Facts::TOUCHED),
        ("Flag", Facts::FLAG),
        ("ClockStopped", Facts::CLOCK_STOPPED),
        ("ClockStarted", Facts::CLOCK_STARTED),
        ("Ended", Facts::ENDED),
        ("Mismatch", Facts::MISMATCH),
        ("MismatchCleared", Facts::MISMATCH_CLEARED),
        ("Link", Facts::LINK),
        ("ClockLink", Facts::CLOCK_LINK),
        ("ClockBattery", Facts::CLOCK_BATTERY),
        ("BoardBattery", Facts::BOARD_BATTERY),
        ("Noise", Facts::NOISE),
    ];

    /// A rule that names a fact and does not hear it would never do what it says.
    #[test]
    fn a_rule_hears_every_fact_that_it_names() {
        for spec in ALL {
            let file = format!("{}/rules/{}.rs", env!("CARGO_MANIFEST_DIR"), spec.id.replace('-', "_"));
            let text = fs::read_to_string(Path::new(&file)).unwrap();
            for (name, kind) in NAMES {
                let path = format!("Fact::{name}");
                let mut uses = text.match_indices(&path);
                let named = uses.any(|(at, found)| {
                    !text[at + found.len()..].starts_with(|next: char| next.is_alphanumeric())
                });
                assert!(
                    !named || spec.hears.contains(kind),
                    "{file} names Fact::{name} and does not hear it"
                );
            }
            assert!(
                !text.contains("fn on_deadline") || spec.hears.contains(Facts::TIME),
                "{file} has a deadline and does not hear Facts::TIME"
            );
        }
    }
}
