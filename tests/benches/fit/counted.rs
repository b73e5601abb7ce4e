//! What is counted: how often something happened of how many times that it could, and how long things took.

use std::collections::BTreeMap;

/// How often something happened, of how many times that it could.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Share {
    pub(super) happened: usize,
    pub(super) of: usize,
}

/// Shares and times, by the keys of `Params` or a name of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) shares: BTreeMap<&'static str, Share>,
    /// Seconds.
    pub(super) times: BTreeMap<&'static str, Vec<f64>>,
}

impl Tally {
    /// Counts one time at which something could happen.
    pub(super) fn count(&mut self, key: &'static str, happened: bool) {
        self.add(key, usize::from(happened), 1);
    }

    /// Counts several.
    pub(super) fn add(&mut self, key: &'static str, happened: usize, of: usize) {
        let share = self.shares.entry(key).or_default();
        share.happened += happened;
        share.of += of;
    }

    /// Adds a time in seconds.
    pub(super) fn time(&mut self, key: &'static str, seconds: f64) {
        self.times.entry(key).or_default().push(seconds);
    }
}
