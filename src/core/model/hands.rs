//! What hands can do, and by what two are distinguished from one (`rules/two_hands.rs`).
//!
//! A board that has just reported a square looks at it again one scan later. So a piece was lifted within the scan before the
//! report of its lift, and put down within the scan before the report of that: bounds for the time that it was in the air.

use std::time::Duration;

/// Pieces that a player may have in the hands when the board is heard of again.
pub(crate) const BOTH: usize = 2;

/// A slower board says nothing about captures, promotions, and pieces that are held in the air.
pub(crate) const SLOWEST_SCAN: Duration = Duration::from_millis(300);

/// A hand that passes over a square has gone on after this long.
pub(crate) const PASSING: Duration = Duration::from_secs(2);

/// Scans for which king and rook must both be in the air.
pub(crate) const OVERLAP: u32 = 3;

/// One hand takes two pieces up, or puts them down, no sooner one after the other; or a scan, if that is longer.
pub(crate) const IN_TURN: Duration = Duration::from_millis(250);

/// A board whose scan has not been measured may take this long for it: one over Bluetooth with the setting of a wired one.
pub(crate) const SLOW_SCAN: Duration = Duration::from_millis(520);

/// What a board that is polled on a line with others reports may have happened this long before.
pub(crate) const POLLED: Duration = Duration::from_secs(3);

/// A board whose scan has not been measured takes this long as a rule: 200 to 250 ms (`protocol/PROTOCOL.md`).
pub(crate) const COMMON_SCAN: Duration = Duration::from_millis(250);

/// A square, millimetres.
pub(crate) const PITCH_MM: u64 = 55;

/// Speed of a hand that is worth a remark, millimetres a millisecond …
pub(crate) const SPEED: u64 = 2;

/// … and one that no hand has: the board has to scan in 100 ms to show it.
pub(crate) const IMPOSSIBLE_SPEED: u64 = 4;
