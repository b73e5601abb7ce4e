//! Reads what nobody saw out of a board's event log.
//!
//! The log is distrusted: its first record may be cut, some may be unknown, and it has no dates. It is believed when a
//! place in it shows what was known when the link went down, after the same last changes, and when playing it from
//! there leads to what stands on the board, or did when the board reported that: the log may have come seconds later.

use dgt_protocol::{Field, Mark, Piece, Placement, Record};

use super::feed::LastKnown;

/// Fields that may differ between the end of the log and the board: a piece may be in the air.
const MOST_IN_FLUX: usize = 2;

/// Fields that have to be known at a place of the log to recognise it by what stands on them.
const ENOUGH: usize = 60;

/// Changes in a row that have to agree to recognise a place in the log of which too few fields are known.
const SURE: usize = 8;

/// Returns the records that came after what is known, if the log explains what stands on the board.
pub(super) fn unseen(records: &[Record], known: &LastKnown, present: &Placement) -> Option<Vec<Record>> {
    let mut walk = LogWalk::new();
    let mut best: Option<(usize, usize)> = None;
    // The last place that shows what stands on the board.
    let mut shown = None;
    // Holds until the next change: clocks and silence may fill most of a log.
    let mut common = None;
    for place in 0..=records.len() {
        if walk.agrees(&known.codes, 0) && !walk.listing {
            let before = records.get(..place).unwrap_or_default();
            let score = *common.get_or_insert_with(|| common_tail(before.iter(), known.tail.iter()));
            let sure = walk.count() >= ENOUGH || score >= SURE;
            // Of places that look alike the last one repeats nothing.
            if sure && best.is_none_or(|(_, least)| score >= least) {
                best = Some((place, score));
            }
        }
        if walk.count() >= ENOUGH && walk.agrees(present, 0) && !walk.listing {
            shown = Some(place);
        }
        if let Some(record) = records.get(place) {
            if matches!(record, Record::Field { .. }) {
                common = None;
            }
            walk.apply(*record);
        }
    }
    let (place, _) = best?;
    debug_assert!(place <= records.len(), "place {place} of {} records", records.len());
    let place = unseen_press(records.get(..place).unwrap_or_default(), known).unwrap_or(place);
    let leads = shown.is_some_and(|shown| shown >= place) || walk.agrees(present, MOST_IN_FLUX);
    leads.then(|| records.get(place..).unwrap_or_default().to_vec())
}

/// Returns the place of a press after the last change that nobody has seen: it stopped the side that was running at last.
fn unseen_press(before: &[Record], known: &LastKnown) -> Option<usize> {
    let clock = known.clock.filter(|clock| clock.connected && clock.running)?;
    let last =
        before.iter().rposition(|record| matches!(record, Record::Field { .. } | Record::Clock { .. }))?;
    let Record::Clock { side, .. } = before.get(last)? else { return None };
    (*side == clock.lever.active()).then_some(last)
}

/// What the fields show at a place of the log, as far as it says.
struct LogWalk {
    fields: [Option<Piece>; Field::COUNT],
    /// Whether the pieces on the board are being listed.
    listing: bool,
}

impl LogWalk {
    const fn new() -> Self {
        Self { fields: [None; Field::COUNT], listing: false }
    }

    fn apply(&mut self, record: Record) {
        match record {
            Record::Field { field, piece, .. } => {
                let listed = self.fields.get(field.index()).is_some_and(|shown| *shown == Some(Piece::Empty));
                self.listing &= listed && !piece.is_empty();
                if let Some(shown) = self.fields.get_mut(field.index()) {
                    *shown = Some(piece);
                }
            }
            Record::Mark(Mark::PowerUp | Mark::StartGame) => {
                self.set(&Placement::EMPTY);
                self.listing = true;
            }
            Record::Mark(Mark::Begin) => self.set(&Placement::start()),
            Record::Mark(Mark::BeginRotated) => self.set(&Placement::start().rotated()),
            Record::Mark(Mark::EmptyBoard) => self.set(&Placement::EMPTY),
            Record::Mark(_) | Record::Clock { .. } => self.listing = false,
            Record::Elapsed(_) | Record::Unknown(_) => {}
        }
    }

    fn set(&mut self, placement: &Placement) {
        self.listing = false;
        for ((_, piece), shown) in placement.iter().zip(&mut self.fields) {
            *shown = Some(piece);
        }
    }

    fn count(&self) -> usize {
        self.fields.iter().flatten().count()
    }

    /// Returns whether all known fields but `most` show the same as a placement.
    fn agrees(&self, placement: &Placement, most: usize) -> bool {
        let differ = placement
            .iter()
            .zip(&self.fields)
            .filter(|((_, piece), shown)| shown.is_some_and(|shown| shown != *piece));
        differ.count() <= most
    }
}

/// Returns how many of the last changes are the same in both.
fn common_tail<'a>(
    records: impl DoubleEndedIterator<Item = &'a Record>,
    seen: impl DoubleEndedIterator<Item = &'a Record>,
) -> usize {
    fn fields<'a>(
        records: impl DoubleEndedIterator<Item = &'a Record>,
    ) -> impl Iterator<Item = (Field, Piece)> {
        records.rev().filter_map(|record| match *record {
            Record::Field { field, piece, .. } => Some((field, piece)),
            Record::Clock { .. } | Record::Elapsed(_) | Record::Mark(_) | Record::Unknown(_) => None,
        })
    }
    fields(records).zip(fields(seen)).take_while(|(logged, seen)| logged == seen).count()
}

#[cfg(test)]
mod tests;
