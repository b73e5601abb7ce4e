//! One board on a line with several: what it has to be asked next, and what its answers mean.
//!
//! Everything that happens on the board is in its changes, in order. A dump and the clock are read before the changes
//! and handled after them: so they never overtake what led to them.

mod answers;
mod history;
mod readings;

use std::time::Duration;

use dgt_protocol::{Address, Answer, BusRequest, ClockReport, EventLog, Message, Placement, Record};

use self::{
    answers::fits,
    readings::{Changes, ClockReading, DumpReading, Overdue, VersionReading},
};

use crate::{
    board::Board,
    event::{EventKind, LinkState},
    fact::Fact,
    line::{
        Noise,
        feed::{BoardFeed, LastKnown},
        outage::WAITS,
    },
    time::Timestamp,
};

/// How often a question is repeated before the next board has its turn.
const TRIES: u8 = 3;

/// Turns without an answer after which a board counts as gone.
const MOST_MISSED: u8 = 3;

/// How often a board that is gone is looked for.
const LOOK: Duration = Duration::from_secs(2);

/// A clock that stands still, or is not there, is read this often.
const IDLE_CLOCK: Duration = Duration::from_secs(5);

/// With no more than this left, seconds, a running clock is read in every turn: a flag may fall.
const SHORT_S: u32 = 20;

/// A dump that something asks for comes this long after the last one at the earliest.
const DUMP_PACE: Duration = Duration::from_secs(1);

/// For this long after an answer that was not waited for any longer, it may still come.
const LATE: Duration = Duration::from_secs(1);

/// However much a board has to report after an outage, it is handled within this.
const CATCHES_UP: Duration = Duration::from_secs(10);

/// Time between two turns of the same board: it does not see faster than this itself.
pub(super) const TURN: Duration = Duration::from_millis(200);

/// Whether the board answers, and how much of it is known.
#[derive(Debug)]
enum Presence {
    /// It does not answer; from then on it may be looked for.
    Absent(Timestamp),
    /// It answers; what is old in its log has to be thrown away, once all of it has come.
    Fresh(Vec<Record>),
    /// What was in the log, while it is found out what stands on the board.
    Flushed(Vec<Record>),
    /// It was away: what happened meanwhile is gathered.
    Returned(Box<Return>),
    /// Nothing is missing.
    Known,
}

/// A board that is back.
#[derive(Debug)]
struct Return {
    known: LastKnown,
    records: Vec<Record>,
    flushed: bool,
    again: u8,
    /// What stands on it now, if its changes do not explain that: the log since the start of the game is asked for.
    unexplained: Option<Placement>,
}

impl Return {
    const fn to(known: LastKnown) -> Self {
        Self { known, records: Vec::new(), flushed: false, again: 0, unexplained: None }
    }
}

/// The board's turn to be asked.
#[derive(Debug, Default)]
struct Turn {
    /// Questions that nobody has answered.
    tries: u8,
    /// Whether everything was asked.
    over: bool,
}

/// The mark in the board's log where the game starts.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum StartMark {
    /// There is no game, or the board does not know the command.
    #[default]
    Missing,
    /// It is to be written.
    Wanted,
    /// It is in the log.
    Written,
}

/// Whether the board is there, and what the outside knows of that.
#[derive(Debug)]
struct Standing {
    presence: Presence,
    /// What was known when it could not be heard any more, and what it has said since that was not passed on.
    before: Option<Box<Return>>,
    /// Whether the outside knows that it is there, or not.
    reported: Option<LinkState>,
    named: bool,
}

/// How the board is asked.
#[derive(Debug, Default)]
struct Polling {
    /// Turns without an answer, in a row.
    missed: u8,
    turn: Turn,
    changes: Changes,
    overdue: Overdue,
}

/// How far what it is asked for has been read.
#[derive(Debug, Default)]
struct Answers {
    version: VersionReading,
    dump: DumpReading,
    clock: ClockReading,
    start_mark: StartMark,
}

/// One board on the line.
#[derive(Debug)]
pub(super) struct BusBoard {
    address: Address,
    /// The serial number, or else the address.
    name: String,
    feed: BoardFeed,
    settle: Duration,
    standing: Standing,
    polling: Polling,
    answers: Answers,
    noise: Noise,
    noise_bytes: u64,
}

impl BusBoard {
    pub(super) fn new(address: Address, name: &str, board: Board, settle: Duration) -> Self {
        Self {
            address,
            name: name.to_owned(),
            feed: BoardFeed::new(board, settle),
            settle,
            standing: Standing {
                presence: Presence::Absent(Timestamp::ZERO),
                before: None,
                reported: None,
                named: false,
            },
            polling: Polling::default(),
            answers: Answers::default(),
            noise: Noise::default(),
            noise_bytes: 0,
        }
    }

    pub(super) const fn feed(&self) -> &BoardFeed {
        &self.feed
    }

    pub(super) const fn feed_mut(&mut self) -> &mut BoardFeed {
        &mut self.feed
    }

    pub(super) const fn is_present(&self) -> bool {
        !matches!(self.standing.presence, Presence::Absent(_))
    }

    /// Returns from when on the board may have a turn.
    pub(super) fn turn_at(&self) -> Timestamp {
        if let Presence::Absent(look_at) = self.standing.presence {
            look_at
        } else {
            self.polling.changes.at + TURN
        }
    }

    /// Returns whether the clock runs.
    pub(super) fn is_running(&self) -> bool {
        self.is_present() && self.feed.board().view().running.is_some()
    }

    /// Notes that the link came up.
    pub(super) fn handle_up(&mut self, now: Timestamp) {
        self.standing.presence = Presence::Absent(now);
        self.begin_turn();
        self.polling.missed = 0;
        self.name(now);
    }

    /// Notes that the link went down.
    pub(super) fn handle_down(&mut self, port: &str, now: Timestamp) {
        // What was on its way when the link went is repeated when it is back.
        self.polling.changes.unsure = true;
        self.lose(port, now, now);
    }

    /// Notes that the board has its turn.
    pub(super) const fn begin_turn(&mut self) {
        self.polling.turn = Turn { tries: 0, over: false };
    }

    /// Returns the next question of the turn; `pace` is how often a running clock is read.
    pub(super) fn wants(&self, pace: Duration, now: Timestamp) -> Option<BusRequest> {
        if self.polling.turn.over {
            return None;
        }
        Some(match &self.standing.presence {
            Presence::Absent(_) => BusRequest::Ping,
            Presence::Flushed(_) if self.answers.dump.read.is_none() => BusRequest::SendBoard,
            Presence::Flushed(_) => BusRequest::SendClock,
            Presence::Fresh(_) | Presence::Returned(_) | Presence::Known if self.polling.changes.unsure => {
                BusRequest::RepeatChanges
            }
            Presence::Returned(back) if !back.flushed => BusRequest::SendChanges,
            Presence::Returned(back) if back.unexplained.is_some() => BusRequest::SendFromStart,
            Presence::Returned(_) => BusRequest::SendBoard,
            Presence::Known if self.answers.version.is_wanted(now) => BusRequest::SendVersion,
            Presence::Known if self.answers.start_mark == StartMark::Wanted && self.is_quiet() => {
                BusRequest::SetStartGame
            }
            Presence::Known if self.wants_dump_now(now) => BusRequest::SendBoard,
            Presence::Known if self.wants_clock(pace, now) => BusRequest::SendClock,
            Presence::Fresh(_) | Presence::Known => BusRequest::SendChanges,
        })
    }

    /// Handles a question that went out to the board.
    pub(super) fn handle_sent(&mut self, request: BusRequest, now: Timestamp) {
        if matches!(request, BusRequest::SendChanges) {
            self.polling.changes.unsure = true;
        } else if matches!(request, BusRequest::SendVersion) {
            self.answers.version.handle_sent(now);
        }
    }

    /// Handles what the board says to what it was asked, if it was asked anything; returns whether that is an answer.
    pub(super) fn handle_answer(
        &mut self,
        asked: Option<BusRequest>,
        answer: &Answer<'_>,
        port: &str,
        now: Timestamp,
    ) -> bool {
        let fits = asked.is_none_or(|request| fits(request, answer));
        if !fits || self.is_late(asked, answer, now) {
            return false;
        }
        (self.polling.turn.tries, self.polling.missed) = (0, 0);
        match answer {
            Answer::Pong => self.appear(port, now),
            Answer::StartWritten => self.answers.start_mark = StartMark::Written,
            Answer::Changes(log) | Answer::ChangesEven(log) => {
                let repeated = asked == Some(BusRequest::RepeatChanges);
                self.handle_changes(*log, repeated, now);
            }
            Answer::FromStart(log) => self.handle_from_start(*log, now),
            Answer::Message(message) => {
                self.answers.version.is_known |= matches!(message, Message::Version(_));
                self.handle_message(message, port, now);
            }
            Answer::EarlyVersion => self.answers.version.is_known = true,
        }
        true
    }

    /// Notes that a question was not answered in time.
    pub(super) fn handle_silence(&mut self, request: BusRequest, port: &str, now: Timestamp) {
        self.polling.overdue.until = now + LATE;
        (self.polling.overdue.doubtful, self.polling.overdue.silent) = (true, self.is_present());
        self.polling.turn.tries += 1;
        if self.polling.turn.tries < TRIES && self.is_present() {
            return;
        }
        if let Presence::Absent(_) = self.standing.presence {
            // The first command after single-board mode is thrown away, so that one is not enough.
            if self.standing.reported.is_some() || self.polling.turn.tries >= 2 {
                self.polling.turn.over = true;
                self.lose(port, now + LOOK, now);
            }
            return;
        }
        self.polling.turn.over = true;
        // Old boards do not know every question; changes they all know.
        if matches!(request, BusRequest::SendChanges | BusRequest::RepeatChanges | BusRequest::SendBoard) {
            self.polling.missed += 1;
        }
        if request == BusRequest::SetStartGame && self.answers.start_mark == StartMark::Wanted {
            self.answers.start_mark = StartMark::Missing;
        }
        if request == BusRequest::SendFromStart {
            self.go_on(None, now);
        }
        if request == BusRequest::SendClock && matches!(self.standing.presence, Presence::Flushed(_)) {
            self.answers.clock.report = Some(ClockReport::DISCONNECTED);
            self.get_to_know(now);
        }
        if self.polling.missed >= MOST_MISSED {
            self.lose(port, now + LOOK, now);
        }
    }

    /// Handles damaged bytes that came in place of an answer.
    pub(super) fn handle_noise(&mut self, bytes: u64, now: Timestamp) {
        self.noise_bytes += bytes;
        if let Some(noisy) = self.noise.count(self.noise_bytes, now) {
            let bytes = self.noise_bytes;
            self.feed.board_mut().handle_fact(Fact::Noise { noisy, bytes }, now);
        }
    }

    /// Handles an event of the board on its way out.
    pub(super) fn note(&mut self, kind: &EventKind) {
        if let EventKind::GameStart { .. } = kind {
            self.answers.start_mark = StartMark::Wanted;
        }
    }

    /// Asks for a dump: what is known is in doubt.
    pub(super) const fn want_dump(&mut self) {
        self.answers.dump.wanted = true;
    }

    /// Asks for a dump if the last one is older than this.
    pub(super) fn want_dump_if_older(&mut self, after: Duration, now: Timestamp) {
        self.answers.dump.wanted |= now.since(self.answers.dump.at) >= after;
    }

    fn appear(&mut self, port: &str, now: Timestamp) {
        if self.is_present() {
            return;
        }
        self.name(now);
        self.standing.presence = match self.standing.before.take() {
            Some(mut back) => {
                self.polling.changes.unsure = true;
                (back.flushed, back.again, back.unexplained) = (false, 0, None);
                Presence::Returned(back)
            }
            None => Presence::Fresh(Vec::new()),
        };
        (self.answers.dump.read, self.answers.clock.report, self.answers.clock.at) = (None, None, None);
        self.emit_link(LinkState::Up, port, now);
    }

    fn lose(&mut self, port: &str, look_at: Timestamp, now: Timestamp) {
        match std::mem::replace(&mut self.standing.presence, Presence::Absent(look_at)) {
            Presence::Known => {
                self.feed.flush(now);
                self.standing.before = self.feed.known().map(|known| Box::new(Return::to(known)));
            }
            // Nothing was passed on yet: it goes on with what it has said of the outage before, unless that is endless.
            Presence::Returned(back) if back.records.len() <= WAITS => self.standing.before = Some(back),
            Presence::Returned(_) | Presence::Absent(_) | Presence::Fresh(_) | Presence::Flushed(_) => {}
        }
        self.emit_link(LinkState::Down, port, now);
    }

    fn emit_link(&mut self, state: LinkState, port: &str, now: Timestamp) {
        if self.standing.reported.replace(state) != Some(state) {
            self.feed.board_mut().handle_link(state, port, now);
        }
    }

    /// No answer on a bus has a serial number: the address stands for it.
    fn name(&mut self, now: Timestamp) {
        if !std::mem::replace(&mut self.standing.named, true) {
            self.feed.board_mut().handle_message(&Message::Serial(&self.name), now);
        }
    }

    fn is_quiet(&self) -> bool {
        self.polling.changes.last.is_empty()
    }

    fn wants_dump_now(&self, now: Timestamp) -> bool {
        self.answers.dump.wanted
            && self.answers.dump.read.is_none()
            && (self.answers.dump.is_doubted() || now.since(self.answers.dump.at) >= DUMP_PACE)
    }

    fn wants_clock(&self, pace: Duration, now: Timestamp) -> bool {
        let Some(read_at) = self.answers.clock.at else { return self.answers.clock.report.is_none() };
        let age = now.since(read_at);
        let report = self.feed.board().clock_report().filter(|report| report.connected && report.running);
        let Some(report) = report else { return age >= IDLE_CLOCK };
        let least = report.left.seconds().min(report.right.seconds());
        age >= pace || least <= SHORT_S && age >= TURN
    }

    /// Returns whether an answer is one to an earlier question, which nobody waited for any longer.
    fn is_late(&mut self, asked: Option<BusRequest>, answer: &Answer<'_>, now: Timestamp) -> bool {
        match answer {
            Answer::Changes(log) | Answer::ChangesEven(log) => {
                asked == Some(BusRequest::SendChanges)
                    && now < self.polling.overdue.until
                    && !log.0.is_empty()
                    && log.0 == self.polling.changes.last
            }
            Answer::Message(Message::Clock(report)) => {
                let known = self.answers.clock.report.or_else(|| self.feed.board().clock_report());
                let known = known.filter(|known| known.connected && report.connected);
                let turned = known.is_some_and(|known| known.lever != report.lever).then_some(report.lever);
                // What was true before the silence turns the lever back; a second answer says whether it has turned.
                let reported = std::mem::replace(&mut self.answers.clock.turned, turned);
                turned.is_some() && now < self.polling.overdue.until && reported != turned
            }
            Answer::Message(_)
            | Answer::FromStart(_)
            | Answer::Pong
            | Answer::StartWritten
            | Answer::EarlyVersion => false,
        }
    }

    /// Returns the messages from which a new line learns what this one knows of the board, as the board would say it.
    pub(super) fn carry_over(&self) -> Vec<Vec<u8>> {
        use dgt_protocol::{BusReply, LONGEST_FRAME};
        let Some(codes) = self.feed.board().codes().filter(|_| self.is_known()) else { return Vec::new() };
        let changes = Answer::Changes(EventLog(&self.polling.changes.last));
        let marked = (self.answers.start_mark == StartMark::Written).then_some(Answer::StartWritten);
        let clock = self.feed.board().clock_report().map(|report| Answer::Message(Message::Clock(report)));
        let dump = Answer::Message(Message::BoardDump(codes));
        let answers = [Answer::Pong, changes].into_iter().chain(marked).chain(clock).chain([dump]);
        let encoded = answers.filter_map(|answer| {
            let mut frame = [0; LONGEST_FRAME];
            (BusReply { address: self.address, answer }).encode(&mut frame).ok().map(<[u8]>::to_vec)
        });
        encoded.collect()
    }
}
