//! Writes events the way that was asked for.

use std::{collections::BTreeMap, fmt, io::Write};

use jiff::{SignedDuration, tz::TimeZone};

use crate::{config::Config, published::zone::local_zone, sinks::AlertText};
use jadoube_core::{
    capture::Header,
    event::{BoardId, Event, EventKind},
    time::{self, Timestamp},
};

/// The date of a game of which only the times since the capture began are known.
const NO_DATE: &str = "[Date \"????.??.??\"]";

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
    /// For games alone.
    dates: Option<Dates>,
}

impl<'a> Formatter<'a> {
    pub(super) fn new(format: Format, config: &'a Config, prefix: String, header: &Header) -> Self {
        let dates = matches!(format, Format::Pgn).then(|| Dates::new(header));
        Self { format, config, prefix, alerts: AlertText::default(), dates }
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
                let date = self.dates.as_mut().and_then(|dates| dates.of(event));
                if let EventKind::Game(game) = &event.kind {
                    let pgn =
                        date.map_or_else(|| game.pgn.clone(), |date| game.pgn.replacen(NO_DATE, &date, 1));
                    writeln!(out, "{}\n", pgn.trim_end()).unwrap_or_default();
                }
            }
        }
    }
}

/// The days of games, which the core does not know: it has no calendar.
struct Dates {
    /// When the capture began, if its header says so.
    started: Option<jiff::Timestamp>,
    zone: TimeZone,
    /// When the first move of each board's game was made: pieces may have been set up the evening before.
    first_moves: BTreeMap<BoardId, Timestamp>,
}

impl Dates {
    fn new(header: &Header) -> Self {
        let started = header.get("started").and_then(|text| text.parse().ok());
        Self { started, zone: local_zone(), first_moves: BTreeMap::new() }
    }

    /// Handles an event; returns the header with the day of a game that it reports.
    fn of(&mut self, event: &Event) -> Option<String> {
        if let EventKind::GameStart { .. } = event.kind {
            self.first_moves.remove(&event.board);
        } else if let EventKind::Move(_) = event.kind {
            self.first_moves.entry(event.board.clone()).or_insert(event.at);
        }
        let EventKind::Game(_) = event.kind else { return None };
        let at = self.first_moves.get(&event.board).unwrap_or(&event.at);
        let since = SignedDuration::try_from(at.since(Timestamp::ZERO)).ok()?;
        let day = self.started?.checked_add(since).ok()?.to_zoned(self.zone.clone());
        Some(day.strftime("[Date \"%Y.%m.%d\"]").to_string())
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
