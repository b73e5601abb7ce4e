//! The board's event log: a ring of bytes in EEPROM that outlives the power (protocol section 4.3).

use std::{collections::VecDeque, time::Duration};

use dgt_protocol::{EventLog, Field, Mark, Piece, Placement, Record};

use jadoube_core::time::Timestamp;

/// Bytes of the ring; the end mark is the last byte of a download.
const CAPACITY: usize = EventLog::DOWNLOAD - 1;

/// Field records closer together than this carry the quick bit.
const QUICK: Duration = Duration::from_millis(250);

/// A mark of a position is written again only after more pieces than these have left it.
const HYSTERESIS: usize = 2;

/// Offset in the log, in bytes since the first write; never wraps.
type LogOffset = u64;

#[derive(Debug, Default)]
pub(super) struct Log {
    ring: VecDeque<u8>,
    written: LogOffset,
    /// Offset up to which the bus has read.
    reported: LogOffset,
    /// Offset at which the last game begins.
    start: Option<LogOffset>,
    last_field: Option<LastField>,
    /// The position whose mark was written last, until it is left.
    marked: Option<Placement>,
}

#[derive(Clone, Copy, Debug)]
struct LastField {
    field: Field,
    at: Timestamp,
    /// Offset of its record.
    position: LogOffset,
}

impl Log {
    /// Appends the power-up mark and a record for each piece.
    pub(super) fn power_up(&mut self, placement: &Placement, now: Timestamp) {
        for mark in [Mark::Nop, Mark::Nop, Mark::Nop, Mark::PowerUp] {
            self.append(Record::Mark(mark));
        }
        self.pieces(placement, now);
    }

    /// Appends the start mark and a record for each piece.
    pub(super) fn start_game(&mut self, placement: &Placement, now: Timestamp) {
        self.start = Some(self.written);
        self.append(Record::Mark(Mark::StartGame));
        self.pieces(placement, now);
    }

    /// Appends a change of one field, and the mark of the new position if it has one.
    pub(super) fn field(&mut self, field: Field, piece: Piece, placement: &Placement, now: Timestamp) {
        self.field_record(field, piece, now);
        self.mark(placement);
    }

    /// Appends any other record.
    pub(super) fn append(&mut self, record: Record) {
        let bytes = record.to_bytes();
        self.ring.extend(bytes.iter());
        self.written += u64::try_from(bytes.len()).unwrap_or(0);
        while self.ring.len() > CAPACITY {
            self.ring.pop_front();
        }
    }

    /// Returns the whole log, oldest byte first, padded in front; appends the download mark.
    pub(super) fn download(&mut self) -> Vec<u8> {
        self.append(Record::Mark(Mark::Downloaded));
        let mut bytes = vec![Mark::Nop.to_byte(); CAPACITY - self.ring.len()];
        bytes.extend(&self.ring);
        bytes.push(Mark::End.to_byte());
        bytes
    }

    /// Returns what was written since the last call.
    pub(super) fn changes(&mut self) -> Vec<u8> {
        let changes = self.between(self.reported, self.written);
        self.reported = self.written;
        changes
    }

    /// Returns what was read since the start of the game.
    pub(super) fn since_start(&self) -> Vec<u8> {
        self.start.map_or_else(Vec::new, |start| self.between(start, self.reported))
    }

    fn pieces(&mut self, placement: &Placement, now: Timestamp) {
        for (field, piece) in placement.iter().filter(|(_, piece)| !piece.is_empty()) {
            self.field_record(field, piece, now);
        }
        self.mark(placement);
    }

    fn field_record(&mut self, field: Field, piece: Piece, now: Timestamp) {
        let quick = self.last_field.is_some_and(|last| now.since(last.at) < QUICK);
        // A flicker of one piece overwrites its record, unless the bus has read it.
        if let Some(last) = self.last_field.filter(|last| quick && last.field == field)
            && last.position >= self.reported
            && self.written == last.position + 2
        {
            self.ring.truncate(self.ring.len().saturating_sub(2));
            self.written = last.position;
        }
        self.last_field = Some(LastField { field, at: now, position: self.written });
        self.append(Record::Field { field, piece, quick });
    }

    fn mark(&mut self, placement: &Placement) {
        if let Some(marked) = self.marked {
            let differ = marked.iter().zip(placement.iter()).filter(|(was, is)| was != is).count();
            if differ > HYSTERESIS {
                self.marked = None;
            }
        }
        if self.marked.is_none()
            && let Some(mark) = mark_of(placement)
        {
            self.marked = Some(*placement);
            self.append(Record::Mark(mark));
        }
    }

    fn between(&self, from: LogOffset, to: LogOffset) -> Vec<u8> {
        let oldest = self.written - u64::try_from(self.ring.len()).unwrap_or(0);
        let index =
            |position: LogOffset| usize::try_from(position.saturating_sub(oldest)).unwrap_or(usize::MAX);
        self.ring.iter().take(index(to)).skip(index(from)).copied().collect()
    }
}

/// Returns the mark that the log has for a position.
fn mark_of(placement: &Placement) -> Option<Mark> {
    if *placement == Placement::start() {
        return Some(Mark::Begin);
    }
    if *placement == Placement::start().rotated() {
        return Some(Mark::BeginRotated);
    }
    let is_outer = |field: Field| matches!(field.rank(), 0 | 1 | 6 | 7);
    if placement.iter().all(|(field, piece)| is_outer(field) != piece.is_empty()) {
        return Some(Mark::FourRows);
    }
    (*placement == Placement::EMPTY).then_some(Mark::EmptyBoard)
}

#[cfg(test)]
mod tests;
