//! Owns the question of what was played: turns changes of squares and presses into plies.
//!
//! The tracker holds several explanations of the game at once (hypotheses), each with a cost. Between presses it shows
//! what the best one makes of the board; a press collects the evidence since the last one (the window) and is judged
//! when what the sensors report late is in. An exact board is judged at once. What turns out wrong is withdrawn.
//!
//! Knows positions, squares, presses and time as an argument; knows no articles, no bytes and no clock sides.

mod corrections;
mod displays;
mod ending;
mod evidence;
mod exact_match;
mod exchanged;
mod explain;
mod gap_search;
mod hypothesis;
mod judge;
mod late_castling;
mod move_prior;
mod offence;
mod orders;
mod path_history;
mod played_on;
mod polled;
mod position_trust;
mod press;
mod progress;
mod publish;
mod reading;
mod reporting;
mod resync;
mod sensor_faults;
mod silence;
mod soundness;
mod unpressed;
mod window;

use std::{cell::Cell, time::Duration};

use shakmaty::{Bitboard, Board, Color, Move, Piece, Square};

pub(crate) use offence::reason;
pub use window::Press;

use self::{
    corrections::Suspects,
    displays::Displays,
    hypothesis::{Hypothesis, HypothesisPly},
    progress::GameProgress,
    reporting::Reporting,
    sensor_faults::SensorFaults,
    window::Window,
};
use crate::{
    fact::{Change, Fact, Withdrawal},
    game::{Game, Played},
    model::{cost, effort},
    position::Position,
    time::{Due, Timestamp, sooner},
};

/// How the tracker weighs time.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Tuning {
    /// One pass of the board over its squares.
    pub scan: Duration,
    /// What is sensed within this after a press happened before it.
    pub settle: Duration,
    /// The scan as the reports of this board show it.
    pub measured: Option<Duration>,
}

/// Follows one game at a time.
#[derive(Debug)]
pub struct Tracker {
    tuning: Tuning,
    game: Option<Game>,
    /// Explanations, best first; one at least while a game is on.
    hypotheses: Vec<Hypothesis>,
    progress: GameProgress,
    /// The evidence since the last judgement.
    window: Window,
    /// What was looked at last, and was not enough to judge.
    judged: Option<judge::Judged>,
    /// Whose time runs.
    running: Option<Color>,
    displays: Displays,
    reporting: Reporting,
    /// Squares that have shown a piece since the board came up.
    seen_squares: Bitboard,
    suspects: Suspects,
    sensor_faults: SensorFaults,
    /// How much may be searched for, and when that was refilled last.
    budget: Cell<u32>,
    refilled_at: Timestamp,
    /// A dump would help.
    doubt: bool,
    facts: Vec<Fact>,
    /// Every press is judged by a search, however exactly the board shows a move.
    #[cfg(test)]
    searches_always: bool,
}

impl Tracker {
    /// Makes a tracker for a board that shows nothing.
    #[must_use]
    pub fn new(tuning: Tuning) -> Self {
        Self {
            tuning,
            game: None,
            hypotheses: Vec::new(),
            progress: GameProgress::new(false),
            window: Window::new(Board::empty()),
            judged: None,
            running: None,
            displays: Displays::default(),
            reporting: Reporting::default(),
            seen_squares: Bitboard::EMPTY,
            suspects: Suspects::default(),
            sensor_faults: SensorFaults::default(),
            budget: Cell::new(effort::MOST_BUDGET),
            refilled_at: Timestamp::ZERO,
            doubt: false,
            facts: Vec::new(),
            #[cfg(test)]
            searches_always: false,
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

    /// Returns whether a game is on and has no result.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.game.as_ref().is_some_and(|game| game.result().is_none())
    }

    /// Returns the squares that the best explanation holds to be faulty.
    #[must_use]
    pub fn faulty_squares(&self) -> Bitboard {
        self.hypotheses.first().map_or(Bitboard::EMPTY, |hypothesis| hypothesis.faulty)
    }

    /// Returns the squares that have shown nothing since the board came up, although a piece stands there or stood there
    /// when the game began.
    #[must_use]
    pub fn dead_squares(&self) -> Bitboard {
        let stood = self.game.as_ref().map_or(Bitboard::EMPTY, |game| game.start().board().occupied());
        (self.faulty_squares() | stood) & !self.seen_squares
    }

    /// Returns the pieces off their squares: those that the game has there and the board does not show.
    #[must_use]
    pub fn in_the_air(&self) -> Bitboard {
        let Some(game) = &self.game else { return Bitboard::EMPTY };
        game.position().board().occupied() & !self.window.board().occupied() & !self.faulty_squares()
    }

    /// Returns when a square last changed, if that is not judged yet.
    pub(crate) fn changed_at(&self, square: Square) -> Option<Timestamp> {
        self.window.last_change_of(square).map(|(_, change)| change.at)
    }

    /// Returns whether there is a fact to take.
    #[must_use]
    pub const fn has_facts(&self) -> bool {
        !self.facts.is_empty()
    }

    /// Returns the facts and forgets them.
    pub fn take_facts(&mut self) -> std::vec::Drain<'_, Fact> {
        self.facts.drain(..)
    }

    /// Begins a game from a position that the board shows.
    pub fn start(&mut self, number: u32, position: Position) {
        let faulty = crate::position::differences(position.board(), self.window.board());
        self.hypotheses = vec![Hypothesis::new(position.clone(), faulty | self.dead_squares())];
        self.window.cut(usize::MAX, usize::MAX);
        self.reset(Game::new(number, position));
        self.facts.push(Fact::GameStarted);
    }

    /// Begins a game with the moves of the present one, from a start with other pieces on some squares; the board shows where they
    /// lead to.
    pub fn restart(&mut self, number: u32, start: Position, moves: &[Move], now: Timestamp) {
        let plies = self.game.take().map(|game| game.plies().to_vec()).unwrap_or_default();
        let mut hypothesis = Hypothesis::new(start.clone(), self.faulty_squares());
        for (ply, played) in plies.into_iter().zip(moves).take_while(|(ply, _)| ply.completed) {
            hypothesis.push(HypothesisPly {
                played: Played::Legal(*played),
                side: ply.side,
                made_at: ply.made_at,
                completed: true,
                clock: ply.clock,
                inferred: ply.inferred,
                most: ply.confidence,
            });
        }
        self.hypotheses = vec![hypothesis];
        self.window.cut(usize::MAX, usize::MAX);
        self.reset(Game::new(number, start));
        self.facts.push(Fact::GameStarted);
        self.publish(Withdrawal::Reconsidered);
        self.progress.shown.coming = self.compare(now);
    }

    fn reset(&mut self, game: Game) {
        self.sensor_faults.forget();
        self.game = Some(game);
        self.progress = GameProgress::new(self.running.is_some());
    }

    /// Returns whether the last judgement was in doubt, and nobody has asked.
    pub const fn is_in_doubt(&self) -> bool {
        self.doubt
    }

    /// Returns, once, whether the last judgement was in doubt.
    pub fn take_doubt(&mut self) -> bool {
        std::mem::take(&mut self.doubt)
    }

    /// Notes that a report was damaged: something may have changed that nobody knows of.
    pub fn note_damage(&mut self, now: Timestamp) {
        self.reporting.note_damage(now);
    }

    /// Notes whether the line damages more than a sound line does.
    pub const fn set_noisy(&mut self, noisy: bool) {
        self.reporting.noisy = noisy;
    }

    /// Notes whether the line has changed a byte of a message that kept its form.
    pub const fn set_corrupted(&mut self, corrupted: bool) {
        self.reporting.corrupted = corrupted;
    }

    /// Notes how long this board takes for one pass over its squares.
    pub const fn set_scan(&mut self, scan: Duration) {
        self.tuning.measured = Some(scan);
    }

    /// Notes that the board reports its changes only when it is asked.
    pub const fn set_polled(&mut self) {
        self.reporting.polled = true;
    }

    /// Notes that up to an instant changes come quicker than hands made them: how soon one follows another means nothing.
    pub fn ignore_timing_until(&mut self, until: Timestamp) {
        self.reporting.timing_ignored_until = self.reporting.timing_ignored_until.max(until);
    }

    /// Handles a square's new content.
    pub fn handle_square(&mut self, square: Square, piece: Option<Piece>, dumped: bool, now: Timestamp) {
        self.reporting.updates |= !dumped;
        if !dumped {
            self.take_report(square, piece);
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
        self.clear_suspect(square, dumped, now);
        if self.is_playing() {
            self.note_exchanged_and_taken(square, piece, now);
            self.note_exchanged_pawn(now);
        }
        self.progress.changed_unseen.set(square, dumped && self.window.gap);
        self.progress.put_down_unseen.discard(square);
        let stands = self.progress.clocked
            && self.running.is_none()
            && self.is_playing()
            && self.progress.rests_at < now;
        let put_right =
            self.hypotheses.first().is_some_and(|best| best.position.board().piece_at(square) == piece);
        self.progress.changed_at_rest.set(square, stands && !put_right);
        let change = Change { at: now, square, was, is: piece, dumped };
        self.window.push(change);
        self.note_put_back(change);
        if self.is_playing() {
            if surprised && self.hypotheses.len() > 1 {
                self.rank_branches();
            }
            self.notice(change);
            self.note_touch(change);
            self.note_slid_on(change);
            // Halfway through a dump the board shows what nobody has played; it is looked at when all is reported.
            if !dumped {
                self.look(change, now);
            }
            self.plan_exchange(square, now);
        } else {
            self.change_after_result(change, now);
        }
    }

    /// Handles a press; `running` is whose time runs after it.
    pub fn handle_press(&mut self, press: Press, now: Timestamp) {
        self.refill(now);
        self.set_clock(true, now);
        // What the first report after a silence says of presses, nobody saw.
        let seen = press.seen && self.reporting.clock_back_at != Some(now);
        let up_at = self.displays.up_at(now).filter(|_| seen && self.running == Some(press.side));
        let press = Press { up_at, seen, ..press };
        if self.is_playing() && self.progress.resync_at.take().is_some() && self.resync_at_press(press) {
            return;
        }
        self.displays.note_press(press);
        self.running = Some(!press.side);
        // The opponent has moved: the piece came down unseen, if it is not back on its square.
        self.report_put_back();
        self.doubt_in_the_air(press.side);
        if !self.is_playing() {
            self.press_after_result(press);
            return;
        }
        if !self.window.press(press) {
            self.judge(now, true);
            // The judgement has emptied the list.
            self.window.press(press);
        }
        if self.may_be_on_its_way() || !self.judge_at_once() {
            self.doubt = true;
            let settled = self.first_look(press);
            self.progress.due = Some(self.progress.due.map_or(settled, |due| due.min(settled)));
        }
    }

    /// Notes whose time runs.
    pub fn handle_running(&mut self, running: Option<Color>, now: Timestamp) {
        let before = std::mem::replace(&mut self.running, running);
        if !self.is_playing() || before == running {
            return;
        }
        if running.is_some() {
            self.set_clock(true, now);
        }
        let Some(side) = running else {
            self.window.paused = true;
            if self.reporting.is_polled_by_dumps() {
                self.progress.rests_at = now + self.patience();
            }
            self.facts.push(Fact::ClockStopped);
            return;
        };
        if !self.progress.clocked {
            self.progress.clocked = true;
            self.facts.push(Fact::PlayStarted);
        }
        self.restore(now);
        self.facts.push(Fact::ClockStarted { side });
    }

    /// Returns when to call [`Tracker::handle_timeout`], and why.
    #[must_use]
    pub fn deadline(&self) -> Due {
        let holds = self.progress.shown.coming.as_ref().map(|shown| shown.holds_at);
        let mut due = sooner(None, holds, "a move holds");
        due = sooner(due, self.progress.due, "a press is settled");
        due = sooner(due, self.progress.exchange_at, "a pawn is exchanged");
        due = sooner(due, self.put_back_at(), "a piece is put back");
        due = sooner(due, self.progress.resync_at, "moves are searched through a gap");
        sooner(due, self.search_due(), "moves are searched without presses")
    }

    /// Handles the time.
    pub fn handle_timeout(&mut self, now: Timestamp) {
        self.refill(now);
        if self.progress.shown.coming.as_ref().is_some_and(|shown| shown.holds_at <= now) {
            self.hold();
        }
        self.note_exchanged_pawn(now);
        if self.put_back_at().is_some_and(|at| at <= now) {
            self.report_put_back();
        }
        if self.progress.resync_at.take_if(|at| *at <= now).is_some() {
            self.resync();
        }
        if self.progress.due.is_some_and(|at| at <= now) {
            self.judge(now, false);
        }
        if self.search_due().is_some_and(|at| at <= now) {
            self.search_odd();
        }
    }

    /// Judges what is pending as things stand.
    pub fn finish(&mut self, now: Timestamp) {
        self.refill(now);
        if !self.is_playing() {
            return;
        }
        if self.progress.resync_at.take().is_some() {
            self.resync();
        }
        if self.progress.due.is_some() {
            self.judge(now, true);
        }
        if self.progress.shown.coming.is_some() {
            self.hold();
        }
        if self.search_due().is_some() {
            self.search_odd();
        }
    }
}

#[cfg(test)]
mod tests;
