//! Collects figures and has them written as monitoring reads them.
//!
//! The text is that of `OpenMetrics`; who does not ask for that gets the older text format of Prometheus, which has the
//! same samples and differs in the names of the families of counters and in the end.

use std::fmt;

use prometheus_client::{
    collector::Collector,
    encoding::{DescriptorEncoder, MetricEncoder, NoLabelSet, text::encode},
    metrics::MetricType,
    registry::Registry,
};

/// What the samples of every counter end with.
const TOTAL: &str = "_total";

/// What a figure does over time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum MetricKind {
    /// It only grows; its name ends with `_total`.
    Counter,
    /// It comes and goes.
    Gauge,
}

/// How figures are written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Format {
    /// `OpenMetrics` 1.0.
    OpenMetrics,
    /// The text format of Prometheus, version 0.0.4.
    Prometheus,
}

/// Figures by family.
#[derive(Debug, Default)]
pub(crate) struct Exposition(Vec<Family>);

/// Samples of one name.
#[derive(Debug)]
pub(crate) struct Family {
    name: &'static str,
    kind: MetricKind,
    help: &'static str,
    samples: Vec<(Vec<(&'static str, String)>, Value)>,
}

/// One figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Value {
    /// A number of things.
    Count(u64),
    /// A part, or seconds.
    Real(f64),
}

impl Exposition {
    /// Begins a family: all samples of one name stand together.
    pub(crate) fn family(&mut self, name: &'static str, kind: MetricKind, help: &'static str) -> &mut Family {
        self.0.push_mut(Family { name, kind, help, samples: Vec::new() })
    }

    /// Returns the text.
    ///
    /// # Errors
    ///
    /// Returns an error if a figure cannot be written.
    pub(crate) fn finish(self, format: Format) -> Result<String, fmt::Error> {
        let counters: Vec<&str> =
            self.0.iter().filter(|family| family.kind == MetricKind::Counter).map(Family::base).collect();
        let mut registry = Registry::default();
        registry.register_collector(Box::new(self));
        let mut text = String::new();
        encode(&mut text, &registry)?;
        Ok(match format {
            Format::OpenMetrics => text,
            Format::Prometheus => as_prometheus(&text, &counters),
        })
    }
}

/// Puts the suffix of counters into the names of their families, and takes the end off.
fn as_prometheus(text: &str, counters: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.lines().filter(|line| *line != "# EOF") {
        let head = ["# HELP ", "# TYPE "].into_iter().find_map(|head| Some((head, line.strip_prefix(head)?)));
        match head.and_then(|(head, rest)| Some((head, rest.split_once(' ')?))) {
            Some((head, (name, rest))) if counters.contains(&name) => {
                out.extend([head, name, TOTAL, " ", rest]);
            }
            _ => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

impl Family {
    /// Adds a sample.
    pub(crate) fn add(&mut self, labels: &[(&'static str, &str)], value: impl Into<Value>) -> &mut Self {
        let labels = labels.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.samples.push((labels, value.into()));
        self
    }

    /// Returns the name as `OpenMetrics` has it: that of a counter lacks what its samples end with.
    fn base(&self) -> &'static str {
        match self.kind {
            MetricKind::Counter => self.name.strip_suffix(TOTAL).unwrap_or(self.name),
            MetricKind::Gauge => self.name,
        }
    }
}

impl Collector for Exposition {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        for family in &self.0 {
            let kind = match family.kind {
                MetricKind::Counter => MetricType::Counter,
                MetricKind::Gauge => MetricType::Gauge,
            };
            let mut metric = encoder.encode_descriptor(family.base(), family.help, None, kind)?;
            for (labels, value) in &family.samples {
                if labels.is_empty() {
                    write(&mut metric, family.kind, *value)?;
                } else {
                    write(&mut metric.encode_family(labels)?, family.kind, *value)?;
                }
            }
        }
        Ok(())
    }
}

fn write(metric: &mut MetricEncoder<'_>, kind: MetricKind, value: Value) -> fmt::Result {
    match (kind, value) {
        (MetricKind::Counter, Value::Count(count)) => {
            metric.encode_counter::<NoLabelSet, _, u64>(&count, None)
        }
        (MetricKind::Counter, Value::Real(number)) => {
            metric.encode_counter::<NoLabelSet, _, u64>(&number, None)
        }
        (MetricKind::Gauge, Value::Count(count)) => metric.encode_gauge(&count),
        (MetricKind::Gauge, Value::Real(number)) => metric.encode_gauge(&number),
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<u32> for Value {
    fn from(count: u32) -> Self {
        Self::Count(count.into())
    }
}

impl From<bool> for Value {
    fn from(is: bool) -> Self {
        Self::Count(is.into())
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(u64::try_from(count).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures() -> Exposition {
        let mut figures = Exposition::default();
        figures
            .family("dgt_a_total", MetricKind::Counter, "Things.")
            .add(&[], 1_u32)
            .add(&[("x", "a\"\\\n"), ("y", "b")], 2_u32);
        figures.family("dgt_b", MetricKind::Gauge, "Others.").add(&[], 1.5);
        figures
    }

    #[test]
    fn a_family_is_written_as_prometheus_reads_it() {
        assert_eq!(
            figures().finish(Format::Prometheus).unwrap(),
            "# HELP dgt_a_total Things.\n# TYPE dgt_a_total counter\ndgt_a_total 1\n\
             dgt_a_total{x=\"a\\\"\\\\\\n\",y=\"b\"} 2\n\
             # HELP dgt_b Others.\n# TYPE dgt_b gauge\ndgt_b 1.5\n"
        );
    }

    #[test]
    fn a_family_is_written_as_openmetrics_has_it() {
        let text = figures().finish(Format::OpenMetrics).unwrap();
        assert!(text.starts_with("# HELP dgt_a Things.\n# TYPE dgt_a counter\ndgt_a_total 1\n"), "{text}");
        assert!(text.ends_with("dgt_b 1.5\n# EOF\n"), "{text}");
    }
}
