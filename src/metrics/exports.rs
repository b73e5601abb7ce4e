//! Counts what leaves for others: files of games, pushes to Lichess, messages to a broker.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// What each export has done since the service began; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exports(Arc<Mutex<BTreeMap<&'static str, Export>>>);

/// What one export has done.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Export {
    /// How often something was taken.
    pub(crate) successes: u64,
    /// How often something was not.
    pub(crate) failures: u64,
    /// Games that are not taken while others are.
    pub(crate) refused_games: usize,
    /// When something was taken last, UTC.
    pub(crate) last_success: Option<jiff::Timestamp>,
}

impl Exports {
    /// Notes that an export is at work, though it has done nothing yet.
    pub(crate) fn begin(&self, sink: &'static str) {
        self.change(sink, |_| {});
    }

    /// Counts what was taken.
    pub(crate) fn succeed(&self, sink: &'static str, at: jiff::Timestamp) {
        self.change(sink, |export| {
            export.successes += 1;
            export.last_success = Some(at);
        });
    }

    /// Counts what was not taken.
    pub(crate) fn fail(&self, sink: &'static str) {
        self.change(sink, |export| export.failures += 1);
    }

    /// Notes how many games are not taken while others are.
    pub(crate) fn refuse_games(&self, sink: &'static str, games: usize) {
        self.change(sink, |export| export.refused_games = games);
    }

    /// Returns what each export has done.
    #[must_use]
    pub(crate) fn read(&self) -> BTreeMap<&'static str, Export> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, sink: &'static str, change: impl FnOnce(&mut Export)) {
        change(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(sink).or_default());
    }
}
