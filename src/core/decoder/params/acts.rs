//! What players do: with their hands, the clock, and the pieces as the Laws have it or not.

use super::{Growth, Price};

/// Rates and times of hands, beside the moves themselves.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HandParams {
    /// The side to move has a piece in its hand. Recordings: nearly always.
    pub in_hand: Price,
    /// King and rook in the hands together, for each castling. Recordings.
    pub pair: Price,
    /// A captured piece is off the board before its captor arrives, for each capture; dearer the longer it is. Recordings: 45 %.
    pub victim: Growth,
    /// A piece is adjusted, or falls, which is not to be moved: for each turn. Assumed: 8 % of the turns of bad time trouble, far fewer
    /// in the hall (fitted together with what it has to explain).
    pub fallen: Growth,
    /// One more within [`Self::together_ms`], for each. Assumed: 40 %.
    pub fallen_more: Price,
    /// Pieces that fall within this time fall together, milliseconds. Assumed.
    pub together_ms: i32,
    /// A piece that is brushed aside reads on another square within this time, milliseconds; later, it was carried. Protocol: two scans.
    pub brush_ms: i32,
    /// A fallen piece reads on the next square, beside [`Self::fallen`]: for each. Assumed: one in 6.
    pub shoved: Growth,
    /// It reads there after a while only, as if it had been carried. Assumed: one in 100.
    pub moved_far: Growth,
    /// It reads farther away. Assumed.
    pub moved_farther: Growth,
    /// A fallen piece is put up on the square of another one that fell, beside [`Self::fallen`]: for each. Assumed: of two that fell
    /// together, one pair in 20.
    pub exchanged: Price,
    /// A piece was slid over, or rested on, a square on its way, for each move. Recordings: 5 %.
    pub slid: Growth,
    /// A captured piece is put down, or pushed, beside its square, for each capture. Recordings: 3 % of the moves of blitz.
    pub beside: Growth,
    /// A pawn captured in passing is not reported to have left: more likely it was forgotten. Range 80 to 120 tenths; recordings.
    pub victim_left: Price,
    /// The piece that is about to replace a pawn stands there already, for each promotion. Assumed: 37 %.
    pub promoting: Price,
    /// A piece that was shoved is left where it is, and the game goes on from there, for each. Assumed: 55 %.
    pub left_there: Price,
    /// How long it lies there before that is considered, milliseconds.
    pub left_there_ms: i32,
    /// A piece is off the board while the clock stands, for each. Assumed.
    pub free: Price,
    /// It reads elsewhere meanwhile. Assumed.
    pub free_moved: Price,
    /// Another piece does. Assumed.
    pub free_stray: Price,
    /// The player presses with a piece of his own in the hand, for each press. Assumed: one in 20.
    pub hand_at_press: Price,
    /// The player presses and lets a piece of his own lie, for each piece. Assumed: 45 %.
    pub fallen_at_press: Price,
    /// The player presses while the piece that he moved lies where it was shoved to, for each press. Fitted: he looks at it.
    pub moved_away_at_press: Price,
    /// The player presses while the piece that he moved reads on another square than it ends on, for each press. Assumed.
    pub hover_at_press: Price,
    /// The same, long after it came there. Fitted.
    pub rested_at_press: Price,
    /// How long a piece hovers over a square at most, milliseconds.
    pub hover_ms: i32,
    /// How long a piece has been away before a press counts it as away, milliseconds. Protocol: one scan and a poll.
    pub away_ms: i32,
}

impl HandParams {
    pub(super) const DEFAULT: Self = Self {
        in_hand: Price::tenths(2),
        pair: Price::tenths(6),
        victim: Growth::tenths(8, 2000, 12, 30),
        fallen: Growth::tenths(25, 3000, 6, 50),
        fallen_more: Price::tenths(9),
        together_ms: 700,
        brush_ms: 350,
        shoved: Growth::tenths(18, 3000, 2, 8),
        moved_far: Growth::tenths(46, 1000, 8, 16),
        moved_farther: Growth::tenths(62, 1000, 8, 16),
        exchanged: Price::tenths(15),
        slid: Growth::tenths(4, 500, 25, 32),
        beside: Growth::tenths(14, 600, 20, 22),
        victim_left: Price::tenths(100),
        promoting: Price::tenths(10),
        left_there: Price::tenths(6),
        left_there_ms: 2000,
        free: Price::tenths(4),
        free_moved: Price::tenths(10),
        free_stray: Price::tenths(25),
        hand_at_press: Price::tenths(30),
        fallen_at_press: Price::tenths(8),
        moved_away_at_press: Price::tenths(50),
        hover_at_press: Price::tenths(25),
        rested_at_press: Price::tenths(45),
        hover_ms: 600,
        away_ms: 300,
    };
}

/// Rates and times of presses.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClockParams {
    /// A press with nothing made, for each press (7.5.3). Assumed: one in 400.
    pub nothing: Price,
    /// A press back while something lies amiss that fell in the opponent's turn, for each such turn (7.4.2). Assumed: 30 %.
    pub back: Price,
    /// In addition: by how much the press comes sooner after the fall than a player can react, [`Self::reaction_ms`].
    pub back_at_once: Growth,
    /// How long a player takes to see that something fell, to stop and to press, milliseconds. Assumed.
    pub reaction_ms: i32,
    /// What has lain amiss for longer is no reason any more, milliseconds. Fitted.
    pub amiss_ms: i32,
    /// What falls until so long after the opponent's press fell in his turn, milliseconds. Protocol: poll and scan.
    pub amiss_after_ms: i32,
    /// A press back after an illegal move, for each (7.5.1). Assumed: 55 %.
    pub back_illegal: Price,
    /// A press back after a press with nothing made, for each. Assumed: 67 %.
    pub back_nothing: Price,
    /// The lever swings to and fro, for each press: two presses in one movement. Assumed: one in 25 in time trouble.
    pub bounce: Growth,
    /// How long a swing takes as it is reported, milliseconds. Protocol: the interval of reports.
    pub bounce_ms: i32,
    /// A press fell between two reports of the clock, for each press. Recordings: one in 6 where both replied within a second.
    pub unseen: Price,
    /// The same, although the clock was seen to run for the side that presses next. Fitted.
    pub lost: Price,
    /// Two presses fell between two reports, for each pair of plies shown at once. Recordings.
    pub hidden_pair: Price,
    /// A press by the side that has nothing to press for, for each press. Assumed: one in 120.
    pub no_duty: Price,
    /// The lever is tried before the first move, for each. Assumed: 30 % of the games.
    pub lever: Price,
    /// The clock begins to run for the wrong side, for each start. Recordings: one in 12.
    pub wrong_running: Price,
    /// The clock starts after a ply that nobody pressed: it was pressed while nobody heard it. Fitted.
    pub started_after_unheard: Price,
    /// The clock starts, and plies that were not pressed count as completed. Fitted.
    pub started_completes: Price,
    /// What is owed for a press for which nothing is known to have been made, in time. Recordings: half of the moves are reported
    /// within 0.5 s of their press.
    pub owed: Growth,
    /// What of it is paid at least when it is given up.
    pub owed_least: Price,
    /// A ply that is shown so long after its press. Recordings.
    pub made_late: Growth,
    /// How long a press back within which the first one is taken for both, milliseconds.
    pub two_owed_ms: i32,
    /// Reports of a press come up to this long after it, milliseconds. Protocol: the interval of reports.
    pub poll_ms: i32,
    /// White's side of the clock is not where the board says, for each game. Operators: one in three.
    pub mirrored: Price,
}

impl ClockParams {
    pub(super) const DEFAULT: Self = Self {
        nothing: Price::tenths(60),
        back: Price::tenths(12),
        back_at_once: Growth::tenths(0, 0, 40, 36),
        reaction_ms: 900,
        amiss_ms: 6000,
        amiss_after_ms: 600,
        back_illegal: Price::tenths(6),
        back_nothing: Price::tenths(4),
        bounce: Growth::tenths(32, 300, 50, 60),
        bounce_ms: 900,
        unseen: Price::tenths(18),
        lost: Price::tenths(32),
        hidden_pair: Price::tenths(10),
        no_duty: Price::tenths(48),
        lever: Price::tenths(12),
        wrong_running: Price::tenths(25),
        started_after_unheard: Price::tenths(16),
        started_completes: Price::tenths(2),
        owed: Growth::tenths(2, 500, 70, 0),
        owed_least: Price::tenths(30),
        made_late: Growth::tenths(1, 700, 50, 54),
        two_owed_ms: 1500,
        poll_ms: 300,
        mirrored: Price::tenths(7),
    };
}

/// Rates and times of plies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MoveParams {
    /// A ply that is not legal, for each ply. Assumed: one in 400; in the hall one in 2,000.
    pub illegal: Price,
    /// Two plies in one turn, beside [`Self::illegal`]: of those, one in two.
    pub twice: Price,
    /// The second one in the opponent's time, beside that. Assumed: of those, one in two.
    pub out_of_turn: Price,
    /// With a piece of the opponent, or onto an own one, beside [`Self::illegal`]. Assumed.
    pub absurd: Price,
    /// In addition: with the piece that the opponent has put down last, within [`Self::still_his_ms`]. Fitted.
    pub still_his: Price,
    /// How long after he put it down a piece that goes on does so in his own hand, milliseconds. Recordings: slides rest for less.
    pub still_his_ms: i32,
    /// A pawn is left on the last rank, for each promotion. Assumed: one in 90.
    pub unreplaced: Price,
    /// It is replaced after all. Assumed: 55 %.
    pub amend: Price,
    /// Which of several squares a piece went to that nobody saw arrive. Fitted.
    pub choice: Price,
    /// A move is taken back before its press, for each ply. Recordings: one in 300 (fitted with what contradicts it).
    pub back_open: Price,
    /// The same where no clock reports whether it was pressed.
    pub back_no_clock: Price,
    /// The same while the clock stands (7.5.1).
    pub back_stopped: Price,
    /// After the press, while the clock runs, by agreement. Assumed: one in 400.
    pub back_running: Price,
    /// An illegal move is taken back while the clock runs. Assumed: one in 4.
    pub back_illegal: Price,
    /// An illegal move is taken back after the opponent has pressed back because of it. Assumed: 80 %.
    pub back_pressed: Price,
    /// A press without a move stands, and the opponent goes on, for each. Assumed: one in 12.
    pub pass: Price,
    /// In addition: the piece of the side that goes on was off its square before that press. Fitted.
    pub pass_begun_before: Price,
    /// A reply before the press, for each ply. Recordings: 1 % in blitz, 5 % in time trouble (fitted against late reports of presses).
    pub early_reply: Growth,
    /// In addition: its piece was lifted before the opponent's hand can have left the board. Fitted.
    pub hands_together: Price,
    /// How long that takes, milliseconds.
    pub hands_together_ms: i32,
    /// A piece is lifted, another one is moved, and the first one is moved the next time, for each. Assumed.
    pub lifted_early: Price,
    /// A move long before its turn, for each. Fitted.
    pub overdue: Price,
    /// A ply that is shown so long before the opponent's press. Recordings.
    pub premature: Growth,
    /// A ply that is shown so long before the one before it. Protocol: a scan.
    pub out_of_order: Growth,
    /// Slack of that, milliseconds.
    pub order_slack_ms: i32,
    /// A ply that was begun after the press only is an offence if it comes so long after it, milliseconds.
    pub too_late_ms: i32,
    /// What it costs that a ply after its press was made in time and read late, beyond one that was made late.
    pub read_late: Price,
    /// A move while the clock stands, for each. Assumed: one in 7.
    pub standing: Price,
    /// A press while the other side has replied already, in time. Fitted.
    pub replied: Growth,
}

impl MoveParams {
    pub(super) const DEFAULT: Self = Self {
        illegal: Price::tenths(60),
        twice: Price::tenths(6),
        out_of_turn: Price::tenths(6),
        absurd: Price::tenths(8),
        still_his: Price::tenths(40),
        still_his_ms: 1500,
        unreplaced: Price::tenths(45),
        amend: Price::tenths(6),
        choice: Price::tenths(12),
        back_open: Price::tenths(12),
        back_no_clock: Price::tenths(25),
        back_stopped: Price::tenths(15),
        back_running: Price::tenths(60),
        back_illegal: Price::tenths(15),
        back_pressed: Price::tenths(2),
        pass: Price::tenths(25),
        pass_begun_before: Price::tenths(40),
        early_reply: Growth::tenths(4, 300, 15, 21),
        hands_together: Price::tenths(14),
        hands_together_ms: 150,
        lifted_early: Price::tenths(20),
        overdue: Price::tenths(40),
        premature: Growth::tenths(5, 0, 30, 35),
        out_of_order: Growth::tenths(5, 0, 80, 85),
        order_slack_ms: 50,
        too_late_ms: 800,
        read_late: Price::tenths(2),
        standing: Price::tenths(20),
        replied: Growth::tenths(0, 400, 18, 18),
    };
}

/// How games begin and end, and what nobody heard.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RoundParams {
    /// The game has ended, and pieces are handled freely, for each instant at which the clock stands. Fitted.
    pub over: Price,
    /// Kings in the centre show a result, for each. Operators.
    pub kings: Price,
    /// A piece was in a hand when the board was first heard of. Assumed: one in 9.
    pub found_later: Price,
    /// How long after it was first heard of that is considered, milliseconds.
    pub found_ms: i32,
    /// A piece stood where the board had not shown it when it was first heard of, for each. Assumed: one in 9, as hands move on meanwhile.
    pub found_unseen: Price,
    /// How long after it left that is considered, milliseconds.
    pub found_unseen_ms: i32,
    /// A ply that nobody heard, for each. Fitted.
    pub unheard: Price,
    /// A square that differs after an outage, for each. Fitted.
    pub gap_square: Price,
    /// A handled piece after the end, for each change.
    pub after_end: Price,
    /// A start of the clock after the end.
    pub started_after_end: Price,
}

impl RoundParams {
    pub(super) const DEFAULT: Self = Self {
        over: Price::tenths(25),
        kings: Price::tenths(15),
        found_later: Price::tenths(22),
        found_ms: 60_000,
        found_unseen: Price::tenths(22),
        found_unseen_ms: 3000,
        unheard: Price::tenths(8),
        gap_square: Price::tenths(16),
        after_end: Price::tenths(3),
        started_after_end: Price::tenths(30),
    };
}
