//! What reaches a board, and when: messages as they come, and records of its event log one after another.
//!
//! A log holds the order of what happened, not the time. Its records are played at the pace of a hand, so that what
//! belongs to a press and what comes after it are distinguished as ever; what the board says meanwhile waits its turn.

mod timed;

use std::{collections::VecDeque, time::Duration};

use dgt_protocol::{ClockReport, ClockTime, Field, Mark, Message, Piece, Placement, Record, Side};

pub(super) use self::timed::TimedFeed;
use crate::{
    board::Board,
    event::{EventKind, LogState},
    time::{Due, Timestamp, soonest},
};

/// From a move to its press, and to what was sensed after it.
const QUICK: Duration = Duration::from_millis(60);

/// Between changes: more than a scan, as nothing in the log says that two happened at once.
const APART: Duration = Duration::from_millis(250);

/// For so long after a record of the log the times of changes are not believed: until the move is pressed, mostly.
const DOUBTED: Duration = Duration::from_secs(10);

/// Changes that are remembered, to find in a log where they end.
const REMEMBERED: usize = 64;

/// Something that is sent to a board when its time comes.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Item {
    /// A field shows something.
    Field(Field, Piece),
    /// What stands on all fields.
    Dump(Placement),
    /// What the clock shows.
    Clock(ClockReport),
    /// The lever stopped a side.
    Stop(Side, ClockTime),
    /// The outside is sent how the reading of the log goes.
    Log(LogState),
    /// Time passes.
    Wait(Duration),
    /// The board was without power until now, and has reported nothing of it.
    PowerUp,
    /// The pieces stood where a game begins.
    SetUp,
}

impl Item {
    /// Returns whether the next item follows it at the pace of hands: what the clock shows between two changes makes no pause
    /// between them needless.
    const fn is_paced(&self) -> bool {
        !matches!(self, Self::Clock(_))
    }

    /// Returns the item for a message whose place among others matters.
    pub(super) const fn of(message: &Message<'_>) -> Option<Self> {
        if let Message::FieldUpdate { field, piece } = *message {
            Some(Self::Field(field, piece))
        } else if let Message::BoardDump(placement) = *message {
            Some(Self::Dump(placement))
        } else if let Message::Clock(report) = *message {
            Some(Self::Clock(report))
        } else {
            None
        }
    }

    /// Makes a placement what the fields show after this.
    pub(super) fn apply(&self, codes: &mut Placement) {
        match self {
            Self::Field(field, piece) => drop(codes.set(*field, *piece)),
            Self::Dump(placement) => *codes = *placement,
            Self::Clock(_) | Self::Stop(..) | Self::Log(_) | Self::Wait(_) | Self::PowerUp | Self::SetUp => {}
        }
    }
}

/// What was known of a board when it could be heard last.
#[derive(Clone, Debug)]
pub(super) struct LastKnown {
    /// What stood on its fields.
    pub(super) codes: Placement,
    /// What its clock showed.
    pub(super) clock: Option<ClockReport>,
    /// The last changes, oldest first.
    pub(super) tail: VecDeque<Record>,
}

/// A board and what waits for it.
#[derive(Debug)]
pub(super) struct BoardFeed {
    board: Board,
    /// How long a press waits for what is sensed late: what follows a press in the log comes later than that.
    settle: Duration,
    waiting: VecDeque<(Timestamp, Item)>,
    /// When the last of what waits came, if it came as a message.
    came: Timestamp,
    /// What was passed on last, and when.
    last: Option<(Timestamp, Item)>,
    /// Whether the last change was a piece that left its field.
    held: bool,
    /// Whether the times of what waits, or is about to, are not those at which it happened.
    kept: bool,
    tail: VecDeque<Record>,
    /// When the last report of the clock came.
    clock_came: Option<Timestamp>,
}

impl BoardFeed {
    pub(super) const fn new(board: Board, settle: Duration) -> Self {
        Self {
            board,
            settle,
            waiting: VecDeque::new(),
            came: Timestamp::ZERO,
            last: None,
            held: false,
            kept: false,
            tail: VecDeque::new(),
            clock_came: None,
        }
    }

    pub(super) const fn board(&self) -> &Board {
        &self.board
    }

    pub(super) const fn board_mut(&mut self) -> &mut Board {
        &mut self.board
    }

    /// Returns what is known, if a game is on that is worth catching up with.
    pub(super) fn known(&self) -> Option<LastKnown> {
        let codes = self.board.codes().filter(|_| self.board.is_playing())?;
        Some(LastKnown { codes, clock: self.board.clock_report(), tail: self.tail.clone() })
    }

    /// Returns whether something that the board has said is not passed on yet.
    pub(super) fn is_behind(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Returns what the fields show once these items are passed on after all that waits, if that is known.
    pub(super) fn codes_after(&self, items: &[Item]) -> Option<Placement> {
        let mut codes = self.board.codes()?;
        for item in self.waiting.iter().map(|(_, item)| item).chain(items) {
            item.apply(&mut codes);
        }
        Some(codes)
    }

    /// Handles a message of the board: it is handed on, or waits for what the board has to get before.
    pub(super) fn handle_message(&mut self, message: &Message<'_>, now: Timestamp) {
        let item = Item::of(message);
        // A clock reports a few times a second: of two reports that are read at once one has waited, and so has what came with it.
        if let Some(Item::Clock(_)) = item
            && self.clock_came.replace(now) == Some(now)
        {
            self.board.ignore_timing_until(now);
        }
        match (self.waiting.back(), item) {
            (Some((at, _)), Some(item)) => {
                // What happened at different times is passed on at different times; only long pauses are cut short.
                let apart = now.since(self.came).min(self.settle + QUICK);
                let at = now.max(*at + apart);
                self.waiting.push_back((at, item));
                self.came = now;
                // What a board has kept while it sent its log follows at the pace of the line.
                self.board.ignore_timing_until(at);
            }
            (None, Some(item)) => {
                self.board.handle_message(message, now);
                self.note(item, now);
            }
            (_, None) => self.board.handle_message(message, now),
        }
    }

    /// Notes that something on the way has held back what is passed on next: its order is known, and no more.
    pub(super) const fn distrust_times(&mut self) {
        self.kept = true;
    }

    /// Handles a change of the link; what waits is passed on before.
    pub(super) fn flush(&mut self, now: Timestamp) {
        while let Some((_, item)) = self.waiting.pop_front() {
            self.deliver(item, now);
        }
        self.kept = false;
    }

    /// Returns what waits, with the pauses between, to be played later.
    pub(super) fn take_waiting(&mut self, now: Timestamp) -> Vec<Item> {
        let mut before = now;
        let mut items = Vec::new();
        for (at, item) in self.waiting.drain(..) {
            if at > before {
                items.push(Item::Wait(at.since(before)));
            }
            before = at;
            items.push(item);
        }
        items
    }

    /// Passes on to the board what waits and judges what is pending, as time would.
    pub(super) fn finish(&mut self, now: Timestamp) {
        let mut end = now;
        while let Some((at, _)) = self.waiting.front() {
            end = end.max(*at);
            let due = self.deadline().map_or(end, |(due, _)| due.min(end));
            self.handle_timeout(due);
        }
        self.board.finish(end);
    }

    /// Plays items one after another, within `limit` if that is possible at all.
    pub(super) fn play(&mut self, items: impl IntoIterator<Item = Item>, limit: Duration, now: Timestamp) {
        let paced = |(_, item): &&(Timestamp, Item)| item.is_paced();
        let last = self.waiting.iter().rev().find(paced).or(self.last.as_ref()).cloned();
        let (from, mut before) = last.map_or((Timestamp::ZERO, None), |(at, item)| (at, Some(item)));
        let mut held = self.holds();
        let mut at = from;
        let mut planned = Vec::new();
        for item in items {
            at = now.max(at + self.gap(before.as_ref(), &item, held));
            if let Item::Field(_, piece) = item {
                held = piece.is_empty();
            }
            if item.is_paced() {
                before = Some(item.clone());
            }
            planned.push((at, item));
        }
        debug_assert!(planned.is_sorted_by_key(|(at, _)| *at), "items are planned in order");
        let span = at.since(now);
        let scale = if span > limit { limit.as_secs_f64() / span.as_secs_f64() } else { 1.0 };
        let back = self.waiting.back().map_or(Timestamp::ZERO, |(at, _)| *at);
        for (at, item) in planned {
            let at = (now + at.since(now).mul_f64(scale)).max(back);
            self.waiting.push_back((at, item));
        }
        debug_assert!(
            self.waiting.iter().is_sorted_by_key(|(at, _)| *at),
            "what waits is passed on in order"
        );
        self.came = now;
        if scale < 1.0 {
            self.board.ignore_timing_until(self.waiting.back().map_or(now, |(at, _)| *at));
        }
        self.run(now);
    }

    /// Passes on what was held until it was clear that nobody missed anything; only changes need their pace.
    pub(super) fn go_on(&mut self, items: Vec<Item>, limit: Duration, now: Timestamp) {
        let is_change = |item: &Item| matches!(item, Item::Field(..) | Item::Stop(..));
        if items.iter().any(is_change) || !self.waiting.is_empty() {
            return self.play(items, limit, now);
        }
        for item in items {
            self.deliver(item, now);
        }
        self.kept = false;
    }

    /// Returns when to call [`Feed::handle_timeout`], and why.
    pub(super) fn deadline(&self) -> Due {
        let played = self.waiting.front().map(|(at, _)| (*at, "a record of the log is played"));
        soonest([played, self.board.deadline()])
    }

    /// Handles the time, which is that of the earliest deadline.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        if self.board.deadline().is_some_and(|(at, _)| at <= now) {
            self.board.handle_timeout(now);
        }
        self.run(now);
    }

    fn run(&mut self, now: Timestamp) {
        while let Some((_, item)) = self.waiting.pop_front_if(|(at, _)| *at <= now) {
            // A press is judged a little later than it is passed on.
            self.board.doubt_times(now + self.settle + DOUBTED);
            self.deliver(item, now);
            self.kept &= self.is_behind();
        }
    }

    /// Passes on to the board what has waited, or what a log holds.
    fn deliver(&mut self, item: Item, now: Timestamp) {
        match item {
            Item::Field(field, piece) => {
                self.board.handle_message(&Message::FieldUpdate { field, piece }, now);
            }
            Item::Dump(placement) => self.board.handle_message(&Message::BoardDump(placement), now),
            Item::Clock(report) => {
                if self.kept {
                    self.board.doubt_press(now);
                }
                self.board.handle_message(&Message::Clock(report), now);
            }
            Item::Stop(side, time) => self.board.handle_stop_record(side, time, now),
            Item::Log(state) => {
                if state == LogState::Read {
                    self.board.go_on_without_gap();
                }
                self.board.emit_event(EventKind::Log { state }, now);
            }
            Item::Wait(_) => {}
            Item::PowerUp => self.board.handle_power_up(now),
            Item::SetUp => self.board.handle_set_up(now),
        }
        self.note(item, now);
    }

    /// Remembers what the board has been sent.
    fn note(&mut self, item: Item, now: Timestamp) {
        match item {
            Item::Field(field, piece) => {
                self.held = piece.is_empty();
                remember(&mut self.tail, Record::Field { field, piece, quick: false });
            }
            Item::Stop(side, time) => remember(&mut self.tail, Record::Clock { side, time }),
            Item::Dump(_) | Item::Clock(_) | Item::Log(_) | Item::Wait(_) | Item::PowerUp | Item::SetUp => {}
        }
        if item.is_paced() {
            self.last = Some((now, item));
        }
    }

    /// Returns whether, with all that waits passed on, the last change was a piece that left its field.
    fn holds(&self) -> bool {
        let last = self.waiting.iter().rev().find_map(|(_, item)| {
            if let Item::Field(_, piece) = item { Some(piece.is_empty()) } else { None }
        });
        last.unwrap_or(self.held)
    }

    /// Returns how long after `before` an item is passed on; `held` says whether a piece is in the air.
    fn gap(&self, before: Option<&Item>, item: &Item, held: bool) -> Duration {
        match (before, item) {
            (Some(Item::Wait(span)), _) => *span,
            // A piece that comes down after the press was sensed late; one that is lifted belongs to the next move.
            (Some(Item::Stop(..)), Item::Field(_, piece)) if held && !piece.is_empty() => QUICK,
            (Some(Item::Stop(..)), Item::Field(..)) => self.settle + QUICK,
            (Some(Item::Field(..) | Item::SetUp), Item::Field(..)) => APART,
            (Some(Item::Field(..)), Item::Stop(..)) => QUICK,
            _ => Duration::ZERO,
        }
    }
}

/// Returns what stands on the fields after these items.
pub(super) fn placement_after(before: &Placement, items: &[Item]) -> Placement {
    let mut codes = *before;
    for item in items {
        item.apply(&mut codes);
    }
    codes
}

/// Remembers a change that was passed on, in the place of the oldest one.
pub(super) fn remember(tail: &mut VecDeque<Record>, record: Record) {
    if tail.len() >= REMEMBERED {
        tail.pop_front();
    }
    tail.push_back(record);
}

/// Turns records of what nobody saw into what is sent to a board. They say that a position stood where a game begins, and not for how
/// long: the next game may have begun.
pub(super) fn unseen_items(records: impl IntoIterator<Item = Record>) -> Vec<Item> {
    items_of(records, true)
}

/// Turns records into what is sent to a board.
pub(super) fn items(records: impl IntoIterator<Item = Record>) -> Vec<Item> {
    items_of(records, false)
}

fn items_of(records: impl IntoIterator<Item = Record>, is_unseen: bool) -> Vec<Item> {
    let mut items = Vec::new();
    let mut listing: Option<Placement> = None;
    for record in records {
        match record {
            Record::Mark(mark @ (Mark::PowerUp | Mark::StartGame)) => {
                items.extend(listing.replace(Placement::EMPTY).map(Item::Dump));
                items.extend((mark == Mark::PowerUp).then_some(Item::PowerUp));
            }
            Record::Field { field, piece, .. } => {
                let Some(list) = listing.as_mut() else {
                    items.push(Item::Field(field, piece));
                    continue;
                };
                // The list that follows names every piece once; what comes then is a change.
                if piece.is_empty() || !list.get(field).is_empty() {
                    items.extend(listing.take().map(Item::Dump));
                    items.push(Item::Field(field, piece));
                } else {
                    list.set(field, piece);
                }
            }
            Record::Clock { side, time } => {
                items.extend(listing.take().map(Item::Dump));
                items.push(Item::Stop(side, time));
            }
            Record::Mark(Mark::Begin | Mark::BeginRotated) if is_unseen => {
                items.extend(listing.take().map(Item::Dump));
                items.push(Item::SetUp);
            }
            // Elapsed time has two readings and no public description; the order is all that is taken from it.
            Record::Elapsed(_) | Record::Mark(_) | Record::Unknown(_) => {}
        }
    }
    items.extend(listing.map(Item::Dump));
    items
}
