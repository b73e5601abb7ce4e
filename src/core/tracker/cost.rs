//! What each oddity costs an explanation.
//!
//! Costs are ten times the negative natural logarithm of a rough probability, so that costs add up where
//! probabilities multiply: 23 is one in ten, 46 one in a hundred, 69 one in a thousand. The rates behind them are
//! those of real recordings where there are any, and of the faults that operators report.

/// A square that is known to lie does so again.
pub(super) const KNOWN_LIE: u32 = 2;

/// A placement was not reported by a square that has never shown anything: it may be dead.
pub(super) const DEAD_SQUARE: u32 = 42;

/// A square that was held to be dead shows a piece for the first time.
pub(super) const WORKS_AFTER_ALL: u32 = 20;

/// A square that works did not report a change.
pub(super) const LOST_UPDATE: u32 = 56;

/// A change was not reported, but a dump told it later.
pub(super) const LOST_AND_FOUND: u32 = 18;

/// A captured pawn was not reported to have left: more likely it was forgotten.
pub(super) const VICTIM_LEFT: u32 = 100;

/// A piece stood for less than a scan, since the opponent took it at once.
pub(super) const BLINK: u32 = 22;

/// A piece that nobody should have touched reads as missing.
pub(super) const MISSING: u32 = 50;

/// A square shows a piece that should not be there.
pub(super) const STRAY: u32 = 75;

/// A square shows another piece than it should.
pub(super) const WRONG_PIECE: u32 = 95;

/// The side to move has a piece in the hand.
pub(super) const IN_HAND: u32 = 2;

/// The side to move has put a piece down where it will not stay.
pub(super) const PARKED: u32 = 6;

/// The side to move has taken its victim off first.
pub(super) const VICTIM_LIFTED: u32 = 8;

/// A piece left its new square before its side pressed, and the opponent has lifted one that may capture it.
pub(super) const TAKEN_EARLY: u32 = 14;

/// A player has taken a piece that did not move into the hand, after moving another.
pub(super) const ADJUSTED: u32 = 25;

/// The hand passed over a square.
pub(super) const PASSED_OVER: u32 = 3;

/// A lift that led to nothing.
pub(super) const TOUCHED: u32 = 1;

/// A piece that was put down, as a ply says, left again before the press, and nobody saw it come down elsewhere.
pub(super) const SLID_ON: u32 = 60;

/// A piece was slid over a square, and the square did not report that it left.
pub(super) const SLID_OVER: u32 = 36;

/// A piece showed up where no hand can have brought it.
pub(super) const GHOST: u32 = 30;

/// A piece was lifted before the ply that came first was made.
pub(super) const LIFTED_EARLY: u32 = 8;

/// Two plies were shown in the wrong order, as fast hands and a slow scan may have it.
pub(super) const OVERTAKEN: u32 = 10;

/// Two plies were shown in the wrong order, by more than sensing explains.
pub(super) const OUT_OF_ORDER: u32 = 30;

/// A move was made, and the clock did not show that it was pressed.
pub(super) const UNSEEN_PRESS: u32 = 18;

/// The opponent replied before the press.
pub(super) const EARLY_REPLY: u32 = 4;

/// The clock was pressed without a move.
pub(super) const NULL_PRESS: u32 = 60;

/// The same, while a piece stood where no move can have put it.
pub(super) const NULL_PRESS_AMISS: u32 = 100;

/// The clock was pressed with a piece in the hand.
pub(super) const IN_THE_AIR: u32 = 36;

/// The clock was pressed back after an offence.
pub(super) const REACTION: u32 = 4;

/// The clock was pressed by a side that had no move to complete and none to make.
pub(super) const NO_DUTY: u32 = 48;

/// One piece was moved as it does not move, or the king was left in check.
pub(super) const ILLEGAL: u32 = 60;

/// The board was left in another state that no legal move leads to.
pub(super) const IRREGULAR: u32 = 85;

/// A piece appeared that had not stood on the board.
pub(super) const FROM_NOWHERE: u32 = 55;

/// The mover's own king is off the board.
pub(super) const OWN_KING_GONE: u32 = 120;

/// What each further square of such a state costs.
pub(super) const IRREGULAR_SQUARE: u32 = 10;

/// What each further piece costs that was moved from one square to another.
pub(super) const IRREGULAR_PIECE: u32 = 20;

/// A press without a move was accepted, and the opponent moved on.
pub(super) const PASS: u32 = 25;

/// Pieces went back to an earlier position while the clock stood still.
pub(super) const REINSTATED: u32 = 15;

/// Pieces went back to an earlier position while the clock ran.
pub(super) const TAKEN_BACK: u32 = 60;

/// What each further ply taken back costs.
pub(super) const TAKEN_BACK_PLY: u32 = 6;

/// A ply was made while nothing was heard of the board.
pub(super) const UNHEARD: u32 = 8;

/// A player left a piece to be taken, in a move that nobody saw.
pub(super) const SENSELESS: u32 = 6;

/// A player let a capture or a threat wait, in moves that nobody saw; for each pawn's worth.
pub(super) const DELAY: u32 = 2;

/// A piece went by a detour where it could have gone at once.
pub(super) const DETOUR: u32 = 25;

/// When the board was heard of again, the last of these plies had not been pressed.
pub(super) const UNPRESSED: u32 = 16;

/// A pawn that stands where it may have passed two squares has just done so, in a game that is adopted in its middle.
pub(super) const JUST_PASSED: u32 = 20;

/// An explanation that is this much worse than the best is dropped.
pub(super) const MARGIN: u32 = 80;

/// A lead by which no other explanation is left for practical purposes.
pub(super) const CERTAIN: u32 = 38;

/// A lead by which the other explanations need a quirk of the sensors.
pub(super) const LIKELY: u32 = 14;

/// A move that nobody saw left a piece to be taken; for each pawn's worth.
pub(super) const BLUNDER: u32 = 1;

/// A player lifted a piece, and then moved another one unseen.
pub(super) const LIFTED_AND_LEFT: u32 = 14;

/// A piece is off the board when the board is heard of again.
pub(super) const LIFTED_IN_SILENCE: u32 = 12;

/// A ply that the board showed before it fell silent was taken back or was never made.
pub(super) const SHOWN_AND_GONE: u32 = 25;

/// Both displays together are off by a second, squared: an error of 0.6 s.
pub(super) const CLOCK_SECOND_OFF: f64 = 14.0;

/// The clock stood still for a while, or was set, while nobody heard it.
pub(super) const CLOCK_STOOD: u32 = 60;

/// Returns the cost of what happens once in so many times.
pub(super) fn of_one_in(times: f64) -> u32 {
    const TENTH_OF_E: f64 = 1.105_170_918_075_647_7;
    let powers = std::iter::successors(Some(1.0), |power| Some(power * TENTH_OF_E));
    (0..MARGIN).zip(powers).find(|(_, power)| *power >= times).map_or(MARGIN, |(cost, _)| cost)
}
