//! How many irregularities are on a player's record.

use shakmaty::{ByColor, Color};

use super::{AlertStore, Notice, RuleContext, StoredAlert};
use crate::{
    alert::{AlertState, Confidence},
    code::Code,
    laws::Laws,
};

impl AlertStore {
    /// Counts the irregularities of a player that the arbiter has confirmed.
    pub(in crate::rules) fn official(&self, side: Color, counter: u8, laws: &Laws) -> u32 {
        let confirmed = |entry: &&StoredAlert| {
            entry.state == AlertState::Confirmed
                && entry.late_at.is_none()
                && self.is_current(entry)
                && entry.is_of(side)
                && laws.counts(entry.code)
                && laws.counter(entry.code) == counter
        };
        let confirmed = u32::try_from(self.entries.iter().filter(confirmed).count()).unwrap_or(u32::MAX);
        self.record.get(side).saturating_add(confirmed)
    }

    /// Counts all irregularities of a player that the arbiter has confirmed.
    fn confirmed(&self, side: Color, laws: &Laws) -> u32 {
        let counts = |entry: &&StoredAlert| {
            entry.state == AlertState::Confirmed
                && entry.late_at.is_none()
                && self.is_current(entry)
                && entry.is_of(side)
                && laws.counts(entry.code)
        };
        let confirmed = u32::try_from(self.entries.iter().filter(counts).count()).unwrap_or(u32::MAX);
        self.record.get(side).saturating_add(confirmed)
    }

    /// Returns the irregularities of a player that were confirmed too late to count.
    pub(in crate::rules) fn confirmed_late(&self, side: Color, counter: u8, laws: &Laws) -> Vec<String> {
        let late = |entry: &&StoredAlert| {
            entry.late_at.is_some()
                && entry.state == AlertState::Confirmed
                && entry.is_of(side)
                && laws.counts(entry.code)
                && laws.counter(entry.code) == counter
        };
        self.present().filter(late).map(|entry| entry.id.clone()).collect()
    }

    /// Returns what the arbiter has confirmed of each player.
    pub(in crate::rules) fn counts(&self, laws: &Laws) -> ByColor<u32> {
        ByColor { white: self.confirmed(Color::White, laws), black: self.confirmed(Color::Black, laws) }
    }

    /// Handles what a game brings along that was played elsewhere.
    pub(in crate::rules) const fn set_counts(&mut self, counts: ByColor<u32>) {
        (self.record, self.reported) = (counts, counts);
    }

    /// Reports what the arbiter has confirmed of each player, if an order has changed that.
    pub(in crate::rules) fn report_counts(&mut self, context: &RuleContext<'_>) {
        let Some(game) = self.game else { return };
        let counts = self.counts(context.laws);
        if counts != self.reported {
            self.reported = counts;
            self.out.push(Notice::Counted { game, white: counts.white, black: counts.black });
        }
    }

    /// Counts what is confirmed, and what leaves no doubt and waits for the arbiter.
    ///
    /// What may have been two hands counts only when it is confirmed.
    pub(in crate::rules) fn provisional(&self, side: Color, counter: u8, laws: &Laws) -> u32 {
        let waits = |entry: &&&StoredAlert| {
            entry.confidence == Confidence::Certain
                && entry.code != Code::TwoHandsSuspect
                && laws.counter(entry.code) == counter
        };
        let waiting = self.offences(side, laws).iter().filter(waits).count();
        self.official(side, counter, laws).saturating_add(u32::try_from(waiting).unwrap_or(u32::MAX))
    }
}
