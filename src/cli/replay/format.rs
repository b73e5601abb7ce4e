//! Writes events the way that was asked for.

use std::{fmt, io::Write};

use crate::{config::Config, sinks::AlertText};
use jadoube_core::{
    event::{Event, EventKind},
    time::{self, Timestamp},
};

/// How a replay says what it has found.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(super) enum Format {
    /// JSON Lines, every event
    Jsonl,
    /// One line per alert, for people
    #[default]
    Text,
    /// The games
    Pgn,
}

/// Writes the events of one capture.
pub(super) struct Formatter<'a> {
    format: Format,
    config: &'a Config,
    /// Prefix of text lines if several captures are replayed: the name of the capture.
    prefix: String,
    alerts: AlertText,
}

impl<'a> Formatter<'a> {
    pub(super) fn new(format: Format, config: &'a Config, prefix: String) -> Self {
        Self { format, config, prefix, alerts: AlertText::default() }
    }

    /// Writes an event, if it is one that the format shows.
    ///
    /// Writing to memory does not fail, so there is no error to return.
    pub(super) fn write(&mut self, event: &Event, out: &mut Vec<u8>) {
        match self.format {
            Format::Jsonl => {
                event.write_json(out);
                out.push(b'\n');
            }
            Format::Text => {
                if let Some(line) = self.alerts.line(event, Moment(event.at), self.config) {
                    writeln!(out, "{}{line}", self.prefix).unwrap_or_default();
                }
            }
            Format::Pgn => {
                if let EventKind::Game(game) = &event.kind {
                    writeln!(out, "{}\n", game.pgn.trim_end()).unwrap_or_default();
                }
            }
        }
    }
}

/// A time of the capture, as `h:mm:ss.t`.
struct Moment(Timestamp);

impl fmt::Display for Moment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = self.0.as_micros() / 100_000;
        write!(f, "{}.{}", time::ClockFace(tenths / 10), tenths % 10)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_face(micros: u64, expected: &str) {
        assert_eq!(Moment(Timestamp::from_micros(micros)).to_string(), expected);
    }

    #[test]
    fn times_are_read_at_a_glance() {
        check_face(0, "0:00:00.0");
        check_face(59_999_999, "0:00:59.9");
        check_face(61_200_000, "0:01:01.2");
        check_face(36_000_000_000, "10:00:00.0");
    }
}
