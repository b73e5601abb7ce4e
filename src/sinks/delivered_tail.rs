//! Remembers what a port has reported last, so that a port that is rebuilt after a panic reports the rest and nothing twice.
//!
//! It outlives the port's task, and says the same of it as the event log does of an earlier process; the log itself may
//! be a moment behind.

use std::{
    collections::VecDeque,
    iter,
    sync::{Arc, Mutex, PoisonError},
};

use super::event_index::{EventIndex, IndexedEvent};
use crate::published::SerializedEvent;
use jadoube_core::event::BoardId;

/// Alerts and changes of alerts that are remembered; what is older counts as reported.
const KEPT: usize = 64;

/// The last events that a port has reported: those by which an index knows the others.
#[derive(Debug)]
pub(crate) struct DeliveredTail {
    /// The last event of each board in the capture that was reported of last, and in the one before.
    last: Vec<(BoardId, IndexedEvent)>,
    /// An alert may be reported later than what came after it, so each is remembered.
    alerts: VecDeque<(BoardId, IndexedEvent)>,
    /// What is older was reported.
    from: jiff::Timestamp,
}

impl DeliveredTail {
    /// Begins at an instant, UTC: what is older is not reported again.
    pub(crate) fn shared(from: jiff::Timestamp) -> Arc<Mutex<Self>> {
        Arc::new(Mutex::new(Self::new(from)))
    }

    const fn new(from: jiff::Timestamp) -> Self {
        Self { last: Vec::new(), alerts: VecDeque::new(), from }
    }

    /// Notes an event that is reported, if a replay meets it.
    pub(crate) fn note(shared: &Mutex<Self>, event: &SerializedEvent, at: jiff::Timestamp) {
        let Some(ordinal) = event.ordinal() else { return };
        let entry = IndexedEvent::of(event.event(), ordinal, at);
        let mut delivered = shared.lock().unwrap_or_else(PoisonError::into_inner);
        delivered.take(&event.event().board, entry);
    }

    fn take(&mut self, board: &BoardId, entry: IndexedEvent) {
        if entry.is_alert() {
            if self.alerts.len() >= KEPT
                && let Some((_, oldest)) = self.alerts.pop_front()
            {
                self.from = self.from.max(oldest.at());
            }
            self.alerts.push_back((board.clone(), entry));
        }
        let of_capture = |(known, last): &&mut (BoardId, IndexedEvent)| {
            last.capture() == entry.capture() && *known == *board
        };
        if let Some((_, last)) = self.last.iter_mut().find(of_capture) {
            *last = last.later(entry);
            return;
        }
        self.forget_captures_before(entry.capture());
        self.last.reserve_exact(1);
        self.last.push((board.clone(), entry));
    }

    /// Makes room for what is reported of another capture: of those before, the one that was reported of last is kept.
    fn forget_captures_before(&mut self, capture: i64) {
        let Some(before) = self.last.last().map(|(_, last)| last.capture()) else { return };
        let is_kept = |entry: &IndexedEvent| [capture, before].contains(&entry.capture());
        let forgotten = self.last.iter().filter(|(_, last)| !is_kept(last)).map(|(_, last)| last.at());
        self.from = forgotten.chain(iter::once(self.from)).max().unwrap_or(self.from);
        self.last.retain(|(_, last)| is_kept(last));
        self.alerts.retain(|(_, alert)| is_kept(alert));
    }

    /// Begins anew: a game was taken along from another port, which has reported what was played on it.
    pub(crate) fn begin_anew(shared: &Mutex<Self>, from: jiff::Timestamp) {
        *shared.lock().unwrap_or_else(PoisonError::into_inner) = Self::new(from);
    }

    /// Returns what was reported.
    pub(crate) fn index(shared: &Mutex<Self>) -> EventIndex {
        let delivered = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let reported = delivered.last.iter().chain(&delivered.alerts);
        EventIndex::of(reported.map(|(board, entry)| (&**board, *entry)), delivered.from)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::published::Ordinal;
    use jadoube_core::{
        event::{Event, EventKind},
        time::Timestamp,
    };

    fn event(second: u64) -> Event {
        let kind = EventKind::Retract { game: 1, ply: 1 };
        Event { at: Timestamp::from_micros(second * 1_000_000), board: "1".into(), kind }
    }

    fn at(second: u64) -> jiff::Timestamp {
        jiff::Timestamp::from_second(i64::try_from(second).unwrap()).unwrap()
    }

    fn ordinal(capture: u64, nth: u32) -> Ordinal {
        Ordinal { capture: at(capture).as_microsecond(), nth }
    }

    /// Plays games of 1,000 seconds each, with an event a second.
    fn reported(games: u64) -> Mutex<DeliveredTail> {
        let reported = Mutex::new(DeliveredTail::new(at(0)));
        for second in 0..games * 1000 {
            let capture = second / 1000 * 1000;
            let event = SerializedEvent::new(event(second - capture), Some(ordinal(capture, 0)));
            DeliveredTail::note(&reported, &event, at(second));
        }
        reported
    }

    #[test]
    fn of_a_game_of_any_length_the_rest_is_reported() {
        let reported = reported(3);
        let index = DeliveredTail::index(&reported);
        let watermark = index.watermark(Path::new("newest"), at(2000)).unwrap();
        let lacks = |second: u64, nth| watermark.lacks(&event(second), ordinal(2000, nth), at(2000 + second));
        assert!((0..1000).all(|second| !lacks(second, 0)));
        assert!(lacks(999, 1) && lacks(1000, 0));
        let watermark = index.watermark(Path::new("before"), at(1000)).unwrap();
        assert!(!watermark.lacks(&event(999), ordinal(1000, 0), at(1999)));
        assert!(watermark.lacks(&event(1000), ordinal(1000, 0), at(2000)));
        // What is not remembered any more was reported.
        let watermark = index.watermark(Path::new("oldest"), at(0)).unwrap();
        assert!((0..999).all(|second| !watermark.lacks(&event(second), ordinal(0, 0), at(second))));
    }

    #[test]
    fn a_day_of_games_takes_no_more_room_than_one() {
        let reported = reported(100);
        let delivered = reported.lock().unwrap();
        assert_eq!((delivered.last.len(), delivered.alerts.len()), (2, 0));
    }
}
