//! Owns what monitoring reads: the text format of Prometheus, counters of what has happened, and what is wrong.
//!
//! Nothing is counted on the way of an event: counts follow from the events that everybody gets, and states from the
//! view when somebody asks.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Write as _},
    sync::{Arc, Mutex, PoisonError},
};

use crate::{
    event::{BoardId, EventKind, LinkState},
    sinks::Published,
};

/// What is wrong with the service, by part; clones share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Health(Arc<Mutex<BTreeMap<&'static str, String>>>);

impl Health {
    /// Notes what is wrong with a part, or that nothing is.
    pub(crate) fn set(&self, part: &'static str, wrong: Option<String>) {
        let mut parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match wrong {
            Some(wrong) => parts.insert(part, wrong),
            None => parts.remove(part),
        };
    }

    /// Returns everything that is wrong.
    #[must_use]
    pub(crate) fn wrong(&self) -> Vec<String> {
        let parts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        parts.iter().map(|(part, wrong)| format!("{part}: {wrong}")).collect()
    }
}

/// What has happened since the service began.
#[derive(Debug, Default)]
pub(crate) struct Counts(Mutex<Counted>);

/// See [`Counts`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    /// Events by kind.
    pub(crate) events: BTreeMap<&'static str, u64>,
    /// Alerts by code.
    pub(crate) alerts: BTreeMap<String, u64>,
    /// How often the link to a board came up.
    pub(crate) links: BTreeMap<BoardId, u64>,
    /// Events that the event stream has missed.
    pub(crate) missed: u64,
}

impl Counts {
    /// Counts an event.
    pub(crate) fn count(&self, published: &Published) {
        let mut counted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *counted.events.entry(published.event.kind.name()).or_default() += 1;
        if let EventKind::Alert(alert) = &published.event.kind {
            *counted.alerts.entry(alert.code.name()).or_default() += 1;
        } else if let EventKind::Link { state: LinkState::Up, .. } = published.event.kind {
            *counted.links.entry(published.event.board.clone()).or_default() += 1;
        }
    }

    /// Counts events that were missed.
    pub(crate) fn miss(&self, events: u64) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).missed += events;
    }

    /// Returns all counts.
    pub(crate) fn read(&self) -> Counted {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// What a figure does over time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Kind {
    /// It only grows.
    Counter,
    /// It comes and goes.
    Gauge,
}

/// A text in the format of Prometheus.
#[derive(Debug, Default)]
pub(crate) struct Exposition(String);

impl Exposition {
    /// Begins a family: all samples of one name stand together.
    pub(crate) fn family(&mut self, name: &'static str, kind: Kind, help: &str) -> Family<'_> {
        let kind = match kind {
            Kind::Counter => "counter",
            Kind::Gauge => "gauge",
        };
        // A text takes everything.
        write!(self.0, "# HELP {name} {help}\n# TYPE {name} {kind}\n").unwrap_or_default();
        Family { text: &mut self.0, name }
    }

    /// Returns the text.
    pub(crate) fn finish(self) -> String {
        self.0
    }
}

/// Samples of one name.
pub(crate) struct Family<'a> {
    text: &'a mut String,
    name: &'static str,
}

impl Family<'_> {
    /// Adds a sample.
    pub(crate) fn add(&mut self, labels: &[(&str, &str)], value: impl Display) -> &mut Self {
        let Self { text, name } = self;
        text.push_str(name);
        for (index, (label, value)) in labels.iter().enumerate() {
            let before = if index == 0 { '{' } else { ',' };
            write!(text, "{before}{label}=\"{}\"", Escaped(value)).unwrap_or_default();
        }
        if !labels.is_empty() {
            text.push('}');
        }
        writeln!(text, " {value}").unwrap_or_default();
        self
    }
}

/// A label's value as the format wants it.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '\\' | '"' => write!(f, "\\{c}")?,
                '\n' => f.write_str("\\n")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// A number of microseconds, written as seconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Micros(pub(crate) i64);

impl Display for Micros {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:06}", self.0 / 1_000_000, self.0.rem_euclid(1_000_000))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_written_as_prometheus_reads_it() {
        let mut text = Exposition::default();
        text.family("dgt_a_total", Kind::Counter, "Things.")
            .add(&[], 1)
            .add(&[("x", "a\"\\\n"), ("y", "b")], 2);
        text.family("dgt_b", Kind::Gauge, "Others.").add(&[], Micros(1_500_000));
        assert_eq!(
            text.finish(),
            "# HELP dgt_a_total Things.\n# TYPE dgt_a_total counter\ndgt_a_total 1\n\
             dgt_a_total{x=\"a\\\"\\\\\\n\",y=\"b\"} 2\n\
             # HELP dgt_b Others.\n# TYPE dgt_b gauge\ndgt_b 1.500000\n"
        );
    }

    #[test]
    fn what_is_wrong_is_named_until_it_is_right() {
        let health = Health::default();
        health.set("tasks", Some("hub does not move on".to_owned()));
        assert_eq!(health.wrong(), ["tasks: hub does not move on"]);
        health.set("tasks", None);
        assert!(health.wrong().is_empty());
    }
}
