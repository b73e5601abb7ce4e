//! How a game is to be played: who, how fast, what goes wrong.

use shakmaty::Board;

use super::handling::{Handling, Thinking};
use crate::incident::PlannedIncident;
use jadoube_core::{
    laws::{Control, Edition, EventSettings, Laws, TimeControl},
    time::Timestamp,
};

/// How a game is to be played.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// How the players move pieces.
    pub handling: Handling,
    /// How long they think.
    pub thinking: Thinking,
    /// What the clock is set to.
    pub time_control: TimeControl,
    /// Which part of the Laws applies; it decides the time that an arbiter adds.
    pub control: Control,
    /// The incidents, each from a ply on.
    pub incidents: Vec<PlannedIncident>,
    /// When the players sit down.
    pub start: Timestamp,
    /// Whether the arbiter enters the rulings as orders.
    pub orders: bool,
    /// The pieces then; the players set up the start position first.
    pub standing: Board,
    /// Seed of all random choices.
    pub seed: u64,
}

impl PlayOptions {
    /// Returns options without incidents, with the handling and the part of the Laws that suit the time control.
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
