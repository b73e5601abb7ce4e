//! Can this player checkmate by any series of legal moves? By the material, or by a search for a helpmate.
//!
//! The search takes some milliseconds in most positions, seconds and some tens of megabytes where it gives up. It belongs on a
//! thread of its own, never in the path of events.

use shakmaty::Color;

use super::{
    helpmate,
    mating::{self, Winnability},
};
use crate::position::Position;

/// Answers by proof; [`Winnability::Unknown`] for positions that no legal play leads to, and where the search gives
/// up.
#[must_use]
pub fn verdict(position: &Position, winner: Color) -> Winnability {
    if mating::material(position.board(), winner) == Winnability::Unwinnable {
        return Winnability::Unwinnable;
    }
    position.lawful().map_or(Winnability::Unknown, |lawful| helpmate::proof(lawful, winner))
}
