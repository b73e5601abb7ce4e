//! How much is searched and kept: bounds of time and memory, which no probability rests on.

/// Longest chain of plies that one window is searched for …
pub(crate) const SEARCHED: usize = 8;

/// … and the longest of all, with those that nobody saw.
pub(crate) const DEPTH: usize = 20;

/// Explanations kept of one window.
pub(crate) const EXPLANATIONS: usize = 24;

/// Positions that a search from one root looks at before it is content with what it has: ten times as many change nothing of
/// what is found but on lines whose play nobody can follow (`tests/behaviour`, seeds 5,000 to 5,023), …
pub(crate) const NODES: u32 = 2_000;

/// … and those of explanations with two faults, which only cast doubt on better ones.
pub(crate) const NODES_WITH_TWO_FAULTS: u32 = 500;

/// What a search may cost in all where the line hides play, half of it from one root: what was played there can only be guessed,
/// and nobody is accused by it. With fifty times as much hardly any more plies are found (`tests/behaviour`: 4 of 34,646).
pub(crate) const NODES_IN_HIDING: u32 = 400;

/// Changes of a window that make a position twice the work.
pub(crate) const HEAVY: usize = 32;

/// Plies that may be taken back at once.
pub(crate) const MOST_BACK: u32 = 8;

/// Positions that may be looked at for each millisecond that has passed …
pub(crate) const REFILL: u32 = 20;

/// … the most that may be saved up …
pub(crate) const MOST_BUDGET: u32 = 40_000;

/// … and the least that a search gets.
pub(crate) const LEAST: u32 = 400;

/// Most plies that are guessed where nothing was seen.
pub(crate) const GAP_DEPTH: usize = 16;

/// Paths kept of such a stretch.
pub(crate) const GAP_PATHS: usize = 12;

/// Positions kept of each number of its plies.
pub(crate) const GAP_WIDTH: usize = 480;

/// Its positions whose moves are looked at; some tens of milliseconds.
pub(crate) const GAP_NODES: u32 = 9_000;

/// Such positions that are as much work as one of a window's.
pub(crate) const GAP_LIGHT: u32 = 2;

/// What a ply costs that is still needed, when such positions are ranked; see [`super::cost`].
pub(crate) const GAP_NEEDED: u32 = 6;

/// The same for each piece that is still to be captured: without it, quiet moves leave no room for captures. Fitted with the width on
/// 150 games of three sets of seeds: three in four of the stretches of more than ten plies that were read wrongly are right.
pub(crate) const GAP_GONE: u32 = 36;

/// Changes kept in a window; beyond this the oldest are taken for granted.
pub(crate) const WINDOW: usize = 128;

/// Presses kept in a window; beyond this judgement does not wait any longer.
pub(crate) const MOST_PRESSES: usize = 6;

/// Windows kept for second thoughts.
pub(crate) const MOST_PAST: usize = 3;

/// Offences remembered.
pub(crate) const MOST_OFFENCES: usize = 8;

/// Plies on which hypotheses may disagree before the best one is taken …
pub(crate) const MOST_UNSETTLED: usize = 240;

/// … and before it is taken if it leads by far.
pub(crate) const ENOUGH_UNSETTLED: usize = 6;

/// Beyond so many such plies only a few hypotheses are kept, …
pub(crate) const LONG_UNSETTLED: usize = 24;

/// … the likeliest ones: what was in doubt so long ago is decided by the few squares that it was about.
pub(crate) const FEW: usize = 6;

/// Plies by which the pace of a game is measured.
pub(crate) const PACE: usize = 12;

/// Presses whose increments are remembered.
pub(crate) const RISES: usize = 24;

/// How many more plies of a game a list makes room for at once, …
pub(crate) const ROOM_FOR_PLIES: usize = 24;

/// … how many observations, …
pub(crate) const ROOM_FOR_OBSERVATIONS: usize = 64;

/// … and how many alerts.
pub(crate) const ROOM_FOR_ALERTS: usize = 4;

/// Observations kept to be read again with other seats: about fifty moves; then the seats are taken for what they seem to be.
pub(crate) const REREAD: usize = 512;

/// Orders of a game that can be taken back.
pub(crate) const MOST_ORDERS: usize = 100;

/// Moves that one order enters.
pub(crate) const MOST_ENTERED: usize = 1000;

/// Longest stretch that nobody saw for which other paths are listed, plies, …
pub(crate) const LISTED_STRETCH: usize = 4;

/// … how many positions are looked at for them, …
pub(crate) const LISTED_POSITIONS: usize = 200_000;

/// … and how many of them are named.
pub(crate) const NAMED_PATHS: usize = 8;

/// Positions from which an accusation is weighed: so many plies are read before the one in question.
pub(crate) const WEIGHED_POSITIONS: usize = 8;

/// Observations kept to weigh accusations by; without any position since the oldest one, nothing is weighed.
pub(crate) const WEIGHED_OBSERVATIONS: usize = 512;

/// How often the decoder reads the last plies again while the board does not show what they lead to.
pub(crate) const SECOND_READINGS: u8 = 6;

/// Presses that are weighed at a time.
pub(crate) const WEIGHED_PRESSES: usize = 4;

/// Presses that a decoder is asked about: the last ones.
pub(crate) const ASKED_PRESSES: usize = 24;
