//! Owns the chess clock as the board reports it: whose time runs, what the displays show, who pressed.
//!
//! Knows clock sides and colours, and nothing of moves.

use shakmaty::{ByColor, Color};

use crate::event::Times;

/// What is known about the clock, in colours.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct ClockView {
    /// What the displays show, unless there is no clock.
    pub times: Option<Times>,
    /// Whose time runs.
    pub running: Option<Color>,
    /// Whether the board has a clock.
    pub connected: bool,
    /// Whether the clock shows its battery sign.
    pub low_battery: bool,
    /// Whose flags are shown as fallen.
    pub flags: ByColor<bool>,
}
