//! What squares, boards and lines do.

use super::{Growth, Price};

/// Rates and times of sensing.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct SensorParams {
    /// Changes that a board is taken to have reported, with one lost, before anything is known of it: what is learned of a board
    /// starts from here. Recordings: a sound board loses fewer than one in 500.
    pub lost_prior: u32,
    /// A square reports nothing at all, for each square that a ply goes to and that has shown nothing yet. Range 30 to 60 tenths;
    /// recordings: one board in 20 has one.
    pub dead: Price,
    /// The same on a board of which another square is known to be dead. Range 45 to 60 tenths; recordings: hardly a board has two.
    pub further_dead: Price,
    /// A square that was taken for dead reports again, for each. Assumed: one in 7.
    pub works: Price,
    /// Another change that a dead square did not report, for each. Assumed: 82 %.
    pub known_dead: Price,
    /// A piece is put down off its centre, and read late or not at all, for each placement. Fitted, 35 to 50 tenths; operators report
    /// it from every round.
    pub off_centre: Price,
    /// A piece stood on a square too briefly to be seen, for each placement that is followed by a lift. Protocol: a scan takes 0.2 s.
    pub blink: Price,
    /// A piece is reported gone from where it had not been reported, for each. Fitted.
    pub unseen_visit: Price,
    /// A piece reads for a moment where it is not, for each change; dearer if it stays there. Fitted; recordings: 3 % of the moves of
    /// blitz show one beside.
    pub ghost: Growth,
    /// It stands on a square for seconds, and went on to one that does not show it, for each ply. Fitted.
    pub passed: Growth,
    /// A change has not been reported yet, up to `late_short_ms`, up to `late_long_ms`, and from there on. Protocol: a scan takes 0.2 s,
    /// over Bluetooth up to 0.5 s.
    pub late_short: Price,
    /// See [`Self::late_short`].
    pub late_short_ms: i32,
    /// See [`Self::late_short`].
    pub late_long: Price,
    /// See [`Self::late_short`].
    pub late_long_ms: i32,
    /// See [`Self::late_short`]; it ends at what it costs that a change is never reported.
    pub late_beyond: Growth,
    /// A piece that was away from a square for less than this may not have been seen there, milliseconds. Protocol: scans.
    pub blink_ms: i32,
    /// A change is reported before another one that happened earlier, for each. Protocol: the order of a scan.
    pub ahead: Growth,
    /// How long such a pair may take, milliseconds. Protocol.
    pub ahead_ms: i32,
}

impl SensorParams {
    pub(super) const DEFAULT: Self = Self {
        lost_prior: 500,
        dead: Price::tenths(42),
        further_dead: Price::tenths(53),
        works: Price::tenths(20),
        known_dead: Price::tenths(2),
        off_centre: Price::tenths(44),
        blink: Price::tenths(22),
        unseen_visit: Price::tenths(25),
        ghost: Growth::tenths(30, 300, 90, 45),
        passed: Growth::tenths(4, 500, 60, 106),
        late_short: Price::tenths(4),
        late_short_ms: 300,
        late_long: Price::tenths(8),
        late_long_ms: 600,
        late_beyond: Growth::tenths(20, 600, 60, 0),
        blink_ms: 1200,
        ahead: Growth::tenths(9, 600, 90, 66),
        ahead_ms: 800,
    };

    /// Returns the price of a change that has not been reported after so long, if it costs `top` that it never is.
    #[must_use]
    pub fn late(&self, age_ms: i32, top: Price) -> Price {
        if age_ms < self.late_short_ms {
            self.late_short
        } else if age_ms < self.late_long_ms {
            self.late_long
        } else {
            self.late_beyond.at_most(age_ms, top)
        }
    }
}
