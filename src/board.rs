//! Owns one board: squares, clock, tracker, game and rules, in that order.
//!
//! A `Board` takes messages and times and gives events. It knows nothing of bytes, ports or other boards.

mod orders;
mod report;
mod seating;
mod setup;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use dgt_protocol::{ClockReport, Field, Message, Placement, Side};
use shakmaty::{CastlingMode, Color, Piece, Role, Square};

use crate::{
    clock::{ChessClock, ClockView, Tick, Ticks, color},
    config::{Config, Orientation, WhiteClock},
    event::{BoardId, Event, EventKind, LinkState},
    fact::Fact,
    game::{Game, GameResult, Ply},
    position::Position,
    rules::{Notice, Referee},
    time::Timestamp,
    tracker::{Press, Tracker, Tuning},
};

/// A dump that differs from the updates on more squares than this is believed only when a second one says the same.
const MOST_DUMPED: usize = 12;

/// How long a start position has to stand in the middle of a game before it is a new game.
const NEW_GAME: Duration = Duration::from_secs(2);

/// How long kings have to stand in the centre before they tell a result, while the clock stands still …
const KINGS_STOPPED: Duration = Duration::from_millis(1000);

/// … and while it runs.
const KINGS_RUNNING: Duration = Duration::from_millis(3000);

/// How long a board has to be quiet, with its clock running, before a game is picked up in the middle.
const PICK_UP: Duration = Duration::from_secs(3);

/// What a board says of itself.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Identity {
    serial: Option<String>,
    long_serial: Option<String>,
    version: Option<String>,
}

/// One board.
#[derive(Debug)]
pub struct Board {
    config: Arc<Config>,
    id: BoardId,
    port: String,
    identity: Identity,
    /// What each field shows.
    codes: Placement,
    /// Whether a dump has told what stands on the board since the link came up.
    known: bool,
    /// A dump that contradicts the updates, until a second one agrees with it.
    doubted: Option<Placement>,
    rotated: bool,
    clock: ChessClock,
    /// The side of the clock that White has.
    white: Side,
    tracker: Tracker,
    referee: Referee,
    /// Stands in for the game where there is none: equipment fails before the first move, too.
    no_game: Game,
    games: u32,
    start_due: Option<(Timestamp, Position)>,
    kings_due: Option<(Timestamp, GameResult)>,
    pick_up_due: Option<Timestamp>,
    /// Facts that the tracker does not know of.
    facts: Vec<Fact>,
    events: VecDeque<Event>,
    questions: VecDeque<Question>,
}

/// Something that takes a search too long for the event path: can this side mate by any series of legal moves?
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// The alert that waits for the answer.
    pub alert: String,
    /// The position to search.
    pub position: Position,
    /// Who would have to mate.
    pub winner: Color,
}

impl Board {
    /// Makes a board that nothing is known of; its first game gets the number `first_game`.
    #[must_use]
    pub fn new(config: Arc<Config>, port: &str, first_game: u32) -> Self {
        let tuning = Tuning {
            scan: Duration::from_millis(config.board.scan_ms.into()),
            settle: Duration::from_millis(config.board.settle_ms.into()),
        };
        let mut board = Self {
            id: port.rsplit('/').next().unwrap_or(port).into(),
            port: port.to_owned(),
            identity: Identity::default(),
            codes: Placement::EMPTY,
            known: false,
            doubted: None,
            rotated: false,
            clock: ChessClock::default(),
            white: Side::Left,
            tracker: Tracker::new(tuning),
            referee: Referee::new(Arc::new(config.event.clone()), config.board.scan_ms, config.board.settle_ms),
            no_game: Game::new(0, Position::initial()),
            games: first_game.saturating_sub(1),
            start_due: None,
            kings_due: None,
            pick_up_due: None,
            facts: Vec::new(),
            events: VecDeque::new(),
            questions: VecDeque::new(),
            config,
        };
        board.seat_by_default();
        board
    }

    /// Returns what the board is called.
    #[must_use]
    pub const fn id(&self) -> &BoardId {
        &self.id
    }

    /// Returns the next event.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Returns the next question, to be answered through [`Board::handle_answer`].
    pub fn poll_question(&mut self) -> Option<Question> {
        self.questions.pop_front()
    }

    /// Tells, once, whether a dump would tell what the updates leave open.
    pub fn wants_dump(&mut self) -> bool {
        self.doubted.is_some() || self.tracker.take_doubt()
    }

    /// Takes a message of the board.
    pub fn handle_message(&mut self, message: &Message<'_>, now: Timestamp) {
        match *message {
            Message::FieldUpdate { field, piece } => self.handle_field(field, piece, now),
            Message::BoardDump(placement) => self.handle_dump(placement, now),
            Message::Clock(report) => self.handle_clock(report, now),
            Message::Serial(serial) => self.identify(now, |identity| identity.serial = Some(serial.to_owned())),
            Message::LongSerial(serial) => {
                self.identify(now, |identity| identity.long_serial = Some(serial.to_owned()));
            }
            Message::Version(version) => self.identify(now, |identity| identity.version = Some(version.to_string())),
            Message::Battery(battery) => self.facts.push(Fact::BoardBattery { percent: battery.percent }),
            _ => {}
        }
        self.settle(now);
    }

    /// Takes a change of the link.
    pub fn handle_link(&mut self, state: LinkState, port: &str, now: Timestamp) {
        port.clone_into(&mut self.port);
        if state == LinkState::Down {
            self.known = false;
            self.doubted = None;
            self.tracker.handle_gap(now);
            self.clock.forget();
        }
        self.emit(now, EventKind::Link { state, port: port.to_owned() });
        self.facts.push(Fact::Link { up: state == LinkState::Up });
        self.settle(now);
    }

    /// Takes something that only the line knows.
    pub fn handle_fact(&mut self, fact: Fact, now: Timestamp) {
        self.facts.push(fact);
        self.settle(now);
    }

    /// Returns when to call [`Board::handle_timeout`], and why.
    #[must_use]
    pub fn deadline(&self) -> Option<(Timestamp, &'static str)> {
        let start = self.start_due.as_ref().map(|(at, _)| (*at, "a start position stands"));
        let kings = self.kings_due.map(|(at, _)| (at, "kings stand in the centre"));
        let pick_up = self.pick_up_due.map(|at| (at, "a game is picked up"));
        let clock = self.clock.deadline().map(|at| (at, "a clock report is believed"));
        let parts = [self.tracker.deadline(), self.referee.deadline()];
        [start, kings, pick_up, clock].into_iter().chain(parts).flatten().min()
    }

    /// Takes the time; the caller asks for each deadline in turn, so that each falls due at its own instant.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        let ticks = self.clock.handle_timeout(now);
        self.handle_ticks(&ticks, now);
        self.tracker.handle_timeout(now);
        if let Some((_, position)) = self.start_due.take_if(|(at, _)| *at <= now) {
            self.begin(position, now);
        }
        if let Some((_, result)) = self.kings_due.take_if(|(at, _)| *at <= now) {
            let keep = self.plies_without_gesture();
            self.tracker.end(result, keep);
        }
        if self.pick_up_due.take_if(|at| *at <= now).is_some() {
            self.pick_up(now);
        }
        self.settle(now);
        self.with_referee(now, |referee, context, out| referee.handle_timeout(context, out));
    }

    /// Ends a replay: judges what is pending and reports the unfinished game.
    pub fn finish(&mut self, now: Timestamp) {
        self.tracker.finish(now);
        self.settle(now);
        if self.tracker.is_playing() {
            self.report_game(now);
        }
    }

    fn handle_field(&mut self, field: Field, piece: dgt_protocol::Piece, now: Timestamp) {
        self.codes.set(field, piece);
        if self.known {
            // The first change after the set-up is a move, however soon it comes.
            if let Some((_, position)) = self.start_due.take_if(|_| !self.tracker.is_playing()) {
                self.begin(position, now);
            }
            self.show(field, piece, false, now);
            self.look_around(now);
        }
    }

    fn handle_dump(&mut self, placement: Placement, now: Timestamp) {
        let differing = self.codes.iter().zip(placement.iter()).filter(|(old, new)| old.1 != new.1).count();
        let believed = !self.known || differing <= MOST_DUMPED || self.doubted == Some(placement);
        self.doubted = (!believed).then_some(placement);
        if !believed {
            return;
        }
        self.codes = placement;
        let first = !std::mem::replace(&mut self.known, true);
        if first {
            self.orient(now);
        }
        self.show_all(now);
        self.tracker.handle_dump(now);
        self.look_around(now);
    }

    /// Tells tracker and outside what a field shows, if it is new.
    fn show(&mut self, field: Field, piece: dgt_protocol::Piece, dumped: bool, now: Timestamp) {
        let square = self.square(field);
        let piece = from_code(piece);
        let was = self.tracker.board().piece_at(square);
        if was == piece {
            self.tracker.handle_square(square, piece, dumped, now);
            return;
        }
        if let Some(was) = was {
            self.emit(now, EventKind::Lift { square, piece: was });
        }
        if let Some(piece) = piece {
            self.emit(now, EventKind::Place { square, piece });
        }
        self.tracker.handle_square(square, piece, dumped, now);
    }

    const fn square(&self, field: Field) -> Square {
        let field = if self.rotated { field.rotated() } else { field };
        // Fields run from a8 in reading order, squares from a1.
        Square::new(field.number() as u32 ^ 56)
    }

    fn handle_clock(&mut self, report: ClockReport, now: Timestamp) {
        let ticks = self.clock.handle_report(report, now);
        self.handle_ticks(&ticks, now);
    }

    fn handle_ticks(&mut self, ticks: &Ticks, now: Timestamp) {
        for tick in ticks {
            match *tick {
                Tick::Pressed { side, seen, increment_s } => {
                    self.verify_seating(side);
                    let side = color(side, self.white);
                    let view = self.view();
                    if seen {
                        self.emit(now, EventKind::Press { side, clock: view.times.unwrap_or_default() });
                    }
                    let press = Press { side, at: now, seen, increment_s, clock: view.times };
                    self.tracker.handle_press(press, now);
                }
                Tick::Started(side) => {
                    self.seat_by_start(side);
                    self.start_by_clock(now);
                    self.tracker.handle_running(Some(color(side, self.white)), now);
                }
                Tick::Stopped => self.tracker.handle_running(None, now),
                Tick::Flag { side, blocked } => {
                    let side = color(side, self.white);
                    self.facts.push(Fact::Flag { side, blocked });
                }
                Tick::Connected(connected) => self.facts.push(Fact::ClockLink { connected }),
                Tick::LowBattery(low) => self.facts.push(Fact::ClockBattery { low }),
                Tick::Shows => {
                    let view = self.view();
                    self.emit(
                        now,
                        EventKind::Clock {
                            clock: view.times,
                            running: view.running,
                            connected: view.connected,
                            low_battery: view.low_battery,
                        },
                    );
                }
            }
        }
    }

    /// Returns what is known about the clock.
    #[must_use]
    pub fn view(&self) -> ClockView {
        self.clock.view(self.white)
    }

    /// Looks for a new game, a result, a game to be picked up.
    fn look_around(&mut self, now: Timestamp) {
        self.look_for_start(now);
        self.look_for_kings(now);
        let running = self.view().running.is_some();
        self.pick_up_due = (running && self.tracker.game().is_none()).then(|| now + PICK_UP);
    }

    fn look_for_start(&mut self, now: Timestamp) {
        self.start_due = None;
        let Some(position) = self.recognise_start(now) else { return };
        match self.tracker.game() {
            Some(game) if game.result().is_none() && game.position().board() == position.board() => {}
            Some(game) if game.result().is_none() && !game.is_empty() => self.start_due = Some((now + NEW_GAME, position)),
            _ => self.begin(position, now),
        }
    }

    fn recognise_start(&mut self, now: Timestamp) -> Option<Position> {
        let board = self.tracker.board();
        if let Some(fen) = Some(&self.config.game.fen).filter(|fen| !fen.is_empty()) {
            let position = Position::from_fen(fen, self.mode()).ok()?;
            return (position.board() == board && self.tracker.game().is_none()).then_some(position);
        }
        let chess960 = self.config.game.chess960;
        if let Some(position) = setup::start(board, chess960) {
            return Some(position);
        }
        let mut turned = board.clone();
        turned.rotate_180();
        let position = setup::start(&turned, chess960)?;
        self.turn_around(now).then_some(position)
    }

    fn mode(&self) -> CastlingMode {
        if self.config.game.chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard }
    }

    fn begin(&mut self, position: Position, now: Timestamp) {
        if self.tracker.is_playing() {
            self.settle(now);
            self.report_game(now);
        }
        self.games += 1;
        self.start_due = None;
        self.kings_due = None;
        self.pick_up_due = None;
        self.tracker.start(self.games, position);
        self.settle(now);
    }

    /// A clock that starts on a board with all men in place begins the game, even if some stand wrong.
    fn start_by_clock(&mut self, now: Timestamp) {
        if !self.tracker.is_playing()
            && self.config.game.fen.is_empty()
            && let Some(position) = setup::wrong_start(self.tracker.board())
        {
            self.begin(position, now);
        }
        if self.tracker.game().is_none() {
            self.pick_up_due = Some(now + PICK_UP);
        }
    }

    fn pick_up(&mut self, now: Timestamp) {
        let Some(turn) = self.view().running.filter(|_| self.known && self.config.game.fen.is_empty()) else { return };
        if let Some(position) = setup::middle(self.tracker.board(), turn) {
            self.begin(position, now);
        }
    }

    fn look_for_kings(&mut self, now: Timestamp) {
        let result = setup::kings_result(self.tracker.board()).filter(|_| self.tracker.is_playing());
        let Some(result) = result.filter(|_| !self.kings_belong_there()) else {
            self.kings_due = None;
            return;
        };
        let wait = if self.view().running.is_some() { KINGS_RUNNING } else { KINGS_STOPPED };
        self.kings_due = Some((now + wait, result));
    }

    /// Tells whether completed moves have brought both kings to the centre.
    fn kings_belong_there(&self) -> bool {
        let Some(game) = self.tracker.game() else { return false };
        let keep = self.plies_without_gesture();
        let position = game.position_after(keep);
        [Color::White, Color::Black].into_iter().all(|side| position.board().king_of(side).is_some_and(setup::is_centre))
    }

    /// Returns the number of plies without king moves to the centre that nobody has completed.
    fn plies_without_gesture(&self) -> u32 {
        let Some(game) = self.tracker.game() else { return 0 };
        let gesture = |ply: &&Ply| {
            let to = ply.uci.get(2..4).and_then(|to| to.parse::<Square>().ok());
            let king = to.is_some_and(|to| setup::is_centre(to) && self.tracker.board().role_at(to) == Some(Role::King));
            !ply.completed && king
        };
        game.len() - u32::try_from(game.plies().iter().rev().take_while(gesture).count()).unwrap_or(0)
    }

    fn identify(&mut self, now: Timestamp, learn: impl FnOnce(&mut Identity)) {
        let before = self.identity.clone();
        learn(&mut self.identity);
        if self.identity == before {
            return;
        }
        if let Some(serial) = self.identity.serial.as_ref().or(self.identity.long_serial.as_ref())
            && **serial != *self.id
        {
            self.id = serial.as_str().into();
            self.seat_by_default();
        }
        self.report_board(now);
    }
}

fn from_code(piece: dgt_protocol::Piece) -> Option<Piece> {
    piece.letter().and_then(Piece::from_char)
}

#[cfg(test)]
mod tests;
