//! One question at a time on a line that all boards share: what was asked, and how long an answer may take.
//!
//! Boards answer within 20 ms (protocol section 6.3); adapters and serial servers add what they like. So the time-out
//! follows the slowest answer of late.

use std::time::Duration;

use dgt_protocol::{Address, BusCommand, BusRequest};

use crate::time::Timestamp;

/// One byte at 9600 baud, 8N1.
const BYTE: Duration = Duration::from_micros(1042);

/// After link-up nothing is asked until the line has been silent for this long: what was under way arrives, is not taken
/// for an answer, and no other board speaks into it.
const QUIET: Duration = Duration::from_millis(200);

/// The same after the first answer of a board that was silent: it may have hung, or the line, and an answer to an earlier
/// question is not to be taken for one to the next.
const DRAINED: Duration = Duration::from_millis(100);

/// Between an answer and the next question.
const PAUSE: Duration = Duration::from_millis(2);

/// Shortest and longest time for which an answer is waited beyond its own length.
const PATIENCE: [Duration; 2] = [Duration::from_millis(100), Duration::from_millis(800)];

/// A ping to all boards is answered within 1.1 seconds.
const PING_ALL: Duration = Duration::from_millis(1300);

/// A question that was handed out and did not go out is forgotten after this.
const UNSENT: Duration = Duration::from_secs(2);

/// However long bytes keep coming, they are no answer after this: a whole log takes 8.3 seconds.
const LONGEST: Duration = Duration::from_secs(12);

/// A question and when it went out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    pub(super) command: BusCommand,
    at: Timestamp,
    heard: Timestamp,
}

/// The question that is under way on the line, and how long answers take.
#[derive(Debug)]
pub(super) struct Transaction {
    /// When the link came up, if it is.
    up: Option<Timestamp>,
    /// When the next question may be asked.
    free_at: Timestamp,
    /// When a question was handed out that has not gone out.
    proposed: Option<Timestamp>,
    asked: Option<Asked>,
    /// The last question that was not answered in time.
    missed: Option<Asked>,
    /// How long the line has to be silent before the next question, and since when that is waited for.
    drains: Option<(Duration, Timestamp)>,
    /// How long answers take of late beyond their own length.
    slowest: Duration,
    begun: bool,
}

impl Transaction {
    pub(super) const fn new() -> Self {
        let slowest = Duration::from_millis(150);
        Self {
            up: None,
            free_at: Timestamp::ZERO,
            proposed: None,
            asked: None,
            missed: None,
            drains: None,
            slowest,
            begun: false,
        }
    }

    pub(super) fn handle_up(&mut self, now: Timestamp) {
        *self = Self { up: Some(now), ..Self::new() };
        self.drain(QUIET, now);
    }

    pub(super) const fn handle_down(&mut self) {
        *self = Self::new();
    }

    /// Notes that the answer was the first one after a silence, which others may follow.
    pub(super) fn handle_first_answer(&mut self, now: Timestamp) {
        self.drain(DRAINED, now);
    }

    /// Asks nothing before the line has been silent for so long.
    fn drain(&mut self, silence: Duration, now: Timestamp) {
        self.drains = Some((silence, now));
        self.free_at = self.free_at.max(now + silence);
    }

    /// Returns whether anything was asked since the link came up.
    pub(super) const fn has_begun(&self) -> bool {
        self.begun
    }

    /// Handles a question that went out.
    pub(super) const fn handle_sent(&mut self, command: BusCommand, now: Timestamp) {
        self.begun = true;
        self.proposed = None;
        self.drains = None;
        self.asked = Some(Asked { command, at: now, heard: now });
    }

    /// Notes that bytes came.
    pub(super) fn handle_bytes(&mut self, now: Timestamp) {
        if let Some(asked) = &mut self.asked {
            asked.heard = now;
        } else if let Some((silence, since)) = self.drains {
            self.free_at = self.free_at.max((now + silence).min(since + LONGEST));
        }
    }

    /// Returns what was asked and is not answered.
    pub(super) const fn asked(&self) -> Option<BusCommand> {
        match self.asked {
            Some(asked) => Some(asked.command),
            None => None,
        }
    }

    /// Handles an answer of so many bytes to what was asked.
    pub(super) fn handle_answer(&mut self, bytes: usize, now: Timestamp) {
        if let Some(asked) = self.asked.take() {
            let length = wire(BusCommand::LENGTH + bytes);
            let took = Duration::from_micros(
                u64::try_from(now.since(asked.at + length).as_micros()).unwrap_or(u64::MAX),
            );
            self.slowest = took.max(self.slowest.mul_f64(0.99));
            self.free_at = now + PAUSE;
        }
    }

    /// Returns the question that nobody has answered in time.
    pub(super) fn take_unanswered(&mut self, now: Timestamp) -> Option<BusCommand> {
        let asked = self.asked.take_if(|asked| due(asked, self.slowest) <= now)?;
        self.free_at = now + PAUSE;
        self.missed = Some(asked);
        Some(asked.command)
    }

    /// Handles what a board says after nobody has waited for it any longer: the next answers are waited for longer.
    pub(super) fn handle_late(&mut self, address: Address, now: Timestamp) {
        if let Some(missed) = self.missed.take_if(|missed| missed.command.address == address) {
            let [_, most] = PATIENCE;
            self.slowest = self.slowest.max(now.since(missed.at)).min(most);
        }
    }

    /// Returns whether a question may be asked.
    pub(super) fn is_free(&self, now: Timestamp) -> bool {
        self.up.is_some() && self.asked.is_none() && self.proposed.is_none() && self.free_at <= now
    }

    /// Notes that a question was handed out.
    pub(super) const fn propose(&mut self, now: Timestamp) {
        self.proposed = Some(now);
    }

    /// Asks nothing until then.
    pub(super) fn rest(&mut self, until: Timestamp) {
        self.free_at = self.free_at.max(until);
    }

    /// Forgets a question that never went out.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        self.proposed.take_if(|at| *at + UNSENT <= now);
    }

    pub(super) fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        self.up?;
        Some(match (self.asked, self.proposed) {
            (Some(asked), _) => (due(&asked, self.slowest), "an answer on the bus is due"),
            (None, Some(at)) => (at + UNSENT, "a question goes out, or not"),
            (None, None) => (self.free_at, "a board is asked"),
        })
    }
}

/// Returns until when an answer may come.
fn due(asked: &Asked, slowest: Duration) -> Timestamp {
    let Asked { command, at, heard } = *asked;
    if command.address == Address::BROADCAST {
        return at + PING_ALL;
    }
    let [least, most] = PATIENCE;
    let patience = (slowest * 2).clamp(least, most);
    let first = at + wire(BusCommand::LENGTH) + expected(command.request) + patience;
    // A long answer comes in pieces.
    let more = if heard > at { heard + patience } else { first };
    first.max(more).min(at + LONGEST)
}

/// Returns how long an answer takes until its first bytes can be heard: adapters hand over packets of 62 bytes.
const fn expected(request: BusRequest) -> Duration {
    match request {
        BusRequest::SendClock => wire(13),
        BusRequest::SetStartGame => Duration::from_millis(100),
        BusRequest::SendBoard
        | BusRequest::SendChanges
        | BusRequest::RepeatChanges
        | BusRequest::SendFromStart
        | BusRequest::SendDraughts
        | BusRequest::SendAll => wire(64),
        BusRequest::Ping
        | BusRequest::EndBusMode
        | BusRequest::Reset
        | BusRequest::IgnoreNextPing
        | BusRequest::SendVersion
        | BusRequest::Other(_) => wire(8),
    }
}

const fn wire(bytes: usize) -> Duration {
    BYTE.saturating_mul(if bytes > 8192 { 8192 } else { as_u32(bytes) })
}

#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "there is no const TryFrom, and it is small"
)]
const fn as_u32(bytes: usize) -> u32 {
    bytes as u32
}
