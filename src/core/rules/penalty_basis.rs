//! What the penalty for an offence is computed from: kept with its alert, as the penalty may change later.

use shakmaty::{ByColor, Color};

use crate::event::Times;

/// What a penalty is computed from, also later.
#[derive(Clone, Copy, Debug)]
pub(super) struct Basis {
    pub(super) side: Color,
    /// The displays at the press.
    pub(super) clock: Option<Times>,
    /// The whole increment that the press won, seconds; 0 if the player keeps it.
    pub(super) increment_s: u32,
    /// The moves of each player that count once all is put right.
    pub(super) counted: ByColor<usize>,
}
