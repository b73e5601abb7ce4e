//! Filters what a line that damages bytes makes up: no message of a single board has a checksum, but one that a byte was
//! added to, a dump too, is followed by a stray one.

use std::time::Duration;

use dgt_protocol::Message;

use super::Board;
use crate::{model::wait, time::Timestamp};

/// How long a message waits for stray bytes behind it: a few bytes at 9600 baud, and what the machine takes.
const WAIT: Duration = Duration::from_millis(25);

/// Second bytes of the lengths of a field update and a clock report.
const LENGTHS: [u8; 2] = [5, 10];

/// What is known of the line's quality.
#[derive(Debug, Default)]
pub(super) struct DamageFilter {
    /// When damage was seen last.
    damaged_at: Option<Timestamp>,
    /// When the last press was reported.
    pressed_at: Option<Timestamp>,
    /// The last press of whose report the line has damaged something: nobody knows whether the lever was turned.
    damaged_press: Option<Timestamp>,
    /// A message that is taken when nothing stray follows it, and when it came.
    held: Option<(Message<'static>, Timestamp)>,
    /// A stray zero has followed it: it was part of it, or of the next message, whose beginning is lost.
    orphan: bool,
}

impl DamageFilter {
    /// Returns when the message that is held is to be taken.
    pub(super) fn deadline(&self) -> Option<Timestamp> {
        self.held.as_ref().map(|(_, at)| *at + WAIT)
    }

    fn damaged_within(&self, span: Duration, now: Timestamp) -> bool {
        self.damaged_at.is_some_and(|at| now.since(at) < span)
    }

    /// Returns whether no message is held, nor the next one has to be.
    pub(super) fn is_calm(&self, now: Timestamp) -> bool {
        !self.holds() && !self.damaged_within(wait::DAMAGE_LASTS, now)
    }

    const fn holds(&self) -> bool {
        self.held.is_some() || self.orphan
    }

    /// Notes a press.
    pub(super) const fn note_press(&mut self, now: Timestamp) {
        self.pressed_at = Some(now);
    }

    /// Returns whether the line has damaged something of the report of a press at this instant.
    pub(super) fn has_damaged_press(&self, at: Timestamp) -> bool {
        self.damaged_press == Some(at)
    }

    /// Forgets the message that is held, as the link is lost.
    pub(super) fn forget(&mut self) {
        self.held = None;
        self.orphan = false;
    }
}

impl Board {
    /// Handles a byte that belongs to no message: what came just before it is only believed if it can be read in no other
    /// way.
    pub fn handle_stray(&mut self, byte: u8, now: Timestamp) {
        self.note_damage(now);
        let orphan = std::mem::replace(&mut self.sensing.damage_filter.orphan, byte == 0);
        // A dump to which a byte was added, or of which one came twice, ends with the last but one.
        let last = match self.sensing.damage_filter.held {
            Some((Message::FieldUpdate { piece, .. }, _)) => Some(piece),
            Some((Message::BoardDump(placement), _)) => placement.iter().last().map(|(_, piece)| piece),
            _ => None,
        };
        let Some(last) = last else {
            self.sensing.unsure |= self.sensing.damage_filter.held.take().is_some();
            return;
        };
        // A message that has lost its first byte goes on with the two of its length.
        if orphan && LENGTHS.contains(&byte) || byte == last.to_byte() || is_no_piece(byte) {
            self.sensing.damage_filter.orphan = false;
            self.release(now);
        } else if byte != 0 {
            self.sensing.unsure |= self.sensing.damage_filter.held.take().is_some();
        }
    }

    /// Notes that bytes came which are part of no message.
    pub fn note_damage(&mut self, now: Timestamp) {
        let filter = &mut self.sensing.damage_filter;
        filter.damaged_press = filter.pressed_at.filter(|at| now.since(*at) < WAIT).or(filter.damaged_press);
        if filter.damaged_at.replace(now) != Some(now) {
            self.tracker.note_damage(now);
        }
    }

    /// Holds a message back that has to be looked at twice; returns whether it did.
    pub(super) fn hold_back(&mut self, message: &Message<'_>, now: Timestamp) -> bool {
        if !self.sensing.damage_filter.damaged_within(wait::DAMAGE_LASTS, now) {
            return false;
        }
        let held = if let Message::FieldUpdate { field, piece } = *message {
            Message::FieldUpdate { field, piece }
        } else if let Message::Clock(report) = *message {
            Message::Clock(report)
        } else if let Message::BoardDump(placement) = *message {
            Message::BoardDump(placement)
        } else {
            return false;
        };
        self.sensing.damage_filter.held = Some((held, now));
        true
    }

    /// Returns whether [`Board::release`] would do anything.
    pub(crate) const fn holds_message(&self) -> bool {
        self.sensing.damage_filter.holds()
    }

    /// Handles the message that was held back, as another one begins or time is up.
    pub fn release(&mut self, now: Timestamp) {
        let doubtful = std::mem::take(&mut self.sensing.damage_filter.orphan);
        if let Some((message, _)) = self.sensing.damage_filter.held.take() {
            if doubtful {
                self.sensing.unsure = true;
            } else {
                self.take_message(&message, now);
            }
        }
    }
}

/// Returns whether no field update of a game ends in this byte.
fn is_no_piece(byte: u8) -> bool {
    byte > dgt_protocol::Piece::BlackQueen.to_byte()
}
