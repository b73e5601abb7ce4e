//! By what a board's own faults are recognised (`tracker/sensor_faults.rs`).

use std::time::Duration;

/// What is over within this was no hand's work, or a piece put right in passing.
pub(crate) const MOMENT: Duration = Duration::from_secs(1);

/// A hand that lifts a piece and puts it back takes longer than this.
pub(crate) const BLINK: Duration = Duration::from_millis(300);

/// Over this time blinks are counted …
pub(crate) const MEMORY: Duration = Duration::from_mins(2);

/// … and so many on one square are a fault.
pub(crate) const BLINKS: usize = 4;

/// Blinks that are looked back on: on a board that is weak all over some squares still stand out.
pub(crate) const MOST_BLINKS: usize = 16;

/// Changes that are looked back on.
pub(crate) const RECENT: usize = 12;

/// Pieces noticed after the press before the board is to blame rather than the player.
pub(crate) const LATE: u8 = 2;

/// What a board is thought to have reported, and to have lost, before anything is known of it: so few that its own
/// faults soon count for more.
pub(crate) const SOUND_REPORTS: f64 = 68.0;
/// See [`SOUND_REPORTS`].
pub(crate) const SOUND_LOST: f64 = 0.25;

/// What a lost change costs on a sound board, which loses less than one in 130; see [`super::cost`].
pub(crate) const SOUND_LOSS: u32 = 49;

/// Changes that a board has to have reported, and none lost, before a press without a move needs no dump to be certain.
///
/// If one board in 50 loses 3 % of its changes, a move of which both ends are lost is then less likely than one press
/// without a move in a thousand.
pub(crate) const PROVEN: u32 = 150;

/// Pieces that all read alike before a board is known not to identify them: a side has eight pawns.
pub(crate) const LEAST_ALIKE: usize = 16;
