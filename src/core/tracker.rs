//! Owns the question of what was played: turns changes of squares and presses into plies.
//!
//! The tracker holds several explanations of the game at once (hypotheses), each with a cost. Between presses it shows
//! what the best one makes of the board; a press collects the evidence since the last one (the window) and is judged
//! when what the sensors report late is in. An exact board is judged at once. What turns out wrong is withdrawn.
//!
//! Knows positions, squares, presses and time as an argument; knows no articles, no bytes and no clock sides.

mod corrections;
mod cost;
mod evidence;
mod exact_match;
mod explain;
mod gap_search;
mod hypothesis;
mod judge;
mod move_prior;
mod offence;
mod orders;
mod path_history;
mod press;
mod publish;
mod resync;
mod sensor_faults;
mod window;

use std::{cell::Cell, time::Duration};

use shakmaty::{Bitboard, Board, Color, Piece, Square};

pub use window::Press;

use self::{
    corrections::{JudgedOffence, Suspects},
    hypothesis::{Hypothesis, Ply},
    judge::Trust,
    resync::{Displays, Silence},
    sensor_faults::SensorFaults,
    window::Window,
};
use crate::{
    fact::{Change, Fact, Pressed, Withdrawal},
    game::{Game, GameResult},
    position::Position,
    time::{Due, Timestamp, soonest},
};

/// How the tracker weighs time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Tuning {
    /// One pass of the board over its squares.
    pub scan: Duration,
    /// What is sensed within this after a press happened before it.
    pub settle: Duration,
}

/// Follows one game at a time.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "they are independent of one another")]
pub struct Tracker {
    tuning: Tuning,
    window: Window,
    /// Evidence judged last, for second thoughts.
    past: Vec<JudgedWindow>,
    /// Explanations, best first; one at least while a game is on.
    hypotheses: Vec<Hypothesis>,
    game: Option<Game>,
    /// Plies of the game that all hypotheses share.
    settled: u32,
    /// What the board shows beyond the best hypothesis: made, not completed.
    shown: Vec<ShownStep>,
    /// What the board has begun to show.
    showing: Option<Showing>,
    /// Squares that have shown a piece since the board came up.
    seen_squares: Bitboard,
    /// Whose time runs.
    running: Option<Color>,
    /// Whether the clock has run in this game.
    clocked: bool,
    /// When the presses of the window are to be judged.
    due: Option<Timestamp>,
    /// When the gap in the window is to be bridged.
    bridge: Option<Timestamp>,
    /// The stretch in which nothing was heard of the board.
    silence: Option<Silence>,
    displays: Displays,
    /// Whether the side to move has touched a piece since the opponent moved.
    touched: bool,
    /// Offences judged of late, for when they are put right.
    offences: Vec<JudgedOffence>,
    in_the_air: Option<InTheAir>,
    suspects: Suspects,
    sensor_faults: SensorFaults,
    /// Whether the position can be relied on.
    trust: Trust,
    /// A dump would help.
    doubt: bool,
    /// Whether the board reports changes, or is only seen through dumps.
    updates: bool,
    /// Reports damaged since the board last showed just what was played.
    damage: u8,
    /// Whether the line damages more than a sound line does.
    loud: bool,
    /// Whether the board is asked for its changes, as on a bus, so that a dump may well be the first to tell one.
    polled: bool,
    /// Whether a dump has come after the one that a board begins with.
    dumps_come: bool,
    /// When a dump came last, and how long after the one before.
    dumped_at: Timestamp,
    dump_pace: Duration,
    /// What was looked at last, and was not enough to judge.
    judged: Option<judge::Judged>,
    /// How much may be searched for, and when it was earned last.
    budget: Cell<u32>,
    earned_at: Timestamp,
    facts: Vec<Fact>,
}

/// A ply that the board shows and no press has completed.
#[derive(Clone, Debug)]
struct ShownStep {
    step: Ply,
    /// Number of changes of the window after which the board showed it.
    count: usize,
}

/// What the board has begun to show: a further ply, another one instead of the last, or one taken back.
#[derive(Clone, Debug)]
struct Showing {
    /// Plies of those shown before that stay.
    kept: usize,
    step: Option<ShownStep>,
    /// When it counts.
    holds_at: Timestamp,
}

/// A press with a piece in the air, until that piece comes down.
#[derive(Clone, Debug)]
struct InTheAir {
    pressed: Pressed,
    from: Square,
}

/// Evidence that was judged, and where it started from.
#[derive(Debug)]
struct JudgedWindow {
    window: Window,
    hypothesis: Hypothesis,
    settled: u32,
}

impl Tracker {
    /// Makes a tracker for a board that shows nothing.
    #[must_use]
    pub fn new(tuning: Tuning) -> Self {
        Self {
            tuning,
            window: Window::new(Board::empty()),
            past: Vec::new(),
            hypotheses: Vec::new(),
            game: None,
            settled: 0,
            shown: Vec::new(),
            showing: None,
            seen_squares: Bitboard::EMPTY,
            running: None,
            clocked: false,
            due: None,
            bridge: None,
            silence: None,
            displays: Displays::default(),
            touched: false,
            offences: Vec::new(),
            in_the_air: None,
            suspects: Suspects::default(),
            sensor_faults: SensorFaults::default(),
            trust: Trust::Sound,
            doubt: false,
            updates: false,
            damage: 0,
            loud: false,
            polled: false,
            dumps_come: false,
            dumped_at: Timestamp::ZERO,
            dump_pace: Duration::ZERO,
            judged: None,
            budget: Cell::new(judge::MOST_BUDGET),
            earned_at: Timestamp::ZERO,
            facts: Vec::new(),
        }
    }

    /// Returns what stands on the board, as it reports it.
    #[must_use]
    pub const fn board(&self) -> &Board {
        self.window.board()
    }

    /// Returns the game, if there is one.
    #[must_use]
    pub const fn game(&self) -> Option<&Game> {
        self.game.as_ref()
    }

    /// Returns the game, if there is one.
    pub const fn game_mut(&mut self) -> Option<&mut Game> {
        self.game.as_mut()
    }

    /// Tells whether a game is on and has no result.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.result().is_none())
    }

    /// Returns the squares that the best explanation holds to be lying.
    #[must_use]
    pub fn faulty_squares(&self) -> Bitboard {
        self.hypotheses.first().map_or(Bitboard::EMPTY, |hypothesis| hypothesis.faulty)
    }

    /// Returns the pieces off their squares: those that the game has there and the board does not show.
    #[must_use]
    pub fn in_the_air(&self) -> Bitboard {
        let Some(game) = &self.game else { return Bitboard::EMPTY };
        game.position().board().occupied() & !self.window.board().occupied() & !self.faulty_squares()
    }

    /// Takes the next fact.
    pub fn take_facts(&mut self) -> Vec<Fact> {
        std::mem::take(&mut self.facts)
    }

    /// Begins a game from a position that the board shows.
    pub fn start(&mut self, number: u32, position: Position) {
        let faulty = crate::position::differences(position.board(), self.window.board());
        self.hypotheses =
            vec![Hypothesis::new(position.clone(), faulty | (self.faulty_squares() & !self.seen_squares))];
        self.window.cut(usize::MAX, usize::MAX);
        self.reset(Game::new(number, position));
        self.facts.push(Fact::GameStarted);
    }

    fn reset(&mut self, game: Game) {
        self.past.clear();
        self.sensor_faults.forget();
        self.game = Some(game);
        self.trust = Trust::Sound;
        self.settled = 0;
        self.shown.clear();
        self.showing = None;
        self.clocked = self.running.is_some();
        self.due = None;
        self.bridge = None;
        self.silence = None;
        self.touched = false;
        self.offences.clear();
        self.in_the_air = None;
    }

    /// Ends the game with a result; plies beyond `keep` were gestures.
    pub fn end(&mut self, result: GameResult, keep: u32) {
        let Some(game) = &mut self.game else { return };
        if keep < game.len() {
            game.truncate(keep);
            self.facts.push(Fact::Withdrawn { ply: keep + 1, because: Withdrawal::Unfinished });
        }
        game.set_result(Some(result));
        self.shown.clear();
        self.showing = None;
        self.due = None;
        self.bridge = None;
        self.silence = None;
        self.facts.push(Fact::Ended);
    }

    /// Tells, once, whether the last judgement was in doubt.
    pub fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.doubt)
    }

    /// Takes that a report was damaged: something may have changed that nobody knows of.
    pub const fn note_damage(&mut self) {
        self.damage = self.damage.saturating_add(1);
    }

    /// Takes whether the line damages more than a sound line does.
    pub const fn set_loud(&mut self, loud: bool) {
        self.loud = loud;
    }

    /// Takes that the board tells its changes only when it is asked.
    pub const fn set_polled(&mut self) {
        self.polled = true;
    }

    /// Takes a square's new content.
    pub fn handle_square(&mut self, square: Square, piece: Option<Piece>, dumped: bool, now: Timestamp) {
        self.updates |= !dumped;
        if !dumped {
            self.sensor_faults.take_report(square);
        }
        let was = self.window.board().piece_at(square);
        if was == piece && (dumped || piece.is_some()) {
            return;
        }
        // An empty square that reports to be empty: what stood on it was never reported.
        let works = piece.is_some() && !dumped && !self.seen_squares.contains(square);
        self.seen_squares.add(square);
        let mut surprised = false;
        for hypothesis in &mut self.hypotheses {
            if hypothesis.faulty.contains(square) {
                hypothesis.faulty.discard(square);
                let unexpected = works && hypothesis.position.board().piece_at(square) != piece;
                hypothesis.cost += if unexpected { cost::WORKS_AFTER_ALL } else { 0 };
                surprised |= unexpected;
            }
        }
        self.clear_suspect(square);
        let change = Change { at: now, square, was, is: piece, dumped };
        self.window.push(change);
        if self.is_playing() {
            if surprised && self.hypotheses.len() > 1 {
                self.rank_branches();
            }
            self.notice(change);
            self.look(change, now);
        }
    }

    /// Takes a press; `running` is whose time runs after it.
    pub fn handle_press(&mut self, press: Press, now: Timestamp) {
        self.earn(now);
        if self.is_playing() && self.bridge.take().is_some() && self.bridge_at_press(press) {
            return;
        }
        self.displays.note_press(press);
        self.running = Some(!press.side);
        // The opponent has moved: the piece came down unseen.
        self.in_the_air.take_if(|air| air.pressed.side != press.side);
        if !self.is_playing() {
            return;
        }
        if !self.window.press(press) {
            self.judge(now, true);
            // The judgement has emptied the list.
            self.window.press(press);
        }
        if !self.judge_at_once() {
            self.doubt = true;
            let settled = press.at + self.patience();
            self.due = Some(self.due.map_or(settled, |due| due.min(settled)));
        }
    }

    /// Takes whose time runs.
    pub fn handle_running(&mut self, running: Option<Color>, now: Timestamp) {
        let before = std::mem::replace(&mut self.running, running);
        if !self.is_playing() || before == running {
            return;
        }
        let Some(side) = running else {
            self.window.paused = true;
            self.facts.push(Fact::ClockStopped);
            return;
        };
        if !self.clocked {
            self.clocked = true;
            self.facts.push(Fact::PlayStarted);
        }
        self.restore(now);
        self.facts.push(Fact::ClockStarted { side });
    }

    /// Returns when to call [`Tracker::handle_timeout`], and why.
    #[must_use]
    pub fn deadline(&self) -> Due {
        let holds = self.showing.as_ref().map(|shown| (shown.holds_at, "a move holds"));
        let due = self.due.map(|at| (at, "a press is settled"));
        let bridge = self.bridge.map(|at| (at, "a gap is bridged"));
        soonest([holds, due, bridge])
    }

    /// Takes the time.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        self.earn(now);
        if self.showing.as_ref().is_some_and(|shown| shown.holds_at <= now) {
            self.hold();
        }
        if self.bridge.is_some_and(|at| at <= now) {
            self.bridge = None;
            self.bridge_gap();
        }
        if self.due.is_some_and(|at| at <= now) {
            self.judge(now, false);
        }
    }

    /// Judges what is pending as things stand.
    pub fn finish(&mut self, now: Timestamp) {
        self.earn(now);
        if !self.is_playing() {
            return;
        }
        if self.bridge.take().is_some() {
            self.bridge_gap();
        }
        if self.due.is_some() {
            self.judge(now, true);
        }
        if self.showing.is_some() {
            self.hold();
        }
    }
}

#[cfg(test)]
mod tests;
