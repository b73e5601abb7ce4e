//! A hostile board: when it says something, and what happens to its line.

use std::{collections::VecDeque, time::Duration};

use super::{HostileKind, says};
use crate::random::Random;
use jadoube_core::time::Timestamp;

/// What happens to the line of a hostile board.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LineEvent {
    /// The port is gone.
    Gone,
    /// The port is there again.
    Back,
    /// The connection is reset; the next one is taken.
    Reset,
}

/// A board that is broken or meant to do harm.
#[derive(Debug)]
pub struct HostileBoard {
    kind: HostileKind,
    serial: String,
    random: Random,
    next: Timestamp,
    /// Number of times that it has said something by itself.
    turn: u64,
    gone: bool,
    heard: bool,
    output: VecDeque<Vec<u8>>,
    line: VecDeque<LineEvent>,
}

impl HostileBoard {
    /// Returns a board that behaves in this way from an instant on.
    #[must_use]
    pub const fn new(kind: HostileKind, serial: String, seed: u64, from: Timestamp) -> Self {
        Self {
            kind,
            serial,
            random: Random::new(seed),
            next: from,
            turn: 0,
            gone: false,
            heard: false,
            output: VecDeque::new(),
            line: VecDeque::new(),
        }
    }

    /// Returns whether bytes of the host are read.
    #[must_use]
    pub fn reads(&self) -> bool {
        self.kind != HostileKind::Hang || !self.heard
    }

    /// Receives bytes that the host writes.
    pub fn handle_command_bytes(&mut self, bytes: &[u8]) {
        self.heard |= !bytes.is_empty();
        if self.kind == HostileKind::Reset && !bytes.is_empty() {
            self.line.push_back(LineEvent::Reset);
        }
        for byte in bytes {
            self.output.extend(says::answer(self.kind, *byte, &self.serial, self.turn));
        }
    }

    /// Says what is due. What would have been said while nothing ran is left out.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        let Some(period) = self.period().filter(|_| self.next <= now) else { return };
        self.next = now + period;
        self.turn += 1;
        if self.kind == HostileKind::Reopening {
            self.gone = !self.gone;
            self.line.push_back(if self.gone { LineEvent::Gone } else { LineEvent::Back });
        } else {
            self.output.extend(says::unasked(self.kind, &mut self.random, self.turn));
        }
    }

    /// Removes and returns what happens to the line next.
    pub fn poll_line(&mut self) -> Option<LineEvent> {
        self.line.pop_front()
    }

    /// Removes and returns the next bytes.
    pub fn poll_output(&mut self) -> Option<Vec<u8>> {
        self.output.pop_front()
    }

    /// Returns when something is due next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        self.period().map(|_| self.next)
    }

    /// How often it says something by itself.
    const fn period(&self) -> Option<Duration> {
        let millis = match self.kind {
            HostileKind::RandomBytes | HostileKind::Flood => 10,
            HostileKind::Flicker => 20,
            HostileKind::ClockGarbage | HostileKind::Reopening => 50,
            HostileKind::SerialChanging => 100,
            HostileKind::PressEveryScan => 225,
            HostileKind::SerialText => 500,
            HostileKind::FullBoard | HostileKind::SixtyKings => 1000,
            HostileKind::Silent | HostileKind::Hang | HostileKind::Reset => return None,
        };
        Some(Duration::from_millis(millis))
    }
}
