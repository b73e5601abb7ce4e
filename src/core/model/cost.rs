//! What each oddity costs an explanation or a hypothesis, in units of −10·ln p: from 0 (as usual) to 140.

// Sensors: what a square or the line does.

/// A square that is known to be faulty reads wrongly again: 82 %.
pub(crate) const KNOWN_CORRUPTED: u32 = 2;

/// A placement was not reported by a square that has never shown anything: it may be dead: one in 67.
pub(crate) const DEAD_SQUARE: u32 = 42;

/// The same, on a board of which another square has never shown anything either: one in 200.
pub(crate) const FURTHER_DEAD_SQUARE: u32 = 53;

/// A square that was held to be dead shows a piece for the first time: one in 7.
pub(crate) const WORKS_AFTER_ALL: u32 = 20;

/// A square that works did not report a change: one in 270.
pub(crate) const LOST_UPDATE: u32 = 56;

/// A change was not reported, but a dump showed it later: one in 6.
pub(crate) const LOST_AND_FOUND: u32 = 18;

/// A captured pawn was not reported to have left: more likely it was forgotten: one in 22,000.
pub(crate) const VICTIM_LEFT: u32 = 100;

/// A piece stood for less than a scan, since the opponent took it at once: one in 9.
pub(crate) const BLINK: u32 = 22;

/// A piece that nobody should have touched reads as missing: one in 150.
pub(crate) const MISSING: u32 = 50;

/// A square shows a piece that should not be there: one in 1,800.
pub(crate) const STRAY: u32 = 75;

/// A square shows another piece than it should: one in 13,000.
pub(crate) const WRONG_PIECE: u32 = 95;

/// A piece that was put down, as a ply says, left again before the press, and nobody saw it come down elsewhere: one in 400.
pub(crate) const SLID_ON: u32 = 60;

/// A ply of which nothing was reported at all was this one, rather than any other: one in 20.
pub(crate) const THIS_OF_ALL: u32 = 30;

/// Neither end of a ply was reported, and its piece stands where it stood: such a ply is made up more often than it is lost. Fitted.
pub(crate) const NOTHING_SEEN: u32 = 12;

/// A piece was slid over a square, and the square did not report that it left: one in 37.
pub(crate) const SLID_OVER: u32 = 36;

/// A piece stood beside the middle of its square, and was noticed only after the opponent had moved: one in 55.
pub(crate) const NOTICED_LATE: u32 = 40;

/// A piece showed up where no hand can have brought it: one in 20.
pub(crate) const GHOST: u32 = 30;

/// A piece rested where its side pressed, for longer than a hand passes over a square, and was moved elsewhere: one in 150.
pub(crate) const RESTED_AT_PRESS: u32 = 50;

// Where pieces go that nobody sees arrive: counted over 400 games of a World Cup (moves without captures, by the file they lead to; the
// nearest to the edge of the board first), beside the most usual of the same piece.

/// A pawn goes one rank from where it stands at first, by its file from a to h.
pub(crate) const ONE_RANK: [u32; 8] = [0, 0, 5, 8, 4, 0, 0, 0];

/// It goes two.
pub(crate) const TWO_RANKS: [u32; 8] = [1, 1, 0, 0, 0, 0, 8, 5];

/// A knight goes there; between b- and d-file what stands around says more.
pub(crate) const KNIGHT_TO: [u32; 4] = [15, 4, 0, 4];

/// A bishop goes there.
pub(crate) const BISHOP_TO: [u32; 4] = [10, 0, 2, 0];

/// A queen goes there.
pub(crate) const QUEEN_TO: [u32; 4] = [4, 2, 0, 0];

// Hands: how pieces are moved.

/// The side to move has a piece in the hand: 82 %.
pub(crate) const IN_HAND: u32 = 2;

/// The side to move has put a piece down where it will not stay: 55 %.
pub(crate) const PARKED: u32 = 6;

/// The side to move had put a piece, before the opponent pressed, to where no move takes it, and it stands there still: one in 100.
pub(crate) const PARKED_AMISS: u32 = 46;

/// The side to move has taken its victim off first: 45 %.
pub(crate) const VICTIM_LIFTED: u32 = 8;

/// A piece left its new square before its side pressed, and the opponent has lifted one that may capture it: one in 4.
pub(crate) const TAKEN_EARLY: u32 = 14;

/// A king that castles is not on its square when the press is judged, and the rook is: one in 37.
pub(crate) const KING_TO_COME: u32 = 36;

/// A player has taken a piece that did not move into the hand, after moving another: one in 12.
pub(crate) const ADJUSTED: u32 = 25;

/// A player has taken a piece that did not move into the hand, or knocked it over, before moving another: one in 90.
pub(crate) const ADJUSTED_FIRST: u32 = 45;

/// A hand or a sleeve shoved a piece to the square beside its own, where it stands: one in 150.
pub(crate) const SHOVED: u32 = 50;

/// The same, to where its player could have moved it: one in 670, as that is rather a move.
pub(crate) const SHOVED_AS_IT_MOVES: u32 = 65;

/// Another piece fell with one that was shoved or knocked over: one in 7.
pub(crate) const FELL_ALONG: u32 = 20;

/// The hand passed over a square: 74 %.
pub(crate) const PASSED_OVER: u32 = 3;

/// A captured piece stands on the board for a moment, where its captor has put it: one in 33; measured: after 3 % of the moves in blitz it
/// shows up once more.
pub(crate) const VICTIM_PARKED: u32 = 35;

/// A lift that led to nothing: 90 %.
pub(crate) const TOUCHED: u32 = 1;

/// A piece was lifted before the ply that came first was made: 45 %.
pub(crate) const LIFTED_EARLY: u32 = 8;

/// Two plies were shown in the wrong order, as fast hands and a slow scan may have it: 37 %.
pub(crate) const OVERTAKEN: u32 = 10;

/// Two plies were shown in the wrong order, by more than sensing explains: one in 20.
pub(crate) const OUT_OF_ORDER: u32 = 30;

// Clock: what is pressed and shown.

/// A move was made, and the clock did not show that it was pressed: one in 6.
pub(crate) const UNSEEN_PRESS: u32 = 18;

/// Both players pressed between two readings of the clock, after plies that the board showed at once: 45 %.
pub(crate) const HIDDEN_PRESSES: u32 = 8;

/// A player pressed for a move only after the opponent's reply and the next move of his own: one in 6.
pub(crate) const OVERDUE: u32 = 18;

/// The same, while the clock still reported that the player had not pressed when the board had shown that move: one in 400.
pub(crate) const LONG_OVERDUE: u32 = 60;

/// The opponent replied before the press: 67 %.
pub(crate) const EARLY_REPLY: u32 = 4;

/// The clock was pressed without a move: one in 400.
pub(crate) const NULL_PRESS: u32 = 60;

/// The same, while a piece stood where no move can have put it: one in 22,000.
pub(crate) const NULL_PRESS_AMISS: u32 = 100;

/// The clock was pressed with a piece in the hand: one in 37.
pub(crate) const IN_THE_AIR: u32 = 36;

/// The clock was pressed back after an offence: 67 %.
pub(crate) const REACTION: u32 = 4;

/// The same, while the piece that was in the hand at the offence still was, after more than [`super::wait::HELD`]: one in 1,800.
pub(crate) const HELD_ON: u32 = 75;

/// A press back because pieces of the opponent's lie amiss (Art. 7.4). Fitted on emulated games.
pub(crate) const PRESSED_BACK: u32 = 12;

/// The piece of a ply that breaks the rules was taken off its square again, to be put right: 67 %.
pub(crate) const PUT_RIGHT: u32 = 4;

/// The clock was pressed by a side that had no move to complete and none to make: one in 120.
pub(crate) const NOT_DUE: u32 = 48;

/// Both displays together are off by a second, squared: an error of 0.6 s.
pub(crate) const CLOCK_SECOND_OFF: f64 = 14.0;

/// The clock stood still for a while, or was set, while nobody heard it: one in 400.
pub(crate) const CLOCK_STOOD: u32 = 60;

// Irregular moves.

/// One piece was moved as it does not move, or the king was left in check: one in 400.
pub(crate) const ILLEGAL: u32 = 60;

/// A king that was left where it is attacked was captured: one in 7.
pub(crate) const KING_TAKEN: u32 = 20;

/// A piece was captured by one of its own kind and colour, which the board does not show, rather than put back while that one was in the hand
/// at the press: one in 7.
pub(crate) const LIKE_TAKEN: u32 = 20;

/// The board was left in another state that no legal move leads to: one in 4,900.
pub(crate) const IRREGULAR: u32 = 85;

/// A piece appeared that had not stood on the board: one in 240.
pub(crate) const FROM_NOWHERE: u32 = 55;

/// The mover's own king is off the board: one in 160,000.
pub(crate) const OWN_KING_GONE: u32 = 120;

/// What each further square of such a state costs: 37 % each.
pub(crate) const IRREGULAR_SQUARE: u32 = 10;

/// What each further piece costs that was moved from one square to another: one in 7 each.
pub(crate) const IRREGULAR_PIECE: u32 = 20;

/// A piece of the opponent's that had left its square before he pressed was moved by the player whose turn came then.
pub(crate) const MOVED_IN_HIS_TIME: u32 = 80;

/// A press without a move was accepted, and the opponent moved on: one in 12.
pub(crate) const PASS: u32 = 25;

/// A player moved again while his opponent's time ran, and the opponent answered that move: one in 400.
pub(crate) const OUT_OF_TURN: u32 = 60;

/// Pieces went back to an earlier position while the clock stood still, or to that before an illegal move, as the Laws have it
/// (Art. 7.5.1): one in 4.
pub(crate) const REINSTATED: u32 = 15;

/// Pieces went back to an earlier position while the clock ran: one in 400.
pub(crate) const TAKEN_BACK: u32 = 60;

/// What each further ply taken back costs: 55 % each.
pub(crate) const TAKEN_BACK_PLY: u32 = 6;

// Stretches that nobody saw.

/// A ply was made while nothing was heard of the board: 45 %.
pub(crate) const UNHEARD: u32 = 8;

/// A player left a piece to be taken, in a move that nobody saw: 55 %.
pub(crate) const SENSELESS: u32 = 6;

/// A player let a capture or a threat wait, in moves that nobody saw; for each pawn's worth: 82 % each.
pub(crate) const DELAY: u32 = 2;

/// A piece went by a detour where it could have gone at once: one in 12.
pub(crate) const DETOUR: u32 = 25;

/// When the board was heard of again, the last of these plies had not been pressed: one in 5.
pub(crate) const UNPRESSED: u32 = 16;

/// A move that nobody saw left a piece to be taken; for each pawn's worth: 90 % each.
pub(crate) const BLUNDER: u32 = 1;

/// A player lifted a piece, and then moved another one unseen: one in 4.
pub(crate) const LIFTED_AND_LEFT: u32 = 14;

/// A piece is off the board when the board is heard of again: one in 3.
pub(crate) const LIFTED_IN_SILENCE: u32 = 12;

/// A ply that the board showed before it fell silent, or that no press completed, was taken back or was never made: one in 12.
pub(crate) const SHOWN_AND_GONE: u32 = 25;

/// A pawn that stands where it may have passed two squares has just done so, in a game that is adopted in its middle: one in 7.
pub(crate) const JUST_PASSED: u32 = 20;

// Leads.

/// An explanation that is this much worse than the best is dropped.
pub(crate) const MARGIN: u32 = 80;

// Seats: which way the board lies, and on which side of the clock White sits.

/// The clock does not stand as the board lies (White on the left, or on the right of a board that is turned).
///
/// Two clocks in three do; operators mirror the others to the arbiters' side.
pub(crate) const CLOCK_MIRRORED: u32 = 7;

/// A game from its start position begins with the wrong side's time running: about one in twelve, as levers are
/// left from the game before.
pub(crate) const WRONG_LEVER: u32 = 25;

/// A side presses after only the other colour has moved: one in a hundred (a late sensor, a hand that helps).
pub(crate) const OTHER_COLOUR_MOVED: u32 = 46;

/// Where the wrong side's time ran at the first move, its player hands the clock over after it: one in 16, so that the lever and one
/// press make seats known.
pub(crate) const HANDED_OVER: u32 = 28;

/// A side presses after only the other colour has lifted a piece: one in twenty (adjusted, taken early).
pub(crate) const OTHER_COLOUR_LIFTED: u32 = 30;

/// A pawn is seen to go backwards between two presses: one in two hundred (a take-back, a piece put right).
pub(crate) const PAWN_BACKWARDS: u32 = 53;

/// A pawn's distance from the middle of the board, for each rank, speaks for its side's end. Logistic regression
/// over positions of the recorded tournament games (ply 6 to the end; 149 games, 592 positions, none wrong).
pub(crate) const PAWN_RANK: i32 = 9;

/// The same for a king.
pub(crate) const KING_RANK: i32 = 13;

/// What a position alone can say at most: one in eight thousand is not what it looks like.
pub(crate) const LOOKS: i32 = 90;

/// Players change sides of the clock between two games on the same board: one in four hundred.
pub(crate) const CHANGED_SIDES: u32 = 60;

/// The configuration or an arbiter's order is wrong: one in sixty thousand.
pub(crate) const STATED: u32 = 110;

/// No lead is larger: three or four presses to the contrary make a case, however long a game has lasted.
pub(crate) const SEAT_LEAD: u32 = 140;

/// Seats with this lead are known: fewer than one in four hundred is wrong.
pub(crate) const SEATS_KNOWN: u32 = 60;

/// Another hypothesis has to be better by this before play is read by it.
pub(crate) const SEATS_SWITCH: u32 = 10;

/// Returns the cost of what happens once in so many times.
pub(crate) fn of_one_in(times: f64) -> u32 {
    const TENTH_OF_E: f64 = 1.105_170_918_075_647_7;
    let powers = std::iter::successors(Some(1.0), |power| Some(power * TENTH_OF_E));
    (0..MARGIN).zip(powers).find(|(_, power)| *power >= times).map_or(MARGIN, |(cost, _)| cost)
}
