//! Owns the parser of a board: splits the bytes of a host into commands of both modes.
//! Does not know the mode of the board, which decides the effect of a command.

use super::{CLOCK_MESSAGE, Command, DEVELOPER_KEY, Leds, SET_LEDS, clock_message::ClockMessage};
use crate::{BusCommand, Tally, bytes::is_data, framing::widen};

#[cfg(test)]
mod tests;

/// A unit that the host sent.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Received {
    /// A single-board command.
    Command(Command),
    /// A bus command with a right checksum.
    Bus(BusCommand),
    /// A byte that is not a command.
    Unknown(u8),
    /// A command of several bytes that starts with this one and is invalid: cut short by a bus command, of
    /// impossible content, or with a wrong checksum.
    Refused(u8),
}

/// Splits the bytes of a host into commands, for any chunking; for emulated boards.
///
/// Both families of commands are recognised at any time by the top bit, as on a real board. The messages to
/// clock and lamps are consumed whole, or their data would be taken for commands.
///
/// ```
/// # use dgt_protocol::{Command, CommandParser, Received};
/// let mut parser = CommandParser::new();
/// let mut input: &[u8] = &[0x42, 0x60, 0x04, 0x01];
/// assert_eq!(parser.next_command(&mut input), Some(Received::Command(Command::SendBoard)));
/// assert_eq!(parser.next_command(&mut input), None);
/// assert_eq!(parser.pending(), 3);
/// ```
#[derive(Clone, Debug)]
pub struct CommandParser {
    held: [u8; LONGEST],
    length: usize,
    tally: Tally,
}

impl CommandParser {
    /// Makes a parser without pending bytes.
    #[must_use]
    pub const fn new() -> Self {
        let tally = Tally { frames: 0, frame_bytes: 0, noise_bytes: 0, broken: 0 };
        Self { held: [0; LONGEST], length: 0, tally }
    }

    /// Consumes bytes of `input` up to the end of the next command, or `None` when they are used up.
    pub fn next_command(&mut self, input: &mut &[u8]) -> Option<Received> {
        while let Some((&byte, rest)) = input.split_first() {
            if self.is_cut_by(byte) {
                return self.refuse();
            }
            *input = rest;
            debug_assert!(self.length < LONGEST, "a command is as long as {LONGEST} bytes at most");
            if let Some(place) = self.held.get_mut(self.length) {
                *place = byte;
                self.length += 1;
            }
            if self.length == wanted(self.held()) {
                return self.understand();
            }
        }
        None
    }

    /// Gets the account of all bytes taken so far. An unknown byte is noise, but nothing broken.
    #[must_use]
    pub const fn tally(&self) -> Tally {
        self.tally
    }

    /// Gets how many bytes of an unfinished command are held.
    #[must_use]
    pub const fn pending(&self) -> usize {
        self.length
    }

    /// Discards the unfinished command; call it when the next byte is overdue.
    pub fn discard_pending(&mut self) {
        if self.length > 0 {
            self.refuse();
        }
    }

    /// Returns whether a byte ends the pending command: a top bit, except in a developer key.
    fn is_cut_by(&self, byte: u8) -> bool {
        match self.held() {
            [] | [DEVELOPER_KEY, _, ..] => false,
            [_, ..] => !is_data(byte),
        }
    }

    fn understand(&mut self) -> Option<Received> {
        debug_assert_eq!(self.length, wanted(self.held()), "the command is whole");
        let received = match *self.held() {
            [id, high, low, checksum] if !is_data(id) => {
                BusCommand::decode([id, high, low, checksum]).map(Received::Bus)
            }
            [CLOCK_MESSAGE, _, ref payload @ ..] => {
                ClockMessage::decode(payload).map(Command::Clock).map(Received::Command)
            }
            [SET_LEDS, _, ref payload @ ..] => {
                Leds::decode(payload).map(Command::Leds).map(Received::Command)
            }
            [DEVELOPER_KEY, _, ref key @ .., 0x00] => {
                key.try_into().ok().map(Command::DeveloperKey).map(Received::Command)
            }
            [byte] => Command::from_byte(byte).map(Received::Command),
            _ => None,
        };
        match (received, self.held()) {
            (None, &[byte]) => {
                self.drop_held();
                Some(Received::Unknown(byte))
            }
            (None, _) => self.refuse(),
            (Some(_), held) => {
                self.tally.frame_bytes += widen(held.len());
                self.tally.frames += 1;
                self.length = 0;
                received
            }
        }
    }

    fn refuse(&mut self) -> Option<Received> {
        debug_assert!(self.length > 0, "something is held that can be refused");
        let first = self.held().first().copied();
        self.tally.broken += 1;
        self.drop_held();
        first.map(Received::Refused)
    }

    fn drop_held(&mut self) {
        self.tally.noise_bytes += widen(self.length);
        self.length = 0;
    }

    fn held(&self) -> &[u8] {
        self.held.get(..self.length).unwrap_or_default()
    }
}

impl Default for CommandParser {
    fn default() -> Self {
        Self::new()
    }
}

/// Gets the length of the command that starts like this, as far as it is known yet.
fn wanted(held: &[u8]) -> usize {
    match *held {
        [id, ..] if !is_data(id) => BusCommand::LENGTH,
        [CLOCK_MESSAGE | SET_LEDS | DEVELOPER_KEY] => 2,
        [CLOCK_MESSAGE | SET_LEDS | DEVELOPER_KEY, size, ..] => 2 + usize::from(size),
        _ => 1,
    }
}

/// First byte, size, and as many bytes as a size without a top bit can ask for.
const LONGEST: usize = 2 + 0x7F;
