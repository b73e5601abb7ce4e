//! Writes figures in the text format of Prometheus.

use std::fmt::{self, Display, Write as _};

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
}
