//! The board's sensors: 64 squares, looked at one after another, again and again.
//!
//! Between two looks at a square anything may happen on it unseen. That is all there is to slides that leave no
//! trace, captures without an empty square, and placements that come before their lifts.

use std::{collections::BTreeSet, time::Duration};

use dgt_protocol::{Field, Piece, Placement};

use jadoube_core::time::Timestamp;

/// How the board looks at its squares.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Scan {
    /// Time for all squares: 200 to 250 ms, over Bluetooth about twice that.
    pub period: Duration,
    /// Which square comes after which.
    pub order: ScanOrder,
    /// When the first square is looked at for the first time.
    pub phase: Duration,
}

/// Which square comes after which. No document says what real boards do.
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

/// A square that does not show what stands on it, up to an instant.
#[derive(Clone, Copy, Debug)]
struct Misread {
    field: Field,
    piece: Piece,
    until: Timestamp,
}

/// What stands on the squares, and what the board knows of it.
#[derive(Debug)]
pub(super) struct Sensors {
    scan: Scan,
    actual: Placement,
    seen: Placement,
    misread: Vec<Misread>,
    /// Looks that may find something new; all others cannot.
    due: BTreeSet<(Timestamp, Field)>,
}

impl Sensors {
    pub(super) const fn new(scan: Scan, placement: Placement) -> Self {
        Self { scan, actual: placement, seen: placement, misread: Vec::new(), due: BTreeSet::new() }
    }

    /// Puts a piece on a field, or takes it away.
    pub(super) fn put(&mut self, field: Field, piece: Piece, now: Timestamp) {
        self.actual.set(field, piece);
        self.due.insert((self.next_look(field, now), field));
    }

    /// Makes a field show something else up to an instant: for one scan, or for good.
    pub(super) fn misread(&mut self, field: Field, piece: Piece, until: Timestamp, now: Timestamp) {
        self.misread.retain(|misread| misread.until > now && misread.field != field);
        self.misread.push(Misread { field, piece, until });
        self.due.insert((self.next_look(field, now), field));
        if until < Timestamp::MAX {
            self.due.insert((self.next_look(field, until), field));
        }
    }

    /// Returns when the next look may find something new.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.due.first().map(|(at, _)| *at)
    }

    /// Looks at the next field that is due; returns it and what it shows, if that is new.
    pub(super) fn look(&mut self, now: Timestamp) -> Option<(Field, Piece)> {
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

    /// Looks at all fields at once, as at power-up.
    pub(super) fn look_at_all(&mut self, now: Timestamp) {
        self.due.retain(|(at, _)| *at > now);
        for field in Field::all() {
            self.seen.set(field, self.shown(field, now));
        }
    }

    /// Returns what the last scan saw, which is what a dump tells.
    pub(super) const fn seen(&self) -> &Placement {
        &self.seen
    }

    fn shown(&self, field: Field, now: Timestamp) -> Piece {
        let misread = self.misread.iter().find(|misread| misread.field == field && now < misread.until);
        misread.map_or_else(|| self.actual.get(field), |misread| misread.piece)
    }

    /// Returns the first instant from `now` on at which a field is looked at.
    fn next_look(&self, field: Field, now: Timestamp) -> Timestamp {
        let period = u64::try_from(self.scan.period.as_micros()).unwrap_or(u64::MAX).max(64);
        let phase = u64::try_from(self.scan.phase.as_micros()).unwrap_or(0);
        let place = period / 64 * u64::from(self.scan.order.place(field));
        let first = (phase + place) % period;
        let now = now.as_micros();
        let rounds = now.saturating_sub(first).div_ceil(period);
        Timestamp::from_micros(first + rounds * period)
    }
}
