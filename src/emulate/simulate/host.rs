//! Owns the host of a simulation: it speaks to the table and records both sides.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use dgt_protocol::Command;

use super::{PORT, Recorded};
use crate::table::{CableEvent, Table};
use jadoube_core::{
    capture::{Entry, Record},
    laws::EventSettings,
    line::{Line, Output},
    replay,
    settings::LineSettings,
    time::Timestamp,
};

/// Commands of the simple host when the link comes up: identity, position, then all changes.
const HANDSHAKE: [Command; 7] = [
    Command::Reset,
    Command::SendVersion,
    Command::SendSerial,
    Command::SendLongSerial,
    Command::SendBoard,
    Command::SendClock,
    Command::SendUpdateNice,
];

/// Time between two commands of the simple host; longer than a dump takes.
pub(super) const PACE: Duration = Duration::from_millis(120);

/// A host that records.
pub(super) struct RecordingHost {
    pub(super) lines: Vec<(Timestamp, Recorded)>,
    speaker: Speaker,
    connected: bool,
}

/// Who decides what the host says.
enum Speaker {
    /// A host that performs the handshake, and requests dumps from time to time whatever the board says.
    Simple(SimpleHost),
    /// The line of the product: it requests a dump where something is in doubt.
    Line(Box<Line>),
}

struct SimpleHost {
    /// Commands that are still to be sent, and when.
    to_send: VecDeque<(Timestamp, Command)>,
    dump_every: Option<Duration>,
    next_dump: Option<Timestamp>,
}

impl RecordingHost {
    /// Returns a host that requests a dump at this period, `None` for only one.
    pub(super) const fn simple(dump_every: Option<Duration>) -> Self {
        let simple = SimpleHost { to_send: VecDeque::new(), dump_every, next_dump: None };
        Self { lines: Vec::new(), speaker: Speaker::Simple(simple), connected: false }
    }

    /// Returns a host that speaks as the product does in such an event.
    pub(super) fn product(event: EventSettings) -> Self {
        let settings = LineSettings { event: Arc::new(event), ..LineSettings::default() };
        let line = Line::new(Arc::new(settings), PORT, 1);
        Self { lines: Vec::new(), speaker: Speaker::Line(Box::new(line)), connected: false }
    }

    /// Notes that the link came up.
    pub(super) fn connect(&mut self, now: Timestamp) {
        self.connected = true;
        if let Speaker::Simple(simple) = &mut self.speaker {
            // A board that starts up ignores commands.
            let start = if self.lines.is_empty() { now } else { now + PACE * 15 };
            simple.greet(start);
        }
        self.record(Recorded::Open, now);
    }

    /// Returns when to call [`RecordingHost::speak`].
    pub(super) fn next(&self) -> Option<Timestamp> {
        let next = match &self.speaker {
            Speaker::Simple(simple) => simple.next(),
            Speaker::Line(line) => line.poll_timeout().map(|(at, _)| at),
        };
        next.filter(|_| self.connected)
    }

    /// Says what is due.
    pub(super) fn speak(&mut self, table: &mut Table, now: Timestamp) {
        if !self.connected {
            return;
        }
        if let Speaker::Line(line) = &mut self.speaker {
            line.handle_timeout(now);
        }
        while let Some(bytes) = self.said(now) {
            table.handle_command_bytes(&bytes, now);
            self.record(Recorded::Sent(bytes), now);
        }
    }

    /// Records what the board says, and what becomes of the link.
    pub(super) fn record_output(&mut self, table: &mut Table, now: Timestamp) {
        while let Some(link) = table.poll_link() {
            match link {
                CableEvent::Unplugged => {
                    self.connected = false;
                    if let Speaker::Simple(simple) = &mut self.speaker {
                        simple.to_send.clear();
                    }
                    self.record(Recorded::Close, now);
                }
                CableEvent::Plugged => self.connect(now),
                CableEvent::Order(order) => self.record(Recorded::Order(order), now),
            }
        }
        while let Some(bytes) = table.poll_output(now) {
            self.record(Recorded::Received(bytes), now);
        }
    }

    /// Returns the next bytes that are to be sent now.
    fn said(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        match &mut self.speaker {
            Speaker::Simple(simple) => simple.said(now),
            // Events are reported, and questions answered, by the replay of the capture.
            Speaker::Line(line) => {
                std::iter::from_fn(|| line.poll_output()).find_map(|output| match output {
                    Output::Send(bytes) => Some(bytes),
                    Output::Event(_) | Output::Question(_) => None,
                })
            }
        }
    }

    fn record(&mut self, recorded: Recorded, at: Timestamp) {
        if let Speaker::Line(line) = &mut self.speaker {
            // The replay names an order that is refused.
            let _refused = replay::feed(line, Record { at, entry: recorded.entry() });
        }
        self.lines.push((at, recorded));
    }
}

impl SimpleHost {
    fn greet(&mut self, now: Timestamp) {
        self.to_send = HANDSHAKE.into_iter().zip(1..).map(|(command, n)| (now + PACE * n, command)).collect();
        self.next_dump = self.dump_every.map(|every| now + PACE * 8 + every);
    }

    fn next(&self) -> Option<Timestamp> {
        let command = self.to_send.front().map(|(at, _)| *at);
        [command, self.next_dump].into_iter().flatten().min()
    }

    fn said(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        if let Some(every) = self.dump_every
            && self.next_dump.is_some_and(|at| at <= now)
        {
            self.next_dump = Some(now + every);
            self.to_send.push_back((now, Command::SendBoard));
        }
        self.to_send.pop_front_if(|(at, _)| *at <= now).map(|(_, command)| command.to_bytes().to_vec())
    }
}

impl Recorded {
    /// Returns the line of the capture.
    pub(super) fn entry(&self) -> Entry<'_> {
        match self {
            Self::Open => Entry::Open(PORT),
            Self::Close => Entry::Close(""),
            Self::Sent(bytes) => Entry::Sent(bytes),
            Self::Received(bytes) => Entry::Received(bytes),
            Self::Order(json) => Entry::Order(json),
        }
    }
}
