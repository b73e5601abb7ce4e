//! A line with one board at its end.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use dgt_protocol::{Command, Decoder, EventLog, Frame, Message, Placement, Record, id};

use super::{
    MessageCounts, Noise,
    counts::MessageCounter,
    download,
    feed::{self, BoardFeed, Item, LastKnown},
    host::Host,
};
use crate::{
    board::Board,
    event::{LinkState, LogState},
    fact::Fact,
    settings::{LineSettings, is_serial},
    time::{Due, Timestamp, soonest},
};

/// A message that stops in its middle for longer than this is not going on.
const BROKEN_OFF: Duration = Duration::from_secs(1);

/// The command for the log goes out at once; if it has not gone out by then, nobody has asked.
const ASKS: Duration = Duration::from_millis(150);

/// The log takes 8.3 seconds on the wire, over Bluetooth a little more.
const READS: Duration = Duration::from_secs(12);

/// A log that has begun and stops for this long is not going on.
const STALLED: Duration = Duration::from_secs(5);

/// How often a log that came damaged is asked for.
const TRIES: u8 = 2;

/// However long the log, its records are played within this.
const PLAYS: Duration = Duration::from_secs(10);

/// One board, its decoder, and the host's side of the conversation.
#[derive(Debug)]
pub(super) struct Single {
    /// Taken out while it lends a frame; a box, so that this moves no buffers.
    decoder: Option<Box<Decoder>>,
    counter: MessageCounter,
    host: Host,
    feed: BoardFeed,
    settle: Duration,
    sends: VecDeque<Vec<u8>>,
    /// When bytes came last.
    heard: Timestamp,
    noise: Noise,
    outage: Outage,
}

/// What is known of an outage, and of the log that may tell what happened in it.
#[derive(Debug, Default)]
enum Outage {
    /// There was none, or it is over.
    #[default]
    None,
    /// The link is down, or the board has not told what stands on it.
    Down(LastKnown),
    /// The board has told, and it is not what was known: the log has been asked for.
    Asking(AwaitedLog),
    /// The log is on its way.
    Reading(AwaitedLog, u8),
}

/// What waits for the log.
#[derive(Debug)]
struct AwaitedLog {
    known: LastKnown,
    /// What stands on the board.
    present: Placement,
    items: Vec<Item>,
    /// When the last of them came.
    last: Timestamp,
    /// When the log is given up if nothing more comes, and in any case.
    until: Timestamp,
    most: Timestamp,
}

/// Bytes before the data of a message: once they are there, it is as long as they say.
const HEADER: usize = 3;

/// Returns how many bytes the decoder takes at a time when `pending` belong to a message that has begun: what a
/// byte shows to be damaged is known before what the next message says, however the bytes arrive.
fn piece(bytes: &[u8], pending: usize) -> usize {
    let begins = |byte: &u8| *byte >= 0x80;
    match bytes.first() {
        Some(first) if !begins(first) && pending >= HEADER => {
            bytes.iter().position(begins).unwrap_or(bytes.len())
        }
        Some(_) => 1,
        None => 0,
    }
}

impl Single {
    pub(super) fn new(settings: &Arc<LineSettings>, port: &str, first_game: u32) -> Self {
        let settle = Duration::from_millis(settings.board.settle_ms.into());
        Self {
            decoder: Some(Box::default()),
            counter: MessageCounter::default(),
            host: Host::default(),
            feed: BoardFeed::new(Board::new(settings.clone(), port, first_game), settle),
            settle,
            sends: VecDeque::new(),
            heard: Timestamp::ZERO,
            noise: Noise::default(),
            outage: Outage::None,
        }
    }

    pub(super) fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        let Some(mut decoder) = self.decoder.take() else { return };
        if self.is_broken_off(&decoder, now) {
            decoder.discard_pending();
        }
        self.heard = now;
        if self.host.handle_answer() {
            self.feed.board_mut().handle_fact(Fact::Link { up: true }, now);
        }
        let mut rest = bytes;
        while let Some(first) = rest.first() {
            // A byte that begins no message was part of the one before it, or what was taken for it is damaged.
            if *first >= 0x80 {
                self.feed.board_mut().release(now);
            } else if decoder.pending() == 0 {
                self.feed.board_mut().handle_stray(*first, now);
            }
            if let Some(frame) = decoder.whole_frame(&mut rest) {
                self.handle_frame(frame, now);
                continue;
            }
            let length = piece(rest, decoder.pending());
            let (mut input, _) = rest.split_at(length);
            if let Some(frame) = decoder.next_frame(&mut input) {
                self.handle_frame(frame, now);
            }
            (_, rest) = rest.split_at(length - input.len());
            if decoder.tally().noise_bytes > self.noise.bytes() {
                self.check_noise(&decoder, now);
            }
        }
        self.check_noise(&decoder, now);
        self.counter.damage(decoder.tally());
        self.decoder = Some(decoder);
        if let Outage::Reading(held, _) = &mut self.outage {
            held.until = held.most.min(now + STALLED);
        }
        self.check_doubt(now);
    }

    /// Returns the serial numbers in bytes that come next.
    ///
    /// A number is told after the link has come up and hardly ever else, so only bytes that may hold one are decoded
    /// ahead, by a copy of the decoder.
    pub(super) fn serials_in(&self, bytes: &[u8], now: Timestamp) -> Vec<String> {
        let mut serials = Vec::new();
        let Some(decoder) = self.decoder.as_deref() else { return serials };
        if decoder.pending_id() != Some(id::SERIAL) && !bytes.contains(&id::SERIAL) {
            return serials;
        }
        let mut ahead = decoder.clone();
        if self.is_broken_off(&ahead, now) {
            ahead.discard_pending();
        }
        let mut input = bytes;
        while let Some(frame) = ahead.next_frame(&mut input) {
            if let Message::Serial(told) = frame.message()
                && is_serial(told)
            {
                serials.push(told.to_owned());
            }
        }
        serials
    }

    /// Tells whether a message has begun and will not go on.
    fn is_broken_off(&self, decoder: &Decoder, now: Timestamp) -> bool {
        decoder.pending() > 0 && now.since(self.heard) > BROKEN_OFF
    }

    fn handle_frame(&mut self, frame: Frame<'_>, now: Timestamp) {
        let message = frame.message();
        self.counter.message(&message);
        self.host.handle_identity(&message);
        if matches!(message, Message::BoardDump(_)) {
            self.host.handle_dump(now);
        }
        self.handle_or_hold(&message, now);
        self.check_doubt(now);
    }

    pub(super) fn handle_sent(&mut self, bytes: &[u8], now: Timestamp) {
        self.host.handle_sent(bytes, now);
        if *bytes != *Command::SendEventLog.to_bytes() {
            return;
        }
        match std::mem::take(&mut self.outage) {
            Outage::Asking(mut held) => {
                held.until = now + READS;
                held.most = held.until;
                self.host.handle_long_answer(held.until);
                self.feed.play([Item::Log(LogState::Reading)], Duration::ZERO, now);
                self.outage = Outage::Reading(held, 1);
            }
            other @ (Outage::None | Outage::Down(_) | Outage::Reading(..)) => self.outage = other,
        }
    }

    pub(super) fn handle_up(&mut self, port: &str, now: Timestamp) {
        self.host.handle_up(now);
        self.feed.board_mut().handle_link(LinkState::Up, port, now);
    }

    pub(super) fn handle_down(&mut self, port: &str, now: Timestamp) {
        if let Some(decoder) = &mut self.decoder {
            decoder.reset();
            self.counter.skip(decoder.tally());
        }
        self.host.handle_down();
        self.sends.clear();
        self.outage = match std::mem::take(&mut self.outage) {
            Outage::None => {
                self.feed.flush(now);
                self.feed.known().map_or(Outage::None, Outage::Down)
            }
            Outage::Down(known) => Outage::Down(known),
            // What waited for the log has told nobody anything; it will be told again.
            Outage::Asking(held) | Outage::Reading(held, _) => Outage::Down(held.known),
        };
        self.feed.board_mut().handle_link(LinkState::Down, port, now);
    }

    pub(super) fn deadline(&self) -> Due {
        let log = match &self.outage {
            Outage::None | Outage::Down(_) => None,
            Outage::Asking(held) => Some((held.until, "the log is asked for, or not")),
            Outage::Reading(held, _) => Some((held.until, "the log is there, or not")),
        };
        soonest([self.host.deadline(), self.feed.deadline(), log])
    }

    /// Takes the time, which is that of the earliest deadline.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        if self.host.deadline().is_some_and(|(due, _)| due <= now) {
            let (command, fell_silent) = self.host.handle_timeout(now);
            self.sends.extend(command.map(|command| command.to_bytes().to_vec()));
            if fell_silent {
                self.feed.board_mut().handle_fact(Fact::Link { up: false }, now);
            }
        }
        self.give_up_log(now);
        if self.feed.deadline().is_some_and(|(due, _)| due <= now) {
            self.feed.handle_timeout(now);
            self.check_doubt(now);
        }
    }

    pub(super) fn poll_send(&mut self) -> Option<Vec<u8>> {
        self.sends.pop_front()
    }

    pub(super) fn finish(&mut self, now: Timestamp) {
        self.feed.flush(now);
        self.feed.board_mut().finish(now);
    }

    pub(super) const fn board(&self) -> &Board {
        self.feed.board()
    }

    pub(super) const fn board_mut(&mut self) -> &mut Board {
        self.feed.board_mut()
    }

    pub(super) const fn damaged(&self) -> u64 {
        self.noise.bytes()
    }

    pub(super) fn take_counts(&mut self) -> MessageCounts {
        self.counter.take()
    }

    /// Takes a message, or lets it wait for the log.
    fn handle_or_hold(&mut self, message: &Message<'_>, now: Timestamp) {
        match std::mem::take(&mut self.outage) {
            Outage::None => self.feed.handle_message(message, now),
            Outage::Down(known) => {
                let dump = if let Message::BoardDump(present) = *message { Some(present) } else { None };
                if let Some(present) = dump.filter(|present| *present != known.codes) {
                    self.sends.push_back(Command::SendEventLog.to_bytes().to_vec());
                    let held = AwaitedLog {
                        known,
                        present,
                        items: vec![Item::Dump(present)],
                        last: now,
                        until: now + ASKS,
                        most: now + ASKS,
                    };
                    self.outage = Outage::Asking(held);
                    return;
                }
                if dump.is_none() {
                    self.outage = Outage::Down(known);
                }
                self.feed.handle_message(message, now);
            }
            Outage::Asking(mut held) => {
                self.hold(&mut held, message, now);
                self.outage = Outage::Asking(held);
            }
            Outage::Reading(mut held, tries) => {
                if let Message::EventLog(log) = message {
                    self.host.handle_long_answer_end(now);
                    self.read(held, *log, now);
                } else {
                    self.hold(&mut held, message, now);
                    self.outage = Outage::Reading(held, tries);
                }
            }
        }
    }

    fn hold(&mut self, held: &mut AwaitedLog, message: &Message<'_>, now: Timestamp) {
        let Some(item) = Item::of(message) else { return self.feed.handle_message(message, now) };
        match item {
            Item::Field(field, piece) => {
                held.present.set(field, piece);
            }
            Item::Dump(placement) => held.present = placement,
            Item::Clock(_) | Item::Stop(..) | Item::Log(_) | Item::Wait(_) => {}
        }
        let since = now.since(held.last);
        if !since.is_zero() {
            held.items.push(Item::Wait(since.min(self.settle + ASKS)));
        }
        held.last = now;
        held.items.push(item);
    }

    /// Plays what nobody saw, if the log tells it.
    fn read(&mut self, held: AwaitedLog, log: EventLog<'_>, now: Timestamp) {
        let records: Vec<Record> = log.records_of_ring().collect();
        let Some(unseen) = download::unseen(&records, &held.known, &held.present) else {
            return self.go_on_without(held, now);
        };
        // First what was known, so that nothing is a gap; then what nobody saw; then what is.
        let before = [Item::Log(LogState::Read), Item::Dump(held.known.codes)];
        let clock = held.known.clock.map(Item::Clock);
        let settle = Item::Wait(self.settle + ASKS);
        let last = held.items.into_iter().rfind(|item| matches!(item, Item::Clock(_)));
        let items = before.into_iter().chain(clock).chain([settle]).chain(feed::items(unseen)).chain(last);
        self.feed.play(items, PLAYS, now);
    }

    fn go_on_without(&mut self, held: AwaitedLog, now: Timestamp) {
        self.feed.play([Item::Log(LogState::Useless)].into_iter().chain(held.items), PLAYS, now);
    }

    fn give_up_log(&mut self, now: Timestamp) {
        match std::mem::take(&mut self.outage) {
            // Nobody has asked for the log, as in a capture of another program.
            Outage::Asking(held) if held.until <= now => {
                self.feed.play(held.items, PLAYS, now);
            }
            Outage::Reading(mut held, tries) if held.until <= now => {
                if let Some(decoder) = &mut self.decoder {
                    decoder.discard_pending();
                }
                if tries < TRIES {
                    self.sends.push_back(Command::SendEventLog.to_bytes().to_vec());
                    held.until = now + READS;
                    held.most = held.until;
                    self.host.handle_long_answer(held.until);
                    self.outage = Outage::Reading(held, tries + 1);
                } else {
                    self.host.handle_long_answer_end(now);
                    self.go_on_without(held, now);
                }
            }
            other @ (Outage::None | Outage::Down(_) | Outage::Asking(_) | Outage::Reading(..)) => {
                self.outage = other;
            }
        }
    }

    fn check_doubt(&mut self, now: Timestamp) {
        if self.feed.board_mut().wants_dump() {
            self.host.want_dump(now);
        }
    }

    /// Asks for a dump after damaged bytes, and tells when they become too many.
    fn check_noise(&mut self, decoder: &Decoder, now: Timestamp) {
        let bytes = decoder.tally().noise_bytes;
        if bytes > self.noise.bytes() {
            self.host.want_dump(now);
            self.feed.board_mut().note_damage(now);
        }
        if let Some(noisy) = self.noise.count(bytes, now) {
            self.feed.board_mut().handle_fact(Fact::Noise { noisy, bytes }, now);
        }
    }
}
