//! What happens at a table: pieces, clocks, cables, orders; each with its time.

use std::time::Duration;

use shakmaty::{Board, Color, Piece, Square};

use crate::truth::Truth;
use jadoube_core::{laws::TimeControl, time::Timestamp};

/// An event at a table that changes board, clock or line.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Action {
    /// A piece comes to stand on a square, or the square becomes empty.
    Set(Square, Option<Piece>),
    /// A player presses the clock.
    Press(Color),
    /// The clock is stopped.
    StopClock,
    /// The clock is started; the time of the side that is up runs.
    StartClock,
    /// The clock is set for a new game, White's side up.
    ResetClock(TimeControl),
    /// An arbiter sets the times.
    SetClock {
        /// White's time.
        white: Duration,
        /// Black's time.
        black: Duration,
    },
    /// An arbiter puts the lever so that this side is up.
    SetLever(Color),
    /// The board is unplugged.
    Unplug,
    /// The board is plugged in again.
    Plug,
    /// The clock is connected to the board, or disconnected from it; it goes on.
    ConnectClock(bool),
    /// The next field update gets lost on the line.
    LoseUpdate,
    /// A square reads as empty from here on.
    DeadSquare(Square),
    /// The line gets noisy, or quiet again.
    Noise(bool),
    /// An order of the arbiter to the daemon, JSON.
    Order(String),
}

/// An action and its instant, in the time of the people.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TimedAction {
    /// When it happens.
    pub at: Timestamp,
    /// What happens.
    pub action: Action,
}

impl TimedAction {
    /// Returns whether it changes this square.
    pub(super) fn is_of(&self, square: Square) -> bool {
        matches!(self.action, Action::Set(changed, _) if changed == square)
    }
}

/// A simulated game.
#[derive(Clone, Debug)]
pub struct Play {
    /// The actions, in order of time.
    pub actions: Vec<TimedAction>,
    /// The truth about a game.
    pub truth: Truth,
    /// When the game is over; no action is later.
    pub end: Timestamp,
    /// The pieces then.
    pub standing: Board,
}
