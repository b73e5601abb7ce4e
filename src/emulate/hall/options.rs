//! Properties of a hall: boards, games, incidents, lines.

use crate::{
    clock::Speed,
    games::GameRecord,
    hostile::HostileFault,
    incident::{Incident, RulingStyle},
    people::{Handling, Thinking},
    wire::Faults,
};
use jadoube_core::laws::{Control, TimeControl};

/// Properties of a hall: boards, games, incidents, lines.
#[derive(Clone, Debug)]
pub struct HallOptions {
    /// Number of boards.
    pub boards: usize,
    /// Serial number of the first board; the others have the next ones.
    pub first_serial: u32,
    /// Address of the first board in bus mode, if it is not the lower 14 bits of its number; the others have the next
    /// ones.
    pub first_address: Option<u16>,
    /// The games, played in a random order without end.
    pub games: Vec<GameRecord>,
    /// Incidents, distributed over the boards.
    pub incidents: Vec<Incident>,
    /// What follows from offences; `None` alternates.
    pub ruling: Option<RulingStyle>,
    /// How the players move pieces.
    pub handling: Handling,
    /// How long they think.
    pub thinking: Thinking,
    /// The time control of the clocks.
    pub time_control: TimeControl,
    /// The time control of games in which a flag should fall; a short one saves waiting.
    pub flag_control: Option<TimeControl>,
    /// Which part of the Laws applies.
    pub control: Control,
    /// Speed of people and clocks; the lines run in real time.
    pub speed: Speed,
    /// Faults of the lines to the host.
    pub faults: Faults,
    /// Faults of the lines from the host.
    pub command_faults: Faults,
    /// Boards that are broken or meant to do harm; live and on lines of their own only.
    pub hostile: Vec<HostileFault>,
    /// Whether all boards share one line.
    pub bus: bool,
    /// Seed of all random choices.
    pub seed: u64,
}
