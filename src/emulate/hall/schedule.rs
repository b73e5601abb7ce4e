//! The schedule of one table: which games are played, with which incidents.

use std::sync::Arc;

use shakmaty::Board;

use super::options::HallOptions;
use crate::{
    games::{self, GameRecord},
    incident::{Incident, PlannedIncident, RulingStyle},
    people::{self, Play, PlayOptions},
    random::Random,
};
use jadoube_core::time::Timestamp;

/// Number of games tried for one that suits the incidents.
const TRIES: usize = 24;

/// Ply up to which an incident counts as early.
const SOON: u32 = 20;

/// The schedule of one table.
#[derive(Debug)]
pub(super) struct Schedule {
    options: Arc<HallOptions>,
    /// Number of the table, from 0.
    number: usize,
    random: Random,
    /// How many games have been played.
    played: usize,
    /// The pieces after the last game.
    standing: Board,
}

impl Schedule {
    pub(super) fn new(options: Arc<HallOptions>, number: usize, random: Random) -> Self {
        Self { options, number, random, played: 0, standing: Board::new() }
    }

    /// Returns the pieces before the next game.
    pub(super) const fn standing(&self) -> &Board {
        &self.standing
    }

    /// Plays the next game; its times are those of the people, from zero on.
    pub(super) fn next_play(&mut self) -> Play {
        let incidents = self.plan();
        let mut best: Option<((usize, u32), Play)> = None;
        for _ in 0..TRIES {
            let Some(record) = self.random.pick(&self.options.games).cloned() else { break };
            let play = self.play(&record, &incidents);
            let last = play.truth.incidents.iter().map(|(ply, _)| *ply).max().unwrap_or(0);
            let rank = (play.truth.unsuited.len(), last.saturating_sub(SOON));
            if best.as_ref().is_none_or(|(least, _)| rank < *least) {
                best = Some((rank, play));
            }
            if rank == (0, 0) {
                break;
            }
        }
        let play = best.map_or_else(|| self.play(&games::invent(1, 80), &[]), |(_, play)| play);
        self.played += 1;
        self.standing = play.standing.clone();
        play
    }

    fn play(&mut self, record: &GameRecord, incidents: &[PlannedIncident]) -> Play {
        let options = &self.options;
        let flag = incidents.iter().any(|planned| planned.incident == Incident::Flag);
        let time_control = options.flag_control.as_ref().filter(|_| flag).unwrap_or(&options.time_control);
        people::play(
            record,
            &PlayOptions {
                handling: options.handling.clone(),
                thinking: options.thinking,
                time_control: time_control.clone(),
                control: options.control,
                incidents: incidents.to_vec(),
                start: Timestamp::ZERO,
                orders: false,
                standing: self.standing.clone(),
                seed: self.random.number(),
            },
        )
    }

    /// Returns the incidents of the next game. All incidents are distributed over the boards; with more boards
    /// than incidents every board has one.
    fn plan(&mut self) -> Vec<PlannedIncident> {
        let (boards, names) = (self.options.boards.max(1), self.options.incidents.len());
        let number = self.number + self.played;
        let own = |place: usize| {
            if names >= boards { place % boards == number % boards } else { place == number % names }
        };
        let mine: Vec<_> =
            self.options.incidents.iter().copied().enumerate().filter(|(place, _)| own(*place)).collect();
        let mut from_ply = 4;
        let mut plan = Vec::new();
        for (place, incident) in mine {
            from_ply += u32::try_from(self.random.below(5)).unwrap_or(0);
            let alternating = if (place + number + self.played).is_multiple_of(2) {
                RulingStyle::Arbiter
            } else {
                RulingStyle::Stands
            };
            plan.push(PlannedIncident {
                incident,
                from_ply,
                ruling: self.options.ruling.unwrap_or(alternating),
            });
            from_ply += 3;
        }
        plan
    }
}

#[cfg(test)]
mod tests;
