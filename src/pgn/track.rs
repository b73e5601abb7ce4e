//! What of a board's game is shown to the public, and since when it may be.
//!
//! A board is looked at at a steady pace. What has changed since the last look waits until its delay is over and is
//! shown then, as it was: a take-back, a result, the clock, a new game – nothing shows through earlier. What waits is
//! kept as changes, so that a long delay costs little.

use std::{collections::VecDeque, sync::Arc};

use jiff::{SignedDuration, Timestamp};
use shakmaty::Color;

use crate::view::{BoardView, ClockView, GameView, MoveView};
use jadoube_runtime::clock::SystemClock;

/// Seconds by which a clock may differ from what is expected of it before it is reported anew.
const TOLERANCE: i64 = 2;

/// Plies after which a game counts as played, although nobody has reported a result.
const PLAYED: usize = 20;

/// A board's game as the public sees it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct PublicState {
    /// The game; none before the first.
    pub(super) game: Option<PublicGame>,
    /// The clock, if there is one.
    pub(super) clock: Option<PublicClock>,
}

/// A game.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PublicGame {
    /// Number of the game on its board.
    pub(super) number: u32,
    /// Round that it was begun in.
    pub(super) round: u32,
    /// Its first position.
    pub(super) start: Arc<str>,
    /// When it began.
    pub(super) began: Timestamp,
    /// Its moves.
    pub(super) moves: Vec<MoveView>,
    /// The result, and what says so.
    pub(super) result: Option<(&'static str, &'static str)>,
}

/// What a clock showed at an instant; it has gone on since then as clocks do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PublicClock {
    /// White's time, seconds.
    pub(super) white: u32,
    /// Black's time, seconds.
    pub(super) black: u32,
    /// Whose time runs.
    pub(super) running: Option<Color>,
    /// When that was.
    pub(super) at: Timestamp,
}

/// An instant of the timeline by which changes wait, which the calendar may have left since it began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instant {
    /// Calendar time as the timeline goes on with it, UTC.
    pub(super) now: Timestamp,
    /// How far the calendar is ahead of it.
    drift: SignedDuration,
    /// When this process began.
    started: Timestamp,
}

impl Instant {
    /// Returns the present one.
    pub(super) fn of(clock: &SystemClock) -> Self {
        Self { now: clock.utc(clock.now()), drift: clock.drift(), started: clock.started() }
    }

    /// Returns an instant of a test.
    #[cfg(test)]
    pub(super) const fn at(now: Timestamp, drift: SignedDuration, started: Timestamp) -> Self {
        Self { now, drift, started }
    }

    /// Returns on the timeline when something happened that a board showed before it was looked at, or later.
    ///
    /// Nobody knows how long an earlier process has been gone, as the calendar may have been set before its end or since then: that
    /// counts for nothing.
    fn at_first_look(self, at: Timestamp, recovered: Option<Timestamp>) -> Timestamp {
        match recovered {
            Some(end) if at <= end => {
                self.started.checked_sub(end.duration_since(at)).unwrap_or(Timestamp::MIN)
            }
            Some(_) | None => self.latest(at.max(self.started)),
        }
    }

    /// Returns on the timeline when something happened at a calendar time, or later: nobody knows whether the calendar was set
    /// before or after that, and nothing may be shown too soon.
    fn latest(self, at: Timestamp) -> Timestamp {
        at.checked_sub(self.drift).map_or(self.now, |other| at.max(other)).min(self.now)
    }
}

/// Whether a board's game is to be shown, and as one of which round.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Placing {
    /// It is that of a table in this round.
    Round(u32),
    /// It is that of no table.
    Nowhere,
    /// Nobody counts rounds: every board counts its games.
    Uncounted,
}

/// Which moves are shown.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Shown {
    /// Those that the board shows.
    Made,
    /// Those that a press has completed, or that have rested so long where there is no clock.
    Completed(SignedDuration),
}

impl Shown {
    /// Returns the moves of a game that are shown at this instant; once it is over all of them.
    fn of(self, game: &GameView, has_clock: bool, instant: Instant) -> &[MoveView] {
        let Self::Completed(rest) = self else { return &game.moves };
        if game.result.is_some() {
            return &game.moves;
        }
        let rests = |played: &MoveView| !has_clock && instant.latest(played.at) + rest <= instant.now;
        let is_shown = |played: &MoveView| played.completed || rests(played);
        let count = game.moves.iter().rposition(is_shown).map_or(0, |last| last + 1);
        game.moves.get(..count).unwrap_or_default()
    }
}

/// A change that waits.
#[derive(Debug)]
struct Pending {
    known: Timestamp,
    change: Change,
}

#[derive(Debug)]
enum Change {
    Begin(PublicGame),
    Moves { keep: usize, added: Vec<MoveView> },
    Result(Option<(&'static str, &'static str)>),
    Clock(Option<PublicClock>),
}

/// A board's game, now and as it is shown.
#[derive(Debug, Default)]
pub(super) struct Track {
    now: PublicState,
    shown: PublicState,
    waiting: VecDeque<Pending>,
    looked: bool,
}

impl Track {
    /// Returns what is shown.
    pub(super) const fn shown(&self) -> &PublicState {
        &self.shown
    }

    /// Looks at a board at this instant.
    pub(super) fn observe(&mut self, board: &BoardView, placing: Placing, shown: Shown, instant: Instant) {
        let now = instant.now;
        // What was found at the first look may be older, and is shown all the sooner.
        let known = |at: Option<Timestamp>| {
            at.filter(|_| !self.looked).map_or(now, |at| instant.at_first_look(at, board.recovered))
        };
        let (began, last) = (known(board.game.as_ref().map(|game| game.began)), known(board.updated));
        let first = !self.looked;
        self.looked = true;
        if let Some(game) = board.game.as_ref().filter(|game| self.is_published(game, placing)) {
            let known = self.now.game.as_ref().filter(|known| known.number == game.number);
            let round = match (placing, known) {
                (Placing::Round(round), _) => round,
                (_, Some(known)) => known.round,
                (_, None) => self.next_round(),
            };
            // The same game can begin anew, from a position that an order has set, and may be given to another round.
            if known.is_none_or(|known| *known.start != *game.start || known.round != round) {
                let (number, start) = (game.number, game.start.as_str().into());
                let (moves, result) = (Vec::new(), None);
                self.wait(
                    began,
                    Change::Begin(PublicGame { number, round, start, began: game.began, moves, result }),
                );
            }
            let has_clock = board.clock.as_ref().is_some_and(|clock| clock.connected);
            let moves = shown.of(game, has_clock, instant);
            self.observe_moves(moves, first, board.recovered, instant);
            let result = game.result.zip(game.by);
            if self.now.game.as_ref().is_some_and(|known| known.result != result) {
                self.wait(last, Change::Result(result));
            }
        }
        if self
            .now
            .game
            .as_ref()
            .is_some_and(|known| board.game.as_ref().is_some_and(|game| game.number == known.number))
        {
            let clock = PublicClock::of(board.clock.as_ref(), self.now.clock);
            if clock != self.now.clock {
                self.wait(last, Change::Clock(clock));
            }
        }
    }

    /// Returns whether all that is known is shown.
    pub(super) fn is_settled(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Shows what has waited long enough; says whether anything has changed.
    pub(super) fn show(&mut self, delay: SignedDuration, now: Timestamp) -> bool {
        let mut changed = false;
        while let Some(next) = self.waiting.front() {
            if next.known.checked_add(delay).is_ok_and(|due| due > now) {
                break;
            }
            let Some(pending) = self.waiting.pop_front() else { break };
            self.shown.apply(pending.change);
            changed = true;
        }
        changed
    }

    /// Analysis after the game is none of the public's business, and must not take the game's place.
    fn is_published(&self, game: &GameView, placing: Placing) -> bool {
        match (placing, &self.now.game) {
            (Placing::Nowhere, _) => false,
            (Placing::Round(_), _) | (Placing::Uncounted, None) => true,
            // Who does not count rounds gets every game that has begun, once it has.
            (Placing::Uncounted, Some(known)) => {
                known.number == game.number || !known.is_played() || !game.moves.is_empty()
            }
        }
    }

    fn next_round(&self) -> u32 {
        self.now.game.as_ref().map_or(1, |known| known.round + u32::from(known.is_played()))
    }

    fn observe_moves(
        &mut self,
        moves: &[MoveView],
        first: bool,
        recovered: Option<Timestamp>,
        instant: Instant,
    ) {
        let Some(known) = &self.now.game else { return };
        let keep = known.moves.iter().zip(moves).take_while(|(a, b)| a == b).count();
        if keep == known.moves.len() && keep == moves.len() {
            return;
        }
        let added = moves.get(keep..).unwrap_or_default();
        if !first {
            return self.wait(instant.now, Change::Moves { keep, added: added.to_vec() });
        }
        for (index, played) in added.iter().enumerate() {
            self.wait(
                instant.at_first_look(played.at, recovered),
                Change::Moves { keep: keep + index, added: vec![played.clone()] },
            );
        }
    }

    /// Puts a change last; it waits at least as long as those before it.
    fn wait(&mut self, known: Timestamp, change: Change) {
        let known = self.waiting.back().map_or(known, |last| known.max(last.known));
        self.now.apply(change.clone());
        self.waiting.push_back(Pending { known, change });
    }
}

impl Clone for Change {
    fn clone(&self) -> Self {
        match self {
            Self::Begin(game) => Self::Begin(game.clone()),
            Self::Moves { keep, added } => Self::Moves { keep: *keep, added: added.clone() },
            Self::Result(result) => Self::Result(*result),
            Self::Clock(clock) => Self::Clock(*clock),
        }
    }
}

impl PublicState {
    /// Returns a game that has left its board.
    pub(super) fn of(game: &GameView, round: u32) -> Self {
        let (number, began, moves, result) =
            (game.number, game.began, game.moves.clone(), game.result.zip(game.by));
        let start = game.start.as_str().into();
        Self { game: Some(PublicGame { number, round, start, began, moves, result }), clock: None }
    }

    fn apply(&mut self, change: Change) {
        match (change, &mut self.game) {
            (Change::Begin(game), _) => *self = Self { game: Some(game), clock: None },
            (Change::Moves { keep, added }, Some(game)) => {
                game.moves.truncate(keep);
                game.moves.extend(added);
            }
            (Change::Result(result), Some(game)) => game.result = result,
            (Change::Clock(clock), _) => self.clock = clock,
            (Change::Moves { .. } | Change::Result(_), None) => {}
        }
    }
}

impl PublicGame {
    /// Returns whether it is more than pieces that were set up.
    fn is_played(&self) -> bool {
        self.result.is_some() || self.moves.len() >= PLAYED
    }
}

impl PublicClock {
    /// Returns what a clock shows; what was known already, if the clock has only gone on as expected.
    fn of(view: Option<&ClockView>, known: Option<Self>) -> Option<Self> {
        let view = view.filter(|view| view.connected)?;
        let (white, black) = (view.times.white, view.times.black);
        let new = Self { white, black, running: view.running, at: view.at };
        let as_expected = known.filter(|known| known.running == new.running && known.leads_to(&new));
        as_expected.or(Some(new))
    }

    fn leads_to(&self, later: &Self) -> bool {
        let passed = later.at.duration_since(self.at).as_secs();
        [(Color::White, self.white, later.white), (Color::Black, self.black, later.black)].into_iter().all(
            |(side, before, after)| {
                let spent = if self.running == Some(side) { passed } else { 0 };
                let expected = (i64::from(before) - spent).max(0);
                (expected - i64::from(after)).abs() <= TOLERANCE
            },
        )
    }
}

#[cfg(test)]
mod tests;
