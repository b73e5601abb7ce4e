//! Owns all that is on one port: decoder, handshake, keep-alive, and the board at its end.
//!
//! A `Line` is a value. It reads no clock, opens no file, spawns no task: bytes and times go in, bytes and events
//! come out. Live operation, replay and recovery are the same calls in the same order:
//! one `handle_*`, then [`Line::poll_output`] until it returns `None`, then [`Line::poll_timeout`], then wait.

use std::sync::Arc;

use crate::{
    config::Config,
    event::Event,
    order::{Order, OrderError},
    time::Timestamp,
};

/// What a line wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Bytes to write to the board; once written they come back through [`Line::handle_sent`].
    Send(Vec<u8>),
    /// An event for the outside.
    Event(Event),
}

/// What the link does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Link<'a> {
    /// It came up on this port.
    Up(&'a str),
    /// It went down, with the reason where one is known.
    Down(&'a str),
}

/// All that is on one port.
#[derive(Debug)]
pub struct Line {}

impl Line {
    /// Makes a line for a port; the first game found on it gets the number `first_game`.
    #[must_use]
    pub fn new(config: Arc<Config>, port: &str, first_game: u32) -> Self {
        Self {}
    }

    /// Takes bytes that the board sent, as one `read` returned them.
    pub fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {}

    /// Takes bytes that went out to the board.
    pub fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {}

    /// Takes a change of the link.
    pub fn handle_link(&mut self, link: Link<'_>, now: Timestamp) {}

    /// Takes an arbiter's order.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order(&mut self, order: &Order, now: Timestamp) -> Result<(), OrderError> {
        Ok(())
    }

    /// Takes the time: everything that was due by `now` happens, each at its own instant.
    pub fn handle_timeout(&mut self, now: Timestamp) {}

    /// Returns the next thing to be done.
    pub fn poll_output(&mut self) -> Option<Output> {
        None
    }

    /// Returns when to call [`Line::handle_timeout`], and why.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<(Timestamp, &'static str)> {
        None
    }

    /// Ends a replay: judges what is pending and reports the unfinished game.
    pub fn finish(&mut self, now: Timestamp) {}

    /// Returns messages that tell a new line what this one knows of the board, as the board would send them.
    ///
    /// A capture holds one game; the next one begins with these bytes, so that it can be replayed by itself.
    #[must_use]
    pub fn carry_over(&self) -> Vec<u8> {
        Vec::new()
    }
}
