//! Bus mode of a board: it sends only replies (protocol section 6).

use std::{collections::VecDeque, time::Duration};

use dgt_protocol::{Address, Answer, BusCommand, BusReply, BusRequest, EventLog, LONGEST_FRAME, Message};

use super::{Mode, Updates, VirtualBoard};
use jadoube_core::time::Timestamp;

/// How long the board writes to its EEPROM at the start of a game.
const WRITES_START: Duration = Duration::from_millis(70);

/// Within this time a ping to all boards is answered.
const PING_SPREAD_S: f64 = 1.1;

/// Share of replies, 0 to 1, that are delayed by a write to the EEPROM.
const SLOW_ANSWERS: f64 = 0.05;

/// State of a board in bus mode.
#[derive(Debug, Default)]
pub(super) struct BusState {
    /// The last reply to `SendChanges`, for `RepeatChanges`.
    last_changes: Vec<u8>,
    ignores_next_ping: bool,
    /// When the last reply leaves that was not delayed at random; replies keep their order.
    answered_at: Timestamp,
    /// Replies that are not due yet.
    later: VecDeque<(Timestamp, Vec<u8>)>,
}

impl BusState {
    /// Returns when the next answer is due.
    pub(super) fn next(&self) -> Option<Timestamp> {
        self.later.iter().map(|(at, _)| *at).min()
    }

    /// Returns an answer that is due.
    pub(super) fn due(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        let number = self.later.iter().position(|(at, _)| *at <= now)?;
        self.later.remove(number).map(|(_, frame)| frame)
    }
}

impl VirtualBoard {
    /// Executes a bus command that is addressed to this board or to all.
    pub(super) fn bus_command(&mut self, command: BusCommand, now: Timestamp) {
        let all = command.address == Address::BROADCAST;
        if !all && Some(command.address) != self.address() {
            return;
        }
        match command.request {
            BusRequest::Ping if all => self.pong(now),
            BusRequest::EndBusMode => self.mode = Mode::Single(Updates::Idle),
            BusRequest::Reset => self.boot(super::RESET_TIME, now),
            _ if all => {}
            BusRequest::SendClock => self.bus_clock(now),
            BusRequest::SendBoard => self.bus_board(now),
            BusRequest::SendChanges => self.bus_changes(now),
            BusRequest::RepeatChanges => {
                let changes = std::mem::take(&mut self.bus.last_changes);
                self.bus_say(Answer::Changes(EventLog(&changes)), now);
                self.bus.last_changes = changes;
            }
            BusRequest::SetStartGame => {
                self.log.start_game(self.sensors.seen(), now);
                self.bus_say_at(Answer::StartWritten, now + WRITES_START);
            }
            BusRequest::SendFromStart => {
                let log = self.log.since_start();
                self.bus_say(Answer::FromStart(EventLog(&log)), now);
            }
            BusRequest::Ping => self.bus_say(Answer::Pong, now),
            BusRequest::IgnoreNextPing => {
                self.bus.ignores_next_ping = true;
                self.bus_say(Answer::Pong, now);
            }
            BusRequest::SendVersion => {
                let version = self.options.version;
                let early = (version.major, version.minor) <= (1, 2);
                let answer =
                    if early { Answer::EarlyVersion } else { Answer::Message(Message::Version(version)) };
                self.bus_say(answer, now);
            }
            BusRequest::SendAll => {
                self.bus_changes(now);
                self.bus_clock(now);
                self.bus_board(now);
            }
            BusRequest::SendDraughts | BusRequest::Other(_) => {}
        }
    }

    fn pong(&mut self, now: Timestamp) {
        if std::mem::take(&mut self.bus.ignores_next_ping) {
            return;
        }
        let at = now + self.random.seconds(0.0, PING_SPREAD_S);
        self.bus_say_at(Answer::Pong, at);
    }

    fn bus_clock(&mut self, now: Timestamp) {
        self.bus_say(Answer::Message(Message::Clock(self.clock.seen())), now);
    }

    fn bus_board(&mut self, now: Timestamp) {
        self.bus_say(Answer::Message(Message::BoardDump(*self.sensors.seen())), now);
    }

    fn bus_changes(&mut self, now: Timestamp) {
        let changes = self.log.changes();
        self.bus_say(Answer::Changes(EventLog(&changes)), now);
        self.bus.last_changes = changes;
    }

    fn bus_say(&mut self, answer: Answer<'_>, now: Timestamp) {
        let slow = self.random.chance(SLOW_ANSWERS);
        let wait = if slow { self.random.seconds(0.010, 0.020) } else { self.random.seconds(0.001, 0.003) };
        self.bus.answered_at = self.bus.answered_at.max(now + wait);
        self.bus_say_at(answer, self.bus.answered_at);
    }

    fn bus_say_at(&mut self, answer: Answer<'_>, at: Timestamp) {
        let Some(address) = self.address() else { return };
        let mut frame = [0; LONGEST_FRAME];
        let Ok(frame) = (BusReply { address, answer }).encode(&mut frame) else { return };
        self.bus.later.push_back((at, frame.to_vec()));
    }
}
