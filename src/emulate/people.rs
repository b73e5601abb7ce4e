//! Owns simulated people: how hands move pieces and press clocks, what goes wrong at a table, and what an arbiter
//! does about it.
//!
//! From a game it makes acts with times, all of them before the first one happens, and a record of what was true.
//! It knows squares and colours as people see them, and nothing of boards, scans and wires.

mod arbiter;
mod detours;
mod ending;
mod hand;
mod handling;
mod incident;
mod mishaps;
mod offences;
mod stage;

use std::time::Duration;

use shakmaty::{Board, Color, Piece, Square};

use self::stage::Stage;
pub use self::{
    handling::{Handling, Thinking},
    incident::{Incident, ParseIncidentError, Planned, Ruling},
};
use super::{games::GameRecord, truth::Truth};
use jadoube_core::{
    laws::{Control, Edition, EventSettings, Laws, TimeControl},
    time::Timestamp,
};

/// Something that happens at a table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Act {
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
    /// The board's cable is pulled out.
    Unplug,
    /// The board's cable is put in again.
    Plug,
    /// The next field update gets lost on the line.
    LoseUpdate,
    /// A square shows nothing from here on, whatever stands on it.
    DeadSquare(Square),
    /// The line gets noisy, or quiet again.
    Noise(bool),
    /// The arbiter tells the tool what was decided; JSON.
    Order(String),
}

/// An act and its instant, in the time that people live in.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TimedAct {
    /// When it happens.
    pub at: Timestamp,
    /// What happens.
    pub act: Act,
}

/// How a game is to be played.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// How the players move pieces.
    pub handling: Handling,
    /// How long they think.
    pub thinking: Thinking,
    /// What the clock is set to.
    pub time_control: TimeControl,
    /// Which part of the Laws applies; decides what an arbiter adds.
    pub control: Control,
    /// What goes wrong, and from which ply on.
    pub incidents: Vec<Planned>,
    /// When the players sit down.
    pub start: Timestamp,
    /// Whether the arbiter also tells the tool what was decided.
    pub orders: bool,
    /// What stands on the board then; they set up the pieces first.
    pub standing: Board,
    /// Seed of everything that chance decides.
    pub seed: u64,
}

impl PlayOptions {
    /// Describes a game in which nothing goes wrong, in the manner that its time control asks for.
    #[must_use]
    pub fn new(time_control: TimeControl, seed: u64) -> Self {
        let control = Edition::default().classify(&time_control);
        let handling = match control {
            Control::Standard => Handling::classical(),
            Control::Rapid | Control::Blitz => Handling::blitz(),
        };
        Self {
            handling,
            thinking: Thinking::ByClock,
            time_control,
            control,
            incidents: Vec::new(),
            start: Timestamp::ZERO,
            orders: false,
            standing: Board::new(),
            seed,
        }
    }

    /// Returns the Laws that apply.
    #[must_use]
    pub fn laws(&self) -> Laws {
        Laws::of(&EventSettings { control: self.control, ..EventSettings::default() })
    }
}

/// A game as it happens at a table.
#[derive(Clone, Debug)]
pub struct Play {
    /// What happens, in order.
    pub acts: Vec<TimedAct>,
    /// What was true.
    pub truth: Truth,
    /// When nothing more happens.
    pub end: Timestamp,
    /// What stands on the board then.
    pub standing: Board,
}

/// Plays a game.
#[must_use]
pub fn play(record: &GameRecord, options: &PlayOptions) -> Play {
    let mut stage = Stage::new(record, options);
    stage.sit_down();
    while !stage.is_over() {
        stage.turn();
    }
    stage.leave()
}

#[cfg(test)]
mod tests;
