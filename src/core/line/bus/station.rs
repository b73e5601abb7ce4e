//! One board on a line with several: what it has to be asked next, and what its answers mean.
//!
//! Everything that happens on the board is in its changes, in order. A dump and the clock are read before the changes
//! and told after them: so they never overtake what led to them.

mod answers;
mod history;

use std::time::Duration;

use dgt_protocol::{Address, Answer, BusRequest, ClockReport, EventLog, Lever, Message, Placement, Record};

use self::answers::fits;

use crate::{
    board::Board,
    event::{EventKind, LinkState},
    fact::Fact,
    line::{
        Noise,
        feed::{Feed, Known},
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

/// However much a board has to tell after an outage, it is told within this.
const CATCHES_UP: Duration = Duration::from_secs(10);

/// Time between two turns of the same board: it does not see faster than this itself.
pub(super) const TURN: Duration = Duration::from_millis(200);

/// What is known of the board.
#[derive(Debug)]
enum State {
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
    known: Known,
    records: Vec<Record>,
    flushed: bool,
    /// What stands on it now, if its changes do not explain that: the log since the start of the game is asked for.
    unexplained: Option<Placement>,
}

/// One board on the line.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of one another")]
pub(super) struct Station {
    address: Address,
    feed: Feed,
    settle: Duration,
    state: State,
    /// What was known when it could not be heard any more.
    before: Option<Known>,
    /// Whether the outside knows that it is there, or not.
    told: Option<LinkState>,
    named: bool,
    /// Questions of this turn that nobody has answered, and whether the turn is over.
    tries: u8,
    over: bool,
    missed: u8,
    /// Whether changes were asked for and have not come: they are to be repeated, or they are lost.
    unsure: bool,
    /// Whether a question was not answered in time: what comes next may be the answer to that one.
    doubtful: bool,
    last_changes: Vec<u8>,
    late_until: Timestamp,
    /// Where the lever has turned to, by the last report of the clock.
    turned: Option<Lever>,
    asked_version: bool,
    /// Whether the start of the game is to be written into the log, and whether it is.
    mark_start: bool,
    marked: bool,
    want_dump: bool,
    dumped_at: Timestamp,
    dump: Option<Placement>,
    clock: Option<ClockReport>,
    clock_at: Option<Timestamp>,
    /// When changes came last.
    changes_at: Timestamp,
    noise: Noise,
    noise_bytes: u64,
}

impl Station {
    pub(super) fn new(address: Address, board: Board, settle: Duration) -> Self {
        Self {
            address,
            feed: Feed::new(board, settle),
            settle,
            state: State::Absent(Timestamp::ZERO),
            before: None,
            told: None,
            named: false,
            tries: 0,
            over: false,
            missed: 0,
            unsure: false,
            doubtful: false,
            last_changes: Vec::new(),
            late_until: Timestamp::ZERO,
            turned: None,
            asked_version: false,
            mark_start: false,
            marked: false,
            want_dump: false,
            dumped_at: Timestamp::ZERO,
            dump: None,
            clock: None,
            clock_at: None,
            changes_at: Timestamp::ZERO,
            noise: Noise::default(),
            noise_bytes: 0,
        }
    }

    pub(super) const fn feed(&self) -> &Feed {
        &self.feed
    }

    pub(super) const fn feed_mut(&mut self) -> &mut Feed {
        &mut self.feed
    }

    pub(super) const fn is_present(&self) -> bool {
        !matches!(self.state, State::Absent(_))
    }

    /// Returns from when on the board may have a turn.
    pub(super) fn turn_at(&self) -> Timestamp {
        if let State::Absent(look_at) = self.state { look_at } else { self.changes_at + TURN }
    }

    /// Tells whether the clock runs.
    pub(super) fn is_running(&self) -> bool {
        self.is_present() && self.feed.board().view().running.is_some()
    }

    /// Takes that the link came up.
    pub(super) fn handle_up(&mut self, now: Timestamp) {
        self.state = State::Absent(now);
        self.begin_turn();
        self.missed = 0;
        self.name(now);
    }

    /// Takes that the link went down.
    pub(super) fn handle_down(&mut self, port: &str, now: Timestamp) {
        // What was on its way when the link went is repeated when it is back.
        self.unsure = true;
        self.lose(port, now, now);
    }

    /// Takes that the board has its turn.
    pub(super) const fn begin_turn(&mut self) {
        self.tries = 0;
        self.over = false;
    }

    /// Returns the next question of the turn; `pace` is how often a running clock is read.
    pub(super) fn wants(&self, pace: Duration, now: Timestamp) -> Option<BusRequest> {
        if self.over {
            return None;
        }
        Some(match &self.state {
            State::Absent(_) => BusRequest::Ping,
            State::Flushed(_) if self.dump.is_none() => BusRequest::SendBoard,
            State::Flushed(_) => BusRequest::SendClock,
            State::Fresh(_) | State::Returned(_) | State::Known if self.unsure => BusRequest::RepeatChanges,
            State::Returned(back) if !back.flushed => BusRequest::SendChanges,
            State::Returned(back) if back.unexplained.is_some() => BusRequest::SendFromStart,
            State::Returned(_) => BusRequest::SendBoard,
            State::Known if !self.asked_version => BusRequest::SendVersion,
            State::Known if self.mark_start && self.is_quiet() => BusRequest::SetStartGame,
            State::Known if self.wants_dump_now(now) => BusRequest::SendBoard,
            State::Known if self.wants_clock(pace, now) => BusRequest::SendClock,
            State::Fresh(_) | State::Known => BusRequest::SendChanges,
        })
    }

    /// Takes a question that went out to the board.
    pub(super) const fn handle_sent(&mut self, request: BusRequest) {
        if matches!(request, BusRequest::SendChanges) {
            self.unsure = true;
        } else if matches!(request, BusRequest::SendVersion) {
            self.asked_version = true;
        }
    }

    /// Takes what the board says to what it was asked, if it was asked anything; tells whether that is an answer.
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
        (self.tries, self.missed) = (0, 0);
        match answer {
            Answer::Pong => self.appear(port, now),
            Answer::StartWritten => (self.marked, self.mark_start) = (true, false),
            Answer::Changes(log) | Answer::ChangesEven(log) => {
                let repeated = asked == Some(BusRequest::RepeatChanges);
                self.take_changes(*log, repeated, now);
            }
            Answer::FromStart(log) => self.take_from_start(*log, now),
            Answer::Message(message) => self.take_message(message, port, now),
            Answer::EarlyVersion => {}
        }
        true
    }

    /// Takes that a question was not answered in time.
    pub(super) fn handle_silence(&mut self, request: BusRequest, port: &str, now: Timestamp) {
        self.late_until = now + LATE;
        self.doubtful = true;
        self.tries += 1;
        if self.tries < TRIES && self.is_present() {
            return;
        }
        if let State::Absent(_) = self.state {
            // The first command after single-board mode is thrown away, so that one is not enough.
            if self.told.is_some() || self.tries >= 2 {
                self.over = true;
                self.lose(port, now + LOOK, now);
            }
            return;
        }
        self.over = true;
        // Old boards do not know every question; changes they all know.
        if matches!(request, BusRequest::SendChanges | BusRequest::RepeatChanges | BusRequest::SendBoard) {
            self.missed += 1;
        }
        if request == BusRequest::SetStartGame {
            self.mark_start = false;
        }
        if request == BusRequest::SendFromStart {
            self.go_on(None, now);
        }
        if request == BusRequest::SendClock && matches!(self.state, State::Flushed(_)) {
            self.clock = Some(ClockReport::DISCONNECTED);
            self.get_to_know(now);
        }
        if self.missed >= MOST_MISSED {
            self.lose(port, now + LOOK, now);
        }
    }

    /// Takes damaged bytes that came in place of an answer.
    pub(super) fn handle_noise(&mut self, bytes: u64, now: Timestamp) {
        self.noise_bytes += bytes;
        if let Some(noisy) = self.noise.count(self.noise_bytes, now) {
            let bytes = self.noise_bytes;
            self.feed.board_mut().handle_fact(Fact::Noise { noisy, bytes }, now);
        }
    }

    /// Takes an event of the board on its way out.
    pub(super) fn note(&mut self, kind: &EventKind) {
        if let EventKind::GameStart { .. } = kind {
            (self.mark_start, self.marked) = (true, false);
        }
    }

    /// Asks for a dump: what is known is in doubt.
    pub(super) const fn want_dump(&mut self) {
        self.want_dump = true;
    }

    /// Asks for a dump if the last one is older than this.
    pub(super) fn look_again(&mut self, after: Duration, now: Timestamp) {
        self.want_dump |= now.since(self.dumped_at) >= after;
    }

    fn appear(&mut self, port: &str, now: Timestamp) {
        if self.is_present() {
            return;
        }
        self.name(now);
        self.state = match self.before.take() {
            Some(known) => {
                self.unsure = true;
                State::Returned(Box::new(Return {
                    known,
                    records: Vec::new(),
                    flushed: false,
                    unexplained: None,
                }))
            }
            None => State::Fresh(Vec::new()),
        };
        (self.dump, self.clock, self.clock_at) = (None, None, None);
        self.tell_link(LinkState::Up, port, now);
    }

    fn lose(&mut self, port: &str, look_at: Timestamp, now: Timestamp) {
        match std::mem::replace(&mut self.state, State::Absent(look_at)) {
            State::Known => {
                self.feed.flush(now);
                self.before = self.feed.known();
            }
            // Nobody was told anything yet.
            State::Returned(back) if back.records.is_empty() => self.before = Some(back.known),
            State::Returned(_) | State::Absent(_) | State::Fresh(_) | State::Flushed(_) => {}
        }
        self.tell_link(LinkState::Down, port, now);
    }

    fn tell_link(&mut self, state: LinkState, port: &str, now: Timestamp) {
        if self.told.replace(state) != Some(state) {
            self.feed.board_mut().handle_link(state, port, now);
        }
    }

    /// The address is the serial number.
    fn name(&mut self, now: Timestamp) {
        if !std::mem::replace(&mut self.named, true) {
            let serial = self.address.to_string();
            self.feed.board_mut().handle_message(&Message::Serial(&serial), now);
        }
    }

    fn is_quiet(&self) -> bool {
        self.last_changes.is_empty()
    }

    fn wants_dump_now(&self, now: Timestamp) -> bool {
        self.want_dump && self.dump.is_none() && now.since(self.dumped_at) >= DUMP_PACE
    }

    fn wants_clock(&self, pace: Duration, now: Timestamp) -> bool {
        let Some(read_at) = self.clock_at else { return self.clock.is_none() };
        let age = now.since(read_at);
        let report = self.feed.board().clock_report().filter(|report| report.connected && report.running);
        let Some(report) = report else { return age >= IDLE_CLOCK };
        let least = report.left.seconds().min(report.right.seconds());
        age >= pace || least <= SHORT_S && age >= TURN
    }

    /// Tells whether an answer is one to an earlier question, which nobody waited for any longer.
    fn is_late(&mut self, asked: Option<BusRequest>, answer: &Answer<'_>, now: Timestamp) -> bool {
        match answer {
            Answer::Changes(log) | Answer::ChangesEven(log) => {
                asked == Some(BusRequest::SendChanges)
                    && now < self.late_until
                    && !log.0.is_empty()
                    && log.0 == self.last_changes
            }
            Answer::Message(Message::Clock(report)) => {
                let known = self.clock.or_else(|| self.feed.board().clock_report());
                let known = known.filter(|known| known.connected && report.connected);
                let turned = known.is_some_and(|known| known.lever != report.lever).then_some(report.lever);
                // What was true before the silence turns the lever back; a second answer says whether it has turned.
                let told = std::mem::replace(&mut self.turned, turned);
                turned.is_some() && now < self.late_until && told != turned
            }
            Answer::Message(_)
            | Answer::FromStart(_)
            | Answer::Pong
            | Answer::StartWritten
            | Answer::EarlyVersion => false,
        }
    }

    /// Returns what tells a new line what this one knows of the board, as the board would say it.
    pub(super) fn carry_over(&self) -> Vec<Vec<u8>> {
        use dgt_protocol::{BusReply, LONGEST_FRAME};
        let Some(codes) = self.feed.board().codes().filter(|_| self.is_known()) else { return Vec::new() };
        let changes = Answer::Changes(EventLog(&self.last_changes));
        let marked = self.marked.then_some(Answer::StartWritten);
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
