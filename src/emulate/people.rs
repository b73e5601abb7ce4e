//! Owns simulated people: how they move pieces and press clocks, which incidents occur, and how an arbiter
//! intervenes.
//!
//! It turns a game into actions with times, all of them computed in advance, and a record of the truth.
//! It knows squares and colours as people see them; it does not know boards, scans and lines.

mod action;
mod amiss;
mod arbiter;
mod detours;
mod displaced;
mod ending;
mod gesture;
mod handling;
mod mishaps;
mod offences;
mod options;
mod put_up;
mod readings;
mod scene;
mod wrong_pieces;

use self::scene::Scene;
pub use self::{
    action::{Action, Play, TimedAction},
    handling::{Handling, Mishaps, Thinking},
    options::PlayOptions,
};
use super::games::GameRecord;
pub use super::incident::{Incident, ParseIncidentError, PlannedIncident, RulingStyle};

/// Simulates a game. The same record and options always give the same actions.
#[must_use]
pub fn play(record: &GameRecord, options: &PlayOptions) -> Play {
    let mut scene = Scene::new(record, options);
    scene.set_up();
    while !scene.is_over() {
        scene.turn();
    }
    scene.finish()
}

#[cfg(test)]
mod tests;
