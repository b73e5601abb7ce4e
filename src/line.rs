//! Owns all that is on one port: decoder, handshake, keep-alive, and the board at its end.
//!
//! A `Line` is a value. It reads no clock, opens no file, spawns no task: bytes and times go in, bytes and events
//! come out. Live operation, replay and recovery are the same calls in the same order:
//! one `handle_*`, then [`Line::poll_output`] until it returns `None`, then [`Line::poll_timeout`], then wait.
//!
//! What is due happens at its own instant, however late the caller calls: every `handle_*` first does what was due
//! before. So a replay gives the same events as the live run whose timers rang a little late.

mod host;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use dgt_protocol::{Decoder, Message};

use self::host::Host;
use crate::{
    board::{Board, Question},
    config::Config,
    event::{Event, LinkState},
    fact::Fact,
    order::{Order, OrderError},
    time::Timestamp,
};

/// A message that stops in its middle for longer than this is not going on.
const BROKEN_OFF: Duration = Duration::from_secs(1);

/// Damaged bytes within [`NOISE_SPAN`] that make a line noisy.
const NOISY: u64 = 12;

/// Time over which damaged bytes are counted.
const NOISE_SPAN: Duration = Duration::from_mins(1);

/// What a line wants done.
#[derive(Clone, Debug, PartialEq)]
pub enum Output {
    /// Bytes to write to the board; once written they come back through [`Line::handle_sent`].
    Send(Vec<u8>),
    /// An event for the outside.
    Event(Event),
    /// A question to be answered by [`Order::Answer`], away from the path of the events.
    Question(Question),
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
    host: Host,
    board: Board,
    sends: VecDeque<Vec<u8>>,
    /// When bytes came last.
    heard: Timestamp,
    noise: Noise,
}

/// How noisy the line is.
#[derive(Clone, Copy, Debug, Default)]
struct Noise {
    /// Damaged bytes seen so far.
    bytes: u64,
    /// When the present count began, and what it began from.
    since: Timestamp,
    base: u64,
    noisy: bool,
}

impl Line {
    /// Makes a line for a port; the first game found on it gets the number `first_game`.
    #[must_use]
    pub fn new(config: Arc<Config>, port: &str, first_game: u32) -> Self {
        Self {
            port: port.to_owned(),
            decoder: Decoder::new(),
            host: Host::default(),
            board: Board::new(config, port, first_game),
            sends: VecDeque::new(),
            heard: Timestamp::ZERO,
            noise: Noise::default(),
        }
    }

    /// Takes bytes that the board sent, as one `read` returned them.
    pub fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        if self.decoder.pending() > 0 && now.since(self.heard) > BROKEN_OFF {
            self.decoder.discard_pending();
        }
        self.heard = now;
        if self.host.handle_answer() {
            self.board.handle_fact(Fact::Link { up: true }, now);
        }
        let mut input = bytes;
        while let Some(frame) = self.decoder.next_frame(&mut input) {
            let message = frame.message();
            if matches!(message, Message::BoardDump(_)) {
                self.host.handle_dump(now);
            }
            self.board.handle_message(&message, now);
        }
        self.listen_for_noise(now);
        if self.board.wants_dump() {
            self.host.want_dump(now);
        }
    }

    /// Takes bytes that went out to the board.
    pub fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        self.host.handle_sent(bytes, now);
    }

    /// Takes a change of the link.
    pub fn handle_link(&mut self, link: Link<'_>, now: Timestamp) {
        self.handle_timeout(now);
        match link {
            Link::Up(port) => {
                port.clone_into(&mut self.port);
                self.host.handle_up(now);
                self.board.handle_link(LinkState::Up, port, now);
            }
            Link::Down(_) => {
                self.decoder.reset();
                self.host.handle_down();
                self.sends.clear();
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
        while let Some((at, _)) = self.poll_timeout().filter(|(at, _)| *at <= now) {
            if self.host.deadline().is_some_and(|(due, _)| due <= at) {
                let (command, fell_silent) = self.host.handle_timeout(at);
                self.sends.extend(command.map(|command| command.to_bytes().to_vec()));
                if fell_silent {
                    self.board.handle_fact(Fact::Link { up: false }, at);
                }
            }
            if self.board.deadline().is_some_and(|(due, _)| due <= at) {
                self.board.handle_timeout(at);
                if self.board.wants_dump() {
                    self.host.want_dump(at);
                }
            }
        }
    }

    /// Returns the next thing to be done.
    pub fn poll_output(&mut self) -> Option<Output> {
        let send = self.sends.pop_front().map(Output::Send);
        send.or_else(|| self.board.poll_event().map(Output::Event))
            .or_else(|| self.board.poll_question().map(Output::Question))
    }

    /// Returns when to call [`Line::handle_timeout`], and why.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<(Timestamp, &'static str)> {
        [self.host.deadline(), self.board.deadline()].into_iter().flatten().min()
    }

    /// Ends a replay: judges what is pending and reports the unfinished game.
    pub fn finish(&mut self, now: Timestamp) {
        self.handle_timeout(now);
        self.board.finish(now);
    }

    /// Returns the board at the end of the line.
    #[must_use]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns how many bytes from the board belonged to no message.
    #[must_use]
    pub const fn damaged(&self) -> u64 {
        self.noise.bytes
    }

    /// Returns messages that tell a new line what this one knows of the board, as the board would send them.
    ///
    /// A capture holds one game; the next one begins with these bytes, so that it can be replayed by itself.
    #[must_use]
    pub fn carry_over(&self) -> Vec<u8> {
        self.board.carry_over()
    }

    /// Asks for a dump after damaged bytes, and tells when they become too many.
    fn listen_for_noise(&mut self, now: Timestamp) {
        let bytes = self.decoder.tally().noise_bytes;
        if bytes > self.noise.bytes {
            self.noise.bytes = bytes;
            self.host.want_dump(now);
        }
        let count = bytes - self.noise.base;
        let over = now.since(self.noise.since) >= NOISE_SPAN;
        if !self.noise.noisy && count >= NOISY || self.noise.noisy && over && count == 0 {
            self.noise.noisy = !self.noise.noisy;
            self.board.handle_fact(Fact::Noise { noisy: self.noise.noisy, bytes }, now);
        }
        if over {
            (self.noise.since, self.noise.base) = (now, bytes);
        }
    }
}

#[cfg(test)]
mod tests;
