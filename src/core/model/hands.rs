//! What hands can do, and by what two are told from one (`rules/two_hands.rs`): the scan of the board bounds how long a piece was
//! in the air.

use std::time::Duration;

/// Pieces that a player may have in the hands when the board is heard of again.
pub(crate) const BOTH: usize = 2;

/// A slower board says nothing about captures, promotions, and pieces that are held in the air.
pub(crate) const SLOWEST_SCAN: Duration = Duration::from_millis(300);

/// Scans for which king and rook must both be in the air.
pub(crate) const OVERLAP: u32 = 3;

/// What a slow board takes for a scan: less than this in the air may be the order in which it looks at its squares.
pub(crate) const SLOW_SCAN: Duration = Duration::from_millis(520);

/// A square, millimetres.
pub(crate) const PITCH_MM: u64 = 55;

/// Speed of a hand that is worth a remark, millimetres a millisecond.
pub(crate) const SPEED: u64 = 2;

/// What a sensed instant is worth: the scan of a common board and the reading lag of its line. At this slack no
/// board is wide enough to show more than a possibility.
pub(crate) const SLACK: Duration = Duration::from_millis(250);
