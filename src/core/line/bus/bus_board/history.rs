//! What the records of a board's log say of what was played.

use dgt_protocol::{ClockReport, Field, Lever, Mark, Piece, Placement, Record, Side, SideTime};

use crate::line::feed::{self, Item};

/// Returns what was played since the start position, if the log leads from there to what stands on the board.
pub(super) fn since_start(records: &[Record], present: &Placement, report: ClockReport) -> Vec<Item> {
    let start = records.iter().enumerate().rev().find_map(|(place, record)| match record {
        Record::Mark(Mark::Begin) => Some((place, Placement::start())),
        Record::Mark(Mark::BeginRotated) => Some((place, Placement::start().rotated())),
        Record::Mark(_)
        | Record::Field { .. }
        | Record::Clock { .. }
        | Record::Elapsed(_)
        | Record::Unknown(_) => None,
    });
    let Some((place, start)) = start else { return Vec::new() };
    let played = records.get(place + 1..).unwrap_or_default();
    // The first move may have been made after the log was read: its press is still to come.
    if *present == start || !explains(&start, played, present) {
        return Vec::new();
    }
    // The clock as it must have been before the first press.
    let first = |side: Side| {
        let time = played.iter().find_map(|record| {
            if let Record::Clock { side: stopped, time } = *record {
                (stopped == side).then_some(time)
            } else {
                None
            }
        });
        SideTime { time: time.unwrap_or(report.side(side).time), ..report.side(side) }
    };
    let lever = played.iter().copied().find_map(stopped).map_or(report.lever, Lever::with_active);
    let running = played.iter().any(|record| stopped(*record).is_some()) || report.running;
    let clock = ClockReport { left: first(Side::Left), right: first(Side::Right), lever, running, ..report };
    let mut items = vec![Item::Dump(start), Item::Clock(if report.connected { clock } else { report })];
    items.extend(feed::items(played.iter().copied()));
    items
}

/// Returns whether records lead from one placement to another; a piece may be in the air.
pub(super) fn explains(before: &Placement, records: &[Record], present: &Placement) -> bool {
    let codes = feed::placement_after(before, &feed::items(records.iter().copied()));
    codes.differences(present).count() <= 2
}

pub(super) const fn stopped(record: Record) -> Option<Side> {
    if let Record::Clock { side, .. } = record { Some(side) } else { None }
}

pub(super) const fn changed(record: Record) -> Option<(Field, Piece)> {
    if let Record::Field { field, piece, .. } = record { Some((field, piece)) } else { None }
}
