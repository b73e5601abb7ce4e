//! Owns one board: squares, clock, tracker, game and rules, in that order.
//!
//! A `Board` takes messages and times and gives events. It knows nothing of bytes, ports or other boards.

mod absent;
mod adoption;
mod agreed;
mod catch_up;
mod continued;
mod damage_filter;
mod entries;
mod fact_filter;
mod hidden;
mod identity;
mod lifecycle;
mod observed;
mod orders;
mod orientation;
mod record;
mod reread;
mod scan_meter;
mod seat_evidence;
mod seats;
mod sensing;
mod settle;
mod setup;
mod squares;
mod ticks;
mod unclocked;
mod undo;
mod unheard;
mod weighing;
mod wrong_kind;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use dgt_protocol::{Message, Side};
use shakmaty::Color;

use self::{
    adoption::Adoption,
    continued::{EarlierGame, WaitingGame},
    identity::BoardIdentity,
    lifecycle::Pending,
    observed::Observation,
    scan_meter::ScanMeter,
    seat_evidence::SeatEvidence,
    seats::Belief,
    sensing::Sensing,
    squares::{from_code, square_of, to_code},
    undo::EnteredOrders,
    weighing::Weighing,
};
use crate::{
    clock::ChessClock,
    event::{BoardId, Continuation, Event, EventKind, LinkState},
    fact::Fact,
    game::Game,
    order::Players,
    position::Position,
    rules::Referee,
    settings::{LineSettings, Orientation, WhiteClock},
    time::{Due, Timestamp, sooner, soonest},
    tracker::{Tracker, Tuning},
};

/// Most events that play puts out at once, as a rule; room for more is given back.
const IN_PLAY: usize = 16;

/// One board.
#[derive(Debug)]
pub struct Board {
    settings: Arc<LineSettings>,
    id: BoardId,
    port: String,
    identity: BoardIdentity,
    sensing: Sensing,
    scan_meter: ScanMeter,
    rotated: bool,
    clock: ChessClock,
    /// Whether the board has ever had a clock: only then can it lose it.
    had_clock: bool,
    /// Whether it was reported that the board does not identify pieces.
    unidentified: bool,
    /// The side of the clock that White has.
    white: Side,
    belief: Belief,
    seat_evidence: SeatEvidence,
    adoption: Adoption,
    tracker: Tracker,
    weighing: Weighing,
    referee: Referee,
    /// Stands in for the game where there is none: equipment fails before the first move, too.
    no_game: Game,
    games: u32,
    /// The highest number that a game has had here.
    latest: u32,
    /// A game that goes on once the board shows its position.
    waiting: Option<Box<WaitingGame>>,
    /// The game before, as it can be taken up again.
    earlier: Option<EarlierGame>,
    /// Where the game that begins now was played before.
    continued: Option<Continuation>,
    /// Names that an order gave the players of the present game.
    players: Players,
    pending: Pending,
    /// What arbiters have ordered in the present game.
    orders: EnteredOrders,
    /// Facts that the tracker does not know of.
    facts: Vec<Fact>,
    /// Facts that are being reported; empty in between.
    reported: Vec<Fact>,
    events: VecDeque<Event>,
    questions: VecDeque<Question>,
}

/// Something that takes a search too long for the event path: can this side mate by any series of legal moves?
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The alert that waits for the answer.
    pub alert: String,
    /// The position to search; a box, as all outputs of a line are moved at the size of the largest.
    pub position: Box<Position>,
    /// Who would have to mate.
    pub winner: Color,
}

impl Board {
    /// Makes a board that nothing is known of; its first game gets the number `first_game`.
    #[must_use]
    pub fn new(settings: Arc<LineSettings>, port: &str, first_game: u32) -> Self {
        let tuning = Tuning {
            scan: Duration::from_millis(settings.board.scan_ms.into()),
            settle: Duration::from_millis(settings.board.settle_ms.into()),
            measured: None,
        };
        let mut board = Self {
            id: port.rsplit('/').next().unwrap_or(port).into(),
            port: port.to_owned(),
            identity: BoardIdentity::default(),
            sensing: Sensing::default(),
            scan_meter: ScanMeter::default(),
            rotated: false,
            clock: ChessClock::default(),
            had_clock: false,
            unidentified: false,
            white: Side::Left,
            belief: Belief::new(),
            seat_evidence: SeatEvidence::default(),
            adoption: Adoption::default(),
            tracker: Tracker::new(tuning),
            weighing: Weighing::default(),
            referee: Referee::new(settings.event.clone(), settings.board.scan_ms, settings.board.settle_ms),
            no_game: Game::new(0, Position::initial()),
            players: Players::default(),
            games: first_game.saturating_sub(1),
            latest: 0,
            waiting: None,
            earlier: None,
            continued: None,
            pending: Pending::default(),
            orders: EnteredOrders::default(),
            facts: Vec::new(),
            reported: Vec::new(),
            events: VecDeque::new(),
            questions: VecDeque::new(),
            settings,
        };
        board.seat_by_default();
        board
    }

    /// Notes that the board reports its changes only when it is asked, as on a bus.
    #[must_use]
    pub fn polled(mut self) -> Self {
        self.tracker.set_polled();
        self.referee.set_polled();
        // What it reports comes when it is asked.
        self.scan_meter = ScanMeter::Done;
        self
    }

    /// Returns what the board is called.
    #[must_use]
    pub const fn id(&self) -> &BoardId {
        &self.id
    }

    /// Returns the time of the next event.
    pub(crate) fn next_event_at(&self) -> Option<Timestamp> {
        self.events.front().map(|event| event.at)
    }

    /// Returns whether there is an event or a question.
    pub(crate) fn has_output(&self) -> bool {
        !self.events.is_empty() || !self.questions.is_empty()
    }

    /// Returns the next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        let event = self.events.pop_front();
        if self.events.is_empty() && self.events.capacity() > IN_PLAY {
            // A position that is set up changes far more at once than play ever does.
            self.events.shrink_to(IN_PLAY);
        }
        event
    }

    /// Returns the next question, to be answered through [`Order::Answer`](crate::order::Order::Answer).
    pub fn poll_question(&mut self) -> Option<Question> {
        self.questions.pop_front()
    }

    /// Handles a message of the board.
    pub fn handle_message(&mut self, message: &Message<'_>, now: Timestamp) {
        self.release(now);
        if matches!(message, Message::Malformed { .. }) {
            self.note_damage(now);
        }
        if !self.hold_back(message, now) {
            self.take_message(message, now);
        }
    }

    fn take_message(&mut self, message: &Message<'_>, now: Timestamp) {
        match *message {
            Message::FieldUpdate { field, piece } => self.handle_field(field, piece, now),
            Message::BoardDump(placement) => self.handle_dump(placement, now),
            Message::Clock(report) => self.handle_clock(report, now),
            Message::Serial(serial) => {
                self.identify(now, |identity| identity.take_serial(serial, now));
            }
            Message::LongSerial(serial) => {
                self.identify(now, |identity| identity.take_long_serial(serial, now));
            }
            Message::Version(version) => {
                self.identify(now, |identity| identity.version = Some(version.to_string()));
            }
            Message::Battery(battery) => {
                self.facts.push(Fact::BoardBattery { percent: battery.percent });
                self.identify(now, |identity| identity.battery = Some(battery.percent));
            }
            // An event log that nobody asked for is dropped, like all that does not bear on a game.
            Message::EventLog(_)
            | Message::ClockAck(_)
            | Message::ClockZero
            | Message::BusAddress(_)
            | Message::Trademark(_)
            | Message::HardwareVersion(_)
            | Message::DraughtsDump { .. }
            | Message::BoardDump100(_)
            | Message::Idle
            | Message::Unknown { .. }
            | Message::Malformed { .. } => {}
        }
        self.settle(now);
    }

    /// Handles a change of the link.
    pub fn handle_link(&mut self, state: LinkState, port: &str, now: Timestamp) {
        port.clone_into(&mut self.port);
        if state == LinkState::Down {
            self.lose_sight(now);
        }
        self.emit(now, EventKind::Link { state, port: port.to_owned() });
        self.facts.push(Fact::Link { up: state == LinkState::Up });
        self.settle(now);
    }

    /// Notes that up to an instant changes come out of the board's log, which reports their order and not their times.
    pub fn doubt_times(&mut self, until: Timestamp) {
        self.referee.doubt_times(until);
        self.weighing.doubt_times(until);
        self.scan_meter.doubt_times(until);
    }

    /// Handles something that only the line knows.
    pub fn handle_fact(&mut self, fact: Fact, now: Timestamp) {
        if let Fact::Noise { noisy, .. } = fact {
            self.tracker.set_noisy(noisy);
        }
        self.facts.push(fact);
        self.settle(now);
    }

    /// Returns when to call [`Board::handle_timeout`], and why.
    #[must_use]
    pub fn deadline(&self) -> Due {
        let start = self.pending.start.as_ref().map(|(at, _)| *at);
        let result = self.pending.result.map(|(at, _)| at);
        // Asked for after each message, and of these hardly one is due at a time.
        let mut due = sooner(None, start, "a start position stands");
        due = sooner(
            due,
            self.pending.put_right.as_ref().map(|(at, _)| *at),
            "pieces that stood wrong are put right",
        );
        due = sooner(due, result, "kings in the centre or a sign show a result");
        due = sooner(due, self.pending.pick_up, "a game is picked up");
        due = sooner(due, self.clock.deadline(), "a clock report is believed");
        due = sooner(due, self.seat_evidence.deadline(), "a press is weighed");
        due = sooner(due, self.sensing.damage_filter.deadline(), "nothing stray follows a message");
        due = soonest([due, self.weighing.deadline()]);
        soonest([due, self.tracker.deadline(), self.referee.deadline()])
    }

    /// Handles the time; the caller asks for each deadline in turn, so that each falls due at its own instant.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        if self.sensing.damage_filter.deadline().is_some_and(|at| at <= now) {
            self.release(now);
        }
        let ticks = self.clock.handle_timeout(now);
        self.handle_ticks(&ticks, now);
        self.judge_last_press(now);
        self.tracker.handle_timeout(now);
        self.weigh_again(now);
        self.read_second_time(now);
        if let Some((_, position)) = self.pending.start.take_if(|(at, _)| *at <= now)
            && !self.has_come_to(&position)
        {
            self.begin(position, now);
        }
        if self.pending.put_right.as_ref().is_some_and(|(at, _)| *at <= now) {
            self.play_on_put_right(now);
        }
        if let Some((_, result)) = self.pending.result.take_if(|(at, _)| *at <= now)
            && !self.stepped_to(result)
        {
            self.end_as_shown(result, now);
        }
        if self.pending.pick_up.take_if(|at| *at <= now).is_some() {
            self.pick_up(now);
        }
        self.settle(now);
        if self.referee.deadline().is_some_and(|(at, _)| at <= now) {
            self.with_referee(now, Referee::handle_timeout);
        }
    }

    /// Ends a replay: judges what is pending and reports the unfinished game.
    pub fn finish(&mut self, now: Timestamp) {
        self.release(now);
        self.tracker.finish(now);
        self.settle(now);
        self.conclude(now);
        self.tracker.finish(now);
        self.settle(now);
        if self.tracker.is_playing() {
            self.report_unfinished(now);
        }
        self.report_played_on(u32::MAX, now);
    }

    fn identify(&mut self, now: Timestamp, learn: impl FnOnce(&mut BoardIdentity)) {
        let before = self.identity.clone();
        learn(&mut self.identity);
        if self.identity.is_reported_as(&before) {
            return;
        }
        if let Some(serial) = self.identity.number()
            && *serial != *self.id
        {
            self.id = serial.into();
            self.seat_by_default();
        }
        self.report_board(now);
    }
}

#[cfg(test)]
mod tests;
