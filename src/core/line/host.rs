//! What the host says to a board: the handshake, keep-alives, and dumps where the updates cannot be trusted.
//!
//! Commands are paced, since a board takes ten bytes at a time and loses what comes too fast (protocol sections 1.3
//! and 7). What was asked is known from what went out, so that a replay knows it as well.

use std::{collections::VecDeque, time::Duration};

use dgt_protocol::{Command, Message};

use crate::time::{Due, Timestamp, sooner};

/// Time between two commands.
const PACE: Duration = Duration::from_millis(100);

/// A command that was handed out and did not go out is forgotten after this.
const UNSENT: Duration = Duration::from_secs(2);

/// The handshake is repeated this often until the board has reported what stands on it.
const RETRY: Duration = Duration::from_secs(2);

/// A dump is asked for when the last one is older than this.
const IDLE: Duration = Duration::from_secs(10);

/// A dump that something asks for comes this long after the last one at the earliest.
const DUMP_PACE: Duration = Duration::from_secs(1);

/// A board that is asked answers within this, even in the middle of a dump.
const ANSWER: Duration = Duration::from_secs(3);

/// Questions without an answer before the board counts as silent.
const MOST_UNANSWERED: u8 = 2;

/// Dumps in a row after which a missing serial number or version is asked for soon; later with every other dump.
const MOST_SOON: u8 = 5;

/// The battery is asked after this often.
const BATTERY: Duration = Duration::from_mins(10);

/// The host's side of the conversation.
#[derive(Debug, Default)]
pub(super) struct Host {
    up: bool,
    queue: VecDeque<Command>,
    /// When the next command may go out.
    free_at: Timestamp,
    /// When a command was handed out that has not gone out: what a standstill of the machine has held up goes out one by one.
    proposed: Option<Timestamp>,
    handshake_at: Option<Timestamp>,
    dump_at: Option<Timestamp>,
    battery_at: Option<Timestamp>,
    last_dump: Timestamp,
    identity: KnownIdentity,
    /// When a question went out that nothing has answered.
    asked: Option<Timestamp>,
    unanswered: u8,
    silent: bool,
}

/// What of the board's identity is known since the link came up.
#[derive(Debug, Default)]
struct KnownIdentity {
    serial: bool,
    version: bool,
    /// Dumps that came while something was missing.
    dumps: u8,
}

impl KnownIdentity {
    /// Returns the questions that every board answers and that nobody has answered.
    fn missing(&self) -> impl Iterator<Item = Command> {
        let serial = (!self.serial).then_some(Command::SendSerial);
        (!self.version).then_some(Command::SendVersion).into_iter().chain(serial)
    }
}

impl Host {
    /// Notes that the link came up.
    pub(super) fn handle_up(&mut self, now: Timestamp) {
        *self = Self { up: true, free_at: now, last_dump: now, ..Self::default() };
        self.greet(now);
    }

    /// Notes that the link went down.
    pub(super) fn handle_down(&mut self) {
        *self = Self::default();
    }

    /// Handles bytes that went out.
    pub(super) fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {
        self.proposed = None;
        self.free_at = self.free_at.max(now + PACE);
        // Version, serial number, clock and board are answered by every board ever made.
        let asks = bytes.iter().any(|byte| matches!(byte, 0x41 | 0x42 | 0x45 | 0x4d));
        if asks && self.asked.is_none() {
            self.asked = Some(now);
        }
    }

    /// Notes that a long answer is on its way, in which the board neither listens nor says anything else.
    pub(super) fn handle_long_answer(&mut self, until: Timestamp) {
        self.asked = None;
        self.free_at = until;
        self.last_dump = until;
        self.dump_at = self.dump_at.map(|_| until + DUMP_PACE);
    }

    /// Notes that the long answer is there.
    pub(super) fn handle_long_answer_end(&mut self, now: Timestamp) {
        self.free_at = now;
        self.last_dump = now;
        self.dump_at = self.dump_at.map(|_| now + DUMP_PACE);
    }

    /// Notes that the board said anything; returns whether it had been silent.
    pub(super) fn handle_answer(&mut self) -> bool {
        self.asked = None;
        self.unanswered = 0;
        std::mem::replace(&mut self.silent, false)
    }

    /// Returns whether it would be nothing new that the board said anything.
    pub(super) const fn is_answered(&self) -> bool {
        self.asked.is_none() && self.unanswered == 0 && !self.silent
    }

    /// Handles what the board says of itself.
    pub(super) const fn handle_identity(&mut self, message: &Message<'_>) {
        if matches!(message, Message::Serial(_)) {
            self.identity.serial = true;
        } else if matches!(message, Message::Version(_)) {
            self.identity.version = true;
        }
    }

    /// Handles a dump of the board.
    pub(super) fn handle_dump(&mut self, now: Timestamp) {
        self.handshake_at = None;
        self.last_dump = now;
        // The questions before the dump are answered before it, so what is missing now was lost on the way.
        let is_missing = self.identity.missing().next().is_some() && self.identity.dumps < MOST_SOON;
        self.identity.dumps += u8::from(is_missing);
        self.dump_at = Some(now + if is_missing { RETRY } else { IDLE });
        self.battery_at.get_or_insert(now + BATTERY);
    }

    /// Asks for a dump soon: the updates cannot be trusted.
    pub(super) fn want_dump(&mut self, now: Timestamp) {
        if self.up && self.handshake_at.is_none() {
            let at = now.max(self.last_dump + DUMP_PACE);
            self.dump_at = Some(self.dump_at.map_or(at, |planned| planned.min(at)));
        }
    }

    /// Returns when to call [`Host::handle_timeout`], and why.
    pub(super) fn deadline(&self) -> Due {
        if !self.up {
            return None;
        }
        let send = (!self.queue.is_empty()).then(|| self.next_at());
        let mut due = sooner(None, send, "a command may go out");
        due = sooner(due, self.asked.map(|at| at + ANSWER), "an answer is due");
        due = sooner(due, self.handshake_at, "the handshake is repeated");
        due = sooner(due, self.dump_at, "a dump is asked for");
        sooner(due, self.battery_at, "the battery is asked after")
    }

    /// Handles the time; returns a command to send, and whether the board has just become silent.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) -> (Option<Command>, bool) {
        if self.handshake_at.is_some_and(|at| at <= now) {
            self.greet(now);
        }
        if self.dump_at.is_some_and(|at| at <= now) {
            self.last_dump = now;
            self.dump_at = Some(now + IDLE);
            let missing: Vec<Command> = self.identity.missing().collect();
            self.ask(&missing);
            // A board that was switched off for a moment, or has not heard it, sends no updates.
            self.ask(&[Command::SendUpdateNice, Command::SendBoard, Command::SendClock]);
        }
        if self.battery_at.is_some_and(|at| at <= now) {
            self.battery_at = Some(now + BATTERY);
            self.ask(&[Command::SendBattery]);
        }
        let fell_silent = self.asked.is_some_and(|at| at + ANSWER <= now) && self.miss(now);
        let send = if self.next_at() <= now { self.queue.pop_front() } else { None };
        if send.is_some() {
            self.free_at = now + PACE;
            self.proposed = Some(now);
        }
        (send, fell_silent)
    }

    /// Returns when the next command may be handed out.
    fn next_at(&self) -> Timestamp {
        self.proposed.map_or(self.free_at, |at| self.free_at.max(at + UNSENT))
    }

    fn greet(&mut self, now: Timestamp) {
        self.handshake_at = Some(now + RETRY);
        self.queue.clear();
        // Updates come before the dump, so that nothing falls between the two.
        self.ask(&[
            Command::Reset,
            Command::SendVersion,
            Command::SendSerial,
            Command::SendLongSerial,
            Command::SendUpdateNice,
            Command::SendBoard,
            Command::SendClock,
            Command::SendBattery,
        ]);
    }

    fn ask(&mut self, commands: &[Command]) {
        for command in commands {
            if !self.queue.contains(command) {
                self.queue.push_back(*command);
            }
        }
    }

    /// Counts a question that was not answered; returns whether the board has just become silent.
    fn miss(&mut self, now: Timestamp) -> bool {
        self.asked = None;
        self.unanswered = self.unanswered.saturating_add(1);
        if self.unanswered < MOST_UNANSWERED {
            self.ask(&[Command::SendVersion]);
            return false;
        }
        self.handshake_at.get_or_insert(now + RETRY);
        !std::mem::replace(&mut self.silent, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs for some seconds with a board that answers the dump and whatever else is sent; returns what was asked.
    fn asked(host: &mut Host, from: u64, to: u64, answers: &[Message<'_>]) -> Vec<Command> {
        let mut asked = Vec::new();
        let end = Timestamp::from_micros(to * 1_000_000);
        let mut now = Timestamp::from_micros(from * 1_000_000);
        while let Some((at, _)) = host.deadline().filter(|(at, _)| *at <= end) {
            now = now.max(at);
            let (command, _) = host.handle_timeout(now);
            let Some(command) = command else { continue };
            host.handle_sent(&command.to_bytes(), now);
            host.handle_answer();
            if command == Command::SendBoard {
                host.handle_dump(now);
            }
            for answer in answers {
                host.handle_identity(answer);
            }
            asked.push(command);
        }
        asked
    }

    #[test]
    fn after_a_standstill_commands_go_out_one_by_one() {
        let mut host = Host::default();
        host.handle_up(Timestamp::ZERO);
        let now = Timestamp::from_micros(1_500_000);
        let mut handed_out = Vec::new();
        while let Some((at, _)) = host.deadline().filter(|(at, _)| *at <= now) {
            handed_out.extend(host.handle_timeout(at).0);
        }
        assert_eq!(handed_out, [Command::Reset], "a board takes ten bytes at a time");
        host.handle_sent(&Command::Reset.to_bytes(), now);
        assert_eq!(host.deadline().map(|(at, _)| at), Some(now + PACE));
        assert_eq!(host.handle_timeout(now + PACE).0, Some(Command::SendVersion));
    }

    #[test]
    fn a_serial_number_that_got_lost_is_asked_for_until_it_comes() {
        let mut host = Host::default();
        host.handle_up(Timestamp::ZERO);
        let count = |asked: &[Command], which| asked.iter().filter(|command| **command == which).count();
        let version = Message::Version(dgt_protocol::Version { major: 1, minor: 8 });
        let first = asked(&mut host, 0, 30, &[version]);
        assert_eq!(count(&first, Command::SendVersion), 1);
        // Once in the handshake, five times soon after it, then with every dump.
        assert!((7..=9).contains(&count(&first, Command::SendSerial)), "{first:?}");
        let soon = asked(&mut host, 30, 60, &[Message::Serial("23946")]);
        assert_eq!(count(&soon, Command::SendSerial), 1, "it has come: {soon:?}");
    }
}
