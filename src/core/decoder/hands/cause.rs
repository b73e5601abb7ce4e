//! Why a square does not show what stands on it, and what that costs in time.

use super::super::{params::Params, price::Price};

/// Why a square does not show what stands on it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Cause {
    /// Missing: it is in the hand of the side to move.
    Hand,
    /// Missing: king or rook, with the other one in the hand.
    Pair,
    /// Missing: it is being captured.
    Victim,
    /// Missing: it fell, or is adjusted.
    Fallen,
    /// Missing: it reads on another square.
    Displaced,
    /// Missing: the clock stands, and pieces are handled freely.
    Free,
    /// The change is to be reported yet.
    Late,
    /// Missing: it is to be reported yet that it came; it may be off its centre.
    Arriving,
    /// Missing: it was there too briefly.
    Blink,
    /// Too many: a pawn captured in passing, which is to be taken off yet, or was forgotten.
    Forgotten,
    /// Too many: slid over, or put down on the way.
    Slid,
    /// Too many: on the way of a ply that is made.
    Passed,
    /// Too many: brushed to the next square.
    Shoved,
    /// Too many: on the next square, carried.
    Far,
    /// Too many: farther away.
    Farther,
    /// Too many: on the square of another piece that fell with it.
    Exchanged,
    /// Too many: a captured piece beside its square.
    Beside,
    /// Too many: reported before it is reported gone from elsewhere.
    Ahead,
    /// Too many: about to replace a pawn.
    Promoting,
    /// Too many: a piece handled freely.
    FreeMoved,
    /// Too many: another one, while the clock stands.
    FreeStray,
    /// Too many: a piece that reads where it is not.
    Stray,
}

impl Cause {
    /// Returns its price after so long, if it costs `never` that the change is never reported; `dead`: the square is known not to work.
    pub(crate) fn price(self, age_ms: i32, never: Price, dead: bool, params: &Params) -> Price {
        let (hands, sensors) = (&params.hands, &params.sensors);
        match self {
            Self::Hand => hands.in_hand,
            Self::Pair => hands.pair,
            Self::Victim => hands.victim.at(age_ms),
            Self::Fallen => hands.fallen.at(age_ms),
            Self::Displaced => hands.fallen.base,
            Self::Free => hands.free,
            Self::Late | Self::Arriving | Self::Blink | Self::Forgotten if dead => sensors.known_dead,
            Self::Late => sensors.late(age_ms, never),
            Self::Arriving => sensors.late(age_ms, sensors.off_centre.min(never)),
            Self::Blink => sensors.late(age_ms, never).max(sensors.blink).min(sensors.off_centre),
            Self::Forgotten => sensors.late(age_ms, hands.victim_left),
            Self::Slid => hands.slid.at(age_ms),
            Self::Passed => sensors.passed.at(age_ms),
            Self::Shoved => hands.shoved.at(age_ms),
            Self::Far => hands.moved_far.at(age_ms),
            Self::Farther => hands.moved_farther.at(age_ms),
            Self::Exchanged => hands.exchanged,
            Self::Beside => hands.beside.at(age_ms),
            Self::Ahead => sensors.ahead.at(age_ms),
            Self::Promoting => hands.promoting,
            Self::FreeMoved => hands.free_moved,
            Self::FreeStray => hands.free_stray,
            Self::Stray => sensors.ghost.at(age_ms),
        }
    }

    /// Returns whether the board has not reported yet what happened.
    pub(crate) const fn is_unreported(self) -> bool {
        matches!(self, Self::Late | Self::Arriving | Self::Blink | Self::Forgotten)
    }

    /// Returns whether a piece lies amiss, which the opponent may press back for (Art. 7.4.2).
    pub(crate) const fn is_amiss(self) -> bool {
        matches!(
            self,
            Self::Fallen
                | Self::Displaced
                | Self::Shoved
                | Self::Far
                | Self::Farther
                | Self::Exchanged
                | Self::Beside
                | Self::Stray
        )
    }

    /// Returns whether the opponent may press back for it as things look: what is off the board to be captured may have fallen.
    pub(crate) const fn looks_amiss(self) -> bool {
        self.is_amiss() || matches!(self, Self::Victim)
    }

    /// Returns whether it reads on another square than it stands on.
    pub(crate) const fn is_elsewhere(self) -> bool {
        matches!(self, Self::Shoved | Self::Far | Self::Farther | Self::Exchanged)
    }

    /// Returns a number for keys.
    pub(crate) const fn number(self) -> u64 {
        match self {
            Self::Hand => 0,
            Self::Pair => 1,
            Self::Victim => 2,
            Self::Fallen => 3,
            Self::Displaced => 4,
            Self::Free => 5,
            Self::Late => 6,
            Self::Arriving => 7,
            Self::Blink => 8,
            Self::Slid => 9,
            Self::Passed => 10,
            Self::Shoved => 11,
            Self::Far => 12,
            Self::Farther => 13,
            Self::Beside => 14,
            Self::Ahead => 15,
            Self::Promoting => 16,
            Self::FreeMoved => 17,
            Self::FreeStray => 18,
            Self::Stray => 19,
            Self::Forgotten => 20,
            Self::Exchanged => 21,
        }
    }
}
