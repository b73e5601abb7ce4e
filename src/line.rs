//! Owns all that is on one port: decoder, handshake, keep-alive, and the board at its end.
//!
//! A `Line` is a value. It reads no clock, opens no file, spawns no task: bytes and times go in, bytes and events
//! come out. Live operation, replay and recovery are the same calls in the same order:
//! one `handle_*`, then [`Line::poll_output`] until it returns `None`, then [`Line::poll_timeout`], then wait.
//!
//! What is due happens at its own instant, however late the caller calls: every `handle_*` first does what was due
//! before. So a replay gives the same events as the live run whose timers rang a little late.

use std::{collections::VecDeque, sync::Arc};

use dgt_protocol::Decoder;

use crate::{
    board::Board,
    config::Config,
    event::{Event, LinkState},
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
pub struct Line {
    port: String,
    decoder: Decoder,
    board: Board,
    sends: VecDeque<Vec<u8>>,
}

impl Line {
    /// Makes a line for a port; the first game found on it gets the number `first_game`.
    #[must_use]
    pub fn new(config: Arc<Config>, port: &str, first_game: u32) -> Self {
        Self {
            port: port.to_owned(),
            decoder: Decoder::new(),
            board: Board::new(config, port, first_game),
            sends: VecDeque::new(),
        }
    }

    /// Takes bytes that the board sent, as one `read` returned them.
    pub fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        let mut input = bytes;
        while let Some(frame) = self.decoder.next_frame(&mut input) {
            self.board.handle_message(&frame.message(), now);
        }
    }

    /// Takes bytes that went out to the board.
    pub fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        let _ = bytes;
    }

    /// Takes a change of the link.
    pub fn handle_link(&mut self, link: Link<'_>, now: Timestamp) {
        self.handle_timeout(now);
        match link {
            Link::Up(port) => {
                port.clone_into(&mut self.port);
                self.board.handle_link(LinkState::Up, port, now);
            }
            Link::Down(_) => {
                self.decoder.reset();
                let port = self.port.clone();
                self.board.handle_link(LinkState::Down, &port, now);
            }
        }
    }

    /// Takes an arbiter's order.
    ///
    /// # Errors
    ///
    /// Returns an error with the reason if the order cannot be carried out; then nothing has changed.
    pub fn handle_order(&mut self, order: &Order, now: Timestamp) -> Result<(), OrderError> {
        self.handle_timeout(now);
        self.board.handle_order(order, now)
    }

    /// Takes the time: everything that was due by `now` happens, each at its own instant.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some((at, _)) = self.board.deadline().filter(|(at, _)| *at <= now) {
            self.board.handle_timeout(at);
        }
    }

    /// Returns the next thing to be done.
    pub fn poll_output(&mut self) -> Option<Output> {
        let send = self.sends.pop_front().map(Output::Send);
        send.or_else(|| self.board.poll_event().map(Output::Event))
    }

    /// Returns when to call [`Line::handle_timeout`], and why.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<(Timestamp, &'static str)> {
        self.board.deadline()
    }

    /// Ends a replay: judges what is pending and reports the unfinished game.
    pub fn finish(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        self.board.finish(now);
    }

    /// Returns messages that tell a new line what this one knows of the board, as the board would send them.
    ///
    /// A capture holds one game; the next one begins with these bytes, so that it can be replayed by itself.
    #[must_use]
    pub fn carry_over(&self) -> Vec<u8> {
        Vec::new()
    }
}
