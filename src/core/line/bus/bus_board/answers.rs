//! What the answers of a board mean.

use std::time::Duration;

use dgt_protocol::{Answer, BusRequest, EventLog, Message, Placement, Record};

use super::{
    BusBoard, CATCHES_UP, Presence, StartMark, TURN,
    history::{changed, explains, since_start, stopped},
};
use crate::{
    event::LogState,
    line::{
        download,
        feed::{self, Item},
    },
    model::sensors,
    time::Timestamp,
};

/// How often a board is asked for its changes again: hundreds of them take seconds, in which moves are made.
const ASKED_AGAIN: u8 = 2;

/// Changes that are passed on at the pace of hands before long, whatever they are.
const AT_PACE: usize = 4;

impl BusBoard {
    pub(super) fn handle_message(&mut self, message: &Message<'_>, port: &str, now: Timestamp) {
        if let Message::BoardDump(placement) = *message {
            self.answers.dump.at = now;
            self.answers.dump.wanted = false;
            self.handle_dump(placement, port, now);
        } else if let Message::Clock(report) = *message {
            self.answers.clock.at = Some(now);
            self.answers.clock.report = Some(report);
            if matches!(self.standing.presence, Presence::Fresh(_) | Presence::Flushed(_)) {
                self.get_to_know(now);
            }
        } else {
            self.feed.handle_message(message, now);
        }
    }

    pub(super) fn handle_dump(&mut self, placement: Placement, port: &str, now: Timestamp) {
        match &mut self.standing.presence {
            Presence::Known => self.answers.dump.read = Some(placement),
            Presence::Returned(back) => {
                if explains(&back.known.codes, &back.records, &placement) {
                    let records = std::mem::take(&mut back.records);
                    self.go_on(Some(records), now);
                } else if back.again < ASKED_AGAIN {
                    back.again += 1;
                    back.flushed = false;
                } else if self.answers.start_mark == StartMark::Written
                    && back.unexplained.replace(placement).is_none()
                {
                    self.feed.play([Item::Log(LogState::Reading)], Duration::ZERO, now);
                } else {
                    back.unexplained = Some(placement);
                    self.go_on(None, now);
                }
            }
            Presence::Fresh(_) | Presence::Flushed(_) | Presence::Absent(_) => {
                self.appear(port, now);
                if self.answers.dump.believes(&placement, None, now) {
                    self.answers.dump.read = Some(placement);
                    self.get_to_know(now);
                }
            }
        }
    }

    /// Begins with a board once it has reported what stands on it and what its clock shows: with all that was played on it
    /// since the start position, if its log has that.
    pub(super) fn get_to_know(&mut self, now: Timestamp) {
        let (Some(dump), Some(report)) = (self.answers.dump.read, self.answers.clock.report) else { return };
        let records = match std::mem::replace(&mut self.standing.presence, Presence::Known) {
            Presence::Flushed(records) => records,
            Presence::Absent(_) | Presence::Fresh(_) | Presence::Returned(_) | Presence::Known => Vec::new(),
        };
        (self.answers.dump.read, self.answers.clock.report) = (None, None);
        let items = since_start(&records, &dump, report);
        let wait = (!items.is_empty()).then_some(Item::Wait(self.settle + TURN));
        let (begin, rest) = items.split_at(items.len().min(2));
        let items = begin.iter().cloned().chain(wait).chain(rest.iter().cloned());
        self.feed.play(items.chain([Item::Dump(dump), Item::Clock(report)]), CATCHES_UP, now);
    }

    pub(super) fn handle_changes(&mut self, log: EventLog<'_>, repeated: bool, now: Timestamp) {
        // Either the question was lost on its way, or the answer: the same as last time is not new.
        let known = repeated && log.0 == self.polling.changes.last;
        // After a silence it may be an earlier answer, which hides the one to this question: asked once more.
        self.polling.changes.unsure = std::mem::take(&mut self.polling.overdue.doubtful);
        if !known {
            self.polling.changes.last = log.0.to_vec();
        }
        let records = log.records();
        match &mut self.standing.presence {
            Presence::Fresh(flushed) => {
                if !known {
                    flushed.extend(records);
                }
                if !repeated {
                    self.standing.presence = Presence::Flushed(std::mem::take(flushed));
                }
            }
            Presence::Returned(back) => {
                back.flushed |= !repeated;
                if !known {
                    back.records.extend(records);
                }
            }
            Presence::Known => {
                if !known {
                    let records: Vec<Record> = records.collect();
                    self.play(&records, now);
                }
                if !repeated {
                    self.polling.turn.over = true;
                    self.polling.changes.at = now;
                }
            }
            Presence::Flushed(_) | Presence::Absent(_) => {}
        }
        if !repeated && !self.is_known() {
            self.polling.changes.at = now;
        }
    }

    /// Notes that the line has damaged something.
    pub(in crate::line::bus) const fn note_damage(&mut self, now: Timestamp) {
        self.answers.dump.note_damage(now);
    }

    /// Returns, once, whether the last answer was the first one after a silence.
    pub(in crate::line::bus) const fn take_first_answer(&mut self) -> bool {
        std::mem::replace(&mut self.polling.overdue.silent, false)
    }

    pub(super) const fn is_known(&self) -> bool {
        matches!(self.standing.presence, Presence::Known)
    }

    /// Plays what has changed, and then what was read before it.
    pub(super) fn play(&mut self, records: &[Record], now: Timestamp) {
        let mut items = feed::items(records.iter().copied());
        if let Some(report) = self.answers.clock.report.take() {
            let mut stops = records.iter().rev().copied().filter_map(stopped);
            // The clock was read before a press that the changes report; of several presses nobody knows before which.
            let before = stops.next().is_some_and(|side| report.connected && report.lever.active() == side);
            if !before && stops.next().is_none() {
                items.push(Item::Clock(report));
            }
        }
        if let Some(mut dump) = self.answers.dump.read.take() {
            for (field, piece) in records.iter().copied().filter_map(changed) {
                dump.set(field, piece);
            }
            if self.answers.dump.believes(&dump, self.feed.codes_after(&items), now) {
                items.push(Item::Dump(dump));
            }
        }
        let span = now.since(self.polling.changes.at);
        let sets_up = puts_down_many(records) && self.feed.codes_after(&items).is_some_and(is_set_up);
        // How long a start position stands says whether it is a new game; nothing rests on the pace at which it was set up.
        let limit = if sets_up { TURN } else { span.clamp(TURN * 4, CATCHES_UP) };
        if span > sensors::MOMENT {
            // What is passed on within a moment has taken longer.
            self.feed.board_mut().ignore_timing_until(now + limit);
        }
        self.feed.play(items, limit, now);
    }

    pub(super) fn handle_from_start(&mut self, log: EventLog<'_>, now: Timestamp) {
        let Presence::Returned(back) = &mut self.standing.presence else { return };
        let Some(present) = back.unexplained else { return };
        let mut records: Vec<Record> = log.records().collect();
        records.append(&mut back.records);
        let unseen = download::unseen(&records, &back.known, &present);
        self.go_on(unseen, now);
    }

    /// Goes on with a board that is back: with what it has reported of the outage, or from what stands on it.
    pub(super) fn go_on(&mut self, records: Option<Vec<Record>>, now: Timestamp) {
        let Presence::Returned(back) = std::mem::replace(&mut self.standing.presence, Presence::Known) else {
            return;
        };
        // In doubt what stands on the board decides.
        self.answers.dump.wanted = true;
        let asked = back.unexplained.is_some();
        let Some(records) = records else {
            let log = asked.then_some(Item::Log(LogState::Useless));
            let dump = back.unexplained.map(Item::Dump);
            return self.feed.play(log.into_iter().chain(dump), Duration::ZERO, now);
        };
        let log = asked.then_some(Item::Log(LogState::Read));
        let clock = back.known.clock.map(Item::Clock);
        let wait = Item::Wait(self.settle + TURN);
        let items = log.into_iter().chain([Item::Dump(back.known.codes)]).chain(clock).chain([wait]);
        self.feed.play(items.chain(feed::unseen_items(records)), CATCHES_UP, now);
    }
}

/// Returns whether pieces were put down, too many to be passed on at the pace of hands, and nothing else was done.
fn puts_down_many(records: &[Record]) -> bool {
    let changes = records.iter().copied().filter_map(changed);
    changes.clone().count() > AT_PACE
        && changes.clone().all(|(_, piece)| !piece.is_empty())
        && !records.iter().copied().any(|record| stopped(record).is_some())
}

/// Returns whether pieces stand where a game begins, whichever way round the board lies.
fn is_set_up(shown: Placement) -> bool {
    [shown, shown.rotated()].contains(&Placement::start())
}

/// Returns whether an answer is one to a question.
pub(super) const fn fits(request: BusRequest, answer: &Answer<'_>) -> bool {
    match request {
        BusRequest::SendClock => {
            matches!(answer, Answer::Message(Message::Clock(_) | Message::ClockAck(_) | Message::ClockZero))
        }
        BusRequest::SendBoard => matches!(answer, Answer::Message(Message::BoardDump(_))),
        BusRequest::SendChanges | BusRequest::RepeatChanges => {
            matches!(answer, Answer::Changes(_) | Answer::ChangesEven(_))
        }
        BusRequest::SetStartGame => matches!(answer, Answer::StartWritten),
        BusRequest::SendFromStart => matches!(answer, Answer::FromStart(_)),
        BusRequest::Ping | BusRequest::IgnoreNextPing => matches!(answer, Answer::Pong),
        BusRequest::SendVersion => {
            matches!(answer, Answer::EarlyVersion | Answer::Message(Message::Version(_)))
        }
        BusRequest::SendAll => true,
        BusRequest::EndBusMode | BusRequest::Reset | BusRequest::SendDraughts | BusRequest::Other(_) => false,
    }
}
