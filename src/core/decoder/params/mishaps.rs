//! What people and boards do that the emulator plays, and no price of its own stands for: how often, and for how long.

use super::Price;

/// Rates and times of mishaps beside those of [`HandParams`](super::HandParams), [`ClockParams`](super::ClockParams) and
/// [`SensorParams`](super::SensorParams).
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MishapParams {
    /// A piece is held over a square beside its target, which reads it, for each move. Assumed: one in 50.
    pub hover: Price,
    /// Fallen pieces are left until a move needs them, for each time that some lie at the press. Assumed: one in 5.
    pub left_lying: Price,
    /// How long it takes until the player or his opponent begins to put up what lies, from and to, milliseconds. Assumed.
    pub notice_ms: [i32; 2],
    /// From the press to the press back, from and to, milliseconds; half of them within 1.5 s. Assumed.
    pub press_back_ms: [i32; 2],
    /// How long a lever that swings back takes for each way, from and to, milliseconds. Assumed: two presses within 0.2 s are one.
    pub swing_ms: [i32; 2],
    /// It stays there, and the player presses once more, for each. Assumed: one in 2.
    pub swing_stays: Price,
    /// How long a piece beside the middle of its square is not read, from and to, milliseconds. Operators: seconds.
    pub unread_ms: [i32; 2],
    /// How long a square beside a move reads a piece in the hand, from and to, milliseconds. Recordings: 0.1 to 0.3 s, seldom more.
    pub ghost_ms: [i32; 2],
}

impl MishapParams {
    pub(super) const DEFAULT: Self = Self {
        hover: Price::tenths(39),
        left_lying: Price::tenths(16),
        notice_ms: [300, 2000],
        press_back_ms: [600, 6000],
        swing_ms: [30, 100],
        swing_stays: Price::tenths(7),
        unread_ms: [800, 6000],
        ghost_ms: [100, 1500],
    };
}
