//! Owns one table of a hall: a board, a clock, the people who play there, and the line to the host.
//!
//! A value like its parts. People and their clock may live faster than the line; the line never changes its pace.

use std::collections::VecDeque;

use dgt_protocol::Side;
use shakmaty::{Board, Color};

use super::{
    board::{BoardOptions, VirtualBoard},
    clock::{ChessClock, Speed},
    people::{Act, Play, TimedAct},
    truth::Truth,
    wire::{Faults, Wire},
};
use jadoube_core::{laws::TimeControl, time::Timestamp};

/// What a table is like.
#[derive(Clone, Debug)]
pub struct TableOptions {
    /// The board.
    pub board: BoardOptions,
    /// Whether White's side of the clock is the left one.
    pub white_left: bool,
    /// What the clock is set to before anybody plays.
    pub time_control: TimeControl,
    /// How bad the line to the host is.
    pub faults: Faults,
    /// How bad the line from the host is.
    pub command_faults: Faults,
    /// How fast people and clock live.
    pub speed: Speed,
}

impl TableOptions {
    /// Describes a table with a board, the clock standing as the board lies.
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

/// What becomes of the link to the host.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum LinkEvent {
    /// The cable is pulled out.
    Unplugged,
    /// The cable is put in again.
    Plugged,
    /// The arbiter tells the tool something; JSON.
    Order(String),
}

/// One table of a hall.
#[derive(Debug)]
pub struct Table {
    board: VirtualBoard,
    wire: Wire,
    /// What carries the host's commands.
    upstream: Wire,
    options: TableOptions,
    /// What people will do, in the line's time.
    acts: VecDeque<TimedAct>,
    links: VecDeque<LinkEvent>,
    plugged: bool,
}

impl Table {
    /// Makes a table with pieces on it, where nobody sits.
    #[must_use]
    pub fn new(options: TableOptions, standing: &Board) -> Self {
        let clock = new_clock(&options, Timestamp::ZERO);
        let board = VirtualBoard::new(options.board.clone(), standing, clock);
        let wire = Wire::new(options.faults, options.board.seed ^ 0x5eed);
        let upstream = Wire::new(options.command_faults, options.board.seed ^ 0xc0de);
        Self { board, wire, upstream, options, acts: VecDeque::new(), links: VecDeque::new(), plugged: true }
    }

    /// Lets people play: what they do begins at `from`. Returns what will have been true, in the line's time, and
    /// when they are done.
    pub fn seat(&mut self, play: Play, from: Timestamp) -> (Truth, Timestamp) {
        let speed = self.options.speed;
        let start = play.acts.first().map_or(play.end, |timed| timed.at);
        let time = |at: Timestamp| from + speed.on_line(at.since(start));
        self.acts.extend(play.acts.into_iter().map(|timed| TimedAct { at: time(timed.at), ..timed }));
        (play.truth.at_times(time), time(play.end))
    }

    /// Returns what the table is like.
    #[must_use]
    pub const fn options(&self) -> &TableOptions {
        &self.options
    }

    /// Takes bytes from the host.
    pub fn handle_command_bytes(&mut self, bytes: &[u8], now: Timestamp) {
        self.handle_timeout(now);
        if self.plugged {
            self.upstream.carry(bytes.to_vec(), now);
        }
        self.carry_to(now);
    }

    /// Lets everything happen that is due.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        while let Some(timed) = self.acts.pop_front_if(|timed| timed.at <= now) {
            self.carry_to(timed.at);
            self.act(timed.act, timed.at);
        }
        self.carry_to(now);
    }

    /// Returns the next bytes for the host.
    pub fn poll_output(&mut self, now: Timestamp) -> Option<Vec<u8>> {
        self.handle_timeout(now);
        self.wire.poll(now)
    }

    /// Returns the next change of the link, which is to be carried out before more bytes are taken.
    pub fn poll_link(&mut self) -> Option<LinkEvent> {
        self.links.pop_front()
    }

    /// Returns when something happens next.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Timestamp> {
        let act = self.acts.front().map(|timed| timed.at);
        let carried = [self.board.poll_timeout(), self.wire.poll_timeout(), self.upstream.poll_timeout()];
        [act].into_iter().chain(carried).flatten().min()
    }

    /// Brings the board what has arrived up to an instant, and takes from it what it has said, each at its own.
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

    fn act(&mut self, act: Act, now: Timestamp) {
        match act {
            Act::Set(square, piece) => self.board.set_square(square, piece, now),
            Act::Press(color) => {
                let side = self.side(color);
                self.board.clock_mut(now).press(side, now);
            }
            Act::StopClock => self.board.clock_mut(now).stop(now),
            Act::StartClock => self.board.clock_mut(now).start(now),
            Act::ResetClock(time_control) => {
                self.options.time_control = time_control;
                let clock = new_clock(&self.options, now);
                *self.board.clock_mut(now) = clock;
            }
            Act::SetClock { white, black } => {
                let (left, right) = (self.side(Color::White), self.side(Color::Black));
                let clock = self.board.clock_mut(now);
                clock.set(left, white, now);
                clock.set(right, black, now);
            }
            Act::SetLever(color) => {
                let side = self.side(color);
                self.board.clock_mut(now).set_lever(side, now);
            }
            Act::Unplug => {
                self.board.power_off(now);
                self.wire.forget();
                self.upstream.forget();
                self.plugged = false;
                self.links.push_back(LinkEvent::Unplugged);
            }
            Act::Plug => {
                self.board.power_on(now);
                self.plugged = true;
                self.links.push_back(LinkEvent::Plugged);
            }
            Act::LoseUpdate => self.wire.lose_update(),
            Act::DeadSquare(square) => self.board.misread_square(square, None, Timestamp::MAX, now),
            Act::Noise(noisy) => self.wire.set_noisy(noisy),
            Act::Order(order) => self.links.push_back(LinkEvent::Order(order)),
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
