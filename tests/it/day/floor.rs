//! The floor of a hall: virtual boards on terminals, and the hands at them.

use std::{
    fs::File,
    io::{ErrorKind, Read, Write},
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
    time::Duration,
};

use dgt_protocol::Side;
use jadoube_core::{laws::TimeControl, time::Timestamp};
use jadoube_emulate::{
    board::BoardOptions,
    clock::{ChessClock, Speed},
    games::Ending,
    people::{Action, Play, TimedAction},
    table::{CableEvent, Table, TableOptions},
    truth::Truth,
};
use jadoube_runtime::clock::SystemClock;
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use shakmaty::{Board, Chess, Color, Move, Piece, Position as _, Role, Square};

use crate::support::Terminal;

/// Interval at which the lines are served.
const LOOK: Duration = Duration::from_millis(10);

/// From one thing that a hand does to the next.
const HAND: Duration = Duration::from_millis(120);

/// The same where pieces are set up.
const SETTING: Duration = Duration::from_millis(20);

/// Before a move: a board asks its clock two or three times a second, and has to see each press.
const THOUGHT: Duration = Duration::from_millis(600);

/// A virtual board, its line, and the clock beside it.
struct Seat {
    table: Table,
    /// What the clock shows, known beforehand.
    clock: ChessClock,
    link: PathBuf,
    line: Option<(Terminal, File)>,
    /// When the hands are free.
    free: Timestamp,
}

/// Hands at a board: what they do, each thing after a while; the answer is what each press left its side, seconds.
struct Deed {
    board: usize,
    actions: Vec<(Duration, Action)>,
    answer: Sender<Vec<u32>>,
}

/// The boards of a hall.
pub(super) struct Floor {
    deeds: Option<Sender<Deed>>,
    serving: Option<thread::JoinHandle<()>>,
    stands: Vec<Board>,
    control: TimeControl,
}

impl Floor {
    /// Plugs boards with these serial numbers in, on links in a directory.
    pub(super) fn open(directory: &Path, serials: &[String], control: &str) -> Self {
        let control: TimeControl = control.parse().unwrap();
        let seats: Vec<Seat> = serials.iter().map(|serial| Seat::new(directory, serial, &control)).collect();
        let (sender, deeds) = channel();
        let serving = thread::spawn(move || serve(seats, &deeds));
        let stands = serials.iter().map(|_| Board::new()).collect();
        Self { deeds: Some(sender), serving: Some(serving), stands, control }
    }

    /// Has hands do something at a board; waits until all is planned and returns what each press leaves its side.
    fn act(&self, board: usize, actions: Vec<(Duration, Action)>) -> Vec<u32> {
        let (answer, left) = channel();
        self.deeds.as_ref().unwrap().send(Deed { board, actions, answer }).unwrap();
        left.recv().unwrap()
    }

    /// Returns the changes that lead from what stands there to something else.
    fn changes(&mut self, board: usize, to: &Board, pace: Duration) -> Vec<(Duration, Action)> {
        let from = std::mem::replace(&mut self.stands[board], to.clone());
        let odd = Square::ALL.into_iter().filter(|square| from.piece_at(*square) != to.piece_at(*square));
        let (gone, come): (Vec<Square>, Vec<Square>) =
            (odd.clone().filter(|square| from.piece_at(*square).is_some()).collect(), odd.collect());
        let gone = gone.into_iter().map(|square| (pace, Action::Set(square, None)));
        let come = come.into_iter().filter_map(|square| Some((square, to.piece_at(square)?)));
        gone.chain(come.map(|(square, piece)| (pace, Action::Set(square, Some(piece))))).collect()
    }

    /// Sets up pieces and clock for a game.
    pub(super) fn set_up(&mut self, board: usize) {
        let mut actions = vec![(HAND, Action::StopClock), (HAND, Action::ResetClock(self.control.clone()))];
        actions.extend(self.changes(board, &Board::new(), SETTING));
        self.act(board, actions);
    }

    /// Sets up a position, and times.
    pub(super) fn set_position(&mut self, board: usize, position: &Chess, left: [u32; 2]) {
        let [white, black] = left.map(|seconds| Duration::from_secs(seconds.into()));
        let mut actions = vec![(HAND, Action::StopClock), (HAND, Action::SetClock { white, black })];
        actions.push((HAND, Action::SetLever(position.turn())));
        actions.extend(self.changes(board, position.board(), SETTING));
        self.act(board, actions);
    }

    /// Starts the clock.
    pub(super) fn start_clock(&self, board: usize) {
        self.act(board, vec![(HAND, Action::StartClock)]);
    }

    /// Stops the clock.
    pub(super) fn stop_clock(&self, board: usize) {
        self.act(board, vec![(HAND, Action::StopClock)]);
    }

    /// Makes a move and presses the clock; returns what that leaves the player, seconds.
    pub(super) fn play(&mut self, board: usize, position: &Chess, m: Move) -> u32 {
        let side = position.turn();
        let mut actions = vec![(THOUGHT, Action::StartClock)];
        if let Some(castling) = m.castling_side() {
            // The king first (Art. 4.4.1).
            let mut half = position.board().clone();
            let king = half.remove_piece_at(m.from().unwrap()).unwrap();
            half.set_piece_at(castling.king_to(side), king);
            actions.extend(self.changes(board, &half, HAND));
        }
        let after = position.clone().play(m).unwrap();
        actions.extend(self.changes(board, after.board(), HAND));
        actions.push((HAND, Action::Press(side)));
        self.act(board, actions)[0]
    }

    /// Moves pieces in a way that no rule knows, and presses the clock.
    pub(super) fn play_irregularly(&mut self, board: usize, to: &Board, side: Color) {
        let mut actions = self.changes(board, to, HAND);
        actions.push((HAND, Action::Press(side)));
        self.act(board, actions);
    }

    /// Stops the clock and puts the kings where they show a result.
    pub(super) fn result_by_kings(&mut self, board: usize, winner: Option<Color>) {
        let squares = match winner {
            Some(Color::White) => [Square::E4, Square::D5],
            Some(Color::Black) => [Square::D4, Square::E5],
            None => [Square::E4, Square::E5],
        };
        let mut actions = vec![(HAND, Action::StopClock)];
        for (color, to) in Color::ALL.into_iter().zip(squares) {
            let mut next = self.stands[board].clone();
            next.discard_piece_at(next.king_of(color).unwrap());
            next.set_piece_at(to, Piece { color, role: Role::King });
            actions.extend(self.changes(board, &next, HAND));
        }
        self.act(board, actions);
    }

    /// Pulls the cable out, or puts it in again.
    pub(super) fn plug(&self, board: usize, is_in: bool) {
        self.act(board, vec![(HAND, if is_in { Action::Plug } else { Action::Unplug })]);
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        self.deeds = None;
        self.serving.take().map(|serving| serving.join().unwrap_or_default()).unwrap_or_default();
    }
}

fn serve(mut seats: Vec<Seat>, deeds: &Receiver<Deed>) {
    let clock = SystemClock::start();
    loop {
        match deeds.recv_timeout(LOOK) {
            Ok(Deed { board, actions, answer }) => {
                let left = seats[board].plan(actions, clock.now());
                answer.send(left).unwrap_or_default();
            }
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => {}
            Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => return,
        }
        for seat in &mut seats {
            seat.carry(&clock);
        }
    }
}

impl Seat {
    fn new(directory: &Path, serial: &str, control: &TimeControl) -> Self {
        let number: u64 = serial.parse().unwrap();
        let options = TableOptions::new(BoardOptions::varied(serial, number), control.clone());
        let first = if options.white_left { Side::Left } else { Side::Right };
        let clock = ChessClock::new(control, first, Speed::REAL, Timestamp::ZERO);
        let table = Table::new(options, &Board::new());
        let link = directory.join(format!("board-{serial}"));
        let mut seat = Self { table, clock, link, line: None, free: Timestamp::ZERO };
        seat.plug();
        seat
    }

    fn plug(&mut self) {
        let terminal = Terminal::new(&self.link);
        let end = terminal.board.end();
        fcntl_setfl(&end, fcntl_getfl(&end).unwrap() | OFlags::NONBLOCK).unwrap();
        self.line = Some((terminal, end));
    }

    const fn side(&self, color: Color) -> Side {
        match (color, self.table.options().white_left) {
            (Color::White, true) | (Color::Black, false) => Side::Left,
            (Color::White, false) | (Color::Black, true) => Side::Right,
        }
    }

    /// Plans what hands do; returns what each press leaves its side.
    fn plan(&mut self, actions: Vec<(Duration, Action)>, now: Timestamp) -> Vec<u32> {
        let mut at = now.max(self.free);
        let mut left = Vec::new();
        let mut timed = Vec::new();
        for (after, action) in actions {
            at = at + after;
            match &action {
                Action::Press(color) => {
                    let side = self.side(*color);
                    self.clock.press(side, at);
                    let report = self.clock.report(at);
                    let time = if side == Side::Left { report.left } else { report.right }.time;
                    left.push(time.total_seconds());
                }
                Action::StartClock => self.clock.start(at),
                Action::StopClock => self.clock.stop(at),
                Action::ResetClock(control) => {
                    self.clock = ChessClock::new(control, self.side(Color::White), Speed::REAL, at);
                }
                Action::SetClock { white, black } => {
                    self.clock.set(self.side(Color::White), *white, at);
                    self.clock.set(self.side(Color::Black), *black, at);
                }
                Action::SetLever(color) => self.clock.set_lever(self.side(*color), at),
                Action::Set(..)
                | Action::Unplug
                | Action::Plug
                | Action::ConnectClock(_)
                | Action::LoseUpdate
                | Action::DeadSquare(_)
                | Action::Noise(_)
                | Action::Order(_) => {}
            }
            timed.push(TimedAction { at, action });
        }
        self.free = at;
        let Some(from) = timed.first().map(|first| first.at) else { return left };
        let play = Play { actions: timed, truth: nothing(), end: at, standing: Board::new() };
        self.table.schedule_game(play, from);
        left
    }

    /// Forwards bytes in both directions.
    fn carry(&mut self, clock: &SystemClock) {
        let now = clock.now();
        self.table.handle_timeout(now);
        while let Some(event) = self.table.poll_link() {
            match event {
                CableEvent::Unplugged => self.line = None,
                CableEvent::Plugged => self.plug(),
                CableEvent::Order(_) => {}
            }
        }
        while let Some(bytes) = self.table.poll_output(now) {
            if let Some((_, end)) = &mut self.line {
                end.write_all(&bytes).unwrap();
            }
        }
        let mut buffer = [0; 4096];
        let read = self.line.as_mut().map(|(_, end)| end.read(&mut buffer));
        match read {
            Some(Ok(count)) => self.table.handle_command_bytes(&buffer[..count], clock.now()),
            Some(Err(error)) if error.kind() != ErrorKind::WouldBlock => panic!("{error}"),
            Some(Err(_)) | None => {}
        }
    }
}

/// Returns that nothing is to be reported of what hands do.
fn nothing() -> Truth {
    Truth {
        name: String::new(),
        control: jadoube_core::laws::Control::Rapid,
        moves: Vec::new(),
        alerts: Vec::new(),
        remarks: Vec::new(),
        incidents: Vec::new(),
        unsuited: Vec::new(),
        ending: Ending::Unknown,
    }
}
