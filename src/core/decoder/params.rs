//! Owns every rate, time and price of the decoder, each once: what the decoder scores with and the emulator samples from.
//!
//! # Units
//!
//! Prices are [`Price`]s, 1/256 nat; a price in tenths of a nat (−10·ln p) is made by [`Price::tenths`]. Times are milliseconds and
//! end in `_ms`. A price is what one occurrence costs, given that it is possible there: for each ply, press, piece or square, as its
//! comment says. `probability` of a price is the rate to sample by. Prices lie between 0 and [`Price::NEVER`]; those of single
//! actions between 0 and 140 tenths.
//!
//! # Sources
//!
//! *Recordings*: counted in recorded tournament games. *Protocol*: `protocol/PROTOCOL.md`. *Fitted*: chosen so that stories are distinguished
//! apart on games that never judge. *Assumed*: no measurement exists.

use super::price::{Growth, Price};

mod acts;
mod mishaps;
mod reporting;
mod sensing;

pub use self::{
    acts::{ClockParams, HandParams, MoveParams, RoundParams},
    mishaps::MishapParams,
    reporting::{ClaimParams, SearchParams},
    sensing::SensorParams,
};

/// All numbers of the decoder.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Params {
    /// What squares, board and line do.
    pub sensors: SensorParams,
    /// What hands do to pieces beside moving them.
    pub hands: HandParams,
    /// What players do to the clock.
    pub clock: ClockParams,
    /// Which plies are made, and when.
    pub moves: MoveParams,
    /// How games begin and end, and what nobody heard.
    pub round: RoundParams,
    /// What the emulator plays besides.
    pub mishaps: MishapParams,
    /// From a posterior to a word.
    pub claims: ClaimParams,
    /// How much is searched and kept.
    pub search: SearchParams,
}

impl Params {
    /// The numbers that the program uses.
    pub const DEFAULT: Self = Self {
        sensors: SensorParams::DEFAULT,
        hands: HandParams::DEFAULT,
        clock: ClockParams::DEFAULT,
        moves: MoveParams::DEFAULT,
        round: RoundParams::DEFAULT,
        mishaps: MishapParams::DEFAULT,
        claims: ClaimParams::DEFAULT,
        search: SearchParams::DEFAULT,
    };

    /// The same with fewer stories: for the moves, of which the best story says enough.
    pub const BRIEF: Self = Self { search: SearchParams::BRIEF, ..Self::DEFAULT };
}

impl Default for Params {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests;
