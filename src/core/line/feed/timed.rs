//! A board's feed with the instant at which something is due.

use std::{
    cell::Cell,
    ops::{Deref, DerefMut},
};

use dgt_protocol::{ClockReport, Message};

use super::BoardFeed;
use crate::{
    board::Question,
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
}

impl TimedFeed {
    pub(in crate::line) const fn new(feed: BoardFeed) -> Self {
        Self { feed, due: Cell::new(None) }
    }

    /// Returns when to call [`BoardFeed::handle_timeout`], and why.
    pub(in crate::line) fn deadline(&self) -> Due {
        let due = self.due.get().unwrap_or_else(|| self.feed.deadline());
        self.due.set(Some(due));
        due
    }

    /// Takes a message of the board; the clock that counts down changes nothing of what is due.
    pub(in crate::line) fn handle_message(&mut self, message: &Message<'_>, now: Timestamp) {
        if let Message::Clock(report) = message
            && self.count_down(report, now)
        {
            return;
        }
        self.due.set(None);
        self.feed.handle_message(message, now);
    }

    /// Takes the report of a clock that has done nothing but run, if it can be told at once and nothing follows from it; otherwise
    /// takes nothing. Returns whether it did.
    pub(in crate::line) fn count_down(&mut self, report: &ClockReport, now: Timestamp) -> bool {
        let feed = &mut self.feed;
        // Of two reports that are read at once one has waited.
        let at_once = feed.waiting.is_empty() && feed.clock_came != Some(now);
        let is_taken = at_once && feed.board.count_down(report, now);
        if is_taken {
            feed.clock_came = Some(now);
        }
        is_taken
    }

    /// Takes that another message begins.
    pub(in crate::line) fn release(&mut self, now: Timestamp) {
        if self.feed.board.holds_message() {
            self.board_mut().release(now);
        }
    }

    /// Tells, once, whether a dump would tell what the updates leave open; when something is due does not depend on it.
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
        &mut self.feed
    }
}
