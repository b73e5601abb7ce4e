//! How long judgement waits for what may still come. A scan and `settle_ms` are the board's, and are added where they are named.

use std::time::Duration;

/// Added to the scan of a board before a press is judged, where all pieces stand on the board: a hand that goes on to the next square
/// within this is no offence; fitted, as 60 ms names more faults that are none.
pub(crate) const FIRST_LOOK: Duration = Duration::from_millis(120);

/// A piece that has stood in the place of a pawn for this long, while the clock stood, is the one that the pawn became.
pub(crate) const EXCHANGED: Duration = Duration::from_secs(1);

/// A pawn that was captured in passing and is off the board for this long after the press is not in the opponent's hand. Assumed.
pub(crate) const TAKEN_OFF: Duration = Duration::from_secs(2);

/// An offence is judged only when the board has been quiet for this long …
pub(crate) const QUIET: Duration = Duration::from_millis(300);

/// … but this long after the press at the latest.
pub(crate) const PATIENCE: Duration = Duration::from_millis(1400);

/// A board that is only seen through dumps has shown by then what stood on it at a press.
pub(crate) const NEXT_DUMP: Duration = Duration::from_secs(5);

/// On a line that damages reports nobody is accused before a dump has shown the same, if one comes within this, …
pub(crate) const NEXT_DUMP_IN_NOISE: Duration = Duration::from_secs(4);

/// … or within this, if it damages many.
pub(crate) const NEXT_DUMP_IN_HEAVY_NOISE: Duration = Duration::from_secs(11);

/// How long after damage a line is taken to damage: messages are looked at twice, and no report of one change is certain.
pub(crate) const DAMAGE_LASTS: Duration = Duration::from_mins(10);

/// The same after the first damage that a line has done: a stray byte is no sign that it changes others.
pub(crate) const ONE_DAMAGE_LASTS: Duration = Duration::from_secs(10);

/// A piece that has stood on a square at the press and for this long after it had not slid over that square.
pub(crate) const STOOD: Duration = Duration::from_secs(2);

/// A board that has stood still for this long shows what its players have made, though nobody has pressed for it.
pub(crate) const UNPRESSED: Duration = Duration::from_millis(1500);

/// How long judgement waits for more.
pub(crate) const AGAIN: Duration = Duration::from_millis(150);

/// Dumps come, if the last one is not older than this: the daemon asks every ten seconds.
pub(crate) const DUMPS_COME: Duration = Duration::from_secs(30);

/// Dumps that come less often than this are no picture of the play.
pub(crate) const SLOWEST_DUMPS: Duration = Duration::from_secs(5);

/// A piece that is in the hand at the press is put down within this; what shows later stood beside the middle of its
/// square.
pub(crate) const SLOW_HAND: Duration = Duration::from_millis(2300);

/// What is published and does not lead to what the board shows for this long is read again.
pub(crate) const SECOND_READING: Duration = Duration::from_secs(1);

/// The same while play does not go on: a move of several pieces may be under way.
pub(crate) const SECOND_READING_AT_REST: Duration = Duration::from_secs(3);

/// A piece that was in the hand at the press, and has stood where it stood before for this long, is not on its way any more.
pub(crate) const PUT_BACK: Duration = Duration::from_secs(1);

/// Plies that were shown this far apart were hardly pressed between two readings of the clock, which a board reads two or three times
/// a second.
pub(crate) const HIDDEN_PRESSES: Duration = Duration::from_secs(1);

/// A board reads its clock at least once within this, unless the reports of the clock never follow one another so soon.
pub(crate) const CLOCK_READ: Duration = Duration::from_millis(500);

/// A clock that runs and reports nothing for this long is not heard; it reports its time every second.
pub(crate) const CLOCK_SILENT: Duration = Duration::from_secs(5);

/// A clock that is never read twice within this is read seldom: others report every second, and each press.
pub(crate) const SELDOM: Duration = Duration::from_secs(2);

/// Where a board could not be heard for no longer than this and shows what it showed before, nobody has played meanwhile: hands that take
/// pieces up and put them elsewhere and back, and press for it, need longer.
pub(crate) const UNHEARD: Duration = Duration::from_secs(5);

/// A press that follows one of the opponent's within this is no reaction to it, and hardly a press of its own: hands need 0.2 s at least
/// from what they see to what they do.
pub(crate) const BOUNCE: Duration = Duration::from_millis(200);

/// A lever that goes to and fro and back within this, while no piece is moved, was not pressed by two players: the clock was knocked.
pub(crate) const KNOCKED: Duration = Duration::from_millis(750);

/// A piece that is in the hand longer than this was put down unseen, if the clock was pressed meanwhile.
pub(crate) const HELD: Duration = Duration::from_secs(5);

/// Added to a scan before what the board shows counts as made, so that the next square of a slide is in.
pub(crate) const HOLD: Duration = Duration::from_millis(60);

/// The same for a move that mates or stalemates: a result is not taken back, and a hand may rest on a square on the way to another. Hands
/// of emulated people rest for up to 0.8 s.
pub(crate) const HOLD_AT_END: Duration = Duration::from_millis(1500);

/// How long a start position has to stand in the middle of a game before it is a new game.
pub(crate) const NEW_GAME: Duration = Duration::from_secs(2);

/// How long a start position of which squares show nothing has to stand until a game begins, if no clock starts and no other
/// piece is moved before: who sets up pieces puts the next one down.
pub(crate) const INCOMPLETE_START: Duration = Duration::from_secs(5);

/// How long kings have to stand in the centre before they show a result, while the clock stands still …
pub(crate) const KINGS_STOPPED: Duration = Duration::from_secs(1);

/// … and while it runs.
pub(crate) const KINGS_RUNNING: Duration = Duration::from_secs(3);

/// If play has brought one of them there, the other one may come before it moves on to where it shows the result.
pub(crate) const KINGS_ONE_STOOD: Duration = Duration::from_millis(2500);

/// How long kings that have shown a result have to stand where they show another one: a king is carried over a square in less.
pub(crate) const KINGS_MOVED_ON: Duration = Duration::from_millis(1500);

/// How long a sign that shows a result has to stand after a dump has shown it, too.
pub(crate) const SIGN: Duration = Duration::from_secs(1);

/// How long a board has to be quiet, with its clock running, before a game is picked up in the middle.
pub(crate) const PICK_UP: Duration = Duration::from_secs(3);

/// A clock that blocks stands still from that very report on. One that says it is blocked and runs contradicts itself;
/// if its player is about to move, it may run on for the opponent within this.
pub(crate) const CONTRADICTION: Duration = Duration::from_millis(1500);

/// Players who have seen a flag stop the clock within this.
pub(crate) const FLAG_SEEN: Duration = Duration::from_secs(3);

/// What a piece that falls or is shoved takes from one square to the next, added to a scan: a hand that moves one takes longer.
pub(crate) const SHOVE: Duration = Duration::from_millis(50);

/// The same, and what a hand in passing may take for several.
pub(crate) const NUDGE: Duration = Duration::from_millis(500);
