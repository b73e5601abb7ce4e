//! A line with one board at its end.

mod assembly;
mod count_down;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use dgt_protocol::{Command, Decoder, EventLog, Frame, LONGEST_FRAME, Message, Record, id};

use self::assembly::Assembly;
use super::{
    MessageCounts, Noise, Output,
    counts::MessageCounter,
    download,
    feed::{self, BoardFeed, Item, TimedFeed},
    host::Host,
    outage::{ASKS, DUMPS, GOES_ON, Held, Outage, READS, STALLED, TRIES, WAITS},
};
use crate::{
    board::Board,
    event::{LinkState, LogState},
    fact::Fact,
    settings::{LineSettings, is_serial},
    time::{Due, Timestamp, soonest},
};

/// A message that stops in its middle for longer than this is not going on if another one begins.
const BROKEN_OFF: Duration = Duration::from_secs(1);

/// However long the log, its records are played within this.
const PLAYS: Duration = Duration::from_secs(10);

/// One board, its decoder, and the host's side of the conversation.
#[derive(Debug)]
pub(super) struct Single {
    /// Taken out while it lends a frame.
    decoder: Option<Decoder<Assembly>>,
    counter: MessageCounter,
    host: Host,
    feed: TimedFeed,
    settle: Duration,
    sends: VecDeque<Vec<u8>>,
    /// When bytes came last.
    heard: Timestamp,
    noise: Noise,
    /// So many bytes may still come of a message that began before the link came up.
    headless: usize,
    outage: Outage,
}

/// Bytes before the data of a message: once they are there, it is as long as they say.
const HEADER: usize = 3;

/// Returns how many bytes the decoder takes at a time when `pending` belong to a message that has begun: what a
/// byte shows to be damaged is known before what the next message says, however the bytes arrive.
fn piece(bytes: &[u8], pending: usize) -> usize {
    let begins = |byte: &u8| *byte >= 0x80;
    match bytes {
        [first, ..] if !begins(first) && pending >= HEADER => {
            if bytes.is_ascii() {
                bytes.len()
            } else {
                bytes.iter().position(begins).unwrap_or(bytes.len())
            }
        }
        // Nothing is known before the last of them.
        [first, high, low, ..] if pending == 0 && begins(first) && !begins(high) && !begins(low) => HEADER,
        [_, ..] => 1,
        [] => 0,
    }
}

impl Single {
    pub(super) fn new(settings: &Arc<LineSettings>, port: &str, first_game: u32) -> Self {
        let settle = Duration::from_millis(settings.board.settle_ms.into());
        Self {
            decoder: Some(Decoder::with_buffer(Assembly::default())),
            counter: MessageCounter::default(),
            host: Host::default(),
            feed: TimedFeed::new(BoardFeed::new(Board::new(settings.clone(), port, first_game), settle)),
            settle,
            sends: VecDeque::new(),
            heard: Timestamp::ZERO,
            noise: Noise::default(),
            headless: 0,
            outage: Outage::None,
        }
    }

    pub(super) fn handle_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        let Some(mut decoder) = self.decoder.take() else { return };
        if self.is_broken_off(&decoder, bytes, now) {
            decoder.discard_pending();
        }
        self.heard = now;
        if self.host.handle_answer() {
            self.feed.board_mut().handle_fact(Fact::Link { up: true }, now);
        }
        let mut rest = self.skip_headless(bytes, now);
        while let Some(first) = rest.first() {
            // A byte that begins no message was part of the one before it, or what was taken for it is damaged.
            if *first >= 0x80 {
                self.feed.release(now);
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
        if let Outage::Reading(held, _) = &mut self.outage {
            let goes_on = decoder.pending_id() == Some(id::EVENT_LOG);
            let most = if goes_on { held.most + GOES_ON } else { held.most };
            held.until = Some(most.min(now + STALLED));
            if goes_on {
                // It is asked nothing before the end.
                self.host.handle_long_answer(held.most.max(now + STALLED).min(most));
            }
        }
        self.decoder = Some(decoder);
        self.check_doubt(now);
    }

    /// Leaves out what comes of a message that began before the link came up, as a board sends its log to the end: nothing is
    /// damaged.
    fn skip_headless<'a>(&mut self, bytes: &'a [u8], now: Timestamp) -> &'a [u8] {
        let count = bytes.iter().take(self.headless).take_while(|byte| **byte < 0x80).count();
        let (headless, rest) = bytes.split_at(count);
        self.headless = if rest.is_empty() { self.headless - count } else { 0 };
        self.counter.headless(u64::try_from(headless.len()).unwrap_or(u64::MAX));
        if rest.is_empty()
            && let Outage::Down(held) = &mut self.outage
        {
            // It cannot say what stands on it before the end of what it was asked before.
            held.until = held.until.map(|until| until.max(now + STALLED).min(held.most + GOES_ON));
        }
        rest
    }

    /// Returns the serial numbers in bytes that come next.
    ///
    /// A number is reported after the link has come up and hardly ever else, so only bytes that may hold one are decoded
    /// ahead, by a copy of the decoder.
    pub(super) fn serials_in(&self, bytes: &[u8], now: Timestamp) -> Vec<String> {
        let mut serials = Vec::new();
        let Some(decoder) = self.decoder.as_ref() else { return serials };
        if decoder.pending_id() != Some(id::SERIAL) && !bytes.contains(&id::SERIAL) {
            return serials;
        }
        let mut ahead = decoder.clone();
        if self.is_broken_off(&ahead, bytes, now) {
            ahead.discard_pending();
        }
        let mut input = bytes;
        while let Some(frame) = ahead.next_frame(&mut input) {
            if let Message::Serial(reported) = frame.message()
                && is_serial(reported)
            {
                serials.push(reported.to_owned());
            }
        }
        serials
    }

    /// Returns whether a message has begun and does not go on with these bytes. After a pause only what begins none is its rest: the
    /// machine, or something on the way, may have stood still.
    fn is_broken_off(&self, decoder: &Decoder<Assembly>, bytes: &[u8], now: Timestamp) -> bool {
        let begins = bytes.first().is_some_and(|first| *first >= 0x80);
        begins && decoder.pending() > 0 && now.since(self.heard) > BROKEN_OFF
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
        if !matches!(self.outage, Outage::Asking(_)) || *bytes != *Command::SendEventLog.to_bytes() {
            return;
        }
        match std::mem::take(&mut self.outage) {
            Outage::Asking(mut held) => {
                held.wait_until(now + READS);
                self.host.handle_long_answer(held.most);
                self.feed.play([Item::Log(LogState::Reading)], Duration::ZERO, now);
                self.outage = Outage::Reading(held, 1);
            }
            other @ (Outage::None | Outage::Down(..) | Outage::Reading(..)) => self.outage = other,
        }
    }

    pub(super) fn handle_up(&mut self, port: &str, now: Timestamp) {
        self.forget_unfinished();
        self.headless = LONGEST_FRAME;
        self.host.handle_up(now);
        if let Outage::Down(held) = &mut self.outage {
            held.wait_until(now + DUMPS);
        }
        self.feed.board_mut().handle_link(LinkState::Up, port, now);
    }

    pub(super) fn handle_down(&mut self, port: &str, now: Timestamp) {
        self.forget_unfinished();
        self.host.handle_down();
        self.sends.clear();
        self.outage = match std::mem::take(&mut self.outage) {
            Outage::None => self.lose(now),
            // A log that is read later has it, too; if it cannot be read, it is passed on as it came.
            Outage::Down(held) | Outage::Asking(held) | Outage::Reading(held, _)
                if held.items.len() <= WAITS =>
            {
                Outage::Down(held.unplugged())
            }
            Outage::Down(held) | Outage::Asking(held) | Outage::Reading(held, _) => {
                self.feed.play(held.items, Duration::ZERO, now);
                self.feed.flush(now);
                self.lose(now)
            }
        };
        self.feed.board_mut().handle_link(LinkState::Down, port, now);
    }

    /// Gives up a message that the link has cut: nothing is damaged.
    fn forget_unfinished(&mut self) {
        let Some(decoder) = &mut self.decoder else { return };
        decoder.reset();
        self.counter.skip(decoder.tally());
        self.noise.skip(decoder.tally().noise_bytes);
    }

    /// Remembers what is known of a game; what waits is passed on with what comes after the outage.
    fn lose(&mut self, now: Timestamp) -> Outage {
        if let Some(known) = self.feed.known() {
            return Outage::Down(Held::new(known, self.feed.take_waiting(now), now));
        }
        self.feed.flush(now);
        Outage::None
    }

    pub(super) fn deadline(&self) -> Due {
        soonest([self.host.deadline(), self.feed.deadline(), self.outage.deadline()])
    }

    /// Handles the time, which is that of the earliest deadline.
    pub(super) fn handle_timeout(&mut self, now: Timestamp) {
        if self.host.deadline().is_some_and(|(due, _)| due <= now) {
            let (command, fell_silent) = self.host.handle_timeout(now);
            self.sends.extend(command.map(|command| command.to_bytes().to_vec()));
            if fell_silent {
                self.feed.board_mut().handle_fact(Fact::Link { up: false }, now);
            }
        }
        if self.outage.deadline().is_some_and(|(due, _)| due <= now) {
            self.give_up_log(now);
        }
        if self.feed.deadline().is_some_and(|(due, _)| due <= now) {
            self.feed.handle_timeout(now);
            self.check_doubt(now);
        }
    }

    pub(super) fn has_output(&self) -> bool {
        !self.sends.is_empty() || self.feed.board().has_output()
    }

    pub(super) fn poll_output(&mut self) -> Option<Output> {
        // Asked after each message; what is found is moved once.
        if let Some(bytes) = self.sends.pop_front() {
            return Some(Output::Send(bytes));
        }
        if let Some(event) = self.feed.poll_event() {
            return Some(Output::Event(event));
        }
        self.feed.poll_question().map(Output::Question)
    }

    pub(super) fn finish(&mut self, now: Timestamp) {
        match std::mem::take(&mut self.outage) {
            Outage::None => {}
            Outage::Down(held) | Outage::Asking(held) | Outage::Reading(held, _) => {
                self.feed.play(held.items, PLAYS, now);
            }
        }
        self.feed.finish(now);
    }

    pub(super) fn is_behind(&self) -> bool {
        self.feed.is_behind()
    }

    pub(super) fn board(&self) -> &Board {
        self.feed.board()
    }

    pub(super) fn board_mut(&mut self) -> &mut Board {
        self.feed.board_mut()
    }

    pub(super) const fn damaged(&self) -> u64 {
        self.noise.bytes()
    }

    pub(super) fn take_counts(&mut self) -> MessageCounts {
        self.counter.take()
    }

    /// Handles a message, or lets it wait for the log.
    fn handle_or_hold(&mut self, message: &Message<'_>, now: Timestamp) {
        if matches!(self.outage, Outage::None) {
            return self.feed.handle_message(message, now);
        }
        match std::mem::take(&mut self.outage) {
            Outage::None => {}
            Outage::Down(mut held) => {
                self.hold(&mut held, message, now);
                if !matches!(message, Message::BoardDump(_)) {
                    self.outage = Outage::Down(held);
                    return;
                }
                if held.is_explained()
                    && (!held.is_alone() || self.feed.board().is_one_move_away(&held.present))
                {
                    return self.feed.go_on(held.explained(self.settle + ASKS), PLAYS, now);
                }
                // A reset of the handshake that was said twice may have switched updates off after the dump was asked for.
                self.send([Command::SendUpdateNice, Command::SendEventLog]);
                held.wait_until(now + ASKS);
                self.outage = Outage::Asking(held);
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

    fn send<const N: usize>(&mut self, commands: [Command; N]) {
        self.sends.extend(commands.map(|command| command.to_bytes().to_vec()));
    }

    fn hold(&mut self, held: &mut Held, message: &Message<'_>, now: Timestamp) {
        let Some(item) = Item::of(message) else { return self.feed.handle_message(message, now) };
        if held.take(item, self.settle + ASKS, now) {
            self.feed.distrust_times();
        }
    }

    /// Plays what nobody saw, if the log has it.
    fn read(&mut self, held: Held, log: EventLog<'_>, now: Timestamp) {
        let records: Vec<Record> = log.records_of_ring().collect();
        let Some(unseen) = download::unseen(&records, &held.known, &held.present) else {
            return self.go_on_without(held, now);
        };
        // First what was known, so that nothing is a gap; then what nobody saw; then what is.
        let before = [Item::Log(LogState::Read), Item::Dump(held.known.codes)];
        let clock = held.known.clock.map(Item::Clock);
        let settle = Item::Wait(self.settle + ASKS);
        let last = held.items.into_iter().rfind(|item| matches!(item, Item::Clock(_)));
        let items =
            before.into_iter().chain(clock).chain([settle]).chain(feed::unseen_items(unseen)).chain(last);
        self.feed.play(items, PLAYS, now);
    }

    fn go_on_without(&mut self, held: Held, now: Timestamp) {
        self.feed.play([Item::Log(LogState::Useless)].into_iter().chain(held.items), PLAYS, now);
    }

    /// Waits no longer for what did not come in time.
    fn give_up_log(&mut self, now: Timestamp) {
        match std::mem::take(&mut self.outage) {
            Outage::None => {}
            // The board does not report what stands on it; what it says is passed on nevertheless.
            Outage::Down(mut held) => {
                self.feed.play(held.release(), PLAYS, now);
                held.wait_until(now + DUMPS);
                self.outage = Outage::Down(held);
            }
            // Nobody has asked for the log, as in a capture of another program.
            Outage::Asking(held) if held.is_explained() => {
                self.feed.go_on(held.explained(self.settle + ASKS), PLAYS, now);
            }
            Outage::Asking(held) => self.feed.play(held.items, PLAYS, now),
            Outage::Reading(mut held, tries) => {
                if let Some(decoder) = &mut self.decoder {
                    decoder.discard_pending();
                }
                if tries < TRIES {
                    // If it has not heard that, it has not heard that it is to report changes: what stood on it then is old.
                    self.send([Command::SendUpdateNice, Command::SendBoard, Command::SendEventLog]);
                    held.wait_until(now + READS);
                    self.host.handle_long_answer(held.most);
                    self.outage = Outage::Reading(held, tries + 1);
                } else {
                    self.host.handle_long_answer_end(now);
                    self.go_on_without(held, now);
                }
            }
        }
    }

    fn check_doubt(&mut self, now: Timestamp) {
        if self.feed.wants_dump() {
            self.host.want_dump(now);
        }
    }

    /// Asks for a dump after damaged bytes, and reports when they become too many.
    fn check_noise(&mut self, decoder: &Decoder<Assembly>, now: Timestamp) {
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
