//! Owns one table of a hall: a board, a clock, the actions of the players, and the line to the host.
//!
//! A value like its parts. People and clock may run faster than real time; the line never does.

use std::collections::VecDeque;

use dgt_protocol::Side;
use shakmaty::{Board, Color};

use super::{
    board::{BoardOptions, VirtualBoard},
    clock::{ChessClock, Speed},
    people::{Action, Play, TimedAction},
    truth::Truth,
    wire::{Faults, Wire},
};
use jadoube_core::{laws::TimeControl, time::Timestamp};

/// Properties of a table.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The board.
    pub board: BoardOptions,
    /// Whether White's side of the clock is the left one.
    pub white_left: bool,
    /// The time control to which the clock is set before the first game.
    pub time_control: TimeControl,
    /// Faults of the line to the host.
    pub faults: Faults,
    /// Faults of the line from the host.
    pub command_faults: Faults,
    /// Speed of people and clock.
    pub speed: Speed,
}

impl TableOptions {
    /// Returns a table whose clock stands as the board lies, without faults, in real time.
    #[must_use]
    pub fn new(board: BoardOptions, time_control: TimeControl) -> Self {
        let white_left = !board.rotated;
        Self {
            board,
            white_left,
            time_control,
            faults: Faults::NONE,
            command_faults: Faults::NONE,
            speed: Speed::REAL,
        }
    }
}

/// A change of the link to the host.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CableEvent {
    /// The cable is pulled out.
    Unplugged,
    /// The cable is put in again.
    Plugged,
    /// An order of the arbiter, JSON.
    Order(String),
}

/// One table of a hall.
#[derive(Debug)]
pub struct Table {
    board: VirtualBoard,
    wire: Wire,
    /// The line for commands of the host.
    upstream: Wire,
    options: TableOptions,
    /// Actions of the players, in the line's time.
    actions: VecDeque<TimedAction>,
    links: VecDeque<CableEvent>,
    plugged: bool,
}

impl Table {
    /// Returns a table with pieces on it and no game.
    #[must_use]
    pub fn new(options: TableOptions, standing: &Board) -> Self {
        let clock = new_clock(&options, Timestamp::ZERO);
        let board = VirtualBoard::new(options.board.clone(), standing, clock);
        let wire = Wire::new(options.faults, options.board.seed ^ 0x5eed);
        let upstream = Wire::new(options.command_faults, options.board.seed ^ 0xc0de);
        Self {
            board,
            wire,
            upstream,
            options,
            actions: VecDeque::new(),
            links: VecDeque::new(),
            plugged: true,
        }
    }

    /// Schedules a game: its first action is at `from`. Returns its truth, in the line's time, and
    /// when it ends.
    pub fn schedule_game(&mut self, play: Play, from: Timestamp) -> (Truth, Timestamp) {
        let speed = self.options.speed;
        let start = play.actions.first().map_or(play.end, |timed| timed.at);
        let time = |at: Timestamp| from + speed.on_line(at.since(start));
        self.actions
            .extend(play.actions.into_iter().map(|timed| TimedAction { at: time(timed.at), ..timed }));
        (play.truth.at_times(time), time(play.end))
    }

    /// Returns what the table is like.
    #[must_use]
    pub const fn options(&self) -> &TableOptions {
        &self.options
    }

    /// Receives bytes from the host.
    pub fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        if self.plugged {
            self.upstream.carry(bytes.to_vec(), now);
        }
        self.carry_to(now);
    }

    /// Executes all that is due up to `now`.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(timed) = self.actions.pop_front_if(|timed| timed.at <= now) {
            self.carry_to(timed.at);
            self.act(timed.action, timed.at);
        }
        self.carry_to(now);
    }

    /// Removes and returns the next bytes for the host.
    pub fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        self.handle_timeout(now);
        self.wire.poll(now)
    }

    /// Returns the next change of the link. Apply it before the next call of `poll_output`.
    pub fn poll_link(&mut self) -> Option<CableEvent> {
        self.links.pop_front()
    }

    /// Returns when the next event is due.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        let act = self.actions.front().map(|timed| timed.at);
        let carried = [self.board.poll_timeout(), self.wire.poll_timeout(), self.upstream.poll_timeout()];
        [act].into_iter().chain(carried).flatten().min()
    }

    /// Moves bytes between board and lines up to an instant, each at its own time.
    fn carry_to(&mut self, now: Timestamp) {
        let next = |table: &Self| {
            [table.board.poll_timeout(), table.upstream.poll_timeout()].into_iter().flatten().min()
        };
        while let Some(at) = next(self).filter(|at| *at <= now) {
            while let Some(bytes) = self.upstream.poll(at) {
                self.board.handle_command_bytes(&bytes, at);
            }
            while let Some(bytes) = self.board.poll_output(at) {
                if self.plugged {
                    self.wire.carry(bytes, at);
                }
            }
        }
    }

    fn act(&mut self, act: Action, now: Timestamp) {
        match act {
            Action::Set(square, piece) => self.board.set_square(square, piece, now),
            Action::Press(color) => {
                let side = self.side(color);
                self.board.clock_mut(now).press(side, now);
            }
            Action::StopClock => self.board.clock_mut(now).stop(now),
            Action::StartClock => self.board.clock_mut(now).start(now),
            Action::ResetClock(time_control) => {
                self.options.time_control = time_control;
                let clock = new_clock(&self.options, now);
                *self.board.clock_mut(now) = clock;
            }
            Action::SetClock { white, black } => {
                let (left, right) = (self.side(Color::White), self.side(Color::Black));
                let clock = self.board.clock_mut(now);
                clock.set(left, white, now);
                clock.set(right, black, now);
            }
            Action::SetLever(color) => {
                let side = self.side(color);
                self.board.clock_mut(now).set_lever(side, now);
            }
            Action::Unplug => {
                self.board.power_off(now);
                self.wire.forget();
                self.upstream.forget();
                self.plugged = false;
                self.links.push_back(CableEvent::Unplugged);
            }
            Action::Plug => {
                self.board.power_on(now);
                self.plugged = true;
                self.links.push_back(CableEvent::Plugged);
            }
            Action::ConnectClock(connected) => self.board.plug_clock(connected, now),
            Action::LoseUpdate => self.wire.lose_update(),
            Action::DeadSquare(square) => self.board.misread_square(square, None, Timestamp::MAX, now),
            Action::Noise(noisy) => self.wire.set_noisy(noisy),
            Action::Order(order) => self.links.push_back(CableEvent::Order(order)),
        }
    }

    const fn side(&self, color: Color) -> Side {
        match (color, self.options.white_left) {
            (Color::White, true) | (Color::Black, false) => Side::Left,
            (Color::White, false) | (Color::Black, true) => Side::Right,
        }
    }
}

fn new_clock(options: &TableOptions, now: Timestamp) -> ChessClock {
    let first = if options.white_left { Side::Left } else { Side::Right };
    ChessClock::new(&options.time_control, first, options.speed, now)
}
