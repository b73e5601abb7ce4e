//! The clock socket of a board: polls the clock two or three times a second, and passes clock messages.

use std::{collections::VecDeque, time::Duration};

use dgt_protocol::{Ack, ClockMessage, ClockReport, RunControl, Side, Version};

use crate::{clock::ChessClock, random::Random};
use jadoube_core::time::Timestamp;

/// Clock messages that wait for their acknowledgement.
const WAITING: usize = 4;

/// How long a Bluetooth board repeats an acknowledgement in place of times.
const REPEATS: Duration = Duration::from_secs(1);

/// What is plugged into the clock socket.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ClockModel {
    /// Nothing.
    None,
    /// A clock with six seven-segment characters, version 1.14.
    Xl,
    /// A clock with eight characters, version 2.00.
    Dgt3000,
}

impl ClockModel {
    const fn version(self) -> Version {
        match self {
            Self::None | Self::Xl => Version { major: 1, minor: 14 },
            Self::Dgt3000 => Version { major: 2, minor: 0 },
        }
    }
}

/// The clock as the board sees it: the last poll, pending clock messages.
#[derive(Debug)]
pub(super) struct ClockPort {
    model: ClockModel,
    clock: ChessClock,
    /// Whether a host may set the times: mode 23 or 25.
    pc_mode: bool,
    plugged: bool,
    poll: Duration,
    next_poll: Timestamp,
    seen: ClockReport,
    reported_at: Timestamp,
    acks: VecDeque<(Timestamp, Ack)>,
    /// The last acknowledgement that was sent, and when.
    acked: Option<(Timestamp, Ack)>,
}

/// The result of a poll.
#[derive(Clone, Copy, Debug)]
pub(super) struct Polled {
    /// What the clock shows.
    pub(super) report: ClockReport,
    /// Whether that differs from what it showed before.
    pub(super) is_new: bool,
    /// The side that was stopped, if the lever was moved.
    pub(super) stopped: Option<Side>,
}

impl ClockPort {
    pub(super) fn new(
        model: ClockModel,
        clock: ChessClock,
        poll: Duration,
        phase: Duration,
        pc_mode: bool,
    ) -> Self {
        let mut port = Self {
            model,
            clock,
            pc_mode,
            plugged: model != ClockModel::None,
            poll: poll.max(Duration::from_millis(1)),
            next_poll: Timestamp::ZERO + phase,
            seen: ClockReport::DISCONNECTED,
            reported_at: Timestamp::ZERO,
            acks: VecDeque::new(),
            acked: None,
        };
        port.seen = port.report(Timestamp::ZERO);
        port
    }

    pub(super) const fn clock_mut(&mut self) -> &mut ChessClock {
        &mut self.clock
    }

    /// Connects or disconnects the clock.
    pub(super) fn plug(&mut self, plugged: bool) {
        self.plugged = plugged && self.model != ClockModel::None;
    }

    /// Returns the report of the last poll.
    pub(super) const fn seen(&self) -> ClockReport {
        self.seen
    }

    /// Returns when the next poll or acknowledgement is due.
    pub(super) fn next(&self) -> Timestamp {
        self.acks.front().map_or(self.next_poll, |(at, _)| self.next_poll.min(*at))
    }

    /// Polls the clock if a poll is due.
    pub(super) fn poll(&mut self, now: Timestamp) -> Option<Polled> {
        if self.next_poll > now {
            return None;
        }
        let at = self.next_poll;
        self.next_poll = at + self.poll;
        let report = self.report(at);
        let before = std::mem::replace(&mut self.seen, report);
        let moved = report.connected && before.connected && report.lever != before.lever;
        let stopped = moved.then(|| before.lever.active());
        Some(Polled { report, is_new: report != before, stopped })
    }

    /// Returns whether a report is due for a host that receives one each second.
    pub(super) fn is_report_due(&self, now: Timestamp) -> bool {
        now.since(self.reported_at) + self.poll > Duration::from_secs(1)
    }

    /// Records the instant at which a report was sent.
    pub(super) const fn reported(&mut self, now: Timestamp) {
        self.reported_at = now;
    }

    /// Queues a clock message; its acknowledgement follows 0.2 to 1 s later.
    pub(super) fn command(&mut self, message: &ClockMessage, now: Timestamp, random: &mut Random) {
        if !self.plugged || self.acks.len() >= WAITING {
            return;
        }
        let ack = match *message {
            ClockMessage::Version => Ack::version(self.model.version()),
            ClockMessage::SetAndRun { .. } if !self.pc_mode => Ack::refused(message),
            ClockMessage::SetAndRun { left, right, control } => {
                for (side, time) in [(Side::Left, left), (Side::Right, right)] {
                    let rest = Duration::from_secs(u64::from(time.total_seconds()));
                    self.clock.set(side, rest, now);
                }
                self.run(control, now);
                Ack::done(message)
            }
            ClockMessage::Display { .. }
            | ClockMessage::Icons(_)
            | ClockMessage::End
            | ClockMessage::Button
            | ClockMessage::Beep(_)
            | ClockMessage::Ascii { .. }
            | ClockMessage::LongAscii { .. } => Ack::done(message),
        };
        let last = self.acks.back().map_or(now, |(at, _)| *at);
        self.acks.push_back((last.max(now) + random.seconds(0.2, 1.0), ack));
    }

    /// Returns the acknowledgement that is due.
    pub(super) fn next_ack(&mut self, now: Timestamp) -> Option<Ack> {
        let (at, ack) = self.acks.pop_front_if(|(at, _)| *at <= now)?;
        self.acked = Some((at, ack));
        Some(ack)
    }

    /// Returns the last acknowledgement if a Bluetooth board still repeats it.
    pub(super) fn fresh_ack(&self, now: Timestamp) -> Option<Ack> {
        self.acked.filter(|(at, _)| now.since(*at) < REPEATS).map(|(_, ack)| ack)
    }

    /// Drops pending messages and restarts polling at `from`; the clock itself continues.
    pub(super) fn restart(&mut self, from: Timestamp) {
        self.acks.clear();
        self.next_poll = self.next_poll.max(from);
        self.seen = self.report(from);
    }

    fn run(&mut self, control: RunControl, now: Timestamp) {
        if control.has(RunControl::LEFT) {
            self.clock.set_lever(Side::Left, now);
        } else if control.has(RunControl::RIGHT) {
            self.clock.set_lever(Side::Right, now);
        }
        if control.has(RunControl::PAUSE) {
            self.clock.stop(now);
        } else {
            self.clock.start(now);
        }
    }

    fn report(&self, now: Timestamp) -> ClockReport {
        if self.plugged { self.clock.report(now) } else { ClockReport::DISCONNECTED }
    }
}
