//! The records that stand for what a capture has lost of its games.

use dgt_protocol::{
    Address, Answer, BusCommand, BusReply, BusRequest, ClockReport, EventLog, Message, Placement,
};

use super::{LoggedGame, LoggedGames, LoggedResult, MOVES};
use jadoube_core::{
    capture::{Entry, Hole, Writer},
    order::Order,
    time::Timestamp,
};

/// Longest message that a board sends of itself, with its address on a bus.
const LONGEST: usize = 80;

/// A record that stands for what is lost.
#[derive(Clone, Debug)]
enum Lost {
    Sent(Vec<u8>),
    Received(Vec<u8>),
    Order(String),
}

impl LoggedGames {
    /// Returns the records that stand for what a hole has lost.
    pub(super) fn lost_in(&self, hole: &Hole, port: &str) -> Option<Vec<u8>> {
        let lost = self.games.values().map(|game| game.lost_in(hole)).collect::<Option<Vec<_>>>()?;
        let mut lost: Vec<(Timestamp, Lost)> = lost.into_iter().flatten().collect();
        lost.sort_by_key(|(at, _)| *at);
        let (first, _) = lost.first()?;
        let mut writer = Writer::resume("", Vec::new(), Timestamp::ZERO);
        if hole.after.is_none() {
            writer.write(*first, Entry::Open(port)).ok()?;
        }
        for (at, lost) in &lost {
            let entry = match lost {
                Lost::Sent(bytes) => Entry::Sent(bytes),
                Lost::Received(bytes) => Entry::Received(bytes),
                Lost::Order(json) => Entry::Order(json),
            };
            writer.write(*at, entry).ok()?;
        }
        if hole.after.is_none()
            && hole.opens
            && let Some(before) = hole.before
        {
            writer.write(before, Entry::Close("records were lost")).ok()?;
        }
        let mut text = b"# put back from the event log:\n".to_vec();
        text.append(writer.output_mut());
        text.extend_from_slice(b"# end of what was put back\n");
        Some(text)
    }
}

impl LoggedGame {
    /// Returns the records that stand for what a hole has lost of the game; `None` if they cannot be written.
    fn lost_in(&self, hole: &Hole) -> Option<Vec<(Timestamp, Lost)>> {
        let is_in = |at: Timestamp| hole.after <= Some(at) && hole.before.is_none_or(|before| at <= before);
        let mut lost = Vec::new();
        let begins = is_in(self.began);
        let result = self.result_in(is_in);
        let first = self.before_set.as_ref().map_or((self.began, &self.start), |(at, fen)| (*at, fen));
        if is_in(first.0) {
            let introduced = if hole.after.is_none() { self.introduced()? } else { Vec::new() };
            let shown = introduced.into_iter().chain(self.showing(first.1)?);
            lost.extend(shown.map(|record| (first.0, record)));
            if self.is_later {
                // A board on which much is different is believed when it says so twice.
                lost.extend(self.showing(first.1)?.into_iter().map(|record| (first.0, record)));
                let order = Order::NewGame { fen: None, white: None, black: None, players: None };
                lost.push((first.0, Lost::Order(self.order(&order)?)));
            }
        }
        if begins && self.before_set.is_some() {
            let shown = [self.showing(&self.start)?, self.showing(&self.start)?];
            lost.extend(shown.into_iter().flatten().map(|record| (self.began, record)));
            let order = Order::SetPosition { fen: self.start.clone() };
            lost.push((self.began, Lost::Order(self.order(&order)?)));
        }
        // Behind a result no missing move is looked for.
        let fewest = if result.is_some() { 1 } else { MOVES };
        if begins || self.count(is_in) >= fewest {
            if let (Some(address), Some(after)) = (self.address, hole.after) {
                lost.extend(without_clock(address)?.map(|record| (after, record)));
            }
            for ply in self.plies.iter().filter(|ply| is_in(ply.shown)) {
                lost.extend(self.showing(&ply.fen)?.into_iter().map(|record| (ply.shown, record)));
            }
        }
        if let Some(LoggedResult { reported, result, .. }) = result {
            let order = Order::Result { result: result.clone() };
            lost.push((*reported, Lost::Order(self.order(&order)?)));
        }
        Some(lost)
    }

    /// Returns an order for the board as a capture has it.
    fn order(&self, order: &Order) -> Option<String> {
        let json = if self.address.is_some() { order.json_to(&self.name) } else { order.json() };
        json.ok()
    }

    /// Returns what a board says when the link comes up.
    fn introduced(&self) -> Option<Vec<Lost>> {
        let Some(address) = self.address else {
            let serial = self.serial.as_deref().map(Message::Serial);
            let long = self.long_serial.as_deref().map(Message::LongSerial);
            return serial.into_iter().chain(long).map(said).collect();
        };
        let asked = [
            asked(address, BusRequest::Ping, Answer::Pong)?,
            asked(address, BusRequest::SendChanges, Answer::Changes(EventLog(&[])))?,
            without_clock(address)?,
        ];
        Some(asked.into_iter().flatten().collect())
    }

    /// Returns what a board says in a position.
    fn showing(&self, fen: &str) -> Option<Vec<Lost>> {
        let dump = Message::BoardDump(self.placement(fen)?);
        let Some(address) = self.address else { return Some(vec![said(dump)?]) };
        // What is read is reported with the changes that follow, and on a line that damages once it is read again.
        let dump = asked(address, BusRequest::SendBoard, Answer::Message(dump))?;
        let changes = asked(address, BusRequest::SendChanges, Answer::Changes(EventLog(&[])))?;
        let read: Vec<_> = dump.into_iter().chain(changes).collect();
        Some([read.clone(), read].concat())
    }

    /// Returns what the board shows in a position.
    fn placement(&self, fen: &str) -> Option<Placement> {
        let mut codes = [0; 64];
        let mut fields = codes.iter_mut();
        for letter in fen.split(' ').next()?.chars().filter(|letter| *letter != '/') {
            let empty = letter.to_digit(10).and_then(|empty| usize::try_from(empty).ok());
            if let Some(empty) = empty {
                // The codes of empty fields are 0 already.
                fields.nth(empty.checked_sub(1)?)?;
            } else {
                *fields.next()? = dgt_protocol::Piece::from_letter(letter)?.to_byte();
            }
        }
        let placement = Placement::from_bytes(&codes);
        Some(if self.is_rotated { placement.rotated() } else { placement })
    }
}

/// Returns a message of a single board.
fn said(message: Message<'_>) -> Option<Lost> {
    let mut buffer = [0; LONGEST];
    message.encode(&mut buffer).ok().map(|bytes| Lost::Received(bytes.to_vec()))
}

/// Returns that a board on a line with several has no clock: moves whose presses nobody knows do not wait for them.
fn without_clock(address: Address) -> Option<[Lost; 2]> {
    asked(address, BusRequest::SendClock, Answer::Message(Message::Clock(ClockReport::DISCONNECTED)))
}

/// Returns a question on a line with several boards, and its answer.
fn asked(address: Address, request: BusRequest, answer: Answer<'_>) -> Option<[Lost; 2]> {
    let mut buffer = [0; LONGEST];
    let answer = BusReply { address, answer }.encode(&mut buffer).ok()?.to_vec();
    Some([Lost::Sent(BusCommand { address, request }.to_bytes().to_vec()), Lost::Received(answer)])
}
