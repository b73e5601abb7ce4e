//! Owns the number of an event within its capture, by which a restart knows again what an earlier process has reported.
//!
//! An event is identified by its board, its capture, its time and which of several at that time it is. A plain count over the
//! capture would not do: power loss, a full disk or a record that is left out may take records away that were reported of, and
//! each number after them would mean another event. Times go on, so only events at the damaged instant can be mistaken.

use std::collections::BTreeMap;

use jadoube_core::{
    event::{BoardId, Event},
    time::Timestamp,
};
use serde_json::value::RawValue;

/// The number of an event within its capture, besides its board and its time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Ordinal {
    /// When the capture began, microseconds since 1970, as its header says: copies at other ports have it, too.
    pub capture: i64,
    /// Which one of the events of its board at its time, from 0.
    pub nth: u32,
}

/// What identifies an event over restarts.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct EventId {
    /// Its board.
    pub(crate) board: String,
    /// See [`Ordinal`].
    pub(crate) capture: i64,
    /// Its time on the timeline of the capture.
    pub(crate) t: Timestamp,
    /// See [`Ordinal`].
    pub(crate) nth: u32,
}

impl EventId {
    /// Returns what identifies an event with its number.
    pub(crate) fn of(event: &Event, Ordinal { capture, nth }: Ordinal) -> Self {
        Self { board: event.board.to_string(), capture, t: event.at, nth }
    }

    /// Returns what identifies the event of a line of a log by the values of these keys; lines of 0.1.0, and events that are
    /// in no capture, have nothing that does.
    pub(crate) fn of_line(
        board: &str,
        t: Option<&RawValue>,
        capture: Option<i64>,
        nth: Option<u32>,
    ) -> Option<Self> {
        let t = t?.get().parse().ok()?;
        Some(Self { board: board.to_owned(), capture: capture?, t, nth: nth? })
    }
}

/// Numbers the events of a capture, in a live run as in a replay.
///
/// It has to see every event that the line puts out, also those that are not reported.
#[derive(Debug)]
pub(crate) struct Numbering {
    capture: i64,
    boards: BTreeMap<BoardId, (Timestamp, u32)>,
}

impl Numbering {
    /// Begins with a capture that was begun at `started`.
    pub(crate) fn of(started: jiff::Timestamp) -> Self {
        Self { capture: started.as_microsecond(), boards: BTreeMap::new() }
    }

    /// Returns the number of the next event.
    pub(crate) fn next(&mut self, event: &Event) -> Ordinal {
        let nth = match self.boards.get_mut(&event.board) {
            Some((at, next)) if *at == event.at => {
                *next += 1;
                *next
            }
            Some(last) => {
                *last = (event.at, 0);
                0
            }
            None => {
                self.boards.insert(event.board.clone(), (event.at, 0));
                0
            }
        };
        Ordinal { capture: self.capture, nth }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jadoube_core::event::EventKind;

    #[test]
    fn events_of_a_board_at_one_time_are_counted() {
        let mut numbering = Numbering::of(jiff::Timestamp::from_microsecond(7).unwrap());
        let mut next = |board: &str, micros: u64| {
            let kind = EventKind::Retract { game: 1, ply: 1 };
            let event = Event { at: Timestamp::from_micros(micros), board: board.into(), kind };
            let Ordinal { capture, nth } = numbering.next(&event);
            assert_eq!(capture, 7);
            nth
        };
        assert_eq!([next("1", 5), next("1", 5), next("2", 5), next("1", 5), next("1", 6)], [0, 1, 0, 2, 0]);
    }
}
