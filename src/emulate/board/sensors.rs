//! The sensors of a board: 64 squares, scanned one after another in a loop.
//!
//! A change between two scans of a square is not seen. This explains slides that leave no
//! trace, captures without an empty square, and placements that come before their lifts.

use std::{collections::BTreeSet, time::Duration};

use dgt_protocol::{Field, Piece, Placement};

use jadoube_core::time::Timestamp;

/// How the board scans its squares.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Scan {
    /// Duration of one scan of all squares: 200 to 250 ms, about twice that over Bluetooth.
    pub period: Duration,
    /// The order of the squares.
    pub order: ScanOrder,
    /// Instant of the first scan of the first square.
    pub phase: Duration,
}

/// The order of the squares in a scan. It is undocumented for real boards.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ScanOrder {
    /// From a8 to h1, as in a board dump.
    Ascending,
    /// From h1 to a8.
    Descending,
    /// File by file, from a8 down.
    Files,
}

impl ScanOrder {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Ascending, Self::Descending, Self::Files];

    fn place(self, field: Field) -> u8 {
        match self {
            Self::Ascending => field.number(),
            Self::Descending => 63 - field.number(),
            Self::Files => field.file() * 8 + 7 - field.rank(),
        }
    }
}

/// A square that reads wrongly until an instant.
#[derive(Clone, Copy, Debug)]
struct Misread {
    field: Field,
    piece: Piece,
    until: Timestamp,
}

/// The pieces on the squares, and the result of the last scan.
#[derive(Debug)]
pub(super) struct Sensors {
    scan: Scan,
    actual: Placement,
    seen: Placement,
    misread: Vec<Misread>,
    /// Instants and fields of the scans that may find a change.
    due: BTreeSet<(Timestamp, Field)>,
}

impl Sensors {
    pub(super) const fn new(scan: Scan, placement: Placement) -> Self {
        Self { scan, actual: placement, seen: placement, misread: Vec::new(), due: BTreeSet::new() }
    }

    /// Sets the piece on a field; `Empty` removes it.
    pub(super) fn put(&mut self, field: Field, piece: Piece, now: Timestamp) {
        self.actual.set(field, piece);
        self.due.insert((self.next_scan_of(field, now), field));
    }

    /// Makes a field read as `piece` until an instant; `Timestamp::MAX` for good.
    pub(super) fn misread(&mut self, field: Field, piece: Piece, until: Timestamp, now: Timestamp) {
        self.misread.retain(|misread| misread.until > now && misread.field != field);
        self.misread.push(Misread { field, piece, until });
        self.due.insert((self.next_scan_of(field, now), field));
        if until < Timestamp::MAX {
            self.due.insert((self.next_scan_of(field, until), field));
        }
    }

    /// Returns when the next scan may find a change.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Scans the fields that are due up to `now`; returns the first one that changed, and its new piece.
    pub(super) fn next_change(&mut self, now: Timestamp) -> Option<(Field, Piece)> {
        while let Some((at, field)) = self.due.pop_first() {
            if at > now {
                self.due.insert((at, field));
                return None;
            }
            let piece = self.shown(field, at);
            if self.seen.set(field, piece) != piece {
                return Some((field, piece));
            }
        }
        None
    }

    /// Scans all fields at once, as at power-up.
    pub(super) fn scan_all(&mut self, now: Timestamp) {
        self.due.retain(|(at, _)| *at > now);
        for field in Field::all() {
            self.seen.set(field, self.shown(field, now));
        }
    }

    /// Returns the result of the last scan, which a dump reports.
    pub(super) const fn seen(&self) -> &Placement {
        &self.seen
    }

    fn shown(&self, field: Field, now: Timestamp) -> Piece {
        let misread = self.misread.iter().find(|misread| misread.field == field && now < misread.until);
        misread.map_or_else(|| self.actual.get(field), |misread| misread.piece)
    }

    /// Returns the first instant from `now` on at which a field is scanned.
    fn next_scan_of(&self, field: Field, now: Timestamp) -> Timestamp {
        let period = u64::try_from(self.scan.period.as_micros()).unwrap_or(u64::MAX).max(64);
        let phase = u64::try_from(self.scan.phase.as_micros()).unwrap_or(0);
        let place = period / 64 * u64::from(self.scan.order.place(field));
        let first = (phase + place) % period;
        let now = now.as_micros();
        let rounds = now.saturating_sub(first).div_ceil(period);
        Timestamp::from_micros(first + rounds * period)
    }
}
