//! A board's feed with the instant at which something is due.

use std::{
    cell::Cell,
    ops::{Deref, DerefMut},
};

use dgt_protocol::{ClockReport, Message, Side};

use super::BoardFeed;
use crate::{
    board::Question,
    clock::Countdown,
    event::Event,
    time::{Due, Timestamp},
};

/// A feed that remembers when something is due, as that is asked for more often than anything changes: whoever reaches into the feed has
/// it looked up anew.
#[derive(Debug)]
pub(in crate::line) struct TimedFeed {
    feed: BoardFeed,
    /// `None` if it may have changed.
    due: Cell<Option<Due>>,
    /// The last message, if it was a tick of the clock, and nobody has reached into the feed since: all that the next one has to
    /// be asked for is how it differs.
    ticking: Option<Ticking>,
}

/// A tick of the clock.
#[derive(Clone, Copy, Debug)]
struct Ticking {
    /// The message.
    data: [u8; 7],
    countdown: Countdown,
}

/// Most seconds that a clock loses from one message to the next: it reports each of them.
const TICK_S: u8 = 2;

impl Ticking {
    /// Handles the next message, if it differs by the last digit of the running time only, and returns by how much that has fallen.
    fn advance(&mut self, data: [u8; 7]) -> Option<u8> {
        let [_, _, right, _, _, left, _] = data;
        let mut expected = self.data;
        let [_, _, before_right, _, _, before_left, _] = &mut expected;
        let (before, after) = match self.countdown.side {
            Side::Left => (before_left, left),
            Side::Right => (before_right, right),
        };
        let seconds = before.checked_sub(after).filter(|seconds| (1..=TICK_S).contains(seconds))?;
        let same_ten = *before >> 4 == after >> 4;
        *before = after;
        if !same_ten || expected != data {
            return None;
        }
        self.data = expected;
        self.countdown.advance(seconds.into());
        Some(seconds)
    }
}

impl TimedFeed {
    pub(in crate::line) const fn new(feed: BoardFeed) -> Self {
        Self { feed, due: Cell::new(None), ticking: None }
    }

    /// Returns when to call [`BoardFeed::handle_timeout`], and why.
    pub(in crate::line) fn deadline(&self) -> Due {
        let due = self.due.get().unwrap_or_else(|| self.feed.deadline());
        self.due.set(Some(due));
        due
    }

    /// Handles a message of the board; the clock that counts down changes nothing of what is due.
    pub(in crate::line) fn handle_message(&mut self, message: &Message<'_>, now: Timestamp) {
        if let Message::Clock(report) = message
            && self.count_down(report, now).is_some()
        {
            self.ticking = None;
            return;
        }
        self.deref_mut().handle_message(message, now);
    }

    /// Handles the data of a message from a clock that has done nothing but run, if that is passed on at once and nothing follows from
    /// it; otherwise takes nothing. Returns whether it did.
    pub(in crate::line) fn tick(&mut self, data: [u8; 7], now: Timestamp) -> bool {
        if self.feed.clock_came == Some(now) {
            return false;
        }
        if let Some(ticking) = &mut self.ticking
            && let Some(seconds) = ticking.advance(data)
        {
            self.feed.clock_came = Some(now);
            self.feed.board.count_on(&ticking.countdown, seconds, now);
            return true;
        }
        let all = data.iter().fold(0, |all, byte| all | byte);
        // What is an acknowledgement of the clock, or says nothing, is no report of one that runs.
        let Some(report) = ClockReport::decode(&data).filter(|_| all < 0x80) else { return false };
        let countdown = self.count_down(&report, now);
        self.ticking = countdown.map(|countdown| Ticking { data, countdown });
        countdown.is_some()
    }

    /// Handles the report of a clock that has done nothing but run, if that can be passed on at once and nothing follows from it; otherwise
    /// takes nothing. Returns what the clock shows if it did.
    fn count_down(&mut self, report: &ClockReport, now: Timestamp) -> Option<Countdown> {
        let feed = &mut self.feed;
        // Of two reports that are read at once one has waited.
        if !feed.waiting.is_empty() || feed.clock_came == Some(now) {
            return None;
        }
        let countdown = feed.board.count_down(report, now)?;
        feed.clock_came = Some(now);
        Some(countdown)
    }

    /// Notes that another message begins.
    pub(in crate::line) fn release(&mut self, now: Timestamp) {
        if self.feed.board.holds_message() {
            self.board_mut().release(now);
        }
    }

    /// Returns, once, whether a dump would show what the updates leave open; when something is due does not depend on it.
    pub(in crate::line) fn wants_dump(&mut self) -> bool {
        self.feed.board.wants_dump()
    }

    /// Returns the board's next event; when something is due does not depend on it.
    pub(in crate::line) fn poll_event(&mut self) -> Option<Event> {
        self.feed.board.poll_event()
    }

    /// Returns the board's next question; when something is due does not depend on it.
    pub(in crate::line) fn poll_question(&mut self) -> Option<Question> {
        self.feed.board.poll_question()
    }
}

impl Deref for TimedFeed {
    type Target = BoardFeed;

    fn deref(&self) -> &BoardFeed {
        &self.feed
    }
}

impl DerefMut for TimedFeed {
    fn deref_mut(&mut self) -> &mut BoardFeed {
        self.due.set(None);
        self.ticking = None;
        &mut self.feed
    }
}
