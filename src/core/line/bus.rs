//! A line with several boards in bus mode: each has its turn, and speaks when it is asked (protocol section 6).
//!
//! ```text
//! ping the expected boards ──► ping all until nobody new answers ──► rounds: each board in turn
//!                                                                     [dump] [clock] changes
//! ```
//!
//! What a board is asked next follows from its answers. What was asked is known from what went out, so that a capture
//! of the line says the same as the line did. A board whose answer is damaged or missing repeats it; one that stays
//! silent is gone, and looked for; one that comes back reports what happened meanwhile.
//!
//! Boards on a bus send only replies, to one question at a time. A board has its turn at the earliest 200 ms after its
//! last changes, and is asked for what is due: firmware once, `SET_START_GAME` after a game has begun, a dump in doubt
//! or every 20 s (with many boards, one per second in total), the clock every 1 to 5 s, and last its changes, which end
//! the turn. Replies that arrived before the changes are processed after them. A question is asked up to three times,
//! changes as `REPEAT`; after three turns without a reply the board is down, and pinged every 2 s. Unexpected boards are
//! found by a ping to all, once a minute while no clock runs, and called by their addresses. The log of a board has an order and no times: it is
//! replayed at the pace of a hand (`feed`), and the rules use no times from it. A bus has no command for the battery.

mod bus_board;
pub(super) mod listed_board;
mod transaction;
mod turns;

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::Duration,
};

use dgt_protocol::{
    Address, Answer, BusCommand, BusDecoder, BusReply, BusRequest, CommandParser, Message, Received,
};

use self::{
    bus_board::BusBoard,
    listed_board::ListedBoard,
    transaction::Transaction,
    turns::{Call, CallPhase, Round},
};
use super::{MessageCounts, counts::MessageCounter};
use crate::{
    board::{Board, Question},
    event::Event,
    order::{CarriedOut, Order, OrderError},
    settings::{LineSettings, same_serial},
    time::Timestamp,
};

/// Most boards on a line; a round of more than these takes longer than people play.
const MOST_BOARDS: usize = 128;

/// All boards are called again after this, if no clock on the line runs.
const CALL: Duration = Duration::from_mins(1);

/// Calls in a row while new boards answer, or several at once.
const MOST_CALLS: u8 = 6;

/// Several boards and the host's side of the conversation.
#[derive(Debug)]
pub(super) struct BusLine {
    settings: Arc<LineSettings>,
    port: String,
    first_game: u32,
    decoder: BusDecoder,
    counter: MessageCounter,
    parser: CommandParser,
    noise: u64,
    transaction: Transaction,
    boards: BTreeMap<Address, BusBoard>,
    /// How the listed boards are called; all others are called by their addresses.
    names: BTreeMap<Address, String>,
    /// Whose turn it is.
    turn: Option<Address>,
    round: Round,
    call: Call,
    /// Addresses that have answered the call of all; noise can look like one, so each is asked once more.
    found: VecDeque<Address>,
    sends: VecDeque<Vec<u8>>,
}

impl BusLine {
    pub(super) fn new(settings: Arc<LineSettings>, port: &str, first_game: u32, serials: &[String]) -> Self {
        let mut bus = Self {
            settings,
            port: port.to_owned(),
            first_game,
            decoder: BusDecoder::new(),
            counter: MessageCounter::default(),
            parser: CommandParser::new(),
            noise: 0,
            transaction: Transaction::new(),
            boards: BTreeMap::new(),
            names: BTreeMap::new(),
            turn: None,
            round: Round::default(),
            call: Call { at: Timestamp::ZERO, phase: CallPhase::Idle, calls: 0, more: false },
            found: VecDeque::new(),
            sends: VecDeque::new(),
        };
        let (certain, guessed): (Vec<_>, Vec<_>) = serials
            .iter()
            .filter_map(|entry| ListedBoard::parse(entry).ok())
            .partition(|listed| listed.is_certain);
        for listed in certain.into_iter().chain(guessed) {
            // The configuration refuses two boards at one address; a capture may be of any configuration.
            bus.names.entry(listed.address).or_insert(listed.serial);
            bus.add(listed.address);
        }
        bus
    }

    /// Handles bytes from the line. Not inlined, as it takes 8 KB of stack, which lines with one board do without.
    #[inline(never)]
    pub(super) fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.transaction.handle_bytes(now);
        let mut decoder = std::mem::take(&mut self.decoder);
        // Byte by byte: what each shows to be damaged is known before what the next answer says.
        for mut input in bytes.chunks(1) {
            if let Some(reply) = decoder.next_reply(&mut input) {
                self.counter.reply(&reply);
                self.handle_reply(&reply, now);
            }
            self.check_noise(decoder.tally().noise_bytes, now);
        }
        self.counter.damage(decoder.tally());
        self.decoder = decoder;
    }

    pub(super) fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {
        let mut input = bytes;
        while let Some(received) = self.parser.next_command(&mut input) {
            let Received::Bus(command) = received else { continue };
            self.transaction.handle_sent(command, now);
            // Nothing of an earlier answer belongs to the next one.
            self.reset_decoder();
            self.noise = self.decoder.tally().noise_bytes;
            if let Some(board) = self.boards.get_mut(&command.address) {
                board.handle_sent(command.request, now);
            }
            self.round.called |= self.call.phase != CallPhase::Idle;
            if command.request == BusRequest::IgnoreNextPing {
                self.call.phase = CallPhase::Silencing(command.address);
            } else if command.request == BusRequest::Ping && command.address == Address::BROADCAST {
                self.call.phase = CallPhase::Calling;
                self.call.more = false;
                self.call.calls += 1;
                self.round.called = true;
            }
        }
    }

    pub(super) fn handle_up(&mut self, port: &str, now: Timestamp) {
        port.clone_into(&mut self.port);
        self.transaction.handle_up(now);
        self.reset_decoder();
        self.turn = None;
        self.found.clear();
        self.round = Round { began: now, ..Round::default() };
        self.call = Call { at: now, phase: CallPhase::Idle, calls: 0, more: false };
        for board in self.boards.values_mut() {
            board.handle_up(now);
        }
    }

    pub(super) fn handle_down(&mut self, now: Timestamp) {
        self.transaction.handle_down();
        self.reset_decoder();
        self.sends.clear();
        self.round.took = None;
        for board in self.boards.values_mut() {
            board.handle_down(&self.port, now);
        }
    }

    /// Handles an arbiter's order for the board that it names, or whose alert it is about.
    pub(super) fn handle_order(
        &mut self,
        board: Option<&str>,
        order: &Order,
        now: Timestamp,
    ) -> Result<CarriedOut, OrderError> {
        let named = board.or_else(|| order.alert().and_then(board_of));
        let address = named.and_then(|name| self.address_of(name));
        let only = if self.boards.len() == 1 { self.boards.values_mut().next() } else { None };
        let board = match address {
            Some(address) => self.boards.get_mut(&address),
            None => only,
        };
        match board {
            Some(board) => board.feed_mut().board_mut().handle_order(order, now),
            None if matches!(order, Order::Answer { .. }) => Ok(CarriedOut::default()),
            None => Err(OrderError::Refused(match named {
                Some(name) => format!("there is no board {name} on {}", self.port),
                None => format!("several boards share {}: say which board the order is for", self.port),
            })),
        }
    }

    pub(super) fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        let boards = self.boards.values().filter_map(|board| board.feed().deadline());
        boards.chain(self.transaction.deadline()).min()
    }

    /// Handles the time, which is that of the earliest deadline.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        self.transaction.handle_timeout(now);
        if let Some(command) = self.transaction.take_unanswered(now) {
            self.miss(command, now);
        }
        for board in self.boards.values_mut() {
            if board.feed().deadline().is_some_and(|(at, _)| at <= now) {
                board.feed_mut().handle_timeout(now);
            }
            if board.feed_mut().board_mut().wants_dump() {
                board.want_dump();
            }
        }
        if self.transaction.is_free(now)
            && let Some(command) = self.next_command(now)
        {
            self.transaction.propose(now);
            self.sends.push_back(command.to_bytes().to_vec());
        }
    }

    pub(super) fn poll_send(&mut self) -> Option<Vec<u8>> {
        self.sends.pop_front()
    }

    /// Returns the earliest event of all boards: a caller that was late gets them in the order of a replay.
    pub(super) fn poll_event(&mut self) -> Option<Event> {
        let waiting = self.boards.values_mut().filter_map(|board| {
            let at = board.feed().board().next_event_at()?;
            Some((at, board))
        });
        let (_, board) = waiting.min_by_key(|(at, _)| *at)?;
        let event = board.feed_mut().board_mut().poll_event()?;
        board.note(&event.kind);
        Some(event)
    }

    pub(super) fn poll_question(&mut self) -> Option<Question> {
        self.boards.values_mut().find_map(|board| board.feed_mut().board_mut().poll_question())
    }

    pub(super) fn finish(&mut self, now: Timestamp) {
        for board in self.boards.values_mut() {
            board.feed_mut().flush(now);
            board.feed_mut().board_mut().finish(now);
        }
    }

    pub(super) fn boards(&self) -> impl Iterator<Item = &Board> {
        self.boards.values().map(|board| board.feed().board())
    }

    pub(super) const fn damaged(&self) -> u64 {
        self.decoder.tally().noise_bytes
    }

    /// Returns how long the last round took.
    pub(super) const fn round(&self) -> Option<Duration> {
        self.round.took
    }

    pub(super) fn is_behind(&self) -> bool {
        self.boards.values().any(|board| board.feed().is_behind())
    }

    pub(super) fn carry_over(&self) -> Vec<u8> {
        self.boards.values().flat_map(BusBoard::carry_over).flatten().collect()
    }

    pub(super) fn take_counts(&mut self) -> MessageCounts {
        self.counter.take()
    }

    fn reset_decoder(&mut self) {
        self.decoder.reset();
        self.counter.skip(self.decoder.tally());
    }

    /// Returns the address of the board that is called so; that of a board that was never heard may be free.
    fn address_of(&self, name: &str) -> Option<Address> {
        let listed = self.names.iter().find(|(_, serial)| same_serial(serial, name));
        listed.map(|(address, _)| *address).or_else(|| Address::from_serial(name))
    }

    fn add(&mut self, address: Address) -> Option<&mut BusBoard> {
        if self.boards.len() >= MOST_BOARDS || address == Address::BROADCAST {
            return self.boards.get_mut(&address);
        }
        let settle = Duration::from_millis(self.settings.board.settle_ms.into());
        let (settings, port, game) = (&self.settings, &self.port, self.first_game);
        let board = self.boards.entry(address);
        Some(board.or_insert_with(|| {
            let board = Board::new(settings.clone(), port, game).polled();
            let name = self.names.get(&address).cloned().unwrap_or_else(|| address.to_string());
            BusBoard::new(address, &name, board, settle)
        }))
    }

    /// Handles what a board says.
    fn handle_reply(&mut self, reply: &BusReply<'_>, now: Timestamp) {
        let BusReply { address, answer } = reply;
        let asked = self.transaction.asked();
        if asked.is_some_and(|command| command.address == Address::BROADCAST) {
            let present = self.boards.get(address).is_some_and(BusBoard::is_present);
            if matches!(answer, Answer::Pong) && !present && !self.found.contains(address) {
                self.call.more = true;
                self.found.push_back(*address);
                self.found.truncate(MOST_BOARDS);
            }
            return;
        }
        let request = match asked {
            Some(command) if command.address == *address => Some(command.request),
            // Nothing was asked: what a line before this one knew, or has asked.
            None if !self.transaction.has_begun() => None,
            // It comes too late: it will be asked for again.
            Some(_) | None => return self.transaction.handle_late(*address, now),
        };
        let port = self.port.clone();
        if self.found.front() == Some(address) {
            self.found.pop_front();
        }
        let board = self.add(*address);
        let fits = board.is_some_and(|board| board.handle_answer(request, answer, &port, now));
        match request {
            Some(_) if fits => {
                self.transaction.handle_answer(length(answer), now);
                if self.boards.get_mut(address).is_some_and(BusBoard::take_first_answer) {
                    self.transaction.handle_first_answer(now);
                }
            }
            Some(_) => self.transaction.handle_late(*address, now),
            None => {}
        }
    }

    /// Notes that a question was not answered.
    fn miss(&mut self, command: BusCommand, now: Timestamp) {
        if command.address == Address::BROADCAST {
            self.call.phase = CallPhase::Idle;
            let again = self.call.more && self.call.calls < MOST_CALLS;
            self.call.at = if again { now } else { now + CALL };
            self.call.calls = if again { self.call.calls } else { 0 };
        } else if self.found.front() == Some(&command.address) {
            self.found.pop_front();
        } else if let Some(board) = self.boards.get_mut(&command.address) {
            board.handle_silence(command.request, &self.port, now);
        }
    }

    fn check_noise(&mut self, bytes: u64, now: Timestamp) {
        debug_assert!(bytes >= self.noise, "a counter of noise falls");
        let fresh = bytes.saturating_sub(std::mem::replace(&mut self.noise, bytes));
        if fresh == 0 {
            return;
        }
        for board in self.boards.values_mut() {
            board.note_damage(now);
        }
        let Some(command) = self.transaction.asked() else { return };
        if command.address == Address::BROADCAST {
            self.call.more = true;
        } else if let Some(board) = self.boards.get_mut(&command.address).filter(|board| board.is_present()) {
            board.handle_noise(fresh, now);
        }
    }
}

/// Returns how many bytes an answer takes.
const fn length(answer: &Answer<'_>) -> usize {
    match answer {
        Answer::Changes(log) | Answer::ChangesEven(log) | Answer::FromStart(log) => 6 + log.0.len(),
        Answer::Message(Message::BoardDump(_)) => 70,
        Answer::Message(Message::Clock(_)) => 13,
        Answer::Message(_) => 8,
        Answer::Pong | Answer::StartWritten | Answer::EarlyVersion => 6,
    }
}

/// Returns the board in an alert's number.
fn board_of(alert: &str) -> Option<&str> {
    alert.rsplitn(3, '-').nth(2)
}

#[cfg(test)]
mod tests;
