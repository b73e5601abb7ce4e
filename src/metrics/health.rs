//! What is wrong with the service, and what does less than it should.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

/// How well each part of the service is; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Health(Arc<Mutex<Failing>>);

#[derive(Debug, Default)]
struct Failing {
    wrong: BTreeMap<&'static str, String>,
    degraded: BTreeMap<&'static str, String>,
}

impl Health {
    /// Notes what is wrong with a part, or that nothing is: somebody has to see to it at once.
    pub(crate) fn set(&self, part: &'static str, wrong: Option<String>) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).wrong, part, wrong);
    }

    /// Notes what a part fails to do, or that it fails no more: boards are watched all the same.
    pub(crate) fn degrade(&self, part: &'static str, fails: Option<String>) {
        note(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner).degraded, part, fails);
    }

    /// Returns everything that is wrong.
    #[must_use]
    pub(crate) fn wrong(&self) -> Vec<String> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.wrong.iter().map(|(part, wrong)| format!("{part}: {wrong}")).collect()
    }

    /// Returns the parts that fail to do something, and what.
    #[must_use]
    pub(crate) fn degraded(&self) -> BTreeMap<&'static str, String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).degraded.clone()
    }

    /// Returns the parts of either kind, and why.
    #[must_use]
    pub(crate) fn failing(&self) -> BTreeMap<&'static str, String> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let failing = parts.degraded.iter().chain(&parts.wrong);
        failing.map(|(part, why)| (*part, why.clone())).collect()
    }
}

fn note(parts: &mut BTreeMap<&'static str, String>, part: &'static str, text: Option<String>) {
    match text {
        Some(text) => parts.insert(part, text),
        None => parts.remove(part),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_named_until_it_is_right() {
        let health = Health::default();
        health.set("tasks", Some("hub does not move on".to_owned()));
        health.degrade("lichess", Some("is away".to_owned()));
        assert_eq!(health.wrong(), ["tasks: hub does not move on"]);
        assert_eq!(health.degraded(), BTreeMap::from([("lichess", "is away".to_owned())]));
        assert_eq!(health.failing().into_keys().collect::<Vec<_>>(), ["lichess", "tasks"]);
        health.set("tasks", None);
        health.degrade("lichess", None);
        assert!(health.wrong().is_empty() && health.degraded().is_empty());
    }
}
